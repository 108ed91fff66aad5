package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// extensionResult is what a generic extension method gives: its names stand for
// what the instance and the arguments say.
func (r *run) extensionResult(f *file, e *code.Expr) []value {
	var out []value
	for _, v := range r.expr(f, e.X) {
		if v.kind != aFunc || len(v.fn.sym().TypeParams) == 0 || csharpSkips(r, f, e, v.fn) == 0 {
			continue
		}
		sym, known := v.fn.sym(), env{}
		r.learn(known, sym.TypeParams, r.parsed(v.fn.f, sym.Params[0].Type), r.expr(f, f.Exprs[e.X].X))
		for i, a := range e.Args {
			if n := r.paramOf(sym, e, i, 1); n > 0 && a > 0 {
				r.learn(known, sym.TypeParams, r.parsed(v.fn.f, sym.Params[n].Type), r.expr(f, a))
			}
		}
		if len(known) > 0 && sym.Returns != "" {
			out = add(out, r.typeIn(v.fn.f, r.inner(v.fn), r.parsed(v.fn.f, sym.Returns), known)...)
		}
	}
	return out
}

// extensions are the methods of the name that extend the type of a value.
func (r *run) extensions(f *file, x value, name string) []value {
	var out []value
	for _, s := range r.p.byName[name] {
		sym := s.sym()
		if s.f.family != f.family || !sym.Static || len(sym.Params) == 0 || !strings.HasPrefix(sym.Params[0].Type, "this ") {
			continue
		}
		node := r.parsed(s.f, sym.Params[0].Type)
		if slices.Contains(sym.TypeParams, node.name) || r.isExtended(s, node, x) {
			out = add(out, value{kind: aFunc, fn: s, rule: ByReceiver})
		}
	}
	return out
}

// isExtended says that a value is of the type that an extension method is for.
func (r *run) isExtended(s id, node typeNode, x value) bool {
	for _, want := range r.typeIn(s.f, r.inner(s), node, nil) {
		switch {
		case want.kind == anInst && x.kind == anInst:
			if x.key == want.key || slices.Contains(r.linear(x.key), want.key) {
				return true
			}
		case want.kind == aForeignI && x.kind == aForeignI:
			have, name := lastName(x.key), lastName(want.key)
			if csharpAlias(have) == csharpAlias(name) || name == "object" || csharpSequences[name] && (csharpSequences[have] || have == listKey) {
				return true
			}
		case want.kind == aForeignI && x.kind == aColl:
			return csharpSequences[lastName(want.key)] || want.key == listKey
		}
	}
	return false
}

// csharpSkips: the instance is the first argument of an extension method.
func csharpSkips(r *run, f *file, e *code.Expr, fn id) int {
	sym := fn.sym()
	if e.X <= 0 || f.Exprs[e.X].Kind != code.MemberExpr || len(sym.Params) == 0 || !strings.HasPrefix(sym.Params[0].Type, "this ") {
		return 0
	}
	for _, x := range r.expr(f, f.Exprs[e.X].X) {
		if x.kind == aType || x.kind == aModule {
			return 0
		}
	}
	return 1
}
