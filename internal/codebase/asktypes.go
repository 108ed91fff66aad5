package codebase

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/store"
)

// TypeLink is a type that another takes from, or that takes from it.
type TypeLink struct {
	Symbol *Symbol `json:"symbol,omitempty"` // nil: outside of the project
	Text   string  `json:"text"`             // as written
	How    string  `json:"how"`              // extends, implements, embeds, …
	Depth  int     `json:"depth"`
	Of     string  `json:"of"` // id of the type it hangs on
}

// Hierarchy is what a type takes from, and which types take from it; each list
// in the order of a tree.
type Hierarchy struct {
	Type Symbol     `json:"type"`
	Up   []TypeLink `json:"up"`
	Down []TypeLink `json:"down"`
}

// mostTypes bounds how many types of one direction are listed.
const mostTypes = 500

// Hierarchy follows inheritance up and down.
func (a *Ask) Hierarchy(ctx context.Context, s *Symbol, depth int) (Hierarchy, error) {
	out := Hierarchy{Type: *s}
	var err error
	if out.Up, err = a.kin(ctx, s.id, depth, true); err != nil {
		return out, err
	}
	if out.Down, err = a.kin(ctx, s.id, depth, false); err != nil {
		return out, err
	}
	return out, a.addSatisfying(ctx, &out)
}

// Satisfies says how a type hangs on an interface that it does not name: it has
// its methods.
const Satisfies = "satisfies"

// addSatisfying adds the types of Go that have the methods of an interface.
func (a *Ask) addSatisfying(ctx context.Context, h *Hierarchy) error {
	if code.Kind(h.Type.Kind) != code.Interface {
		return nil
	}
	found, err := a.base.db.SymbolsByID(ctx, []int64{h.Type.id})
	if err != nil {
		return fmt.Errorf("load type: %w", err)
	}
	iface, ok := found[h.Type.id]
	if !ok {
		return nil
	}
	types, whole, err := a.satisfying(ctx, &iface)
	if err != nil || !whole {
		return err
	}
	known := map[int64]bool{}
	for _, l := range h.Down {
		if l.Symbol != nil {
			known[l.Symbol.id] = true
		}
	}
	for i := range types {
		if s := symbolOf(&types[i]); !known[s.id] {
			h.Down = append(h.Down, TypeLink{Symbol: &s, Text: s.Path, How: Satisfies, Depth: 1, Of: h.Type.ID})
		}
	}
	return nil
}

// kin walks inheritance in one direction, level by level, each type once, and
// puts what was found into the order of a tree.
func (a *Ask) kin(ctx context.Context, from int64, depth int, up bool) ([]TypeLink, error) {
	type link struct {
		store.CodeInherit
		to    int64
		depth int
	}
	below := map[int64][]link{}
	seen := map[int64]bool{from: true}
	level := []int64{from}
	var ids []int64
	for d := 1; d <= depth && len(level) > 0 && len(ids) < mostTypes; d++ {
		found, err := a.base.db.Inherited(ctx, level, up)
		if err != nil {
			return nil, fmt.Errorf("inheritance: %w", err)
		}
		level = nil
		for _, h := range found {
			at, to := h.Super, h.Sub
			if up {
				at, to = h.Sub, h.Super
			}
			if to != 0 && seen[to] {
				continue
			}
			below[at] = append(below[at], link{h, to, d})
			if to != 0 {
				seen[to] = true
				level, ids = append(level, to), append(ids, to)
			}
		}
	}
	symbols, err := a.base.db.SymbolsByID(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("load types: %w", err)
	}
	out := []TypeLink{}
	var tree func(at int64)
	tree = func(at int64) {
		for _, l := range below[at] {
			t := TypeLink{Text: l.Text, How: l.Kind, Depth: l.depth, Of: symbolName(at)}
			if f, ok := symbols[l.to]; ok {
				s := symbolOf(&f)
				t.Symbol = &s
			} else if l.to != 0 {
				continue // gone since
			}
			out = append(out, t)
			if l.to != 0 {
				tree(l.to)
			}
		}
	}
	tree(from)
	return out, nil
}

// ImportLine is something that a file imports.
type ImportLine struct {
	Module   string   `json:"module"`
	Names    []string `json:"names,omitempty"` // what is taken from it
	Line     int      `json:"line"`
	Files    []string `json:"files,omitempty"`    // of the project, that it reaches
	External string   `json:"external,omitempty"` // what it is outside of the project
	Depth    int      `json:"depth"`
	From     string   `json:"from,omitempty"` // file that imports it, beyond the first
}

