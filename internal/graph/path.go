package graph

import (
	"cmp"
	"container/heap"
	"slices"
)

// Bounds on the search for paths.
const (
	DefaultPaths    = 5
	DefaultPathHops = 4
	// MaxPathHops bounds what may be asked for: beyond it everything is
	// connected with everything and a path says nothing.
	MaxPathHops = 8
	// maxPathSteps bounds how many triples one search looks at from each side:
	// twice what it takes between hubs of ten thousand triples, and some tens
	// of milliseconds. Longer ways than that are left unfound.
	maxPathSteps = 400_000
	// maxPathStates bounds the beginnings of paths held at a time.
	maxPathStates = 20_000
)

// PathOptions bounds a search for paths. Zero values mean the defaults.
type PathOptions struct {
	Paths int // how many
	Hops  int // of how many triples each may be
}

// Hop is one triple of a path.
type Hop struct {
	Triple
	Forward bool // followed from subject to object
}

// Path is a way from one node to another.
type Path struct {
	Hops       []Hop
	Confidence float64 // the product of all
}

// Paths returns the surest ways between two nodes, along triples in either
// direction, none through a node twice. Sure is a high product of confidences;
// of equal ones the shorter comes first, then the one with older triples. cut
// says that the search was ended by its bounds, and more may exist.
func (n *Net) Paths(v View, from, to string, o PathOptions) (paths []Path, cut bool) {
	if o.Paths <= 0 {
		o.Paths = DefaultPaths
	}
	if o.Hops <= 0 {
		o.Hops = DefaultPathHops
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	a, okA := n.byKey[from]
	b, okB := n.byKey[to]
	if !okA || !okB || a == b {
		return nil, false
	}
	s := &search{lens: n.look(v), from: a, to: b, hops: min(o.Hops, MaxPathHops)}
	s.ahead()
	s.outlook()
	for _, w := range s.ways(o.Paths) {
		paths = append(paths, n.path(w))
	}
	return paths, s.cut
}

func (n *Net) path(w *way) Path {
	p := Path{Confidence: w.sure}
	for _, s := range w.steps {
		p.Hops = append(p.Hops, Hop{n.unpack(n.triples.at(s.at)), s.forward})
	}
	return p
}

// search looks for paths from both ends: first how far nodes are from the
// beginning, then backward from the end how sure the rest of a way can be at
// best. With that known, the surest ways are found one after another with
// hardly a step astray.
type search struct {
	*lens
	from, to int32
	hops     int
	looked   int // triples looked at
	cut      bool

	radius   int       // how far distance goes
	distance []int8    // from the beginning, by node; 0 if it is farther than radius
	rings    [][]int32 // nodes by distance
	best     []layer
}

// layer says of nodes how sure the surest way of so many hops to the end is.
// Nearly all of a large net may take part, so it is a list by node and no map.
type layer struct {
	sure  []float64 // by node; 0 if there is none
	nodes []int32   // those that have one
}

func (s *search) newLayer() layer { return layer{sure: make([]float64, s.nodes.n)} }

// raise notes a way if none surer is known.
func (l *layer) raise(nd int32, sure float64) {
	was := l.sure[nd]
	if sure <= was {
		return
	}
	if was == 0 {
		l.nodes = append(l.nodes, nd)
	}
	l.sure[nd] = sure
}

func (s *search) look(from int32, fn func(st step, t *triple)) {
	s.steps(from, 0, func(st step, t *triple) {
		s.looked++
		fn(st, t)
	})
}

// spent says whether the search has looked at enough.
func (s *search) spent() bool {
	s.cut = s.cut || s.looked > maxPathSteps
	return s.cut
}

// ahead finds what lies within half the way of the beginning.
func (s *search) ahead() {
	s.distance = make([]int8, s.nodes.n)
	s.rings = [][]int32{{s.from}}
	for s.radius < s.hops-s.hops/2 && !s.spent() {
		var next []int32
		for _, nd := range s.rings[s.radius] {
			s.look(nd, func(st step, _ *triple) {
				if s.distance[st.to] == 0 && st.to != s.from {
					s.distance[st.to] = int8(s.radius + 1)
					next = append(next, st.to)
				}
			})
		}
		s.radius++
		s.rings = append(s.rings, next)
	}
}

// outlook finds, for each number of hops, the nodes that are as far from the
// end, and how sure the surest way there is. Nodes too far from the beginning
// are left out. Each layer is made from the side that has less to look at:
// behind a hub it is mostly the beginning's.
func (s *search) outlook() {
	s.best = []layer{s.newLayer()}
	s.best[0].raise(s.to, 1)
	for left := 1; left <= s.hops && !s.spent(); left++ {
		last, next := &s.best[left-1], s.newLayer()
		near, known := s.within(s.hops - left)
		if known && s.work(near) < s.work(last.nodes) {
			for _, nd := range near {
				s.look(nd, func(st step, t *triple) { next.raise(nd, last.sure[st.to]*t.confidence) })
			}
		} else {
			for _, nd := range last.nodes {
				sure := last.sure[nd]
				s.look(nd, func(st step, t *triple) {
					if s.far(st.to)+left <= s.hops {
						next.raise(st.to, sure*t.confidence)
					}
				})
			}
		}
		s.best = append(s.best, next)
	}
}

// within returns the nodes at most so far from the beginning, if it is known
// which they are.
func (s *search) within(far int) (nodes []int32, known bool) {
	if far > s.radius {
		return nil, false
	}
	return slices.Concat(s.rings[:far+1]...), true
}

// work counts the triples of nodes.
func (s *search) work(nodes []int32) (triples int) {
	for _, nd := range nodes {
		x := s.nodes.at(nd)
		triples += len(x.in) + len(x.out)
	}
	return triples
}

// far returns how far a node is from the beginning at least.
func (s *search) far(nd int32) int {
	switch d := s.distance[nd]; {
	case nd == s.from:
		return 0
	case d == 0:
		return s.radius + 1
	default:
		return int(d)
	}
}

// rest returns how sure the rest of a way from a node can be.
func (s *search) rest(nd int32, hops int) float64 {
	top := 0.0
	for i := 0; i <= hops && i < len(s.best); i++ {
		top = max(top, s.best[i].sure[nd])
	}
	return top
}

// way is the beginning of a path.
type way struct {
	at    int32
	sure  float64 // so far
	hope  float64 // at best in the end
	steps []step
	seqs  []int64
}

// queue has the most promising way first.
type queue []*way

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].compare(q[j]) < 0 }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(*way)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	w := (*q)[last]
	*q = (*q)[:last]
	return w
}

