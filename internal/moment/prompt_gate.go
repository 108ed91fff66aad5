package moment

import (
	"slices"
	"strings"
	"unicode"

	"chitta/internal/mind"
	"chitta/internal/recall"
)

// How much something recalled has to do with a prompt is measured by three
// things that do not depend on how much is stored: how alike the two are in
// meaning, what share of the prompt's words it has, and how rare the
// words are that they have in common. Each alone is fooled: "run the tests" is
// very much like what was said a hundred times, and a pasted log shares rare
// words with any other. docs/moments.md has how the bar was found.
const (
	// The measures are added: meaning counts from 0 to 1, the other two to
	// these shares.
	coverageShare = 0.3
	rarityShare   = 0.8
	// rarityHalf is how many rare words in common count half.
	rarityHalf = 2.0
	// longPrompt is how many words a prompt has from which on words in common
	// count less: a long one has some with everything.
	longPrompt = 12.0
	// bar is what a sum must reach.
	bar = 1.22
	// wordsBar is what it must reach without meaning, when the model cannot be
	// asked.
	wordsBar = 0.75
	// minTelling is how many telling words a prompt must have to be about
	// something; a name or a path alone will do.
	minTelling = 3
	// minCovered is how many of them something must have.
	minCovered = 2
	// briefWords is how many words a short question has at most, without those
	// that every text has.
	briefWords = 4
	// briefBar is what the sum must reach for a short question, which has few
	// words to have in common; briefRare is how rare they must be together, so
	// that a word of half the memories does not count.
	briefBar  = 0.9
	briefRare = 0.5
)

// commonWords are words of any work with any code: a prompt made of them is
// about nothing in particular. Compared as they are written, in lower case.
var commonWords = wordSet(`
	add again all also another answer anything approach apply ask back bad basically better bit branch bug bugs build
	builds call change changed changes check cleanup clean code commit commits commited committed complete continue
	correct could create created current debug delete diff do document docs done edit else error errors example explain
	fail failed failing fails failure failures feature file files find fine first fix fixed fixes folder function
	functions give go going good great guess help hello hey hi idea implement instead issue issues job keep kind know last
	let lets line lint linter list little look looks lot make maybe merge message method minor more move name need new next
	nice now number ok okay old one only open other output part place plan please pr print problem problems project pull
	push put question quick read readme ready really rebase refactor reload remove rename repo repository request result
	retry return review revert right run running save say see set should show simple simplify small something sorry start
	step still stop stuff sure take task tell test tests thank thanks then thing things think this time today together
	try two undo up update use used using variable version want way well what whole why work working works write written
	wrong yeah yep yes yesterday you
	conflict conflicts comment comments feedback suggestion suggestions main master origin green red faster slower fast
	slow type types ci class value values call calls word words text two three
	option options
	claude.md agents.md readme.md changelog.md memory.md
	go golang python java javascript typescript rust bash shell sql css html
`)

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// topic is what a prompt is about.
type topic struct {
	words   []mind.Word
	telling []mind.Word // those that tell what it is about
	names   int         // how many of them are names of code: files, flags, symbols
}

// topicOf finds the words of a prompt that tell what it is about.
func topicOf(m *mind.Mind, prompt string) topic {
	t := topic{words: m.Words(prompt)}
	for _, w := range t.words {
		if commonWords[strings.ToLower(w.Surface)] || isNumber(w.Surface) {
			continue
		}
		t.telling = append(t.telling, w)
		if isName(w.Surface) {
			t.names++
		}
	}
	return t
}

// vague says whether a prompt is about nothing in particular.
func (t topic) vague() bool { return len(t.telling) < minTelling && t.names == 0 }

// brief says whether a vague prompt still may be a short clear question: it has
// few words, and one of them tells something.
func (t topic) brief() bool {
	const shortest = 3 // letters of a word that tells something
	return t.vague() && len(t.words) <= briefWords &&
		slices.ContainsFunc(t.telling, func(w mind.Word) bool { return len(w.Surface) >= shortest })
}

func isNumber(w string) bool { return strings.IndexFunc(w, unicode.IsLetter) < 0 }

