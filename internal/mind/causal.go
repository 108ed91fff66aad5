package mind

import (
	"context"

	"chitta/internal/causal"
	"chitta/internal/follow"
	"chitta/internal/keyword"
	"chitta/internal/recall"
	"chitta/internal/store"
	"chitta/internal/vector"
)

// Causes returns the graph of what led to what, for walks such as
// [causal.Reach].
func (m *Mind) Causes() causal.Graph { return follow.NewGraph(m.store) }

// Resemblance says how much chunks resemble a text: by the cosine of their
// vectors where there are any, by shared words otherwise. why says what it had
// to do without.
func (m *Mind) Resemblance(ctx context.Context, text string) (similar causal.Similar, why string) {
	r := &resemblance{store: m.store, words: keyword.NewOverlap(text)}
	index, encoder, err := m.semantic.Ready(store.OwnerChunk)
	if err == nil {
		r.vector, err = encoder.Query(ctx, text)
		r.index = index
	}
	if err != nil {
		why = err.Error()
	}
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
	words  keyword.Overlap
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
		out[seq] = r.words.Share(c.Text)
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
