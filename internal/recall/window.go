package recall

import (
	"context"
	"sync"

	"chitta/internal/vector"
)

// A window is a turn with what was said before and after: its vector is that
// of the turn plus half of each neighbour's. It is as telling as a vector of
// their joint text and need not be stored: the cosine of a question with it is
// the same sum of cosines over the window's length, which does not depend on
// the question.

// neighbourShare is how much of a neighbour's vector goes into a window's.
const neighbourShare = 0.5

// window names a turn and the neighbours that have vectors, 0 for none.
type window struct{ item, before, after int64 }

// windowLengths remembers the lengths of windows.
type windowLengths struct {
	mu    sync.Mutex
	index *vector.Index // they belong to
	known map[window]float64
}

// maxWindows bounds what is remembered: some tens of megabytes.
const maxWindows = 500_000

// of returns the length of a window's vector.
func (l *windowLengths) of(index *vector.Index, w window) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index != index || len(l.known) >= maxWindows {
		l.index, l.known = index, map[window]float64{}
	}
	length, ok := l.known[w]
	if !ok {
		length = max(1e-6, float64(index.SumLength([]uint64{uint64(w.item), uint64(w.before), uint64(w.after)}, []float32{1, neighbourShare, neighbourShare})))
		l.known[w] = length
	}
	return length
}

// Warm works out the lengths of windows that questions will need, until ctx
// ends: with them known, a question costs a millisecond less.
func (c *Conversations) Warm(ctx context.Context) error {
	return c.Meaning(ctx, func(index *vector.Index, _ Encoder) error {
		for _, w := range c.Timeline.windows() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if c.windows.full(index) {
				return nil
			}
			c.windows.of(index, w.with(index))
		}
		return nil
	})
}

// full reports whether no more lengths are remembered.
func (l *windowLengths) full(index *vector.Index) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.index == index && len(l.known) >= maxWindows-1
}

// with leaves out neighbours that have no vector.
func (w window) with(index *vector.Index) window {
	if !index.Has(uint64(w.before)) {
		w.before = 0
	}
	if !index.Has(uint64(w.after)) {
		w.after = 0
	}
	return w
}

// windows returns every chunk with its neighbours.
func (t *Timeline) windows() []window {
	t.mu.RLock()
	defer t.mu.RUnlock()
	all := make([]window, 0, len(t.spots))
	for _, s := range t.spots {
		w := window{item: s.Seq}
		if o := s.beside(-1); o != nil {
			w.before = o.Seq
		}
		if o := s.beside(1); o != nil {
			w.after = o.Seq
		}
		all = append(all, w)
	}
	return all
}
