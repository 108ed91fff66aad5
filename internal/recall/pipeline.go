package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// Query is one question put to memory.
type Query struct {
	Text         string
	Realm        string      // the realm asked from; "" looks at every realm's global items
	Reach        store.Reach // what of other realms may answer
	Kinds        []memory.Kind
	Tags         []string // all of them
	States       []memory.Status
	Since, Until time.Time
	Limit        int // most results
	Budget       int // most tokens of text, 0 = no limit
	Now          time.Time

	Vector []float32 // of the text, set by the finder that made it
}

// admits reports whether a memory fits the query's conditions.
func (q *Query) admits(r *store.Record) bool {
	if r.ID == "" || !r.Erased.IsZero() {
		return false
	}
	if len(q.States) > 0 && !slices.Contains(q.States, r.State) || len(q.Kinds) > 0 && !slices.Contains(q.Kinds, r.Kind) {
		return false
	}
	for _, t := range q.Tags {
		if !slices.Contains(r.Tags, t) {
			return false
		}
	}
	if !q.Since.IsZero() && r.Created.Before(q.Since) || !q.Until.IsZero() && !r.Created.Before(q.Until) {
		return false
	}
	if q.Realm == "" || r.Realm == q.Realm {
		return true
	}
	switch q.Reach {
	case store.ReachOnly:
		return false
	case store.ReachShared:
		return r.Visibility != memory.Private
	default:
		return r.Visibility == memory.Global
	}
}

// Evidence is why a candidate is in the answer: who says so and how strongly.
type Evidence struct {
	Source   string  `json:"source"`           // vector, keyword, tag, confidence, trust, …
	Score    float64 `json:"score"`            // the source's own measure
	Weighted float64 `json:"weighted"`         // what it contributed to the final score
	Detail   string  `json:"detail,omitempty"` // e.g. the words that matched
}

// Candidate is a memory on its way into the answer.
type Candidate struct {
	store.Record
	Score     float64
	Evidence  []Evidence
	Shortened bool // its text was cut to fit the budget
}

// Suppressed is a candidate that was found and left out, and why.
type Suppressed struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// Found is what a finder proposes.
type Found struct {
	Seq    int64
	Score  float64 // higher is better; the scale is the finder's own
	Detail string
}

// Finder proposes candidates on its own. Finders run side by side.
type Finder interface {
	Name() string
	Find(ctx context.Context, q *Query) ([]Found, error)
}

// Refiner looks at all candidates together: it may add evidence, change
// scores and drop candidates.
type Refiner interface {
	Name() string
	Refine(ctx context.Context, q *Query, a *Answer) error
}

// StageTime is how long a stage took.
type StageTime struct {
	Stage string  `json:"stage"`
	Ms    float64 `json:"ms"`
}

// Answer is what a pipeline made of a query.
type Answer struct {
	Candidates []Candidate // best first
	Found      int         // distinct candidates before anything was left out
	Tokens     int         // estimated, of the candidates' text
	Suppressed []Suppressed
	Stages     []StageTime
	Degraded   []string // stages that could not take part, and why
	Off        []string // stages that are not in use, and why
}

// ErrOff marks the error of a finder that is not in use by choice or by
// build, rather than failing.
var ErrOff = errors.New("not in use")

// Pipeline is an ordered set of stages over one store.
type Pipeline struct {
	Finders  []Finder
	Refiners []Refiner
	Load     func(ctx context.Context, seqs []int64) (map[int64]store.Record, error)
	Fallback Finder // asked when no finder could answer
}

// Run answers a query.
func (p *Pipeline) Run(ctx context.Context, q *Query) (*Answer, error) {
	a := &Answer{}
	lists, names, err := p.find(ctx, q, a)
	if err != nil {
		return nil, err
	}
	if err := p.join(ctx, q, lists, names, a); err != nil {
		return nil, err
	}
	for _, r := range p.Refiners {
		start := time.Now()
		if err := r.Refine(ctx, q, a); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name(), err)
		}
		a.Stages = append(a.Stages, stageTime(r.Name(), start))
	}
	return a, nil
}

// find runs all finders side by side. One that fails is noted, not fatal: the
// others' answer is better than none.
func (p *Pipeline) find(ctx context.Context, q *Query, a *Answer) ([][]Found, []string, error) {
	lists := make([][]Found, len(p.Finders))
	errs := make([]error, len(p.Finders))
	times := make([]StageTime, len(p.Finders))
	var group errgroup.Group
	for i, f := range p.Finders {
		group.Go(func() error {
			start := time.Now()
			lists[i], errs[i] = f.Find(ctx, q)
			times[i] = stageTime(f.Name(), start)
			return nil
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	a.Stages = times
	names := make([]string, 0, len(p.Finders)+1)
	failed := 0
	for i, f := range p.Finders {
		names = append(names, f.Name())
		switch {
		case errors.Is(errs[i], ErrOff):
			failed++
			a.Off = append(a.Off, fmt.Sprintf("%s: %v", f.Name(), errs[i]))
		case errs[i] != nil:
			failed++
			a.Degraded = append(a.Degraded, fmt.Sprintf("%s: %v", f.Name(), errs[i]))
		}
	}
	if failed == len(p.Finders) && p.Fallback != nil {
		start := time.Now()
		found, err := p.Fallback.Find(ctx, q)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p.Fallback.Name(), err)
		}
		a.Stages = append(a.Stages, stageTime(p.Fallback.Name(), start))
		lists, names = append(lists, found), append(names, p.Fallback.Name())
	}
	return lists, names, nil
}

// join loads the proposed memories and puts each finder's evidence on them.
func (p *Pipeline) join(ctx context.Context, q *Query, lists [][]Found, names []string, a *Answer) error {
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
	records, err := p.Load(ctx, seqs)
	if err != nil {
		return err
	}
	candidates := make([]Candidate, len(seqs))
	for seq, i := range at {
		candidates[i].Record = records[seq]
	}
	for l, list := range lists {
		for _, f := range list {
			c := &candidates[at[f.Seq]]
			c.Evidence = append(c.Evidence, Evidence{Source: names[l], Score: f.Score, Detail: f.Detail})
		}
	}
	// An index may be a moment behind the store: what it proposes is held
	// against the query once more, as the memory is now.
	a.Candidates = slices.DeleteFunc(candidates, func(c Candidate) bool { return !q.admits(&c.Record) })
	a.Found = len(a.Candidates)
	return nil
}

func stageTime(name string, start time.Time) StageTime {
	return StageTime{Stage: name, Ms: float64(time.Since(start).Microseconds()) / 1000}
}

// byScore orders candidates best first; equals by age, newest first, then by
// id, so that the same question always gets the same answer.
func byScore(a, b Candidate) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
}
