package codebase

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// Overview says what a project is made of.
type Overview struct {
	Root      string        `json:"root"`
	Files     int           `json:"files"`
	Bytes     int64         `json:"bytes"`
	Symbols   int           `json:"symbols"`
	Languages []LangCount   `json:"languages"` // the largest first
	Modules   []ModuleCount `json:"modules"`   // folders, those with the most symbols first
	Entries   []Symbol      `json:"entries"`   // where programs begin
	Called    []RankedUse   `json:"most_called"`
	Largest   []RankedUse   `json:"largest"` // functions by lines
	Big       []FileSize    `json:"largest_files"`

	Standing
}

// LangCount is how much of a project is written in a language.
type LangCount struct {
	Lang    string `json:"lang"`
	Files   int    `json:"files"`
	Bytes   int64  `json:"bytes"`
	Symbols int    `json:"symbols"`
}

// ModuleCount is how much stands in a folder.
type ModuleCount struct {
	Path    string `json:"path"`
	Files   int    `json:"files"`
	Symbols int    `json:"symbols"`
}

// RankedUse is a symbol and how often it is called, or how many lines it has.
type RankedUse struct {
	Symbol
	Count int `json:"count"`
}

// FileSize is a file and how many lines it has up to the end of its last symbol.
type FileSize struct {
	File    string `json:"file"`
	Lines   int    `json:"lines"`
	Symbols int    `json:"symbols"`
}

// overviewEach is how many of each sort an overview names.
const overviewEach = 10

// Overview says what the project is made of.
func (a *Ask) Overview(ctx context.Context) (Overview, error) {
	out := Overview{Root: a.project.Root}
	v, err := a.catalogue(ctx, false)
	if err != nil {
		return out, err
	}
	out.count(v.files)
	if out.Entries, err = a.entries(ctx, v.files); err != nil {
		return out, err
	}
	called, err := a.mostCalled(ctx, v)
	if err != nil {
		return out, err
	}
	if out.Called, err = a.ranked(ctx, called); err != nil {
		return out, err
	}
	out.Largest, err = a.ranked(ctx, largest(v))
	return out, err
}

// mostCalled returns the symbols that are called from the most places.
func (a *Ask) mostCalled(ctx context.Context, v *view) ([]store.CodeRank, error) {
	here := map[int64]bool{}
	v.each(func(e *entry) { here[e.id] = true })
	var out []store.CodeRank
	err := a.base.db.EachCalled(ctx, func(id int64, times int) bool {
		if here[id] {
			out = append(out, store.CodeRank{ID: id, Count: times})
		}
		return len(out) < overviewEach
	})
	if err != nil {
		return nil, fmt.Errorf("most called: %w", err)
	}
	return out, nil
}

// largest returns the functions with the most lines.
func largest(v *view) []store.CodeRank {
	var out []store.CodeRank
	order := func(a, b store.CodeRank) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID)) }
	v.each(func(e *entry) {
		if k := code.Kind(e.kind); k != code.Function && k != code.Method && k != code.Constructor {
			return
		}
		r := store.CodeRank{ID: e.id, Count: int(e.end-e.line) + 1}
		if len(out) == overviewEach && order(r, out[len(out)-1]) > 0 {
			return
		}
		at, _ := slices.BinarySearchFunc(out, r, order)
		out = slices.Insert(out, at, r)
		out = out[:min(len(out), overviewEach)]
	})
	return out
}

func (o *Overview) count(files []*listed) {
	langs, modules := map[string]*LangCount{}, map[string]*ModuleCount{}
	o.Languages, o.Modules, o.Big = []LangCount{}, []ModuleCount{}, []FileSize{}
	for _, f := range files {
		symbols, lines := len(f.entries), 0
		for i := range f.entries {
			lines = max(lines, int(f.entries[i].end))
		}
		o.Files++
		o.Bytes += f.Size
		o.Symbols += symbols
		l := langs[f.Lang]
		if l == nil {
			l = &LangCount{Lang: f.Lang}
			langs[f.Lang] = l
		}
		l.Files, l.Bytes, l.Symbols = l.Files+1, l.Bytes+f.Size, l.Symbols+symbols
		dir := path.Dir(f.Path)
		m := modules[dir]
		if m == nil {
			m = &ModuleCount{Path: dir}
			modules[dir] = m
		}
		m.Files, m.Symbols = m.Files+1, m.Symbols+symbols
		o.Big = append(o.Big, FileSize{f.Path, lines, symbols})
	}
	for l := range maps.Values(langs) {
		o.Languages = append(o.Languages, *l)
	}
	for m := range maps.Values(modules) {
		o.Modules = append(o.Modules, *m)
	}
	slices.SortFunc(o.Languages, func(a, b LangCount) int { return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Lang, b.Lang)) })
	slices.SortFunc(o.Modules, func(a, b ModuleCount) int {
		return cmp.Or(cmp.Compare(b.Symbols, a.Symbols), cmp.Compare(a.Path, b.Path))
	})
	slices.SortFunc(o.Big, func(a, b FileSize) int { return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.File, b.File)) })
	o.Modules, o.Big = o.Modules[:min(len(o.Modules), overviewEach)], o.Big[:min(len(o.Big), overviewEach)]
}

// ownCode says of which languages files are run from the top.
var ownCode = map[string]bool{string(syntax.Python): true, string(syntax.JavaScript): true, string(syntax.TypeScript): true, string(syntax.Ruby): true}

