package graph

import (
	"cmp"
	"maps"
	"slices"
)

const (
	// MaxAttractors is how many a view has at most.
	MaxAttractors = 10
	// minAttractor is how many neighbours make a node a hub.
	minAttractor = 3
	// attractorSlice is how many nodes are weighed before changes may come in,
	// a few milliseconds.
	attractorSlice = 10_000
)

// Attractor is a densely connected hub, with the nodes that lie nearer to it
// than to any other.
type Attractor struct {
	Key        string
	Strength   float64 // sum over its neighbours, see [Net.Attractors]
	Neighbours int
	Basin      []string // the nearest first; the attractor itself is not listed
}

// Attractors returns the hubs of a view, the strongest first. The strength of a
// node is the sum over its neighbours of spread × confidence, of the strongest
// triple with each. Of neighbouring hubs only the strongest counts, so that
// each stands for a region of its own. A node is in the basin of the attractor
// whose activation reaches it with the highest level.
//
// It goes through the whole net, in slices between which changes can come in:
// callers keep the result for a while.
func (n *Net) Attractors(v View) []Attractor {
	out := n.hubs(v)
	seeds, place := make([]Seed, len(out)), map[string]int{}
	for i, a := range out {
		seeds[i], place[a.Key] = Seed{Key: a.Key, Strength: 1}, i
	}
	level := map[string]float64{}
	n.see(v, func(l *lens) {
		// through every triple: here the hubs themselves are what is asked about
		for nd, a := range l.spread(seeds, SpreadOptions{Fan: -1}) {
			if key := l.nodes.at(nd).key; nd != a.seed {
				hub := &out[place[l.nodes.at(a.seed).key]]
				hub.Basin, level[key] = append(hub.Basin, key), a.level
			}
		}
	})
	for i := range out {
		slices.SortFunc(out[i].Basin, func(a, b string) int {
			return cmp.Or(cmp.Compare(level[b], level[a]), cmp.Compare(a, b))
		})
	}
	return out
}

// hubs returns the strongest nodes of which no two are neighbours.
func (n *Net) hubs(v View) []Attractor {
	var candidates, chosen []Attractor
	for from, more := int32(0), true; more; from += attractorSlice {
		n.see(v, func(l *lens) {
			more = from+attractorSlice < l.nodes.n
			for nd := from; nd < min(from+attractorSlice, l.nodes.n); nd++ {
				if a, ok := l.hub(nd); ok {
					candidates = append(candidates, a)
				}
			}
		})
	}
	slices.SortFunc(candidates, func(a, b Attractor) int {
		return cmp.Or(cmp.Compare(b.Strength, a.Strength), cmp.Compare(a.Key, b.Key))
	})
	n.see(v, func(l *lens) {
		for _, c := range candidates {
			if len(chosen) == MaxAttractors {
				break
			}
			if !l.beside(c.Key, chosen) {
				chosen = append(chosen, c)
			}
		}
	})
	return chosen
}

// hub weighs a node.
func (l *lens) hub(nd int32) (Attractor, bool) {
	x := l.nodes.at(nd)
	if len(x.in)+len(x.out) < minAttractor {
		return Attractor{}, false
	}
	pull := map[int32]float64{}
	l.steps(nd, 0, func(s step, t *triple) {
		pull[s.to] = max(pull[s.to], l.predicates[t.predicate].Spread*t.confidence)
	})
	a := Attractor{Key: x.key, Neighbours: len(pull)}
	// added up in a fixed order: sums of floats depend on it
	for _, p := range slices.Sorted(maps.Values(pull)) {
		a.Strength += p
	}
	return a, len(pull) >= minAttractor
}

// beside says whether a node is a neighbour of one of the chosen.
func (l *lens) beside(key string, chosen []Attractor) bool {
	found := false
	l.steps(l.byKey[key], 0, func(s step, _ *triple) {
		found = found || slices.ContainsFunc(chosen, func(a Attractor) bool { return l.byKey[a.Key] == s.to })
	})
	return found
}
