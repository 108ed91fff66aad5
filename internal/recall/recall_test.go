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

func loader(records map[int64]store.Record) func(context.Context, *Query, []int64) (map[int64]store.Record, error) {
	return func(_ context.Context, _ *Query, seqs []int64) (map[int64]store.Record, error) {
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
	p := Memories{
		Finders: []Finder{
			listFinder{name: "keyword", found: []Found{{Seq: 1, Score: 6}, {Seq: 2, Score: 5}, {Seq: 3, Score: 1}}},
			listFinder{name: SourceVector, found: []Found{{Seq: 2, Score: 0.9}, {Seq: 3, Score: 0.3}, {Seq: 9, Score: 1}}},
		},
		Refiners: []Refiner{Fuse{}, Weigh{}, Settle{}},
		Load:     loader(map[int64]store.Record{1: record(1, memory.Active, "one"), 2: record(2, memory.Active, "two"), 3: record(3, memory.Active, "three")}),
	}
	a, err := p.Recall(t.Context(), &Query{Text: "x", Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	// 9 is not in the store: an index may be ahead of it
	if got := ids(a); !slices.Equal(got, []string{"m_002", "m_001", "m_003"}) {
		t.Errorf("%v", got)
	}
	if n := len(a.Candidates[0].Evidence); n != 5 {
		t.Errorf("%d pieces of evidence: %+v", n, a.Candidates[0].Evidence)
	}
	if len(a.Stages) != 6 {
		t.Errorf("stages: %v", a.Stages)
	}
}

// TestFusion holds each way to fuse to a small case worked out by hand: one
// candidate both lists agree on, one each that only one of them likes.
func TestFusion(t *testing.T) {
	records := map[int64]store.Record{1: record(1, memory.Active, "both"), 2: record(2, memory.Active, "words"), 3: record(3, memory.Active, "meaning")}
	finders := []Finder{
		listFinder{name: SourceKeyword, found: []Found{{Seq: 2, Score: 6}, {Seq: 1, Score: 5}}},
		listFinder{name: SourceVector, found: []Found{{Seq: 3, Score: 0.6}, {Seq: 1, Score: 0.5}}},
	}
	for _, mode := range []Fusion{FuseZ, FuseRRF, FuseWeighted} {
		t.Run(string(mode), func(t *testing.T) {
			p := Memories{Finders: finders, Refiners: []Refiner{Fuse{Mode: mode}, Weigh{}}, Load: loader(records)}
			a, err := p.Recall(t.Context(), &Query{Text: "x"})
			if err != nil || len(a.Candidates) != 3 || a.Candidates[0].ID != "m_001" {
				t.Fatalf("%v %v", ids(a), err)
			}
			for _, c := range a.Candidates {
				if c.Score <= 0 || c.Score > 1 {
					t.Errorf("%s has score %v", c.ID, c.Score)
				}
			}
		})
	}
	// a weak match alone is still a weak match
	for score, relevant := range map[float64]bool{0.2: false, 9: true} {
		p := Memories{
			Finders:  []Finder{listFinder{name: SourceKeyword, found: []Found{{Seq: 2, Score: score}}}, listFinder{name: SourceVector, found: []Found{{Seq: 2, Score: score / 12}}}},
			Refiners: []Refiner{Fuse{}}, Load: loader(records),
		}
		a, err := p.Recall(t.Context(), &Query{Text: "x"})
		if err != nil || (a.Candidates[0].Score > 0.5) != relevant {
			t.Errorf("score %v alone becomes %v: %v", score, a.Candidates[0].Score, err)
		}
	}
	// what only words found is not taken for unrelated when its vector is known
	similar := func(_ *Query, seq int64) (float64, bool) { return 0.9, seq == 2 }
	p := Memories{Finders: finders, Refiners: []Refiner{Fuse{Similar: similar}, Weigh{}}, Load: loader(records)}
	a, err := p.Recall(t.Context(), &Query{Text: "x"})
	if err != nil || a.Candidates[0].ID != "m_002" {
		t.Errorf("%v %v", ids(a), err)
	}
}

func TestAFailingFinderIsNamedAndTheOthersAnswer(t *testing.T) {
	p := Memories{
		Finders: []Finder{
			listFinder{name: "broken", err: errors.New("no luck")},
			listFinder{name: "keyword", found: []Found{{Seq: 1, Score: 1}}},
		},
		Fallback: listFinder{name: "never asked", err: errors.New("asked")},
		Load:     loader(map[int64]store.Record{1: record(1, memory.Active, "one")}),
	}
	a, err := p.Recall(t.Context(), &Query{Text: "x"})
	if err != nil || len(a.Candidates) != 1 || len(a.Degraded) != 1 || !strings.Contains(a.Degraded[0], "broken: no luck") {
		t.Errorf("%+v %v", a, err)
	}
}

// TestAStaleIndexShowsNothingItShouldNot proposes memories that have changed
// since they were indexed.
func TestAStaleIndexShowsNothingItShouldNot(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	fits := func() store.Record {
		r := record(1, memory.Active, "fits")
		r.Realm, r.Visibility, r.Kind, r.Tags, r.Created = "p_here", memory.Private, memory.Wisdom, []string{"x"}, at
		return r
	}
	asked := func() *Query {
		return &Query{Text: "x", Realm: "p_here", States: []memory.Status{memory.Active}, Kinds: []memory.Kind{memory.Wisdom}, Tags: []string{"x"}, Since: at, Until: at.Add(time.Hour)}
	}
	tests := []struct {
		name   string
		change func(*store.Record, *Query)
		want   int
	}{
		{"unchanged", func(*store.Record, *Query) {}, 1},
		{"forgotten since", func(r *store.Record, _ *Query) { r.State = memory.Forgotten }, 0},
		{"rejected since", func(r *store.Record, _ *Query) { r.State = memory.Rejected }, 0},
		{"moved to another realm", func(r *store.Record, _ *Query) { r.Realm = "p_there" }, 0},
		{"moved, but global", func(r *store.Record, _ *Query) { r.Realm, r.Visibility = "p_there", memory.Global }, 1},
		{"moved and shared, not asked for", func(r *store.Record, _ *Query) { r.Realm, r.Visibility = "p_there", memory.Shared }, 0},
		{"moved and shared, asked for", func(r *store.Record, q *Query) {
			r.Realm, r.Visibility, q.Reach = "p_there", memory.Shared, store.ReachShared
		}, 1},
		{"moved and global, own realm only", func(r *store.Record, q *Query) {
			r.Realm, r.Visibility, q.Reach = "p_there", memory.Global, store.ReachOnly
		}, 0},
		{"of another kind", func(r *store.Record, _ *Query) { r.Kind = memory.Episode }, 0},
		{"without the tag", func(r *store.Record, _ *Query) { r.Tags = nil }, 0},
		{"older", func(r *store.Record, _ *Query) { r.Created = at.Add(-time.Second) }, 0},
		{"newer", func(r *store.Record, _ *Query) { r.Created = at.Add(time.Hour) }, 0},
		{"erased", func(r *store.Record, _ *Query) { r.Erased = at }, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, q := fits(), asked()
			tt.change(&r, q)
			p := Memories{Finders: []Finder{listFinder{name: SourceKeyword, found: []Found{{Seq: 1, Score: 1}}}}, Load: loader(map[int64]store.Record{1: r})}
			if a, err := p.Recall(t.Context(), q); err != nil || len(a.Candidates) != tt.want {
				t.Errorf("%d results, want %d: %v", len(a.Candidates), tt.want, err)
			}
		})
	}
}

func TestCancelledRecallStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := Memories{Finders: []Finder{listFinder{name: "keyword"}}, Load: loader(nil)}
	if _, err := p.Recall(ctx, &Query{Text: "x"}); !errors.Is(err, context.Canceled) {
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
		p := Memories{Finders: []Finder{listFinder{name: SourceKeyword, found: list}}, Refiners: []Refiner{Fuse{}, Weigh{}}, Load: loader(records)}
		a, err := (&Pipeline{Targets: []Target{p}, Refiners: []Refiner{Settle{}}}).Run(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		tokens := 0
		for i, c := range a.Candidates {
			tokens += EstimateTokens(c.Text)
			if i == 0 {
				continue
			}
			prev := a.Candidates[i-1]
			if standing(prev) > standing(c) {
				t.Fatalf("%s (%s) above %s (%s)", prev.ID, prev.Memory.State, c.ID, c.Memory.State)
			}
			if standing(prev) == standing(c) && prev.Score < c.Score {
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
