package keyword

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// live holds what was applied since the last flush, one part per role, in
// order of arrival. Its slices only grow, and documents count only once
// published: a reader that took the slices under the index's lock may go on
// reading what it saw while more is added.
type live struct {
	fields  int
	lexicon *lexicon
	parts   []*livePart
	byRole  map[string]*livePart
	where   map[uint64]livePos // newest version of each document
	bytes   int                // estimated heap size
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
	lexicon *lexicon
	listOf  [][]uint32 // by field and number of term: its list, 0 for none
	lists   [][]posting
	labels  map[string][]uint32

	published int          // documents readers may see
	stats     []fieldStats // of the published ones
	pending   []fieldStats // of all
	dead      bitset       // replaced or deleted; cloned before a change
	gone      int
}

// Estimated heap cost of a posting (with room to grow), of a new term (map
// entry, list header, string) and of a document's columns.
const (
	livePostingBytes = 8
	liveTermBytes    = 160
	liveDocBytes     = 96
)

func newLive(fields int, guard sync.Locker) *live {
	return &live{fields: fields, lexicon: newLexicon(guard), byRole: make(map[string]*livePart), where: make(map[uint64]livePos)}
}

func (v *live) part(role string) *livePart {
	if p := v.byRole[role]; p != nil {
		return p
	}
	p := &livePart{
		role:    role,
		lengths: make([][]byte, v.fields),
		lexicon: v.lexicon,
		listOf:  make([][]uint32, v.fields),
		lists:   make([][]posting, 1), // number 0 is none
		labels:  make(map[string][]uint32),
		stats:   make([]fieldStats, v.fields),
		pending: make([]fieldStats, v.fields),
	}
	v.byRole[role] = p
	v.parts = append(v.parts, p)
	return p
}

// add appends a document. It stays invisible until publish.
func (v *live) add(d *Doc, a *analysed) livePos {
	p := v.part(d.Role)
	ord := uint32(len(p.ids))
	p.ids = append(p.ids, d.ID)
	p.times = append(p.times, orderedTime(d.Time))
	v.bytes += liveDocBytes
	from := 0
	for f := range v.fields {
		for _, t := range a.terms[from:a.split[f]] {
			v.bytes += p.addTerm(f, t, ord)
		}
		from = a.split[f]
		code := lengthCode(a.lengths[f])
		p.lengths[f] = append(p.lengths[f], code)
		if a.lengths[f] > 0 {
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

func (p *livePart) addTerm(field int, t termCount, ord uint32) (grown int) {
	if short := len(p.lexicon.terms) - len(p.listOf[field]); int(t.term) >= len(p.listOf[field]) {
		p.listOf[field] = append(p.listOf[field], make([]uint32, short)...)
	}
	list := &p.listOf[field][t.term]
	if *list == 0 {
		*list = uint32(len(p.lists))
		p.lists = append(p.lists, nil)
		grown = liveTermBytes
	}
	p.lists[*list] = append(p.lists[*list], newPosting(ord, t.tf))
	return grown + livePostingBytes
}

// list returns the postings of a term, by its number.
func (p *livePart) list(field int, term uint32) []posting {
	if int(term) >= len(p.listOf[field]) {
		return nil
	}
	return p.lists[p.listOf[field][term]]
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

// visible returns the part of a term's list that is published.
func (p *livePart) visible(field int, term string) []posting {
	id, known := p.lexicon.ids[term]
	if !known {
		return nil
	}
	list := p.list(field, id)
	n := len(list)
	if n > 0 && int(list[n-1].doc()) >= p.published {
		n, _ = slices.BinarySearch(list, newPosting(uint32(p.published), 0))
	}
	return list[:n]
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
	sorted := make([]uint32, len(v.lexicon.terms))
	for i := range sorted {
		sorted[i] = uint32(i)
	}
	slices.SortFunc(sorted, func(a, b uint32) int { return strings.Compare(v.lexicon.terms[a], v.lexicon.terms[b]) })
	for _, p := range slices.SortedFunc(slices.Values(v.parts), func(a, b *livePart) int {
		if a.role < b.role {
			return -1
		}
		return 1
	}) {
		if err := p.writeTo(w, sorted); err != nil {
			return err
		}
	}
	return nil
}

// writeTo writes one part; terms are the numbers of all terms in their order.
func (p *livePart) writeTo(w *segmentWriter, terms []uint32) error {
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
		for _, term := range terms {
			held := p.list(field, term)
			if len(held) == 0 {
				continue
			}
			list = list[:0]
			for _, x := range held {
				if to := moved[x.doc()]; to != dropped {
					list = append(list, newPosting(to, x.tf()))
				}
			}
			key = append(key[:0], p.lexicon.terms[term]...)
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
