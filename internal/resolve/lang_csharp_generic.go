package resolve

import (
	"slices"

	"chitta/internal/code"
)

// csharpPasses notes the functions that a call puts into a collection, and the
// types that it writes out for generic names.
func csharpPasses(r *run, f *file, e *code.Expr, vs []value) {
	keep(csharpStores)(r, f, e, vs)
	text := e.Text
	if e.Kind == code.NewExpr && e.X <= 0 {
		text = e.Name
	}
	if text == "" {
		return
	}
	nodes := r.parsed(f, text).args
	if e.Kind != code.NewExpr {
		nodes = r.parsed(f, "_<"+text+">").args
	}
	for _, v := range vs {
		var to []id
		switch v.kind {
		case aFunc:
			to = []id{v.fn}
		case aType, anInst:
			to = r.p.symbols[v.key]
		}
		for _, s := range to {
			r.csharpPassTypes(f, e.Scope, nodes, s)
		}
	}
}

// csharpPassTypes hands types to the generic names of a method or type.
func (r *run) csharpPassTypes(f *file, scope int32, nodes []typeNode, to id) {
	sym := to.sym()
	for i, node := range nodes {
		if i >= len(sym.TypeParams) {
			return
		}
		for _, v := range r.typeIn(f, scope, node, nil) {
			if v.kind == anInst && !r.isInterface(v) {
				r.passed = append(r.passed, passing{flowTo{to.f.Path, sym.Path, typeParam(i)}, value{kind: aType, key: v.key}})
			}
		}
	}
}

// csharpTypeArgument are the types that a generic name stands for by what its
// method or type is used with: written out, or by what inherits from the type.
func csharpTypeArgument(r *run, f *file, scope int32, name string) []value {
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
		if f.Symbols[sym].Kind.Type() {
			key := f.keys[sym]
			for _, k := range r.below(key) {
				for _, b := range r.bases(k) {
					if b.key == key && b.args != nil && n < len(b.args.nodes) {
						for _, v := range r.typeIn(b.args.f, b.args.scope, b.args.nodes[n], b.args.env) {
							if v.kind == anInst && !r.isInterface(v) {
								out = add(out, value{kind: aType, key: v.key})
							}
						}
					}
				}
			}
		}
		if len(out) > maxValues {
			return nil
		}
		return ruled(out, ByConstructor)
	}
	return nil
}

// typeParam is the number under which types go to the n-th generic name of
// something.
func typeParam(n int) int32 { return int32(-1 - n) }

// isInterface says that a value is of, or is, an interface of the project.
func (r *run) isInterface(v value) bool {
	ids := r.p.symbols[v.key]
	return (v.kind == anInst || v.kind == aType) && len(ids) > 0 && ids[0].sym().Kind == code.Interface
}

// csharpDelegate is the function that a delegate is made of: new Handler(f). It
// is false where something else is made.
func (r *run) csharpDelegate(f *file, e *code.Expr) ([]value, bool) {
	if len(e.Args) != 1 || e.Args[0] <= 0 {
		return nil, false
	}
	declared := slices.Clone(r.newType(f, e))
	for i := range declared {
		switch declared[i].kind {
		case aType:
			declared[i].kind = anInst
		case aForeign:
			declared[i].kind = aForeignI
		}
	}
	if !slices.ContainsFunc(declared, r.isFunctionType) {
		return nil, false
	}
	fns := functionsOf(r.expr(f, e.Args[0]))
	if len(fns) == 0 {
		return declared, true
	}
	return narrowed(r, declared, fns), true
}

// csharpYields is what a call of a method gives that yields functions.
func (r *run) csharpYields(f *file, e *code.Expr, declared []value) ([]value, bool) {
	var out []value
	for _, v := range r.expr(f, e.X) {
		if v.kind == aFunc && v.fn.sym().Yields {
			out = append(out, value{kind: aSeq, fn: v.fn})
		}
	}
	if len(out) == 0 || !slices.ContainsFunc(declared, func(d value) bool { return r.ofFunctions(d, 0) }) {
		return nil, false
	}
	return out, true
}
