package resolve

import (
	"slices"

	"chitta/internal/code"
)

// A template's parameter has no type but that of what it is used with, so what
// calls hand to it counts: values to parameters of such a type, and types that
// are written out (f<T>(), A<T> a).

// cppPasses notes what a call hands to the templates that it calls.
func cppPasses(r *run, f *file, e *code.Expr, vs []value) {
	for _, v := range vs {
		switch v.kind {
		case aFunc:
			fns := []id{v.fn}
			if v.fn.sym().Abstract {
				fns = append(fns, cppBodies(r, v.fn)...)
			}
			for _, fn := range fns {
				r.cppPassValues(f, e, fn)
				r.cppPassTypes(f, e, fn)
			}
		case aType:
			for _, s := range r.p.symbols[v.key] {
				r.cppPassTypes(f, e, s)
			}
		}
	}
}

// cppPassValues hands instances to parameters whose type is the template's.
func (r *run) cppPassValues(f *file, e *code.Expr, fn id) {
	sym := fn.sym()
	if len(sym.TypeParams) == 0 {
		return
	}
	for i, a := range e.Args {
		param := r.paramOf(sym, e, i, 0)
		if param < 0 || !slices.Contains(sym.TypeParams, r.parsed(fn.f, sym.Params[param].Type).name) {
			continue
		}
		for _, v := range r.expr(f, a) {
			if v.kind == anInst {
				r.passed = append(r.passed, passing{flowTo{fn.f.Path, sym.Path, int32(param)}, v})
			}
		}
	}
}

// cppPassTypes hands the types that are written with a template to it.
func (r *run) cppPassTypes(f *file, e *code.Expr, to id) {
	sym := to.sym()
	if len(sym.TypeParams) == 0 || e.X <= 0 || f.Exprs[e.X].Kind != code.IndexExpr {
		return
	}
	for i, a := range f.Exprs[e.X].Args {
		if i >= len(sym.TypeParams) {
			break
		}
		for _, v := range r.expr(f, a) {
			if v.kind == aType {
				r.passed = append(r.passed, passing{flowTo{to.f.Path, sym.Path, typeParam(i)}, v})
			}
		}
	}
}

// cppTypeArgument is an instance of what a template is used with.
func cppTypeArgument(r *run, f *file, scope int32, name string) []value {
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		sym := f.Scopes[s].Symbol
		if sym == code.None || f.Symbols[sym].Scope != s {
			continue
		}
		n := slices.Index(f.Symbols[sym].TypeParams, name)
		if n < 0 {
			continue
		}
		out := slices.Clone(r.p.flows.into(id{f, sym}, typeParam(n)))
		for i := range out {
			out[i].kind, out[i].rule = anInst, ByReceiver
		}
		return out
	}
	return nil
}
