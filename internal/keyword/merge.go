package keyword

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
)

// Maintain merges segments until none is due. It works in the caller's
// goroutine, leaves searches and Apply free to run, and stops soon after ctx
// ends; what was merged by then stays.
func (x *Index) Maintain(ctx context.Context) error {
	return x.merge(ctx, func(views []*view) []*view {
		return due(views, x.opts.MergeFactor, x.opts.MaxDeleted)
	})
}

// Compact flushes and merges everything into one segment without deleted
// documents: nothing of them is left on disk, and statistics forget them.
func (x *Index) Compact(ctx context.Context) error {
	if err := x.Flush(); err != nil {
		return err
	}
	return x.merge(ctx, func(views []*view) []*view {
		gone := 0
		for _, v := range views {
			_, n := v.docCounts()
			gone += n
		}
		if len(views) > 1 || gone > 0 {
			return views
		}
		return nil
	})
}

func (x *Index) merge(ctx context.Context, choose func([]*view) []*view) error {
	x.merging.Lock()
	defer x.merging.Unlock()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		x.mu.RLock()
		closed, chosen := x.closed, choose(x.views)
		for _, v := range chosen {
			v.acquire()
		}
		x.mu.RUnlock()
		if closed {
			return ErrClosed
		}
		if len(chosen) == 0 {
			return nil
		}
		err := x.guard(func() error { return x.mergeViews(ctx, chosen) })
		for _, v := range chosen {
			v.release()
		}
		if err != nil {
			if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
				return err
			}
			return fmt.Errorf("merging keyword segments: %w", err)
		}
	}
}

