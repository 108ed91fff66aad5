package keyword

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
)

// boundSlack makes up for sums of bounds being rounded otherwise than sums of
// scores: a document is passed over only if its bound is clearly too low.
const boundSlack = 1 + 1e-9

const (
	// windowDocs is how many documents are looked at together: what the lists
	// give to them, eight bytes each, stays in the nearest cache.
	windowDocs = 1024

	// cancelEvery is how many windows are scanned between looks at the context.
	cancelEvery = 64

	// probeCost is how many postings can be read in a row in the time that it
	// takes to look one document up.
	probeCost = 12
)

// scan finds the best documents of a leaf by block-max MaxScore, a window of
// documents at a time. Lists are ordered by their bound; those whose bounds
// together cannot lift a document over the threshold are only asked about
// documents that others, the drivers, bring up. The same is decided again for
// every window with the bounds of the blocks in it. Within a window the work
// goes list by list, in plain loops over arrays: document by document, most of
// the time would go into finding out which list is where.
type scan struct {
	top        *topK
	exhaustive bool
	counts     *scanCounts

	cursors []*cursor // by slot, reused from leaf to leaf
	slots   []*cursor // those in use, by slot
	order   []*cursor // those that have not ended, by bound, ascending
	probes  []*cursor
	drivers []*cursor
	reach   []float64 // by probe: the most that it and those before it can add
	idAt    func(ord uint32) uint64
	leaf    int32
	accept  bitset  // nil accepts every document
	floor   float64 // that the best documents are known to reach

	base  uint32                  // first document of the window, a multiple of 64
	seen  [windowDocs / 64]uint64 // documents that drivers bring up
	found []partial
	heap  []candidate // memory for the best
}

// partial is a document of a window and what some of the lists give to it.
type partial struct {
	at  uint32 // place in the window
	sum float64
}

// scanCounts says how much work a search was.
type scanCounts struct {
	postings uint64 // in all lists of the query
	scored   uint64 // documents whose score was worked out in full
	touched  uint64 // documents looked at
}

func (s *scan) threshold() float64 {
	if s.exhaustive {
		return negInf
	}
	return max(s.floor, s.top.threshold())
}

// run scans the lists in s.slots.
func (s *scan) run(ctx context.Context) error {
	s.order = append(s.order[:0], s.slots...)
	slices.SortStableFunc(s.order, func(a, b *cursor) int { return cmp.Compare(a.max, b.max) })
	next := uint32(0)
	for n := 0; ; n++ {
		if n%cancelEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		theta := s.threshold()
		rest, first := 0.0, 0
		for first < len(s.order) && (rest+s.order[first].max)*boundSlack < theta {
			rest += s.order[first].max
			first++
		}
		lo := s.start(next, first)
		if lo == noDoc {
			return s.check()
		}
		s.base = lo &^ 63
		hi := s.base + windowDocs - 1
		if s.partition(hi, first, theta) {
			s.scanWindow(lo, hi, theta)
		}
		next = hi + 1
	}
}

// start moves the essential lists to the blocks that reach next, drops those
// that have ended, and returns the first document that any of them may have
// and that may be found, or noDoc.
func (s *scan) start(next uint32, first int) (lo uint32) {
	if s.accept != nil {
		if next = s.accept.next(next, noDoc); next == noDoc {
			return noDoc
		}
	}
	lo = noDoc
	kept := s.order[:first]
	for _, c := range s.order[first:] {
		c.toBlock(next)
		if c.done() {
			continue
		}
		kept = append(kept, c)
		lo = min(lo, max(next, c.low))
	}
	s.order = kept
	return lo
}

