package causal

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"chitta/internal/session"
)

// Direction says which way a walk goes.
type Direction int

// The two ways: to what led here, and to what followed.
const (
	Back Direction = iota
	Ahead
)

// Kind says how two chunks hang together.
type Kind string

// The kinds of edges. Adjacent ones are implied by the order of a thread, the
// others are stored.
const (
	Adjacent Kind = "adjacent"  // one after the other in a thread
	FilePath Kind = "file-path" // the next to touch the same file
	Topic    Kind = "topic"     // a person asked for something alike before
	Spawn    Kind = "spawn"     // a subagent was started
	Merge    Kind = "merge"     // and its result came back
)

// Link is an edge as a walk meets it: it stands at From and can go to To,
// whichever of them is the earlier.
type Link struct {
	From, To int64
	Kind     Kind
	Weight   float64 // 0 to 1
	Hops     int     // cycles that lie between, on the clocks
}

// Graph knows the edges.
type Graph interface {
	// Links returns the edges that lead on from chunks, few for each.
	Links(ctx context.Context, from []int64, d Direction) ([]Link, error)
}

// Similar says how much chunks resemble what was asked, from 0 to 1. A chunk
// it leaves out resembles it not at all.
type Similar func(ctx context.Context, chunks []int64) (map[int64]float64, error)

// Seed is where a walk begins. A Score of 0 counts as 1.
type Seed struct {
	Chunk int64
	Score float64
}

// Options bounds a walk. Zero values mean defaults.
type Options struct {
	Beam  int // chunks that go on at each step; default 4
	Steps int // most steps; default 24
}

// Beam is narrow because at most a few of what stands around a chunk has to do
// with it. Steps is more than twice the hops of the longest reach: several
// chunks may stand within one cycle of the clocks.
const (
	defaultBeam  = 4
	defaultSteps = 24
)

// Reached is a chunk that a walk came by, and how.
type Reached struct {
	Chunk     int64
	Seed      int64 // where the walk began
	From      int64 // the chunk before it on the way
	Direction Direction
	Kind      Kind    // of the edge from there
	Weight    float64 // of that edge
	Path      float64 // weights of all edges from the seed, multiplied
	Step      int     // how many edges
	Hops      int     // how far from the seed, on the clocks
	Decay     float64
	Similar   float64
	Score     float64 // of the seed × Path × Decay × relevance
}

// floor is what a chunk is worth that does not resemble the question at all:
// it still stands on the way.
const floor = 0.1

// Decay is what is left of a chunk's worth at a distance.
func Decay(d Direction, hops int) float64 {
	if d == Back {
		return session.Backward(hops)
	}
	return session.Forward(hops)
}

// Walk goes from the seeds in one direction, one step at a time, and returns
// every chunk that it went on to, in the order of the steps and within a step
// best first. The seeds are not among them, and no chunk is twice, so a walk
// ends whatever the edges are.
func Walk(ctx context.Context, g Graph, seeds []Seed, d Direction, similar Similar, o Options) ([]Reached, error) {
	if o.Beam <= 0 {
		o.Beam = defaultBeam
	}
	if o.Steps <= 0 {
		o.Steps = defaultSteps
	}
	seen := map[int64]bool{}
	var front []Reached
	for _, s := range seeds {
		if !seen[s.Chunk] {
			seen[s.Chunk] = true
			front = append(front, Reached{Chunk: s.Chunk, Seed: s.Chunk, Direction: d, Path: 1, Decay: 1, Score: cmp.Or(s.Score, 1)})
		}
	}
	worth := make(map[int64]float64, len(front)) // of the seeds
	for _, f := range front {
		worth[f.Seed] = f.Score
	}
	var all []Reached
	for step := 1; step <= o.Steps && len(front) > 0; step++ {
		next, err := expand(ctx, g, front, d, seen)
		if err != nil {
			return nil, err
		}
		chunks := make([]int64, len(next))
		for i := range next {
			chunks[i] = next[i].Chunk
		}
		alike, err := similar(ctx, chunks)
		if err != nil {
			return nil, err
		}
		for i := range next {
			n := &next[i]
			n.Step, n.Similar = step, min(1, max(0, alike[n.Chunk]))
			n.Score = worth[n.Seed] * n.Path * n.Decay * (floor + (1-floor)*n.Similar)
		}
		// weights may multiply to less than a number can hold
		next = slices.DeleteFunc(next, func(r Reached) bool { return r.Score <= 0 })
		front = best(next, o.Beam)
		for _, f := range front {
			seen[f.Chunk] = true
		}
		all = append(all, front...)
	}
	return all, nil
}

