package distil

import (
	"strings"
	"unicode"
)

// plainWords say nothing about what a sentence is about: the small words of the
// language, and what people say when they put something right or ask for it.
var plainWords = wordsOf(`
a about above after again all also always am an and any anybody anything are aren't around as ask asked asking at away
back be because been before being below best better both but by can can't cannot come comes could couldn't did didn't do does doesn't doing
don't done down each either else even ever every everything exactly few fine first for forgot forget from get gets getting give given go goes going gone good got great
had has hasn't have haven't he her here hey hi him his hm hmm how however i i'd i'll i'm i've if in incorrect instead into is isn't it it's its
just keep know last later least let let's lets like little look looks lot made make makes making many may maybe me mean means meant might mind mine missed misunderstood
more most much must my need needed needs never new next no nope nah not nothing now of off oh ok okay old on once one ones only or other our ours out over own
please point put quite rather really right said same saw say saying second see seem seems she should shouldn't simply since so some somebody something
sorry still stop such sure take tell than thank thanks that that's the their them then there there's these they thing things think this those though time to told too
true try two uh um under understand understood unless until up upon us use used uses using very wait want wanted wants was wasn't way ways we we'll we're
well were weren't what what's when where which while who whole why will with without won't word words work works would wouldn't wrong yeah yes yet you you'd you'll
you're you've your yours actually anyway basically correct correction different done exactly file files code change changes changed add added call called
`)

func wordsOf(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// tellingWords are the words that say what a text is about, without endings.
func tellingWords(text string) map[string]bool {
	words := map[string]bool{}
	fields := strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_'", r)
	})
	for _, w := range fields {
		w = strings.Trim(w, "'_")
		if len(w) > 1 && !plainWords[w] {
			words[stem(w)] = true
		}
	}
	return words
}

// stem takes the commonest endings off a word, so that coupon and coupons are
// one. At least three letters stay.
func stem(w string) string {
	const least = 3
	for _, ending := range []string{"'s", "ing", "ed", "es", "s", "e"} {
		if bare, ok := strings.CutSuffix(w, ending); ok && len(bare) >= least && !(ending == "s" && strings.HasSuffix(bare, "s")) {
			return strings.TrimSuffix(bare, "e")
		}
	}
	return w
}

// shared counts the words that are in both.
func shared(a, b map[string]bool) int {
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}