// partition splits the lists into drivers and probes for a window, and reports
// whether any document in it can reach the threshold.
func (s *scan) partition(hi uint32, first int, theta float64) bool {
	s.probes = append(s.probes[:0], s.order[:first]...)
	s.reach = s.reach[:0]
	rest := 0.0
	for _, c := range s.probes {
		rest += c.max
		s.reach = append(s.reach, rest)
	}
	s.drivers = s.drivers[:0]
	for _, c := range s.order[first:] {
		if c.low > hi {
			continue // adds nothing before the window ends
		}
		c.most = c.boundTo(hi)
		i := len(s.drivers)
		s.drivers = append(s.drivers, c)
		for ; i > 0 && s.drivers[i-1].most > c.most; i-- {
			s.drivers[i] = s.drivers[i-1]
		}
		s.drivers[i] = c
	}
	k := 0
	for k < len(s.drivers) && (rest+s.drivers[k].most)*boundSlack < theta {
		rest += s.drivers[k].most
		s.probes = append(s.probes, s.drivers[k])
		s.reach = append(s.reach, rest)
		k++
	}
	s.drivers = s.drivers[k:]
	return len(s.drivers) > 0
}

// scanWindow looks at every document from lo to hi that a driver holds.
func (s *scan) scanWindow(lo, hi uint32, theta float64) {
	for _, c := range s.drivers {
		c.fill(s.base, lo, hi, &s.seen)
	}
	s.gather(theta)
	for i := len(s.probes) - 1; i >= 0 && len(s.found) > 0; i-- {
		below := 0.0
		if i > 0 {
			below = s.reach[i-1]
		}
		s.probe(s.probes[i], below, lo, hi, theta)
	}
	for _, p := range s.found {
		s.counts.scored++
		// The sum runs over the lists in the order of the query, so that a
		// score does not depend on how it was found.
		score := 0.0
		for _, c := range s.slots {
			score += c.parts[p.at]
		}
		if score >= s.top.threshold() { // else its id need not be looked up
			doc := s.base + p.at
			s.top.push(candidate{score: score, id: s.idAt(doc), leaf: s.leaf, ord: doc})
		}
	}
	for _, c := range s.slots {
		c.wipe()
	}
}

// gather collects the documents that the drivers brought up and that may reach
// the threshold.
func (s *scan) gather(theta float64) {
	s.found = s.found[:0]
	rest := 0.0
	if n := len(s.reach); n > 0 {
		rest = s.reach[n-1]
	}
	for w, word := range s.seen {
		if word == 0 {
			continue
		}
		s.seen[w] = 0
		if s.accept != nil {
			at := int(s.base>>6) + w
			if at >= len(s.accept) {
				continue
			}
			word &= s.accept[at]
		}
		s.counts.touched += uint64(bits.OnesCount64(word))
		for ; word != 0; word &= word - 1 {
			at := uint32(w<<6 + bits.TrailingZeros64(word))
			sum := 0.0
			for _, c := range s.drivers {
				sum += c.parts[at]
			}
			if (sum+rest)*boundSlack >= theta {
				s.found = append(s.found, partial{at: at, sum: sum})
			}
		}
	}
}

// probe adds what one more list gives to the documents found, and drops those
// that cannot reach the threshold with what is left, below.
func (s *scan) probe(c *cursor, below float64, lo, hi uint32, theta float64) {
	whole := len(s.found)*probeCost >= c.about(hi-lo+1)
	if whole {
		c.fill(s.base, lo, hi, nil)
	}
	kept := s.found[:0]
	for _, p := range s.found {
		if !whole {
			doc := s.base + p.at
			c.toBlock(doc)
			if c.low <= doc {
				if (p.sum+below+c.bound)*boundSlack < theta {
					continue
				}
				c.lookUp(doc, p.at)
			}
		}
		p.sum += c.parts[p.at]
		if (p.sum+below)*boundSlack >= theta {
			kept = append(kept, p)
		}
	}
	s.found = kept
}

// check reports damage that a cursor met.
func (s *scan) check() error {
	for _, c := range s.slots {
		if c.damaged {
			return damagedf("a posting list does not hold together")
		}
	}
	return nil
}
