package recall

import (
	"context"

	"chitta/internal/vector"
)

// SourceVector is evidence by meaning.
const SourceVector = "vector"

// Encoder turns a query into a vector.
type Encoder interface {
	Query(ctx context.Context, text string) ([]float32, error)
}

// Semantic proposes what means something similar, by the cosine of vectors.
type Semantic struct {
	// Ready returns the index and the encoder, or why there are none at the
	// moment.
	Ready func() (*vector.Index, Encoder, error)
}

// Name returns the stage's name, which is also its evidence's source.
func (Semantic) Name() string { return SourceVector }

// minCosine is the similarity below which two texts have nothing to do with
// each other: with the built-in model unrelated sentences lie around 0.05 and
// nearly all of them below 0.25. Without it, every question would find
// something.
const minCosine = 0.25

// Find searches the vector index.
func (s Semantic) Find(ctx context.Context, q *Query) ([]Found, error) {
	index, encoder, err := s.Ready()
	if err != nil {
		return nil, err
	}
	v, err := encoder.Query(ctx, q.Text)
	if err != nil {
		return nil, err
	}
	q.Vector = v
	hits, err := index.Search(ctx, vector.Query{Vector: v, K: max(candidatesPerFinder, 2*q.Limit), Filter: vectorFilter(q)})
	if err != nil {
		return nil, err
	}
	var found []Found
	for _, h := range hits {
		if h.Score >= minCosine {
			found = append(found, Found{Seq: int64(h.ID), Score: float64(h.Score)})
		}
	}
	return found, nil
}

func vectorFilter(q *Query) vector.Filter {
	f := indexFilter(q)
	return vector.Filter{All: f.All, None: f.None, After: f.After, Before: f.Before, IDs: f.IDs}
}
