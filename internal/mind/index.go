package mind

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"chitta/internal/keyword"
	"chitta/internal/store"
)

// indexer keeps a keyword index in step with its feed. It follows the feed's
// sequence of changes, so whatever happens to the index or the
// process, catching up is always the same act: apply what comes after.
type indexer struct {
	dir    string
	source string // what the index is derived from
	fields []keyword.Field
	feed   feed
	log    *slog.Logger
	wake   chan struct{} // background work is waiting

	mu      sync.Mutex // held while changes are applied, so they stay in order
	flushed time.Time

	state sync.RWMutex // guards what follows
	index *keyword.Index
	err   error // why there is no index, or why it fell behind
	todo  int64 // changes still to apply
	total int64 // changes to apply when catching up began
}

const (
	// followNow is how far behind the index may be for a writer to wait for
	// it; beyond, catching up is left to the background.
	followNow = 500
	// followBatch is how many changes are applied at once.
	followBatch = 500
	// flushAfter bounds how much is caught up again after a crash.
	flushAfter = 30 * time.Second
	// flushChanges is the same bound in changes.
	flushChanges = 20_000
)

func newIndexer(dir, source string, fields []keyword.Field, f feed, wake chan struct{}, log *slog.Logger) *indexer {
	return &indexer{dir: filepath.Join(dir, f.name), source: source, fields: fields, feed: f, log: log, wake: wake}
}

func (x *indexer) options() keyword.Options {
	return keyword.Options{Source: x.source, Fields: x.fields}
}

// open opens the index, replacing one that is damaged or outdated by an empty
// one, and catches up when little is missing.
func (x *indexer) open(ctx context.Context) error {
	index, err := keyword.Open(x.dir, x.options())
	if errors.Is(err, keyword.ErrDamaged) || errors.Is(err, keyword.ErrOptionsChanged) {
		x.log.Warn("keyword index is rebuilt", "of", x.feed.name, "reason", err)
		index, err = x.fresh()
	}
	if err != nil {
		// Memory works without an index, less well; a full or read-only disk
		// will be reported by the first write.
		x.log.Error("no keyword index", "of", x.feed.name, "error", err)
	}
	x.set(index, err)
	if index == nil {
		return nil
	}
	last, err := x.feed.last(ctx)
	if err != nil {
		return err
	}
	if int64(index.Seq()) > last {
		// The store is older than the index: a backup was put in place.
		x.log.Warn("keyword index is ahead of the store and is rebuilt")
		return x.rebuild(ctx)
	}
	x.follow(ctx)
	return nil
}

func (x *indexer) fresh() (*keyword.Index, error) {
	if err := keyword.Remove(x.dir); err != nil {
		return nil, err
	}
	return keyword.Open(x.dir, x.options())
}

func (x *indexer) set(index *keyword.Index, err error) {
	x.state.Lock()
	defer x.state.Unlock()
	x.index, x.err = index, err
}

// ready returns the index, or why there is none.
func (x *indexer) ready() (*keyword.Index, error) {
	x.state.RLock()
	defer x.state.RUnlock()
	if x.index == nil {
		return nil, fmt.Errorf("keyword index is not available: %w", x.err)
	}
	return x.index, nil
}

// progress returns how many changes the index still lacks and of how many.
func (x *indexer) progress() (todo, total int64, err error) {
	x.state.RLock()
	defer x.state.RUnlock()
	return x.todo, x.total, x.err
}

// follow applies the store's newest changes if they are few. It is called
// after every write and never fails the write: what could not be applied now
// is applied later.
func (x *indexer) follow(ctx context.Context) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.index == nil {
		return
	}
	todo, err := x.behind(ctx)
	if err == nil && todo <= followNow {
		err = x.apply(ctx, followNow)
	}
	x.note(err)
	x.due()
}

// note remembers why the index fell behind, until it has caught up.
func (x *indexer) note(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		x.log.Error("keyword index fell behind", "of", x.feed.name, "error", err)
	}
	x.state.Lock()
	x.err = err
	x.state.Unlock()
}

