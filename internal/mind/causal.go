package mind

import (
	"context"
	"slices"

	"chitta/internal/causal"
	"chitta/internal/keyword"
	"chitta/internal/recall"
	"chitta/internal/session"
	"chitta/internal/store"
	"chitta/internal/vector"
)

// linksPerKind is how many edges of a kind a walk looks at from one chunk, the
// strongest first. A chunk that touched thirty files is followed to few of
// those who touched them next; of those who asked for something alike, only to
// the most alike.
var linksPerKind = map[causal.Kind]int{causal.FilePath: 3, causal.Topic: 1, causal.Spawn: 4, causal.Merge: 4}

// adjacentWeight is that of standing one after the other.
const adjacentWeight = 1

// links is the causal graph as the store has it. It implements [causal.Graph].
type links struct {
	store *store.Store
}

// Links returns the edges that lead on from chunks: to those beside them in
// their threads, and those stored.
func (g links) Links(ctx context.Context, from []int64, d causal.Direction) ([]causal.Link, error) {
	beside, err := g.store.Neighbours(ctx, from, d == causal.Back)
	if err != nil {
		return nil, err
	}
	read := g.store.EdgesFrom
	if d == causal.Back {
		read = g.store.EdgesTo
	}
	stored, err := read(ctx, from, slices.Max([]int{linksPerKind[causal.FilePath], linksPerKind[causal.Spawn]}))
	if err != nil {
		return nil, err
	}
	var out []causal.Link
	for _, seq := range from {
		if next, ok := beside[seq]; ok {
			out = append(out, causal.Link{From: seq, To: next, Kind: causal.Adjacent, Weight: adjacentWeight})
		}
	}
	type group struct {
		chunk int64
		kind  string
	}
	taken := map[group]int{}
	for _, e := range stored {
		l := causal.Link{From: e.Source, To: e.Target, Kind: causal.Kind(e.Kind), Weight: e.Weight}
		if d == causal.Back {
			l.From, l.To = l.To, l.From
		}
		key := group{l.From, e.Kind}
		if taken[key]++; taken[key] <= linksPerKind[l.Kind] {
			out = append(out, l)
		}
	}
	return out, g.measure(ctx, out)
}

// measure sets how many hops the links are.
func (g links) measure(ctx context.Context, list []causal.Link) error {
	var seqs []int64
	for _, l := range list {
		seqs = append(seqs, l.From, l.To)
	}
	chunks, err := g.store.ChunksBySeq(ctx, seqs)
	if err != nil {
		return err
	}
	for i, l := range list {
		a, b := chunks[l.From], chunks[l.To]
		list[i].Hops = hopsBetween(&a, &b)
	}
	return nil
}

// hopsBetween is how far two chunks with an edge between them are from each
// other. Clocks of different conversations count different things, so a step
// from one to another is one hop, and so is every step where no clocks were
// kept.
func hopsBetween(a, b *store.Chunk) int {
	if a.Session != b.Session || len(a.Clock) == 0 || len(b.Clock) == 0 {
		return 1
	}
	hops, _ := session.Hops(a.Clock, b.Clock)
	return hops
}

// Causes returns the graph of what led to what, for walks such as
// [causal.Reach].
func (m *Mind) Causes() causal.Graph { return links{m.store} }

// Resemblance says how much chunks resemble a text: by the cosine of their
// vectors where there are any, by shared words otherwise. why says what it had
// to do without.
func (m *Mind) Resemblance(ctx context.Context, text string) (similar causal.Similar, why string) {
	r := &resemblance{store: m.store}
	index, encoder, err := m.semantic.ready(store.OwnerChunk)
	if err == nil {
		r.vector, err = encoder.Query(ctx, text)
		r.index = index
	}
	if err != nil {
		why = err.Error()
	}
	r.setWords(text)
	return r.of, why
}

// Reached returns the chunks that causal edges lead to from ranked ones, best
// first: what a stage of recall adds as evidence "causal". text is the
// question; only the first few of ranked are gone from.
func (m *Mind) Reached(ctx context.Context, text string, ranked []recall.Ranked, o causal.Options) ([]causal.Reached, error) {
	seeds := make([]causal.Seed, min(len(ranked), reachSeeds))
	for i := range seeds {
		seeds[i] = causal.Seed{Chunk: ranked[i].Seq, Score: 1 / float64(1+i)}
	}
	similar, _ := m.Resemblance(ctx, text)
	return causal.Reach(ctx, m.Causes(), seeds, similar, o)
}

// reachSeeds is how many results are gone on from: further ones are rarely
// right themselves.
const reachSeeds = 5

// resemblance compares chunks with a text.
type resemblance struct {
	store  *store.Store
	index  *vector.Index
	vector []float32
	words  map[string]float64
	total  float64
}

func (r *resemblance) setWords(text string) {
	r.words = map[string]float64{}
	for _, t := range (keyword.Analyzer{}).QueryTerms(text) {
		r.words[t.Term] = t.Weight
		r.total += t.Weight
	}
}

// share is how much of the words of the question a text has, from 0 to 1.
func (r *resemblance) share(text string) float64 {
	if r.total == 0 {
		return 0
	}
	sum := 0.0
	seen := map[string]bool{}
	for _, t := range (keyword.Analyzer{}).Terms(text) {
		if !seen[t] {
			seen[t] = true
			sum += r.words[t]
		}
	}
	return sum / r.total
}

func (r *resemblance) of(ctx context.Context, chunks []int64) (map[int64]float64, error) {
	out := make(map[int64]float64, len(chunks))
	var rest []int64
	for _, seq := range chunks {
		if cosine, ok := r.cosine(seq); ok {
			out[seq] = cosine
		} else {
			rest = append(rest, seq)
		}
	}
	texts, err := r.store.ChunksBySeq(ctx, rest)
	for seq, c := range texts {
		out[seq] = r.share(c.Text)
	}
	return out, err
}

func (r *resemblance) cosine(seq int64) (float64, bool) {
	if r.index == nil || len(r.vector) == 0 {
		return 0, false
	}
	v, ok := r.index.Vector(uint64(seq))
	if !ok || len(v) != len(r.vector) {
		return 0, false
	}
	return float64(vector.Dot(v, r.vector)), true
}
