package graph

import (
	"cmp"
	"context"
	"slices"
)

// ContradictionKind says in which way triples do not go together.
type ContradictionKind string

// The kinds of contradictions.
const (
	// Opposed: two concepts are said to contradict each other, and facts rest
	// on both.
	Opposed ContradictionKind = "opposed"
	// TwoValues: a predicate with one object at a time has two.
	TwoValues ContradictionKind = "two_values"
	// SolvesAndCauses: the same is said to solve and to cause something.
	SolvesAndCauses ContradictionKind = "solves_and_causes"
	// PreventsAndCauses: the same is said to prevent and to cause something.
	PreventsAndCauses ContradictionKind = "prevents_and_causes"
	// KindAndContrary: something is said to be a kind of what it contradicts.
	KindAndContrary ContradictionKind = "kind_and_contrary"
	// PreferredBothWays: each of two is preferred to the other.
	PreferredBothWays ContradictionKind = "preferred_both_ways"
	// Circle: something is above, before or part of itself.
	Circle ContradictionKind = "circle"
)

// Contradiction is a set of triples that cannot all be right. Which of them is
// wrong is for a person to say.
type Contradiction struct {
	Kind    ContradictionKind
	Triples []Triple
}

// ordering lists predicates that lead one way: following them never leads back.
var ordering = []string{kindOf, "part_of", "precedes", "supersedes"}

// clashes lists pairs of predicates that one pair of concepts cannot have both
// of: with the same ends (straight), or with the ends changed (turned). The
// rarer predicate comes first, as it is the one gone through.
var clashes = []struct {
	kind             ContradictionKind
	first, second    string
	straight, turned bool
}{
	{kind: SolvesAndCauses, first: "solves", second: "causes", straight: true},
	{kind: PreventsAndCauses, first: "prevents", second: "causes", straight: true},
	{kind: KindAndContrary, first: "contradicts", second: kindOf, straight: true, turned: true},
	{kind: PreferredBothWays, first: "preferred", second: "preferred", turned: true},
}

// Contradictions returns what does not go together in a view, at most limit of
// each kind (0 = all). It lets changes in between its steps, so it may be run
// on a large net at any time.
func (n *Net) Contradictions(ctx context.Context, v View, limit int) ([]Contradiction, error) {
	var out []Contradiction
	finders := []func(*lens) []Contradiction{(*lens).opposed, (*lens).twoValues}
	for _, c := range clashes {
		finders = append(finders, func(l *lens) []Contradiction { return l.clash(c.kind, c.first, c.second, c.straight, c.turned) })
	}
	for _, name := range ordering {
		finders = append(finders, func(l *lens) []Contradiction { return l.circles(name) })
	}
	for _, find := range finders {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var found []Contradiction
		n.seeLong(v, func(l *lens) { found = find(l) })
		if limit > 0 && len(found) > limit {
			found = found[:limit]
		}
		out = append(out, found...)
	}
	return out, nil
}

func (l *lens) contradiction(kind ContradictionKind, at ...int32) Contradiction {
	c := Contradiction{Kind: kind}
	for _, a := range at {
		c.Triples = append(c.Triples, l.unpack(l.triples.at(a)))
	}
	return c
}

// pauseAfter is how many triples are gone through before changes may come in:
// about a millisecond.
const pauseAfter = 2_000

// of calls fn with the visible triples of a predicate, the strongest first.
// Changes may come in between.
func (l *lens) of(predicate string, fn func(at int32, t *triple)) {
	p, ok := l.byName[predicate]
	if !ok {
		return
	}
	for i, at := range slices.Clone(l.predicates[p].list) {
		if i%pauseAfter == pauseAfter-1 {
			l.pause(func() {})
		}
		if t := l.triples.at(at); !t.gone() && t.predicate == p && l.sees(t) {
			fn(at, t)
		}
	}
}

// opposed finds contrary concepts that facts rest on. It shows the surest fact
// about each, of one concept about both where there is such.
func (l *lens) opposed() []Contradiction {
	var out []Contradiction
	l.of("contradicts", func(at int32, t *triple) {
		a, b := l.facts(t.subject, t.predicate), l.facts(t.object, t.predicate)
		if len(a) == 0 || len(b) == 0 {
			return
		}
		x, y := a[0], b[0]
		same := map[[2]uint32]int32{} // subject and predicate → fact about the one
		for _, f := range slices.Backward(a) {
			if fact := l.triples.at(f); fact.object == t.subject {
				same[[2]uint32{uint32(fact.subject), fact.predicate}] = f
			}
		}
		for _, f := range slices.Backward(b) {
			fact := l.triples.at(f)
			if other, ok := same[[2]uint32{uint32(fact.subject), fact.predicate}]; ok && fact.object == t.object {
				x, y = other, f
			}
		}
		out = append(out, l.contradiction(Opposed, at, x, y))
	})
	return out
}

// facts returns the visible triples of a node but those of one predicate, the
// strongest of each direction first, as many as activation would follow.
func (l *lens) facts(nd int32, but uint32) []int32 {
	var out []int32
	l.steps(nd, DefaultFan, func(s step, t *triple) {
		if t.predicate != but {
			out = append(out, s.at)
		}
	})
	return out
}

// twoValues finds subjects with two objects at a time where there can be one.
// Without a time in the view, it looks at what has not ended.
func (l *lens) twoValues() []Contradiction {
	var out []Contradiction
	for _, r := range l.predicates {
		if !r.Functional {
			continue
		}
		first := map[int32]int32{}
		l.of(r.Name, func(at int32, t *triple) {
			if !l.timed && t.until != stillValid {
				return
			}
			other, seen := first[t.subject]
			was := l.triples.at(other)
			if !seen || was.subject != t.subject || was.predicate != t.predicate || was.gone() {
				first[t.subject] = at
			} else if was.object != t.object {
				out = append(out, l.contradiction(TwoValues, other, at))
			}
		})
	}
	return out
}

