package vector

import (
	"math/bits"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
)

// Filter says which items may be found. It is worked out before the scan, so
// it never costs results. The zero value lets everything through.
type Filter struct {
	All    [][]string        // every group must have a label that the item bears
	None   []string          // labels the item must not bear
	After  int64             // Unix milliseconds, inclusive; zero is open
	Before int64             // Unix milliseconds, exclusive; zero is open
	IDs    *roaring64.Bitmap // items allowed; nil is all. Must not change during the search
}

func (f *Filter) open() bool {
	return len(f.All) == 0 && len(f.None) == 0 && f.After == 0 && f.Before == 0 && f.IDs == nil
}

// lookupCost is how many tests of a bitmap of ids one lookup of an id costs.
const lookupCost = 4

// accept fills s.accepted with the slots of the items that may be found, one
// bit each, and returns their number. The caller holds mu.
func (s *searcher) accept(f *Filter) int {
	x := s.x
	words := len(x.slabs) * slabGroups
	s.accepted = sized(s.accepted, words)
	if f.open() {
		s.addLive()
		return len(x.slots)
	}
	if f.IDs != nil && f.IDs.GetCardinality() < uint64(len(x.slots)/lookupCost) {
		s.addIDs(f.IDs)
	} else {
		s.addLive()
		if f.IDs != nil {
			s.keep(func(slab *slab, i int) bool { return f.IDs.Contains(slab.ids[i]) }, nil)
		}
	}
	for _, group := range f.All {
		and(s.accepted, s.bearers(group))
	}
	if len(f.None) > 0 {
		andNot(s.accepted, s.bearers(f.None))
	}
	if f.After != 0 || f.Before != 0 {
		s.keepTimes(f)
	}
	n := 0
	for _, w := range s.accepted {
		n += bits.OnesCount64(w)
	}
	return n
}

func (s *searcher) addLive() {
	for i, slab := range s.x.slabs {
		copy(s.accepted[i*slabGroups:], slab.live[:])
	}
}

func (s *searcher) addIDs(ids *roaring64.Bitmap) {
	for it := ids.Iterator(); it.HasNext(); {
		if slot, ok := s.x.slots[it.Next()]; ok {
			s.accepted[slot/groupItems] |= 1 << (slot % groupItems)
		}
	}
}

// bearers returns the slots of items that bear any of the labels.
func (s *searcher) bearers(names []string) []uint64 {
	s.any = sized(s.any, len(s.accepted))
	for n, name := range names {
		l := s.x.labels[name]
		switch {
		case l == nil:
		case n == 0:
			l.slots.WriteDenseTo(s.any)
		default:
			s.one = sized(s.one, len(s.accepted))
			l.slots.WriteDenseTo(s.one)
			for i, w := range s.one {
				s.any[i] |= w
			}
		}
	}
	return s.any
}

func (s *searcher) keepTimes(f *Filter) {
	s.keep(func(slab *slab, i int) bool {
		t := slab.times[i]
		return (f.After == 0 || t >= f.After) && (f.Before == 0 || t < f.Before)
	}, func(slab *slab) verdict {
		switch {
		case f.After != 0 && slab.newest < f.After, f.Before != 0 && slab.oldest >= f.Before:
			return none
		case (f.After == 0 || slab.oldest >= f.After) && (f.Before == 0 || slab.newest < f.Before):
			return every
		}
		return some
	})
}

// verdict says for how many items of a slab a condition holds.
type verdict int

const (
	some verdict = iota
	every
	none
)

// keep drops the items for which ok does not hold. whole, if given, may decide
// about a slab at once.
func (s *searcher) keep(ok func(*slab, int) bool, whole func(*slab) verdict) {
	for n, slab := range s.x.slabs {
		words := s.accepted[n*slabGroups : (n+1)*slabGroups]
		v := some
		if whole != nil {
			v = whole(slab)
		}
		switch v {
		case every:
			continue
		case none:
			clear(words)
			continue
		}
		for g, w := range words {
			for left := w; left != 0; left &= left - 1 {
				i := bits.TrailingZeros64(left)
				if !ok(slab, g*groupItems+i) {
					w &^= 1 << i
				}
			}
			words[g] = w
		}
	}
}

func and(a, b []uint64) {
	for i := range a {
		a[i] &= b[i]
	}
}

func andNot(a, b []uint64) {
	for i := range a {
		a[i] &^= b[i]
	}
}

// sized returns an all-zero slice of n words, in the memory of old if it fits.
func sized(old []uint64, n int) []uint64 {
	if cap(old) < n {
		return make([]uint64, n)
	}
	old = old[:n]
	clear(old)
	return old
}
