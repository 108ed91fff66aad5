package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// rubyIndexed is what x[k] gives where that is a method of the project.
func (r *run) rubyIndexed(f *file, e *code.Expr) []value {
	if e.Name == "" && len(e.Args) == 0 { // any element
		return nil
	}
	var out []value
	for _, x := range r.expr(f, e.X) {
		if x.kind != anInst && x.kind != aType {
			continue
		}
		vs, _ := r.rubyMethods(x, "[]")
		if len(vs) == 0 && x.kind == aType { // of a Struct: a new one
			out = add(out, value{kind: anInst, key: x.key, exact: true, rule: ByReceiver})
		}
		for _, v := range vs {
			if v.kind == aFunc {
				out = add(out, r.result(v.fn)...)
			}
		}
	}
	return out
}

// rubyRanged is a parameter of a block that takes elements apart: those of a hash
// are a key and a value.
func rubyRanged(r *run, xs []value, n int) []value {
	var out []value
	for _, x := range xs {
		switch {
		case x.kind != aColl || x.f.Exprs[x.expr].Kind != code.DictExpr:
			out = add(out, r.part(r.elements([]value{x}), n)...)
		case n == 2:
			out = add(out, r.elements([]value{x})...)
		}
	}
	return out
}

// rubyVariable is what an instance variable holds, wherever it is set.
func (r *run) rubyVariable(x value, name string) []value {
	if x.kind != anInst && x.kind != aType {
		return nil
	}
	var out []value
	types := r.linear(x.key)
	if !x.exact {
		types = append(slices.Clone(types), r.implementors(x.key)...)
	}
	for _, k := range types {
		for _, s := range r.p.symbols[join(k, name)] {
			out = add(out, byValue(r.fieldValue(s))...)
		}
	}
	return out
}

// rubyAssigned adds all that a field is set to anywhere.
func rubyAssigned(r *run, s id, declared []value) []value {
	switch s.sym().Kind {
	case code.Field:
	case code.Constant: // what is put into a collection
		if len(declared) != 0 && declared[0].kind != aColl {
			return declared
		}
	default:
		return declared
	}
	return add(slices.Clone(declared), r.given(s)...)
}

// rubyAttribute is what reading an attribute gives; false if there is none.
func (r *run) rubyAttribute(x value, name string) ([]value, bool) {
	if x.kind != anInst && x.kind != aType {
		return nil, false
	}
	found := r.rubyInstance(r.linear(x.key), name)
	if x.kind == aType {
		found = r.rubySingleton(x.key, name, 0)
	}
	for _, s := range found {
		sym := s.sym()
		if sym.Kind != code.Field {
			continue
		}
		if sym.Value <= 0 {
			return r.rubyStructField(s), true
		}
		if e := &s.f.Exprs[sym.Value]; e.Kind == code.MemberExpr && strings.HasPrefix(e.Name, "@") {
			return add(slices.Clone(r.rubyVariable(x, e.Name)), r.p.flows.into(s, 0)...), true
		}
	}
	return nil, false
}

// rubyStructField is what instances of a Struct are made with.
func (r *run) rubyStructField(s id) []value {
	p := s.sym().Parent
	if p == code.None {
		return nil
	}
	for i, param := range s.f.Symbols[p].Params {
		if param.Name == s.sym().Name {
			return r.p.flows.into(id{s.f, p}, int32(i))
		}
	}
	return nil
}
