package follow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"chitta/internal/keyword"
)

// Indexer keeps a keyword index in step with its feed. It follows the feed's
// sequence of changes, so whatever happens to the index or the
// process, catching up is always the same act: apply what comes after.
type Indexer struct {
	dir    string
	source string // what the index is derived from
	feed   Feed
	log    *slog.Logger
	wake   chan struct{} // background work is waiting

	mu      sync.Mutex // held while changes are applied, so they stay in order
	flushed time.Time
	closed  bool
	files   files // as they were when they were last written

	state   sync.RWMutex // guards what follows
	index   *keyword.Index
	err     error // why there is no index, or why it fell behind
	mending error // the damage for which it is made anew, until it has caught up
	unsaved error // why it could not be written to disk, until it is
	todo    int64 // changes still to apply
	total   int64 // changes to apply when catching up began
}

const (
	// followNow is how far behind the index may be for a writer to wait for
	// it; beyond, catching up is left to the background.
	followNow = 500
	// followBatch is how many changes are applied at once.
	followBatch = 500
	// FlushAfter bounds how much is caught up again after a crash.
	FlushAfter = 30 * time.Second
	// flushChanges is the same bound in changes.
	flushChanges = 20_000
)

// NewIndexer makes the indexer of a feed below a directory. source names what
// the feed comes from: an index made from something else is not used. wake is
// signalled when there is work for [Indexer.Maintain].
func NewIndexer(dir, source string, f Feed, wake chan struct{}, log *slog.Logger) *Indexer {
	return &Indexer{dir: filepath.Join(dir, f.name), source: source, feed: f, log: log, wake: wake}
}

// Name says what is indexed.
func (x *Indexer) Name() string { return x.feed.name }

func (x *Indexer) options() keyword.Options {
	return keyword.Options{Source: x.source, Fields: x.feed.fields}
}

// Open opens the index, replacing one that is damaged or outdated by an empty
// one, and catches up when little is missing.
func (x *Indexer) Open(ctx context.Context) error {
	if err := x.open(ctx); err != nil {
		return err
	}
	x.Follow(ctx)
	return nil
}

// open opens the index if it is not open. Why it cannot be is noted, and no
// error: memory works without an index, less well, and a full or read-only disk
// will be reported by the first write.
func (x *Indexer) open(ctx context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.index != nil || x.closed {
		return nil
	}
	index, err := keyword.Open(x.dir, x.options())
	if errors.Is(err, keyword.ErrDamaged) || errors.Is(err, keyword.ErrOptionsChanged) {
		x.log.Warn("keyword index is rebuilt", "of", x.feed.name, "reason", err)
		index, err = x.fresh()
	}
	if err != nil {
		if x.err == nil || x.err.Error() != err.Error() { // it is tried again and again
			x.log.Error("no keyword index", "of", x.feed.name, "error", err)
		}
		x.set(nil, err)
		return nil
	}
	x.set(index, nil)
	x.sign()
	last, err := x.feed.Last(ctx)
	if err != nil || int64(index.Seq()) <= last {
		return err
	}
	// The store is older than the index: a backup was put in place.
	x.log.Warn("keyword index is ahead of the store and is rebuilt")
	return x.rebuild(ctx)
}

func (x *Indexer) fresh() (*keyword.Index, error) {
	if err := x.makeWay(); err != nil {
		return nil, err
	}
	if err := keyword.Remove(x.dir); err != nil {
		return nil, err
	}
	return keyword.Open(x.dir, x.options())
}

func (x *Indexer) set(index *keyword.Index, err error) {
	x.state.Lock()
	defer x.state.Unlock()
	x.index, x.err = index, err
}

// Ready returns the index, or why there is none.
func (x *Indexer) Ready() (*keyword.Index, error) {
	x.state.RLock()
	defer x.state.RUnlock()
	if x.index == nil {
		return nil, fmt.Errorf("keyword index is not available: %w", x.err)
	}
	if err := x.index.Damaged(); err != nil {
		x.due()
		return nil, fmt.Errorf("%w; it is being made anew", err)
	}
	return x.index, nil
}

// Progress returns how many changes the index still lacks and of how many.
func (x *Indexer) Progress() (todo, total int64, err error) {
	x.state.RLock()
	defer x.state.RUnlock()
	return x.todo, x.total, x.err
}

// Follow applies the store's newest changes if they are few or at hand. It is called
// after every write and never fails the write: what could not be applied now
// is applied later.
func (x *Indexer) Follow(ctx context.Context) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.index == nil {
		return
	}
	todo, err := x.behind(ctx)
	if err == nil && (todo <= followNow || x.feed.atHand != nil && x.feed.atHand(todo)) {
		err = x.applyUpTo(ctx, int64(x.index.Seq())+todo)
	}
	x.note(err)
	x.due()
}

// note remembers why the index fell behind, until it has caught up.
func (x *Indexer) note(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		x.log.Error("keyword index fell behind", "of", x.feed.name, "error", err)
	}
	x.state.Lock()
	x.err = err
	x.state.Unlock()
}

// due tells the background that there is something to do.
func (x *Indexer) due() {
	select {
	case x.wake <- struct{}{}:
	default: // it knows
	}
}

