package keyword

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestManyWindows: with far more documents than a window holds, words of every
// frequency, filters and deletions, the pruned search returns what scoring
// every match returns, bit by bit.
func TestManyWindows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	zipf := rand.NewZipf(rng, 1.1, 1, 3000)
	words := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "word%d ", zipf.Uint64())
		}
		return b.String()
	}
	x := open(t, t.TempDir(), Options{})
	const docs = 5 * windowDocs
	for _, part := range [][2]uint64{{0, docs}, {docs, docs + 700}, {docs + 700, docs + 900}} { // the last stays live
		if part[0] > 0 {
			mustFlush(t, x)
		}
		var b Batch
		for id := part[0]; id < part[1]; id++ {
			b.Put = append(b.Put, Doc{ID: id, Role: []string{"a", "b"}[rng.IntN(2)], Text: []string{words(1 + rng.IntN(60))},
				Labels: []string{fmt.Sprintf("realm=%d", rng.IntN(20))}, Time: int64(id)})
		}
		apply(t, x, b)
	}
	for id := uint64(0); id < docs; id += 1 + uint64(rng.IntN(40)) {
		apply(t, x, Batch{Delete: []uint64{id}})
	}
	filters := []Filter{{}, {All: [][]string{{"realm=3"}}}, {After: 1500, Before: 1600}, {None: []string{"realm=0"}, After: 3000}}
	spared := 0
	for n := range 300 {
		q := Query{Text: words(1 + rng.IntN(7)), K: []int{1, 10, 200, 2000}[n%4], Filter: filters[n/4%len(filters)]}
		got, counts, err := x.search(t.Context(), q)
		check(t, err)
		q.Exhaustive = true
		want, all, err := x.search(t.Context(), q)
		check(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%+v (-exhaustive +pruned):\n%s", q, diff)
		}
		if counts.scored*2 < all.scored {
			spared++
		}
	}
	if spared < 50 {
		t.Errorf("only %d of 300 searches scored less than half of the matches", spared)
	}
}
