package recall

import (
	"context"
	"errors"
	"testing"
	"time"

	"chitta/internal/store"
)

// TestFreshLowersTheStale: only what is stale is lowered, and the order of the
// others stays.
func TestFreshLowersTheStale(t *testing.T) {
	candidates := func() *Answer {
		a := &Answer{}
		for seq, score := range []float64{0.9, 0.8, 0.7, 0.6, 0.5} {
			a.Candidates = append(a.Candidates, Candidate{Memory: &store.Record{Seq: int64(seq)}, ID: string(rune('a' + seq)), Score: score})
		}
		a.Candidates = append(a.Candidates, Candidate{Passage: &Passage{}, ID: "p", Score: 0.4})
		return a
	}
	for _, c := range []struct {
		name  string
		stale []int64
		query *Query
		want  string
	}{
		{"none", nil, &Query{Limit: 8}, "abcdep"},
		{"the first", []int64{0}, &Query{Limit: 8}, "bcadep"},
		{"several", []int64{0, 1}, &Query{Limit: 8}, "cabdep"},
		{"the last", []int64{4}, &Query{Limit: 8}, "abcdpe"},
		{"all", []int64{0, 1, 2, 3, 4}, &Query{Limit: 8}, "abcdpe"},
		{"beyond what may answer", []int64{4}, &Query{Limit: 1}, "abcdep"},
		{"as of another time", []int64{0}, &Query{Limit: 8, AsOf: time.Unix(1, 0)}, "abcdep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := Fresh{Check: func(_ context.Context, _ *Query, memories []store.Record) (map[int64]Freshness, error) {
				out := map[int64]Freshness{}
				for _, m := range memories {
					for _, s := range c.stale {
						if m.Seq == s {
							out[s] = Freshness{State: "stale", Stale: true, Note: "it changed"}
						}
					}
				}
				return out, nil
			}}
			a := candidates()
			if err := f.Refine(t.Context(), c.query, a); err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, x := range a.Candidates {
				got += x.ID
				if x.Fresh.Stale != (len(x.Evidence) == 1) {
					t.Errorf("%s: %+v", x.ID, x)
				}
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	broken := Fresh{Check: func(context.Context, *Query, []store.Record) (map[int64]Freshness, error) {
		return nil, errors.New("no")
	}}
	if err := broken.Refine(t.Context(), &Query{Limit: 1}, candidates()); err == nil {
		t.Error("an error is passed over")
	}
	if err := (Fresh{}).Refine(t.Context(), &Query{Limit: 1}, candidates()); err != nil {
		t.Error(err)
	}
}