func (x *Indexer) behind(ctx context.Context) (int64, error) {
	last, err := x.feed.Last(ctx)
	if err != nil {
		return 0, err
	}
	todo := last - int64(x.index.Seq())
	x.state.Lock()
	defer x.state.Unlock()
	if x.todo = todo; todo == 0 {
		x.total, x.mending = 0, nil
	} else {
		x.total = max(x.total, todo)
	}
	return todo, nil
}

// apply brings the next changes from the feed to the index.
func (x *Indexer) apply(ctx context.Context, most int) error {
	from := int64(x.index.Seq())
	entries, err := x.feed.After(ctx, from, most)
	if err != nil || len(entries) == 0 {
		return err
	}
	var b keyword.Batch
	for i := range entries {
		e := &entries[i]
		b.Seq = uint64(e.Rev)
		if e.Gone {
			b.Delete = append(b.Delete, uint64(e.Seq))
		} else {
			b.Put = append(b.Put, e.doc())
		}
	}
	if err := x.index.Apply(b); err != nil {
		return err
	}
	x.state.Lock()
	// a row that changed twice stands once in the sequence, at its end
	x.todo = max(0, x.todo-(int64(b.Seq)-from))
	x.state.Unlock()
	return nil
}

// applyUpTo applies changes up to one of them, as long as there are any.
func (x *Indexer) applyUpTo(ctx context.Context, last int64) error {
	for {
		before := int64(x.index.Seq())
		if err := x.apply(ctx, followBatch); err != nil {
			return err
		}
		if now := int64(x.index.Seq()); now >= last || now == before {
			return nil
		}
	}
}

// Maintain catches up, writes the live part to disk when it is time, and
// merges segments. An index that is found damaged is made anew, one that could
// not be opened is tried again. It holds the lock only in short steps.
func (x *Indexer) Maintain(ctx context.Context) error {
	if err := x.open(ctx); err != nil {
		return err
	}
	err := x.round(ctx)
	if errors.Is(err, keyword.ErrDamaged) {
		if err = x.mend(ctx, err); err == nil {
			err = x.round(ctx)
		}
	}
	return err
}

// round is what is done each time.
func (x *Indexer) round(ctx context.Context) error {
	if err := x.inspect(); err != nil {
		return err
	}
	for {
		todo, err := x.catchUp(ctx)
		if err != nil {
			x.note(err)
			return err
		}
		if todo == 0 {
			break
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.index == nil {
		return nil // said when it happened
	}
	waiting := x.index.Seq() - x.index.DurableSeq()
	if waiting > 0 && (waiting > flushChanges || time.Since(x.flushed) > FlushAfter) {
		if err := x.index.Flush(); err != nil {
			return x.saved(err)
		}
		x.flushed = time.Now()
	}
	err := x.index.Maintain(ctx)
	x.sign()
	return x.saved(err)
}

func (x *Indexer) catchUp(ctx context.Context) (todo int64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.index == nil {
		return 0, nil
	}
	todo, err = x.behind(ctx)
	if err != nil || todo == 0 {
		return 0, err
	}
	return todo, x.apply(ctx, followBatch)
}

// Rebuild starts over with an empty index; the background fills it.
func (x *Indexer) Rebuild(ctx context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.rebuild(ctx)
}

func (x *Indexer) rebuild(ctx context.Context) error {
	old := x.index
	x.set(nil, errors.New("it is being rebuilt"))
	if old != nil {
		if err := old.Close(); err != nil {
			x.log.Warn("closing the old keyword index", "error", err)
		}
	}
	index, err := x.fresh()
	x.set(index, err)
	if err != nil {
		return err
	}
	x.sign()
	x.flushed = time.Time{} // what was on disk is gone, so it is written as soon as it is filled
	if _, err := x.behind(ctx); err != nil {
		return err
	}
	x.due()
	return nil
}

// RemoveAll takes the documents that a filter lets through out of the index.
func (x *Indexer) RemoveAll(ctx context.Context, f keyword.Filter) error {
	x.mu.Lock() // what is being indexed comes first
	defer x.mu.Unlock()
	if x.index == nil {
		return nil // it will be filled from what there is
	}
	ids, err := x.index.IDs(ctx, f)
	if err != nil || len(ids) == 0 {
		return x.leave(err)
	}
	return x.leave(x.index.Apply(keyword.Batch{Delete: ids, Seq: x.index.Seq()}))
}

// Remove takes documents out of the index ahead of the feed.
func (x *Indexer) Remove(ids []uint64) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.index == nil {
		return nil
	}
	return x.leave(x.index.Apply(keyword.Batch{Delete: ids, Seq: x.index.Seq()}))
}

// Expunge rewrites what still holds the words of deleted documents.
func (x *Indexer) Expunge(ctx context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.index == nil {
		return nil
	}
	err := x.index.Compact(ctx)
	x.sign()
	return x.leave(err)
}

// Close writes what is in memory to disk and lets go of the index.
func (x *Indexer) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	index := x.index
	x.closed = true
	x.set(nil, errors.New("it is closed"))
	if index == nil {
		return nil
	}
	return index.Close()
}
