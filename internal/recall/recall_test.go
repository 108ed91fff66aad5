package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// listFinder proposes a fixed list.
type listFinder struct {
	name  string
	found []Found
	err   error
}

func (f listFinder) Name() string                                  { return f.name }
func (f listFinder) Find(context.Context, *Query) ([]Found, error) { return f.found, f.err }

func loader(records map[int64]store.Record) func(context.Context, []int64) (map[int64]store.Record, error) {
	return func(_ context.Context, seqs []int64) (map[int64]store.Record, error) {
		out := map[int64]store.Record{}
		for _, s := range seqs {
			if r, ok := records[s]; ok {
				out[s] = r
			}
		}
		return out, nil
	}
}

func record(seq int64, state memory.Status, content string) store.Record {
	r := store.Record{Seq: seq}
	r.ID, r.Content, r.State = fmt.Sprintf("m_%03d", seq), content, state
	r.Confidence, r.Trust = memory.NewConfidence(1), memory.TrustUser
	return r
}

func ids(a *Answer) []string {
	var out []string
	for _, c := range a.Candidates {
		out = append(out, c.ID)
	}
	return out
}

func TestEvidenceOfAllFindersIsJoined(t *testing.T) {
	p := Pipeline{
		Finders: []Finder{
			listFinder{name: "keyword", found: []Found{{Seq: 1, Score: 6}, {Seq: 2, Score: 3}}},
			listFinder{name: "other", found: []Found{{Seq: 2, Score: 0.9}, {Seq: 9, Score: 1}}},
		},
		Refiners: []Refiner{Weigh{}, Settle{}},
		Load:     loader(map[int64]store.Record{1: record(1, memory.Active, "one"), 2: record(2, memory.Active, "two")}),
	}
	a, err := p.Run(t.Context(), &Query{Text: "x", Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	// 9 is not in the store: an index may be ahead of it
	if got := ids(a); !slices.Equal(got, []string{"m_002", "m_001"}) {
		t.Errorf("%v", got)
	}
	if n := len(a.Candidates[0].Evidence); n != 4 {
		t.Errorf("%d pieces of evidence: %+v", n, a.Candidates[0].Evidence)
	}
	if len(a.Stages) != 4 {
		t.Errorf("stages: %v", a.Stages)
	}
}

func TestAFailingFinderIsNamedAndTheOthersAnswer(t *testing.T) {
	p := Pipeline{
		Finders: []Finder{
			listFinder{name: "broken", err: errors.New("no luck")},
			listFinder{name: "keyword", found: []Found{{Seq: 1, Score: 1}}},
		},
		Fallback: listFinder{name: "never asked", err: errors.New("asked")},
		Load:     loader(map[int64]store.Record{1: record(1, memory.Active, "one")}),
	}
	a, err := p.Run(t.Context(), &Query{Text: "x"})
	if err != nil || len(a.Candidates) != 1 || len(a.Degraded) != 1 || !strings.Contains(a.Degraded[0], "broken: no luck") {
		t.Errorf("%+v %v", a, err)
	}
}

func TestCancelledRecallStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := Pipeline{Finders: []Finder{listFinder{name: "keyword"}}, Load: loader(nil)}
	if _, err := p.Run(ctx, &Query{Text: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestSettleHolds is about every answer: in order, within its bounds, nothing
// corrected above what stands.
func TestSettleHolds(t *testing.T) {
	states := []memory.Status{memory.Active, memory.Superseded, memory.Rejected}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "n")
		records := map[int64]store.Record{}
		var list []Found
		for i := range int64(n) {
			r := record(i+1, rapid.SampledFrom(states).Draw(t, "state"), strings.Repeat("x", rapid.IntRange(1, 400).Draw(t, "length")))
			r.Confidence = memory.NewConfidence(rapid.Float64Range(0, 1).Draw(t, "confidence"))
			r.Trust = memory.Trust(rapid.SampledFrom(memory.Trusts()).Draw(t, "trust"))
			records[r.Seq] = r
			list = append(list, Found{Seq: r.Seq, Score: rapid.Float64Range(0, 30).Draw(t, "score")})
		}
		q := &Query{Text: "x", Limit: rapid.IntRange(0, 20).Draw(t, "limit"), Budget: rapid.IntRange(0, 600).Draw(t, "budget"), Now: time.Unix(0, 0)}
		p := Pipeline{Finders: []Finder{listFinder{name: SourceKeyword, found: list}}, Refiners: []Refiner{Weigh{}, Settle{}}, Load: loader(records)}
		a, err := p.Run(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		tokens := 0
		for i, c := range a.Candidates {
			tokens += EstimateTokens(c.Content)
			if i == 0 {
				continue
			}
			prev := a.Candidates[i-1]
			if standing(prev.State) > standing(c.State) {
				t.Fatalf("%s (%s) above %s (%s)", prev.ID, prev.State, c.ID, c.State)
			}
			if standing(prev.State) == standing(c.State) && prev.Score < c.Score {
				t.Fatalf("not in order: %v before %v", prev.Score, c.Score)
			}
		}
		if tokens != a.Tokens || q.Budget > 0 && tokens > q.Budget {
			t.Fatalf("%d tokens counted as %d for a budget of %d", tokens, a.Tokens, q.Budget)
		}
		if q.Limit > 0 && len(a.Candidates) > q.Limit {
			t.Fatalf("%d results for a limit of %d", len(a.Candidates), q.Limit)
		}
	})
}

func TestEstimateTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "four": 1, "fives": 2, "日本語": 1} {
		if got := EstimateTokens(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