// mergeViews writes one segment from several and puts it in their place.
func (x *Index) mergeViews(ctx context.Context, sources []*view) error {
	m, err := planMerge(ctx, sources)
	if err != nil {
		return err
	}
	x.writing.Lock()
	id := x.nextID
	x.nextID++ // reserved; a flush meanwhile takes the next one
	x.writing.Unlock()

	var merged []*view
	if m.docs > 0 {
		s, err := x.writeSegment(id, m.writeTo)
		if err != nil {
			return err
		}
		merged = append(merged, newView(s))
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	return x.replace(m, sources, merged)
}

// replace commits a merge. Documents deleted while it ran are deleted in the
// merged segment too.
func (x *Index) replace(m *mergePlan, sources, merged []*view) error {
	var views, old []*view
	for _, v := range x.views {
		i := slices.IndexFunc(sources, func(s *view) bool { return s.segment == v.segment })
		if i < 0 {
			views = append(views, v)
			continue
		}
		old = append(old, v)
		if len(merged) > 0 {
			merged[0] = merged[0].without(m.lateDeletes(i, sources[i], v))
		}
	}
	views = append(merged, views...)
	renamed, err := x.commit(views, x.nextID, x.durable)
	if !renamed {
		for _, v := range merged {
			x.discard(v)
		}
		return err
	}
	x.mu.Lock()
	x.views = views
	x.mu.Unlock()
	for _, v := range old {
		v.release()
		if err == nil { // else a power cut may bring the old manifest back
			_ = x.opts.fs.remove(filepath.Join(x.dir, segmentName(v.id)))
		}
	}
	return err
}

// mergePlan says where every document of the sources goes.
type mergePlan struct {
	ctx    context.Context
	leaves []*mergeLeaf // sorted by role
	docs   int
}

// mergeLeaf is one role of the merged segment.
type mergeLeaf struct {
	docs    leafDocs
	sources []mergeSource
}

type mergeSource struct {
	leaf   *leaf
	source int      // in the list of segments
	at     int      // which leaf of the segment
	moved  []uint32 // new ordinal by old one, or dropped
}

func planMerge(ctx context.Context, sources []*view) (*mergePlan, error) {
	m := &mergePlan{ctx: ctx}
	byRole := make(map[string]*mergeLeaf)
	for i, v := range sources {
		for j, l := range v.leaves {
			ml := byRole[l.role]
			if ml == nil {
				ml = &mergeLeaf{docs: leafDocs{role: l.role, lengths: make([][]byte, len(l.fields))}}
				byRole[l.role] = ml
			}
			moved := make([]uint32, l.docs)
			for o := range moved {
				if v.dead[j].has(uint32(o)) {
					moved[o] = dropped
				}
			}
			ml.sources = append(ml.sources, mergeSource{leaf: l, source: i, at: j, moved: moved})
		}
	}
	for _, role := range slices.Sorted(maps.Keys(byRole)) {
		ml := byRole[role]
		if err := ml.assign(); err != nil {
			return nil, err
		}
		m.leaves = append(m.leaves, ml)
		m.docs += len(ml.docs.ids)
	}
	// Without a document there is no leaf.
	m.leaves = slices.DeleteFunc(m.leaves, func(l *mergeLeaf) bool { return len(l.docs.ids) == 0 })
	return m, nil
}

// assign gives the surviving documents their ordinals in order of ids.
func (ml *mergeLeaf) assign() error {
	next := make([]int, len(ml.sources))
	for {
		best, id := -1, uint64(0)
		for i := range ml.sources {
			s := &ml.sources[i]
			for next[i] < s.leaf.docs && s.moved[next[i]] == dropped {
				next[i]++
			}
			if next[i] == s.leaf.docs {
				continue
			}
			if v := s.leaf.ids.at(next[i]); best < 0 || v < id {
				best, id = i, v
			}
		}
		if best < 0 {
			return nil
		}
		s, d := &ml.sources[best], &ml.docs
		o := next[best]
		next[best]++
		if n := len(d.ids); n > 0 && d.ids[n-1] >= id {
			return damagedf("document %d is there twice", id)
		}
		s.moved[o] = uint32(len(d.ids))
		d.ids = append(d.ids, id)
		d.times = append(d.times, s.leaf.times.at(o))
		for f := range d.lengths {
			d.lengths[f] = append(d.lengths[f], s.leaf.lengths[f][o])
		}
	}
}

// lateDeletes lists what was deleted in a source since the merge began, by leaf
// and ordinal of the merged segment.
func (m *mergePlan) lateDeletes(source int, then, now *view) map[int][]uint32 {
	out := make(map[int][]uint32)
	for at, ml := range m.leaves {
		for _, s := range ml.sources {
			if s.source != source || now.gone[s.at] == then.gone[s.at] {
				continue
			}
			for _, o := range now.dead[s.at].members() {
				if to := s.moved[o]; to != dropped {
					out[at] = append(out[at], to)
				}
			}
		}
	}
	return out
}

func (m *mergePlan) writeTo(w *segmentWriter) error {
	for _, ml := range m.leaves {
		labels, err := ml.labels()
		if err != nil {
			return err
		}
		ords := func(name string) []uint32 { return labels[name] }
		err = w.leaf(ml.docs, slices.Sorted(maps.Keys(labels)), ords,
			func(field int, emit func([]byte, []posting) error) error {
				return ml.terms(m.ctx, field, emit)
			})
		if err != nil {
			return err
		}
	}
	return nil
}

func (ml *mergeLeaf) labels() (map[string][]uint32, error) {
	out := make(map[string][]uint32)
	for _, s := range ml.sources {
		for i := range s.leaf.labels.count {
			name, set, ok := s.leaf.labels.entry(i)
			docs := newBitset(s.leaf.docs)
			if !ok || !addSet(&set, docs, s.leaf.docs) {
				return nil, damagedf("the documents of a label do not hold together")
			}
			if ords := remap(docs.members(), s.moved); len(ords) > 0 {
				out[string(name)] = append(out[string(name)], ords...)
			}
		}
	}
	for _, ords := range out {
		slices.Sort(ords)
	}
	return out, nil
}

// mergeCancelEvery is how many terms are merged between looks at the context.
const mergeCancelEvery = 256

// terms merges the dictionaries of a field.
func (ml *mergeLeaf) terms(ctx context.Context, field int, emit func([]byte, []posting) error) error {
	var iters []*dictIter
	var from []*mergeSource
	for i := range ml.sources {
		s := &ml.sources[i]
		d := &s.leaf.fields[field]
		if d.count == 0 {
			continue
		}
		it := d.iter(0)
		if !it.next() {
			return damagedf("a dictionary does not hold together")
		}
		iters, from = append(iters, &it), append(from, s)
	}
	var term []byte
	var list, part []posting
	for n := 0; len(iters) > 0; n++ {
		if n%mergeCancelEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		least := iters[0].term
		for _, it := range iters[1:] {
			if bytes.Compare(it.term, least) < 0 {
				least = it.term
			}
		}
		if n > 0 && bytes.Compare(least, term) <= 0 {
			return damagedf("a dictionary is out of order")
		}
		term = append(term[:0], least...)
		list = list[:0]
		for i := 0; i < len(iters); i++ {
			it := iters[i]
			if !bytes.Equal(it.term, term) {
				continue
			}
			l, ok := it.list()
			if ok {
				part, ok = l.decode(part[:0])
			}
			if !ok {
				return damagedf("a posting list does not hold together")
			}
			for _, p := range part {
				if to := from[i].moved[p.doc()]; to != dropped {
					list = append(list, newPosting(to, p.tf()))
				}
			}
			if !it.next() {
				if it.damaged() {
					return damagedf("a dictionary does not hold together")
				}
				iters, from = slices.Delete(iters, i, i+1), slices.Delete(from, i, i+1)
				i--
			}
		}
		if err := emit(term, sortedPostings(list)); err != nil {
			return err
		}
	}
	return nil
}
