package keyword

import (
	"math"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
)

// Filter says which documents may be found. It is worked out before scoring,
// so it never costs results.
type Filter struct {
	All    [][]string        // every group must have a label that the document bears
	None   []string          // labels the document must not bear
	After  int64             // Unix milliseconds, inclusive; zero is open
	Before int64             // Unix milliseconds, exclusive; zero is open
	IDs    *roaring64.Bitmap // documents allowed; nil is all
}

func (f *Filter) labels() []string {
	out := append([]string(nil), f.None...)
	for _, group := range f.All {
		out = append(out, group...)
	}
	return out
}

// accept returns the documents of a leaf that may be found, nil for all.
func (f *Filter) accept(l *searchLeaf) (bitset, error) {
	timed := f.After != 0 || f.Before != 0
	if len(f.All) == 0 && len(f.None) == 0 && !timed && f.IDs == nil && l.gone == nil {
		return nil, nil
	}
	n := l.count()
	out := newBitset(n)
	out.fill(n)
	out.andNot(l.gone)
	for _, group := range f.All {
		any := newBitset(n)
		if err := addLabels(l, any, group); err != nil {
			return nil, err
		}
		out.and(any)
	}
	if len(f.None) > 0 {
		not := newBitset(n)
		if err := addLabels(l, not, f.None); err != nil {
			return nil, err
		}
		out.andNot(not)
	}
	if timed {
		from, to := uint64(0), uint64(math.MaxUint64)
		if f.After != 0 {
			from = orderedTime(f.After)
		}
		if f.Before != 0 {
			to = orderedTime(f.Before)
			if to == 0 {
				return newBitset(n), nil
			}
			to--
		}
		l.keepTimes(out, from, to)
	}
	if f.IDs != nil {
		out.and(allowed(l, f.IDs))
	}
	return out, nil
}

func addLabels(l *searchLeaf, s bitset, labels []string) error {
	for _, label := range labels {
		if !l.addLabel(s, label) {
			return damagedf("the documents of a label do not hold together")
		}
	}
	return nil
}

// allowed maps ids to ordinals from the smaller side.
func allowed(l *searchLeaf, ids *roaring64.Bitmap) bitset {
	n := l.count()
	out := newBitset(n)
	const lookupCost = 4 // one lookup costs as much as asking for so many ids
	if l.segment != nil && ids.GetCardinality() < uint64(n/lookupCost) {
		for it := ids.Iterator(); it.HasNext(); {
			if ord, found := l.segment.find(it.Next()); found {
				out.set(ord)
			}
		}
		return out
	}
	for i := range uint32(n) {
		if ids.Contains(l.id(i)) {
			out.set(i)
		}
	}
	return out
}
