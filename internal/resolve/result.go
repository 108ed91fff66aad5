package resolve

import (
	"slices"

	"chitta/internal/code"
)

// resultOf is what calling a function gives, at a place where its arguments are
// known.
func (r *run) resultOf(f *file, e *code.Expr, v value) []value {
	sym := v.fn.sym()
	if sym.Kind == code.Constructor {
		return []value{{kind: anInst, key: parentKey(v.fn.f.keys[v.fn.i]), exact: true, rule: ByReceiver}}
	}
	if slices.Contains(v.fn.f.lang.selfTypes, sym.Returns) { // what it is called on
		if vs := (argument{f: f, e: e}).on(r, v.fn); len(vs) > 0 {
			return vs
		}
	}
	if sym.Kind.Type() { // a type that is used as its constructor
		return []value{{kind: anInst, key: v.fn.f.keys[v.fn.i], exact: true, rule: ByReceiver}}
	}
	if sym.Returns != "" {
		if vs := r.genericResult(f, e, v); len(vs) > 0 {
			if f.lang.narrow != nil {
				return f.lang.narrow(r, vs, r.bodyGives(v.fn))
			}
			if f.lang.yields != nil && r.anyFunction(v.fn, vs) {
				return add(slices.Clone(vs), functionsOf(r.bodyGives(v.fn))...)
			}
			if f.lang.functional != nil && !known(vs) && r.anyFunction(v.fn, vs) {
				return add(slices.Clone(vs), functionsOf(r.result(v.fn))...)
			}
			noColl := func(v value) bool { return v.kind != aForeignI }
			if f.lang.dynamic && r.anyFunction(v.fn, vs) && !known(r.elements(slices.DeleteFunc(slices.Clone(vs), noColl))) {
				return add(slices.Clone(vs), r.bodyGives(v.fn)...)
			}
			return vs
		}
		if f.lang.narrow != nil {
			return f.lang.narrow(r, r.result(v.fn), r.bodyGives(v.fn))
		}
	}
	if f.lang.dynamic {
		return r.resultWith(v.fn, r.arguments(f, e, v.fn))
	}
	return r.result(v.fn)
}

// bodyGives is what a function's body returns, whatever it declares; nothing if
// part of that is not known.
func (r *run) bodyGives(s id) []value {
	if r.inCall.has(s) || r.depth > maxDepth || s.sym().Yields {
		return nil
	}
	r.inCall.add(s)
	defer r.inCall.done()
	var out []value
	for _, e := range s.sym().Results {
		vs := r.expr(s.f, e)
		if len(vs) == 0 || r.isParameter(s.f, e) {
			return nil
		}
		out = add(out, vs...)
	}
	return out
}

// isParameter says that an expression is what a call passes in: what that is
// differs from call to call.
func (r *run) isParameter(f *file, i int32) bool {
	e := &f.Exprs[i]
	switch e.Kind {
	case code.EitherExpr:
		return slices.ContainsFunc(e.Args, func(a int32) bool { return a > 0 && r.isParameter(f, a) })
	case code.DerefExpr, code.AssignExpr, code.TypedExpr:
		return e.X > 0 && r.isParameter(f, e.X)
	case code.NameExpr:
		for s := e.Scope; s != code.None; s = f.Scopes[s].Parent {
			for _, n := range f.named(s, e.Name) {
				if f.Scopes[s].Bindings[n].Kind == code.Takes {
					return true
				}
			}
		}
	}
	return false
}

// result is what a function gives, wherever it is called.
func (r *run) result(s id) []value {
	if vs, ok := r.results[s]; ok {
		return vs
	}
	if r.inCall.has(s) || r.depth > maxDepth {
		return nil
	}
	r.inCall.add(s)
	sym := s.sym()
	var out []value
	if sym.Returns != "" {
		out = r.typeText(s.f, r.inner(s), sym.Returns)
	}
	if sym.Yields && s.f.lang.sequences && len(out) == 0 {
		out = []value{{kind: aSeq, fn: s}}
	} else if len(out) == 0 || r.anyFunction(s, out) {
		for _, e := range sym.Results {
			out = add(out, r.expr(s.f, e)...)
		}
	}
	r.inCall.done()
	out = atMost(out)
	if len(r.inCall) == 0 || len(out) > 0 {
		r.results[s] = out
	}
	return out
}

// anyFunction says that a function's declared result is one of a type of
// functions, or has such a part: which one only its body says.
func (r *run) anyFunction(s id, declared []value) bool {
	for _, v := range declared {
		if v.kind == aFuncType {
			return true
		}
		if s.f.lang.functional != nil && s.f.lang.functional(r, v) {
			return true
		}
		if v.kind == aForeignI && v.args != nil && slices.ContainsFunc(v.args.nodes, func(n typeNode) bool { return n.name == funcKey }) {
			return true
		}
	}
	return false
}
