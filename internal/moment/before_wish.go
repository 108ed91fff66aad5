package moment

import (
	"path"
	"slices"
	"strings"

	"chitta/internal/mind"
)

// forbids says whether a standing wish is against what is about to be done: a
// sentence of it that begins with never, don't or the like names the file, or
// the program with everything that it says of it.
func forbids(wish string, u use, roots []string) bool {
	for _, s := range sentenceEnds().Split(ownWords(wish), wishSentences) {
		clause, ok := forbidden(s)
		if !ok {
			continue
		}
		if u.command != "" && namesCommand(clause, u.command, roots) || u.file != "" && namesFile(clause, u.file, roots) {
			return true
		}
	}
	return false
}

// ownWords returns what somebody said without what the agent had said before,
// which captured memories quote behind it: that is nobody's wish.
func ownWords(text string) string {
	for _, quoted := range []string{" — when the agent said:", " — the agent had said:"} {
		text, _, _ = strings.Cut(text, quoted)
	}
	return text
}

// wishSentences bounds how much of a wish is looked at.
const wishSentences = 10

// forbidden returns what a sentence is against: the words behind never or
// don't, up to where it says what to do instead.
func forbidden(sentence string) ([]string, bool) {
	fields := strings.Fields(sentence)
	for i := range fields {
		switch bare(fields[i]) {
		case "never", "don't", "don’t", "avoid":
		case "not":
			if i == 0 || !helpers[bare(fields[i-1])] {
				continue
			}
		default:
			continue
		}
		clause := clauseOf(fields[i+1:])
		return clause, len(clause) > 0
	}
	return nil, false
}

var (
	// helpers are words that make a prohibition with "not".
	helpers = wordSet("do must should shall may")
	// turns are words at which a prohibition ends.
	turns = wordSet("instead but use unless because since when if before after without - –")
)

// marks stand around words.
const marks = "“”‘’\"'`*()[]"

func bare(w string) string { return strings.ToLower(strings.Trim(w, marks+",:;—")) }

// clauseOf returns the words up to where a clause ends.
func clauseOf(fields []string) []string {
	var clause []string
	for _, f := range fields {
		f = strings.Trim(f, marks)
		w := strings.TrimRight(f, ",;:—")
		w = strings.Trim(w, marks)
		if len(clause) > 0 && turns[strings.ToLower(w)] {
			break
		}
		if w != "" {
			clause = append(clause, w)
		}
		if strings.TrimRight(f, ",;:—") != f {
			break
		}
	}
	return clause
}

// namesCommand says whether a clause names a command: one of its programs, then
// the subcommand if it names one, and all the flags.
func namesCommand(clause []string, command string, roots []string) bool {
	for _, step := range strings.FieldsFunc(mind.GeneralCommand(command, roots), func(r rune) bool { return strings.ContainsRune(";|&", r) }) {
		args := strings.Fields(step)
		if len(args) == 0 {
			continue
		}
		at := slices.Index(clause, path.Base(args[0]))
		if at < 0 || len(args[0]) < 2 {
			continue
		}
		named := true
		for i, w := range clause[at+1:] {
			if strings.HasPrefix(w, "-") || i == 0 && !commonSubject[strings.ToLower(w)] {
				named = named && slices.Contains(args[1:], w)
			}
		}
		if named {
			return true
		}
	}
	return false
}

// commonSubject are words behind the name of a program that are no part of the
// command.
var commonSubject = wordSet("for in on to at here as and or directly by the a an this that these command commands again ever anymore with from")

// namesFile says whether a clause names a file, by its path or by a directory
// it is in.
func namesFile(clause []string, file string, roots []string) bool {
	for _, name := range namesOf(file, roots) {
		for _, w := range clause {
			w = strings.TrimPrefix(w, "./")
			switch {
			case len(w) < 3 || !strings.ContainsAny(w, "./"):
			case strings.HasSuffix(w, "/") && (strings.HasPrefix(name, w) || strings.Contains(name, "/"+w)):
				return true
			case name == w || strings.HasSuffix(name, "/"+w):
				return true
			}
		}
	}
	return false
}
