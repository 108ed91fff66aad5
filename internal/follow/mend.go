package follow

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"chitta/internal/keyword"
)

// An index is damaged under a running process by a failing disk, a tidy
// program, a restore of half a backup. What is derived can be made again, so
// nobody has to be asked.

// files is how the files of an index looked when they were last written.
type files struct {
	durable uint64 // the index was on disk up to this change
	stamps  map[string]stamp
}

// stamp changes when somebody writes to a file.
type stamp struct {
	size     int64
	modified time.Time
}

// manifestName is the one file of an index that is written again; segments are
// not touched once they are there.
const manifestName = "manifest"

// stampsOf looks at the files in a directory. What cannot be looked at is left
// out, and so counts as gone.
func stampsOf(dir string) map[string]stamp {
	out := map[string]stamp{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return out
	}
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil {
			out[e.Name()] = stamp{info.Size(), info.ModTime()}
		}
	}
	return out
}

// sign takes the files as they are now for sound. It is called with mu held.
func (x *Indexer) sign() {
	x.files = files{stamps: stampsOf(x.dir)}
	if x.index != nil {
		x.files.durable = x.index.DurableSeq()
	}
}

// touched reports whether somebody else changed or removed files.
func (x *Indexer) touched() bool {
	now := stampsOf(x.dir)
	for name, before := range x.files.stamps {
		after, there := now[name]
		if name == manifestName && there && x.index.DurableSeq() != x.files.durable {
			continue // written by a flush since
		}
		if after != before {
			return true
		}
	}
	return false
}

// inspect looks for damage: what searches met, and what is wrong with files
// that somebody else touched.
func (x *Indexer) inspect() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.index == nil {
		return nil
	}
	if err := x.index.Damaged(); err != nil {
		return err
	}
	if !x.touched() {
		return nil
	}
	err := x.index.Verify()
	if !errors.Is(err, keyword.ErrDamaged) {
		x.sign() // as good as before
	}
	return err
}

// mend makes a damaged index anew; round fills it.
func (x *Indexer) mend(ctx context.Context, damage error) error {
	x.log.Warn("keyword index is damaged and made anew", "of", x.feed.name, "reason", damage)
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := x.rebuild(ctx); err != nil {
		return err
	}
	x.state.Lock()
	x.mending = damage
	x.state.Unlock()
	return nil
}

// movedAside ends the name of what stood where an index belongs.
const movedAside = ".moved-aside"

// makeWay moves aside what is in the place of the directory of the index, or of
// the one that has all indexes, and is none. Nobody knows what it is, so it is
// kept.
func (x *Indexer) makeWay() error {
	for _, dir := range []string{filepath.Dir(x.dir), x.dir} {
		if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if info, err := os.Stat(dir); err == nil && info.IsDir() || err != nil && !errors.Is(err, fs.ErrNotExist) {
			continue // a directory, or it cannot be told
		}
		if err := os.Rename(dir, dir+movedAside); err != nil {
			return fmt.Errorf("make way for the keyword index: %w", err)
		}
		x.log.Warn("moved aside what was in the place of a keyword index", "of", x.feed.name, "to", dir+movedAside)
	}
	return nil
}

// leave passes an error on, but for damage: an index that will be dropped and
// filled from what there is need not be changed before.
func (x *Indexer) leave(err error) error {
	if errors.Is(err, keyword.ErrDamaged) {
		x.due()
		return nil
	}
	return err
}

// Damage returns what is wrong with the index, from when it was met until the
// index is made anew and has caught up, and sees to it that this is done.
func (x *Indexer) Damage() error {
	x.state.RLock()
	defer x.state.RUnlock()
	if x.index != nil {
		if err := x.index.Damaged(); err != nil {
			x.due()
			return err
		}
	}
	return x.mending
}
