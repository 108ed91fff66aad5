package codebase

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chitta/internal/code"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// Symbol is a symbol as answers show it.
type Symbol struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Path      string `json:"path"`                // with what encloses it: Server.Listen
	Qualified string `json:"qualified,omitempty"` // with module or package
	Kind      string `json:"kind"`
	Signature string `json:"signature"`
	Doc       string `json:"doc,omitempty"`
	File      string `json:"file"` // from the project's root, with slashes
	Lang      string `json:"lang"`
	Line      int    `json:"line"`
	EndLine   int    `json:"end_line"`
	Exported  bool   `json:"exported,omitempty"`
	// Notes are what somebody noted with the symbol. They are kept elsewhere, by
	// who remembers.
	Notes []Note `json:"notes,omitempty"`
	// Body is the hash of its text without comments and blank space.
	Body uint64 `json:"-"`

	id, file int64
}

// Note is what somebody noted with a symbol.
type Note struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	// Stale says what of the code changed since it was noted, "" if nothing did.
	Stale string `json:"stale,omitempty"`
}

// Line is what is noted, and before it that it may not hold any more.
func (n Note) Line() string {
	if n.Stale != "" {
		return "(stale: " + n.Stale + ") " + n.Text
	}
	return n.Text
}

func symbolOf(f *store.CodeFound) Symbol {
	return Symbol{
		ID: symbolName(f.ID), Name: f.Name, Path: f.Path, Qualified: f.Qualified, Kind: f.Kind, Signature: f.Signature, Doc: f.Doc,
		File: f.FilePath, Lang: f.Lang, Line: f.Line, EndLine: f.EndLine, Exported: f.Exported, Body: f.Body, id: f.ID, file: f.File,
	}
}

func symbolsOf(list []store.CodeFound) []Symbol {
	out := make([]Symbol, len(list))
	for i := range list {
		out[i] = symbolOf(&list[i])
	}
	return out
}

// symbolPrefix begins the ids of symbols, as people and agents see them.
const symbolPrefix = "s_"

func symbolName(id int64) string { return fmt.Sprintf("%s%016x", symbolPrefix, uint64(id)) }

func symbolNumber(ref string) (int64, bool) {
	hex, ok := strings.CutPrefix(ref, symbolPrefix)
	if !ok || len(hex) != 16 {
		return 0, false
	}
	n, err := strconv.ParseUint(hex, 16, 64)
	return int64(n), err == nil
}

// Ask puts questions about one project.
type Ask struct {
	base    *Base
	project store.CodeProject
}

// Ask returns who answers questions about the indexed project that a path lies
// in: [ErrUnknown] if there is none, [ErrOff] in a build that cannot parse.
func (b *Base) Ask(ctx context.Context, path string) (*Ask, error) {
	if !syntax.Available {
		return nil, ErrOff
	}
	root, err := b.ProjectOf(ctx, path)
	if err != nil {
		return nil, err
	}
	row, err := b.db.Project(ctx, root)
	if errors.Is(err, store.ErrNotFound) {
		return nil, ErrUnknown
	}
	if err != nil {
		return nil, fmt.Errorf("find the project: %w", err)
	}
	return &Ask{b, row}, nil
}

// Root is the folder of the project.
func (a *Ask) Root() string { return a.project.Root }

// Realm is the id of the realm the project was indexed for, or "".
func (a *Ask) Realm() string { return a.project.Realm }

// UnknownSymbolError says that nothing is called by a name, and what is called
// alike.
type UnknownSymbolError struct {
	Ref  string
	Near []Symbol
	// File is the indexed file that was named instead of a symbol, or with a Line
	// at which no symbol stands.
	File string
	Line int
}

func (e *UnknownSymbolError) Error() string { return fmt.Sprintf("no symbol is called %q", e.Ref) }

// UnknownFileError says that the index has no such file, and which are called
// alike.
type UnknownFileError struct {
	Path   string
	Near   []string
	Folder bool // it is a folder; Near are files of it
}

func (e *UnknownFileError) Error() string { return fmt.Sprintf("no indexed file is called %q", e.Path) }

// LeftOutError says that a file is known and was not read, and why: see
// LeftGenerated and the others.
type LeftOutError struct{ Path, Why string }

func (e *LeftOutError) Error() string { return fmt.Sprintf("%s was left out: %s", e.Path, e.Why) }

const (
	// mostNamed bounds how many symbols of one name are looked at.
	mostNamed = 2000
	// mostNear is how many are offered when nothing has the name.
	mostNear = 5
)

