package anchor

import (
	"context"
	"errors"
	"fmt"
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
	// batch is how many memories are read at once, round for how long one round
	// works.
	batch = 100
	round = 2 * time.Second
)

// takenTo is noted for each indexed root: up to which change its memories are
// anchored, and by which version of facts.
type takenTo struct {
	Version int   `json:"version"`
	Rev     int64 `json:"rev"`
}

func noteKey(root string) string { return "anchored " + root }

// Maintain notes which anchors were found stale and goes on with anchoring
// memories of indexed projects.
func (r *Room) Maintain(ctx context.Context) error {
	if err := r.writeDown(ctx); err != nil {
		return err
	}
	base := r.opts.Opened()
	if base == nil || !syntax.Available {
		return nil
	}
	projects, err := base.Projects(ctx)
	if err != nil {
		return fmt.Errorf("anchor memories: %w", err)
	}
	until := time.Now().Add(round)
	for _, p := range projects {
		if !memory.IsProject(p.Realm) || p.Indexed.IsZero() || !isFolder(p.Root) {
			continue
		}
		for more := true; more && ctx.Err() == nil; {
			if more, err = r.takeSome(ctx, tree{p.Root, base}, p.Realm); err != nil {
				return fmt.Errorf("anchor memories of %s: %w", p.Root, err)
			}
			if more && time.Now().After(until) {
				r.opts.Wake()
				return nil
			}
		}
	}
	return nil
}

// changes are what is to be written of the anchors of some memories.
type changes struct {
	add, drop []store.Anchor
	again     []marked // hashed again for another version of facts
}

// takeSome anchors the next memories of a realm, and reports whether there are
// more.
func (r *Room) takeSome(ctx context.Context, t tree, realm string) (bool, error) {
	note := noteKey(t.root)
	at, err := store.Noted[takenTo](ctx, r.opts.Store, note)
	if err != nil {
		return false, err
	}
	if at.Version != code.Version {
		at = takenTo{Version: code.Version}
	}
	list, err := r.opts.Store.List(ctx, store.Filter{
		Realm: realm, Reach: store.ReachOnly, States: []memory.Status{memory.Active}, ByRev: true, After: at.Rev, Limit: batch,
	})
	if err != nil || len(list) == 0 {
		return false, err
	}
	seqs := make([]int64, len(list))
	for i := range list {
		seqs[i] = list[i].Seq
	}
	had, err := r.opts.Store.AnchorsOf(ctx, seqs)
	if err != nil {
		return false, err
	}
	var all changes
	was := then{taking: &taking{Room: r, tree: t}}
	for i := range list {
		if err := all.of(ctx, &was, &list[i], had[list[i].Seq]); err != nil {
			return false, err
		}
		at.Rev = list[i].Rev
	}
	err = r.opts.Store.Write(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.DropAnchors(all.drop...), tx.AddAnchors(all.add...), writeMarks(tx, slices.Values(all.again)), tx.SetNoted(note, at))
	})
	return len(list) == batch, err
}

// of adds what is to be written of one memory.
func (c *changes) of(ctx context.Context, was *then, rec *store.Record, had []store.Anchor) error {
	want, err := was.takeIn(ctx, was.tree, rec, rec.Provenance.Cwd, Given{Files: givenBefore(rec, had)})
	if err != nil {
		return err
	}
	add, drop := compare(rec, had, want)
	for _, old := range had {
		if old.Hash == "" || takenOf(old.Hash).comparable() || slices.ContainsFunc(drop, func(a store.Anchor) bool { return a.Path == old.Path && a.Symbol == old.Symbol }) {
			continue
		}
		switch to, ok, err := was.again(ctx, old); {
		case err != nil:
			return err
		case ok:
			c.again = append(c.again, marked{old, to.Hash, to.Signature})
		}
	}
	c.add, c.drop = append(c.add, add...), append(c.drop, drop...)
	return nil
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

// compare compares what a memory is anchored to with what it names now.
// What has a hash keeps it: it says how things were when the memory was made.
// What its text no longer names is dropped.
func compare(r *store.Record, had, want []store.Anchor) (add, drop []store.Anchor) {
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

// Again anchors a memory whose text was just changed or written: what it says now
// is held against the code of now. If that fails the background comes to it.
func (r *Room) Again(ctx context.Context, rec *store.Record, cwd string) {
	if err := r.again(ctx, rec, cwd); err != nil && ctx.Err() == nil {
		r.opts.Log.Warn("a memory is not anchored to code yet", "memory", rec.ID, "error", err)
	}
}

func (r *Room) again(ctx context.Context, rec *store.Record, cwd string) error {
	had, err := r.opts.Store.AnchorsOf(ctx, []int64{rec.Seq})
	if err != nil {
		return err
	}
	want, err := r.Take(ctx, rec, cwd, Given{})
	if err != nil || len(want) == 0 && len(had) == 0 {
		return err
	}
	drop := slices.DeleteFunc(had[rec.Seq], func(a store.Anchor) bool { return a.Named != store.NamedText })
	return r.opts.Store.Write(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.DropAnchors(drop...), tx.AddAnchors(On(rec.Seq, want)...))
	})
}
