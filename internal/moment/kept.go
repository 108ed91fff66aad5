package moment

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// maxKept bounds how many answers of the store are kept of a sort: some for
// each project and file at work.
const maxKept = 256

// kept holds answers of the store for as long as nothing was written to the
// tables they were read from. Hooks ask the same again and again, and what they
// ask about seldom changes between two of them.
type kept[T any] struct {
	tables  []string
	mu      sync.Mutex
	changed uint64 // as of when the answers are, see [store.Store.Changed]
	by      map[string]T
}

// get returns the answer of a name: the one kept, or what read returns. It is
// shared with others and must not be changed.
func (c *kept[T]) get(s *store.Store, name string, read func() (T, error)) (T, error) {
	changed := s.Changed(c.tables...) // before reading: what is written meanwhile makes it old
	c.mu.Lock()
	if changed > c.changed || len(c.by) >= maxKept {
		c.by, c.changed = nil, changed
	}
	value, ok := c.by[name]
	c.mu.Unlock()
	if ok {
		return value, nil
	}
	value, err := read()
	if err != nil {
		return value, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changed == changed {
		if c.by == nil {
			c.by = map[string]T{}
		}
		c.by[name] = value
	}
	return value, nil
}

const (
	// memoMost bounds how many things a memo keeps, and memoBytes how long a text
	// may be of which something is kept: memories and passages are shorter, and
	// what is longer seldom comes again.
	memoMost  = 1000
	memoBytes = 4 << 10
)

// memo keeps what follows from its key alone: the same texts are looked at again
// and again. It is safe for concurrent use; what it returns is shared with others
// and must not be changed.
type memo[K comparable, V any] struct {
	mu sync.Mutex
	by map[K]V
}

// get returns what is kept of a key, or what find returns.
func (m *memo[K, V]) get(key K, find func() V) V {
	m.mu.Lock()
	value, ok := m.by[key]
	m.mu.Unlock()
	if ok {
		return value
	}
	value = find()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.by == nil || len(m.by) >= memoMost {
		m.by = map[K]V{}
	}
	m.by[key] = value
	return value
}

// reads are the answers that hooks need.
type reads struct {
	roots    kept[[]string]
	memories kept[[]store.Record]
	wishes   kept[[]wish]
	about    kept[[]store.Record]
	anchors  kept[map[int64][]store.Anchor]
	ledgers  kept[[]stoodEntry]
	asked    kept[lastRequest]
	files    kept[[]string]
	known    knownTexts
	terms    memo[string, map[string]bool] // of texts
}

func newReads() *reads {
	const memories, tags, anchors, sessions = "memory", "memory_tag", "anchor", "session"
	return &reads{
		roots:    kept[[]string]{tables: []string{"realm", sessions}},
		memories: kept[[]store.Record]{tables: []string{memories, tags}},
		wishes:   kept[[]wish]{tables: []string{memories, tags}},
		about:    kept[[]store.Record]{tables: []string{memories, tags, anchors}},
		anchors:  kept[map[int64][]store.Anchor]{tables: []string{anchors}},
		ledgers:  kept[[]stoodEntry]{tables: []string{"ledger"}},
		asked:    kept[lastRequest]{tables: []string{sessions, "chunk"}},
		files:    kept[[]string]{tables: []string{sessions, "file_touch"}},
	}
}

// termsOf returns what a text is found by.
func (k *Keeper) termsOf(text string) map[string]bool {
	if len(text) > memoBytes {
		return k.mind.Terms(text)
	}
	return k.reads.terms.get(text, func() map[string]bool { return k.mind.Terms(text) })
}

// nameOf makes one name of parts.
func nameOf(parts ...string) string { return strings.Join(parts, "\x00") }

// rootsOf returns the tops of a project.
func (k *Keeper) rootsOf(ctx context.Context, realm string) ([]string, error) {
	return k.reads.roots.get(k.store, realm, func() ([]string, error) { return k.mind.Roots(ctx, realm) })
}

// active returns the newest active memories of some kinds that hold in a realm.
// The caller may order and thin them out.
func (k *Keeper) active(ctx context.Context, f store.Filter) ([]store.Record, error) {
	f.Reach, f.States, f.Limit = store.ReachGlobal, []memory.Status{memory.Active}, looked
	if !f.Since.IsZero() || !f.Until.IsZero() {
		return k.store.List(ctx, f)
	}
	name := []string{f.Realm}
	for _, kind := range f.Kinds {
		name = append(name, kind.String())
	}
	list, err := k.reads.memories.get(k.store, nameOf(name...), func() ([]store.Record, error) { return k.store.List(ctx, f) })
	return slices.Clone(list), err
}

// wishes returns the wishes and corrections of a realm that are against
// something, as of a time; zero is now.
func (k *Keeper) wishes(ctx context.Context, realm string, at time.Time) ([]wish, error) {
	read := func() ([]wish, error) {
		records, err := k.active(ctx, store.Filter{Realm: realm, Kinds: []memory.Kind{memory.Preference, memory.Correction}, Until: at})
		return wishesOf(records), err
	}
	if !at.IsZero() {
		return read()
	}
	return k.reads.wishes.get(k.store, realm, read)
}

// memoriesAbout returns the active memories of a realm that speak of one of some
// files. The caller may thin them out.
func (k *Keeper) memoriesAbout(ctx context.Context, realm string, files []string, limit int) ([]store.Record, error) {
	name := nameOf(append([]string{realm}, files...)...)
	list, err := k.reads.about.get(k.store, name, func() ([]store.Record, error) { return k.store.MemoriesAbout(ctx, realm, files, limit) })
	return slices.Clone(list), err
}

// anchorsOf returns what memories speak of, by their rows.
func (k *Keeper) anchorsOf(ctx context.Context, records []store.Record) (map[int64][]store.Anchor, error) {
	seqs, name := make([]int64, len(records)), ""
	for i := range records {
		seqs[i] = records[i].Seq
		name += strconv.FormatInt(seqs[i], 36) + " "
	}
	return k.reads.anchors.get(k.store, name, func() (map[int64][]store.Anchor, error) { return k.store.AnchorsOf(ctx, seqs) })
}

// lastRequest is what a person asked last in a realm, and in which session.
type lastRequest struct {
	chunk   store.Chunk
	session store.Session
	known   bool // there is one
}

func (k *Keeper) lastRequest(ctx context.Context, realm string) (lastRequest, error) {
	return k.reads.asked.get(k.store, realm, func() (r lastRequest, err error) {
		if r.chunk, err = k.store.LatestRequest(ctx, realm); err != nil || r.chunk.Seq == 0 {
			return r, err
		}
		in, err := k.store.SessionsBySeq(ctx, []int64{r.chunk.Session})
		r.session, r.known = in[r.chunk.Session]
		return r, err
	})
}

// lastFiles returns the files that the last sessions of a realm touched.
func (k *Keeper) lastFiles(ctx context.Context, realm string) ([]string, error) {
	return k.reads.files.get(k.store, realm, func() ([]string, error) {
		sessions, err := k.store.LatestSessions(ctx, realm, sessionsLooked)
		if err != nil {
			return nil, err
		}
		var files []string
		for _, s := range sessions {
			touched, err := k.store.RecentFiles(ctx, s.Seq, filesLooked)
			if err != nil {
				return nil, err
			}
			for _, f := range touched {
				files = append(files, f.Path)
			}
		}
		return files, nil
	})
}