// Named returns the symbols that a text names: by id, by file and line
// (server.go:12), by name, or by as much of the qualified path as is given
// (Server.Listen, net.Server.Listen, a::b). dir is where relative files count
// from. Without any it returns an [UnknownSymbolError].
func (a *Ask) Named(ctx context.Context, ref, dir string) ([]Symbol, error) {
	ref = strings.TrimSpace(ref)
	if id, ok := symbolNumber(ref); ok {
		s, err := a.base.db.SymbolOf(ctx, a.project.ID, id)
		if err != nil {
			return nil, fmt.Errorf("find symbol: %w", err)
		}
		if s != nil {
			return []Symbol{symbolOf(s)}, nil
		}
		return nil, &UnknownSymbolError{Ref: ref}
	}
	if file, line, ok := placeOf(ref); ok {
		return a.at(ctx, ref, file, dir, line)
	}
	list, err := a.spelt(ctx, ref)
	if err != nil || len(list) > 0 {
		return list, err
	}
	if own, err := a.FileCode(ctx, ref, dir); err != nil || own != nil {
		if err == nil {
			err = &UnknownSymbolError{Ref: ref, File: own.File}
		}
		return nil, err
	}
	near, err := a.fuzzy(ctx, ref, func(*entry) bool { return true }, mostNear)
	if err != nil {
		return nil, err
	}
	e := &UnknownSymbolError{Ref: ref}
	for _, m := range near {
		e.Near = append(e.Near, m.Symbol)
	}
	return nil, e
}

// FileCode returns the code of a file that stands outside of functions as a
// symbol, nil if no indexed file is called so.
func (a *Ask) FileCode(ctx context.Context, name, dir string) (*Symbol, error) {
	if name = strings.TrimSpace(name); path.Ext(name) == "" {
		return nil, nil // not called as files of code are
	}
	f, err := a.file(ctx, name, dir)
	if unknown := (*UnknownFileError)(nil); errors.As(err, &unknown) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if f.Skipped != "" {
		return nil, &LeftOutError{f.Path, f.Skipped}
	}
	return &Symbol{Name: path.Base(f.Path), Path: path.Base(f.Path), Kind: KindFile, File: f.Path, Lang: f.Lang, Line: 1, EndLine: 1, file: f.ID}, nil
}

// spelt finds symbols by name or by the end of their paths.
func (a *Ask) spelt(ctx context.Context, ref string) ([]Symbol, error) {
	parts := segments(ref)
	if len(parts) == 0 {
		return nil, nil
	}
	last := parts[len(parts)-1]
	found, err := a.base.db.SymbolsNamed(ctx, a.project.ID, strings.ToLower(last), mostNamed)
	if err != nil {
		return nil, fmt.Errorf("find symbol: %w", err)
	}
	var same, folded []Symbol
	for i := range found {
		f := &found[i]
		full := segments(f.Qualified)
		switch {
		case endsWith(full, parts, false) || endsWith(segments(f.Path), parts, false):
			same = append(same, symbolOf(f))
		case endsWith(full, parts, true) || endsWith(segments(f.Path), parts, true):
			folded = append(folded, symbolOf(f))
		}
	}
	if len(same) == 0 {
		same = folded
	}
	slices.SortStableFunc(same, byStanding)
	return same, nil
}

// byStanding puts symbols that are more often meant first: outside of tests, what
// does something before what holds something, what others can use, then by place.
func byStanding(a, b Symbol) int {
	rank := func(s *Symbol) int {
		n := 0
		if isTest(s.File) {
			n += 4
		}
		if k := code.Kind(s.Kind); !k.Callable() && !k.Type() {
			n += 2
		}
		if !s.Exported {
			n++
		}
		return n
	}
	if d := rank(&a) - rank(&b); d != 0 {
		return d
	}
	if d := strings.Compare(a.File, b.File); d != 0 {
		return d
	}
	return a.Line - b.Line
}

