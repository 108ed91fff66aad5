package recall

import (
	"context"
	"fmt"
	"sync"

	"chitta/internal/keyword"
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
	// Past returns the cosines of the query with the texts of the past it has;
	// nil if they cannot be compared.
	Past func(ctx context.Context, q *Query) (map[int64]float64, error)
}

// minCosine is the similarity below which a memory has nothing to do with a
// question: with the built-in model unrelated sentences lie around 0.05 and
// nearly all of them below 0.2. Without it, every question would find
// something.
const minCosine = 0.2

// Find searches the vector index.
func (s Semantic) Find(ctx context.Context, q *Query) ([]Found, error) {
	index, encoder, err := s.Ready()
	if err != nil {
		return nil, err
	}
	v, err := q.vectors.of(ctx, encoder, q.Text)
	if err != nil {
		return nil, err
	}
	hits, err := index.Search(ctx, vector.Query{Vector: v, K: max(candidatesPerFinder, 2*q.Limit), Filter: vectorFilter(q)})
	if err != nil {
		return nil, err
	}
	found, low := []Found{}, []int64(nil)
	for _, h := range hits {
		if h.Score >= minCosine {
			found = append(found, Found{Seq: int64(h.ID), Score: float64(h.Score)})
		} else {
			low = append(low, int64(h.ID))
		}
	}
	q.asides.note(Bar{Stage: TargetMemories, Measure: "cosine", Least: minCosine, Unless: "it has a word in common"},
		fmt.Sprintf("memories below a cosine of %.2f", minCosine), low)
	if s.Past == nil || len(q.Past) == 0 {
		return found, nil
	}
	cosines, err := s.Past(ctx, q)
	return q.withPast(found, q.PastByMeaning(cosines)), err
}

// Similar returns the cosine of a query, already embedded, with an item that
// has a vector.
func (s Semantic) Similar(q *Query, seq int64) (float64, bool) {
	index, encoder, err := s.Ready()
	if err != nil {
		return 0, false
	}
	asked := q.vectors.known(encoder, q.Text)
	v, ok := index.Vector(uint64(seq))
	if !ok || len(v) != len(asked) {
		return 0, false
	}
	return float64(vector.Dot(v, asked)), true
}

func vectorFilter(q *Query) vector.Filter {
	return vectorFilterOf(indexFilter(q))
}

func vectorFilterOf(f keyword.Filter) vector.Filter {
	return vector.Filter{All: f.All, None: f.None, After: f.After, Before: f.Before, IDs: f.IDs}
}

// vectorMemo keeps the vectors of a query's wordings, so that targets which
// run side by side embed each only once. Vectors of different encoders have
// nothing to do with each other, and one may take over from another between
// two stages.
type vectorMemo struct {
	mu   sync.Mutex
	made map[wording][]float32
}

// wording is a text and who embeds it.
type wording struct {
	encoder Encoder
	text    string
}

func (m *vectorMemo) of(ctx context.Context, e Encoder, text string) ([]float32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := wording{e, text}
	if v, ok := m.made[key]; ok {
		return v, nil
	}
	v, err := e.Query(ctx, text)
	if err != nil {
		return nil, err
	}
	if m.made == nil {
		m.made = map[wording][]float32{}
	}
	m.made[key] = v
	return v, nil
}

func (m *vectorMemo) known(e Encoder, text string) []float32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.made[wording{e, text}]
}
