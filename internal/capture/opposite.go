package capture

import (
	"strings"
	"sync"
)

// opposites are words that turn a statement around, or that are the two ends
// of something. Words on one side are taken for each other, which is right
// often enough where only the other side does harm.
var opposites = [...][2]string{
	{"increase raise grow expand higher", "decrease lower reduce shrink"},
	{"allow permit accept grant", "deny forbid reject block refuse revoke prohibit disallow"},
	{"enable activate", "disable deactivate"},
	{"before", "after"},
	{"earlier early", "later late"},
	{"add insert append include", "remove delete drop exclude"},
	{"open", "close shut"},
	{"start launch begin", "stop end finish halt"},
	{"create", "destroy"},
	{"keep retain", "discard"},
	{"on", "off"},
	{"true", "false"},
	{"yes", "no"},
	{"left", "right"},
	{"up", "down"},
	{"first", "last"},
	{"min minimum least", "max maximum most"},
	{"more", "less fewer"},
	{"above over", "below under"},
	{"inside inner", "outside outer"},
	{"high", "low"},
	{"fast faster quick", "slow slower"},
	{"large larger big bigger", "small smaller little"},
	{"long longer", "short shorter"},
	{"better best good", "worse worst bad"},
	{"old older", "new newer"},
	{"always", "never"},
	{"push", "pull"},
	{"read reader", "write written wrote writer"},
	{"get", "set"},
	{"send sent sender", "receive receiver"},
	{"upload", "download"},
	{"import", "export"},
	{"encode", "decode"},
	{"encrypt", "decrypt"},
	{"attach", "detach"},
	{"merge join", "split"},
	{"show", "hide hidden"},
	{"prefer", "avoid"},
	{"pass succeed success", "fail failure"},
	{"required mandatory", "optional"},
	{"same", "different"},
	{"sync synchronous", "async asynchronous"},
	{"public", "private"},
	{"internal", "external"},
	{"local", "remote"},
	{"static", "dynamic"},
	{"strong", "weak"},
	{"client", "server"},
	{"caller", "callee"},
	{"request", "response"},
	{"input", "output"},
	{"source", "target destination"},
	{"parent", "child children"},
	{"primary leader", "secondary replica follower"},
	{"producer publisher", "consumer subscriber"},
	{"publish", "subscribe"},
	{"upstream", "downstream"},
	{"frontend", "backend"},
	{"foreground", "background"},
	{"staging", "production prod"},
	{"ascending", "descending"},
	{"top", "bottom"},
	{"head", "tail"},
	{"prefix", "suffix"},
	{"horizontal", "vertical"},
	{"positive", "negative"},
	{"tabs", "spaces"},
	{"light", "dark"},
}

// pole is one side of a pair of opposites.
type pole struct{ pair, side int }

// poles returns the sides by the stems of their words.
var poles = sync.OnceValue(func() map[string]pole {
	m := map[string]pole{}
	for pair, sides := range opposites {
		for side, words := range sides {
			for w := range strings.FieldsSeq(words) {
				m[stem(w)] = pole{pair, side}
			}
		}
	}
	return m
})

// opposed reports whether one text says the opposite of the other somewhere:
// of a pair that both speak of, the sides come in a different order, or a word
// of one has its negated form in the other (safe, unsafe).
func opposed(a, b []string) bool {
	sidesA, sidesB := sides(a), sides(b)
	for pair, inA := range sidesA {
		if inB, both := sidesB[pair]; both && inA != inB {
			return true
		}
	}
	return negatedForm(a, b) || negatedForm(b, a)
}

// sides returns, for every pair that a text speaks of, the order in which it
// names the sides. Naming one side again is nothing new.
func sides(words []string) map[int]string {
	order := map[int]string{}
	for _, w := range words {
		p, ok := poles()[w]
		if !ok {
			continue
		}
		side := string(rune('0' + p.side))
		if !strings.HasSuffix(order[p.pair], side) {
			order[p.pair] += side
		}
	}
	return order
}

// negatedForm reports whether a has a word that b lacks, and b the same word
// with a prefix that negates it, which a lacks.
func negatedForm(a, b []string) bool {
	const leastWord = 3
	inA, inB := wordSet(a), wordSet(b)
	for w := range inB {
		if _, both := inA[w]; both {
			continue
		}
		for _, prefix := range [...]string{"un", "in", "im", "il", "ir", "dis", "non", "de", "mis"} {
			bare, ok := strings.CutPrefix(w, prefix)
			if !ok || len(bare) < leastWord {
				continue
			}
			if _, ok := inA[bare]; !ok {
				continue
			}
			if _, ok := inB[bare]; !ok {
				return true
			}
		}
	}
	return false
}

func stems(words []string) []string {
	reduced := make([]string, len(words))
	for i, w := range words {
		reduced[i] = stem(w)
	}
	return reduced
}

// stem reduces the forms of an English word to one: stops, stopped and
// stopping to stop. It is no word in itself, and never shown.
func stem(w string) string {
	const least = 3 // letters that must be left
	if len(w) <= least || !isPlainWord(w) {
		return w
	}
	for _, ending := range [...]string{"ing", "ed", "es", "s"} {
		if bare, ok := strings.CutSuffix(w, ending); ok && len(bare) >= least && (ending != "s" || bare[len(bare)-1] != 's') {
			w = bare
			break
		}
	}
	if len(w) > least {
		w = strings.TrimSuffix(w, "e")
	}
	if bare, ok := strings.CutSuffix(w, "y"); ok && len(w) > least {
		w = bare + "i"
	}
	if n := len(w); n > least && w[n-1] == w[n-2] {
		w = w[:n-1]
	}
	return w
}

func isPlainWord(w string) bool {
	for i := range len(w) {
		if !isLetter(w[i]) {
			return false
		}
	}
	return true
}
