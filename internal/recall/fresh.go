package recall

import (
	"context"
	"slices"

	"chitta/internal/store"
)

// Freshness is how a memory stands against the code that it names.
type Freshness struct {
	State string // "" if it names none
	Stale bool
	Note  string
}

// Fresh holds memories against the code they name and lowers those whose code
// changed: what they say may have become wrong.
type Fresh struct {
	// Check looks at memories, by their rows.
	Check func(ctx context.Context, q *Query, memories []store.Record) (map[int64]Freshness, error)
}

const (
	// SourceFreshness is what a memory gives up when its code changed.
	SourceFreshness = "freshness"
	// StaleShare is what the relevance of a memory counts whose code changed. A
	// fresh one that answers nearly as well goes first; one that answers much
	// better is still the better answer, with its label, as most changes of a
	// function leave true what was said of it.
	StaleShare = 0.75
	// checkedFor is how many memories are looked at for each that there is room
	// for: those that may still come into the answer when others are lowered.
	checkedFor = 2
)

// Name returns the stage's name.
func (Fresh) Name() string { return "fresh" }

// Refine lowers what is stale. The order of all others stays as it is. An answer
// as of an earlier time is left alone: the code of then is not there.
func (f Fresh) Refine(ctx context.Context, q *Query, a *Answer) error {
	if f.Check == nil || !q.AsOf.IsZero() {
		return nil
	}
	most := checkedFor * max(q.Limit, 1)
	var memories []store.Record
	for i := range a.Candidates {
		if r := a.Candidates[i].Memory; r != nil && len(memories) < most {
			memories = append(memories, *r)
		}
	}
	if len(memories) == 0 {
		return nil
	}
	states, err := f.Check(ctx, q, memories)
	if err != nil {
		return err
	}
	lowered := false
	for i := range a.Candidates {
		c := &a.Candidates[i]
		if c.Memory == nil {
			continue
		}
		if c.Fresh = states[c.Memory.Seq]; c.Fresh.Stale {
			lower := StaleShare * c.Score
			c.Evidence = append(c.Evidence, Evidence{Source: SourceFreshness, Score: StaleShare, Weighted: lower - c.Score, Detail: c.Fresh.Note})
			c.Score, lowered = lower, true
		}
	}
	if lowered {
		slices.SortStableFunc(a.Candidates, byScore)
	}
	return nil
}
