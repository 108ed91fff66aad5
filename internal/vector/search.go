package vector

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"
)

const (
	defaultK = 10

	// parallelItems is the number of items to look at from which a search
	// uses two processors: more than a millisecond of work, against some ten
	// microseconds for handing half of it over.
	parallelItems = 1 << 18
)

// Query asks for the items most like a vector.
type Query struct {
	Vector     []float32 // of any length but zero
	K          int       // results wanted; default 10
	Filter     Filter
	Oversample int  // candidates scored exactly, at least K; default that of the index
	Exact      bool // score every item; slow, for comparisons
}

// Hit is an item found.
type Hit struct {
	ID    uint64
	Score float32 // cosine, -1 to 1
}

// Search returns the k most similar items, highest score first and lower ids
// first among equals. It sees the index as of one moment. Scores are those of
// the vectors as [Index.Vector] returns them.
func (x *Index) Search(ctx context.Context, q Query) ([]Hit, error) {
	hits, err := x.search(ctx, q, parallelItems)
	if err != nil {
		return nil, fmt.Errorf("searching vector index: %w", err)
	}
	return hits, nil
}

// search works on two processors from so many items on.
func (x *Index) search(ctx context.Context, q Query, parallel int) ([]Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	length, err := norm(q.Vector, x.opts.Dims)
	if err != nil {
		return nil, err
	}
	s := x.searchers.Get().(*searcher)
	defer x.searchers.Put(s)
	for i, f := range q.Vector {
		s.query[i] = float32(float64(f) / length)
	}
	x.rotation.apply(s.rotated, s.query, s.scratch)

	x.mu.RLock()
	defer x.mu.RUnlock()
	n := s.accept(&q.Filter)
	if n == 0 {
		return nil, nil
	}
	k := q.K
	if k <= 0 {
		k = defaultK
	}
	k = min(k, n)
	candidates := x.candidates(&q, k, n)
	s.exact = q.Exact || candidates >= n
	if s.exact {
		candidates = k
	}
	err = s.run(ctx, candidates, n >= parallel && runtime.GOMAXPROCS(0) > 1)
	if err != nil {
		return nil, err
	}
	if !s.exact {
		s.rescore(k)
	}
	return hits(s.parts[0].top.sorted()), nil
}

// candidates is how many are scored exactly for k results out of n items.
func (x *Index) candidates(q *Query, k, n int) int {
	if q.Oversample > 0 {
		return max(q.Oversample, k)
	}
	return max(x.opts.Oversample, n/oversampleShare, k*oversampleFactor)
}

func hits(found []candidate) []Hit {
	out := make([]Hit, len(found))
	for i, c := range found {
		out[i] = Hit{ID: c.id, Score: c.score}
	}
	return out
}

// searcher is what one search works in; it is used again by later ones.
type searcher struct {
	x        *Index
	query    []float32 // unit length, filled up to the stride with zeros
	rotated  []float32
	scratch  []float32
	exact    bool
	accepted []uint64
	any, one []uint64 // for filters
	parts    [2]scanner
}

func (x *Index) newSearcher() *searcher {
	s := &searcher{x: x, query: make([]float32, x.stride), rotated: make([]float32, x.rotation.size),
		scratch: make([]float32, x.rotation.size)}
	for i := range s.parts {
		s.parts[i] = scanner{searcher: s, lut: make([]byte, x.rows*lutBytes)}
	}
	return s
}

// run finds the k best by the codes, or by the vectors for an exact search, and
// leaves them with the first part. Two parts give what one gives, because the
// order of candidates is total.
func (s *searcher) run(ctx context.Context, k int, parallel bool) error {
	first, second := &s.parts[0], &s.parts[1]
	if !parallel {
		return first.run(ctx, 0, len(s.x.slabs), k)
	}
	half := len(s.x.slabs) / 2
	var wait sync.WaitGroup
	var other error
	wait.Go(func() { other = second.run(ctx, half, len(s.x.slabs), k) })
	err := first.run(ctx, 0, half, k)
	wait.Wait()
	for _, c := range second.top.heap {
		first.top.push(c)
	}
	first.list.items = append(first.list.items, second.list.items...)
	first.list.cut()
	return cmp.Or(err, other)
}

// rescore takes the k best of the candidates by their vectors.
func (s *searcher) rescore(k int) {
	part := &s.parts[0]
	part.top.reset(k)
	for _, c := range part.list.items {
		n, i := split(c.slot)
		c.score = s.score(s.x.slabs[n], i)
		part.top.push(c)
	}
}

// score is the cosine between the query and an item.
func (s *searcher) score(slab *slab, i int) float32 {
	return clamp(dotHalf(s.query, slab.half(i, s.x.stride)) * slab.scales[i])
}

// clamp keeps rounding from lifting a cosine above one: callers take it for
// what it is called.
func clamp(cosine float32) float32 { return min(1, max(-1, cosine)) }
