package mind

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// A memory that names code is anchored to it: to a symbol, or to a file as a
// whole, with the hash of what stands there. When that changes, what the memory
// says may have become wrong, and it is told with that.

const (
	// mostAlike is how many symbols a name may mean: what means more speaks of
	// none of them.
	mostAlike = 3
	// mostCalled bounds how many symbols of the names of a text are looked at.
	mostCalled = 2000
)

// anchoring is a memory that is anchored.
type anchoring struct {
	*Mind
	tree
	cwd     string
	anchors []store.Anchor
	more    bool // it names more than is held
}

// anchorsOf returns the anchors of a memory: to what its text names, to files
// that somebody named, and to files that it has to do with. symbols must be
// known, or it is an error.
func (m *Mind) anchorsOf(ctx context.Context, rec *store.Record, cwd string, given, touched, symbols []string) ([]store.Anchor, error) {
	t, err := m.treeOf(ctx, rec.Realm, cwd)
	if err != nil {
		return nil, err
	}
	return m.anchorsIn(ctx, t, rec, cwd, given, touched, symbols)
}

func (m *Mind) anchorsIn(ctx context.Context, t tree, rec *store.Record, cwd string, given, touched, symbols []string) ([]store.Anchor, error) {
	x := &anchoring{Mind: m, tree: t, cwd: cwd}
	for _, f := range given {
		x.file(f, store.NamedGiven)
	}
	for _, f := range touched {
		x.file(f, store.NamedNot)
	}
	if t.root == "" {
		if len(symbols) > 0 {
			return nil, noSymbols()
		}
		return x.anchors, nil
	}
	if err := x.symbolsGiven(ctx, symbols); err != nil {
		return nil, err
	}
	if claims(rec) {
		if err := x.fromText(ctx, rec.Content); err != nil {
			return nil, err
		}
	}
	return x.done(ctx)
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

func (x *anchoring) add(a store.Anchor) {
	i := slices.IndexFunc(x.anchors, func(b store.Anchor) bool { return b.Path == a.Path && b.Symbol == a.Symbol })
	switch {
	case i >= 0:
		x.anchors[i].Named = max(x.anchors[i].Named, a.Named)
	case len(x.anchors) < maxAnchors:
		x.anchors = append(x.anchors, a)
	default:
		x.more = x.more || a.Named > 0
	}
}

func (x *anchoring) file(path string, how store.Naming) { x.add(store.Anchor{Path: path, Named: how}) }

func (x *anchoring) symbol(s *store.CodeFound, how store.Naming) {
	x.add(store.Anchor{Path: s.FilePath, Symbol: s.Path, Named: how})
}

// fileNamed is a file that a text names.
type fileNamed struct {
	called
	path string
	told bool // it only says where a symbol is, whose anchor says that as well
}

// fromText finds what a text names: files first, which say which of several
// symbols is meant.
func (x *anchoring) fromText(ctx context.Context, text string) error {
	var files []fileNamed
	var maybe []called
	named, all := calledIn(text)
	x.more = x.more || !all
	for _, c := range named {
		switch file, err := x.find(ctx, c); {
		case err != nil:
			return err
		case file != "":
			files = append(files, fileNamed{called: c, path: file})
		case symbolPart.MatchString(c.name) && c.line == 0:
			c.name = symbolName(c.name)
			maybe = append(maybe, c)
		}
	}
	if err := x.symbolsNamed(ctx, text, maybe, files); err != nil {
		return err
	}
	for _, f := range files {
		if f.told {
			continue
		}
		if err := x.place(ctx, f.path, f.line); err != nil {
			return err
		}
	}
	return nil
}

// symbolsNamed anchors to the symbols that a text names.
func (x *anchoring) symbolsNamed(ctx context.Context, text string, maybe []called, files []fileNamed) error {
	if x.base == nil || len(maybe) == 0 {
		return nil
	}
	var folded []string
	for _, c := range maybe {
		if name := strings.ToLower(lastName(c.name)); !slices.Contains(folded, name) {
			folded = append(folded, name)
		}
	}
	found, err := x.base.Store().SymbolsCalled(ctx, x.root, folded, mostCalled)
	if err != nil {
		return err
	}
	for i := range maybe {
		c := &maybe[i]
		for _, s := range x.meant(c, found, files) {
			x.symbol(s, store.NamedText)
			for j := range files {
				if f := &files[j]; f.path == s.FilePath && f.line == 0 && joined(text, c, &f.called) {
					f.told = true
				}
			}
		}
	}
	return nil
}

// place anchors to a file, or to the symbol around a line of it.
func (x *anchoring) place(ctx context.Context, file string, line int) error {
	if line > 0 && x.base != nil {
		s, err := x.base.Store().SymbolAround(ctx, x.root, file, line)
		if err != nil {
			return err
		}
		if s != nil {
			x.symbol(s, store.NamedText)
			return nil
		}
	}
	x.file(file, store.NamedText)
	return nil
}

// find returns the file of the tree that is meant, or "": one that exists where
// the name says, or the only indexed one with the name.
func (x *anchoring) find(ctx context.Context, c called) (string, error) {
	if !c.file || len(x.redactor.Findings(c.name)) > 0 {
		return "", nil
	}
	name := path.Clean(strings.ReplaceAll(c.name, `\`, "/"))
	tries := []string{name}
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(x.root, name)
		if err != nil {
			return "", nil
		}
		tries = []string{filepath.ToSlash(rel)}
	} else if rel, err := filepath.Rel(x.root, filepath.Join(x.cwd, name)); err == nil && x.cwd != "" {
		tries = append(tries, filepath.ToSlash(rel))
	}
	for _, t := range tries {
		if _, err := x.text(t); err == nil {
			return t, nil
		}
	}
	if x.base == nil || strings.Contains(name, "/") {
		return "", nil
	}
	paths, err := x.base.Store().CodePathsNamed(ctx, x.root, name, 2)
	if err != nil || len(paths) != 1 {
		return "", err
	}
	return paths[0], nil
}

// text reads a file of the tree.
func (x *anchoring) text(path string) (textSeen, error) {
	if !filepath.IsLocal(filepath.FromSlash(path)) || strings.HasPrefix(path, ".git/") {
		return textSeen{}, errNoText
	}
	return x.Mind.anchors.text(x.full(path))
}

// meant returns which symbols a name means: those in files that are named as
// well if there are any, and none if there are too many.
func (x *anchoring) meant(c *called, found []store.CodeFound, files []fileNamed) []*store.CodeFound {
	var out, here []*store.CodeFound
	seen := map[[2]string]bool{}
	for i := range found {
		s := &found[i]
		key := [2]string{s.FilePath, s.Path}
		if !fits(c, s) || seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, s)
		if slices.ContainsFunc(files, func(f fileNamed) bool { return f.path == s.FilePath }) ||
			slices.ContainsFunc(x.anchors, func(a store.Anchor) bool { return a.Path == s.FilePath && a.Named == store.NamedGiven }) {
			here = append(here, s)
		}
	}
	if len(here) > 0 || c.weak {
		out = here
	}
	if len(out) > mostAlike {
		return nil
	}
	return out
}

func fits(c *called, s *store.CodeFound) bool {
	kind := code.Kind(s.Kind)
	switch {
	case s.Name != lastName(c.name) || kind == code.Lambda:
		return false
	case c.kinds != nil && !c.kinds(kind):
		return false
	case s.Name == c.name || s.Path == c.name || strings.HasSuffix(s.Path, "."+c.name):
		return true
	}
	qualified := symbolName(s.Qualified)
	return qualified == c.name || strings.HasSuffix(qualified, "."+c.name) || strings.HasSuffix(qualified, "/"+c.name)
}

// symbolsGiven anchors to symbols that somebody named, as NAME or FILE:NAME.
func (x *anchoring) symbolsGiven(ctx context.Context, symbols []string) error {
	if len(symbols) == 0 {
		return nil
	}
	if x.base == nil {
		return noSymbols()
	}
	for _, given := range symbols {
		file, name := "", given
		if at := strings.LastIndexByte(given, ':'); at > 0 && given[at-1] != ':' {
			file, name = path.Clean(given[:at]), given[at+1:]
		}
		name = symbolName(name)
		found, err := x.base.Store().SymbolsCalled(ctx, x.root, []string{strings.ToLower(lastName(name))}, mostCalled)
		if err != nil {
			return err
		}
		var meant []*store.CodeFound
		for i := range found {
			if s := &found[i]; fits(&called{name: name}, s) && (file == "" || s.FilePath == file || strings.HasSuffix(s.FilePath, "/"+file)) {
				meant = append(meant, s)
			}
		}
		if len(meant) == 0 {
			return &memory.InputError{Field: "symbols", Problem: fmt.Sprintf("no symbol is called %q", given), Hint: "write it as the code does, such as Server.Listen; if it is new: chitta code index"}
		}
		if len(meant) > mostAlike {
			return &memory.InputError{Field: "symbols", Problem: fmt.Sprintf("%d symbols are called %q", len(meant), given), Hint: "say which, such as " + meant[0].FilePath + ":" + meant[0].Path}
		}
		for _, s := range meant {
			x.symbol(s, store.NamedGiven)
		}
	}
	return nil
}

func noSymbols() error {
	return &memory.InputError{Field: "symbols", Problem: "cannot be found: this project is not indexed", Hint: "index it first: chitta code index; or name files"}
}

// anchorsOn are anchors of a memory that was just given its row.
func anchorsOn(seq int64, anchors []store.Anchor) []store.Anchor {
	out := slices.Clone(anchors)
	for i := range out {
		out[i].Memory = seq
	}
	return out
}
