package follow

import (
	"context"
	"errors"
	"fmt"

	"chitta/internal/store"
)

// IndexStatus says how the keyword index stands.
type IndexStatus struct {
	State    string `json:"state"` // ready, catching up, being made anew, off
	Docs     int    `json:"docs"`
	Segments int    `json:"segments"`
	Bytes    int64  `json:"bytes"`
	Todo     int64  `json:"todo"`              // changes still to apply
	Total    int64  `json:"total"`             // of how many
	Problem  string `json:"problem,omitempty"` // if ready: why it is not on disk
}

// The states of an index.
const (
	IndexReady      = "ready"
	IndexCatchingUp = "catching up"
	IndexMending    = "being made anew" // it was damaged
	IndexOff        = "off"
)

// saved remembers whether the index could be written to disk, and passes on
// why not.
func (x *Indexer) saved(err error) error {
	if errors.Is(err, context.Canceled) {
		return err // who stopped it knows
	}
	x.state.Lock()
	x.unsaved = err
	x.state.Unlock()
	return err
}

// Status says how the index is.
func (x *Indexer) Status() IndexStatus {
	x.state.RLock()
	defer x.state.RUnlock()
	st := IndexStatus{State: IndexReady, Todo: x.todo, Total: x.total}
	why := x.err
	if why == nil {
		why = x.mending
	}
	if why == nil && x.unsaved != nil {
		why = fmt.Errorf("not on disk: %w", x.unsaved)
	}
	if x.index == nil {
		st.State = IndexOff
	} else {
		s := x.index.Stats()
		st.Docs, st.Segments, st.Bytes = s.Docs, s.Segments, int64(s.DiskBytes)
		damage := x.index.Damaged()
		switch {
		case damage != nil:
			st.State, why = IndexMending, damage
		case x.mending != nil:
			st.State = IndexMending
		case x.todo > 0:
			st.State = IndexCatchingUp
		}
	}
	if why != nil {
		st.Problem = x.feed.name + ": " + why.Error()
	}
	return st
}

// Check holds the index against what it is derived from.
func (x *Indexer) Check(ctx context.Context) []store.Problem {
	name := "the keyword index of " + x.feed.name
	index, err := x.Ready()
	if err != nil {
		return []store.Problem{{What: name + " is there", Detail: err.Error()}}
	}
	var out []store.Problem
	if err := index.Verify(); err != nil {
		out = append(out, store.Problem{What: name + " is sound", Detail: err.Error() + "; it is made anew in the background"})
		x.due()
	}
	// while it catches up, or while somebody writes, the counts may differ
	last, err := x.feed.Last(ctx)
	if err != nil {
		return append(out, store.Problem{What: name + " is in step", Detail: err.Error()})
	}
	if docs := index.Stats().Docs; int64(index.Seq()) == last {
		if n, err := x.feed.Count(ctx); err == nil && n != docs && docs == index.Stats().Docs {
			out = append(out, store.Problem{What: name + " is in step", Detail: fmt.Sprintf("%d documents for %d %s; chitta rebuild makes it anew", docs, n, x.feed.name)})
		}
	}
	return out
}

// Lagging says what the index lacks, "" if nothing.
func (x *Indexer) Lagging() string {
	damage := x.Damage()
	todo, total, _ := x.Progress()
	switch {
	case todo == 0:
		return "" // damage was said by the search that met it
	case damage != nil:
		return fmt.Sprintf("the index of %s was damaged and is being made anew, %d of %d changes to go", x.Name(), todo, total)
	}
	return fmt.Sprintf("the index of %s is catching up, %d of %d changes to go", x.Name(), todo, total)
}