func (w *way) compare(x *way) int {
	return cmp.Or(cmp.Compare(x.hope, w.hope), cmp.Compare(len(w.steps), len(x.steps)), slices.Compare(w.seqs, x.seqs))
}

// visits says whether a way comes by a node.
func (s *search) visits(w *way, nd int32) bool {
	return nd == s.from || slices.ContainsFunc(w.steps, func(st step) bool { return st.to == nd })
}

// ways finds the surest ways. What cannot become as sure as so many that have
// arrived already is not followed.
func (s *search) ways(most int) []*way {
	var found []*way
	var arrived []float64 // how sure the surest that reached the end are, ascending
	open := &queue{{at: s.from, sure: 1, hope: s.rest(s.from, s.hops)}}
	for open.Len() > 0 && len(found) < most {
		w := heap.Pop(open).(*way)
		if w.at == s.to {
			found = append(found, w)
			continue
		}
		if open.Len() > maxPathStates || s.looked > 2*maxPathSteps {
			s.cut = true
			break
		}
		left := s.hops - len(w.steps) - 1
		s.look(w.at, func(st step, t *triple) {
			rest := s.rest(st.to, left)
			if rest == 0 || s.visits(w, st.to) {
				return
			}
			sure := w.sure * t.confidence
			hope := sure * rest
			if len(arrived) == most && hope < arrived[0] {
				return
			}
			if st.to == s.to {
				at, _ := slices.BinarySearch(arrived, sure)
				arrived = slices.Insert(arrived, at, sure)
				arrived = arrived[max(0, len(arrived)-most):]
			}
			heap.Push(open, &way{at: st.to, sure: sure, hope: hope,
				steps: append(slices.Clip(w.steps), st), seqs: append(slices.Clip(w.seqs), t.seq)})
		})
	}
	return found
}
