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
	case firstPerson().MatchString(request().ReplaceAllString(q.Text, "")):
		out.about = roleUser
	}
	return out
}

// assistantAsked matches a question about what the agent said, which often
// names the asker too: "remind me what you suggested".
var assistantAsked = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:you(?:'d|'ve| had| have)?(?: (?:also|just|once|previously|earlier|last|initially|originally))? (?:said|told|suggest(?:ed)?|recommend(?:ed)?|mention(?:ed)?|propos(?:e|ed)|advis(?:e|ed)|explain(?:ed)?|list(?:ed)?|describ(?:e|ed)|provid(?:e|ed)|gave|wrote|shared?)|your (?:suggestion|recommendation|answer|advice|proposal|explanation)s?)\b`)
})

// firstPerson matches a question about what the asker said or did. I/O is no
// person.
var firstPerson = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[^\p{L}\p{N}'/])(i|i'm|i've|i'd|i'll|my|mine|me)($|[^\p{L}\p{N}'/-])`)
})

// request matches what only asks for an answer: in "remind me what Ann said",
// "me" says nothing about whom the question is about. "What did Ann tell me"
// is none.
var request = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[.,;:!?\n])\s*(?:(?:please|now|and|ok|okay|so|can you|could you|would you|will you)[\s,]+)*(?:remind|tell|show|give|help|find|let) me\b`)
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
	}
	namedInLowerCase(text, words, who, people)
	for _, w := range who {
		if w != "" && !slices.Contains(named, w) {
			named = append(named, w)
		}
	}
	named = append(named, namedWithoutSpaces(text, named, people)...)
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
	base := baseOf(word)
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

// baseOf returns a word in lower case and without its possessive ending.
func baseOf(word string) string {
	base := strings.ToLower(word)
	return strings.TrimSuffix(strings.TrimSuffix(base, "'s"), "’s")
}

// namedInLowerCase notes in who, for each word, the people named in a question
// that is typed without capitals. Then a word must be all of a name, and none
// that means something else as well; a name of several words must be whole.
func namedInLowerCase(text string, words [][]int, who, people []string) {
	bases := make([]string, len(words))
	places := map[string][]int{}
	for i, at := range words {
		bases[i] = baseOf(text[at[0]:at[1]])
		places[bases[i]] = append(places[bases[i]], i)
	}
	for _, p := range people {
		first, _, several := strings.Cut(p, " ")
		if len(places[first]) == 0 || !several && !isNothingButName(p) {
			continue
		}
		parts := strings.Fields(p)
		for _, i := range places[first] {
			end := i + len(parts)
			if end <= len(words) && slices.Equal(bases[i:end], parts) && strings.Join(who[i:end], "") == "" {
				for k := i; k < end; k++ {
					who[k] = p
				}
			}
		}
	}
}

// isNothingButName reports whether a word in lower case, which is somebody's
// name, is likely to be meant as one.
func isNothingButName(word string) bool {
	return utf8.RuneCountInString(word) >= shortName && !keyword.IsStopWord(word) && monthOf(word) == 0 && !isCommonWord(word)
}

// isCommonWord reports whether a word that people are called by, or that
// sources call their speakers, is more often an ordinary one. (A switch,
// because a map would be built at every start of the program.)
func isCommonWord(word string) bool {
	switch word {
	case "amber", "angel", "art", "ash", "autumn", "basil", "bear", "bill", "bob", "brook", "bud", "candy", "carol", "cash",
		"chance", "charity", "chase", "cherry", "chip", "chuck", "clay", "cliff", "colt", "crystal", "daisy", "dale", "dash",
		"dawn", "dean", "dell", "destiny", "don", "drake", "drew", "duke", "earl", "eve", "faith", "fern", "flora", "flint",
		"ford", "forest", "fox", "frank", "gene", "ginger", "glen", "grace", "grant", "gray", "guy", "harmony", "hazel",
		"heath", "heather", "holly", "honor", "hope", "hunter", "iris", "ivy", "jack", "jade", "jasmine", "jay", "jet",
		"jewel", "joy", "justice", "king", "kit", "lake", "lance", "lane", "laurel", "liberty", "lily", "linus", "love",
		"lucky", "major", "mark", "mason", "max", "melody", "mercy", "merit", "mike", "miles", "misty", "nick", "noble",
		"norm", "olive", "opal", "page", "parker", "pat", "patience", "pearl", "penny", "pepper", "peter", "phoenix",
		"pierce", "piper", "poppy", "prince", "quest", "rain", "randy", "raven", "ray", "reed", "rex", "rich", "river", "rob",
		"robin", "rocky", "rod", "rose", "rowan", "royal", "ruby", "rust", "rusty", "sage", "sandy", "scout", "sky",
		"skip", "star", "sterling", "stone", "storm", "sue", "summer", "sunny", "tanner", "tiger", "trace", "trinity",
		"trip", "tucker", "van", "victor", "viola", "violet", "wade", "ward", "west", "willow", "wolf", "woody", "young",
		// what speakers are called by what they do
		"admin", "agent", "anonymous", "bot", "boss", "caller", "client", "coach", "customer", "dad", "dev", "developer",
		"doctor", "driver", "editor", "employee", "engineer", "expert", "father", "friend", "guest", "host", "interviewer",
		"lawyer", "manager", "moderator", "mom", "mother", "narrator", "nurse", "operator", "ops", "patient", "people",
		"player", "researcher", "reviewer", "server", "speaker", "student", "support", "teacher", "team", "tester",
		"therapist", "unknown", "waiter", "worker", "writer",
		// tools that are called like people
		"ada", "alexa", "bazel", "claude", "gemini", "haskell", "jenkins", "julia", "otto", "pascal", "puppet", "siri",
		"swift", "travis":
		return true
	}
	return false
}

// leastUnspaced is how many characters a name has at least that is looked for
// inside of other text: single ones are parts of many words.
const leastUnspaced = 2

// namedWithoutSpaces returns the people, besides those found already, whose
// names stand inside of text that has no spaces between words. Such text is not
// told in another person: "I" is no word there.
func namedWithoutSpaces(text string, found, people []string) (named []string) {
	rest := strings.ToLower(text)
	for _, p := range found {
		rest = strings.ReplaceAll(rest, p, " ")
	}
	var there []string
	for _, p := range people {
		if utf8.RuneCountInString(p) >= leastUnspaced && indexUnspaced(rest, p) >= 0 && !slices.Contains(found, p) {
			there = append(there, p)
		}
	}
	slices.SortStableFunc(there, func(a, b string) int { return len(b) - len(a) })
	for _, p := range there {
		if indexUnspaced(rest, p) >= 0 {
			named = append(named, p)
			rest = strings.ReplaceAll(rest, p, " ") // a shorter name within it is not named
		}
	}
	return named
}

// indexUnspaced returns where a name stands that is written in a script without
// spaces, -1 if nowhere. Korean puts spaces between words and endings behind
// them, so there it must begin one.
func indexUnspaced(text, name string) int {
	korean := false
	for _, r := range name {
		switch {
		case unicode.Is(unicode.Hangul, r):
			korean = true
		case !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) && r != '・' && r != 'ー':
			return -1
		}
	}
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return -1
		}
		at += from
		if before, _ := utf8.DecodeLastRuneInString(text[:at]); !korean || !unicode.IsLetter(before) {
			return at
		}
		from = at + len(name)
	}
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
