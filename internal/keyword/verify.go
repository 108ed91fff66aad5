package keyword

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// Stats describes an index.
type Stats struct {
	Docs      int    `json:"docs"`       // that can be found
	Deleted   int    `json:"deleted"`    // still stored, waiting for a merge
	LiveDocs  int    `json:"live_docs"`  // of Docs, in memory only
	LiveBytes int    `json:"live_bytes"` // estimated heap size of the live segment
	Segments  int    `json:"segments"`
	Terms     int    `json:"terms"` // dictionary entries on disk, summed over segments, roles and fields
	DiskBytes uint64 `json:"disk_bytes"`
}

// Stats counts what the index holds.
func (x *Index) Stats() Stats {
	size := uint64(0)
	if info, err := os.Stat(filepath.Join(x.dir, manifestName)); err == nil {
		size = uint64(info.Size())
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	all, gone := x.live.docs()
	st := Stats{Docs: all - gone, Deleted: gone, LiveDocs: all - gone, LiveBytes: x.live.bytes, Segments: len(x.views), DiskBytes: size}
	for _, v := range x.views {
		all, gone := v.docCounts()
		st.Docs += all - gone
		st.Deleted += gone
		st.DiskBytes += v.size
		for _, l := range v.leaves {
			for _, d := range l.fields {
				st.Terms += d.count
			}
		}
	}
	return st
}

// Verify reads everything on disk and checks checksums and structure: sorted
// ids and terms, lists that hold together, bounds that hold, statistics that
// add up. It does not hold up searches.
func (x *Index) Verify() error {
	x.writing.Lock() // so that the manifest fits the views
	x.mu.RLock()
	closed, views := x.closed, x.views
	for _, v := range views {
		v.acquire()
	}
	x.mu.RUnlock()
	defer func() {
		for _, v := range views {
			v.release()
		}
	}()
	var err error
	if closed {
		err = ErrClosed
	} else {
		err = x.note(x.verifyManifest(views))
	}
	x.writing.Unlock()
	if err != nil {
		return fmt.Errorf("verifying keyword index: %w", err)
	}
	for _, v := range views {
		if err := x.guard(v.verify); err != nil {
			return fmt.Errorf("verifying keyword index: segment %016x: %w", v.id, err)
		}
	}
	return nil
}

func (x *Index) verifyManifest(views []*view) error {
	m, err := readManifest(x.dir)
	if err != nil {
		return err
	}
	if m == nil {
		if len(views) > 0 {
			return damagedf("manifest is missing")
		}
		return nil
	}
	if len(m.views) != len(views) || m.options != x.opts.hash() {
		return damagedf("manifest is not the one that was written")
	}
	for i, v := range views {
		info, err := os.Stat(filepath.Join(x.dir, segmentName(v.id)))
		if err != nil {
			return damagedf("segment: %v", err)
		}
		if m.views[i].id != v.id || uint64(info.Size()) != v.size {
			return damagedf("segment %016x is not the one that was written", v.id)
		}
	}
	return nil
}

func (s *segment) verify() error {
	for _, sec := range s.sections {
		if checksum(sec.body) != sec.crc {
			return damagedf("section %d of leaf %d has a wrong checksum", sec.kind, sec.leaf)
		}
	}
	for _, l := range s.leaves {
		if err := l.verify(); err != nil {
			return fmt.Errorf("role %q: %w", l.role, err)
		}
	}
	return nil
}

func (l *leaf) verify() error {
	for i := 1; i < l.docs; i++ {
		if l.ids.at(i-1) >= l.ids.at(i) {
			return damagedf("ids are out of order at document %d", i)
		}
	}
	var prev []byte
	for i := range l.labels.count {
		name, set, ok := l.labels.entry(i)
		if !ok || !addSet(&set, newBitset(l.docs), l.docs) {
			return damagedf("label %d does not hold together", i)
		}
		if i > 0 && bytes.Compare(prev, name) >= 0 {
			return damagedf("labels are out of order at %q", name)
		}
		prev = name
	}
	for f := range l.fields {
		if err := l.verifyField(f); err != nil {
			return fmt.Errorf("field %d: %w", f, err)
		}
	}
	return nil
}

func (l *leaf) verifyField(f int) error {
	var docs, total uint64
	for _, c := range l.lengths[f] {
		if c > 0 {
			docs++
			total += uint64(codedLength(c))
		}
	}
	if st := l.stats[f]; st.docs != docs || st.total != total {
		return damagedf("statistics do not add up")
	}
	d := &l.fields[f]
	if d.count == 0 {
		return nil
	}
	it := d.iter(0)
	var prev []byte
	var list []posting
	n := 0
	for ; it.next(); n++ {
		if n > 0 && bytes.Compare(prev, it.term) >= 0 {
			return damagedf("terms are out of order at %q", it.term)
		}
		prev = append(prev[:0], it.term...)
		p, ok := it.list()
		if ok {
			list, ok = p.decode(list[:0])
		}
		if !ok || len(list) != it.df {
			return damagedf("postings of %q do not hold together", it.term)
		}
		if err := p.verifyImpacts(list, l.lengths[f]); err != nil {
			return fmt.Errorf("term %q: %w", it.term, err)
		}
	}
	if it.damaged() || n != d.count {
		return damagedf("dictionary does not hold together")
	}
	return nil
}

// verifyImpacts checks that no document beats the impacts it is bounded by.
func (l *postingList) verifyImpacts(list []posting, lengths []byte) error {
	for i, p := range list {
		if l.blocks() == 0 {
			return nil
		}
		if !covered(l.impacts, p.tf(), lengths[p.doc()]) {
			return damagedf("document %d is above the list's bound", p.doc())
		}
		if b := i / blockSize; b < l.blocks() {
			_, _, impacts, _, ok := l.block(b)
			if !ok || !covered(impacts, p.tf(), lengths[p.doc()]) {
				return damagedf("document %d is above its block's bound", p.doc())
			}
		}
	}
	return nil
}

func covered(impacts []byte, tf, length uint8) bool {
	for i := 0; i+1 < len(impacts); i += 2 {
		if impacts[i] >= tf && impacts[i+1] <= length {
			return true
		}
	}
	return false
}
