package anchor

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

const (
	// mostAlike is how many symbols a name may mean: what means more speaks of
	// none of them.
	mostAlike = 3
	// mostCalled bounds how many symbols of the names of a text are looked at.
	mostCalled = 2000
)

// fileNamed is a file that a text names.
type fileNamed struct {
	called
	path string
	told bool // it only says where a symbol is, whose anchor says that as well
}

// fromText finds what a text names: files first, which say which of several
// symbols is meant.
func (x *taking) fromText(ctx context.Context, text string) error {
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
		if err := x.at(ctx, f.path, f.line); err != nil {
			return err
		}
	}
	return nil
}

// symbolsNamed anchors to the symbols that a text names.
func (x *taking) symbolsNamed(ctx context.Context, text string, maybe []called, files []fileNamed) error {
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

// at anchors to a file, or to the symbol around a line of it.
func (x *taking) at(ctx context.Context, file string, line int) error {
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
func (x *taking) find(ctx context.Context, c called) (string, error) {
	if !c.file || x.opts.Secret(c.name) {
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
func (x *taking) text(path string) (textSeen, error) {
	if !filepath.IsLocal(filepath.FromSlash(path)) || strings.HasPrefix(path, ".git/") {
		return textSeen{}, errNoText
	}
	return x.Room.text(x.full(path))
}

// meant returns which symbols a name means: those in files that are named as
// well if there are any, and none if there are too many.
func (x *taking) meant(c *called, found []store.CodeFound, files []fileNamed) []*store.CodeFound {
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
func (x *taking) symbolsGiven(ctx context.Context, symbols []string) error {
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
			return &memory.InputError{Field: "symbols", Problem: fmt.Sprintf("name %q, but no symbol is called so", given), Hint: "write it as the code does, such as Server.Listen; if it is new: chitta code index"}
		}
		if len(meant) > mostAlike {
			return &memory.InputError{Field: "symbols", Problem: fmt.Sprintf("name %q, but %d symbols are called so", given, len(meant)), Hint: "say which, such as " + meant[0].FilePath + ":" + meant[0].Path}
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
