package codebase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// How things of source code hang together, as a knowledge graph asks for it: the
// same rows that answer questions about calls, imports and types.

// Kinds of relations, by the names that the knowledge graph has for them.
const (
	RelatesCalls    = "calls"    // symbol, or code of a file → symbol
	RelatesImports  = "imports"  // file → file, or a module
	RelatesInherits = "inherits" // type → type
	RelatesContains = "contains" // file → symbol, symbol → what is declared in it
)

// RelationKinds lists all kinds of relations.
func RelationKinds() []string {
	return []string{RelatesCalls, RelatesImports, RelatesInherits, RelatesContains}
}

// Thing is one end of a relation: a symbol, a file, or something that is only
// known by what it is called, such as a module of another project.
type Thing struct {
	ID     string  // the same for the same thing of a project
	Name   string  // as people write it
	Symbol *Symbol // nil: it is none
	File   string  // path of a file, "" for anything else

	end thingEnd
}

// thingEnd says which thing is meant; one of the three is set.
type thingEnd struct {
	symbol      int64
	file, other string
}

// Relation is one thing that the code says of two others.
type Relation struct {
	Kind       string
	From, To   Thing
	File       string // where it stands
	Line       int    // the first, if it stands in several
	Rule       string // how it was found, of a call; how it is written, of a type
	Confidence float64
	In         bool // it was asked for by its second end
}

// Select says which relations of things are asked for.
type Select struct {
	Out  []string // kinds, from the things to others
	In   []string // kinds, from others to the things
	Most int      // of each kind, direction and thing, the surest
}

// Related is relations that were found.
type Related struct {
	List  []Relation // the surest first
	Found int        // before the bound
	Cut   bool       // there are more than were looked at
}

const (
	// relationsRead bounds how many rows of one kind are read for one question: a
	// few milliseconds, and more than anybody reads.
	relationsRead = 2000
	// thingsMeant is how many symbols of one name are looked at.
	thingsMeant = 8
	// plainly is how sure a call is that stands in a file, package or import: of
	// everything, such are shown first.
	plainly = 0.95
)

// Things returns what a text names: symbols as [Ask.Named] finds them, but no
// fields and locals by a plain word, symbols of a file (config.go:parse), one of
// several overloads by its line (Cart.add:14), or an indexed file. same says that only what is spelt so counts, not what differs in
// case. found is how many there are; without any there is no error.
func (a *Ask) Things(ctx context.Context, ref, dir string, same bool) (list []Thing, found int, err error) {
	symbols, err := a.meant(ctx, strings.TrimSpace(ref), dir, same)
	if err != nil {
		return nil, 0, err
	}
	found = len(symbols)
	symbols = symbols[:min(found, thingsMeant)]
	if found == 0 {
		list, err = a.fileMeant(ctx, strings.TrimSpace(ref), dir, same)
		return list, len(list), err
	}
	ids := make([]int64, len(symbols))
	for i, s := range symbols {
		ids[i] = s.id
	}
	known, err := a.base.db.SymbolsByID(ctx, ids)
	if err != nil {
		return nil, 0, fmt.Errorf("load symbols: %w", err)
	}
	names, err := a.names(ctx, known)
	if err != nil {
		return nil, 0, err
	}
	for i := range symbols {
		list = append(list, symbolThing(&symbols[i], names[symbols[i].id]))
	}
	return list, found, nil
}

// fileMeant finds the indexed file that a text names, by its whole path if it has
// to be the same.
func (a *Ask) fileMeant(ctx context.Context, ref, dir string, same bool) ([]Thing, error) {
	if syntax.LangOf(ref) == "" {
		return nil, nil // no such file is indexed
	}
	if same {
		at, err := a.base.db.CodeFilesAt(ctx, a.project.ID, []string{ref})
		if err != nil || len(at) == 0 {
			return nil, err
		}
		return []Thing{fileThing(ref)}, nil
	}
	f, err := a.file(ctx, ref, dir)
	if errors.As(err, new(*UnknownFileError)) || err == nil && f.Skipped != "" {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find file: %w", err)
	}
	return []Thing{fileThing(f.Path)}, nil
}

