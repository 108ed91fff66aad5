package graph

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"
)

// Triple is a fact as the net holds it. Subject and Object are keys ([Key]):
// concepts of several realms that share a key are one node here, so that what
// a project knows joins up with what the user knows.
type Triple struct {
	Seq                        int64 // row in the store
	Realm                      string
	Subject, Predicate, Object string
	Confidence                 float64
	ValidFrom, ValidUntil      time.Time // ValidUntil zero: it still holds
}

// Change is a triple as it is now, or the news that it is gone.
type Change struct {
	Triple
	Gone bool
}

// View says what of the net a question may see.
type View struct {
	Realms []string  // none: all
	At     time.Time // what held then; zero: what held at any time
}

// Net holds all triples in memory, for questions that follow them over several
// steps. It is filled from the store's sequence of changes with [Net.Apply];
// what it answers depends only on the triples in it, not on the order they
// came in. It is safe for concurrent use.
type Net struct {
	mu         sync.RWMutex
	nodes      paged[node]
	byKey      map[string]int32
	triples    paged[triple]
	free       []int32                      // places of triples that are gone
	places     map[int64]*[placesPage]int32 // Seq → place + 1, by pages: rows are numbered densely
	predicates []*relation
	byName     map[string]uint32
	realms     []string
	byRealm    map[string]uint32
	count      int
}

// node is a concept: its triples in both directions, the strongest first.
type node struct {
	key     string
	out, in []int32
}

// relation is a predicate and all its triples, the strongest first.
type relation struct {
	Predicate
	list []int32
}

// triple is packed: there may be a million of them.
type triple struct {
	seq              int64
	from, until      int64 // milliseconds; stillValid while it has no end
	confidence       float64
	subject, object  int32
	predicate, realm uint32
}

// gone says that a place is free: rows of the store are numbered from 1.
func (t *triple) gone() bool { return t.seq == 0 }

const (
	stillValid = math.MaxInt64
	placesBits = 10
	placesPage = 1 << placesBits // rows per page of places
)

// NewNet returns an empty net.
func NewNet() *Net {
	return &Net{byKey: map[string]int32{}, places: map[int64]*[placesPage]int32{}, byName: map[string]uint32{}, byRealm: map[string]uint32{}}
}

// Len returns how many triples the net holds.
func (n *Net) Len() int {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.count
}

// Apply takes changes over, in their order. A batch is cheaper than as many
// single ones.
func (n *Net) Apply(changes ...Change) {
	n.mu.Lock()
	defer n.mu.Unlock()
	p := pending{}
	for i := range changes {
		c := &changes[i]
		place := n.place(c.Seq)
		switch {
		case c.Gone && *place == 0:
		case c.Gone:
			n.remove(*place-1, p)
			*place = 0
		case *place == 0:
			*place = n.add(&c.Triple, p) + 1
		default:
			n.replace(*place-1, &c.Triple, p)
		}
	}
	for list, sorted := range p {
		n.settle(*list, sorted)
	}
}

// pending says of lists with new entries at their end how many before them are
// in order.
type pending map[*[]int32]int

func (n *Net) place(seq int64) *int32 {
	page := n.places[seq>>placesBits]
	if page == nil {
		page = new([placesPage]int32)
		n.places[seq>>placesBits] = page
	}
	return &page[seq&(placesPage-1)]
}

func (n *Net) pack(t *Triple) triple {
	until := int64(stillValid)
	if !t.ValidUntil.IsZero() {
		until = t.ValidUntil.UnixMilli()
	}
	from := int64(0) // as the store keeps a beginning that nobody knows
	if !t.ValidFrom.IsZero() {
		from = t.ValidFrom.UnixMilli()
	}
	return triple{seq: t.Seq, from: from, until: until, confidence: t.Confidence,
		subject: n.nodeOf(t.Subject), object: n.nodeOf(t.Object), predicate: n.relationOf(t.Predicate), realm: n.realmOf(t.Realm)}
}

func (n *Net) unpack(t *triple) Triple {
	out := Triple{Seq: t.seq, Realm: n.realms[t.realm], Subject: n.nodes.at(t.subject).key, Predicate: n.predicates[t.predicate].Name,
		Object: n.nodes.at(t.object).key, Confidence: t.confidence}
	if t.from != 0 {
		out.ValidFrom = time.UnixMilli(t.from).UTC()
	}
	if t.until != stillValid {
		out.ValidUntil = time.UnixMilli(t.until).UTC()
	}
	return out
}

