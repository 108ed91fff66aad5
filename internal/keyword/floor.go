package keyword

import (
	"cmp"
	"context"
	"slices"
)

// floorShare is the part of a query's postings that is read twice, to know
// early how good a document must be.
const floorShare = 32

// floor returns a score that the k best documents reach: that of the k-th best
// by the rarest lists alone, the ones that tell most for the least reading. It
// spares the scan what it would otherwise look at before it has seen k good
// documents. Without such lists it is negInf.
func (s *searching) floor(ctx context.Context, sc *scan, accepted []bitset) (float64, error) {
	rare := s.rareLists()
	if rare == nil {
		return negInf, nil
	}
	top := topK{k: s.top.k}
	for i, l := range s.leaves {
		if l.live != nil || !s.prepare(sc, int32(i), l, accepted[i], rare) {
			continue
		}
		if err := sc.partials(ctx, &top); err != nil {
			return 0, err
		}
	}
	return top.threshold(), nil
}

// rareLists marks the lists that are read to find a floor, by slot, or returns
// nil if they would be too few to have k documents or if there is nothing to be
// spared.
func (s *searching) rareLists() []bool {
	order := make([]int, 0, len(s.df))
	all := uint64(0)
	for i, df := range s.df {
		if df > 0 {
			order = append(order, i)
			all += df
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(s.df[a], s.df[b]) })
	rare := make([]bool, len(s.df))
	sum := uint64(0)
	for _, i := range order {
		if sum+s.df[i] > all/floorShare {
			break
		}
		sum += s.df[i]
		rare[i] = true
	}
	if s.query.Exhaustive || sum < uint64(s.top.k) {
		return nil
	}
	return rare
}

// partials gives top the sums of the lists in s.slots.
func (s *scan) partials(ctx context.Context, top *topK) error {
	s.order = append(s.order[:0], s.slots...)
	s.reach = s.reach[:0]
	for next := uint32(0); ; next = s.base + windowDocs {
		lo := s.start(next, 0)
		if lo == noDoc {
			return s.check()
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		s.base = lo &^ 63
		s.drivers = append(s.drivers[:0], s.order...)
		for _, c := range s.drivers {
			c.fill(s.base, lo, s.base+windowDocs-1, &s.seen)
		}
		s.gather(negInf)
		for _, p := range s.found {
			if p.sum >= top.threshold() {
				top.push(candidate{score: p.sum})
			}
		}
		for _, c := range s.slots {
			c.wipe()
		}
	}
}
