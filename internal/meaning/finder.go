package meaning

import (
	"context"
	"fmt"

	"chitta/internal/recall"
	"chitta/internal/store"
	"chitta/internal/vector"
)

// Finder finds by meaning in one feed. When the model that should answer
// fails, the next one is asked.
type Finder struct {
	library *Library
	owner   store.Owner
}

// Finder returns what finds in the feed of an owner.
func (s *Library) Finder(owner store.Owner) Finder { return Finder{s, owner} }

// Name returns the stage's name, which is also its evidence's source.
func (Finder) Name() string { return recall.SourceVector }

// Find searches the vectors. What it found may come with an error that says
// that this is only a part of what there is.
func (f Finder) Find(ctx context.Context, q *recall.Query) (found []recall.Found, err error) {
	err = f.With(ctx, func(index *vector.Index, encoder recall.Encoder) (err error) {
		found, err = recall.Semantic{Ready: func() (*vector.Index, recall.Encoder, error) { return index, encoder, nil }}.Find(ctx, q)
		return err
	})
	return found, err
}

// With lets a search use the vectors of the model that should answer, and of
// the next one if that fails. The error may say that what was searched is only
// a part of what there is.
func (f Finder) With(ctx context.Context, use func(*vector.Index, recall.Encoder) error) error {
	tried := map[*generation]bool{}
	var failure error
	for {
		g, index, encoder, err := f.library.next(f.owner, tried)
		if err != nil {
			if failure != nil {
				err = failure
			}
			return err
		}
		if err = use(index, encoder); err == nil {
			return g.part(f.owner, failure)
		}
		if ctx.Err() != nil {
			return err
		}
		tried[g], failure = true, err
	}
}

// Similar returns the cosine of a query, embedded by Find, with an item.
func (f Finder) Similar(q *recall.Query, seq int64) (float64, bool) {
	tried := map[*generation]bool{}
	for {
		g, index, encoder, err := f.library.next(f.owner, tried)
		if err != nil {
			return 0, false
		}
		s := recall.Semantic{Ready: func() (*vector.Index, recall.Encoder, error) { return index, encoder, nil }}
		if cosine, ok := s.Similar(q, seq); ok {
			return cosine, true
		}
		tried[g] = true
	}
}

// partError says that not everything can be found by meaning yet.
type partError struct {
	have, all int
	failure   error // of the model that knows more
}

func (e *partError) Error() string {
	s := fmt.Sprintf("%d of %d texts can be found by meaning so far", e.have, e.all)
	if e.failure != nil {
		s += fmt.Sprintf("; the former model fails: %v", e.failure)
	}
	return s
}

func (e *partError) Unwrap() error { return e.failure }

// part returns what is missing in a feed that was never embedded as a whole,
// or nil.
func (g *generation) part(owner store.Owner, failure error) error {
	have, all := g.found(owner)
	if g.complete.Load() || have == all {
		return nil
	}
	return &partError{have, all, failure}
}
