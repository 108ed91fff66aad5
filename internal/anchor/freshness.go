package anchor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"chitta/internal/store"
)

// How what a memory says stands against the code it names.
const (
	Fresh = "fresh" // the code is what it was
	Stale = "stale" // it changed, or is gone
	// Unknown is that of what cannot be held against code.
	Unknown = "unverifiable"
)

// State is how one place of the code stands.
type State struct {
	File     string    `json:"file"`
	Symbol   string    `json:"symbol,omitempty"`
	State    string    `json:"state"`
	Removed  bool      `json:"removed,omitempty"`  // it is gone
	Note     string    `json:"note,omitempty"`     // what changed, where it is now, or why nothing can be said
	Since    time.Time `json:"since,omitzero"`     // when it was last known to be so
	Revision string    `json:"revision,omitempty"` // the commit of then

	to place // where it is now, if that is known to be elsewhere
}

// place is where a symbol or a file is.
type place struct{ file, symbol string }

// Freshness is how a memory stands against the code that it names: as the worst
// of its anchors. State is "" if it names none.
type Freshness struct {
	State   string
	Note    string
	Anchors []State
}

// Check holds memories against the code they name, by their rows. cwd says which
// clone of a project counts.
func (r *Room) Check(ctx context.Context, cwd string, records []store.Record, anchors map[int64][]store.Anchor, wait Wait) (map[int64]Freshness, error) {
	if end, ok := ctx.Deadline(); ok && wait == Reading { // a hook has little time, and more to do with it
		wait = max(0, min(wait, Wait(time.Until(end)/4)))
	}
	byRealm := map[string][]store.Anchor{}
	for i := range records {
		for _, a := range anchors[records[i].Seq] {
			if a.Named > 0 {
				byRealm[records[i].Realm] = append(byRealm[records[i].Realm], a)
			}
		}
	}
	out := map[int64]Freshness{}
	for realm, list := range byRealm {
		t, err := r.treeOf(ctx, realm, cwd)
		if err != nil {
			return nil, err
		}
		states, err := r.check(ctx, t, list, wait)
		if err != nil {
			return nil, err
		}
		for i, a := range list {
			f := out[a.Memory]
			f.take(states[i])
			out[a.Memory] = f
		}
	}
	return out, nil
}

// take counts an anchor in: the worst says how a memory stands, and of those the
// first.
func (f *Freshness) take(s State) {
	f.Anchors = append(f.Anchors, s)
	bad := func(state string) int {
		return slices.Index([]string{"", Fresh, Unknown, Stale}, state)
	}
	if bad(s.State) > bad(f.State) || s.State == f.State && f.Note == "" {
		f.State, f.Note = s.State, s.Note
	}
}

func unknown(note string) State { return State{State: Unknown, Note: note} }

func stale(format string, args ...any) State {
	return State{State: Stale, Note: fmt.Sprintf(format, args...)}
}

func removed(format string, args ...any) State {
	s := stale(format, args...)
	s.Removed = true
	return s
}

func fresh(note string) State { return State{State: Fresh, Note: note} }

// asCode puts a name or a signature in quotes, on one line and not too long,
// with nothing in it that ends them.
func asCode(s string) string {
	const most = 80
	words := strings.FieldsFunc(strings.ReplaceAll(s, "`", "'"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	})
	runes := []rune(strings.Join(words, " "))
	if len(runes) > most {
		runes = append(runes[:most-1], '…')
	}
	return "`" + string(runes) + "`"
}
