package follow

import (
	"context"
	"slices"

	"chitta/internal/causal"
	"chitta/internal/session"
	"chitta/internal/store"
)

// linksPerKind is how many edges of a kind a walk looks at from one chunk, the
// strongest first. A chunk that touched thirty files is followed to few of
// those who touched them next; of those who asked for something alike, only to
// the most alike.
var linksPerKind = map[causal.Kind]int{causal.FilePath: 3, causal.Topic: 1, causal.Spawn: 4, causal.Merge: 4}

// adjacentWeight is that of standing one after the other.
const adjacentWeight = 1

// graph is the causal graph as the store has it. It implements [causal.Graph].
type graph struct {
	store *store.Store
}

// NewGraph returns the graph of a store.
func NewGraph(s *store.Store) causal.Graph { return graph{s} }

// Links returns the edges that lead on from chunks: to those beside them in
// their threads, and those stored.
func (g graph) Links(ctx context.Context, from []int64, d causal.Direction) ([]causal.Link, error) {
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
func (g graph) measure(ctx context.Context, list []causal.Link) error {
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
