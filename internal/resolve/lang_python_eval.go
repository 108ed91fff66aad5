package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// pythonSpecial works out what is peculiar to Python.
func pythonSpecial(r *run, f *file, e *code.Expr, i int32) ([]value, bool) {
	switch e.Kind {
	case code.MemberExpr:
		if e.X > 0 && f.Exprs[e.X].Kind == code.SuperExpr {
			return r.pythonSuper(f, e), true
		}
		return r.pythonMember(f, e)
	case code.IndexExpr:
		return r.pythonIndexed(f, e), true
	case code.CallExpr:
		return r.pythonCalled(f, e, i)
	case code.ConstExpr:
		if e.Name == "None" {
			return nil, true // nothing can be done with it
		}
		if e.Text != "" {
			return []value{{kind: aForeignI, key: "<builtin>." + e.Name, f: f, expr: i}}, true
		}
	}
	return nil, false
}

// pythonSuper is a member of what follows the class in the order of its own
// instances, or of those of classes below that have several bases.
func (r *run) pythonSuper(f *file, e *code.Expr) []value {
	var out []value
	for _, self := range r.self(f, e.Scope) {
		found := r.pythonAfter(self.key, self.key, e.Name)
		for _, k := range r.below(self.key) {
			if len(r.bases(k)) > 1 || len(r.linear(k)) > len(r.linear(self.key))+1 {
				found = append(found, r.pythonAfter(k, self.key, e.Name)...)
			}
		}
		for _, s := range found {
			out = add(out, value{kind: aFunc, fn: s, rule: BySelf})
		}
		if len(out) == 0 {
			out = append(out, r.pythonForeignBase(self.key, e.Name)...)
		}
	}
	return out
}

// pythonAfter finds a member in the order of a class, behind another.
func (r *run) pythonAfter(key, behind, name string) []id {
	order := r.linear(key)
	at := slices.Index(order, behind)
	for _, k := range order[at+1:] {
		if ids := r.own(k, name); len(ids) > 0 {
			return ids
		}
	}
	return nil
}

// pythonForeignBase is the member of the first outside class above a class.
func (r *run) pythonForeignBase(key, name string) []value {
	for _, k := range r.linear(key) {
		for _, b := range r.bases(k) {
			if b.kind == aForeign && b.key != "<builtin>.object" && !strings.HasPrefix(b.key, "typing.") && !strings.HasPrefix(b.key, "abc.") {
				return []value{{kind: aForeign, key: b.key + "." + name}}
			}
		}
	}
	return nil
}

// pythonMember adds to members those that are set from outside, and those of
// outside classes above.
func (r *run) pythonMember(f *file, e *code.Expr) ([]value, bool) {
	var out, outside []value
	for _, x := range r.expr(f, e.X) {
		vs := r.memberOf(f, x, e.Name)
		switch {
		case len(vs) > 0:
		case x.kind == anInst || x.kind == aType:
			if vs = r.pythonSet(f, x, e.Name); len(vs) == 0 && !x.exact {
				vs = r.pythonBelow(x.key, e.Name)
			}
			if len(vs) == 0 {
				outside = add(outside, r.pythonForeignBase(x.key, e.Name)...)
			}
		case x.kind == aModule || x.kind == aFunc:
			vs = r.pythonSet(f, x, e.Name)
		}
		if x.rule == BySelf {
			vs = selfRuled(vs)
		}
		out = add(out, vs...)
	}
	if len(out) == 0 {
		out = outside
	}
	return out, true
}

// pythonBelow is a member that a class does not have and counts on: of classes
// below that have it, from themselves or from their other bases.
func (r *run) pythonBelow(key, name string) []value {
	var out []value
	for _, k := range r.below(key) {
		for _, s := range r.member(k, name) {
			if s.sym().Kind.Callable() {
				out = add(out, value{kind: aFunc, fn: s, rule: ByImplementor})
			}
		}
	}
	if len(out) > maxValues {
		return nil
	}
	return out
}

// selfRuled marks functions as found on the enclosing type.
func selfRuled(vs []value) []value {
	out := slices.Clone(vs)
	for i := range out {
		if out[i].kind == aFunc && (out[i].rule == ByReceiver || out[i].rule == ByQualified) {
			out[i].rule = BySelf
		}
	}
	return out
}

// pythonSet is what an attribute is set to away from the class or module.
func (r *run) pythonSet(f *file, x value, name string) []value {
	list := r.settingsOf(f.family, name)
	if len(list) > maxSettings {
		return nil
	}
	var out []value
	for _, set := range list {
		if set.literal > 0 {
			continue
		}
		b := &set.f.Scopes[set.scope].Bindings[set.binding]
		path := strings.Split(b.Name, ".")
		for _, at := range r.placeOf(set.f, set.scope, path[:len(path)-1], b.At) {
			same := at.kind == x.kind && at.key == x.key && at.fn == x.fn
			if same || x.kind == anInst && (at.kind == anInst || at.kind == aType) && slices.Contains(r.linear(x.key), at.key) {
				out = add(out, r.bindingValue(set.f, set.scope, set.binding, ByValue)...)
			}
		}
	}
	return out
}

// pythonCalled is what calls give whose meaning is built in.
func (r *run) pythonCalled(f *file, e *code.Expr, i int32) ([]value, bool) {
	if e.Name == "__enter__" || e.Name == "__aenter__" || e.Name == "__iter__" {
		return r.pythonEntered(f, e), true
	}
	for _, v := range r.expr(f, e.X) {
		if v.kind != aForeign {
			continue
		}
		if vs, ok := r.pythonBuiltin(f, e, i, v); ok {
			return vs, true
		}
	}
	return nil, false
}

// pythonEntered is what __enter__ gives: of a generator that is made a context,
// what it yields.
func (r *run) pythonEntered(f *file, e *code.Expr) []value {
	var out []value
	if e.X <= 0 || f.Exprs[e.X].Kind != code.MemberExpr {
		return nil
	}
	for _, x := range r.expr(f, f.Exprs[e.X].X) {
		switch {
		case x.kind == aSeq && e.Name != "__iter__":
			out = add(out, r.elements([]value{x})...)
		case x.kind == aSeq || x.kind == aColl:
			out = add(out, x)
		case x.kind == anInst:
			for _, s := range r.member(x.key, e.Name) {
				out = add(out, r.resultOf(f, e, value{kind: aFunc, fn: s})...)
			}
		case x.kind == aForeignI && x.args != nil && e.Name != "__iter__":
			out = add(out, r.elements([]value{x})...)
		}
	}
	return out
}