// due tells the background that there is something to do.
func (x *indexer) due() {
	select {
	case x.wake <- struct{}{}:
	default: // it knows
	}
}

func (x *indexer) behind(ctx context.Context) (int64, error) {
	last, err := x.feed.last(ctx)
	if err != nil {
		return 0, err
	}
	todo := last - int64(x.index.Seq())
	x.state.Lock()
	defer x.state.Unlock()
	if x.todo = todo; todo == 0 {
		x.total = 0
	} else {
		x.total = max(x.total, todo)
	}
	return todo, nil
}

// apply brings the next changes from the feed to the index.
func (x *indexer) apply(ctx context.Context, most int) error {
	entries, err := x.feed.after(ctx, int64(x.index.Seq()), most)
	if err != nil || len(entries) == 0 {
		return err
	}
	var b keyword.Batch
	for i := range entries {
		e := &entries[i]
		b.Seq = uint64(e.rev)
		if e.gone {
			b.Delete = append(b.Delete, uint64(e.seq))
		} else {
			b.Put = append(b.Put, e.doc())
		}
	}
	if err := x.index.Apply(b); err != nil {
		return err
	}
	x.state.Lock()
	x.todo = max(0, x.todo-int64(len(entries)))
	x.state.Unlock()
	return nil
}

// maintain catches up, writes the live part to disk when it is time, and
// merges segments. It holds the lock only in short steps.
func (x *indexer) maintain(ctx context.Context) error {
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
	index, err := x.ready()
	if err != nil {
		return nil // said when it happened
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	waiting := index.Seq() - index.DurableSeq()
	if waiting > 0 && (waiting > flushChanges || time.Since(x.flushed) > flushAfter) {
		if err := index.Flush(); err != nil {
			x.note(err)
			return err
		}
		x.flushed = time.Now()
	}
	return index.Maintain(ctx)
}

func (x *indexer) catchUp(ctx context.Context) (todo int64, err error) {
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

// rebuild starts over with an empty index; the background fills it.
func (x *indexer) rebuild(ctx context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
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
	if _, err := x.behind(ctx); err != nil {
		return err
	}
	x.due()
	return nil
}

// expunge rewrites what still holds the words of deleted documents.
func (x *indexer) expunge(ctx context.Context) error {
	index, err := x.ready()
	if err != nil {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return index.Compact(ctx)
}

func (x *indexer) close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	index := x.index
	x.set(nil, errors.New("it is closed"))
	if index == nil {
		return nil
	}
	return index.Close()
}

// status says how the index is.
func (x *indexer) status() IndexStatus {
	todo, total, why := x.progress()
	st := IndexStatus{State: IndexReady, Todo: todo, Total: total}
	if why != nil {
		st.Problem = why.Error()
	}
	index, err := x.ready()
	if err != nil {
		st.State = IndexOff
		return st
	}
	if todo > 0 {
		st.State = IndexCatchingUp
	}
	s := index.Stats()
	st.Docs, st.Segments, st.Bytes = s.Docs, s.Segments, int64(s.DiskBytes)
	return st
}

// check holds the index against what it is derived from.
func (x *indexer) check(ctx context.Context) []store.Problem {
	name := "the keyword index of " + x.feed.name
	index, err := x.ready()
	if err != nil {
		return []store.Problem{{What: name + " is there", Detail: err.Error()}}
	}
	var out []store.Problem
	if err := index.Verify(); err != nil {
		out = append(out, store.Problem{What: name + " is sound", Detail: err.Error() + "; chitta rebuild makes it anew"})
	}
	// while it catches up, or while somebody writes, the counts may differ
	last, err := x.feed.last(ctx)
	if err != nil {
		return append(out, store.Problem{What: name + " is in step", Detail: err.Error()})
	}
	if docs := index.Stats().Docs; int64(index.Seq()) == last {
		if n, err := x.feed.count(ctx); err == nil && n != docs && docs == index.Stats().Docs {
			out = append(out, store.Problem{What: name + " is in step", Detail: fmt.Sprintf("%d documents for %d %s; chitta rebuild makes it anew", docs, n, x.feed.name)})
		}
	}
	return out
}
