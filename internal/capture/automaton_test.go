package capture

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// hit is a keyword and the offset of its end.
type hit struct{ keyword, end int }

// everyByte runs the automaton over every byte, without looking ahead.
func (a *automaton) everyByte(text string) (hits []hit) {
	s := uint32(0)
	for i := range len(text) {
		s = a.next[s&stateMask+uint32(a.class[text[i]])]
		for _, id := range a.hits[s&stateMask/a.stride] {
			hits = append(hits, hit{id, i + 1})
		}
	}
	return hits
}

// TestAutomatonSkips holds what is found by passing over most of a text against
// what is found by reading every byte, in the same order: windows are joined in
// it.
func TestAutomatonSkips(t *testing.T) {
	many := []string{"a"} // more classes of bytes than there are bits for the third
	for c := byte(0x80); c < 0xf0; c++ {
		many = append(many, "z"+string([]byte{c, c, c + 1}))
	}
	sets := map[string][]string{
		"short":         {"ab", "abc", "bca", "c", "cabcab"},
		"no short ones": {"abca", "bcabc", "aabb"},
		"many bytes":    many,
	}
	for _, r := range standardRules().rules {
		sets["standard"] = append(sets["standard"], r.keywords...)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for name, words := range sets {
		a := newAutomaton(words)
		for range 2000 {
			var text []byte
			for range rng.IntN(12) {
				w := words[rng.IntN(len(words))]
				switch from := rng.IntN(len(w)); rng.IntN(3) {
				case 0:
					text = append(text, w...)
				case 1:
					text = append(text, w[from:]...)
				default:
					text = append(text, w[:from]...)
				}
				if rng.IntN(4) == 0 {
					text = append(text, byte(rng.IntN(256)))
				}
			}
			var got []hit
			a.each(string(text), func(k, end int) { got = append(got, hit{k, end}) })
			if want := a.everyByte(string(text)); !slices.Equal(want, got) {
				t.Fatalf("%s: in %q found %v, want %v", name, text, got, want)
			}
		}
	}
}
