package resolve

import (
	"slices"

	"chitta/internal/code"
)

// pythonOwn is what cls(), type(self)() and self.__class__() give: an instance
// of the class or of one below.
func (r *run) pythonOwn(f *file, e *code.Expr) []value {
	if e.X <= 0 {
		return nil
	}
	switch x := &f.Exprs[e.X]; x.Kind {
	case code.NameExpr:
		list := f.named(f.functionAround(e.Scope), x.Name)
		if len(list) != 1 || f.Scopes[f.functionAround(e.Scope)].Bindings[list[0]].Kind != code.Receiver {
			return nil
		}
	case code.CallExpr:
		if x.Name != "type" || len(x.Args) != 1 {
			return nil
		}
	case code.MemberExpr:
		if x.Name != "__class__" {
			return nil
		}
	default:
		return nil
	}
	var out []value
	for _, v := range r.expr(f, e.X) {
		if v.kind != aType {
			return nil
		}
		out = add(out, value{kind: anInst, key: v.key, exact: v.exact, args: v.args, rule: ByReceiver})
	}
	return out
}

// functionAround is the scope of the function, class or file around a scope.
func (f *file) functionAround(scope int32) int32 {
	for scope > 0 && f.Scopes[scope].Kind == code.BlockScope {
		scope = f.Scopes[scope].Parent
	}
	return scope
}

// pythonMade is what a method of a class gives that makes an instance of the
// class that it is called on: of one below where it is called on that.
func (r *run) pythonMade(f *file, e *code.Expr) []value {
	if e.X <= 0 || f.Exprs[e.X].Kind != code.MemberExpr {
		return nil
	}
	on := f.Exprs[e.X].X
	if f.Exprs[e.X].Name == "__new__" && len(e.Args) > 0 {
		return instances(r.expr(f, e.Args[0]))
	}
	var out []value
	for _, v := range r.expr(f, e.X) {
		if v.kind != aFunc || !v.fn.sym().Static || v.fn.sym().Returns != "" || !r.pythonMakes(v.fn) {
			return nil
		}
		class := parentKey(v.fn.f.keys[v.fn.i])
		for _, x := range r.expr(f, on) {
			if (x.kind == aType || x.kind == anInst) && slices.Contains(r.linear(x.key), class) {
				out = add(out, value{kind: anInst, key: x.key, exact: true, rule: ByReceiver})
			}
		}
	}
	return out
}

// pythonMakes says that all that a function gives is a new instance of its
// receiver.
func (r *run) pythonMakes(s id) bool {
	sym := s.sym()
	for _, i := range sym.Results {
		if i > 0 && s.f.Exprs[i].Kind == code.NameExpr { // made before
			list := s.f.named(sym.Scope, s.f.Exprs[i].Name)
			if len(list) != 1 {
				return false
			}
			i = s.f.Scopes[sym.Scope].Bindings[list[0]].Value
		}
		if i <= 0 || s.f.Exprs[i].Kind != code.CallExpr {
			return false
		}
		x := s.f.Exprs[i].X
		if x > 0 && s.f.Exprs[x].Kind == code.MemberExpr && r.pythonAbove(s, x) {
			continue
		}
		if x <= 0 || s.f.Exprs[x].Kind != code.NameExpr {
			return false
		}
		list := s.f.named(sym.Scope, s.f.Exprs[x].Name)
		if len(list) != 1 || s.f.Scopes[sym.Scope].Bindings[list[0]].Kind != code.Receiver {
			return false
		}
	}
	return len(sym.Results) > 0
}

// pythonAbove says that a method that is called on super makes an instance of
// the receiver.
func (r *run) pythonAbove(s id, member int32) bool {
	e := &s.f.Exprs[member]
	if e.X <= 0 || s.f.Exprs[e.X].Kind != code.SuperExpr || r.depth > maxDepth {
		return false
	}
	r.depth++
	defer func() { r.depth-- }()
	vs := r.expr(s.f, member)
	for _, v := range vs {
		if v.kind != aFunc || v.fn == s || !r.pythonMakes(v.fn) {
			return false
		}
	}
	return len(vs) > 0
}
