package recall

import (
	"context"
	"math"
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

// windowLengths remembers the lengths of windows, the last of each turn.
type windowLengths struct {
	mu    sync.Mutex
	index *vector.Index // they belong to
	known map[int64]windowLength
}

type windowLength struct {
	window
	length float64
}

// maxWindows bounds what is remembered: some tens of megabytes.
const maxWindows = 500_000

// of returns the lengths of windows' vectors, 0 for those without a turn.
func (l *windowLengths) of(index *vector.Index, ws []window) []float64 {
	lengths := make([]float64, len(ws))
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, w := range ws {
		if w.item == 0 {
			continue
		}
		if l.index != index || len(l.known) >= maxWindows {
			l.index, l.known = index, map[int64]windowLength{}
		}
		known, ok := l.known[w.item]
		if !ok || known.window != w {
			known = windowLength{w, w.length(index)}
			l.known[w.item] = known
		}
		lengths[i] = known.length
	}
	return lengths
}

// length works out the length of a window's vector.
func (w window) length(index *vector.Index) float64 {
	ids, shares := []uint64{uint64(w.item), uint64(w.before), uint64(w.after)}, []float32{1, neighbourShare, neighbourShare}
	return max(1e-6, float64(index.SumLength(ids, shares)))
}

// measure finds the cosine of every turn with the question, by itself and
// together with its neighbours.
func (s *scene) measure(found *lists, windows *windowLengths) error {
	if found.index == nil {
		return nil
	}
	ids := s.unmeasured()
	cosines, err := found.index.Cosines(found.vector, ids)
	if err != nil {
		return err
	}
	measured := 0
	next := func() float64 {
		measured++
		return float64(cosines[measured-1])
	}
	for i := range s.turns {
		if x := &s.turns[i]; !x.near {
			x.cosine = next() // NaN without a vector
		}
	}
	// beside returns a neighbour and its cosine, zero if it has no vector
	beside := func(seq int64, at int) (int64, float64) {
		cosine := math.NaN()
		switch {
		case at >= 0:
			cosine = s.turns[at].cosine
		case seq != 0:
			cosine = next()
		}
		if math.IsNaN(cosine) {
			return 0, 0
		}
		return seq, cosine
	}
	sums, asked := make([]float64, len(s.turns)), make([]window, len(s.turns))
	for i := range s.turns {
		x := &s.turns[i]
		before, first := beside(x.before, x.prev)
		after, last := beside(x.after, x.next)
		if !math.IsNaN(x.cosine) {
			sums[i] = x.cosine + neighbourShare*first + neighbourShare*last
			asked[i] = window{item: x.Seq, before: before, after: after}
		}
	}
	for i, length := range windows.of(found.index, asked) {
		x := &s.turns[i]
		if asked[i].item == 0 {
			x.cosine = 0
			continue
		}
		x.window = sums[i] / length
	}
	return nil
}

// unmeasured returns the turns whose cosine is not known, and then what stands
// beside turns and is not in the scene.
func (s *scene) unmeasured() []uint64 {
	ids := make([]uint64, 0, 3*len(s.turns))
	for i := range s.turns {
		if x := &s.turns[i]; !x.near {
			ids = append(ids, uint64(x.Seq))
		}
	}
	for i := range s.turns {
		x := &s.turns[i]
		if x.prev < 0 && x.before != 0 {
			ids = append(ids, uint64(x.before))
		}
		if x.next < 0 && x.after != 0 {
			ids = append(ids, uint64(x.after))
		}
	}
	return ids
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
			c.windows.of(index, []window{w.with(index)})
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
		all = append(all, window{item: s.Seq, before: s.before, after: s.after})
	}
	return all
}
