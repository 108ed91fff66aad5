package recall

import (
	"testing"

	"chitta/internal/store"
)

// TestLevel: beside memories passages count less, alone as much as before.
func TestLevel(t *testing.T) {
	passage := Candidate{ID: "passage", Passage: &Passage{}, Score: 0.8}
	known := Candidate{ID: "memory", Memory: &store.Record{}, Score: 0.5}
	a := &Answer{Candidates: []Candidate{passage, known}}
	if err := (Level{}).Refine(t.Context(), &Query{}, a); err != nil {
		t.Fatal(err)
	}
	if a.Candidates[0].ID != "memory" || a.Candidates[0].Score != 0.5 {
		t.Errorf("%+v", a.Candidates)
	}
	sum := passage.Score
	for _, e := range a.Candidates[1].Evidence {
		sum += e.Weighted
	}
	if got := a.Candidates[1].Score; got != sum || got >= passage.Score {
		t.Errorf("score %v, its evidence adds up to %v", got, sum)
	}
	alone := &Answer{Candidates: []Candidate{passage}}
	if err := (Level{}).Refine(t.Context(), &Query{}, alone); err != nil || alone.Candidates[0].Score != passage.Score {
		t.Errorf("%+v %v", alone.Candidates, err)
	}
}
