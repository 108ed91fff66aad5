package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// pythonInstead are the methods that run where the left operand has not the one
// that its operator stands for: others of its own first, then one of the right
// operand.
type pythonInstead struct{ own, other string }

var pythonInsteads = map[string]pythonInstead{
	"__eq__": {"", "__eq__"}, "__ne__": {"__eq__", "__eq__"}, "__lt__": {"", "__gt__"}, "__gt__": {"", "__lt__"},
	"__le__": {"", "__ge__"}, "__ge__": {"", "__le__"}, "__contains__": {"__iter__", ""},
	"__neg__": {}, "__pos__": {}, "__invert__": {}, "__getitem__": {}, "__setitem__": {}, "__delitem__": {},
	"__init_subclass__": {},
}

// pythonSums give both operands where those are collections.
var pythonSums = words("__add__ __or__ __iadd__ __ior__ __radd__")

// pythonSigns are operators that have a form for the right operand, and one that
// changes the left.
var pythonSigns = words("add sub mul truediv floordiv mod pow matmul and or xor lshift rshift")

// pythonOperator says that a name is one that an operator stands for, and what
// may run instead.
func pythonOperator(name string) (pythonInstead, bool) {
	bare, ok := strings.CutPrefix(name, "__")
	if !ok {
		return pythonInstead{}, false
	}
	if in, ok := pythonInsteads[name]; ok {
		return in, true
	}
	bare = strings.TrimSuffix(bare, "__")
	if pythonSigns[bare] {
		return pythonInstead{"", "__r" + bare + "__"}, true
	}
	if rest, ok := strings.CutPrefix(bare, "i"); ok && pythonSigns[rest] {
		return pythonInstead{"__" + rest + "__", "__r" + rest + "__"}, true
	}
	return pythonInstead{}, false
}

// pythonCallee: operators run no methods of types for those themselves, but of
// their classes.
func pythonCallee(r *run, f *file, c *code.Call, e *code.Expr) ([]value, bool) {
	if _, ok := pythonOperator(c.Name); !ok || c.Kind != code.Indirect || c.Name == "__init_subclass__" || e.X <= 0 {
		return nil, false
	}
	left := r.expr(f, f.Exprs[e.X].X)
	if !slices.ContainsFunc(left, func(x value) bool { return x.kind == aType }) {
		return nil, false
	}
	var out []value
	for _, x := range left {
		switch {
		case x.kind == anInst:
			out = add(out, functionsOf(r.instMember(x, c.Name))...)
		case x.kind == aType && c.Name == "__getitem__":
			out = add(out, functionsOf(r.typeMember(x, "__class_getitem__"))...)
		case x.kind == aType:
			out = add(out, r.pythonOfMeta(x.key, c.Name)...)
		}
	}
	return out, true
}

// pythonOperated are the methods that an operation runs which its left operand
// does not have under the operator's own name.
func (r *run) pythonOperated(f *file, e *code.Expr) []value {
	in, ok := pythonOperator(e.Name)
	if !ok || e.X <= 0 || f.Exprs[e.X].Kind != code.MemberExpr || f.Exprs[e.X].Name != e.Name {
		return nil
	}
	var out []value
	left := r.expr(f, f.Exprs[e.X].X)
	for _, x := range left {
		if x.kind != anInst || len(r.member(x.key, e.Name)) > 0 {
			continue
		}
		if in.own != "" {
			out = add(out, functionsOf(r.instMember(x, in.own))...)
		}
	}
	if len(out) > 0 || in.other == "" || len(e.Args) == 0 || r.hasMember(left, e.Name) {
		return out
	}
	for _, x := range r.expr(f, e.Args[0]) {
		if x.kind == anInst {
			out = add(out, functionsOf(r.instMember(x, in.other))...)
		}
	}
	return out
}

// pythonOperation is what an operation gives. The sum of collections holds what
// both of them hold.
func (r *run) pythonOperation(f *file, e *code.Expr) ([]value, bool) {
	if _, ok := pythonOperator(e.Name); !ok || e.X <= 0 || f.Exprs[e.X].Kind != code.MemberExpr || f.Exprs[e.X].Name != e.Name {
		return nil, false
	}
	left := r.expr(f, f.Exprs[e.X].X)
	var out []value
	if !slices.ContainsFunc(left, func(x value) bool { return x.kind == aType }) {
		for _, v := range add(functionsOf(r.expr(f, e.X)), r.pythonOperated(f, e)...) {
			out = add(out, r.resultOf(f, e, v)...)
		}
	}
	for _, x := range left {
		switch {
		case x.kind == anInst && r.hasMember([]value{x}, e.Name):
		case pythonSums[e.Name], e.Name == "__mul__" && (x.kind == aColl || x.kind == aSeq):
			out = add(out, x)
		}
	}
	if pythonSums[e.Name] && len(e.Args) > 0 && !r.hasMember(left, e.Name) {
		out = add(out, r.expr(f, e.Args[0])...)
	}
	return out, true
}