// clash finds pairs of nodes with both of two predicates between them.
func (l *lens) clash(kind ContradictionKind, first, second string, straight, turned bool) []Contradiction {
	var out []Contradiction
	p, ok := l.byName[second]
	if !ok {
		return nil
	}
	between := func(subject, object int32) (found int32, ok bool) {
		list := l.nodes.at(subject).out
		if in := l.nodes.at(object).in; len(in) < len(list) {
			list = in
		}
		l.each(list, func(at int32, t *triple) bool {
			if t.subject == subject && t.object == object && t.predicate == p {
				found, ok = at, true
			}
			return !ok
		})
		return found, ok
	}
	l.of(first, func(at int32, t *triple) {
		if straight {
			if other, ok := between(t.subject, t.object); ok {
				out = append(out, l.contradiction(kind, at, other))
			}
		}
		// where both are the same predicate, each pair is met twice
		if turned && (first != second || l.nodes.at(t.subject).key < l.nodes.at(t.object).key) {
			if other, ok := between(t.object, t.subject); ok {
				out = append(out, l.contradiction(kind, at, other))
			}
		}
	})
	return out
}

// circles finds, in each knot of a predicate that should lead one way, a
// shortest circle through one of its nodes.
func (l *lens) circles(predicate string) []Contradiction {
	p, ok := l.byName[predicate]
	if !ok {
		return nil
	}
	var out []Contradiction
	for _, knot := range l.knots(predicate) {
		in := map[int32]bool{}
		for _, nd := range knot {
			in[nd] = true
		}
		first := slices.MinFunc(knot, func(a, b int32) int { return cmp.Compare(l.nodes.at(a).key, l.nodes.at(b).key) })
		if way := l.circle(first, p, in); way != nil { // else it was broken up meanwhile
			out = append(out, l.contradiction(Circle, way...))
		}
	}
	slices.SortFunc(out, func(a, b Contradiction) int { return cmp.Compare(a.Triples[0].Subject, b.Triples[0].Subject) })
	return out
}

// circle returns a shortest way along a predicate from a node back to it, nil if
// there is none.
func (l *lens) circle(start int32, p uint32, within map[int32]bool) []int32 {
	came := map[int32]int32{} // node → triple it was reached by
	for wave := []int32{start}; len(wave) > 0; {
		var next []int32
		for _, nd := range wave {
			l.each(l.nodes.at(nd).out, func(at int32, t *triple) bool {
				if _, seen := came[t.object]; t.predicate == p && within[t.object] && !seen {
					came[t.object] = at
					next = append(next, t.object)
				}
				return true
			})
		}
		if _, closed := came[start]; closed {
			break
		}
		wave = next
	}
	if _, closed := came[start]; !closed {
		return nil
	}
	way := []int32{came[start]}
	for at := l.triples.at(came[start]).subject; at != start; at = l.triples.at(came[at]).subject {
		way = append(way, came[at])
	}
	slices.Reverse(way)
	return way
}

// knots returns the sets of nodes that lead to each other along a predicate
// (strongly connected components of more than one node, by Tarjan's algorithm
// without recursion: chains may be long). It works on a copy, with the net open
// to changes.
func (l *lens) knots(predicate string) [][]int32 {
	k := &knotter{leads: map[int32][]int32{}, number: map[int32]int{}, low: map[int32]int{}, on: map[int32]bool{}}
	var starts []int32
	l.of(predicate, func(_ int32, t *triple) {
		if k.leads[t.subject] == nil {
			starts = append(starts, t.subject)
		}
		k.leads[t.subject] = append(k.leads[t.subject], t.object)
	})
	l.pause(func() {
		for _, nd := range starts {
			if _, seen := k.number[nd]; !seen {
				k.visit(nd)
			}
		}
	})
	return k.found
}

type knotter struct {
	leads       map[int32][]int32 // where a node leads to
	number, low map[int32]int
	on          map[int32]bool
	stack       []int32
	found       [][]int32
}

// frame is a node being visited and which of its triples is next.
type frame struct {
	node int32
	next int
}

func (k *knotter) enter(nd int32) frame {
	k.number[nd] = len(k.number)
	k.low[nd] = k.number[nd]
	k.stack, k.on[nd] = append(k.stack, nd), true
	return frame{node: nd}
}

func (k *knotter) visit(start int32) {
	frames := []frame{k.enter(start)}
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		if to, ok := k.next(f); ok {
			if _, seen := k.number[to]; !seen {
				frames = append(frames, k.enter(to))
			} else if k.on[to] {
				k.low[f.node] = min(k.low[f.node], k.number[to])
			}
			continue
		}
		done := f.node
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			above := frames[len(frames)-1].node
			k.low[above] = min(k.low[above], k.low[done])
		}
		if k.low[done] == k.number[done] {
			k.leave(done)
		}
	}
}

// next returns where the next triple of a node being visited leads.
func (k *knotter) next(f *frame) (int32, bool) {
	to := k.leads[f.node]
	if f.next >= len(to) {
		return 0, false
	}
	f.next++
	return to[f.next-1], true
}

// leave takes a finished knot off the stack.
func (k *knotter) leave(root int32) {
	i := len(k.stack) - 1
	for ; k.stack[i] != root; i-- {
		k.on[k.stack[i]] = false
	}
	k.on[root] = false
	knot := slices.Clone(k.stack[i:])
	k.stack = k.stack[:i]
	if len(knot) > 1 {
		k.found = append(k.found, knot)
	}
}
