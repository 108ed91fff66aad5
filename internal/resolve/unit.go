package resolve

import (
	"chitta/internal/code"
)

// inUnit looks a name up in the file's own package and those around it.
func (r *run) inUnit(f *file, name string) []value {
	if !f.lang.sharesUnit {
		return nil
	}
	out := r.ofUnit(f, f.unitKey, name)
	if len(out) > 0 || f.lang.around == nil {
		return out
	}
	for _, u := range f.lang.around(f.unit) {
		if out := r.ofUnit(f, f.family+":"+u, name); len(out) > 0 {
			return out
		}
	}
	return nil
}

// ofUnit looks a name up in one package, by its key.
func (r *run) ofUnit(f *file, unit, name string) []value {
	var out []value
	for _, s := range r.p.under(unit, name) {
		if parent := s.sym().Parent; s.f != f && (parent == code.None || s.f.Symbols[parent].Kind == code.Module) || s.f == f {
			if f.lang.private && s.f != f && !s.sym().Exported {
				continue
			}
			out = add(out, r.symbolValue(s, ByPackage)...)
		}
	}
	return out
}

// wildcards looks a name up in the modules that are imported whole, in the file
// or a scope around.
func (r *run) wildcards(f *file, scope int32, name string) []value {
	for i := range f.Imports {
		imp := &f.Imports[i]
		if imp.Name != "*" || imp.Alias != "" || f.lang.opens != nil && !f.lang.opens(r, f, imp) || !f.encloses(imp.Scope, scope) {
			continue
		}
		if vs := f.lang.opened(r, f, imp, name); len(vs) > 0 {
			return vs
		}
	}
	return nil
}

// encloses says that a scope is another or stands around it.
func (f *file) encloses(outer, inner int32) bool {
	for ; inner != code.None; inner = f.Scopes[inner].Parent {
		if inner == outer {
			return true
		}
	}
	return false
}

// exported is what a module offers under a name, re-exports followed.
func (r *run) exported(unit, name string) []value {
	at := join(unit, name)
	if vs, ok := r.offers[at]; ok {
		return vs
	}
	if r.opening[at] {
		return nil // modules that re-export each other
	}
	r.opening[at] = true
	out := r.offered(unit, name)
	delete(r.opening, at)
	if len(r.opening) == 0 && len(r.binding) == 0 && len(r.inCall) == 0 || len(out) > 0 {
		r.offers[at] = out // an empty answer within a circle may be another outside of it
	}
	return out
}

func (r *run) offered(unit, name string) []value {
	var out []value
	symbols := r.p.under(unit, name)
	if len(symbols) > 1 && symbols[0].f.lang.lastDefinition { // what the name means at the end of the file
		if vs, ok := r.inScope(symbols[0].f, 0, name, ^uint32(0), false); ok && len(vs) > 0 {
			return vs
		}
	}
	for _, s := range symbols {
		if s.f.lang.exportedOnly && !s.sym().Exported {
			continue
		}
		out = add(out, r.symbolValue(s, ByQualified)...)
	}
	files := r.p.units[unit]
	for _, f := range files {
		for i := range f.Exports {
			if f.Exports[i].Name == name {
				out = add(out, r.expr(f, f.Exports[i].Expr)...)
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, f := range files {
		if out = r.reexported(f, name); len(out) > 0 {
			return out
		}
	}
	for _, s := range r.p.symbols[unit] { // a module within a file
		if s.f.lang.scopedImports && s.sym().Kind == code.Module {
			if out = r.reexportedIn(s.f, s.sym().Scope, name); len(out) > 0 {
				return out
			}
		}
	}
	for _, f := range files {
		if f.lang.submodule != nil {
			return f.lang.submodule(r, unit, name)
		}
	}
	if _, ok := r.p.units[join(unit, name)]; ok {
		return []value{{kind: aModule, key: join(unit, name)}}
	}
	return nil
}

// reexported is what a file offers of what it imports.
func (r *run) reexported(f *file, name string) []value { return r.reexportedIn(f, 0, name) }

// reexportedIn is the same of a module within a file, by its scope.
func (r *run) reexportedIn(f *file, scope int32, name string) []value {
	for i := range f.Imports {
		imp := &f.Imports[i]
		if !imp.Reexport && !f.lang.importsAreExports || f.lang.scopedImports && imp.Scope != scope {
			continue
		}
		var out []value
		switch {
		case imp.Alias == name:
			out = f.lang.imported(r, f, imp)
		case imp.Name == "*" && imp.Alias == "":
			for _, t := range f.lang.targets(r, f, imp) {
				out = add(out, r.exported(t.family+":"+t.unit, name)...)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}
