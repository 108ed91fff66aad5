package graph

import "slices"

// lens is a view as the net understands it.
type lens struct {
	*Net
	all    bool   // every realm
	realms []bool // by number
	timed  bool
	at     int64
	// pause lets changes come in while fn runs; nil if the net stays as it is
	pause func(fn func())
}

// look prepares a view. The net must be locked.
func (n *Net) look(v View) *lens {
	l := &lens{Net: n, all: len(v.Realms) == 0, timed: !v.At.IsZero(), realms: make([]bool, len(n.realms))}
	if l.timed {
		l.at = v.At.UnixMilli()
	}
	for _, r := range v.Realms {
		if at, ok := n.byRealm[r]; ok {
			l.realms[at] = true
		}
	}
	return l
}

// see runs fn on a view, with the net locked against changes meanwhile.
func (n *Net) see(v View, fn func(l *lens)) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	fn(n.look(v))
}

// seeLong is see for what goes through much of the net. It may pause, and must
// then expect that triples it has seen are gone or others.
func (n *Net) seeLong(v View, fn func(l *lens)) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	l := n.look(v)
	l.pause = func(fn func()) {
		n.mu.RUnlock()
		fn()
		n.mu.RLock()
		pause := l.pause
		*l = *n.look(v)
		l.pause = pause
	}
	fn(l)
}

// sees says whether a triple is part of the view.
func (l *lens) sees(t *triple) bool {
	return (l.all || l.realms[t.realm]) && (!l.timed || t.from <= l.at && l.at < t.until)
}

// each calls fn with the triples of a list that the view shows, the strongest
// first, until it has had enough.
func (l *lens) each(list []int32, fn func(at int32, t *triple) bool) {
	for _, at := range list {
		if t := l.triples.at(at); l.sees(t) && !fn(at, t) {
			return
		}
	}
}

// step is one triple followed from one of its ends.
type step struct {
	to      int32
	at      int32 // the triple
	forward bool  // from subject to object
}

// steps calls fn with everything one step from a node, first forward, then
// back, each with the strongest first. Of each direction it follows at most so
// many (0 = all).
func (l *lens) steps(from int32, most int, fn func(s step, t *triple)) {
	nd := l.nodes.at(from)
	for _, forward := range []bool{true, false} {
		list, n := nd.out, 0
		if !forward {
			list = nd.in
		}
		l.each(list, func(at int32, t *triple) bool {
			to := t.object
			if !forward {
				to = t.subject
			}
			fn(step{to, at, forward}, t)
			n++
			return most <= 0 || n < most
		})
	}
}

// shows says whether any triple of a node is part of the view: without one,
// nothing is known of it here.
func (l *lens) shows(nd int32) bool {
	found := false
	l.steps(nd, 1, func(step, *triple) { found = true })
	return found
}

// Pattern is what triples are held against. Subject and Object are keys,
// Predicate is a name; what is empty fits everything.
type Pattern struct{ Subject, Predicate, Object string }

// Match returns the triples that fit a pattern, the strongest first, at most so
// many (0 = all).
func (n *Net) Match(v View, p Pattern, limit int) []Triple {
	n.mu.RLock()
	defer n.mu.RUnlock()
	l := n.look(v)
	predicate, okP := n.byName[p.Predicate]
	subject, okS := n.byKey[p.Subject]
	object, okO := n.byKey[p.Object]
	if p.Predicate != "" && !okP || p.Subject != "" && !okS || p.Object != "" && !okO {
		return nil
	}
	var found []int32
	take := func(list []int32) {
		enough := len(found) + limit
		l.each(list, func(at int32, t *triple) bool {
			if (p.Predicate == "" || t.predicate == predicate) && (p.Subject == "" || t.subject == subject) && (p.Object == "" || t.object == object) {
				found = append(found, at)
			}
			return limit <= 0 || len(found) < enough
		})
	}
	switch {
	case p.Subject != "" && (p.Object == "" || len(n.nodes.at(subject).out) <= len(n.nodes.at(object).in)):
		take(n.nodes.at(subject).out)
	case p.Object != "":
		take(n.nodes.at(object).in)
	case p.Predicate != "":
		take(n.predicates[predicate].list)
	default:
		for _, r := range n.predicates {
			take(r.list)
		}
	}
	return n.strongest(found, limit)
}

// Around returns the triples a node takes part in, the strongest first.
func (n *Net) Around(v View, key string, limit int) []Triple {
	n.mu.RLock()
	defer n.mu.RUnlock()
	at, ok := n.byKey[key]
	if !ok {
		return nil
	}
	var found []int32
	n.look(v).steps(at, limit, func(s step, _ *triple) { found = append(found, s.at) })
	return n.strongest(found, limit)
}

// strongest puts triples in order and cuts them to a limit.
func (n *Net) strongest(found []int32, limit int) []Triple {
	slices.SortFunc(found, n.stronger)
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	out := make([]Triple, len(found))
	for i, at := range found {
		out[i] = n.unpack(n.triples.at(at))
	}
	return out
}

// Counts says how many triples a net holds.
type Counts struct {
	Triples     int
	Open        int            // without an end
	ByPredicate map[string]int // of all
}

// countSlice is how many triples are counted before others get their turn.
const countSlice = 64 << 10

// Count counts the triples of some realms, of all if none is named. What changes
// meanwhile is counted or not.
func (n *Net) Count(realms []string) Counts {
	c := Counts{ByPredicate: map[string]int{}}
	for from, more := int32(0), true; more; from += countSlice {
		more = n.countSlice(realms, from, &c)
	}
	return c
}

func (n *Net) countSlice(realms []string, from int32, c *Counts) (more bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	seen := make([]bool, len(n.realms))
	for i, name := range n.realms {
		seen[i] = len(realms) == 0 || slices.Contains(realms, name)
	}
	by := make([]int, len(n.predicates))
	end := min(from+countSlice, n.triples.n)
	for at := from; at < end; at++ {
		t := n.triples.at(at)
		if t.gone() || !seen[t.realm] {
			continue
		}
		by[t.predicate]++
		c.Triples++
		if t.until == stillValid {
			c.Open++
		}
	}
	for i, k := range by {
		if k > 0 {
			c.ByPredicate[n.predicates[i].Name] += k
		}
	}
	return end < n.triples.n
}
