package mind

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"chitta/internal/code"
	"chitta/internal/memory"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// Memories that were stored before their project was indexed, or whose text was
// changed by whatever, are anchored in the background, with what the code is
// when that is done.

const (
	// anchorBatch is how many memories are read at once, anchorRound for how long
	// one round works.
	anchorBatch = 100
	anchorRound = 2 * time.Second
)

// anchoredTo is noted for each indexed root: up to which change its memories are
// anchored, and by which version of facts.
type anchoredTo struct {
	Version int   `json:"version"`
	Rev     int64 `json:"rev"`
}

func anchoredKey(root string) string { return "anchored " + root }

// maintainAnchors notes which anchors were found stale and goes on with anchoring
// memories of indexed projects.
func (m *Mind) maintainAnchors(ctx context.Context) error {
	if err := m.markAnchors(ctx); err != nil {
		return err
	}
	base := m.code.there.Load()
	if base == nil || !syntax.Available {
		return nil
	}
	projects, err := base.Projects(ctx)
	if err != nil {
		return fmt.Errorf("anchor memories: %w", err)
	}
	until := time.Now().Add(anchorRound)
	for _, p := range projects {
		if !memory.IsProject(p.Realm) || p.Indexed.IsZero() || !isFolder(p.Root) {
			continue
		}
		for more := true; more && ctx.Err() == nil; {
			if more, err = m.anchorSome(ctx, tree{p.Root, base}, p.Realm); err != nil {
				return fmt.Errorf("anchor memories of %s: %w", p.Root, err)
			}
			if more && time.Now().After(until) {
				m.signal()
				return nil
			}
		}
	}
	return nil
}

func (m *Mind) markAnchors(ctx context.Context) error {
	r := &m.anchors
	r.mu.Lock()
	marks := r.marks
	r.marks = nil
	r.mu.Unlock()
	if len(marks) == 0 {
		return nil
	}
	if err := m.store.Write(ctx, func(tx *store.Tx) error { return writeMarks(tx, maps.Values(marks)) }); err != nil {
		return fmt.Errorf("note which code changed: %w", err)
	}
	return nil
}

func writeMarks(tx *store.Tx, marks iter.Seq[markedAnchor]) error {
	for x := range marks {
		if err := tx.MarkAnchor(x.Anchor, x.hash, x.signature); err != nil {
			return err
		}
	}
	return nil
}

// anchorSome anchors the next memories of a realm, and reports whether there are
// more.
func (m *Mind) anchorSome(ctx context.Context, t tree, realm string) (bool, error) {
	key := anchoredKey(t.root)
	at, err := store.Noted[anchoredTo](ctx, m.store, key)
	if err != nil {
		return false, err
	}
	if at.Version != code.Version {
		at = anchoredTo{Version: code.Version}
	}
	list, err := m.store.List(ctx, store.Filter{
		Realm: realm, Reach: store.ReachOnly, States: []memory.Status{memory.Active}, ByRev: true, After: at.Rev, Limit: anchorBatch,
	})
	if err != nil || len(list) == 0 {
		return false, err
	}
	seqs := make([]int64, len(list))
	for i := range list {
		seqs[i] = list[i].Seq
	}
	had, err := m.store.AnchorsOf(ctx, seqs)
	if err != nil {
		return false, err
	}
	var add, drop []store.Anchor
	var again []markedAnchor
	was := then{anchoring: &anchoring{Mind: m, tree: t}}
	for i := range list {
		r := &list[i]
		want, err := m.anchorsIn(ctx, t, r, r.Provenance.Cwd, givenBefore(r, had[r.Seq]), nil, nil)
		if err != nil {
			return false, err
		}
		a, d := anchorsAgain(r, had[r.Seq], want)
		for _, old := range had[r.Seq] {
			if old.Hash == "" || takenOf(old.Hash).comparable() || slices.ContainsFunc(d, func(a store.Anchor) bool { return a.Path == old.Path && a.Symbol == old.Symbol }) {
				continue
			}
			switch to, ok, err := was.again(ctx, old); {
			case err != nil:
				return false, err
			case ok:
				again = append(again, markedAnchor{old, to.Hash, to.Signature})
			}
		}
		add, drop = append(add, a...), append(drop, d...)
		at.Rev = r.Rev
	}
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.DropAnchors(drop...), tx.AddAnchors(add...), writeMarks(tx, slices.Values(again)), tx.SetNoted(key, at))
	})
	return len(list) == anchorBatch, err
}

