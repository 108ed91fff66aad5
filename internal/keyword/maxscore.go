package keyword

import (
	"cmp"
	"context"
	"slices"
)

// boundSlack makes up for sums of bounds being rounded otherwise than sums of
// scores: a document is passed over only if its bound is clearly too low.
const boundSlack = 1 + 1e-9

// cancelEvery is how many windows are scanned between looks at the context.
const cancelEvery = 256

// scan finds the best documents of a leaf by block-max MaxScore. Lists are
// ordered by their bound; those whose bounds together cannot lift a document
// over the threshold are only probed for documents that others bring up. The
// same is decided again for every window, a range of documents within one
// block of each driving list, with the bounds of these blocks: a window that
// cannot reach the threshold is passed over without being unpacked. Against
// WAND this spares the sorting of cursors after every document, which is what
// queries with common words spend their time on.
type scan struct {
	top        *topK
	exhaustive bool
	counts     *scanCounts

	cursors []cursor  // by slot, reused from leaf to leaf
	order   []*cursor // by bound, ascending
	probes  []*cursor
	drivers []*cursor
	reach   []float64 // by probe: the most that it and those before it can add
	parts   []float64 // by slot: what the lists gave to the current document
	idAt    func(ord uint32) uint64
	leaf    int32
	accept  bitset // nil accepts every document
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
	return s.top.threshold()
}

// run scans the lists in s.order.
func (s *scan) run(ctx context.Context) error {
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
		if first == len(s.order) {
			return nil
		}
		if s.accept != nil {
			if next = s.accept.next(next, noDoc); next == noDoc {
				return nil
			}
		}
		hi := s.window(next, first)
		if hi == noDoc {
			return s.check()
		}
		if s.partition(hi, first, theta) {
			s.scanWindow(next, hi, theta)
		}
		next = hi + 1
	}
}

// window moves the essential lists to the blocks that reach next, drops those
// that have ended, and returns the last document all blocks cover.
func (s *scan) window(next uint32, first int) (hi uint32) {
	hi = noDoc
	kept := s.order[:first]
	for _, c := range s.order[first:] {
		c.toBlock(next)
		if c.done() {
			continue
		}
		kept = append(kept, c)
		hi = min(hi, c.last)
	}
	s.order = kept
	return hi
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
		i := len(s.drivers)
		s.drivers = append(s.drivers, c)
		for ; i > 0 && s.drivers[i-1].bound > c.bound; i-- {
			s.drivers[i] = s.drivers[i-1]
		}
		s.drivers[i] = c
	}
	k := 0
	for k < len(s.drivers) && (rest+s.drivers[k].bound)*boundSlack < theta {
		rest += s.drivers[k].bound
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
		c.settle(lo)
	}
	for {
		doc := uint32(noDoc)
		for _, c := range s.drivers {
			doc = min(doc, c.doc)
		}
		if doc > hi {
			return
		}
		if s.accept != nil && !s.accept.has(doc) {
			to := s.accept.next(doc, noDoc)
			if to > hi {
				return
			}
			for _, c := range s.drivers {
				c.settle(to)
			}
			continue
		}
		s.counts.touched++
		sum := 0.0
		for _, c := range s.drivers {
			if c.doc == doc {
				part := c.score()
				s.parts[c.slot] = part
				sum += part
				c.next()
			}
		}
		if s.probe(doc, sum, theta) {
			s.counts.scored++
			// The sum runs over the lists in the order of the query, so that
			// a score does not depend on how it was found.
			score := 0.0
			for _, part := range s.parts {
				score += part
			}
			if score >= s.top.threshold() { // else its id need not be looked up
				s.top.push(candidate{score: score, id: s.idAt(doc), leaf: s.leaf, ord: doc})
				theta = s.threshold()
			}
		}
		clear(s.parts)
	}
}

// probe adds what the other lists give to doc, and reports whether it may
// reach the threshold.
func (s *scan) probe(doc uint32, sum, theta float64) bool {
	for i := len(s.probes) - 1; i >= 0; i-- {
		if (sum+s.reach[i])*boundSlack < theta {
			return false
		}
		c := s.probes[i]
		c.toBlock(doc)
		below := 0.0
		if i > 0 {
			below = s.reach[i-1]
		}
		if c.low > doc {
			continue
		}
		if (sum+below+c.bound)*boundSlack < theta {
			return false
		}
		c.settle(doc)
		if c.doc == doc {
			part := c.score()
			s.parts[c.slot] = part
			sum += part
		}
	}
	return sum*boundSlack >= theta
}

// check reports damage that a cursor met.
func (s *scan) check() error {
	for i := range s.cursors {
		if s.cursors[i].damaged {
			return damagedf("a posting list does not hold together")
		}
	}
	return nil
}
