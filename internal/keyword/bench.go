package keyword

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"time"
)

// The benchmark's corpus: documents the size of a chat turn over a vocabulary
// with the spread of natural language.
const (
	benchWords      = 80     // per document on average
	benchVocabulary = 50_000 // distinct words
	benchBatch      = 500    // documents per Apply
	benchQueries    = 200    // per class
	benchK          = 10
	benchDeepK      = 300 // candidates for fusion with other lists
	benchCommon     = 30  // ranks up to here are very common words
)

// BenchResult is what Bench measured.
type BenchResult struct {
	N                 int          `json:"n"`
	DocsPerCPUSecond  float64      `json:"docs_per_cpu_second"`  // analysis, flushes and merges included
	DocsPerWallSecond float64      `json:"docs_per_wall_second"` // of the same
	IndexBytes        uint64       `json:"index_bytes"`
	BytesPerDoc       float64      `json:"bytes_per_doc"`
	TextBytesPerDoc   float64      `json:"text_bytes_per_doc"`
	Segments          int          `json:"segments"`
	OpenMillis        float64      `json:"open_ms"` // opening the built index, checksums included
	Classes           []BenchClass `json:"classes"`
}

// BenchClass is one kind of query.
type BenchClass struct {
	Name             string  `json:"name"`
	Queries          int     `json:"queries"`
	P50Millis        float64 `json:"p50_ms"`
	P99Millis        float64 `json:"p99_ms"`
	CPUMillis        float64 `json:"cpu_ms_per_query"`
	ExhaustiveMillis float64 `json:"exhaustive_p50_ms"`
	Speedup          float64 `json:"speedup"`      // time of scoring everything over time taken
	ScoredShare      float64 `json:"scored_share"` // of the documents that match
}

// Bench builds an index of n documents in dir, which must be empty or missing,
// and measures building and searching. The same seed gives the same corpus and
// queries. progress, if not nil, is called now and then while building.
func Bench(ctx context.Context, dir string, n int, seed uint64, progress func(done, total int)) (BenchResult, error) {
	if n <= 0 {
		return BenchResult{}, fmt.Errorf("benchmark of %d documents", n)
	}
	res := BenchResult{N: n}
	g := newBenchCorpus(seed)
	x, err := Open(dir, Options{})
	if err != nil {
		return res, err
	}
	defer func() { _ = x.Close() }()
	if st := x.Stats(); st.Docs > 0 {
		return res, fmt.Errorf("benchmark directory %s already holds an index", dir)
	}
	if err := res.build(ctx, x, g, progress); err != nil {
		return res, err
	}
	if err := x.Close(); err != nil {
		return res, err
	}
	start := time.Now()
	if x, err = Open(dir, Options{}); err != nil {
		return res, err
	}
	res.OpenMillis = millis(time.Since(start))
	for _, class := range []struct {
		name string
		next func() Query
	}{
		{"natural", func() Query { return Query{Text: g.query(4, 2)} }},
		{"deep", func() Query { return Query{Text: g.query(4, 2), K: benchDeepK} }},
		{"rare", func() Query { return Query{Text: g.rare(2)} }},
		{"filtered", func() Query {
			return Query{Text: g.query(4, 2), Filter: Filter{All: [][]string{{fmt.Sprintf("realm=%d", g.rng.IntN(benchRealms))}}}}
		}},
	} {
		c, err := benchClass(ctx, x, class.name, class.next)
		if err != nil {
			return res, err
		}
		res.Classes = append(res.Classes, c)
	}
	return res, nil
}

