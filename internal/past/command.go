package past

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"chitta/internal/memory"
)

// Commands are told apart by what they do, not by what they were given:
// numbers, quoted texts, hashes and temporary files vary from run to run.

// varies stands for a part of a command that varies.
const varies = "…"

// maxCommandShown is how much of a command is looked at, in bytes; beyond it
// stands a script.
const maxCommandShown = 2000

var commandParts = sync.OnceValue(func() []rewriteRule {
	rule := func(expr, by string) rewriteRule { return rewriteRule{regexp.MustCompile(expr), by} }
	return []rewriteRule{
		rule(`(?s)<<-?\s*['"]?(\w+)['"]?.*$`, "<<"+varies),                                                                // here documents, to the end
		rule(`(\s(?:-run|-bench|-k|--grep|--filter|--title|--body|--message)[ =])(?:"[^"]*"|'[^']*'|\S+)`, "${1}"+varies), // what is chosen or said
		rule(`(?s)"(?:[^"\\]|\\.)*[\s$](?:[^"\\]|\\.)*"`, `"`+varies+`"`),                                                 // quoted texts of several words
		rule(`(?s)'[^']*\s[^']*'`, `'`+varies+`'`),                                                                        //
		rule(`/(?:private/)?(?:tmp|var/folders)/[^\s'";|&)]*`, "/tmp/"+varies),                                            // temporary files
		rule(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{9,}\b`, varies),                                                         // UUIDs
		rule(`\b(?:[a-f]+[0-9]|[0-9]+[a-f])[0-9a-f]{5,}\b`, varies),                                                       // hashes
		rule(`\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?\S*`, varies),                                             // dates
		rule(`([\s=:])\d+([\s;|&)/,]|$)`, "${1}"+varies+"${2}"),                                                           // numbers that stand alone
		rule(`\s-(\d+)\b`, " -"+varies),                                                                                   // head -20
	}
})

type rewriteRule struct {
	expr *regexp.Regexp
	by   string
}

// viewers are what output is passed through to be read; they say nothing of
// what was done.
var viewers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:\s*2>&1)?\s*\|\s*(?:head|tail|less|cat|wc)\b[^|&;]*$|\s*2>&1\s*$|\s*2>/dev/null\s*$`)
})

var leadingCd = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^cd\s+(?:"[^"]*"|'[^']*'|\S+)\s*(?:&&|;)\s*`)
})

// GeneralCommand is a command without what varies. Files below a project's top
// are named from there.
func GeneralCommand(command string, roots []string) string {
	s := strings.TrimSpace(memory.FirstBytes(command, maxCommandShown))
	if i := strings.Index(s, "\n"); i > 0 && !strings.Contains(s[:i], "<<") && !strings.HasSuffix(strings.TrimSpace(s[:i]), `\`) {
		// the first of several commands that is not a change of directory
		lines := strings.Split(s, "\n")
		s = strings.TrimSpace(lines[0])
		for _, line := range lines {
			line = strings.TrimSpace(line)
			if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "cd ") {
				s = line
				break
			}
		}
	}
	for {
		rest := leadingCd().ReplaceAllString(s, "")
		if rest == s || rest == "" {
			break
		}
		s = rest
	}
	for {
		rest := viewers().ReplaceAllString(s, "")
		if rest == s {
			break
		}
		s = rest
	}
	for _, root := range roots {
		s = strings.ReplaceAll(s, root+"/", "")
	}
	for _, r := range commandParts() {
		s = r.expr.ReplaceAllString(s, r.by)
	}
	return oneLine(s)
}

// commandWords are the words of a command that say what it does: program,
// subcommands and arguments, without flags and what varies.
func commandWords(general string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(general, func(r rune) bool { return strings.ContainsRune(" \t;|&()'\"`$<>", r) }) {
		if strings.HasPrefix(w, "-") || strings.Contains(w, varies) || strings.Contains(w, "=") {
			continue
		}
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// SameCommand says whether two commands, generalised, are runs of the same
// thing: the same program with the same subcommand, and mostly the same
// arguments.
func SameCommand(a, b string) bool {
	if a == b {
		return a != ""
	}
	wa, wb := commandWords(a), commandWords(b)
	if len(wa) == 0 || len(wb) == 0 || path.Base(wa[0]) != path.Base(wb[0]) {
		return false
	}
	if len(wa) == 1 || len(wb) == 1 {
		return true // a program with and without arguments
	}
	for i := 1; i < min(len(wa), len(wb)) && plainWord(wa[i]) && plainWord(wb[i]); i++ {
		if wa[i] != wb[i] {
			return false // go test, go vet
		}
	}
	shared := 0
	for _, w := range wa {
		if slices.Contains(wb, w) {
			shared++
		}
	}
	return 2*shared >= min(len(wa), len(wb))+1
}

// plainWord says whether an argument is a word such as a subcommand rather
// than a file or a value.
func plainWord(w string) bool { return !strings.ContainsAny(w, "./:*=@") }
