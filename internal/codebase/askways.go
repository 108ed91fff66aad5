package codebase

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/resolve"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// What a symbol is called as. Edges go to what runs: to the constructor instead
// of the class, to the methods of those that implement an interface instead of
// its own. Who asks about a class or an interface means these calls.

// calledAs returns the symbols whose callers are a symbol's, itself first, and
// calls that reach it without an edge of their own.
func (a *Ask) calledAs(ctx context.Context, s *Symbol) (ids []int64, more []store.CodeCall, err error) {
	ids = []int64{s.id}
	switch k := code.Kind(s.Kind); {
	case k.Type():
		made, err := a.constructors(ctx, s)
		return append(ids, made...), nil, err
	case k == code.Method:
		more, err = a.through(ctx, s)
	}
	return ids, more, err
}

// constructors returns those of a type: within it, or beside it where they are
// written elsewhere.
func (a *Ask) constructors(ctx context.Context, s *Symbol) ([]int64, error) {
	list, err := a.base.db.SymbolsWithin(ctx, a.project.ID, []string{s.Path}, mostNamed)
	if err != nil {
		return nil, fmt.Errorf("constructors: %w", err)
	}
	var out []int64
	for i := range list {
		f := &list[i]
		if code.Kind(f.Kind) == code.Constructor && ownerOf(f.Path) == s.Path && f.Lang == s.Lang && (f.Parent == s.id || f.Parent == 0 && ownerOf(f.Qualified) == s.Qualified) {
			out = append(out, f.ID)
		}
	}
	return out, nil
}

// ownerOf is a path without its last name.
func ownerOf(path string) string { return path[:max(strings.LastIndexByte(path, '.'), 0)] }

// site is where a call stands.
type site struct {
	file, src int64
	line      int
}

// tie is how a type hangs on one whose methods others have.
type tie uint8

const (
	tieBelow tie = iota + 1 // it takes from it, as written
	tieHas                  // it has its methods
	tieAbove                // one of those takes from it
)

// through returns the calls that go through a method without a body: those of
// which every target was found as one of types that implement what it stands in.
// A call through another interface reaches types that happen to have the methods
// of this one too; where calls are known that reach all of these, only those
// count.
func (a *Ask) through(ctx context.Context, s *Symbol) ([]store.CodeCall, error) {
	owner, err := a.ownerIfAbstract(ctx, s)
	if err != nil || owner == nil {
		return nil, err
	}
	types, err := a.implementing(ctx, owner)
	if err != nil || len(types) == 0 {
		return nil, err
	}
	named, err := a.base.db.SymbolsNamed(ctx, a.project.ID, strings.ToLower(s.Name), mostNamed)
	if err != nil {
		return nil, fmt.Errorf("methods of the name: %w", err)
	}
	meant := map[int64]tie{}
	var ids []int64
	for i := range named {
		if f := &named[i]; f.Name == s.Name {
			ids = append(ids, f.ID)
			if at := types[placeOfType(f.Lang, f.FilePath, ownerOf(f.Path))]; at != 0 {
				meant[f.ID] = at
			}
		}
	}
	calls, err := a.base.db.CallsTo(ctx, ids, mostCalls)
	if err != nil {
		return nil, fmt.Errorf("calls: %w", err)
	}
	return chosenSites(calls, meant, s.id), nil
}

// chosenSites returns of calls those whose targets are all meant, as calls of
// another symbol and each once for all its targets.
func chosenSites(calls []store.CodeCall, meant map[int64]tie, as int64) []store.CodeCall {
	targets, other := map[site]map[int64]bool{}, map[site]bool{}
	for i := range calls {
		c := &calls[i]
		at := site{c.File, c.Src, c.Line}
		if meant[c.Dst] == 0 || c.Rule != resolve.ByImplementor.String() {
			other[at] = true
			continue
		}
		if targets[at] == nil {
			targets[at] = map[int64]bool{}
		}
		targets[at][c.Dst] = true
	}
	var sure, maybe []store.CodeCall
	for i := range calls {
		c := calls[i]
		at := site{c.File, c.Src, c.Line}
		if other[at] || targets[at] == nil {
			continue
		}
		c.Dst = as
		if maybe = append(maybe, c); reachesAll(targets[at], meant) {
			sure = append(sure, c)
		}
		targets[at] = nil
	}
	if len(sure) > 0 {
		return sure
	}
	return maybe
}

// reachesAll reports whether targets are all that have a method, or all of types
// that say whose methods they have.
func reachesAll(targets map[int64]bool, meant map[int64]tie) bool {
	named := true
	for id := range targets {
		named = named && meant[id] == tieBelow
	}
	if named {
		return true
	}
	for id, t := range meant {
		if t == tieHas && !targets[id] {
			return false
		}
	}
	return true
}

