package distil

import (
	"strings"

	"chitta/internal/expr"
)

// pipeline is one pipeline of a command line.
type pipeline struct {
	before string // the operator in front of it, "" for the first
	first  string // its first command
	piped  bool   // its output goes through another command, whose status counts
	leaves bool   // it is left running in the background
}

// pipelines cuts a command line at && , || , ; and & outside quotes.
func pipelines(line string) []pipeline {
	var all []pipeline
	now := pipeline{}
	var quote byte
	start := 0
	take := func(end int) {
		if !now.piped {
			now.first = line[start:end]
		}
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '\\':
			i++
		case c == ';' || strings.HasPrefix(line[i:], "&&") || strings.HasPrefix(line[i:], "||") || leaves(line, i):
			take(i)
			op := line[i : i+1]
			if c != ';' && !leaves(line, i) {
				op = line[i : i+2]
				i++
			}
			now.leaves = op == "&"
			all = append(all, now)
			now, start = pipeline{before: op}, i+1
		case c == '|':
			take(i)
			now.piped = true
		}
	}
	take(len(line))
	if strings.TrimSpace(now.first) == "" && len(all) > 0 && (now.before == ";" || now.before == "&") {
		return all // the line ends with the operator
	}
	return append(all, now)
}

// leaves says whether the byte at i sends a command to the background: not one
// of && and no redirection.
func leaves(line string, i int) bool {
	if line[i] != '&' || i > 0 && strings.IndexByte("&><|", line[i-1]) >= 0 {
		return false
	}
	return i+1 == len(line) || line[i+1] != '&' && line[i+1] != '>'
}

var (
	stopsAtErrors = expr.New(`^\s*set -[a-z]*e`)
	failsInPipes  = expr.New(`^\s*set .*\bpipefail\b`)
)

// toldBy says of which pipelines a line's status of 0 tells that their first
// command succeeded: the last one and those it is chained to with && . What
// stands before ; , beside || or at the head of a pipe may have failed.
func toldBy(all []pipeline) []bool {
	told := make([]bool, len(all))
	if len(all) == 0 {
		return told
	}
	stops, pipes := stopsAtErrors.MatchString(all[0].first), failsInPipes.MatchString(all[0].first)
	for i := len(all) - 1; i >= 0; i-- {
		p := all[i]
		if p.before == "||" || p.leaves {
			break
		}
		told[i] = !p.piped || pipes
		if p.before != "&&" && !(stops && p.before == ";") {
			break
		}
	}
	return told
}
