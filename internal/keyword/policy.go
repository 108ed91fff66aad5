package keyword

import (
	"cmp"
	"slices"
)

// smallestTier is the number of documents up to which segments count as equal
// in size, so that many tiny flushes end up in one merge.
const smallestTier = 1024

// due chooses the segments to merge next, or none. Segments are put in tiers by
// the number of documents they would keep, each tier a factor above the one
// before; a tier with factor segments is merged. That leaves a logarithmic
// number of segments, and a document is rewritten once per tier. A segment with
// too many deleted documents is rewritten alone.
func due(views []*view, factor int, maxDeleted float64) []*view {
	type sized struct {
		v    *view
		keep int
	}
	tiers := make(map[int][]sized)
	lowest := -1
	for _, v := range views {
		all, gone := v.docCounts()
		if gone > 0 && float64(gone) > maxDeleted*float64(all) {
			return []*view{v}
		}
		tier := 0
		for limit := smallestTier; all-gone > limit; limit *= factor {
			tier++
		}
		tiers[tier] = append(tiers[tier], sized{v, all - gone})
		if len(tiers[tier]) >= factor && (lowest < 0 || tier < lowest) {
			lowest = tier
		}
	}
	if lowest < 0 {
		return nil
	}
	pick := tiers[lowest]
	slices.SortStableFunc(pick, func(a, b sized) int { return cmp.Compare(a.keep, b.keep) })
	var out []*view
	for _, s := range pick {
		out = append(out, s.v)
	}
	return out
}
