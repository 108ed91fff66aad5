package moment

import (
	"slices"
	"strings"
	"sync"

	"chitta/internal/past"
	"chitta/internal/store"
)

// wish is a standing wish or correction that is against something.
type wish struct {
	store.Record
	against []prohibition
}

// prohibition is what a sentence is against.
type prohibition struct {
	words       []string // that name it
	conditional bool     // only under a condition, such as without asking
}

// wishesOf returns those of some memories that are against something.
func wishesOf(records []store.Record) []wish {
	var out []wish
	for i := range records {
		if against := prohibitions(records[i].Content); len(against) > 0 {
			out = append(out, wish{records[i], against})
		}
	}
	return out
}

// prohibitions returns what the sentences of a wish are against.
func prohibitions(wish string) (against []prohibition) {
	for _, s := range sentenceEnds().Split(ownWords(wish), wishSentences) {
		if p, ok := forbidden(s); ok {
			against = append(against, p)
		}
	}
	return against
}

// forbids says whether one of some prohibitions is against what is about to be
// done: it names the file, or the program with everything that it says of it.
func forbids(against []prohibition, u use, roots []string) bool {
	var steps [][]string
	branch := sync.OnceValue(u.branchOf)
	if u.command != "" && len(against) > 0 {
		steps = stepsOf(past.GeneralCommand(u.command, roots))
	}
	for _, p := range against {
		if slices.ContainsFunc(steps, func(args []string) bool { return p.namesStep(args, branch) }) || u.file != "" && namesFile(p.words, u.file, roots) {
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
func forbidden(sentence string) (prohibition, bool) {
	fields := strings.Fields(sentence)
	for i := range fields {
		switch bare(fields[i]) {
		case "never", "don't", "don’t", "dont", "avoid":
		case "stop":
			if i+1 == len(fields) || !strings.HasSuffix(bare(fields[i+1]), "ing") {
				continue // for a second
			}
		case "not":
			if i == 0 || !helpers[bare(fields[i-1])] {
				continue
			}
		default:
			continue
		}
		p := clauseOf(fields[i+1:])
		return p, len(p.words) > 0 && !harmless[strings.ToLower(p.words[0])]
	}
	return prohibition{}, false
}

var (
	// helpers are words that make a prohibition with "not".
	helpers = wordSet("do must should shall may")
	// harmless are words before which never and don't forbid nothing.
	harmless = wordSet("forget hesitate worry mind think know care need have had be fail see get understand bother")
	// turns are words at which a prohibition ends, conditions those behind which
	// it says when it holds.
	turns      = wordSet("instead but use - –")
	conditions = wordSet("unless because since when if before after without until while")
)

// marks stand around words, ends behind them.
const (
	marks = "“”‘’\"'`*()[]"
	ends  = ",;:—.!?…"
)

func bare(w string) string { return strings.ToLower(strings.Trim(w, marks+",:;—")) }

// clauseOf returns the words up to where a clause ends.
func clauseOf(fields []string) (p prohibition) {
	for _, f := range fields {
		w := strings.TrimRight(strings.TrimLeft(f, marks), marks+ends)
		low := strings.ToLower(w)
		if len(p.words) > 0 && (turns[low] || conditions[low]) {
			p.conditional = conditions[low]
			break
		}
		if w != "" {
			p.words = append(p.words, w)
		}
		if strings.ContainsAny(strings.TrimPrefix(f, strings.TrimRight(f, marks+ends)), ",;:—") && w != "" {
			break
		}
	}
	return p
}

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
