package meaning

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"chitta/internal/embed"
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
		found, err = recall.Semantic{
			Ready: func() (*vector.Index, recall.Encoder, error) { return index, encoder, nil },
			Past:  func(ctx context.Context, q *recall.Query) (map[int64]float64, error) { return past(ctx, q, encoder) },
		}.Find(ctx, q)
		return err
	})
	return found, err
}

// pastTexts is how many texts of the past are embedded for a question: those
// that share most words with it, then any, the newest first. They are kept for
// the next question.
const pastTexts = embedBatch

// past compares a question with texts of the past, for which there are no
// vectors.
func past(ctx context.Context, q *recall.Query, encoder recall.Encoder) (map[int64]float64, error) {
	e, ok := encoder.(*embed.Embedder)
	if !ok {
		return nil, nil
	}
	var seqs []int64
	for _, f := range q.PastByWords() {
		seqs = append(seqs, f.Seq)
	}
	newest := slices.Sorted(maps.Keys(q.Past))
	slices.Reverse(newest)
	for _, seq := range newest {
		if !slices.Contains(seqs, seq) {
			seqs = append(seqs, seq)
		}
	}
	seqs = seqs[:min(len(seqs), pastTexts)]
	texts := make([]string, len(seqs))
	for i, seq := range seqs {
		texts[i] = q.Past[seq]
	}
	asked, err := e.Query(ctx, q.Text)
	if err != nil {
		return nil, err
	}
	made, err := e.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("texts of the past: %w", err)
	}
	cosines := make(map[int64]float64, len(seqs))
	for i, seq := range seqs {
		cosines[seq] = float64(vector.Dot(made[i], asked))
	}
	return cosines, nil
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
			return g.part(ctx, f.owner, failure)
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
	what         string
	wanting, all int
	failure      error // of the model that knows more
}

func (e *partError) Error() string {
	s := fmt.Sprintf("%d of %d %s can be found by words only so far", e.wanting, e.all, e.what)
	if e.failure != nil {
		s += fmt.Sprintf("; the former model fails: %v", e.failure)
	}
	return s
}

func (e *partError) Unwrap() error { return e.failure }

// Is makes it an [ErrPart].
func (e *partError) Is(target error) bool { return target == ErrPart }

// ErrPart comes with what was found when that is only a part of what there is.
var ErrPart = errors.New("not everything can be found by meaning yet")

// whatOf says what the rows of an owner are to those who ask.
func whatOf(owner store.Owner) string {
	if owner == store.OwnerChunk {
		return "passages"
	}
	return "memories"
}

// part returns what of a feed cannot be found by meaning yet, or nil. Texts
// that the model refuses never can, and are not spoken of once all others are
// done.
func (g *generation) part(ctx context.Context, owner store.Owner, failure error) error {
	s := g.shelf(owner)
	unseen, err := s.unseen(ctx)
	if err != nil {
		return err
	}
	wanting, have := int(s.missing.Load())+unseen, s.index.Len()
	if wanting == 0 || g.complete.Load() && s.todo.Load() == 0 && unseen == 0 {
		return nil
	}
	return &partError{whatOf(owner), wanting, have + wanting, failure}
}
