package recall

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"chitta/internal/keyword"
)

// question is what can be read from the wording of a query to conversations:
// who it is about, and when.
type question struct {
	text  string   // the words, for the keyword index
	told  string   // as the one it is about would have told it, for the model
	named []string // people it names, in lower case
	dates []namedTime
	at    time.Time // when it is asked, if that is said
	about string    // the role it asks about: "what did I say", "what did you suggest"; "" if it does not tell
}

// readQuestion takes a query apart. people are the names, in lower case, of
// those who speak in what is searched.
func readQuestion(q *Query, people []string) question {
	out := question{text: q.Text, at: q.At, dates: readDates(q.Text, q.at())}
	out.named, out.told = tell(q.Text, people)
	switch {
	case assistantAsked().MatchString(q.Text):
		out.about = roleAssistant
	case firstPerson().MatchString(q.Text):
		out.about = roleUser
	}
	return out
}

// assistantAsked matches a question about what the agent said, which often
// names the asker too: "remind me what you suggested".
var assistantAsked = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:you(?:'d|'ve| had| have)?(?: (?:also|just|once|previously|earlier|last|initially|originally))? (?:said|told|suggest(?:ed)?|recommend(?:ed)?|mention(?:ed)?|propos(?:e|ed)|advis(?:e|ed)|explain(?:ed)?|list(?:ed)?|describ(?:e|ed)|provid(?:e|ed)|gave|wrote|shared?)|your (?:suggestion|recommendation|answer|advice|proposal|explanation)s?)\b`)
})

// firstPerson matches a question about what the asker said or did.
var firstPerson = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[^\p{L}\p{N}'])(i|i'm|i've|i'd|my|mine|me)($|[^\p{L}\p{N}'-])`)
})

// wordPattern matches a word with its possessive ending.
var wordPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\p{L}\p{N}]+(?:['’]s\b)?`)
})

// tell finds the people whom a question names and writes it as they would have
// told it: the one named becomes "I", several become "we". What is stored
// speaks in the first person, and a name draws everything that its bearer was
// ever greeted with.
func tell(text string, people []string) (named []string, told string) {
	if len(people) == 0 {
		return nil, text
	}
	words := wordPattern().FindAllStringIndex(text, -1)
	who := make([]string, len(words))
	for i, at := range words {
		who[i] = personNamed(text[at[0]:at[1]], i == 0, people)
		if who[i] != "" && !slices.Contains(named, who[i]) {
			named = append(named, who[i])
		}
	}
	if len(named) == 0 {
		return nil, text
	}
	subject, owner := "I", "my"
	if len(named) > 1 {
		subject, owner = "we", "our"
	}
	var b strings.Builder
	end := 0
	for i := 0; i < len(words); i++ {
		if who[i] == "" {
			continue
		}
		b.WriteString(text[end:words[i][0]])
		for i+1 < len(words) && who[i+1] == who[i] && strings.TrimSpace(text[words[i][1]:words[i+1][0]]) == "" {
			i++ // the next word of the same name
		}
		end = words[i][1]
		if possessive(text[words[i][0]:end]) {
			b.WriteString(owner)
		} else {
			b.WriteString(subject)
		}
	}
	b.WriteString(text[end:])
	return named, joinSubjects(b.String(), subject, owner)
}

// joinSubjects makes one "we" of "we and we".
func joinSubjects(text, subject, owner string) string {
	for _, first := range []string{subject, owner} {
		for _, second := range []string{subject, owner} {
			for _, and := range []string{" and ", " or "} {
				text = strings.ReplaceAll(text, first+and+second, second)
			}
		}
	}
	return text
}

// shortName is how many letters of a name at least stand for it: Mel for
// Melanie.
const shortName = 3

// personNamed returns the person that a word of a question names, or "". It
// must be written like a name: people are called Bill and Mark, and most bills
// and marks are none. A word that is also a common one, or a month, counts even
// less.
func personNamed(word string, first bool, people []string) string {
	base := strings.ToLower(word)
	if possessive(base) {
		base = strings.TrimSuffix(strings.TrimSuffix(base, "'s"), "’s")
	}
	initial, _ := utf8.DecodeRuneInString(word)
	if unicode.IsLower(initial) || first && keyword.IsStopWord(base) {
		return ""
	}
	for _, p := range people {
		for part := range strings.FieldsSeq(p) {
			if base == part {
				return p
			}
		}
	}
	if first || keyword.IsStopWord(base) || monthOf(base) != 0 || utf8.RuneCountInString(base) < shortName {
		return ""
	}
	short := ""
	for _, p := range people {
		if strings.HasPrefix(p, base) {
			if short != "" {
				return "" // may be either
			}
			short = p
		}
	}
	return short
}

func possessive(word string) bool {
	return strings.HasSuffix(word, "'s") || strings.HasSuffix(word, "’s")
}

// speakerFit says how well the speaker of a turn fits: ½ if it is the only one
// the question names, −½ if it is another, 0 if that says nothing.
func (x *question) speakerFit(person string) float64 {
	if len(x.named) != 1 || person == "" {
		return 0
	}
	return half(x.named[0] == person)
}

// participantFit says whether someone the question names speaks in a
// conversation.
func (x *question) participantFit(people []string) float64 {
	if len(x.named) == 0 {
		return 0
	}
	return half(slices.ContainsFunc(x.named, func(n string) bool { return slices.Contains(people, n) }))
}

func half(yes bool) float64 {
	if yes {
		return 0.5
	}
	return -0.5
}

// notNames are what sources call their speakers when they have no names.
var notNames = map[string]bool{"user": true, "assistant": true, "system": true, "tool": true, "human": true, "ai": true}

// personOf returns the name of a speaker as it is compared, or "" if it is
// none.
func personOf(speaker string) string {
	if name := strings.ToLower(speaker); !notNames[name] {
		return name
	}
	return ""
}
