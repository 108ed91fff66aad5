package capture

import (
	"strings"
	"unicode/utf8"
)

// commandKeywords are the programs that take a password as an argument whose
// name does not tell.
func commandKeywords() []string {
	return []string{"mysql", "mariadb", "mongo", "sshpass", "redis-cli", "login", "curl"}
}

// passwordOption is how a program takes a password.
type passwordOption struct {
	letters  string // options of one letter
	long     string // the same in full, without the dashes
	attached bool   // only -pVALUE; -p VALUE means something else
	user     bool   // the value is user:password
}

// longestCommand is how much of a command line is read.
const longestCommand = 512

// optionsOf returns how the program at a place in the text takes a password.
func optionsOf(text string, start, end int) (passwordOption, bool) {
	name := lowerASCII(text[start:end])
	switch {
	case strings.HasPrefix(name, "mysql") || strings.HasPrefix(name, "mariadb"):
		return passwordOption{letters: "p", attached: true}, true
	case strings.HasPrefix(name, "mongo"), name == "sshpass":
		return passwordOption{letters: "p"}, true
	case name == "redis-cli":
		return passwordOption{letters: "a"}, true
	case name == "curl":
		return passwordOption{letters: "uU", long: "user", user: true}, true
	case name == "login":
		before := strings.TrimRight(text[max(0, start-longestName):start], " \t")
		at := strings.LastIndexAny(before, " \t\n/`\"'$(")
		switch before[at+1:] {
		case "docker", "podman", "buildah", "skopeo", "nerdctl", "oras", "crane", "registry", "acr", "oc":
			return passwordOption{letters: "p"}, true
		}
	}
	return passwordOption{}, false
}

// commandPassword finds a password among the arguments of a program. The first
// one is taken; another shows when the text is searched again.
func commandPassword(text string, start, end int) (span, bool) {
	if start > 0 && (isWordByte(text[start-1]) || text[start-1] == '-' || text[start-1] == '.') {
		return span{}, false
	}
	for end < len(text) && (isWordByte(text[end]) || text[end] == '-') && end-start < longestName {
		end++
	}
	if end == len(text) || text[end] != ' ' && text[end] != '\t' {
		return span{}, false
	}
	option, ok := optionsOf(text, start, end)
	if !ok {
		return span{}, false
	}
	limit := min(len(text), end+longestCommand)
	values := 0
	expected := false // the argument is the value of the option before it
	for from, to := argument(text, end, limit); from < to; from, to = argument(text, to, limit) {
		value, isOption, here := option.value(text[from:to])
		if expected {
			value, isOption, here = text[from:to], true, true
		}
		expected = isOption && !here && !option.attached
		if isOption && here {
			if s, ok := option.secret(text, to-len(value), to); ok {
				return s, true
			}
			values++
		}
		if values == option.most() || strings.IndexByte(";|&)", text[to-1]) >= 0 {
			break // the rest belongs to another command
		}
	}
	return span{}, false
}

// most returns how many values of the option one command can have: curl has
// users for the host and for the proxy. What sshpass runs has options of its
// own.
func (o passwordOption) most() int {
	if o.user {
		return 2
	}
	return 1
}

// value returns the value that is part of an option's argument. If it is not
// there it is the next argument.
func (o passwordOption) value(arg string) (value string, isOption, here bool) {
	if long, ok := strings.CutPrefix(arg, "--"); ok {
		name, value, here := strings.Cut(long, "=")
		return value, o.long != "" && (name == o.long || name == "proxy-"+o.long), here
	}
	if len(arg) < 2 || arg[0] != '-' || strings.IndexByte(o.letters, arg[1]) < 0 {
		return "", false, false
	}
	return arg[2:], true, len(arg) > 2
}

// secret judges the value of an option and returns its secret part.
func (o passwordOption) secret(text string, from, to int) (span, bool) {
	for to > from && strings.IndexByte(";,.)|&", text[to-1]) >= 0 { // the end of a command or a sentence
		to--
	}
	if to-from > 1 && strings.IndexByte("\"'", text[from]) >= 0 && text[to-1] == text[from] {
		from, to = from+1, to-1
	}
	if o.user {
		colon := strings.IndexByte(text[from:to], ':')
		if colon < 0 {
			return span{}, false
		}
		from += colon + 1
	}
	s := text[from:to]
	if len(s) < leastGuess || isPlaceholder(s) || isReference(s) || strings.ContainsAny(s, " \t\n") || strings.HasPrefix(s, "$") {
		return span{}, false
	}
	// A port, an address, an option of several letters with one dash (-port=1).
	name, _, assigned := strings.Cut(s, "=")
	if strings.Trim(s, "0123456789.:") == "" || assigned && o.attached && isPlainWord(name) {
		return span{}, false
	}
	_, digits, symbols := composition(s)
	return span{start: from, end: to}, digits+symbols > 0
}

// argument returns the next argument of a command line, with its quotes. Lines
// are joined where the first ends in a backslash.
func argument(text string, i, limit int) (from, to int) {
	for i < limit {
		if text[i] == '\\' && i+1 < limit && text[i+1] == '\n' {
			i += 2
		} else if text[i] == ' ' || text[i] == '\t' {
			i++
		} else {
			break
		}
	}
	from, to = i, i
	var quote byte
	for to < limit {
		c := text[to]
		if c == '\n' || c == '\r' || c == '`' || quote == 0 && (c == ' ' || c == '\t') {
			break
		}
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			if closes := strings.IndexByte(text[to+1:limit], c); closes < 0 || strings.Contains(text[to+1:to+1+closes], "\n") {
				return from, to // the command is inside the quotes that end here
			}
			quote = c
		}
		to++
	}
	for to > from && to < len(text) && !utf8.RuneStart(text[to]) { // cut at the limit
		to--
	}
	return from, to
}
