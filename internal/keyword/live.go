package keyword

import (
	"maps"
	"slices"
)

// live holds what was applied since the last flush, one part per role, in
// order of arrival. Its slices only grow, and documents count only once
// published: a reader that took the slices under the index's lock may go on
// reading what it saw while more is added.
type live struct {
	fields int
	parts  []*livePart
	byRole map[string]*livePart
	where  map[uint64]livePos // newest version of each document
	bytes  int                // estimated heap size
}

type livePos struct {
	part *livePart
	ord  uint32
}

type livePart struct {
	role    string
	ids     []uint64
	times   []uint64
	lengths [][]byte // by field
	terms   []map[string]*liveList
	labels  map[string][]uint32

	published int          // documents readers may see
	stats     []fieldStats // of the published ones
	pending   []fieldStats // of all
	dead      bitset       // replaced or deleted; cloned before a change
	gone      int
}

type liveList struct {
	docs []uint32
	tfs  []uint8
}

// Estimated heap cost of a posting (with room to grow), of a new term (map
// entry, list header, string) and of a document's columns.
const (
	livePostingBytes = 8
	liveTermBytes    = 160
	liveDocBytes     = 96
)

func newLive(fields int) *live {
	return &live{fields: fields, byRole: make(map[string]*livePart), where: make(map[uint64]livePos)}
}

func (v *live) part(role string) *livePart {
	if p := v.byRole[role]; p != nil {
		return p
	}
	p := &livePart{
		role:    role,
		lengths: make([][]byte, v.fields),
		terms:   make([]map[string]*liveList, v.fields),
		labels:  make(map[string][]uint32),
		stats:   make([]fieldStats, v.fields),
		pending: make([]fieldStats, v.fields),
	}
	for f := range p.terms {
		p.terms[f] = make(map[string]*liveList)
	}
	v.byRole[role] = p
	v.parts = append(v.parts, p)
	return p
}

// analysed is a document's terms, taken before any lock is held.
type analysed struct {
	arena []byte
	ends  []int // of each term in arena
	split []int // of each field in ends
}

func (a *analysed) reset() { a.arena, a.ends, a.split = a.arena[:0], a.ends[:0], a.split[:0] }

// add appends a document. It stays invisible until publish.
func (v *live) add(d *Doc, a *analysed) livePos {
	p := v.part(d.Role)
	ord := uint32(len(p.ids))
	p.ids = append(p.ids, d.ID)
	p.times = append(p.times, orderedTime(d.Time))
	v.bytes += liveDocBytes
	term, start := 0, 0
	for f := range v.fields {
		n := a.split[f] - term
		for ; term < a.split[f]; term++ {
			v.bytes += p.addTerm(f, a.arena[start:a.ends[term]], ord)
			start = a.ends[term]
		}
		code := lengthCode(n)
		p.lengths[f] = append(p.lengths[f], code)
		if n > 0 {
			p.pending[f].docs++
			p.pending[f].total += uint64(codedLength(code))
		}
	}
	for _, label := range d.Labels {
		ords := p.labels[label]
		if n := len(ords); n == 0 || ords[n-1] != ord {
			p.labels[label] = append(ords, ord)
			v.bytes += livePostingBytes
		}
	}
	return livePos{p, ord}
}

func (p *livePart) addTerm(field int, term []byte, ord uint32) (grown int) {
	l := p.terms[field][string(term)]
	if l == nil {
		l = &liveList{}
		p.terms[field][string(term)] = l
		grown = liveTermBytes
	}
	if n := len(l.docs); n > 0 && l.docs[n-1] == ord {
		if l.tfs[n-1] < maxTF {
			l.tfs[n-1]++
		}
		return grown
	}
	l.docs = append(l.docs, ord)
	l.tfs = append(l.tfs, 1)
	return grown + livePostingBytes
}

// publish makes everything added so far visible.
func (v *live) publish() {
	for _, p := range v.parts {
		p.published = len(p.ids)
		copy(p.stats, p.pending)
	}
}

// kill marks documents as gone. The set is cloned once per call, because a
// reader may hold the old one.
func (p *livePart) kill(ords []uint32) {
	dead := p.dead.grown(len(p.ids))
	for _, o := range ords {
		if !dead.has(o) {
			dead.set(o)
			p.gone++
		}
	}
	p.dead = dead
}

func (v *live) docs() (all, gone int) {
	for _, p := range v.parts {
		all += p.published
		gone += p.gone
	}
	return all, gone
}

// visible returns the part of a list that is published.
func (l *liveList) visible(published int) (docs []uint32, tfs []uint8) {
	if l == nil {
		return nil, nil
	}
	n := visibleOrds(l.docs, published)
	return l.docs[:n], l.tfs[:n]
}

func visibleOrds(ords []uint32, published int) int {
	n := len(ords)
	if n > 0 && int(ords[n-1]) >= published {
		n, _ = slices.BinarySearch(ords, uint32(published))
	}
	return n
}

// writeTo writes the live documents as a segment, without those that are gone.
// No writer may be active; readers may.
func (v *live) writeTo(w *segmentWriter) error {
	for _, p := range slices.SortedFunc(slices.Values(v.parts), func(a, b *livePart) int {
		if a.role < b.role {
			return -1
		}
		return 1
	}) {
		if err := p.writeTo(w); err != nil {
			return err
		}
	}
	return nil
}

func (p *livePart) writeTo(w *segmentWriter) error {
	order := make([]uint32, 0, len(p.ids))
	for i := range p.ids {
		if !p.dead.has(uint32(i)) {
			order = append(order, uint32(i))
		}
	}
	slices.SortFunc(order, func(a, b uint32) int {
		if p.ids[a] < p.ids[b] {
			return -1
		}
		return 1
	})
	moved := make([]uint32, len(p.ids)) // new ordinal by old one
	for i := range moved {
		moved[i] = dropped
	}
	docs := leafDocs{role: p.role, lengths: make([][]byte, len(p.lengths))}
	for i, o := range order {
		moved[o] = uint32(i)
		docs.ids = append(docs.ids, p.ids[o])
		docs.times = append(docs.times, p.times[o])
		for f := range p.lengths {
			docs.lengths[f] = append(docs.lengths[f], p.lengths[f][o])
		}
	}
	names := slices.Sorted(maps.Keys(p.labels))
	names = slices.DeleteFunc(names, func(name string) bool { return len(remap(p.labels[name], moved)) == 0 })
	ords := func(name string) []uint32 { return remap(p.labels[name], moved) }

	var list []posting
	return w.leaf(docs, names, ords, func(field int, emit func([]byte, []posting) error) error {
		var key []byte
		for _, term := range slices.Sorted(maps.Keys(p.terms[field])) {
			list = list[:0]
			l := p.terms[field][term]
			for i, d := range l.docs {
				if to := moved[d]; to != dropped {
					list = append(list, newPosting(to, l.tfs[i]))
				}
			}
			key = append(key[:0], term...)
			if err := emit(key, sortedPostings(list)); err != nil {
				return err
			}
		}
		return nil
	})
}

// dropped stands for a document that is not in the new segment.
const dropped = ^uint32(0)

// remap gives the new ordinals of documents, ascending, without dropped ones.
func remap(ords, moved []uint32) []uint32 {
	out := make([]uint32, 0, len(ords))
	for _, o := range ords {
		if to := moved[o]; to != dropped {
			out = append(out, to)
		}
	}
	slices.Sort(out)
	return out
}

// sortedPostings sorts in place; mostly nothing is to be done.
func sortedPostings(list []posting) []posting {
	if !slices.IsSorted(list) {
		slices.Sort(list)
	}
	return list
}
