package codebase

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"

	"chitta/internal/code"
	"chitta/internal/resolve"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// SymbolID is the id of a symbol: the same for as long as the project's root,
// the file's path and the symbol's path and kind are. ordinal tells apart those
// for which all of that is equal, in the order of the text.
func SymbolID(root, file, path string, kind code.Kind, ordinal int) int64 {
	h := sha256.New()
	for _, s := range []string{root, file, path, string(kind), strconv.Itoa(ordinal)} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	id := int64(binary.BigEndian.Uint64(h.Sum(nil)))
	if id == 0 { // which stands for none
		id = 1
	}
	return id
}

// symbolIDs returns the ids of a file's symbols in their order.
func symbolIDs(root string, f *code.File) []int64 {
	type key struct {
		path string
		kind code.Kind
	}
	seen := map[key]int{}
	ids := make([]int64, len(f.Symbols))
	for i := range f.Symbols {
		k := key{f.Symbols[i].Path, f.Symbols[i].Kind}
		ids[i] = SymbolID(root, f.Path, k.path, k.kind, seen[k])
		seen[k]++
	}
	return ids
}

// room is memory for the rows of a file and what they are made of, which is used
// for the next file again.
type room struct {
	made  store.CodeMade
	edges []resolve.Edge
	loose []resolve.Loose
	links []resolve.Link
	files []string // that imports reach
}

// made gathers the rows of a file. They hold until it is called again.
func (s *solver) made(facts *code.File) store.CodeMade {
	old := &s.room.made
	m := store.CodeMade{
		Symbols: old.Symbols[:0], Edges: old.Edges[:0], Loose: old.Loose[:0], Inherits: old.Inherits[:0], Imports: old.Imports[:0],
	}
	s.symbols(&m, facts)
	s.calls(&m, facts)
	s.links(&m, facts)
	m.Hash = sumOf(&m)
	s.room.made = m
	return m
}

func (s *solver) symbols(m *store.CodeMade, f *code.File) {
	ids := s.ids[f.Path]
	m.Symbols = slices.Grow(m.Symbols, len(f.Symbols))
	for i := range f.Symbols {
		x := &f.Symbols[i]
		row := store.CodeSymbol{
			ID: ids[i], Index: int32(i), Name: x.Name, Folded: strings.ToLower(x.Name), Path: x.Path,
			Qualified: s.project.Name(f.Path, int32(i)), Kind: string(x.Kind), Signature: x.Signature, Doc: x.Doc,
			Line: x.Line, EndLine: x.EndLine, Exported: x.Exported, Body: x.Body,
		}
		if x.Parent != code.None {
			row.Parent = ids[x.Parent]
		}
		m.Symbols = append(m.Symbols, row)
	}
}

// id is that of a symbol, 0 for a file's own code or what is not there.
func (s *solver) id(r resolve.Ref) int64 {
	ids := s.ids[r.File]
	if r.Symbol < 0 || int(r.Symbol) >= len(ids) {
		return 0
	}
	return ids[r.Symbol]
}

func (s *solver) calls(m *store.CodeMade, f *code.File) {
	callOf := func(i int32) (c code.Call) {
		if i >= 0 && int(i) < len(f.Calls) {
			c = f.Calls[i]
		}
		return c
	}
	edges, loose := s.project.AppendEdges(s.room.edges[:0], f.Path), s.project.AppendLoose(s.room.loose[:0], f.Path)
	s.room.edges, s.room.loose = edges, loose
	m.Edges, m.Loose = slices.Grow(m.Edges, len(edges)), slices.Grow(m.Loose, len(loose))
	for _, e := range edges {
		to := s.id(e.To)
		if to == 0 {
			continue // a file's own code cannot be called
		}
		m.Edges = append(m.Edges, store.CodeEdge{
			Src: s.id(e.From), Dst: to, Line: e.Line, Rule: e.Rule.String(), Confidence: e.Confidence, Kind: string(callOf(e.Call).Kind),
		})
	}
	for _, l := range loose {
		c := callOf(l.Call)
		m.Loose = append(m.Loose, store.CodeLoose{Src: s.id(l.From), Name: c.Name, Target: l.Name, External: l.External, Line: l.Line, Kind: string(c.Kind)})
	}
}

