package mind

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chitta/internal/code"
	"chitta/internal/memory"
	"chitta/internal/realm"
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
	commit  string
	anchors []store.Anchor
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
	x.commit = headOf(t)
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
	}
}

func (x *anchoring) file(path string, how store.Naming) { x.add(store.Anchor{Path: path, Named: how}) }

func (x *anchoring) symbol(s *store.CodeFound, how store.Naming) {
	x.add(store.Anchor{Path: s.FilePath, Symbol: s.Path, Hash: bodyHash(s.Body), Signature: s.Signature, Named: how})
}

// bodyHash is the hash of a symbol as anchors have it: together with the version
// of facts, because another may see other bounds.
func bodyHash(body uint64) string { return fmt.Sprintf("%d:%016x", code.Version, body) }

// hashedBody returns the hash of a symbol, if it can be compared.
func hashedBody(hash string) (uint64, bool) {
	body, ok := strings.CutPrefix(hash, strconv.Itoa(code.Version)+":")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(body, 16, 64)
	return n, err == nil
}

// fromText finds what a text names: files first, which say which of several
// symbols is meant.
func (x *anchoring) fromText(ctx context.Context, text string) error {
	var maybe []called
	for _, c := range calledIn(text) {
		switch file, err := x.find(ctx, c); {
		case err != nil:
			return err
		case file != "":
			if err := x.place(ctx, file, c.line); err != nil {
				return err
			}
		case symbolPart.MatchString(c.name) && c.line == 0:
			c.name = symbolName(c.name)
			maybe = append(maybe, c)
		}
	}
	if x.base == nil || len(maybe) == 0 {
		return nil
	}
	var folded []string
	for _, c := range maybe {
		folded = append(folded, strings.ToLower(lastName(c.name)))
	}
	found, err := x.base.Store().SymbolsCalled(ctx, x.root, folded, mostCalled)
	if err != nil {
		return err
	}
	for _, c := range maybe {
		for _, s := range x.meant(c, found) {
			x.symbol(s, store.NamedText)
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
func (x *anchoring) meant(c called, found []store.CodeFound) []*store.CodeFound {
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
		if slices.ContainsFunc(x.anchors, func(a store.Anchor) bool { return a.Path == s.FilePath && a.Named > 0 }) {
			here = append(here, s)
		}
	}
	if len(here) > 0 {
		out = here
	}
	if len(out) > mostAlike {
		return nil
	}
	return out
}

func fits(c called, s *store.CodeFound) bool {
	kind := code.Kind(s.Kind)
	switch {
	case s.Name != lastName(c.name) || kind == code.Lambda:
		return false
	case c.strict && !kind.Callable() && !kind.Type():
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
			if s := &found[i]; fits(called{name: name}, s) && (file == "" || s.FilePath == file || strings.HasSuffix(s.FilePath, "/"+file)) {
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

// done takes the hashes. A file of which a symbol is named only says where that
// is, which the symbol's anchor says as well.
func (x *anchoring) done(ctx context.Context) ([]store.Anchor, error) {
	var files []string
	for _, a := range x.anchors {
		if a.Symbol != "" && !slices.Contains(files, a.Path) {
			files = append(files, a.Path)
		}
	}
	if err := x.renew(ctx, files); err != nil {
		return nil, err
	}
	x.anchors = slices.DeleteFunc(x.anchors, func(a store.Anchor) bool { return a.Symbol == "" && slices.Contains(files, a.Path) })
	now := x.now()
	for i := range x.anchors {
		a := &x.anchors[i]
		if a.Symbol == "" && a.Named > 0 {
			if text, err := x.text(a.Path); err == nil {
				a.Hash = text.plain
			}
		}
		if a.Hash != "" {
			a.Taken, a.Revision = now, x.commit
		}
	}
	slices.SortFunc(x.anchors, func(a, b store.Anchor) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Symbol, b.Symbol))
	})
	return x.anchors, nil
}

// renew takes the hashes of symbols again where the index was behind their
// files.
func (x *anchoring) renew(ctx context.Context, files []string) error {
	if len(files) == 0 {
		return nil
	}
	before, err := x.states(ctx, x.tree, files)
	if err != nil {
		return err
	}
	after, err := x.current(ctx, x.tree, files, waitWriting)
	if err != nil {
		return err
	}
	for i := range x.anchors {
		a := &x.anchors[i]
		if a.Symbol == "" || before[a.Path] == asIndexed {
			continue
		}
		a.Hash, a.Signature = "", "" // the background takes it
		if after[a.Path] != asIndexed {
			continue
		}
		found, err := x.base.Store().SymbolsByPath(ctx, x.root, []string{a.Symbol}, mostCalled)
		if err != nil {
			return err
		}
		for j := range found {
			if found[j].FilePath == a.Path {
				a.Hash, a.Signature = bodyHash(found[j].Body), found[j].Signature
				break
			}
		}
	}
	return nil
}

// anchorsOn are anchors of a memory that was just given its row.
func anchorsOn(seq int64, anchors []store.Anchor) []store.Anchor {
	out := slices.Clone(anchors)
	for i := range out {
		out[i].Memory = seq
	}
	return out
}

func headOf(t tree) string { return realm.Head(t.root) }
