package recall

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"chitta/internal/store"
)

// TargetMemories is the name of the target that recalls memories.
const TargetMemories = "memories"

// Memories recalls memories: finders propose them, refiners make one relevance
// of what the finders said.
type Memories struct {
	Finders  []Finder
	Refiners []Refiner
	Load     func(ctx context.Context, q *Query, seqs []int64) (map[int64]store.Record, error)
	Fallback Finder // asked when no finder could answer
	Echo     Finder // asked beside them; it alone is no answer
}

// Name returns the target's name.
func (Memories) Name() string { return TargetMemories }

// Recall finds, joins and weighs memories.
func (m Memories) Recall(ctx context.Context, q *Query) (*Answer, error) {
	a := &Answer{}
	lists, names, err := m.find(ctx, q, a)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if err := m.join(ctx, q, lists, names, a); err != nil {
		return nil, err
	}
	q.asides.tell(a)
	a.Stages = append(a.Stages, stageTime("load", start))
	if err := m.countOutside(ctx, q, a); err != nil {
		return nil, err
	}
	for _, r := range m.Refiners {
		start := time.Now()
		if err := r.Refine(ctx, q, a); err != nil {
			return nil, err
		}
		a.Stages = append(a.Stages, stageTime(r.Name(), start))
	}
	return a, nil
}

// find runs all finders side by side. One that fails is noted, not fatal: the
// others' answer is better than none.
func (m Memories) find(ctx context.Context, q *Query, a *Answer) ([][]Found, []string, error) {
	lists := make([][]Found, len(m.Finders))
	errs := make([]error, len(m.Finders))
	times := make([]StageTime, len(m.Finders))
	var group errgroup.Group
	for i, f := range m.Finders {
		group.Go(func() error {
			start := time.Now()
			lists[i], errs[i] = f.Find(ctx, q)
			times[i] = stageTime(f.Name(), start)
			return nil
		})
	}
	var echoes []Found
	var deaf error
	var heard StageTime
	if m.Echo != nil {
		group.Go(func() error {
			start := time.Now()
			echoes, deaf = m.Echo.Find(ctx, q)
			heard = stageTime(m.Echo.Name(), start)
			return nil
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	a.Stages = times
	names := make([]string, 0, len(m.Finders)+1)
	failed := 0
	for i, f := range m.Finders {
		names = append(names, f.Name())
		if errs[i] != nil {
			failed++
			a.blame(f.Name(), errs[i])
		}
	}
	if failed == len(m.Finders) && m.Fallback != nil {
		start := time.Now()
		found, err := m.Fallback.Find(ctx, q)
		if err != nil {
			return nil, nil, err
		}
		a.Stages = append(a.Stages, stageTime(m.Fallback.Name(), start))
		lists, names = append(lists, found), append(names, m.Fallback.Name())
	}
	if deaf != nil {
		a.blame(m.Echo.Name(), deaf)
	}
	if len(echoes) > 0 {
		lists, names = append(lists, echoes), append(names, m.Echo.Name())
		a.Stages = append(a.Stages, heard)
	}
	return lists, names, nil
}

// join loads the proposed memories and puts each finder's evidence on them.
func (m Memories) join(ctx context.Context, q *Query, lists [][]Found, names []string, a *Answer) error {
	at := map[int64]int{}
	var seqs []int64
	for _, list := range lists {
		for _, f := range list {
			if _, ok := at[f.Seq]; !ok {
				at[f.Seq] = len(seqs)
				seqs = append(seqs, f.Seq)
			}
		}
	}
	records, err := m.Load(ctx, q, seqs)
	if err != nil {
		return err
	}
	candidates := make([]Candidate, len(seqs))
	for seq, i := range at {
		if r, ok := records[seq]; ok {
			candidates[i] = Candidate{Memory: &r, ID: r.ID, Text: r.Content, Created: r.Created}
		}
	}
	for l, list := range lists {
		for _, f := range list {
			c := &candidates[at[f.Seq]]
			c.Evidence = append(c.Evidence, Evidence{Source: names[l], Score: f.Score, Detail: f.Detail})
		}
	}
	// An index may be a moment behind the store: what it proposes is held
	// against the query once more, as the memory is now.
	a.Candidates = slices.DeleteFunc(candidates, func(c Candidate) bool {
		why := heldGone
		if c.Memory != nil {
			why = q.refuses(c.Memory)
		}
		if why != "" {
			a.hold(why, 1)
		}
		return why != ""
	})
	a.Found = len(a.Candidates)
	return nil
}
