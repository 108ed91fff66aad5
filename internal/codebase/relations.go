package codebase

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/store"
)

// relation is one as it is read, before its ends have names.
type relation struct {
	kind, file, rule string
	from, to         thingEnd
	line             int
	sure             float64
	in               bool // asked for from its second end
	behind           int  // among those that are equally sure
}

// reading collects relations.
type reading struct {
	*Ask
	list    []relation
	symbols map[int64]store.CodeFound // those that are known already
	cut     bool
}

func (r *reading) add(x relation) {
	if x.from != x.to || x.kind == RelatesCalls { // a function may call itself
		r.list = append(r.list, x)
	}
}

// Relations returns the relations of things.
func (a *Ask) Relations(ctx context.Context, things []Thing, sel Select) (Related, error) {
	var ids []int64
	var files, others []string
	for _, t := range things {
		switch e := t.end; {
		case e.symbol != 0:
			ids = append(ids, e.symbol)
		case e.file != "":
			files = append(files, e.file)
		default:
			others = append(others, e.other)
		}
	}
	r := &reading{Ask: a}
	var err error
	if r.symbols, err = a.base.db.SymbolsByID(ctx, ids); err != nil {
		return Related{}, fmt.Errorf("load symbols: %w", err)
	}
	at, err := a.base.db.CodeFilesAt(ctx, a.project.ID, files)
	if err != nil {
		return Related{}, fmt.Errorf("load files: %w", err)
	}
	for _, kind := range RelationKinds() {
		for _, in := range []bool{false, true} {
			if !in && slices.Contains(sel.Out, kind) || in && slices.Contains(sel.In, kind) {
				if err := r.read(ctx, kind, in, ids, at, others); err != nil {
					return Related{}, fmt.Errorf("what %s what: %w", kind, err)
				}
			}
		}
	}
	return r.related(ctx, sel.Most)
}

// read reads relations of one kind and direction.
func (r *reading) read(ctx context.Context, kind string, in bool, ids []int64, files map[string]int64, others []string) error {
	var err error
	before := len(r.list)
	switch kind {
	case RelatesCalls:
		err = r.calls(ctx, ids, files, in)
	case RelatesImports:
		err = r.imports(ctx, slices.Sorted(maps.Keys(files)), others, in)
	case RelatesInherits:
		err = r.inherits(ctx, ids, others, in)
	case RelatesContains:
		err = r.contains(ctx, ids, files, in)
	}
	r.cut = r.cut || len(r.list)-before >= relationsRead
	return err
}

// calls reads who calls symbols, or what symbols and the code of files call.
func (r *reading) calls(ctx context.Context, ids []int64, files map[string]int64, in bool) error {
	read := r.base.db.CallsFrom
	if in {
		read = r.base.db.CallsTo
	}
	list, err := read(ctx, ids, relationsRead)
	if err != nil {
		return err
	}
	lambdas, err := r.base.db.LambdasIn(ctx, ids, in)
	if err != nil {
		return err
	}
	list = append(list, lambdas...)
	if !in {
		own, err := r.base.db.CallsOfFiles(ctx, numbers(files), relationsRead)
		if err != nil {
			return err
		}
		list = append(list, own...)
	}
	for i := range list {
		r.call(&list[i], in)
	}
	return nil
}

func (r *reading) call(c *store.CodeCall, in bool) {
	from := thingEnd{symbol: c.Src}
	if c.Src == 0 {
		from = thingEnd{file: c.FilePath}
	}
	r.add(relation{kind: RelatesCalls, from: from, to: thingEnd{symbol: c.Dst}, file: c.FilePath, line: c.Line, rule: c.Rule, sure: c.Confidence, in: in})
}

func numbers(files map[string]int64) []int64 { return slices.Sorted(maps.Values(files)) }

// imports reads what files import, or who imports files and modules. What reaches
// several files, as a package does, is told by its name.
func (r *reading) imports(ctx context.Context, files, others []string, in bool) error {
	if !in {
		list, err := r.base.db.ImportsOf(ctx, r.project.ID, files)
		if err != nil {
			return err
		}
		r.importLines(list)
		return nil
	}
	list, err := r.base.db.ImportersOf(ctx, r.project.ID, files)
	if err != nil {
		return err
	}
	for _, l := range list[:min(len(list), relationsRead)] {
		r.add(relation{kind: RelatesImports, from: thingEnd{file: l.FilePath}, to: thingEnd{file: l.Target}, file: l.FilePath, line: l.Line, sure: 1, in: true})
	}
	for _, name := range others {
		list, err := r.base.db.ImportsNamed(ctx, r.project.ID, name, relationsRead)
		if err != nil {
			return err
		}
		for _, l := range list {
			r.add(relation{kind: RelatesImports, from: thingEnd{file: l.FilePath}, to: thingEnd{other: name}, file: l.FilePath, line: l.Line, sure: 1, in: true})
		}
	}
	return nil
}

