package resolve

import (
	"maps"
	"slices"
	"strings"

	"chitta/internal/code"
)

// Functions that collections hold. The library's collections are known by their
// types alone, which do not say which functions are in them; one that is for
// functions is followed from where it is made to what is put into it.

// functionNames are types of functions of the libraries; those of Java's that
// are not here end in one of functionEnds.
var (
	functionNames = wordSet(`Func Action Predicate Comparison Converter EventHandler Delegate MulticastDelegate Runnable Callable Comparator
		RequestDelegate ThreadStart TimerCallback WaitCallback`)
	functionEnds = []string{"Supplier", "Consumer", "Function", "Predicate", "Operator"}
)

// isFunctionType says that values of a type are functions of which the type says
// nothing more.
func (r *run) isFunctionType(v value) bool {
	switch v.kind {
	case aForeignI:
		name := lastName(v.key)
		return functionNames[name] || slices.ContainsFunc(functionEnds, func(end string) bool { return strings.HasSuffix(name, end) })
	case anInst: // a delegate
		return slices.ContainsFunc(r.p.symbols[v.key], func(s id) bool { return s.sym().Kind == code.TypeAlias && s.sym().Type == "delegate" })
	}
	return false
}

// maxNested bounds how deep collections stand in collections.
const maxNested = 3

// holdsFunctions says that a collection with these type arguments is one of
// functions, or of such collections.
func (r *run) holdsFunctions(args *typeArgs, depth int) bool {
	if args == nil || len(args.nodes) == 0 || depth > maxNested {
		return false
	}
	for _, v := range r.typeIn(args.f, args.scope, args.nodes[len(args.nodes)-1], args.env) {
		if r.isFunctionType(v) || r.ofFunctions(v, depth+1) {
			return true
		}
	}
	return false
}

// ofFunctions says that a value is a collection of functions, or of such
// collections.
func (r *run) ofFunctions(v value, depth int) bool {
	return v.kind == aForeignI && !r.isFunctionType(v) && r.holdsFunctions(v.args, depth)
}

// madeHere is a new instance. One of the library's has its place with it, and is
// followed if it is a collection of functions.
func madeHere(r *run, f *file, e *code.Expr, i int32) []value {
	vs := slices.Clone(r.made(f, e))
	for n := range vs {
		if v := &vs[n]; v.kind == aForeignI {
			v.f, v.expr = f, i
			if r.ofFunctions(*v, 0) {
				*v = value{kind: aColl, f: f, expr: i, args: v.args}
			}
		}
	}
	return vs
}

// heldAs is a value where a collection of the declared type is wanted, if that is
// one of functions.
func (r *run) heldAs(declared []value, v value) (value, bool) {
	at := slices.IndexFunc(declared, func(d value) bool { return r.ofFunctions(d, 0) })
	if at < 0 {
		return v, false
	}
	switch {
	case v.kind == aColl:
		if v.args == nil {
			v.args = declared[at].args
		}
		return v, true
	case v.kind == aForeignI && v.f != nil:
		return value{kind: aColl, f: v.f, expr: v.expr, args: declared[at].args}, true
	case v.kind == aForeignI && v.args != nil:
		return v, slices.ContainsFunc(r.elements([]value{v}), func(e value) bool { return e.kind == aFunc })
	}
	return v, false
}

// heldIn is what was put into a collection after it was made; what its type says
// where that is nothing.
func heldIn(r *run, x value) []value {
	at := exprAt{x.f, asPut - x.expr}
	if r.depth > maxDepth {
		return nil
	}
	var out, declared []value
	if x.args != nil && len(x.args.nodes) > 0 {
		declared = r.typeIn(x.args.f, x.args.scope, x.args.nodes[len(x.args.nodes)-1], x.args.env)
	}
	for _, d := range declared {
		if r.ofFunctions(d, 0) { // what is put into the inner ones goes to the outer
			return []value{{kind: aColl, f: x.f, expr: x.expr, args: d.args}}
		}
	}
	if r.busy[at] {
		return nil
	}
	r.busy[at] = true
	r.depth++
	defer func() { delete(r.busy, at); r.depth-- }()
	e := &x.f.Exprs[x.expr]
	if e.Kind == code.NewExpr { // a copy of another
		for _, a := range e.Args {
			out = add(out, functionsOf(r.elements(r.expr(x.f, a)))...)
		}
	}
	if e.X > 0 && e.Kind != code.NewExpr { // with what is written behind it
		out = add(out, functionsOf(r.elements(r.expr(x.f, e.X)))...)
	}
	byFile := r.putThere(intoColl(x))
	for _, path := range slices.Sorted(maps.Keys(byFile)) {
		out = add(out, narrowed(r, declared, byFile[path])...)
	}
	if len(out) == 0 && !slices.ContainsFunc(e.Args, func(a int32) bool { return len(functionsOf(r.expr(x.f, a))) > 0 }) {
		return declared
	}
	return out
}

// keep notes the functions that a call of the library puts into a collection.
func keep(stores map[string]bool) func(r *run, f *file, e *code.Expr, vs []value) {
	return func(r *run, f *file, e *code.Expr, vs []value) {
		for _, v := range vs {
			if v.kind != aForeign || v.f == nil || !stores[lastName(v.key)] {
				continue
			}
			for _, a := range e.Args {
				put := r.expr(f, a)
				put = append(slices.Clone(put), r.elements(collections(put))...)
				for _, x := range put {
					if x.kind == aFunc || x.kind == anInst && x.exact { // an instance may be used as a function
						r.passed = append(r.passed, passing{intoColl(v), x})
					}
				}
			}
		}
	}
}

