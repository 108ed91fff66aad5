package resolve

import "chitta/internal/code"

// countedOn is this.name where a class has no such member and counts on those
// below to have it.
func (r *run) countedOn(f *file, e *code.Expr) []value {
	var out []value
	for _, v := range r.self(f, e.Scope) {
		if v.kind != anInst || v.exact {
			continue
		}
		for _, k := range r.below(v.key) {
			for _, s := range r.member(k, e.Name) {
				if s.sym().Kind.Callable() && !s.sym().Abstract {
					out = add(out, value{kind: aFunc, fn: s, rule: ByImplementor})
				}
			}
		}
	}
	if len(out) > maxValues {
		return nil
	}
	return out
}

// further is super.name where the nearest base does not have it: of a class made
// by a mixin only the class that uses it knows what comes next.
func (r *run) further(f *file, e *code.Expr) []value {
	var out []value
	for _, v := range r.self(f, e.Scope) {
		if v.kind != anInst && v.kind != aType {
			continue
		}
		for _, k := range r.linear(v.key)[1:] {
			if ids := r.own(k, e.Name); len(ids) > 0 {
				for _, s := range ids {
					out = add(out, r.symbolValue(s, BySelf)...)
				}
				break
			}
		}
	}
	return out
}

// scriptMoreBases: a class made by a function that is given a class extends
// that, as mixins do.
func scriptMoreBases(r *run, f *file, h *code.Inherit) []value {
	return r.mixedIn(f, h.Expr, 0)
}

// maxMixins bounds how many mixins are taken one into another.
const maxMixins = 8

// mixedIn are the classes that calls of mixins are given: A(B(Base)), or a name
// that is set to that.
func (r *run) mixedIn(f *file, i int32, depth int) []value {
	if i <= 0 || depth > maxMixins {
		return nil
	}
	var out []value
	switch e := &f.Exprs[i]; e.Kind {
	case code.CallExpr:
		for _, a := range e.Args {
			for _, v := range r.expr(f, a) {
				if v.kind == aType {
					out = add(out, v)
				}
			}
			out = add(out, r.mixedIn(f, a, depth+1)...)
		}
	case code.NameExpr:
		for s := e.Scope; s != code.None; s = f.Scopes[s].Parent {
			list := f.named(s, e.Name)
			if len(list) == 0 {
				continue
			}
			b := &f.Scopes[s].Bindings[list[0]]
			set := b.Value
			if b.Kind == code.Defines {
				set = f.Symbols[b.Ref].Value
			}
			if len(list) == 1 && set > 0 && f.Exprs[set].Kind == code.CallExpr {
				return r.mixedIn(f, set, depth+1)
			}
			break
		}
	}
	return out
}
