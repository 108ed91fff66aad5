package keyword

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMustIsConjunction compares what is found with all terms required against
// a plain look at every document, in segments, in the live part and across
// fields.
func TestMustIsConjunction(t *testing.T) {
	x, err := Open(t.TempDir(), Options{Fields: []Field{{Name: "a"}, {Name: "b"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	const docs = 1500
	has := make([]map[string][2]bool, docs+1)
	for from := 1; from <= docs; from += 300 {
		var b Batch
		for id := from; id < from+300; id++ {
			has[id] = map[string][2]bool{}
			d := Doc{ID: uint64(id), Role: fmt.Sprint("r", id%2), Text: []string{"", ""}, Labels: []string{fmt.Sprint("mod=", id%3)}}
			for w := range 5 {
				word := "q" + string(rune('f'+w))
				var in [2]bool
				for f := range in {
					if in[f] = rng.IntN(w+2) == 0; in[f] {
						d.Text[f] += word + " "
					}
				}
				has[id][word] = in
			}
			b.Put = append(b.Put, d)
		}
		b.Seq = uint64(from)
		if err := x.Apply(b); err != nil {
			t.Fatal(err)
		}
		if from < 1000 { // the rest stays in memory
			if err := x.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := x.Apply(Batch{Delete: []uint64{5, 6, 7, 1400}, Seq: docs}); err != nil {
		t.Fatal(err)
	}
	for _, dead := range []int{5, 6, 7, 1400} {
		has[dead] = nil
	}
	for _, must := range [][]string{{"qf"}, {"qf", "qj"}, {"qf", "qg", "qh"}, {"qx", "qf"}} {
		for _, fields := range [][]Field{nil, {{Name: "b", Weight: -1}}} {
			terms := []QueryTerm{{Term: "qi"}}
			for _, m := range must {
				terms = append(terms, QueryTerm{Term: m})
			}
			hits, err := x.Search(t.Context(), Query{Terms: terms, Must: must, K: docs, Fields: fields, Filter: Filter{All: [][]string{{"mod=1", "mod=2"}}}})
			if err != nil {
				t.Fatal(err)
			}
			var got, want []uint64
			for _, h := range hits {
				got = append(got, h.ID)
			}
			for id := 1; id <= docs; id++ {
				all := has[id] != nil && id%3 != 0
				for _, m := range must {
					all = all && (has[id][m][0] || fields == nil && has[id][m][1])
				}
				if all {
					want = append(want, uint64(id))
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%v in %v: %d found, want %d", must, fields, len(got), len(want))
			}
		}
	}
	ids, err := x.IDs(t.Context(), Filter{All: [][]string{{"mod=0"}}})
	if err != nil || len(ids) != docs/3-1 { // 6 is gone
		t.Errorf("%d documents, %v", len(ids), err)
	}
	if ids, err = x.IDs(t.Context(), Filter{}); err != nil || len(ids) != docs-4 {
		t.Errorf("%d documents, %v", len(ids), err)
	}
}