// expand takes every edge that leads on to a chunk not seen yet and within
// reach.
func expand(ctx context.Context, g Graph, front []Reached, d Direction, seen map[int64]bool) ([]Reached, error) {
	at := make(map[int64]*Reached, len(front))
	chunks := make([]int64, len(front))
	for i := range front {
		at[front[i].Chunk], chunks[i] = &front[i], front[i].Chunk
	}
	links, err := g.Links(ctx, chunks, d)
	if err != nil {
		return nil, err
	}
	var next []Reached
	for _, l := range links {
		from := at[l.From]
		if from == nil || seen[l.To] {
			continue
		}
		n := Reached{
			Chunk: l.To, Seed: from.Seed, From: l.From, Direction: d, Kind: l.Kind, Weight: l.Weight,
			Path: from.Path * l.Weight, Hops: from.Hops + max(0, l.Hops),
		}
		if n.Decay = Decay(d, n.Hops); n.Decay*n.Path > 0 {
			next = append(next, n)
		}
	}
	return next, nil
}

// best returns the n best, each chunk once.
func best(list []Reached, n int) []Reached {
	slices.SortFunc(list, byScore)
	var out []Reached
	taken := map[int64]bool{}
	for _, r := range list {
		if len(out) == n {
			break
		}
		if !taken[r.Chunk] {
			taken[r.Chunk] = true
			out = append(out, r)
		}
	}
	return out
}

// byScore orders best first; among equals, what is nearer, then what is older.
func byScore(a, b Reached) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Hops, b.Hops), cmp.Compare(a.Chunk, b.Chunk), cmp.Compare(a.From, b.From))
}

// Chain returns the single way away from the seeds whose chunks together score
// highest, in the order it was walked. It is empty if nothing was reached.
func Chain(reached []Reached) []Reached {
	at := make(map[int64]int, len(reached))
	sums := make([]float64, len(reached))
	end := -1
	for i, r := range reached {
		at[r.Chunk] = i
		sums[i] = r.Score
		if from, ok := at[r.From]; ok {
			sums[i] += sums[from]
		}
		if end < 0 || sums[i] > sums[end] {
			end = i
		}
	}
	var chain []Reached
	for i, ok := end, end >= 0; ok; i, ok = at[reached[i].From] {
		chain = append(chain, reached[i])
	}
	slices.Reverse(chain)
	return chain
}

// Reach goes both ways from chunks that answer a question and returns the
// others it came by, best first. It is what a stage of recall adds to the
// results of the searches: Score is the seed's, times what is left of it after
// the hops, times how much the chunk itself resembles the question. A chunk
// that both ways lead to has the better of its scores.
func Reach(ctx context.Context, g Graph, seeds []Seed, similar Similar, o Options) ([]Reached, error) {
	found := map[int64]Reached{}
	for _, d := range []Direction{Back, Ahead} {
		reached, err := Walk(ctx, g, seeds, d, similar, o)
		if err != nil {
			return nil, err
		}
		for _, r := range reached {
			if have, ok := found[r.Chunk]; !ok || r.Score > have.Score {
				found[r.Chunk] = r
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), byScore), nil
}