// Imports returns what a file imports; with a depth above 1 also what the files
// of the project import that it reaches.
func (a *Ask) Imports(ctx context.Context, name, dir string, depth int) (file string, lines []ImportLine, err error) {
	f, err := a.file(ctx, name, dir)
	if err != nil {
		return "", nil, err
	}
	if f.Skipped != "" {
		return f.Path, nil, &LeftOutError{f.Path, f.Skipped}
	}
	lines = []ImportLine{}
	seen := map[string]bool{f.Path: true}
	level := []string{f.Path}
	for d := 1; d <= depth && len(level) > 0 && len(lines) < mostLines; d++ {
		found, err := a.base.db.ImportsOf(ctx, a.project.ID, level)
		if err != nil {
			return f.Path, nil, fmt.Errorf("imports: %w", err)
		}
		level = nil
		for _, l := range found {
			lines = addImport(lines, &l, d, f.Path)
			if l.Target != "" && !seen[l.Target] {
				seen[l.Target] = true
				level = append(level, l.Target)
			}
		}
	}
	return f.Path, lines[:min(len(lines), mostLines)], nil
}

// mostLines bounds how many imports or files are listed.
const mostLines = 1000

// addImport adds an import, or to the line before what belongs to the same.
func addImport(lines []ImportLine, l *store.CodeLink, depth int, first string) []ImportLine {
	from := l.FilePath
	if from == first {
		from = ""
	}
	i := len(lines) - 1
	if i < 0 || lines[i].Module != l.Module || lines[i].Line != l.Line || lines[i].From != from {
		lines = append(lines, ImportLine{Module: l.Module, Line: l.Line, External: l.External, Depth: depth, From: from})
		i++
	}
	if l.Name != "" && !slices.Contains(lines[i].Names, l.Name) {
		lines[i].Names = append(lines[i].Names, l.Name)
	}
	if l.Target != "" && !slices.Contains(lines[i].Files, l.Target) {
		lines[i].Files = append(lines[i].Files, l.Target)
	}
	return lines
}

// How a file depends on another.
const (
	ByImport = "import"
	ByCall   = "call"
)

// Dependent is a file that depends on another.
type Dependent struct {
	File  string `json:"file"`
	How   string `json:"how"` // import, call, or both with a comma
	Line  int    `json:"line,omitempty"`
	Calls int    `json:"calls,omitempty"`
	Depth int    `json:"depth"`
	Via   string `json:"via,omitempty"`
}

// Dependents returns the files that import a file or call what stands in it, up
// to depth steps away.
func (a *Ask) Dependents(ctx context.Context, name, dir string, depth int) (file string, list []Dependent, err error) {
	f, err := a.file(ctx, name, dir)
	if err != nil {
		return "", nil, err
	}
	list = []Dependent{}
	at := map[string]int{f.Path: -1}
	level := []string{f.Path}
	for d := 1; d <= depth && len(level) > 0 && len(list) < mostLines; d++ {
		var next []string
		for _, path := range level {
			found, err := a.dependents(ctx, path)
			if err != nil {
				return f.Path, nil, err
			}
			for _, x := range found {
				if _, ok := at[x.File]; ok {
					continue
				}
				x.Depth = d
				if d > 1 {
					x.Via = path
				}
				at[x.File] = len(list)
				list, next = append(list, x), append(next, x.File)
			}
		}
		level = next
	}
	if f.Skipped != "" && len(list) == 0 {
		return f.Path, nil, &LeftOutError{f.Path, f.Skipped}
	}
	return f.Path, list[:min(len(list), mostLines)], nil
}

// dependents returns the files that depend on one, by path.
func (a *Ask) dependents(ctx context.Context, file string) ([]Dependent, error) {
	imports, err := a.base.db.ImportersOf(ctx, a.project.ID, []string{file})
	if err != nil {
		return nil, fmt.Errorf("who imports %s: %w", file, err)
	}
	found, err := a.base.db.CodeFilesNamed(ctx, a.project.ID, file, 1)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	calls, err := a.base.db.CallersInFiles(ctx, []int64{found[0].ID})
	if err != nil {
		return nil, fmt.Errorf("who calls into %s: %w", file, err)
	}
	by := map[string]*Dependent{}
	for _, l := range imports {
		if by[l.FilePath] == nil {
			by[l.FilePath] = &Dependent{File: l.FilePath, How: ByImport, Line: l.Line}
		}
	}
	for path, n := range calls {
		if x := by[path]; x != nil {
			x.How, x.Calls = strings.Join([]string{ByImport, ByCall}, ", "), n
		} else {
			by[path] = &Dependent{File: path, How: ByCall, Calls: n}
		}
	}
	delete(by, file)
	out := make([]Dependent, 0, len(by))
	for _, path := range sortedPaths(by) {
		out = append(out, *by[path])
	}
	return out, nil
}