func (r *reading) importLines(list []store.CodeLink) {
	for len(list) > 0 {
		first, n := &list[0], 1
		targets := []string{first.Target}
		for n < len(list) && list[n].FilePath == first.FilePath && list[n].Line == first.Line && list[n].Module == first.Module && list[n].Name == first.Name {
			if !slices.Contains(targets, list[n].Target) {
				targets = append(targets, list[n].Target)
			}
			n++
		}
		to := thingEnd{other: cmp.Or(first.External, first.Module)}
		if targets = slices.DeleteFunc(targets, func(t string) bool { return t == "" }); len(targets) == 1 {
			to = thingEnd{file: targets[0]}
		}
		r.add(relation{kind: RelatesImports, from: thingEnd{file: first.FilePath}, to: to, file: first.FilePath, line: first.Line, sure: 1})
		list = list[n:]
	}
}

// inherits reads what types take from, or what takes from them.
func (r *reading) inherits(ctx context.Context, ids []int64, others []string, in bool) error {
	list, err := r.base.db.Inherited(ctx, ids, !in)
	if err != nil {
		return err
	}
	for _, name := range others {
		if !in {
			break
		}
		more, err := r.base.db.InheritsNamed(ctx, r.project.ID, name, relationsRead)
		if err != nil {
			return err
		}
		list = append(list, more...)
	}
	for i := range list[:min(len(list), relationsRead)] {
		r.inherit(&list[i], in)
	}
	return nil
}

func (r *reading) inherit(h *store.CodeInherit, in bool) {
	to := thingEnd{symbol: h.Super}
	if h.Super == 0 {
		to = thingEnd{other: h.Text}
	}
	r.add(relation{kind: RelatesInherits, from: thingEnd{symbol: h.Sub}, to: to, rule: h.Kind, sure: 1, in: in})
}

// contains reads what is declared in files and symbols, or what symbols are
// declared in. Functions without a name are no part of it: what they stand in
// calls them.
func (r *reading) contains(ctx context.Context, ids []int64, files map[string]int64, in bool) error {
	if in {
		return r.around(ctx, ids)
	}
	top, err := r.base.db.SymbolsOfFiles(ctx, numbers(files))
	if err != nil {
		return err
	}
	for i := range top[:min(len(top), relationsRead)] {
		if s := &top[i]; s.Parent == 0 {
			r.contained(s, thingEnd{file: s.FilePath}, false)
		}
	}
	var paths []string
	for _, id := range ids {
		if s, ok := r.symbols[id]; ok {
			paths = append(paths, s.Path)
		}
	}
	inner, err := r.base.db.SymbolsWithin(ctx, r.project.ID, paths, relationsRead)
	if err != nil {
		return err
	}
	for _, id := range ids {
		s := r.symbols[id]
		for i := range inner {
			if memberOf(&inner[i], &s) {
				r.contained(&inner[i], thingEnd{symbol: id}, false)
			}
		}
	}
	return nil
}

func (r *reading) contained(s *store.CodeFound, by thingEnd, in bool) {
	if s.Kind != KindLambda {
		r.symbols[s.ID] = *s
		r.add(relation{kind: RelatesContains, from: by, to: thingEnd{symbol: s.ID}, file: s.FilePath, line: s.Line, sure: 1, in: in})
	}
}

// memberOf reports whether a symbol is declared in another: it stands in it, or
// is a method that is declared elsewhere in the package.
func memberOf(s, of *store.CodeFound) bool {
	return of.ID != 0 && (s.Parent == of.ID ||
		s.Parent == 0 && code.Kind(of.Kind).Type() && s.Path == of.Path+"."+s.Name && s.Qualified == of.Qualified+"."+s.Name)
}

