package resolve

import (
	"slices"

	"chitta/internal/code"
)

// What was found, file by file.

// Edges lists the calls of a file that have a target.
func (p *Project) Edges(path string) []Edge { return p.AppendEdges(nil, path) }

// AppendEdges adds them to a list, whose memory may so serve for many files.
func (p *Project) AppendEdges(to []Edge, path string) []Edge {
	f := p.files[path]
	if f == nil {
		return to
	}
	to = slices.Grow(to, len(f.edges))
	for _, e := range f.edges {
		c := &f.Calls[e.call]
		to = append(to, Edge{From: Ref{f.Path, c.Caller}, To: e.to, Call: e.call, Line: c.Line, Rule: e.rule, Confidence: confidence[e.rule]})
	}
	return to
}

// Loose lists the calls of a file that have none.
func (p *Project) Loose(path string) []Loose { return p.AppendLoose(nil, path) }

// AppendLoose adds them to a list.
func (p *Project) AppendLoose(to []Loose, path string) []Loose {
	f := p.files[path]
	if f == nil {
		return to
	}
	to = slices.Grow(to, len(f.loose))
	for _, l := range f.loose {
		c := &f.Calls[l.call]
		to = append(to, Loose{From: Ref{f.Path, c.Caller}, Call: l.call, Line: c.Line, Name: l.name, External: l.external})
	}
	return to
}

// Name is the name of a symbol with the package or module that it is in; of the
// file's own code, the name of the module.
func (p *Project) Name(path string, symbol int32) string {
	f := p.files[path]
	if f == nil {
		return ""
	}
	if symbol == code.None {
		return f.unit
	}
	return join(f.unit, f.Symbols[symbol].Path)
}

// Bases lists what the types of a file inherit from.
func (p *Project) Bases(path string) []Base {
	f, r := p.files[path], p.current()
	if f == nil {
		return nil
	}
	var out []Base
	for i := range f.Inherits {
		h := &f.Inherits[i]
		sub, ok := r.subOf(f, h)
		if !ok {
			continue
		}
		found, external := false, ""
		for _, v := range r.base(f, h) {
			if v.kind == aForeign {
				external = v.key
			}
			for _, t := range r.p.symbols[v.key] {
				out = append(out, Base{Sub: sub.ref(), Super: t.ref(), Text: h.Base, Kind: h.Kind})
				found = true
				break
			}
		}
		if !found {
			out = append(out, Base{Sub: sub.ref(), Text: h.Base, External: external, Kind: h.Kind})
		}
	}
	return out
}

// Imports lists what the imports of a file reach.
func (p *Project) Imports(path string) []Link { return p.AppendImports(nil, path) }

// AppendImports adds them to a list.
func (p *Project) AppendImports(to []Link, path string) []Link {
	f, r := p.files[path], p.current()
	if f == nil {
		return to
	}
	for i := range f.Imports {
		targets := f.lang.targets(r, f, &f.Imports[i])
		for _, t := range targets {
			if t != f {
				to = append(to, Link{Import: int32(i), File: t.Path})
			}
		}
		if len(targets) == 0 {
			to = append(to, Link{Import: int32(i), External: f.Imports[i].Module})
		}
	}
	return to
}
