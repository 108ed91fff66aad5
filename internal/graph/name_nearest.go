package graph

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// slipsPer is how many characters of a name allow for one slip of the
	// keyboard: two in socket.failure are likely, two in cli are another word.
	slipsPer = 4
	// minShared is the length from which a part that two names share says
	// something: parts like "is" or "db" are everywhere.
	minShared = 3
	// begins is the score of a name that goes on where another ends: less than
	// a slip or a part that says something, more than nothing.
	begins = 0.1
	// overshoot is how many more than asked for are kept before they are
	// sorted, so that keeping them costs little.
	overshoot = 64
)

// NearName is a name like another, and how much: from 0, not at all, to 2, the
// same.
type NearName struct {
	Name  string
	Score float64
}

// Nearest returns up to n of the candidates that someone who wrote name may
// have meant, best first: those a few slips away, those that share parts with
// it, and those that go on where it ends. It looks at each candidate once and
// compares letter by letter only where the letters at hand allow for a likeness.
func Nearest(name string, candidates iter.Seq[string], n int) []NearName {
	key := Key(name)
	if key == "" || n <= 0 || len(key) > 2*MaxName*utf8.UTFMax {
		return nil
	}
	w := newNearness(key)
	var best []NearName
	for c := range candidates {
		if s := w.score(Key(c)); s > 0 {
			best = append(best, NearName{c, s})
		}
		if len(best) >= n+overshoot {
			best = firstNames(best, n)
		}
	}
	return firstNames(best, n)
}

// firstNames sorts and cuts. Equal scores go by name, so that the answer does
// not depend on the order of the candidates.
func firstNames(all []NearName, n int) []NearName {
	slices.SortFunc(all, func(a, b NearName) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Name, b.Name))
	})
	all = slices.CompactFunc(all, func(a, b NearName) bool { return a.Name == b.Name })
	return all[:min(n, len(all))]
}

// nearness measures how near keys are to one key.
type nearness struct {
	key      string
	runes    []rune
	segments []string
	letters  uint64
	slips    int
	row      []int
	other    []rune
}

func newNearness(key string) *nearness {
	w := &nearness{key: key, runes: []rune(key), segments: strings.Split(key, "."), letters: letterSet(key)}
	w.slips = max(1, len(w.runes)/slipsPer)
	return w
}

// score is between 0, not alike, and 2, the same key.
func (w *nearness) score(key string) float64 {
	shared := w.shared(key)
	near := 0.0
	// a slip changes at most two of the letters that occur
	if bits.OnesCount64(w.letters^letterSet(key)) <= 2*w.slips {
		w.other = append(w.other[:0], []rune(key)...)
		if d := w.distance(); d <= w.slips {
			near = 1 - float64(d)/float64(max(len(w.runes), len(w.other), 1))
		}
	}
	if near == 0 && shared == 0 && len(key) > len(w.key) && key[len(w.key)] == '.' && strings.HasPrefix(key, w.key) {
		return begins // too short a part to be shared, but nothing else comes before it
	}
	return near + shared
}

// shared is the part of the segments, by length, that two keys have in
// common.
func (w *nearness) shared(key string) float64 {
	common := 0
	for _, s := range w.segments {
		if len(s) >= minShared && hasSegment(key, s) {
			common += len(s)
		}
	}
	return float64(common) / float64(max(len(key), len(w.key), 1))
}

// hasSegment reports whether s is one of the parts of key.
func hasSegment(key, s string) bool {
	for from := 0; ; {
		i := strings.Index(key[from:], s)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(s)
		if (start == 0 || key[start-1] == '.') && (end == len(key) || key[end] == '.') {
			return true
		}
		from = end
	}
}

// distance counts the insertions, deletions, replacements and swaps of
// neighbours between the two keys, and gives up above the limit. What is further from the diagonal than
// the limit cannot be on the way, so it is not looked at.
func (w *nearness) distance() int {
	a, b := w.runes, w.other
	if diff := len(a) - len(b); diff > w.slips || -diff > w.slips {
		return w.slips + 1
	}
	if swapped(a, b) {
		return 1
	}
	w.row = w.row[:0]
	for j := range len(b) + 1 {
		w.row = append(w.row, j)
	}
	for i, x := range a {
		least := i + 1
		from, to := max(0, i-w.slips), min(len(b), i+w.slips+1)
		diagonal := w.row[from]
		w.row[from] = i + 1
		for j := from; j < to; j++ {
			d := diagonal
			if x != b[j] {
				d = 1 + min(diagonal, w.row[j], w.row[j+1])
			}
			diagonal, w.row[j+1] = w.row[j+1], d
			least = min(least, d)
		}
		if least > w.slips {
			return least
		}
	}
	return w.row[len(b)]
}

// swapped reports whether two keys differ in two neighbours that changed places,
// and nothing else: in a short name that is one slip, and no other word.
func swapped(a, b []rune) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:])
}

// SpeltAlike says how alike two names are spelt, from 0 to 1: the share of pairs
// of neighbouring letters that they have in common.
func SpeltAlike(a, b string) float64 {
	pairs := func(key string) map[[2]rune]int {
		out := map[[2]rune]int{}
		runes := []rune(key)
		for i := 1; i < len(runes); i++ {
			out[[2]rune{runes[i-1], runes[i]}]++
		}
		return out
	}
	x, y := pairs(Key(a)), pairs(Key(b))
	common, all := 0, 0
	for p, n := range x {
		common += min(n, y[p])
		all += n
	}
	for _, n := range y {
		all += n
	}
	return 2 * float64(common) / float64(max(1, all))
}

// letterSet has a bit for each kind of character in a key.
func letterSet(key string) uint64 {
	var set uint64
	for _, r := range key {
		set |= 1 << (uint32(r) % 64)
	}
	return set
}