// around reads what symbols are declared in.
func (r *reading) around(ctx context.Context, ids []int64) error {
	var parents []int64
	var paths []string
	for _, id := range ids {
		s := r.symbols[id]
		if s.Parent != 0 {
			parents = append(parents, s.Parent)
		} else if outer, ok := strings.CutSuffix(s.Path, "."+s.Name); ok {
			paths = append(paths, outer)
		}
	}
	outer, err := r.base.db.SymbolsByID(ctx, parents)
	if err != nil {
		return err
	}
	types, err := r.base.db.SymbolsByPath(ctx, r.project.Root, paths, relationsRead)
	if err != nil {
		return err
	}
	types = slices.AppendSeq(types, maps.Values(outer))
	for _, id := range ids {
		s, ok := r.symbols[id]
		if !ok {
			continue
		}
		if s.Parent == 0 {
			r.contained(&s, thingEnd{file: s.FilePath}, true)
		}
		for i := range types {
			if memberOf(&s, &types[i]) {
				r.contained(&s, thingEnd{symbol: types[i].ID}, true)
			}
		}
	}
	return nil
}

// related joins what is said twice, keeps the surest of each kind, direction and
// thing, and gives the ends their names.
func (r *reading) related(ctx context.Context, most int) (Related, error) {
	kept, found := r.surest(most)
	out := Related{Found: found, Cut: r.cut}
	used, err := r.ends(ctx, kept)
	if err != nil {
		return out, err
	}
	names, err := r.names(ctx, used)
	if err != nil {
		return out, err
	}
	for _, x := range kept {
		from, okFrom := thingOf(x.from, used, names)
		to, okTo := thingOf(x.to, used, names)
		if !okFrom || !okTo {
			continue // gone since
		}
		if x.kind == RelatesInherits {
			x.file, x.line = from.Symbol.File, from.Symbol.Line
		}
		out.List = append(out.List, Relation{Kind: x.kind, From: from, To: to, File: x.file, Line: x.line, Rule: x.rule, Confidence: x.sure, In: x.in})
	}
	return out, nil
}

// surest puts what was read in order, each pair once, and says how many there are
// beside those that are kept.
func (r *reading) surest(most int) (kept []relation, found int) {
	type pair struct {
		kind     string
		from, to thingEnd
	}
	type side struct {
		kind string
		in   bool
		of   thingEnd
	}
	for i := range r.list {
		r.list[i].behind = r.behind(&r.list[i])
	}
	slices.SortStableFunc(r.list, func(a, b relation) int {
		return cmp.Or(cmp.Compare(b.sure, a.sure), cmp.Compare(a.behind, b.behind), cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	seen, count := map[pair]bool{}, map[side]int{}
	for _, x := range r.list {
		p := pair{x.kind, x.from, x.to}
		if seen[p] {
			continue
		}
		seen[p] = true
		found++
		s := side{x.kind, x.in, x.from}
		if x.in {
			s.of = x.to
		}
		if count[s]++; count[s] <= most {
			kept = append(kept, x)
		}
	}
	return kept, found
}

// behind ranks what is equally sure: last what stands in tests, and among members
// first what others can call.
func (r *reading) behind(x *relation) int {
	rank := 0
	if isTest(x.file) {
		rank += 4
	}
	if s, ok := r.symbols[x.to.symbol]; ok && x.kind == RelatesContains {
		if !s.Exported {
			rank += 2
		}
		if !standsAlone(s.Kind) {
			rank++
		}
	}
	return rank
}

// ends returns the symbols that relations are between.
func (r *reading) ends(ctx context.Context, list []relation) (map[int64]store.CodeFound, error) {
	used := map[int64]store.CodeFound{}
	var missing []int64
	for _, x := range list {
		for _, e := range []thingEnd{x.from, x.to} {
			if s, ok := r.symbols[e.symbol]; ok {
				used[e.symbol] = s
			} else if e.symbol != 0 {
				missing = append(missing, e.symbol)
			}
		}
	}
	slices.Sort(missing)
	loaded, err := r.base.db.SymbolsByID(ctx, slices.Compact(missing))
	if err != nil {
		return nil, fmt.Errorf("load symbols: %w", err)
	}
	maps.Copy(used, loaded)
	return used, nil
}

func thingOf(e thingEnd, symbols map[int64]store.CodeFound, names map[int64]string) (Thing, bool) {
	switch {
	case e.symbol != 0:
		f, ok := symbols[e.symbol]
		s := symbolOf(&f)
		return symbolThing(&s, names[e.symbol]), ok
	case e.file != "":
		return fileThing(e.file), true
	}
	return otherThing(e.other), true
}
