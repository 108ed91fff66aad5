package vector

import (
	"context"
	"fmt"
	"slices"
	"time"
)

const (
	// BenchQueries is how many queries [Bench] takes beyond the stored vectors.
	BenchQueries = 100
	benchBatch   = 500 // items per Apply
	benchK       = 10
	benchDeepK   = 300 // candidates for fusion with other lists
	benchKept    = 100 // the filter keeps one item in so many
	benchExact   = 20  // queries for the exact scan, which is slow
	benchSeed    = 1
	benchLabel   = "kept"
)

// BenchResult is what Bench measured.
type BenchResult struct {
	N                   int          `json:"n"`
	Dims                int          `json:"dims"`
	Kernel              string       `json:"kernel"`
	ItemsPerCPUSecond   float64      `json:"items_per_cpu_second"`
	ItemsPerWallSecond  float64      `json:"items_per_wall_second"`
	Bytes               int          `json:"bytes"`
	BytesPerItem        float64      `json:"bytes_per_item"`
	CodeBytes           int          `json:"code_bytes"`
	VectorBytes         int          `json:"vector_bytes"`
	Moves               int          `json:"moves"`               // of the centre
	ExactCPUMillis      float64      `json:"exact_cpu_ms"`        // per query, scanning all vectors
	ExactRecall         float64      `json:"exact_recall"`        // at 10, of that scan: what half precision costs
	SinglePrecisionSize int          `json:"single_vector_bytes"` // what the vectors would take in single precision
	Classes             []BenchClass `json:"classes"`
}

// BenchClass is one kind of query.
type BenchClass struct {
	Name       string  `json:"name"`
	K          int     `json:"k"`
	Oversample int     `json:"oversample"` // zero is the default
	Queries    int     `json:"queries"`
	P50Millis  float64 `json:"p50_ms"`
	P99Millis  float64 `json:"p99_ms"`
	CPUMillis  float64 `json:"cpu_ms_per_query"`
	Recall     float64 `json:"recall"`  // at K, against an exact scan of the single-precision vectors
	Speedup    float64 `json:"speedup"` // CPU time of the exact scan over that taken
}

// Bench builds an index of n vectors and measures building it, searching it and
// how much of the true result it finds. vectors returns vector i; 0 … n-1 are
// stored, the hundred after them are the queries. Nil stands for a synthetic
// mixture. progress, if not nil, is called now and then while building.
func Bench(ctx context.Context, n, dims int, vectors func(i int) []float32, progress func(done, total int)) (BenchResult, error) {
	if n <= 0 {
		return BenchResult{}, fmt.Errorf("benchmark of %d vectors", n)
	}
	x, err := New(Options{Dims: dims, Seed: benchSeed})
	if err != nil {
		return BenchResult{}, err
	}
	if vectors == nil {
		vectors = newMixture(n, dims, benchSeed).vector
	}
	b := &bench{x: x, vectors: vectors, res: BenchResult{N: n, Dims: dims, Kernel: kernelName(), SinglePrecisionSize: 4 * n * dims}}
	for i := range BenchQueries {
		b.queries = append(b.queries, vectors(n+i))
		b.all = append(b.all, topK{k: benchDeepK})
		b.kept = append(b.kept, topK{k: benchK})
	}
	if err := b.build(ctx, progress); err != nil {
		return b.res, err
	}
	for i := range BenchQueries {
		b.all[i].sorted()
		b.kept[i].sorted()
	}
	err = b.search(ctx)
	return b.res, err
}

type bench struct {
	x         *Index
	vectors   func(i int) []float32
	queries   [][]float32
	all, kept []topK // the true results by query, without and with the filter
	res       BenchResult
}