// build feeds the documents. The time of making them up is taken out.
func (r *BenchResult) build(ctx context.Context, x *Index, g *benchCorpus, progress func(done, total int)) error {
	var cpu, wall time.Duration
	text := 0
	timed := func(f func() error) error {
		c, w := cpuTime(), time.Now()
		err := f()
		cpu += cpuTime() - c
		wall += time.Since(w)
		return err
	}
	for done := 0; done < r.N; {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := Batch{Seq: uint64(done)}
		for len(b.Put) < benchBatch && done < r.N {
			d := g.doc(uint64(done))
			text += len(d.Text[0])
			b.Put = append(b.Put, d)
			done++
		}
		segments := x.Stats().Segments
		err := timed(func() error {
			if err := x.Apply(b); err != nil {
				return err
			}
			if x.Stats().Segments != segments { // there was a flush
				return x.Maintain(ctx)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if progress != nil {
			progress(done, r.N)
		}
	}
	err := timed(func() error {
		if err := x.Flush(); err != nil {
			return err
		}
		return x.Maintain(ctx)
	})
	st := x.Stats()
	r.DocsPerCPUSecond = float64(r.N) / max(cpu.Seconds(), 1e-9)
	r.DocsPerWallSecond = float64(r.N) / max(wall.Seconds(), 1e-9)
	r.IndexBytes, r.Segments = st.DiskBytes, st.Segments
	r.BytesPerDoc = float64(st.DiskBytes) / float64(r.N)
	r.TextBytesPerDoc = float64(text) / float64(r.N)
	return err
}

func benchClass(ctx context.Context, x *Index, name string, next func() Query) (BenchClass, error) {
	c := BenchClass{Name: name, Queries: benchQueries}
	queries := make([]Query, benchQueries)
	for i := range queries {
		queries[i] = next()
		if queries[i].K == 0 {
			queries[i].K = benchK
		}
	}
	run := func(exhaustive bool) (took []float64, cpu time.Duration, scored uint64, err error) {
		start := cpuTime()
		for _, q := range queries {
			q.Exhaustive = exhaustive
			began := time.Now()
			_, counts, err := x.search(ctx, q)
			if err != nil {
				return nil, 0, 0, err
			}
			took = append(took, millis(time.Since(began)))
			scored += counts.scored
		}
		cpu = cpuTime() - start
		slices.Sort(took)
		return took, cpu, scored, nil
	}
	if _, _, _, err := run(false); err != nil { // warm up
		return c, err
	}
	took, cpu, scored, err := run(false)
	if err != nil {
		return c, err
	}
	all, allCPU, every, err := run(true)
	if err != nil {
		return c, err
	}
	c.P50Millis, c.P99Millis = took[len(took)/2], took[len(took)*99/100]
	c.CPUMillis = millis(cpu) / benchQueries
	c.ExhaustiveMillis = all[len(all)/2]
	c.Speedup = float64(allCPU) / max(float64(cpu), 1)
	c.ScoredShare = float64(scored) / max(float64(every), 1)
	return c, nil
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

const benchRealms = 20

// benchCorpus makes up documents and queries.
type benchCorpus struct {
	rng   *rand.Rand
	words []string
	sums  []float64 // running sums of 1/rank
}

func newBenchCorpus(seed uint64) *benchCorpus {
	g := &benchCorpus{rng: rand.New(rand.NewPCG(seed, 0x6b657977))}
	g.words = make([]string, benchVocabulary)
	g.sums = make([]float64, benchVocabulary)
	seen := make(map[string]bool)
	total := 0.0
	for i := range g.words {
		// Common words are short, and all are told apart after stemming.
		for syllables := 1 + min(3, int(math.Log10(float64(i+10)))); g.words[i] == ""; {
			w := g.syllables(syllables)
			if stem := string(newStem(w)); !seen[stem] && !isStopWord(w) {
				seen[stem], g.words[i] = true, w
			}
		}
		total += 1 / float64(i+1)
		g.sums[i] = total
	}
	return g
}

func newStem(w string) []byte { return (*stemCache)(nil).of([]byte(w)).stem }

func (g *benchCorpus) syllables(n int) string {
	const onsets, vowels, codas = "bcdfghjklmnprstvwz", "aeiou", "nrstlm"
	var b strings.Builder
	for range n {
		b.WriteByte(onsets[g.rng.IntN(len(onsets))])
		b.WriteByte(vowels[g.rng.IntN(len(vowels))])
		if g.rng.IntN(2) == 0 {
			b.WriteByte(codas[g.rng.IntN(len(codas))])
		}
	}
	return b.String()
}

// word draws by Zipf's law.
func (g *benchCorpus) word() string {
	at := g.rng.Float64() * g.sums[len(g.sums)-1]
	return g.words[sort.SearchFloat64s(g.sums, at)]
}

func (g *benchCorpus) doc(id uint64) Doc {
	role, n := "user", benchWords/2
	if g.rng.IntN(2) == 0 {
		role, n = "assistant", benchWords*3/2
	}
	n = n/2 + g.rng.IntN(n)
	var b strings.Builder
	for range n {
		b.WriteString(g.word())
		b.WriteByte(' ')
	}
	return Doc{ID: id, Role: role, Text: []string{b.String()}, Time: int64(id) * 1000,
		Labels: []string{fmt.Sprintf("realm=%d", g.rng.IntN(benchRealms)), "role=" + role}}
}

// query draws words as documents do, without the very common ones, and adds
// some of those.
func (g *benchCorpus) query(words, common int) string {
	var out []string
	for len(out) < words {
		at := g.sums[benchCommon] + g.rng.Float64()*(g.sums[len(g.sums)-1]-g.sums[benchCommon])
		out = append(out, g.words[min(len(g.words)-1, sort.SearchFloat64s(g.sums, at))])
	}
	for range common {
		out = append(out, g.words[g.rng.IntN(benchCommon)])
	}
	return strings.Join(out, " ")
}

func (g *benchCorpus) rare(words int) string {
	var out []string
	for range words {
		out = append(out, g.words[benchVocabulary/10+g.rng.IntN(benchVocabulary*9/10)])
	}
	return strings.Join(out, " ")
}