// isName says whether a word is written as only code writes: getUserName,
// get_user, pkg.Type, a/b.go, --flag.
func isName(w string) bool {
	const shortest = 5
	if len(w) < shortest {
		return false
	}
	for i, r := range w {
		switch {
		case i == 0:
		case unicode.IsUpper(r) && strings.IndexFunc(w, unicode.IsLower) >= 0 && unicode.IsLower(rune(w[i-1])):
			return true
		case strings.ContainsRune("._/:", r) && i < len(w)-1 && unicode.IsLetter(rune(w[i+1])):
			return true
		}
	}
	return strings.HasPrefix(w, "--")
}

// bearing is how much something has to do with a prompt.
type bearing struct {
	cosine   float64
	coverage float64
	rarity   float64  // rare words in common
	shared   []string // telling words in common
	named    bool     // one of them is a name
}

// score adds the measures up.
func (b *bearing) score() float64 {
	return max(0, b.cosine) + coverageShare*b.coverage + rarityShare*b.rarity/(b.rarity+rarityHalf)
}

// gauge measures what was recalled.
type gauge struct {
	terms              func(text string) map[string]bool // what a text is found by
	topic              topic
	memories, passages float64 // what a rare word counts
	meaning            bool    // the model took part
}

// measure says how much a result has to do with the prompt.
func (g *gauge) measure(r *mind.Result) bearing {
	var b bearing
	rare := g.memories
	if r.Kind == mind.KindPassage {
		rare = g.passages
	}
	for _, e := range r.Evidence {
		switch e.Source {
		case recall.SourceVector:
			b.cosine = e.Score
		case recall.SourceKeyword:
			b.rarity = max(0, e.Score) / rare
		}
	}
	b.rarity *= min(1, longPrompt/float64(max(1, len(g.topic.words))))
	text := r.Text
	if g.topic.brief() {
		text = ownWords(text) // one word of what is quoted beside it says too little
	}
	g.count(&b, text+"\n"+strings.Join(r.Tags, " "))
	return b
}

// count finds the words that a text has in common with the prompt.
func (g *gauge) count(b *bearing, text string) {
	terms := g.terms(text)
	b.shared, b.named = nil, false
	for _, w := range g.topic.telling {
		if terms[w.Terms[0]] {
			b.shared = append(b.shared, w.Surface)
			b.named = b.named || isName(w.Surface)
		}
	}
	covered := 0
	for _, w := range g.topic.words {
		if terms[w.Terms[0]] {
			covered++
		}
	}
	b.coverage = float64(covered) / float64(max(1, len(g.topic.words)))
}

// within measures a part of what was measured: rare words that are not in it do
// not count.
func (g *gauge) within(b bearing, text string) bearing {
	all := len(b.shared)
	g.count(&b, text)
	b.rarity *= float64(len(b.shared)) / float64(max(1, all))
	return b
}

// bar is what a sum must reach.
func (g *gauge) bar() float64 {
	switch {
	case g.topic.brief():
		return briefBar
	case !g.meaning:
		return wordsBar
	}
	return bar
}

// answering are the kinds of memory that answer a question by themselves. What
// was done once, and when, is none of them.
var answering = wordSet("wisdom insight belief preference correction approach failure outcome intention gap symbol project_essence")

// verdict says why something is not worth telling, or "". A short question is
// answered by a memory that has all its telling words.
func (g *gauge) verdict(b *bearing, r *mind.Result) string {
	few := len(b.shared) < minCovered && !b.named
	if g.topic.brief() {
		b.coverage = 1 // of the words that tell something, as is looked at next
		few = len(b.shared) < len(g.topic.telling) || b.rarity < briefRare || !answering[r.Kind]
	}
	switch {
	case r.Kind == mind.KindFact:
		return ""
	case few:
		return FewWords
	case b.score() < g.bar():
		return BelowBar
	}
	return ""
}

// sawMeaning says whether the model took part in an answer.
func sawMeaning(results []mind.Result) bool {
	for i := range results {
		for _, e := range results[i].Evidence {
			if e.Source == recall.SourceVector && e.Score != 0 {
				return true
			}
		}
	}
	return false
}
