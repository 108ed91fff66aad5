package keyword

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Flush makes everything applied so far durable: the live segment becomes a
// file, deletions and the sequence number go into the manifest.
func (x *Index) Flush() error {
	x.writing.Lock()
	defer x.writing.Unlock()
	if x.closed {
		return ErrClosed
	}
	if err := x.note(x.flush()); err != nil {
		return fmt.Errorf("flushing keyword index: %w", err)
	}
	return nil
}

// flush is called with writing held. Searches go on meanwhile.
func (x *Index) flush() error {
	all, gone := x.live.docs()
	if all == 0 && !x.changed {
		return nil
	}
	if err := x.keepDir(); err != nil {
		return err
	}
	views := x.views
	id := x.nextID
	if all > gone {
		s, err := x.writeSegment(id, x.live.writeTo)
		if err != nil {
			return err
		}
		views = append(slices.Clone(views), newView(s))
		id++
	}
	renamed, err := x.commit(views, id, x.seq)
	if !renamed {
		if len(views) > len(x.views) {
			x.discard(views[len(views)-1])
		}
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.views, x.live, x.nextID = views, x.newLive(), id
	if err != nil {
		return err
	}
	x.durable, x.changed = x.seq, false
	return nil
}

// keepDir makes the directory again if somebody removed it. What was in it is
// gone with it: only an index that had nothing there can go on.
func (x *Index) keepDir() error {
	if len(x.views) > 0 {
		if _, err := os.Stat(x.dir); errors.Is(err, fs.ErrNotExist) {
			return damagedf("its directory %s is gone", x.dir)
		}
	}
	return makeDir(x.opts.fs, x.dir)
}

// makeDir makes a directory if there is none. Something else in its place is
// damage: waiting does not mend it.
func makeDir(disk fileSystem, dir string) error {
	err := disk.mkdir(dir)
	if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrExist) {
		return damagedf("%v", err)
	}
	return err
}

// writeSegment writes a segment file and opens it.
func (x *Index) writeSegment(id uint64, fill func(*segmentWriter) error) (*segment, error) {
	name := filepath.Join(x.dir, segmentName(id))
	f, err := x.opts.fs.create(name)
	if err != nil {
		return nil, err
	}
	w := newSegmentWriter(f)
	var size uint64
	if err = fill(w); err == nil {
		size, _, err = w.finish()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		// The file's name must be on disk before a manifest that has it.
		err = x.opts.fs.syncDir(x.dir)
	}
	if err != nil {
		_ = x.opts.fs.remove(name)
		return nil, err
	}
	s, err := openSegment(name, len(x.opts.Fields))
	if err == nil && s.size != size {
		s.release()
		err = damagedf("segment has %d bytes, %d were written", s.size, size)
	}
	if err != nil {
		_ = x.opts.fs.remove(name)
		return nil, err
	}
	s.id = id
	return s, nil
}

// discard drops a segment that no manifest names.
func (x *Index) discard(v *view) {
	v.release()
	_ = x.opts.fs.remove(filepath.Join(x.dir, segmentName(v.id)))
}

// commit writes the manifest for a set of views.
func (x *Index) commit(views []*view, nextID, seq uint64) (renamed bool, err error) {
	m := manifest{options: x.opts.hash(), seq: seq, nextID: nextID}
	for _, v := range views {
		ms := manifestSegment{id: v.id, size: v.size, tableCRC: v.tableCRC, dead: v.dead}
		for _, l := range v.leaves {
			ms.docs = append(ms.docs, l.docs)
		}
		m.views = append(m.views, ms)
	}
	return writeManifest(x.opts.fs, x.dir, &m)
}

// Close flushes and releases the index. Searches under way finish. The index is
// closed even when the flush fails; what was not flushed must be fed again.
func (x *Index) Close() error {
	x.merging.Lock() // a merge under way must not commit to a closed index
	defer x.merging.Unlock()
	x.writing.Lock()
	defer x.writing.Unlock()
	if x.closed {
		return ErrClosed
	}
	err := x.flush()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.closed = true
	x.releaseViews()
	x.live = x.newLive()
	if err != nil {
		return fmt.Errorf("closing keyword index: %w", err)
	}
	return nil
}