// collections are the collections among values.
func collections(vs []value) []value {
	return slices.DeleteFunc(slices.Clone(vs), func(v value) bool { return v.kind != aColl && (v.kind != aForeignI || v.args == nil) })
}

// collectionMember is the member of a collection of functions: a property that
// gives its elements, or a method of the library that knows where it was taken
// from.
func collectionMember(x value, name string) []value {
	switch name {
	case "Values", "Value", "value":
		return []value{x}
	}
	return []value{{kind: aForeign, key: "<builtin>.list." + name, f: x.f, expr: x.expr, args: x.args}}
}

// outOf is what a method of a collection of functions gives: an element, or a
// collection of the same.
func outOf(r *run, v value, element, same map[string]bool) ([]value, bool) {
	if v.f == nil {
		return nil, false
	}
	from := []value{{kind: aColl, f: v.f, expr: v.expr, args: v.args}}
	switch name := lastName(v.key); {
	case givesElement[name] || element[name]:
		return r.elements(from), true
	case givesSame[name] || same[name]:
		return from, true
	}
	return nil, false
}

// heldRead is a file that was resolved by what a collection holds.
type heldRead struct {
	to   flowTo
	path string
}

// putThere is what files put into a collection. That it was asked is noted: more
// may be put there later.
func (r *run) putThere(to flowTo) map[string][]value {
	if r.resolving != nil {
		if r.reads == nil {
			r.reads = map[heldRead]int{}
		}
		r.reads[heldRead{to, r.resolving.Path}] = r.p.flows.held(to)
	}
	return r.p.flows.to[to]
}

// held counts what is put into a collection.
func (fl flows) held(to flowTo) int {
	n := 0
	for _, vs := range fl.to[to] {
		n += len(vs)
	}
	return n
}

// outdated adds the files that were resolved before all was put into the
// collections that they ask, and where these are rare those that call into them:
// what a call gives may come out of a collection.
func (r *run) outdated(moved map[string]bool) {
	asked := map[string]bool{}
	for read, n := range r.reads {
		if r.p.flows.held(read.to) != n {
			moved[read.path] = true
			if f := r.p.files[read.path]; f != nil && f.lang.narrow != nil {
				asked[read.path] = true
			}
		}
	}
	if len(asked) == 0 {
		return
	}
	for path, f := range r.p.files {
		if slices.ContainsFunc(f.edges, func(e edge) bool { return asked[e.to.File] }) {
			moved[path] = true
		}
	}
}

// javaRunsHeld are the functions in a collection that a call of the library runs
// by a reference to the method of their type: list.forEach(Runnable::run).
func javaRunsHeld(r *run, f *file, e *code.Expr, vs []value) []target {
	var out []target
	for _, v := range vs {
		if v.kind != aForeign || v.f == nil || javaStores[lastName(v.key)] {
			continue
		}
		for _, a := range e.Args {
			if a <= 0 || f.Exprs[a].Kind != code.MemberExpr || f.Exprs[a].Text != methodReference {
				continue
			}
			for _, x := range r.elements([]value{{kind: aColl, f: v.f, expr: v.expr, args: v.args}}) {
				for _, m := range r.memberOf(f, x, f.Exprs[a].Name) {
					if m.kind == aFunc {
						out = append(out, target{m.fn, ByValue})
					}
				}
			}
		}
	}
	return out
}

// javaFunctionOf are the methods of the library's interfaces that stand for
// functions.
var javaFunctionOf = map[string]string{
	"Runnable": "run", "Callable": "call", "Comparator": "compare", "Consumer": "accept", "BiConsumer": "accept", "Supplier": "get",
	"Function": "apply", "BiFunction": "apply", "UnaryOperator": "apply", "BinaryOperator": "apply", "Predicate": "test", "BiPredicate": "test",
}

// javaStarts are methods of the library that run the tasks that they are given.
var javaStarts = wordSet(`Thread submit execute schedule scheduleAtFixedRate scheduleWithFixedDelay invokeAll invokeAny runAsync supplyAsync
	invokeLater invokeAndWait runLater startVirtualThread`)

// javaRunsInstances are the methods that a call of the library runs of the
// instances it is given, where their types say that they stand for functions.
func javaRunsInstances(r *run, f *file, e *code.Expr, vs []value) []target {
	if !foreign(vs) || !javaCallsBack(vs) {
		return nil
	}
	var out []target
	for _, a := range e.Args {
		for _, x := range r.expr(f, a) {
			if x.kind != anInst {
				continue
			}
			method := javaFunctionOf[r.functionBase(x.key)]
			if (method == "run" || method == "call" || a > 0 && f.Exprs[a].Kind == code.SelfExpr) && !javaStarts[lastName(vs[0].key)] {
				continue // tasks are handed on for many reasons
			}
			r.want = callables
			for _, m := range r.instMember(x, method) {
				if m.kind == aFunc {
					out = append(out, target{m.fn, ByValue})
				}
			}
		}
	}
	return out
}

// functionBase is the library's interface for functions that a type implements,
// or "".
func (r *run) functionBase(key string) string {
	for _, k := range r.linear(key) {
		for _, b := range r.bases(k) {
			if name := lastName(b.key); b.kind == aForeign && javaFunctionOf[name] != "" {
				return name
			}
		}
	}
	return ""
}