// ownerIfAbstract returns the type that a method without a body stands in, nil
// for any other method.
func (a *Ask) ownerIfAbstract(ctx context.Context, s *Symbol) (*store.CodeFound, error) {
	found, err := a.base.db.SymbolsByID(ctx, []int64{s.id})
	if err != nil {
		return nil, fmt.Errorf("load symbol: %w", err)
	}
	own, ok := found[s.id]
	if !ok || own.Parent == 0 {
		return nil, nil
	}
	data, err := a.base.db.FactsOf(ctx, own.File)
	if err != nil || data == nil {
		return nil, err
	}
	facts, err := code.Decode(data)
	if err != nil || int(own.Index) >= len(facts.Symbols) || !facts.Symbols[own.Index].Abstract {
		return nil, nil // damaged facts are made anew by the next index
	}
	if found, err = a.base.db.SymbolsByID(ctx, []int64{own.Parent}); err != nil {
		return nil, fmt.Errorf("load symbol: %w", err)
	}
	owner, ok := found[own.Parent]
	if !ok || !code.Kind(owner.Kind).Type() {
		return nil, nil
	}
	return &owner, nil
}

// placeOfType tells types of one name apart as far as their methods tell: those
// of Go stand in any file of the folder, those of others may stand in any file.
func placeOfType(lang, file, name string) string {
	if lang == string(syntax.Go) {
		return path.Dir(file) + "\x00" + name
	}
	return lang + "\x00" + name
}

// implementing returns the places of the types that take from a type or have its
// methods, and of what these take from in turn: they may have a method from there.
func (a *Ask) implementing(ctx context.Context, owner *store.CodeFound) (map[string]tie, error) {
	ids, err := a.kinOf(ctx, []int64{owner.ID}, false)
	if err != nil {
		return nil, err
	}
	ties := map[int64]tie{owner.ID: 0}
	for _, id := range ids {
		ties[id] = tieBelow
	}
	satisfying, _, err := a.satisfying(ctx, owner)
	if err != nil {
		return nil, err
	}
	for i := range satisfying {
		if id := satisfying[i].ID; ties[id] == 0 {
			ties[id] = tieHas
			ids = append(ids, id)
		}
	}
	above, err := a.kinOf(ctx, ids, true)
	if err != nil {
		return nil, err
	}
	for _, id := range above {
		if _, ok := ties[id]; !ok {
			ties[id] = tieAbove
			ids = append(ids, id)
		}
	}
	found, err := a.base.db.SymbolsByID(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("load types: %w", err)
	}
	out := map[string]tie{}
	for _, f := range found {
		out[placeOfType(f.Lang, f.FilePath, f.Path)] = ties[f.ID]
	}
	return out, nil
}

// kinOf returns the types of the project above or below some, at most so many.
func (a *Ask) kinOf(ctx context.Context, level []int64, up bool) ([]int64, error) {
	var out []int64
	seen := map[int64]bool{}
	for _, id := range level {
		seen[id] = true
	}
	for len(level) > 0 && len(out) < mostTypes {
		found, err := a.base.db.Inherited(ctx, level, up)
		if err != nil {
			return nil, fmt.Errorf("inheritance: %w", err)
		}
		level = nil
		for _, h := range found {
			to := h.Sub
			if up {
				to = h.Super
			}
			if to != 0 && !seen[to] {
				seen[to] = true
				level, out = append(level, to), append(out, to)
			}
		}
	}
	return out, nil
}

// satisfying returns the types of Go that have the methods of an interface, by
// their names and how many values they take and return. whole says that all
// methods of the interface are known: it takes from nothing outside of the
// project.
func (a *Ask) satisfying(ctx context.Context, iface *store.CodeFound) (types []store.CodeFound, whole bool, err error) {
	if iface.Lang != string(syntax.Go) || code.Kind(iface.Kind) != code.Interface {
		return nil, true, nil
	}
	methods, whole, err := a.methodsOf(ctx, iface)
	if err != nil {
		return nil, false, err
	}
	var have map[int64]bool // types that have all methods so far
	for i := range methods {
		with, err := a.havingMethod(ctx, &methods[i])
		if err != nil {
			return nil, false, err
		}
		for id := range have {
			if !with[id] {
				delete(have, id)
			}
		}
		if have == nil {
			have = with
		}
		if len(have) == 0 {
			break
		}
	}
	ids := make([]int64, 0, len(have))
	for id := range have {
		ids = append(ids, id)
	}
	found, err := a.base.db.SymbolsByID(ctx, ids)
	if err != nil {
		return nil, false, fmt.Errorf("load types: %w", err)
	}
	for _, f := range found {
		if code.Kind(f.Kind) != code.Interface {
			types = append(types, f)
		}
	}
	slices.SortFunc(types, func(a, b store.CodeFound) int { return byStanding(symbolOf(&a), symbolOf(&b)) })
	return types[:min(len(types), mostTypes)], whole, nil
}

