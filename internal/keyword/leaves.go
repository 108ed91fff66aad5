package keyword

import "slices"

// searchLeaf is a leaf as one search sees it, with the lists of its terms at
// term·fields + field.
type searchLeaf struct {
	role  string
	stats []fieldStats

	segment *leaf // nil for a live leaf
	live    *liveView
	gone    bitset // deleted documents; nil is none

	lists []postingList // of a segment
}

// liveView is what a search saw of a live part.
type liveView struct {
	ids     []uint64
	times   []uint64
	lengths [][]byte
	lists   [][]posting
	labels  map[string][]uint32
}

// view takes what a search needs while the index's lock is held.
func (p *livePart) view(terms []QueryTerm, labels []string) *searchLeaf {
	n := p.published
	v := &liveView{ids: p.ids[:n], times: p.times[:n], labels: make(map[string][]uint32)}
	for _, codes := range p.lengths {
		v.lengths = append(v.lengths, codes[:n])
	}
	for _, t := range terms {
		for f := range p.listOf {
			v.lists = append(v.lists, p.visible(f, t.Term))
		}
	}
	for _, label := range labels {
		ords := p.labels[label]
		v.labels[label] = ords[:visibleOrds(ords, n)]
	}
	return &searchLeaf{role: p.role, stats: slices.Clone(p.stats), live: v, gone: p.dead}
}

// find looks the terms up in a segment's leaf.
func (l *searchLeaf) find(terms []QueryTerm) error {
	l.lists = make([]postingList, 0, len(terms)*len(l.segment.fields))
	for _, t := range terms {
		for f := range l.segment.fields {
			list, ok := l.segment.fields[f].lookup(t.Term)
			if !ok {
				return damagedf("a dictionary does not hold together")
			}
			l.lists = append(l.lists, list)
		}
	}
	return nil
}

// df returns how many documents of the leaf are in a list.
func (l *searchLeaf) df(list int) uint64 {
	if l.live != nil {
		return uint64(len(l.live.lists[list]))
	}
	return uint64(l.lists[list].df)
}

func (l *searchLeaf) count() int {
	if l.live != nil {
		return len(l.live.ids)
	}
	return l.segment.docs
}

func (l *searchLeaf) id(ord uint32) uint64 {
	if l.live != nil {
		return l.live.ids[ord]
	}
	return l.segment.ids.at(int(ord))
}

// addLabel adds the documents that bear a label; false is damage.
func (l *searchLeaf) addLabel(s bitset, label string) bool {
	if l.live == nil {
		return l.segment.labels.addTo(s, label, l.segment.docs)
	}
	for _, o := range l.live.labels[label] {
		s.set(o)
	}
	return true
}

func (l *searchLeaf) keepTimes(s bitset, from, to uint64) {
	if l.live == nil {
		l.segment.times.keepRange(s, from, to)
		return
	}
	for i, t := range l.live.times {
		if t < from || t > to {
			s[i>>6] &^= 1 << (i & 63)
		}
	}
}
