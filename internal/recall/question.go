package recall

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// question is what can be read from the wording of a query to conversations:
// who it is about, and when.
type question struct {
	text  string   // the words, for the keyword index
	plain string   // without the names of those who speak, for the model: a name says who, not what, and draws everything they ever said
	named []string // speakers it names
	dates []dateRange
	user  bool // it asks what the user said ("what did I …")
}

// readQuestion takes a query apart. speakers are the names that occur as
// speakers of what is searched.
func readQuestion(q *Query, speakers []string) question {
	out := question{text: q.Text, plain: q.Text, dates: readDates(q.Text, q.at())}
	for _, name := range speakers {
		if rest, found := cutName(out.plain, name); found {
			out.named = append(out.named, name)
			out.plain = rest
		}
	}
	if strings.IndexFunc(out.plain, unicode.IsLetter) < 0 {
		out.plain = q.Text // nothing but names: they are what it is about
	}
	out.user = firstPerson().MatchString(q.Text)
	return out
}

// firstPerson matches a question about what the asker said or did.
var firstPerson = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[^\p{L}\p{N}'])(i|i'm|i've|i'd|my|mine|me)($|[^\p{L}\p{N}'-])`)
})

// cutName removes every whole-word occurrence of a name, with a possessive
// ending, from a text. Case counts: "Will" is a name, "will" is not.
func cutName(text, name string) (rest string, found bool) {
	if name == "" {
		return text, false
	}
	var b strings.Builder
	for {
		i := strings.Index(text, name)
		if i < 0 {
			break
		}
		after := text[i+len(name):]
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		next, _ := utf8.DecodeRuneInString(after)
		if i > 0 && wordRune(before) || after != "" && wordRune(next) {
			b.WriteString(text[:i+len(name)])
			text = after
			continue
		}
		found = true
		b.WriteString(text[:i])
		for _, ending := range []string{"'s", "’s", "'", "’"} {
			if rest, ok := strings.CutPrefix(after, ending); ok {
				after = rest
				break
			}
		}
		text = after
	}
	if !found {
		return b.String() + text, false
	}
	b.WriteString(text)
	return strings.Join(strings.Fields(b.String()), " "), true
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// speakerFit says how well a speaker fits the question: 1 if it names only
// this one, -1 if it names only another, 0 otherwise.
func (x *question) speakerFit(speaker string) float64 {
	switch {
	case len(x.named) != 1 || speaker == "":
		return 0
	case slices.Contains(x.named, speaker):
		return 1
	}
	return -1
}
