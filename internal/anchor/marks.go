package anchor

import (
	"context"
	"fmt"
	"iter"
	"maps"

	"chitta/internal/store"
)

// maxMarks bounds how many anchors wait to be marked.
const maxMarks = 1000

// key names an anchor.
type key struct {
	memory       int64
	path, symbol string
}

// marked is an anchor and what is written of it anew.
type marked struct {
	store.Anchor
	hash, signature string
}

// note has it noted with an anchor whether it is stale, where that is new: a
// later version may not be able to tell. The background writes it: a question
// does not wait for a write.
func (c *checking) note(a *store.Anchor, s *State) {
	h := takenOf(a.Hash)
	is := s.State == Stale
	if a.Hash == "" || s.State == Unknown || !h.comparable() || h.marked(markStale) == is {
		return
	}
	if h.old { // that others had it before is not known
		h = h.mark(markDoubled, true)
	}
	at := key{a.Memory, a.Path, a.Symbol}
	to := marked{*a, h.mark(markStale, is).String(), a.Signature}
	c.mu.Lock()
	had, ok := c.marks[at]
	if len(c.marks) < maxMarks {
		c.marks[at] = to
	}
	c.mu.Unlock()
	if !ok || had.hash != to.hash {
		c.opts.Wake()
	}
}

// writeDown notes with anchors which of them were found stale.
func (r *Room) writeDown(ctx context.Context) error {
	r.mu.Lock()
	marks := r.marks
	r.marks = map[key]marked{}
	r.mu.Unlock()
	if len(marks) == 0 {
		return nil
	}
	if err := r.opts.Store.Write(ctx, func(tx *store.Tx) error { return writeMarks(tx, maps.Values(marks)) }); err != nil {
		return fmt.Errorf("note which code changed: %w", err)
	}
	return nil
}

func writeMarks(tx *store.Tx, marks iter.Seq[marked]) error {
	for x := range marks {
		if err := tx.MarkAnchor(x.Anchor, x.hash, x.signature); err != nil {
			return err
		}
	}
	return nil
}
