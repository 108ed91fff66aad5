package mind

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/codebase"
	"chitta/internal/graph"
	"chitta/internal/store"
)

// Questions that follow facts over several steps see source code through a net
// of their own: it is made for the question, holds what lies around the ends
// that are asked about, stored facts and code alike, and is gone with the
// answer.

const (
	// walkFan bounds how many facts of a kind and direction are followed from one
	// thing, the surest.
	walkFan = 32
	// walkWidth bounds from how many things of one step it goes on, the surest.
	walkWidth = 64
	// walkAtOnce is of how many things facts are read together: few enough that
	// one that everything calls does not use up what is read.
	walkAtOnce = 8
	// walkStored bounds how many stored facts are followed from one concept.
	walkStored = 64
	// nodePrefix begins the keys of nodes that no concept stands for. Keys of
	// concepts have no capitals.
	nodePrefix = "CODE "
)

// codeNet is stored facts and code around some ends.
type codeNet struct {
	*Mind
	q     *asked
	net   *graph.Net
	facts map[int64]FactView     // of code, by number; below 0
	nodes map[string]string      // keys of nodes by thing
	spots map[string]spot        // by key of node
	known map[string]bool        // keys of concepts that were looked up
	are   map[int64]*spot        // what concepts are in the code, by row
	sure  map[string]float64     // how sure the way to a node is
	grown map[string]bool        // nodes whose facts are here
	added map[[3]string]struct{} // facts of code that are here
	began map[string]bool        // nodes it began at
	cut   bool                   // something was left aside
	way   follows
}

func (m *Mind) newCodeNet(q *asked, way follows) *codeNet {
	return &codeNet{
		Mind: m, q: q, net: graph.NewNet(), facts: map[int64]FactView{}, nodes: map[string]string{}, spots: map[string]spot{},
		known: map[string]bool{}, are: map[int64]*spot{}, sure: map[string]float64{}, grown: map[string]bool{}, added: map[[3]string]struct{}{},
		began: map[string]bool{}, way: way,
	}
}

// follows says which facts of code are followed from a thing; inner: it is a type,
// or what was asked about.
type follows func(inner bool) codebase.Select

// beside are the facts that say more than what stands where.
func beside() []string {
	return []string{codebase.RelatesCalls, codebase.RelatesImports, codebase.RelatesInherits}
}

// outward follows what a thing calls and needs, and goes into types.
func outward(inner bool) codebase.Select {
	return codebase.Select{Out: sideways(inner).Out, Most: walkFan}
}

// inward follows what calls and needs a thing.
func inward(bool) codebase.Select { return codebase.Select{In: beside(), Most: walkFan} }

// sideways follows calls, imports and types, and goes into types, and into
// what it began at: that two functions stand in one file says little of them.
func sideways(inner bool) codebase.Select {
	sel := codebase.Select{Out: beside(), In: beside(), Most: walkFan}
	if inner {
		sel.Out = codebase.RelationKinds()
	}
	return sel
}

// everyway follows everything.
func everyway(bool) codebase.Select {
	return codebase.Select{Out: codebase.RelationKinds(), In: codebase.RelationKinds(), Most: walkFan}
}

// inwards follows what is said of all that follows it: what contains and inherits.
func inwards(bool) codebase.Select {
	kinds := []string{codebase.RelatesInherits, codebase.RelatesContains}
	return codebase.Select{Out: kinds, In: kinds, Most: walkFan}
}

// begin returns the nodes of an entity.
func (n *codeNet) begin(ctx context.Context, e *entity) ([]string, error) {
	keys := keysOf(e.concepts)
	if err := n.settle(ctx, e.code); err != nil {
		return nil, err
	}
	for i := range e.code {
		if key := n.node(&e.code[i]); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		n.sure[key], n.began[key] = 1, true
	}
	return keys, nil
}

func thingKey(s *spot) string { return s.ask.Root() + " " + s.ID }

// node returns the key of a thing's node, which is settled.
func (n *codeNet) node(s *spot) string { return n.nodes[thingKey(s)] }

// settle decides which nodes things are: that of the concept which is the same,
// if there is one, else one of their own.
func (n *codeNet) settle(ctx context.Context, list []spot) error {
	var fresh []spot
	var keys []string
	for _, s := range list {
		if _, ok := n.nodes[thingKey(&s)]; ok {
			continue
		}
		n.nodes[thingKey(&s)] = nodePrefix + thingKey(&s)
		for _, name := range namesOf(&s) {
			keys = append(keys, graph.Key(name))
		}
		fresh = append(fresh, s)
	}
	slices.Sort(keys)
	concepts, err := n.store.ConceptsNamed(ctx, n.q.realms, slices.Compact(keys)...)
	if err != nil {
		return err
	}
	for i := range concepts {
		is, err := n.is(ctx, &concepts[i])
		if err != nil {
			return err
		}
		if is != nil && slices.ContainsFunc(fresh, is.is) {
			n.nodes[thingKey(is)] = concepts[i].Key
		}
	}
	for _, s := range fresh {
		n.spots[n.node(&s)] = s
	}
	return nil
}

// is returns what a concept is in the code.
func (n *codeNet) is(ctx context.Context, c *store.Concept) (*spot, error) {
	s, ok := n.are[c.Seq]
	if ok {
		return s, nil
	}
	s, err := n.codeOfConcept(ctx, n.q, c)
	n.are[c.Seq] = s
	return s, err
}

// namesOf returns the names that a concept may have which is a thing.
func namesOf(s *spot) []string {
	if s.Symbol == nil {
		return []string{s.Name}
	}
	names := []string{s.Name, s.Symbol.Path, s.Symbol.Name}
	for full, more := s.Symbol.Qualified, true; more; { // with ever fewer folders
		names = append(names, full)
		_, full, more = strings.Cut(full, "/")
	}
	return names
}