func (s *solver) links(m *store.CodeMade, f *code.File) {
	for _, b := range s.project.Bases(f.Path) {
		if sub := s.id(b.Sub); sub != 0 {
			m.Inherits = append(m.Inherits, store.CodeInherit{Sub: sub, Super: s.id(b.Super), Text: b.Text, Kind: string(b.Kind)})
		}
	}
	links := s.project.AppendImports(s.room.links[:0], f.Path)
	s.room.links, s.room.files = links, s.room.files[:0]
	for len(links) > 0 { // one import after the other
		n := 1
		for n < len(links) && links[n].Import == links[0].Import {
			n++
		}
		if at := links[0].Import; at >= 0 && int(at) < len(f.Imports) {
			i := &f.Imports[at]
			next := store.CodeImport{Line: i.Line, Module: written(f, i), Name: i.Name, Alias: i.Alias, External: links[0].External, Targets: s.reached(links[:n])}
			if links[0].File == "" && i.Level > 0 {
				next.External = next.Module
			}
			m.Imports = append(m.Imports, next)
		}
		links = links[n:]
	}
}

// reached are the files that the links of one import reach.
func (s *solver) reached(links []resolve.Link) []string {
	from := len(s.room.files)
	for _, l := range links {
		if l.File != "" {
			s.room.files = append(s.room.files, l.File)
		}
	}
	return slices.Clip(s.room.files[from:])
}

// written is the module of an import as its file names it: one of Python that
// counts from where it stands begins with dots.
func written(f *code.File, i *code.Import) string {
	if f.Lang != syntax.Python {
		return i.Module
	}
	return strings.Repeat(".", i.Level) + i.Module
}

// sumOf hashes rows, so that those that are stored already are not written
// again.
func sumOf(m *store.CodeMade) int64 {
	s := sumStart
	for i := range m.Symbols {
		x := &m.Symbols[i]
		s.add(x.ID, int64(x.Index), int64(x.Line), int64(x.EndLine), x.Parent, int64(x.Body), flag(x.Exported))
		s.texts(x.Name, x.Path, x.Qualified, x.Kind, x.Signature, x.Doc)
	}
	for _, x := range m.Edges {
		s.add(1, x.Src, x.Dst, int64(x.Line), int64(math.Float64bits(x.Confidence)))
		s.texts(x.Rule, x.Kind)
	}
	for _, x := range m.Loose {
		s.add(2, x.Src, int64(x.Line), flag(x.External))
		s.texts(x.Name, x.Target, x.Kind)
	}
	for _, x := range m.Inherits {
		s.add(3, x.Sub, x.Super)
		s.texts(x.Text, x.Kind)
	}
	for _, x := range m.Imports {
		s.add(4, int64(x.Line))
		s.texts(x.Module, x.Name, x.Alias, x.External)
		s.texts(x.Targets...)
	}
	if v := int64(s); v != store.MadeNever && v != store.MadeStale {
		return v
	}
	return 1
}

// sum is an FNV-1a of 64 bits, which takes texts as they are.
type sum uint64

const (
	sumStart sum = 14695981039346656037
	sumPrime sum = 1099511628211
)

func (s *sum) add(numbers ...int64) {
	h := *s
	for _, n := range numbers {
		for range 8 {
			h = (h ^ sum(byte(n))) * sumPrime
			n >>= 8
		}
	}
	*s = h
}

// texts takes texts with a zero byte after each.
func (s *sum) texts(texts ...string) {
	h := *s
	for _, t := range texts {
		for i := range len(t) {
			h = (h ^ sum(t[i])) * sumPrime
		}
		h *= sumPrime
	}
	*s = h
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
