package keyword

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

// Doc is a document as the index knows it.
type Doc struct {
	ID     uint64
	Role   string   // statistics are kept per role; a handful of roles at most
	Text   []string // one per field; missing ones are empty
	Labels []string // for filters, e.g. "realm=p_1", "kind=wisdom"
	Time   int64    // Unix milliseconds
}

// Batch is a set of changes that become visible together. Deletes come first,
// so a document in both is replaced; of two puts with one id the later stays.
type Batch struct {
	Put    []Doc
	Delete []uint64
	Seq    uint64 // where in the caller's sequence of changes this batch ends
}

// Index is an open index. All methods may be used concurrently.
type Index struct {
	dir      string
	opts     Options
	analyzer Analyzer

	// writing is held by whatever changes the index, for as long as it takes:
	// Apply, Flush and the commit of a merge. merging is held by Maintain and
	// Compact around it. mu guards the fields below and is held for moments.
	merging sync.Mutex
	writing sync.Mutex
	mu      sync.RWMutex

	closed  bool
	views   []*view
	live    *live
	seq     uint64
	durable uint64
	nextID  uint64
	changed bool // deletes or seq not yet in the manifest

	roles   map[string]bool // ever seen; guarded by writing
	scratch analysed        // guarded by writing

	scans   sync.Pool // of *scan
	damaged atomic.Pointer[error]
}

// view is a segment and what is deleted in it, as of some moment. Views are
// immutable: a change makes a new one.
type view struct {
	*segment
	dead []bitset // by leaf; nil means nothing
	gone []int    // by leaf
}

// docCounts returns how many documents the segment holds and how many of them
// are deleted.
func (v *view) docCounts() (all, gone int) {
	for i, l := range v.leaves {
		all += l.docs
		gone += v.gone[i]
	}
	return all, gone
}

// Open opens the index in dir and creates it when there is none. Leftovers of
// an interrupted flush or merge are removed.
func Open(dir string, o Options) (*Index, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := makeDir(o.fs, dir); err != nil {
		return nil, fmt.Errorf("opening keyword index: %w", err)
	}
	m, err := readManifest(dir)
	if err != nil {
		return nil, fmt.Errorf("opening keyword index: %w", err)
	}
	x := &Index{dir: dir, opts: o, analyzer: NewAnalyzer(), roles: make(map[string]bool)}
	x.live = x.newLive()
	if m != nil {
		if err := x.load(m); err != nil {
			x.releaseViews()
			return nil, fmt.Errorf("opening keyword index: %w", err)
		}
	}
	x.removeOrphans()
	return x, nil
}

func (x *Index) newLive() *live { return newLive(len(x.opts.Fields), &x.mu) }

func (x *Index) load(m *manifest) error {
	if m.options != x.opts.hash() {
		return ErrOptionsChanged
	}
	x.seq, x.durable, x.nextID = m.seq, m.seq, m.nextID
	for _, ms := range m.views {
		s, err := openSegment(filepath.Join(x.dir, segmentName(ms.id)), len(x.opts.Fields))
		if err != nil {
			return fmt.Errorf("segment %016x: %w", ms.id, err)
		}
		s.id = ms.id
		v := newView(s)
		x.views = append(x.views, v)
		if s.size != ms.size || s.tableCRC != ms.tableCRC || len(s.leaves) != len(ms.docs) || ms.id >= m.nextID {
			return damagedf("segment %016x is not the one the manifest names", ms.id)
		}
		for i, l := range s.leaves {
			x.roles[l.role] = true
			if l.docs != ms.docs[i] {
				return damagedf("segment %016x has other documents than the manifest says", ms.id)
			}
			if n := ms.dead[i].count(); n > 0 {
				v.dead[i], v.gone[i] = ms.dead[i], n
			}
		}
	}
	return nil
}

func newView(s *segment) *view {
	return &view{segment: s, dead: make([]bitset, len(s.leaves)), gone: make([]int, len(s.leaves))}
}

func (x *Index) releaseViews() {
	for _, v := range x.views {
		v.release()
	}
	x.views = nil
}

// removeOrphans deletes files of ours that the manifest does not name. Failing
// to is no harm: the next Open tries again.
func (x *Index) removeOrphans() {
	entries, err := os.ReadDir(x.dir)
	if err != nil {
		return
	}
	named := map[string]bool{manifestName: true}
	for _, v := range x.views {
		named[segmentName(v.id)] = true
	}
	for _, e := range entries {
		if isIndexFile(e.Name()) && !named[e.Name()] {
			_ = x.opts.fs.remove(filepath.Join(x.dir, e.Name()))
		}
	}
}

// Seq returns the sequence number of the last batch applied.
func (x *Index) Seq() uint64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.seq
}

// DurableSeq returns the sequence number up to which changes survive a crash.
// After Open, apply again everything that came later. Until that is done, such
// changes may be visible in part.
func (x *Index) DurableSeq() uint64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.durable
}

// Apply makes a batch visible; searches see all of it or nothing. When the live
// segment is full it is flushed first, and if that fails nothing is applied.
// Batches of some hundred to some thousand documents are best.
func (x *Index) Apply(b Batch) error {
	for i := range b.Put {
		if len(b.Put[i].Text) > len(x.opts.Fields) {
			return fmt.Errorf("applying to keyword index: document %d has %d texts, the index %d fields",
				b.Put[i].ID, len(b.Put[i].Text), len(x.opts.Fields))
		}
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	if x.closed {
		return ErrClosed
	}
	roles := make(map[string]bool) // new ones
	for i := range b.Put {
		if role := b.Put[i].Role; !x.roles[role] {
			roles[role] = true
		}
	}
	if n := len(x.roles) + len(roles); n > maxRoles {
		return fmt.Errorf("applying to keyword index: %d roles, at most %d are possible", n, maxRoles)
	}
	if x.live.bytes >= x.opts.FlushBytes {
		if err := x.note(x.flush()); err != nil {
			return fmt.Errorf("applying to keyword index: %w", err)
		}
	}
	maps.Copy(x.roles, roles)
	if err := x.guard(func() error { x.apply(b); return nil }); err != nil {
		return fmt.Errorf("applying to keyword index: %w", err)
	}
	return nil
}

func (x *Index) apply(b Batch) {
	ch := newChange(x)
	for _, id := range b.Delete {
		ch.kill(id)
	}
	for i := range b.Put {
		d := &b.Put[i]
		x.analyse(d)
		ch.kill(d.ID)
		x.mu.Lock()
		pos := x.live.add(d, &x.scratch)
		x.mu.Unlock()
		ch.placed[d.ID] = pos
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	ch.commit(x)
	x.live.publish()
	if len(b.Put)+len(b.Delete) > 0 || b.Seq != x.seq {
		x.changed = true
	}
	x.seq = b.Seq
}

// analyse fills scratch with the terms of a document.
func (x *Index) analyse(d *Doc) {
	a := &x.scratch
	a.reset()
	for f := range x.opts.Fields {
		if f < len(d.Text) {
			x.live.lexicon.count(a, x.analyzer.stems, d.Text[f])
		}
		a.endField()
	}
}