// entries returns where programs begin: functions called main, and files that do
// something by themselves and that no other file imports.
func (a *Ask) entries(ctx context.Context, files []*listed) ([]Symbol, error) {
	found, err := a.base.db.SymbolsNamed(ctx, a.project.ID, "main", mostNamed)
	if err != nil {
		return nil, fmt.Errorf("entry points: %w", err)
	}
	out := []Symbol{}
	has := map[int64]bool{}
	for i := range found {
		f := &found[i]
		if code.Kind(f.Kind).Callable() && !isTest(f.FilePath) && isMain(f) {
			out = append(out, symbolOf(f))
			has[f.File] = true
		}
	}
	own, err := a.base.db.CodeOwnCalls(ctx, a.project.ID)
	if err != nil {
		return nil, fmt.Errorf("entry points: %w", err)
	}
	var paths []string
	for _, f := range files {
		if own[f.ID] > 0 && ownCode[f.Lang] && !isTest(f.Path) && !has[f.ID] {
			paths = append(paths, f.Path)
		}
	}
	imported, err := a.base.db.ImportersOf(ctx, a.project.ID, paths)
	if err != nil {
		return nil, fmt.Errorf("entry points: %w", err)
	}
	used := map[string]bool{}
	for _, l := range imported {
		used[l.Target] = true
	}
	for _, p := range paths {
		if !used[p] {
			out = append(out, Symbol{Name: path.Base(p), Path: path.Base(p), Kind: KindFile, File: p, Line: 1, EndLine: 1})
		}
	}
	slices.SortStableFunc(out, func(a, b Symbol) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	return out[:min(len(out), 2*overviewEach)], nil
}

// isMain reports whether a symbol called main is where a program begins. In
// languages of classes it is a method, in others it stands at the top.
func isMain(f *store.CodeFound) bool {
	switch syntax.Lang(f.Lang) {
	case syntax.Java, syntax.CSharp:
		return true
	}
	return f.Name == "main" && f.Path == f.Name
}

func (a *Ask) ranked(ctx context.Context, list []store.CodeRank) ([]RankedUse, error) {
	ids := make([]int64, len(list))
	for i, r := range list {
		ids[i] = r.ID
	}
	symbols, err := a.base.db.SymbolsByID(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("load symbols: %w", err)
	}
	out := []RankedUse{}
	for _, r := range list {
		if f, ok := symbols[r.ID]; ok {
			out = append(out, RankedUse{symbolOf(&f), r.Count})
		}
	}
	return out, nil
}

// Unused returns functions and methods that nothing in the project uses: no call
// reaches them, no call without a target has their name, and no expression
// mentions it. Tests, entry points, what overrides something and what carries a
// decorator are left out; what others can use as well, unless exported is set.
// Use that is not written as a name (reflection, names put together, templates)
// is not seen.
func (a *Ask) Unused(ctx context.Context, exported bool, limit int) (list []Symbol, found int, err error) {
	called, err := a.base.db.Called(ctx, a.project.ID)
	if err != nil {
		return nil, 0, err
	}
	named, err := a.base.db.LooseNames(ctx, a.project.ID)
	if err != nil {
		return nil, 0, fmt.Errorf("loose calls: %w", err)
	}
	var maybe []int64
	err = a.base.db.EachFacts(ctx, a.project.ID, func(path string, data []byte) error {
		f, err := code.Decode(data)
		if err != nil {
			return nil // made anew by the next index
		}
		mentioned(f, named)
		if isTest(path) {
			return nil
		}
		ids := symbolIDs(a.project.Root, f)
		for i := range f.Symbols {
			if s := &f.Symbols[i]; !called[ids[i]] && mayBeUnused(f, s, exported) {
				maybe = append(maybe, ids[i])
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read facts: %w", err)
	}
	symbols, err := a.base.db.SymbolsByID(ctx, maybe)
	if err != nil {
		return nil, 0, fmt.Errorf("load symbols: %w", err)
	}
	list = []Symbol{}
	for _, id := range maybe {
		if f, ok := symbols[id]; ok && !named[f.Name] {
			list = append(list, symbolOf(&f))
		}
	}
	slices.SortFunc(list, func(a, b Symbol) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	return list[:min(len(list), limit)], len(list), nil
}

// mentioned gathers the names that expressions of a file speak of without
// calling them: functions that are passed on or stored.
func mentioned(f *code.File, names map[string]bool) {
	calls := map[int32]bool{} // what a call calls: whether that is known is asked elsewhere
	for i := range f.Exprs {
		if e := &f.Exprs[i]; e.Kind == code.CallExpr && e.X >= 0 {
			calls[e.X] = true
		}
	}
	for i := range f.Exprs {
		switch e := &f.Exprs[i]; e.Kind {
		case code.NameExpr, code.MemberExpr:
			if !calls[int32(i)] {
				names[e.Name] = true
			}
		}
	}
	for _, x := range f.Exports {
		names[x.Name] = true
	}
	for i := range f.Imports {
		names[f.Imports[i].Name] = true
	}
}

func mayBeUnused(f *code.File, s *code.Symbol, exported bool) bool {
	switch {
	case s.Kind != code.Function && s.Kind != code.Method && s.Kind != code.Macro, s.Abstract, len(s.Decorators) > 0,
		s.Exported && !exported, strings.EqualFold(s.Name, "main"), s.Name == "init" && f.Lang == syntax.Go:
		return false
	case strings.HasPrefix(s.Name, "__") && strings.HasSuffix(s.Name, "__"): // called by the language
		return false
	case strings.Contains(s.Signature, "override"):
		return false
	}
	return true
}