// segments takes a path of names apart, whichever language's signs join it.
func segments(ref string) []string {
	ref = strings.TrimSuffix(strings.TrimSpace(ref), "()")
	ref = strings.NewReplacer("::", ".", "->", ".", "#", ".", "/", ".", `\`, ".").Replace(ref)
	return strings.FieldsFunc(ref, func(r rune) bool { return r == '.' })
}

// endsWith reports whether a list of names ends with another.
func endsWith(list, end []string, fold bool) bool {
	if len(end) > len(list) {
		return false
	}
	for i, name := range end {
		have := list[len(list)-len(end)+i]
		if have != name && !(fold && strings.EqualFold(have, name)) {
			return false
		}
	}
	return true
}

// placeOf reads server.go:12, with a column behind it or not.
func placeOf(ref string) (file string, line int, ok bool) {
	cut := func(s string) (string, int, bool) {
		i := strings.LastIndexByte(s, ':')
		if i <= 0 || s[i-1] == ':' {
			return s, 0, false
		}
		n, err := strconv.Atoi(s[i+1:])
		return s[:i], n, err == nil && n > 0
	}
	file, line, ok = cut(ref)
	if !ok {
		return "", 0, false
	}
	if outer, n, more := cut(file); more {
		file, line = outer, n
	}
	return file, line, true
}

// at returns the innermost symbol around a line.
func (a *Ask) at(ctx context.Context, ref, file, dir string, line int) ([]Symbol, error) {
	f, err := a.file(ctx, file, dir)
	if err != nil {
		return nil, err
	}
	if f.Skipped != "" {
		return nil, &LeftOutError{f.Path, f.Skipped}
	}
	list, err := a.base.db.SymbolsOfFiles(ctx, []int64{f.ID})
	if err != nil {
		return nil, fmt.Errorf("symbols of %s: %w", f.Path, err)
	}
	best := -1
	for i := range list {
		s := &list[i]
		if s.Line <= line && line <= s.EndLine && (best < 0 || s.EndLine-s.Line <= list[best].EndLine-list[best].Line) {
			best = i
		}
	}
	if best < 0 {
		return nil, &UnknownSymbolError{Ref: ref, File: f.Path, Line: line}
	}
	return []Symbol{symbolOf(&list[best])}, nil
}

// file finds an indexed file: by its path from dir or from the root, or by the
// end of its path where that is enough.
func (a *Ask) file(ctx context.Context, name, dir string) (store.CodeFile, error) {
	var tries []string
	if filepath.IsAbs(name) {
		tries = relative(a.project.Root, []string{name})
	} else {
		if dir != "" && Within(a.project.Root, realPath(dir)) {
			tries = relative(a.project.Root, []string{filepath.Join(dir, name)})
		}
		tries = append(tries, path.Clean(filepath.ToSlash(name)))
	}
	var near []string
	for _, try := range tries {
		found, err := a.base.db.CodeFilesNamed(ctx, a.project.ID, try, mostNear)
		if err != nil {
			return store.CodeFile{}, fmt.Errorf("find file: %w", err)
		}
		if len(found) == 1 || len(found) > 0 && found[0].Path == try {
			return found[0], nil
		}
		for _, f := range found {
			near = append(near, f.Path)
		}
	}
	for _, try := range tries {
		in, err := a.base.db.CodeFilesIn(ctx, a.project.ID, try, mostNear)
		if err != nil {
			return store.CodeFile{}, fmt.Errorf("find file: %w", err)
		}
		if len(in) > 0 {
			return store.CodeFile{}, &UnknownFileError{Path: name, Near: in, Folder: true}
		}
	}
	if len(near) == 0 && len(tries) > 0 {
		found, err := a.base.db.CodeFilesNamed(ctx, a.project.ID, path.Base(tries[0]), mostNear)
		if err != nil {
			return store.CodeFile{}, fmt.Errorf("find file: %w", err)
		}
		for _, f := range found {
			near = append(near, f.Path)
		}
	}
	return store.CodeFile{}, &UnknownFileError{Path: name, Near: near}
}

// Known returns those of some files that are indexed, from the root; the others
// are left out.
func (a *Ask) Known(ctx context.Context, files []string) ([]string, error) {
	var out []string
	for _, name := range relative(a.project.Root, files) {
		found, err := a.base.db.CodeFilesNamed(ctx, a.project.ID, name, 1)
		if err != nil {
			return nil, fmt.Errorf("find file: %w", err)
		}
		if len(found) > 0 && found[0].Path == name && found[0].Skipped == "" {
			out = append(out, name)
		}
	}
	return out, nil
}

// isTest reports whether a file holds tests, by its name.
func isTest(file string) bool {
	base := path.Base(file)
	stem := strings.TrimSuffix(base, path.Ext(base))
	lower := strings.ToLower(stem)
	switch {
	case strings.HasSuffix(lower, "_test"), strings.HasSuffix(lower, "_spec"), strings.HasSuffix(lower, ".test"), strings.HasSuffix(lower, ".spec"),
		strings.HasPrefix(lower, "test_"), lower == "conftest", strings.HasSuffix(stem, "Test"), strings.HasSuffix(stem, "Tests"):
		return true
	}
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		switch dir {
		case "test", "tests", "spec", "__tests__", "testdata":
			return true
		}
	}
	return false
}
