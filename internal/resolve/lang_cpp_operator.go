package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// cppArrowSign marks members that are named behind an arrow.
const cppArrowSign = "->"

// cppOperator begins the names of functions that operators stand for.
const cppOperator = "operator"

// cppIsOperation says that a call is one that an operator stands for.
func cppIsOperation(f *file, e *code.Expr) bool {
	return e.Kind == code.CallExpr && e.X > 0 && f.Exprs[e.X].Kind == code.MemberExpr && strings.HasPrefix(f.Exprs[e.X].Name, cppOperator) && e.Name == f.Exprs[e.X].Name
}

// cppOperated are the functions that an operation runs: members of its left
// side, or functions beside the type of either side that take both.
func (r *run) cppOperated(f *file, e *code.Expr) []value {
	name := f.Exprs[e.X].Name
	sides := [][]value{r.expr(f, f.Exprs[e.X].X)}
	for _, a := range e.Args {
		sides = append(sides, r.expr(f, a))
	}
	ours := func(v value) bool { return v.kind == anInst && len(r.p.symbols[v.key]) > 0 }
	if !slices.ContainsFunc(sides, func(vs []value) bool { return slices.ContainsFunc(vs, ours) }) {
		return nil
	}
	var out []value
	for _, x := range sides[0] {
		if ours(x) {
			out = add(out, functionsOf(r.instMember(x, name))...)
		}
	}
	if out = takingAsMany(out, len(e.Args)); len(out) > 0 {
		return out
	}
	var free []value
	for _, vs := range sides {
		for _, x := range vs {
			if ours(x) {
				for _, s := range r.own(x.key, name) { // a friend that is written in the class
					free = add(free, value{kind: aFunc, fn: s})
				}
				free = add(free, r.cppIn(f, strings.TrimPrefix(parentKey(x.key), "cpp:"), name)...)
			}
		}
	}
	for _, v := range add(functionsOf(free), functionsOf(r.lookup(f, e.Scope, name, e.At))...) {
		if r.cppTakesSides(v.fn, sides) {
			v.rule = ByPackage
			out = add(out, v)
		}
	}
	return out
}

// takingAsMany keeps the members that an operator can mean: + of one value is
// not that of two. ++ behind a value has a parameter that nobody gives.
func takingAsMany(members []value, args int) []value {
	return slices.DeleteFunc(members, func(v value) bool {
		n := len(v.fn.sym().Params)
		name := v.fn.sym().Name
		return n != args && name != "operator++" && name != "operator--" && name != "operator()" && name != "operator[]"
	})
}

// cppTakesSides says that a function has a parameter for each side, one of which
// is surely of its type and none of another.
func (r *run) cppTakesSides(fn id, sides [][]value) bool {
	params := fn.sym().Params
	if len(params) != len(sides) {
		return false
	}
	fits := false
	for i, p := range params {
		want := r.typeText(fn.f, r.inner(fn), p.Type)
		if len(want) == 0 || want[0].kind != anInst {
			continue
		}
		for _, have := range sides[i] {
			switch {
			case have.kind == anInst && (have.key == want[0].key || slices.Contains(r.linear(have.key), want[0].key)):
				fits = true
			case have.kind == anInst || have.kind == aForeignI:
				return false
			}
		}
	}
	return fits
}

// cppOperation is what an operation gives. What is pointed to is as good as the
// pointer.
func (r *run) cppOperation(f *file, e *code.Expr) []value {
	fns := r.cppOperated(f, e)
	if name := f.Exprs[e.X].Name; len(fns) == 0 && len(e.Args) == 0 && (name == "operator*" || name == "operator++" || name == "operator--") {
		return r.expr(f, f.Exprs[e.X].X)
	}
	var out []value
	for _, v := range fns {
		out = add(out, r.resultOf(f, e, v)...)
	}
	return out
}

// cppArrow is a member of what a type's own operator gives, where it has none of
// that name itself.
func (r *run) cppArrow(f *file, e *code.Expr) []value {
	var out []value
	if e.X <= 0 {
		return nil
	}
	for _, x := range r.expr(f, e.X) {
		if x.kind != anInst || e.Text != cppArrowSign && len(r.member(x.key, e.Name)) > 0 {
			continue
		}
		for _, s := range r.member(x.key, "operator->") {
			for _, to := range r.resultOf(f, e, value{kind: aFunc, fn: s, args: r.argsAt(x, s)}) {
				if to.kind == anInst && to.key != x.key {
					out = add(out, r.memberOf(f, to, e.Name)...)
				}
			}
		}
	}
	return out
}

// cppBroughtIn is what a using-declaration of a namespace, in a file that is
// included, gives under a name.
func (r *run) cppBroughtIn(f *file, space, name string) []value {
	for _, u := range r.cppState().usings[join(space, name)] {
		if space == "" || u.f == f || !r.cppClosure(f)[u.f] {
			continue
		}
		if vs, ok := cppBrings(r, u.f, u.imp); ok && known(vs) {
			return vs
		}
	}
	return nil
}

// cppCopies says that an instance is made of another of the same type, which
// runs no constructor that is written.
func (r *run) cppCopies(f *file, e *code.Expr, class value) bool {
	if len(e.Args) != 1 {
		return false
	}
	same := slices.ContainsFunc(r.expr(f, e.Args[0]), func(v value) bool { return v.kind == anInst && v.key == class.key })
	if !same {
		return false
	}
	written := r.own(class.key, lastName(class.key))
	return len(written) > 0 && !slices.ContainsFunc(written, func(s id) bool { return len(s.sym().Params) == 1 })
}