// grow takes over the facts of nodes and returns those they lead to, the surest
// first and at most so many as it goes on from.
func (n *codeNet) grow(ctx context.Context, from []string) ([]string, error) {
	from = slices.DeleteFunc(slices.Clone(from), func(key string) bool { return n.grown[key] })
	var next []string
	reach := func(at, to string, confidence float64) {
		if _, ok := n.sure[to]; !ok {
			next = append(next, to)
		}
		n.sure[to] = max(n.sure[to], n.sure[at]*confidence)
	}
	for _, key := range from {
		n.grown[key] = true
		for _, t := range n.q.net.Around(n.q.view, key, walkStored) {
			n.net.Apply(graph.Change{Triple: t})
			other := t.Object
			if other == key {
				other = t.Subject
			}
			reach(key, other, t.Confidence)
		}
	}
	if err := n.meet(ctx, from); err != nil {
		return nil, err
	}
	for part := range slices.Chunk(from, walkAtOnce) {
		if err := n.follow(ctx, part, reach); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(next, func(a, b string) int { return cmp.Or(cmp.Compare(n.sure[b], n.sure[a]), cmp.Compare(a, b)) })
	if len(next) > walkWidth {
		next, n.cut = next[:walkWidth], true
	}
	return next, nil
}

// meet finds what concepts among nodes are in the code.
func (n *codeNet) meet(ctx context.Context, keys []string) error {
	var look []string
	for _, key := range keys {
		if _, ok := n.spots[key]; !ok && !n.known[key] {
			n.known[key] = true
			look = append(look, key)
		}
	}
	concepts, err := n.store.ConceptsNamed(ctx, n.q.realms, look...)
	if err != nil {
		return err
	}
	for i := range concepts {
		s, err := n.is(ctx, &concepts[i])
		if err != nil {
			return err
		}
		if s != nil {
			if err := n.settle(ctx, []spot{*s}); err != nil {
				return err
			}
		}
	}
	return nil
}

// follow takes over what the code says of nodes.
func (n *codeNet) follow(ctx context.Context, keys []string, reach func(at, to string, confidence float64)) error {
	for _, inner := range []bool{true, false} {
		var list []spot
		for _, key := range keys {
			if s, ok := n.spots[key]; ok && (n.began[key] || isType(&s)) == inner {
				list = append(list, s)
			}
		}
		err := byProject(list, func(ask *codebase.Ask, things []codebase.Thing) error {
			found, err := ask.Relations(ctx, things, n.way(inner))
			if err != nil {
				return err
			}
			n.cut = n.cut || found.Cut || len(found.List) < found.Found
			return n.take(ctx, ask, found.List, reach)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// aside reports whether a thing is outside of the project and not asked about:
// what imports the same library has nothing in common.
func (n *codeNet) aside(s *spot) bool { return s.Symbol == nil && s.File == "" && !n.began[n.node(s)] }

func isType(s *spot) bool { return s.Symbol != nil && code.Kind(s.Symbol.Kind).Type() }

// take adds relations to the net.
func (n *codeNet) take(ctx context.Context, ask *codebase.Ask, list []codebase.Relation, reach func(at, to string, confidence float64)) error {
	var ends []spot
	for i := range list {
		ends = append(ends, spot{ask, list[i].From}, spot{ask, list[i].To})
	}
	if err := n.settle(ctx, ends); err != nil {
		return err
	}
	for i := range list {
		r := &list[i]
		from, to := n.node(&ends[2*i]), n.node(&ends[2*i+1])
		key := [3]string{r.Kind, from, to}
		if _, ok := n.added[key]; ok || from == to || n.aside(&ends[2*i+1]) {
			continue
		}
		n.added[key] = struct{}{}
		seq := -int64(len(n.facts)) - 1
		n.facts[seq] = codeFact(ask, r)
		n.net.Apply(graph.Change{Triple: graph.Triple{Seq: seq, Realm: n.facts[seq].Realm, Subject: from, Predicate: r.Kind, Object: to, Confidence: r.Confidence}})
		if n.grown[from] {
			reach(from, to, r.Confidence)
		}
		if n.grown[to] {
			reach(to, from, r.Confidence)
		}
	}
	return nil
}

// spread grows from nodes so many steps far.
func (n *codeNet) spread(ctx context.Context, from []string, steps int) error {
	var err error
	for range steps {
		if from, err = n.grow(ctx, from); err != nil || len(from) == 0 {
			return err
		}
	}
	return nil
}

// ofCode reports whether one of some triples is of code.
func ofCode(list []graph.Triple) bool {
	return slices.ContainsFunc(list, func(t graph.Triple) bool { return t.Seq < 0 })
}

// shownEach is [Mind.shownEach] for triples of which some are of code.
func (n *codeNet) shownEach(ctx context.Context, lists [][]graph.Triple) ([][]FactView, error) {
	stored := make([][]graph.Triple, len(lists))
	for i, list := range lists {
		stored[i] = slices.DeleteFunc(slices.Clone(list), func(t graph.Triple) bool { return t.Seq < 0 })
	}
	views, err := n.Mind.shownEach(ctx, stored)
	if err != nil {
		return nil, err
	}
	out := make([][]FactView, len(lists))
	for i, list := range lists {
		if len(views[i]) < len(stored[i]) {
			continue // a fact of it went meanwhile
		}
		for _, t := range list {
			if t.Seq < 0 {
				out[i] = append(out[i], n.facts[t.Seq])
			} else {
				out[i], views[i] = append(out[i], views[i][0]), views[i][1:]
			}
		}
	}
	return out, nil
}
