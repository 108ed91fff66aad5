package past

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chitta/internal/follow"
	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

// A page of a session has as many messages as were asked for. Records with
// nothing to show do not count: results, which stand with their calls, what an
// agent thought unless that is asked for, and notes of the client. Which those
// are is known only from the records, so all of a thread are looked at.

// visible are the places of a thread's messages that have something to show, in
// order.
type visible []int

// visible finds them. Records beyond what is read for a page are taken for
// something to show, so that a huge thread still has an end.
func (a *Archive) visible(ctx context.Context, r *reading, places []store.Position) (visible, error) {
	var out visible
	calls := map[string]int{}
	folded := map[int][]string{} // the calls whose results are all that a message has
	left := showRead
	for from := 0; from < len(places); {
		to := min(from+visibleAtOnce, len(places))
		if left <= 0 {
			for ; from < len(places); from++ {
				out = append(out, from)
			}
			break
		}
		seqs := make([]int64, 0, to-from)
		for _, p := range places[from:to] {
			seqs = append(seqs, p.Seq)
		}
		found, err := a.store.MessagesBySeq(ctx, seqs)
		if err != nil {
			return nil, err
		}
		for ; from < to; from++ {
			row := found[places[from].Seq]
			left -= len(row.Raw)
			said, err := follow.ReadMessage(r.source, row.Raw)
			if err != nil || r.sees(said, from, calls, folded) {
				out = append(out, from)
			}
		}
	}
	for at, ids := range folded {
		if slices.ContainsFunc(ids, func(id string) bool {
			call, ok := calls[id]
			return !ok || max(call-at, at-call) > pairWithin
		}) {
			out = append(out, at)
		}
	}
	slices.Sort(out)
	return out, nil
}

// visibleAtOnce is how many records are read at once to see what they show.
const visibleAtOnce = 500

// sees reports whether a message has something to show, whatever else there is.
// It notes its calls, and if it has nothing but results that may stand with
// theirs, of which.
func (r *reading) sees(said *session.Message, at int, calls map[string]int, folded map[int][]string) (shown bool) {
	var results []string
	for i := range said.Parts {
		p := &said.Parts[i]
		if p.Kind == session.ToolUse {
			calls[p.ToolID] = at
		}
		switch {
		case !r.shows(p):
		case r.folds(p, true):
			results = append(results, p.ToolID)
		default:
			shown = true
		}
	}
	if !shown && len(results) > 0 {
		folded[at] = results
	}
	return shown
}

// shows reports whether a part has something to show by itself.
func (r *reading) shows(p *session.Part) bool {
	switch {
	case p.Kind == session.ToolUse, p.Kind == session.Boundary, p.Kind == session.ToolResult && r.full:
		return true
	case p.Kind == session.Thinking && !r.thinking:
		return false
	}
	return strings.TrimSpace(p.Text) != ""
}

// folds reports whether a part is shown with its call, if that is near.
func (r *reading) folds(p *session.Part, near bool) bool {
	return p.Kind == session.ToolResult && !r.full && near
}

// page returns those of a page, and notes in an answer which it is.
func (v visible) page(n, limit int, out *ShowOutput) (visible, error) {
	out.Page, out.Pages = max(1, n), max(1, (len(v)+limit-1)/limit)
	if out.Page > out.Pages {
		return nil, &memory.InputError{Field: "page", Problem: fmt.Sprintf("is %d", n), Hint: fmt.Sprintf("there are %d pages", out.Pages)}
	}
	first := (out.Page - 1) * limit
	return v[first:min(len(v), first+limit)], nil
}

// around returns the one that shows a message, and so many before and after it.
func (v visible) around(places []store.Position, seq int64, n int) visible {
	if n == 0 {
		n = aroundDefault
	}
	at := slices.IndexFunc(places, func(p store.Position) bool { return p.Seq == seq })
	i, found := slices.BinarySearch(v, at)
	if !found {
		i = max(0, i-1) // it stands with the call before it
	}
	return v[max(0, i-n):min(len(v), i+n+1)]
}
