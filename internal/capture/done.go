package capture

import (
	"slices"
	"strings"

	"chitta/internal/expr"
)

// Deed is what a turn did, as [Does] looks at it.
type Deed struct {
	Asked  string   // the person's words
	Said   string   // the agent's last words
	Files  []string // what was changed, by path
	Passed bool     // the last command that ran went well
	Failed bool     // the last command that ran did not
	Open   []string // what is left to do after it
}

const (
	// DoesWords is the share of the words of what was left to do that the turn
	// must speak of, when it changed the file in question.
	DoesWords = 0.5
	// doesAllWords is that share when nothing else tells that it is the same
	// thing.
	doesAllWords = 0.8
	// DoesMeaning is the cosine from which a turn speaks of the same thing, and
	// doesSome the share of words that it must have all the same: two tasks of
	// one sort, about different things, are close in meaning.
	DoesMeaning = 0.75
	doesSome    = 0.3
	// Fewer words than these say too little to be recognised by: with a file in
	// common, and without.
	leastDone    = 2
	leastDoneAll = 3
)

// Does decides whether a turn did what was left to do: it was asked for it or
// says that it is done, worked on it, and nothing it ran last went wrong. text
// is what was left to do and files what it is about; cosine compares two texts,
// and says false if it cannot tell. To leave open what was done costs a glance,
// to close what was not loses it: in doubt it is open.
func Does(text string, files []string, d Deed, cosine func(a, b string) (float64, bool)) bool {
	if d.Failed || len(d.Files) == 0 && !d.Passed {
		return false
	}
	words, named := doneWords(text), filesNamed(text)
	if len(words) < leastDone || len(named) > 0 && len(d.Files) > 0 && !anySame(named, d.Files) {
		return false
	}
	for _, open := range d.Open {
		if share(words, doneWords(open)) >= DoesWords {
			return false // it says itself that it is not done
		}
	}
	sameFile := anySame(slices.Concat(named, files), d.Files)
	for _, s := range slices.Concat(statements(d.Asked), statements(beforeOpen(d.Said))) {
		common := share(words, doneWords(s))
		switch {
		case sameFile && common >= DoesWords:
			return true
		case len(words) >= leastDoneAll && len(d.Files) > 0 && common >= doesAllWords:
			return true
		case common >= doesSome && len(words) >= leastDoneAll:
			if v, ok := cosine(text, s); ok && v >= DoesMeaning {
				return true
			}
		}
	}
	return false
}

// doneWords are the words of a text that tell something, those of the names of
// files among them.
func doneWords(text string) []string {
	return slices.Concat(tellWords(text), fileWords(filesNamed(text)))
}

// share is what share of some words is among others.
func share(words, among []string) float64 {
	if len(words) == 0 {
		return 0
	}
	n := 0
	for _, w := range words {
		if slices.Contains(among, w) {
			n++
		}
	}
	return float64(n) / float64(len(words))
}

var (
	sentenceEnd = expr.New(`([.!?;])(?:\s|$)|\n`)
	// notDone matches words of what was not done, or is not meant.
	notDone = expr.New(`(?i)\b(?:not|never|no|nor|without|can't|cannot|couldn't|don't|doesn't|didn't|isn't|wasn't|won't|haven't|hasn't|skip(?:ped)?|instead of|still|yet|later|tomorrow|todo|remain(?:s|ing)?|left|next|need(?:s|ed)? to|should|could|would|might|will|plan(?:ned)?|revert(?:ed)?|undo|undid|fail(?:s|ed)?|before (?:you|we|i))\b`)
	// wish matches questions that ask for something to be done.
	wish = expr.New(`(?i)^\s*(?:and |now |then |please |ok(?:ay)?,? )*(?:can|could|would|will) you\b`)
	// openPart matches the heading or the beginning of what is left to do.
	openPart = expr.New(`(?im)^[#*\s>-]*(?:next(?: steps?)?|remaining\b.{0,40}|still\b.{0,40}|to-?do|open (?:items|ends|points|issues|questions)|follow-?ups?|not (?:yet )?(?:done|implemented)|left (?:to do|open)|what's (?:left|next|missing))\b[^\n]{0,40}:?[*\s]*$|^[#*\s>-]*(?:next(?: steps?)?|remaining|still|to-?do|left(?: to do| open)?|not (?:yet )?done)\b[^\n:]{0,40}:`)
)

// statements returns the sentences of a text that may ask for something, or say
// that it was done.
func statements(text string) []string {
	var out []string
	from := 0
	add := func(s string, question bool) {
		if asks := wish.MatchString(s); question && !asks || !asks && notDone.MatchString(s) {
			return
		} else if asks && notDone.MatchString(wish.ReplaceAllString(s, "")) {
			return
		}
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	for _, m := range sentenceEnd.FindAllStringSubmatchIndex(text, maxStatements) {
		add(text[from:m[0]], m[2] >= 0 && text[m[2]:m[3]] == "?")
		from = m[1]
	}
	add(text[from:], false)
	return out
}

// maxStatements bounds how much of what was said is looked at.
const maxStatements = 200

// beforeOpen cuts off what an agent lists as left to do.
func beforeOpen(said string) string {
	if at := openPart.FindStringIndex(said); at != nil {
		return said[:at[0]]
	}
	return said
}
