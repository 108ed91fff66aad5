package anchor

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"chitta/internal/follow"
	"chitta/internal/store"
)

// passageFiles is how many files of a passage are looked at.
const passageFiles = 8

// Passage is a part of a conversation.
type Passage struct {
	Realm   string
	Text    string
	At      time.Time // when it was said
	Touched []store.Touch
}

// CheckPassage holds a passage against the files that it touched and names. Of
// what those held then nothing is known: a file that was not written since is
// what it was; of others nothing can be said, unless all are gone.
func (r *Room) CheckPassage(ctx context.Context, cwd string, p Passage) (Freshness, error) {
	t, err := r.treeOf(ctx, p.Realm, cwd)
	if err != nil || t.root == "" {
		return Freshness{}, err
	}
	roots, err := r.tops(ctx, p.Realm)
	if err != nil {
		return Freshness{}, err
	}
	return t.since(t.filesOf(&p, roots), p.At), nil
}

// filesOf returns the files of a project that a passage touched, and those that
// are there of what it names.
func (t tree) filesOf(p *Passage, roots []string) []string {
	var out []string
	add := func(file string) {
		rel, ok := follow.RelativeTo(roots, file)
		if ok && filepath.IsLocal(rel) && len(out) < passageFiles && !slices.Contains(out, rel) {
			out = append(out, rel)
		}
	}
	for _, x := range p.Touched {
		if x.Action != "search" && !x.Failed {
			add(x.Path)
		}
	}
	named, _ := calledIn(p.Text)
	for _, c := range named {
		if !c.file {
			continue
		}
		if rel, ok := follow.RelativeTo(roots, c.name); ok && filepath.IsLocal(rel) {
			if fi, err := os.Stat(t.full(rel)); err == nil && fi.Mode().IsRegular() {
				add(rel)
			}
		}
	}
	return out
}

// since says how files stand that something was said of then.
func (t tree) since(files []string, then time.Time) Freshness {
	var f Freshness
	gone := 0
	for _, file := range files {
		s := t.fileSince(file, then)
		if s.Removed {
			gone++
		}
		f.take(s)
	}
	if f.State == Stale && gone < len(files) {
		f.State = Unknown
	}
	return f
}

func (t tree) fileSince(file string, then time.Time) State {
	fi, err := os.Stat(t.full(file))
	switch {
	case isGone(err):
		return removed("%s is gone", asCode(file))
	case err != nil || then.IsZero():
		return unknown("")
	case fi.ModTime().After(then):
		return unknown(asCode(file) + " was written since")
	}
	return fresh("")
}
