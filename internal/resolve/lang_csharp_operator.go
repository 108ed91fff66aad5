package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// csharpOperator begins the names of methods that operators stand for.
const csharpOperator = "operator "

// csharpImplied are methods that the text calls without writing their names.
var csharpImplied = wordSet(`GetEnumerator MoveNext GetAsyncEnumerator MoveNextAsync Dispose DisposeAsync Deconstruct Add`)

// csharpQuiet: what the text only implies is no call where the project has no
// such method.
func csharpQuiet(c *code.Call) bool {
	return c.Kind == code.Ctor && c.Name == "base" || c.Kind == code.Indirect && (csharpImplied[c.Name] || strings.HasPrefix(c.Name, csharpOperator))
}

// csharpIsOperation says that a call is one that an operator or a conversion
// stands for.
func csharpIsOperation(f *file, e *code.Expr) bool {
	return e.Kind == code.CallExpr && e.X > 0 && f.Exprs[e.X].Kind == code.MemberExpr && strings.HasPrefix(f.Exprs[e.X].Name, csharpOperator)
}

// csharpOperated are the methods that an operation runs: those of the type of an
// operand that take all of them.
func (r *run) csharpOperated(f *file, e *code.Expr) []value {
	var sides [][]value
	for _, a := range e.Args {
		sides = append(sides, r.expr(f, a))
	}
	owners := sides
	if len(sides) == 1 {
		owners = append(owners[:1:1], r.expr(f, f.Exprs[e.X].X)) // of a conversion the type that is wanted
	}
	var out []value
	for _, vs := range owners {
		for _, x := range vs {
			if x.kind != anInst {
				continue
			}
			for _, s := range r.member(x.key, f.Exprs[e.X].Name) {
				if s.sym().Kind.Callable() && r.takesSides(f, s, sides) {
					out = add(out, value{kind: aFunc, fn: s, rule: ByReceiver, args: r.argsAt(x, s)})
				}
			}
		}
	}
	return out
}

// takesSides says that a method has a parameter for each operand, at least one
// of which is surely of its type and none of another.
func (r *run) takesSides(f *file, fn id, sides [][]value) bool {
	params := fn.sym().Params
	if len(params) != len(sides) {
		return false
	}
	sure := false
	for i, p := range params {
		want := r.typeText(fn.f, r.inner(fn), p.Type)
		if len(want) == 0 || len(sides[i]) == 0 {
			continue
		}
		fits := misfit
		for _, have := range sides[i] {
			fits = max(fits, r.fits(f, have, want[0]))
		}
		if fits == misfit {
			return false
		}
		sure = sure || fits > 0
	}
	return sure
}

// csharpOperation is what an operation gives.
func (r *run) csharpOperation(f *file, e *code.Expr) []value {
	var out []value
	for _, v := range r.csharpOperated(f, e) {
		out = add(out, r.resultOf(f, e, v)...)
	}
	return out
}

// csharpCallee is what a call calls that an operator stands for; a delegate is
// made of a function without calling anything.
func csharpCallee(r *run, f *file, c *code.Call, e *code.Expr) ([]value, bool) {
	switch {
	case c.Kind == code.Indirect && csharpIsOperation(f, e):
		return r.csharpOperated(f, e), true
	case c.Kind == code.New:
		if _, ok := r.csharpDelegate(f, e); ok {
			return []value{{kind: aForeignI, key: "System.Delegate"}}, true
		}
		vs := r.newType(f, e)
		return slices.DeleteFunc(slices.Clone(vs), func(v value) bool { return r.isInterface(v) }), len(vs) > 0
	case c.Kind == code.Indirect && csharpImplied[c.Name]:
		vs := r.expr(f, e.X)
		return slices.DeleteFunc(slices.Clone(vs), func(v value) bool { return v.kind != aFunc || v.fn.sym().Static }), true
	}
	return nil, false
}