// build feeds the vectors and finds the true results on the way. Only feeding
// counts.
func (b *bench) build(ctx context.Context, progress func(done, total int)) error {
	var cpu, wall time.Duration
	var items []Item
	for done := 0; done < b.res.N; {
		if err := ctx.Err(); err != nil {
			return err
		}
		items = items[:0]
		for len(items) < benchBatch && done < b.res.N {
			item := Item{ID: uint64(done), Vector: b.vectors(done), Time: int64(done)}
			if done%benchKept == 0 {
				item.Labels = []string{benchLabel}
			}
			items = append(items, item)
			done++
		}
		if err := b.look(items); err != nil {
			return err
		}
		c, w := cpuTime(), time.Now()
		if err := b.x.Apply(items, nil); err != nil {
			return err
		}
		cpu += cpuTime() - c
		wall += time.Since(w)
		if progress != nil {
			progress(done, b.res.N)
		}
	}
	st := b.x.Stats()
	b.res.ItemsPerCPUSecond = float64(b.res.N) / max(cpu.Seconds(), 1e-9)
	b.res.ItemsPerWallSecond = float64(b.res.N) / max(wall.Seconds(), 1e-9)
	b.res.Bytes, b.res.CodeBytes, b.res.VectorBytes, b.res.Moves = st.Bytes, st.CodeBytes, st.VectorBytes, st.Moves
	b.res.BytesPerItem = float64(st.Bytes) / float64(b.res.N)
	return nil
}

// look compares vectors with all queries.
func (b *bench) look(items []Item) error {
	for i := range items {
		item := &items[i]
		length, err := norm(item.Vector, b.res.Dims)
		if err != nil {
			return fmt.Errorf("benchmark vector %d: %w", item.ID, err)
		}
		for q, v := range b.queries {
			c := candidate{score: Dot(v, item.Vector) / float32(length), id: item.ID}
			b.all[q].push(c)
			if len(item.Labels) > 0 {
				b.kept[q].push(c)
			}
		}
	}
	return nil
}

func (b *bench) search(ctx context.Context) error {
	exact, err := b.class(ctx, BenchClass{Name: "exact", K: benchK, Queries: benchExact}, Query{Exact: true}, b.all)
	if err != nil {
		return err
	}
	b.res.ExactCPUMillis, b.res.ExactRecall = exact.CPUMillis, exact.Recall
	kept := Filter{All: [][]string{{benchLabel}}}
	for _, c := range []struct {
		BenchClass
		query Query
		truth []topK
	}{
		{BenchClass{Name: "default", K: benchK}, Query{}, b.all},
		{BenchClass{Name: "oversample 100", K: benchK, Oversample: 100}, Query{}, b.all},
		{BenchClass{Name: "oversample 300", K: benchK, Oversample: 300}, Query{}, b.all},
		{BenchClass{Name: "oversample 1000", K: benchK, Oversample: 1000}, Query{}, b.all},
		{BenchClass{Name: "deep", K: benchDeepK}, Query{}, b.all},
		{BenchClass{Name: "filtered", K: benchK}, Query{Filter: kept}, b.kept},
	} {
		c.Queries = BenchQueries
		got, err := b.class(ctx, c.BenchClass, c.query, c.truth)
		if err != nil {
			return err
		}
		got.Speedup = b.res.ExactCPUMillis / max(got.CPUMillis, 1e-9)
		b.res.Classes = append(b.res.Classes, got)
	}
	return nil
}

// class runs the queries once to warm up and once to measure.
func (b *bench) class(ctx context.Context, c BenchClass, q Query, truth []topK) (BenchClass, error) {
	q.K, q.Oversample = c.K, c.Oversample
	var cpu time.Duration
	var took []float64
	found, wanted := 0, 0
	for round := range 2 {
		start := cpuTime()
		for i := range c.Queries {
			q.Vector = b.queries[i]
			began := time.Now()
			hits, err := b.x.Search(ctx, q)
			if err != nil {
				return c, err
			}
			if round == 0 {
				continue
			}
			took = append(took, millis(time.Since(began)))
			want := truth[i].heap[:min(c.K, len(truth[i].heap))]
			wanted += len(want)
			for _, h := range hits {
				if slices.ContainsFunc(want, func(t candidate) bool { return t.id == h.ID }) {
					found++
				}
			}
		}
		cpu = cpuTime() - start
	}
	slices.Sort(took)
	c.P50Millis, c.P99Millis = took[len(took)/2], took[len(took)*99/100]
	c.CPUMillis = millis(cpu) / float64(c.Queries)
	c.Recall = float64(found) / float64(max(wanted, 1))
	return c, nil
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
