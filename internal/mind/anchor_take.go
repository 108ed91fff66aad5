package mind

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/realm"
	"chitta/internal/store"
)

// tooMuch is the path of the anchor of a memory that names more than is held: it
// is never called fresh.
const tooMuch = "*"

// done takes the hashes of what was found.
func (x *anchoring) done(ctx context.Context) ([]store.Anchor, error) {
	// a file that a memory only has to do with is told by what it names of it
	x.anchors = slices.DeleteFunc(x.anchors, func(a store.Anchor) bool {
		return a.Named == store.NamedNot && slices.ContainsFunc(x.anchors, func(b store.Anchor) bool { return b.Symbol != "" && b.Path == a.Path })
	})
	if err := x.takeSymbols(ctx); err != nil {
		return nil, err
	}
	now, commit := x.now(), realm.Head(x.root)
	for i := range x.anchors {
		a := &x.anchors[i]
		if a.Symbol == "" && a.Named > 0 {
			if err := x.takeFile(ctx, a); err != nil {
				return nil, err
			}
		}
		if a.Hash != "" {
			a.Taken, a.Revision = now, commit
		}
	}
	if x.more {
		x.anchors = append(x.anchors, store.Anchor{Path: tooMuch, Named: store.NamedText})
	}
	slices.SortFunc(x.anchors, func(a, b store.Anchor) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Symbol, b.Symbol))
	})
	return x.anchors, nil
}

// takeSymbols takes the hashes of symbols. Where the index is behind a file it
// takes none: the background does.
func (x *anchoring) takeSymbols(ctx context.Context) error {
	files, symbols := symbolsOf(x.anchors)
	if len(files) == 0 || x.base == nil {
		return nil
	}
	states, err := x.current(ctx, x.tree, files, waitWriting)
	if err != nil {
		return err
	}
	found, err := x.symbolsAt(ctx, symbols)
	if err != nil {
		return err
	}
	for i := range x.anchors {
		a := &x.anchors[i]
		if a.Symbol == "" || states[a.Path] != asIndexed {
			continue
		}
		all := byFile(found, a.Symbol)
		at := slices.IndexFunc(all, func(g sameName) bool { return g.file == a.Path })
		text, err := x.text(a.Path)
		if at < 0 || err != nil {
			continue
		}
		h := taken{version: code.Version, what: all[at].hash(), text: text.name}
		for j := range all {
			h = h.mark(markDoubled, h.marked(markDoubled) || j != at && all[j].hash() == h.what)
		}
		a.Hash, a.Signature = h.String(), all[at].signature()
	}
	return nil
}

// symbolsOf returns the files and the paths of the symbols of anchors.
func symbolsOf(anchors []store.Anchor) (files, symbols []string) {
	for _, a := range anchors {
		if a.Symbol == "" {
			continue
		}
		if !slices.Contains(files, a.Path) {
			files = append(files, a.Path)
		}
		if !slices.Contains(symbols, a.Symbol) {
			symbols = append(symbols, a.Symbol)
		}
	}
	return files, symbols
}

// mostAtPath bounds the symbols of one path: some names are in every file.
const mostAtPath = 50_000

// symbolsAt returns the symbols of a tree with one of some paths, all of them.
func (t tree) symbolsAt(ctx context.Context, paths []string) ([]store.CodeFound, error) {
	found, err := t.base.Store().SymbolsByPath(ctx, t.root, paths, mostCalled)
	if err != nil || len(found) < mostCalled {
		return found, err
	}
	return t.base.Store().SymbolsByPath(ctx, t.root, paths, mostAtPath*len(paths))
}

// takeFile takes the hash of a file.
func (x *anchoring) takeFile(ctx context.Context, a *store.Anchor) error {
	text, err := x.text(a.Path)
	if err != nil {
		return nil
	}
	h := taken{version: code.Version, what: text.plain, text: text.name}
	doubled := x.base == nil // it is not known
	if x.base != nil {
		paths, err := x.base.Store().CodePathsNamed(ctx, x.root, path.Base(a.Path), mostMoved)
		if err != nil {
			return err
		}
		doubled = len(paths) == mostMoved || slices.ContainsFunc(paths, func(p string) bool {
			other, err := x.text(p)
			return p != a.Path && err == nil && other.plain == text.plain
		})
	}
	a.Hash = h.mark(markDoubled, doubled).String()
	return nil
}