// methodsOf returns the methods of an interface of Go, with those of interfaces
// of the project that it embeds.
func (a *Ask) methodsOf(ctx context.Context, iface *store.CodeFound) (methods []store.CodeFound, whole bool, err error) {
	above, err := a.kinOf(ctx, []int64{iface.ID}, true)
	if err != nil {
		return nil, false, err
	}
	all := append(above, iface.ID)
	found, err := a.base.db.SymbolsByID(ctx, all)
	if err != nil {
		return nil, false, fmt.Errorf("load types: %w", err)
	}
	var files []int64
	for _, f := range found {
		files = append(files, f.File)
	}
	slices.Sort(files)
	list, err := a.base.db.SymbolsOfFiles(ctx, slices.Compact(files))
	if err != nil {
		return nil, false, fmt.Errorf("methods: %w", err)
	}
	for i := range list {
		if _, ok := found[list[i].Parent]; ok && code.Kind(list[i].Kind) == code.Method {
			methods = append(methods, list[i])
		}
	}
	links, err := a.base.db.Inherited(ctx, all, true)
	if err != nil {
		return nil, false, fmt.Errorf("inheritance: %w", err)
	}
	return methods, !slices.ContainsFunc(links, func(h store.CodeInherit) bool { return h.Super == 0 }), nil
}

// havingMethod returns the types of Go that have a method like one of an
// interface, or embed one that has.
func (a *Ask) havingMethod(ctx context.Context, want *store.CodeFound) (map[int64]bool, error) {
	named, err := a.base.db.SymbolsNamed(ctx, a.project.ID, want.Folded, mostNamed)
	if err != nil {
		return nil, fmt.Errorf("methods of the name: %w", err)
	}
	shape := methodShape(want.Signature, want.Name)
	places := map[string]bool{}
	var paths []string
	for i := range named {
		f := &named[i]
		switch {
		case f.Name != want.Name, f.Lang != want.Lang, code.Kind(f.Kind) != code.Method, methodShape(f.Signature, f.Name) != shape,
			!want.Exported && path.Dir(f.FilePath) != path.Dir(want.FilePath):
			continue
		}
		owner := ownerOf(f.Path)
		if at := placeOfType(f.Lang, f.FilePath, owner); !places[at] {
			places[at] = true
			paths = append(paths, owner)
		}
	}
	slices.Sort(paths)
	types, err := a.base.db.SymbolsByPath(ctx, a.project.Root, slices.Compact(paths), mostNamed)
	if err != nil {
		return nil, fmt.Errorf("types: %w", err)
	}
	var ids []int64
	for i := range types {
		if f := &types[i]; code.Kind(f.Kind).Type() && places[placeOfType(f.Lang, f.FilePath, f.Path)] {
			ids = append(ids, f.ID)
		}
	}
	below, err := a.kinOf(ctx, ids, false)
	if err != nil {
		return nil, err
	}
	out := map[int64]bool{}
	for _, id := range append(ids, below...) {
		out[id] = true
	}
	return out, nil
}

// shape is how many values a method takes and returns, and the type of a single
// result without its package.
type shape struct {
	params, results int
	result          string
}

// methodShape reads a signature of Go behind the name of the method. Parameters
// that share a type have a comma between them as others do.
func methodShape(signature, name string) shape {
	_, rest, ok := strings.Cut(signature, name+"(")
	if !ok {
		return shape{}
	}
	var s shape
	s.params, rest = countList(rest)
	rest = strings.TrimSpace(rest)
	if inner, ok := strings.CutPrefix(rest, "("); ok {
		s.results, _ = countList(inner)
		return s
	}
	if rest == "" {
		return s
	}
	s.results = 1
	if s.result = strings.TrimLeft(rest, "*[]"); strings.ContainsAny(s.result, "[]( ") {
		s.result = "" // of several types: not compared
	}
	s.result = s.result[strings.LastIndexByte(s.result, '.')+1:]
	return s
}

// countList counts what stands between commas up to the bracket that closes a
// list, and returns what is behind it.
func countList(text string) (n int, rest string) {
	depth, filled := 0, false
	for i, r := range text {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				if filled {
					n++
				}
				return n, text[i+1:]
			}
		case ',':
			if depth == 0 && filled {
				n, filled = n+1, false
				continue
			}
		}
		filled = filled || r != ' ' && r != '\n' && r != '\t'
	}
	return n, ""
}
