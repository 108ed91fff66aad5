package mind

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"chitta/internal/codebase"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// aboutOf names what of the code a memory is held against, for who stores it: a
// name that was taken for another, or for none, is seen at once.
func aboutOf(anchors []store.Anchor) (out []string) {
	for _, a := range anchors {
		switch {
		case a.Named == store.NamedNot || a.Path == tooMuch:
		case a.Symbol != "":
			out = append(out, a.Path+":"+a.Symbol)
		default:
			out = append(out, a.Path)
		}
	}
	return out
}

// mostAbout is how many places are named to who stores a memory.
const mostAbout = 5

// AboutText names what code it is held against, the first of it; "" for none.
func (o *RememberOutput) AboutText() string {
	n := min(len(o.About), mostAbout)
	text := codebase.ShownList(o.About[:n])
	if more := len(o.About) - n; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// missingOf returns which files that somebody named are not there. They stay
// anchors: what is gone, or not written yet, can be spoken of.
func (m *Mind) missingOf(ctx context.Context, realm, cwd string, files []string) (out []string, err error) {
	if len(files) == 0 {
		return nil, nil
	}
	t, err := m.treeOf(ctx, realm, cwd)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		full := filepath.FromSlash(f)
		if !filepath.IsAbs(full) {
			if t.root == "" {
				continue // there is nothing to look at
			}
			full = t.full(f)
		}
		if _, err := os.Stat(full); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			out = append(out, f)
		}
	}
	return out, nil
}

// sameSymbol returns near, the row of a memory that says the same as a note on a
// symbol, only if that is a note on the same symbol, else 0. What is no note
// passes.
func (m *Mind) sameSymbol(ctx context.Context, rec *store.Record, near int64, anchors []store.Anchor) (int64, error) {
	if near == 0 || rec.Kind != memory.Symbol {
		return near, nil
	}
	had, err := m.store.AnchorsOf(ctx, []int64{near})
	if err != nil {
		return 0, err
	}
	mine, theirs := givenSymbols(anchors), givenSymbols(had[near])
	if len(mine) == 0 && len(theirs) == 0 || slices.ContainsFunc(mine, func(p codePlace) bool { return slices.Contains(theirs, p) }) {
		return near, nil
	}
	return 0, nil
}

// givenSymbols returns the symbols that somebody named outright.
func givenSymbols(anchors []store.Anchor) (out []codePlace) {
	for _, a := range anchors {
		if a.Symbol != "" && a.Named == store.NamedGiven {
			out = append(out, codePlace{a.Path, a.Symbol})
		}
	}
	return out
}
