package graph

import (
	"cmp"
	"container/heap"
	"slices"
)

// Bounds on inference.
const (
	DefaultInferred   = 20
	DefaultInferSteps = 4
	// minInferred is the confidence below which a conclusion is a guess.
	minInferred = 0.1
	// maxInferStates bounds the chains looked at for one question.
	maxInferStates = 20_000
)

// inherited lists what a thing has because what it is a kind of has it:
// A is_a B and B has_property C give A has_property C.
var inherited = []string{"has_property", "requires", "causes"}

// kindOf is the predicate that things are inherited along.
const kindOf = "is_a"

// InferOptions bounds inference. Zero values mean the defaults.
type InferOptions struct {
	Limit int
	Steps int // triples in a chain
}

// Inferred is a fact that nobody asserted, with the chain it follows from.
type Inferred struct {
	Subject, Predicate, Object string
	Chain                      []Triple // from subject to object
	Confidence                 float64  // the product of the chain's
}

// Infer returns what follows from the triples about a subject, an object, or
// both, as far as it is not asserted itself. p must name at least one of the
// two; the predicate may be left open. Two rules apply:
//
//   - a transitive predicate goes on: A causes B, B causes C → A causes C
//   - what holds of a kind holds of its members, for properties, needs and
//     effects: A is_a B, B requires C → A requires C
//
// Of several chains to the same conclusion the surest counts.
func (n *Net) Infer(v View, p Pattern, o InferOptions) []Inferred {
	if o.Limit <= 0 {
		o.Limit = DefaultInferred
	}
	if o.Steps <= 0 {
		o.Steps = DefaultInferSteps
	}
	o.Steps = min(o.Steps, MaxPathHops)
	n.mu.RLock()
	defer n.mu.RUnlock()
	start, back := p.Subject, false
	if start == "" {
		start, back = p.Object, true
	}
	from, ok := n.byKey[start]
	if !ok {
		return nil
	}
	var out []Inferred
	for i, r := range n.predicates {
		if (p.Predicate == "" || p.Predicate == r.Name) && (r.Transitive || slices.Contains(inherited, r.Name)) {
			c := &chains{lens: n.look(v), predicate: uint32(i), from: from, back: back, steps: o.Steps}
			c.kind, c.inherits = n.byName[kindOf]
			c.inherits = c.inherits && slices.Contains(inherited, r.Name)
			out = append(out, c.conclusions()...)
		}
	}
	if p.Subject != "" && p.Object != "" {
		out = slices.DeleteFunc(out, func(x Inferred) bool { return x.Object != p.Object })
	}
	slices.SortStableFunc(out, func(a, b Inferred) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(len(a.Chain), len(b.Chain)),
			cmp.Compare(a.Predicate, b.Predicate), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Object, b.Object))
	})
	return out[:min(len(out), o.Limit)]
}

// chains follows one predicate from a node, forward from a subject or back from
// an object. A chain is any number of is_a, if the predicate is inherited, and
// then the predicate, more than once if it is transitive.
type chains struct {
	*lens
	predicate, kind uint32
	inherits        bool
	from            int32
	back            bool
	steps           int
}

// stand is where a chain has come to: a node, and in which of its two parts.
type stand struct {
	node   int32
	second bool // the later part as one goes
}

func (c *chains) conclusions() []Inferred {
	asserted := c.asserted()
	concluded := map[int32]bool{}
	shortest := map[stand]int{} // least steps of the chains that came by
	open := &queue{{at: c.from, sure: 1, hope: 1}}
	var out []Inferred
	for states := 0; open.Len() > 0 && states < maxInferStates; states++ {
		w := heap.Pop(open).(*way)
		at := c.stand(w)
		if was, seen := shortest[at]; seen && was <= len(w.steps) {
			continue // a surer chain was here in no more steps
		}
		shortest[at] = len(w.steps)
		if len(w.steps) > 1 && c.complete(w) && !asserted[w.at] && !concluded[w.at] {
			concluded[w.at] = true
			out = append(out, c.inferred(w))
		}
		if len(w.steps) < c.steps {
			c.extend(w, open)
		}
	}
	return out
}

// stand returns where a chain has come to. Going back the predicate comes first.
func (c *chains) stand(w *way) stand {
	last := c.first()
	if len(w.steps) > 0 {
		last = c.triples.at(w.steps[len(w.steps)-1].at).predicate
	}
	return stand{w.at, last != c.first()}
}

// first is the predicate that a chain begins with as one goes.
func (c *chains) first() uint32 {
	if c.inherits && !c.back {
		return c.kind
	}
	return c.predicate
}

// complete says whether a chain holds the predicate at all.
func (c *chains) complete(w *way) bool {
	return slices.ContainsFunc(w.steps, func(s step) bool { return c.triples.at(s.at).predicate == c.predicate })
}

// may says whether a chain can go on with a predicate.
func (c *chains) may(w *way, next uint32) bool {
	at := c.stand(w)
	switch {
	case next == c.predicate:
		return (c.predicates[next].Transitive || !c.complete(w)) && !(c.back && at.second)
	case c.inherits && next == c.kind:
		// before the predicate going forward, behind it going back
		return c.back && len(w.steps) > 0 || !c.back && !at.second
	}
	return false
}

func (c *chains) extend(w *way, open *queue) {
	list := c.nodes.at(w.at).out
	if c.back {
		list = c.nodes.at(w.at).in
	}
	followed := 0
	c.each(list, func(at int32, t *triple) bool {
		to := t.object
		if c.back {
			to = t.subject
		}
		sure := w.sure * t.confidence
		if sure < minInferred {
			return false // the list is in order: the rest is weaker
		}
		if !c.may(w, t.predicate) || to == c.from || slices.ContainsFunc(w.steps, func(s step) bool { return s.to == to }) {
			return true
		}
		heap.Push(open, &way{at: to, sure: sure, hope: sure,
			steps: append(slices.Clip(w.steps), step{to, at, !c.back}), seqs: append(slices.Clip(w.seqs), t.seq)})
		followed++
		return followed < DefaultFan
	})
}

// asserted returns the nodes that the beginning stands to in this relation
// anyway.
func (c *chains) asserted() map[int32]bool {
	out := map[int32]bool{}
	nd := c.nodes.at(c.from)
	list := nd.out
	if c.back {
		list = nd.in
	}
	c.each(list, func(_ int32, t *triple) bool {
		if t.predicate == c.predicate {
			out[t.object], out[t.subject] = true, true
		}
		return true
	})
	return out
}

func (c *chains) inferred(w *way) Inferred {
	x := Inferred{Predicate: c.predicates[c.predicate].Name, Confidence: w.sure}
	for _, s := range w.steps {
		x.Chain = append(x.Chain, c.unpack(c.triples.at(s.at)))
	}
	x.Subject, x.Object = c.nodes.at(c.from).key, c.nodes.at(w.at).key
	if c.back {
		slices.Reverse(x.Chain)
		x.Subject, x.Object = x.Object, x.Subject
	}
	return x
}