// givenBefore returns the files that somebody named for a memory when that was
// not noted yet.
func givenBefore(r *store.Record, had []store.Anchor) (files []string) {
	for _, a := range had {
		if a.Symbol == "" && (a.Named == store.NamedGiven || a.Named == store.NamedNot && r.Source == memory.Conscious && a.Hash == "") {
			files = append(files, a.Path)
		}
	}
	return files
}

// anchorsAgain compares what a memory is anchored to with what it names now.
// What has a hash keeps it: it says how things were when the memory was made.
// What its text no longer names is dropped.
func anchorsAgain(r *store.Record, had, want []store.Anchor) (add, drop []store.Anchor) {
	known := map[[2]string]store.Anchor{}
	names := map[string]bool{}
	for _, a := range had {
		known[[2]string{a.Path, a.Symbol}] = a
		says := strings.Contains(r.Content, path.Base(a.Path)) || a.Symbol != "" && strings.Contains(r.Content, lastName(a.Symbol))
		switch {
		case a.Path == tooMuch:
			if !slices.ContainsFunc(want, func(b store.Anchor) bool { return b.Path == tooMuch }) {
				drop = append(drop, a)
			}
		case a.Named == store.NamedText && (!says || toldBy(a, had, want)):
			drop = append(drop, a)
		case a.Symbol != "" && a.Hash != "":
			names[lastName(a.Symbol)] = true
		}
	}
	for _, a := range want {
		old, ok := known[[2]string{a.Path, a.Symbol}]
		switch {
		case !ok && names[lastName(a.Symbol)] || !ok && a.Symbol == "" && a.Path != tooMuch && len(names) > 0:
			continue // another has got the name since, or it moved and its file is all that is left
		case ok && old.Hash != "" && old.Named >= a.Named:
			continue
		case ok && old.Hash != "":
			a.Hash = "" // only how it came by it is new
		}
		a.Memory = r.Seq
		add = append(add, a)
	}
	return add, drop
}

// toldBy says whether a file that a text names is told by a symbol in it, as it is
// when the text is anchored for the first time: the index came later, and the
// symbol was taken of the very text that the file was taken of.
func toldBy(file store.Anchor, had, want []store.Anchor) bool {
	text := takenOf(file.Hash).text
	if file.Symbol != "" || text == "" || slices.ContainsFunc(want, func(a store.Anchor) bool { return a.Path == file.Path && a.Symbol == "" }) {
		return false
	}
	return slices.ContainsFunc(want, func(a store.Anchor) bool {
		if i := slices.IndexFunc(had, func(b store.Anchor) bool { return b.Path == a.Path && b.Symbol == a.Symbol && b.Hash != "" }); i >= 0 {
			a = had[i] // which keeps its hash
		}
		return a.Path == file.Path && a.Symbol != "" && takenOf(a.Hash).text == text
	})
}

// anchorAgain anchors a memory whose text was just changed or written: what it
// says now is held against the code of now.
func (m *Mind) anchorAgain(ctx context.Context, c Caller, r *store.Record) {
	err := func() error {
		had, err := m.store.AnchorsOf(ctx, []int64{r.Seq})
		if err != nil {
			return err
		}
		want, err := m.anchorsOf(ctx, r, c.Cwd, nil, nil, nil)
		if err != nil || len(want) == 0 && len(had) == 0 {
			return err
		}
		var drop []store.Anchor
		for _, a := range had[r.Seq] {
			if a.Named == store.NamedText {
				drop = append(drop, a)
			}
		}
		return m.store.Write(ctx, func(tx *store.Tx) error {
			return errors.Join(tx.DropAnchors(drop...), tx.AddAnchors(anchorsOn(r.Seq, want)...))
		})
	}()
	if err != nil && ctx.Err() == nil { // the background comes to it
		m.opts.Log.Warn("a memory is not anchored to code yet", "memory", r.ID, "error", err)
	}
}
