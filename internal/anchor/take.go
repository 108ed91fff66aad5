package anchor

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/memory"
	"chitta/internal/realm"
	"chitta/internal/store"
)

// Most bounds the places of the code that one memory is held against.
const Most = 50

// Given is what a memory is about beside what its text names.
type Given struct {
	Files   []string // that somebody named, as [Room.Paths] returns them
	Touched []string // files that it only has to do with, in the same way
	Symbols []string // that somebody named, as NAME or FILE:NAME; each must be known
}

// Take returns the anchors of a memory, with hashes of what stands there now: to
// what its text names and to what is given. cwd is where relative names begin,
// and says which clone of a project counts.
func (r *Room) Take(ctx context.Context, rec *store.Record, cwd string, of Given) ([]store.Anchor, error) {
	t, err := r.treeOf(ctx, rec.Realm, cwd)
	if err != nil {
		return nil, err
	}
	return r.takeIn(ctx, t, rec, cwd, of)
}

// taking is a memory that is anchored.
type taking struct {
	*Room
	tree
	cwd     string
	anchors []store.Anchor
	more    bool // it names more than is held
}

func (r *Room) takeIn(ctx context.Context, t tree, rec *store.Record, cwd string, of Given) ([]store.Anchor, error) {
	x := &taking{Room: r, tree: t, cwd: cwd}
	for _, f := range of.Files {
		x.file(f, store.NamedGiven)
	}
	for _, f := range of.Touched {
		x.file(f, store.NamedNot)
	}
	if t.root == "" {
		if len(of.Symbols) > 0 {
			return nil, noSymbols()
		}
		return x.anchors, nil
	}
	if err := x.symbolsGiven(ctx, of.Symbols); err != nil {
		return nil, err
	}
	if claims(rec) {
		if err := x.fromText(ctx, rec.Content); err != nil {
			return nil, err
		}
	}
	return x.done(ctx)
}

// takeOne returns the anchor to one place as it would be taken now.
func (r *Room) takeOne(ctx context.Context, t tree, at place, how store.Naming) (store.Anchor, error) {
	x := &taking{Room: r, tree: t}
	x.add(store.Anchor{Path: at.file, Symbol: at.symbol, Named: how})
	list, err := x.done(ctx)
	if err != nil || len(list) == 0 {
		return store.Anchor{}, err
	}
	return list[0], nil
}

// claims says whether a memory says how things are. What only tells what
// happened stays true whatever becomes of the code.
func claims(r *store.Record) bool {
	switch r.Kind {
	case memory.Summary:
		return false
	case memory.Episode, memory.Milestone:
		return r.Source == memory.Conscious
	}
	return true
}

func (x *taking) add(a store.Anchor) {
	i := slices.IndexFunc(x.anchors, func(b store.Anchor) bool { return b.Path == a.Path && b.Symbol == a.Symbol })
	switch {
	case i >= 0:
		x.anchors[i].Named = max(x.anchors[i].Named, a.Named)
	case len(x.anchors) < Most:
		x.anchors = append(x.anchors, a)
	default:
		x.more = x.more || a.Named > 0
	}
}

func (x *taking) file(path string, how store.Naming) { x.add(store.Anchor{Path: path, Named: how}) }

func (x *taking) symbol(s *store.CodeFound, how store.Naming) {
	x.add(store.Anchor{Path: s.FilePath, Symbol: s.Path, Named: how})
}

// tooMuch is the path of the anchor of a memory that names more than is held: it
// is never called fresh.
const tooMuch = "*"

// done takes the hashes of what was found.
func (x *taking) done(ctx context.Context) ([]store.Anchor, error) {
	// a file that a memory only has to do with is told by what it names of it
	x.anchors = slices.DeleteFunc(x.anchors, func(a store.Anchor) bool {
		return a.Named == store.NamedNot && slices.ContainsFunc(x.anchors, func(b store.Anchor) bool { return b.Symbol != "" && b.Path == a.Path })
	})
	if err := x.takeSymbols(ctx); err != nil {
		return nil, err
	}
	now, commit := x.opts.Now(), realm.Head(x.root)
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
func (x *taking) takeSymbols(ctx context.Context) error {
	files, symbols := symbolsOf(x.anchors)
	if len(files) == 0 || x.base == nil {
		return nil
	}
	states, err := x.current(ctx, x.tree, files, Writing)
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
func (x *taking) takeFile(ctx context.Context, a *store.Anchor) error {
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