func (n *Net) nodeOf(key string) int32 {
	at, ok := n.byKey[key]
	if !ok {
		at = n.nodes.grow()
		n.nodes.at(at).key = key
		n.byKey[key] = at
	}
	return at
}

func (n *Net) relationOf(name string) uint32 {
	at, ok := n.byName[name]
	if !ok {
		p, _, err := LookupPredicate(name)
		if err != nil || p.Name != name { // not from our own store; it gets the defaults
			p = Predicate{Name: name, Category: Associative, Spread: spreadDefault}
		}
		at = uint32(len(n.predicates))
		n.predicates = append(n.predicates, &relation{Predicate: p})
		n.byName[name] = at
	}
	return at
}

func (n *Net) realmOf(name string) uint32 {
	at, ok := n.byRealm[name]
	if !ok {
		at = uint32(len(n.realms))
		n.realms = append(n.realms, name)
		n.byRealm[name] = at
	}
	return at
}

// lists returns the three lists that a triple stands in.
func (n *Net) lists(t *triple) [3]*[]int32 {
	return [3]*[]int32{&n.nodes.at(t.subject).out, &n.nodes.at(t.object).in, &n.predicates[t.predicate].list}
}

func (n *Net) add(t *Triple, p pending) int32 {
	var at int32
	if last := len(n.free) - 1; last >= 0 {
		at, n.free = n.free[last], n.free[:last]
	} else {
		at = n.triples.grow()
	}
	packed := n.triples.at(at)
	*packed = n.pack(t)
	for _, list := range n.lists(packed) {
		if _, ok := p[list]; !ok {
			p[list] = len(*list)
		}
		*list = append(*list, at)
	}
	n.count++
	return at
}

func (n *Net) remove(at int32, p pending) {
	for _, list := range n.lists(n.triples.at(at)) {
		if sorted, ok := p[list]; ok {
			n.settle(*list, sorted)
			delete(p, list)
		}
		if i, ok := slices.BinarySearchFunc(*list, at, n.stronger); ok {
			*list = slices.Delete(*list, i, i+1)
		}
		if len(*list) == 0 {
			*list = nil
		}
	}
	*n.triples.at(at) = triple{}
	n.free = append(n.free, at)
	n.count--
}

// replace takes over what changed of a triple. An end, the usual change, leaves
// every order as it is.
func (n *Net) replace(at int32, t *Triple, p pending) {
	now, was := n.pack(t), n.triples.at(at)
	if now.subject == was.subject && now.object == was.object && now.predicate == was.predicate && now.confidence == was.confidence {
		*was = now
		return
	}
	n.remove(at, p)
	*n.place(t.Seq) = n.add(t, p) + 1
}

// stronger orders triples: by confidence, then the newer first. No two are
// equal, so there is one order only.
func (n *Net) stronger(a, b int32) int {
	x, y := n.triples.at(a), n.triples.at(b)
	if c := cmp.Compare(y.confidence, x.confidence); c != 0 {
		return c
	}
	return cmp.Compare(y.seq, x.seq)
}

// settle brings new entries at the end of a list into order. What stands before
// them is moved in blocks, so that one more triple of a hub costs little.
func (n *Net) settle(list []int32, sorted int) {
	tail := slices.Clone(list[sorted:])
	slices.SortFunc(tail, n.stronger)
	for i := len(tail) - 1; i >= 0; i-- {
		at, _ := slices.BinarySearchFunc(list[:sorted], tail[i], n.stronger)
		copy(list[at+i+1:], list[at:sorted])
		list[at+i] = tail[i]
		sorted = at
	}
}

// paged is a list that grows by pages: it wastes no room and never moves.
type paged[T any] struct {
	pages []*[pageSize]T
	n     int32
}

const pageSize = 1 << 10

func (p *paged[T]) at(i int32) *T { return &p.pages[i/pageSize][i%pageSize] }

func (p *paged[T]) grow() int32 {
	if int(p.n) == len(p.pages)*pageSize {
		p.pages = append(p.pages, new([pageSize]T))
	}
	p.n++
	return p.n - 1
}
