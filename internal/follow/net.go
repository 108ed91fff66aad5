package follow

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	facts "chitta/internal/graph"
	"chitta/internal/store"
)

// Net keeps the knowledge graph in memory in step with the store. A large one
// is loaded in the background, in slices, so that nobody waits for it; what
// needs only a few rows is asked of the store meanwhile.
type Net struct {
	net   *facts.Net
	store *store.Store
	wake  chan struct{} // background work is waiting
	log   *slog.Logger

	atStart int64 // how many changes a start waits for
	batch   int   // how many are read at once

	mu    sync.Mutex // one slice at a time, so changes stay in order
	rev   int64      // the last change that is known
	todo  atomic.Int64
	ready atomic.Bool // all that was there at the start is known
}

const (
	// netAtStart is how many triples a start waits for: about 60 ms. More are
	// left to the background.
	netAtStart = 5_000
	// netSlice is how many triples are read at once.
	netSlice = 2_000
)

// NewNet makes the net of a store, with nothing in it yet. wake is signalled
// when there is work for [Net.Maintain].
func NewNet(s *store.Store, wake chan struct{}, log *slog.Logger) *Net {
	return &Net{net: facts.NewNet(), store: s, wake: wake, log: log, atStart: netAtStart, batch: netSlice}
}

// Open takes over what is there if that is quickly done.
func (n *Net) Open(ctx context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	todo, err := n.behind(ctx)
	if err != nil || todo > n.atStart {
		return err
	}
	return n.catchUp(ctx)
}

// Net returns the net, and whether everything that was stored at the start is
// in it.
func (n *Net) Net() (net *facts.Net, ready bool) { return n.net, n.ready.Load() }

// Behind returns how many changes are still to be taken over.
func (n *Net) Behind() int64 { return n.todo.Load() }

// Rev returns up to which change of the triples the net is in step.
func (n *Net) Rev() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.rev
}

// Follow takes over what was just written, if it is little. It never fails the
// write: what could not be taken over now is left to the background.
func (n *Net) Follow(ctx context.Context) {
	n.mu.Lock()
	defer n.mu.Unlock()
	todo, err := n.behind(ctx)
	if err == nil && todo <= int64(n.batch) {
		err = n.catchUp(ctx)
	}
	if err != nil {
		n.log.Warn("the net of facts fell behind", "error", err)
	}
	if err != nil || n.todo.Load() > 0 {
		select {
		case n.wake <- struct{}{}:
		default: // it knows
		}
	}
}

// Maintain takes over everything that is missing. Between slices others get
// their turn.
func (n *Net) Maintain(ctx context.Context) error {
	for {
		more, err := n.step(ctx)
		if err != nil {
			return fmt.Errorf("load facts: %w", err)
		}
		if !more {
			return nil
		}
	}
}

func (n *Net) step(ctx context.Context) (more bool, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, err := n.behind(ctx); err != nil {
		return false, err
	}
	return n.slice(ctx)
}

// behind counts what is missing. mu is held.
func (n *Net) behind(ctx context.Context) (int64, error) {
	last, err := n.store.LastTripleRev(ctx)
	if err != nil {
		return 0, err
	}
	n.todo.Store(max(0, last-n.rev))
	return last - n.rev, nil
}

// catchUp takes over slice after slice. mu is held.
func (n *Net) catchUp(ctx context.Context) error {
	for {
		if more, err := n.slice(ctx); err != nil || !more {
			return err
		}
	}
}

// slice takes over the next changes. mu is held.
func (n *Net) slice(ctx context.Context) (more bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	list, err := n.store.TriplesAfter(ctx, n.rev, n.batch)
	if err != nil {
		return false, err
	}
	changes := make([]facts.Change, len(list))
	for i := range list {
		changes[i] = changeOf(&list[i])
		n.rev = list[i].Rev
	}
	n.net.Apply(changes...)
	if len(list) == n.batch {
		n.todo.Store(max(1, n.todo.Load()-int64(n.batch)))
		return true, nil
	}
	n.todo.Store(0)
	n.ready.Store(true)
	return false, nil
}

func changeOf(t *store.Triple) facts.Change {
	return facts.Change{Gone: t.Gone, Triple: facts.Triple{
		Seq: t.Seq, Realm: t.Realm, Subject: t.SubjectKey, Predicate: t.Predicate, Object: t.ObjectKey,
		Confidence: t.Confidence, ValidFrom: t.ValidFrom, ValidUntil: t.ValidUntil,
	}}
}
