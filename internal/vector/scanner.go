package vector

import (
	"context"
	"math"
	"math/bits"
)

const (
	// pairLimit is the largest value of a table: two must fit a byte.
	pairLimit = 127

	// sumLimit is the largest sum over a code.
	sumLimit = math.MaxUint16

	nibble = 4 // dimensions that share a table

	// checkSlabs is how many slabs are looked through between two looks at the
	// context: tens of microseconds, or a millisecond of exact search.
	checkSlabs = 8
)

// scanner looks through a part of the slabs.
type scanner struct {
	*searcher
	centre *centre // that lut and estimate are made for
	lut    []byte
	estimate
	scores [groupItems]float32
	list   shortlist // of a scan of codes
	top    topK      // of an exact scan
}

// run leaves the k best accepted items of the slabs from … to in list, or in
// top.
func (s *scanner) run(ctx context.Context, from, to, k int) error {
	s.top.reset(k)
	s.list.reset(k)
	s.centre = nil
	s.floor = float32(math.Inf(-1))
	for n := from; n < to; n++ {
		if n%checkSlabs == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		slab := s.x.slabs[n]
		accepted := (*[slabGroups]uint64)(s.accepted[n*slabGroups:])
		if s.exact {
			s.scoreAll(slab, n, accepted)
			continue
		}
		if e := slab.encoded; e.centre != s.centre {
			s.prepare(e.centre)
		}
		s.scan(slab, n, accepted)
	}
	s.list.cut()
	return nil
}

func (s *scanner) scoreAll(slab *slab, n int, accepted *[slabGroups]uint64) {
	for g, w := range accepted {
		for ; w != 0; w &= w - 1 {
			i := g*groupItems + bits.TrailingZeros64(w)
			s.top.push(candidate{score: s.score(slab, i), slot: uint32(n*slabItems + i), id: slab.ids[i]})
		}
	}
}

func (s *scanner) scan(slab *slab, n int, accepted *[slabGroups]uint64) {
	e := slab.encoded
	for g, w := range accepted {
		if w == 0 {
			continue
		}
		codes, factor, offset := e.group(g, s.x.rows)
		w &= scan(codes, s.lut, factor, offset, &s.estimate, &s.scores)
		if w == 0 {
			continue
		}
		for ; w != 0; w &= w - 1 {
			i := bits.TrailingZeros64(w)
			item := g*groupItems + i
			if s.list.add(candidate{score: s.scores[i], slot: uint32(n*slabItems + item), id: slab.ids[item]}) {
				s.floor = s.list.floor() // ties still come through: a lower id wins
			}
		}
	}
}

// prepare makes the tables for a centre c. With q the query, x an item, both of
// unit length, and s the signs that its code holds,
//
//	q·x = q·c + c·(x-c) + (q-c)·(x-c)
//
// where the first term is the same for all, the second is the item's offset,
// and the third is estimated by (q-c)·s times the item's factor |x-c|²/Σ|x-c|,
// which makes the estimate exact for q = x and unbiased over rotations. The sum
// (q-c)·s is looked up: for four dimensions at a time there are sixteen
// combinations of signs, whose sums are rounded to steps.
func (s *scanner) prepare(c *centre) {
	s.centre = c
	var widest, base, shift float32
	for at := 0; at < len(s.rotated); at += nibble {
		var width float32
		for j := at; j < at+nibble; j++ {
			width += abs(s.rotated[j] - c.rotated[j])
			shift += s.rotated[j] * c.rotated[j]
		}
		widest = max(widest, 2*width)
		base -= width
	}
	limit := min(pairLimit, sumLimit/(len(s.rotated)/nibble))
	s.step, s.base, s.shift = widest/float32(limit), base, shift
	var inverse float32
	if s.step > 0 {
		inverse = 1 / s.step
	}
	var sums [1 << nibble]float32
	for at := 0; at < len(s.rotated); at += nibble {
		sums[0] = 0
		for j := range nibble {
			d := s.rotated[at+j] - c.rotated[at+j]
			if d < 0 {
				sums[0] -= 2 * d // from the lowest sum, all signs against
			}
		}
		table := s.lut[at/nibble<<nibble:][:1<<nibble]
		for m := range sums {
			if m > 0 {
				j := bits.TrailingZeros(uint(m))
				sums[m] = sums[m&(m-1)] + 2*(s.rotated[at+j]-c.rotated[at+j])
			}
			table[m] = byte(min(limit, max(0, int(sums[m]*inverse+0.5))))
		}
	}
}

func abs(f float32) float32 { return math.Float32frombits(math.Float32bits(f) &^ (1 << 31)) }