// meant finds the symbols that a text names.
func (a *Ask) meant(ctx context.Context, ref, dir string, same bool) ([]Symbol, error) {
	_, numbered := symbolNumber(ref)
	name, line, placed := placeOf(ref)
	if placed || numbered {
		list, err := a.Named(ctx, ref, dir)
		unknown := errors.As(err, new(*UnknownSymbolError)) || errors.As(err, new(*UnknownFileError))
		switch {
		case !unknown:
			return list, err
		case numbered:
			return nil, nil
		}
		ref = name // one of several overloads, by its line
	}
	file := ""
	if at := strings.LastIndexByte(ref, ':'); at > 0 && ref[at-1] != ':' {
		file, ref = ref[:at], ref[at+1:]
	}
	list, err := a.spelt(ctx, ref)
	if err != nil {
		return nil, err
	}
	parts := segments(ref)
	list = slices.DeleteFunc(list, func(s Symbol) bool {
		return file != "" && s.File != file || placed && s.Line != line ||
			same && s.Name != parts[len(parts)-1] ||
			len(parts) == 1 && s.Path != s.Name && !standsAlone(s.Kind)
	})
	if fits := slices.DeleteFunc(slices.Clone(list), func(s Symbol) bool { return !standsAlone(s.Kind) }); len(fits) > 0 {
		list = fits
	}
	return list, nil
}

// standsAlone reports whether symbols of a kind are what a name of code usually
// means: what is called, or is a type.
func standsAlone(kind string) bool { return code.Kind(kind).Callable() || code.Kind(kind).Type() }

// Outside returns a thing that is only known by what it is called: a module that
// files import, a type of elsewhere that types take from. It looks through all of
// them.
func (a *Ask) Outside(ctx context.Context, name string) (*Thing, error) {
	if name == "" {
		return nil, nil
	}
	imports, err := a.base.db.ImportsNamed(ctx, a.project.ID, name, 1)
	if err != nil {
		return nil, fmt.Errorf("imports of %s: %w", name, err)
	}
	if len(imports) == 0 {
		types, err := a.base.db.InheritsNamed(ctx, a.project.ID, name, 1)
		if err != nil || len(types) == 0 {
			return nil, err
		}
	}
	t := otherThing(name)
	return &t, nil
}

func symbolThing(s *Symbol, name string) Thing {
	return Thing{ID: s.ID, Name: name, Symbol: s, end: thingEnd{symbol: s.id}}
}

func fileThing(path string) Thing {
	return Thing{ID: "file:" + path, Name: path, File: path, end: thingEnd{file: path}}
}

func otherThing(name string) Thing {
	return Thing{ID: "other:" + name, Name: name, end: thingEnd{other: name}}
}

// names returns what people call symbols: with package or module, but without
// the folders before it while nothing else is called so. Overloads are told apart
// by their lines.
func (a *Ask) names(ctx context.Context, symbols map[int64]store.CodeFound) (map[int64]string, error) {
	var paths []string
	for _, s := range symbols {
		paths = append(paths, s.Path)
	}
	slices.Sort(paths)
	alike, err := a.base.db.SymbolsByPath(ctx, a.project.Root, slices.Compact(paths), relationsRead)
	if err != nil {
		return nil, fmt.Errorf("names of symbols: %w", err)
	}
	by := map[string][]*store.CodeFound{}
	for i := range alike {
		by[alike[i].Path] = append(by[alike[i].Path], &alike[i])
	}
	out := make(map[int64]string, len(symbols))
	for id, s := range symbols {
		// overloads stand in one file
		unlike := func(name func(*store.CodeFound) string) bool {
			return !slices.ContainsFunc(by[s.Path], func(o *store.CodeFound) bool { return o.File != s.File && name(o) == name(&s) })
		}
		switch {
		case unlike(shortName):
			out[id] = shortName(&s)
		case unlike(func(o *store.CodeFound) string { return o.Qualified }):
			out[id] = s.Qualified
		default:
			out[id] = s.FilePath + ":" + s.Path
		}
		if slices.ContainsFunc(by[s.Path], func(o *store.CodeFound) bool { return overloads(o, &s) }) {
			out[id] += fmt.Sprintf(":%d", s.Line)
		}
	}
	return out, nil
}

// overloads reports whether two functions of one file have the same name.
func overloads(a, b *store.CodeFound) bool {
	return a.ID != b.ID && a.File == b.File && a.Line != b.Line && a.Qualified == b.Qualified && code.Kind(a.Kind).Callable() && code.Kind(b.Kind).Callable()
}

// shortName is a name without folders, and without the dot that stands for a
// package at the top of a project that has no name.
func shortName(s *store.CodeFound) string {
	return cmp.Or(strings.TrimLeft(s.Qualified[strings.LastIndexByte(s.Qualified, '/')+1:], "."), s.Path)
}
