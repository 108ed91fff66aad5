package resolve

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"chitta/internal/code"
)

// scriptGlobals are names that every script has.
var scriptGlobals = scriptWords(`Array ArrayBuffer BigInt Boolean Buffer DataView Date Error EvalError Float32Array Float64Array Function
	Infinity Int16Array Int32Array Int8Array Intl JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp
	Set String Symbol SyntaxError TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap
	WeakRef WeakSet AbortController Blob Event EventTarget FormData Headers Request Response TextDecoder TextEncoder WebSocket Worker
	XMLHttpRequest alert atob btoa cancelAnimationFrame clearImmediate clearInterval clearTimeout confirm console crypto decodeURI
	decodeURIComponent document encodeURI encodeURIComponent escape eval exports fetch global globalThis history isFinite isNaN
	localStorage location module navigator parseFloat parseInt performance process prompt queueMicrotask requestAnimationFrame require
	sessionStorage setImmediate setInterval setTimeout structuredClone unescape window self describe it test expect beforeEach afterEach
	beforeAll afterAll jest vi define arguments`)

func scriptWords(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(text) {
		out[w] = true
	}
	return out
}

func scriptBuiltin(name string) bool { return scriptGlobals[name] }

// scriptVisits are members of collections that call what they are given with
// the elements.
var scriptVisits = scriptWords(`forEach map filter find findIndex findLast findLastIndex some every flatMap reduce reduceRight sort toSorted`)

// scriptKeeps are functions outside that keep what they are given, or only look
// at it, and do not call it.
var scriptKeeps = scriptWords(`push unshift splice set add concat includes indexOf lastIndexOf fill assign freeze seal keys values entries bind
	defineProperty defineProperties create getPrototypeOf setPrototypeOf is isArray log error warn info debug removeEventListener
	removeListener off clearTimeout clearInterval has delete inherits resolve reject all race of stringify getOwnPropertyNames
	getOwnPropertyDescriptor hasOwnProperty isPrototypeOf join with`)

func scriptCallsBack(vs []value) bool {
	for _, v := range vs {
		if (v.kind == aForeign || v.kind == aForeignI) && !scriptKeeps[lastName(v.key)] {
			return true
		}
	}
	return false
}

// scriptUnknownMember: a member of something unknown that is called like one of
// collections or promises is taken for theirs.
// Everything that an asynchronous function gives has those of promises.
func scriptUnknownMember(xs []value, name string) []value {
	switch {
	case name == "then" || name == "finally" || name == "catch":
		return []value{{kind: aForeign, key: "<builtin>.Promise." + name}}
	case len(xs) == 0 && scriptVisits[name] && name != "find":
		return []value{{kind: aForeign, key: "<builtin>.Array." + name}}
	case len(xs) == 0 && scriptText[name]:
		return []value{{kind: aForeign, key: "<builtin>.String." + name}}
	}
	return nil
}

// scriptText are members that strings, numbers and lists have, and hardly
// anything else.
var scriptText = scriptWords(`charAt charCodeAt codePointAt endsWith localeCompare padEnd padStart startsWith substr substring toFixed
	toLowerCase toUpperCase trim trimEnd trimStart replace replaceAll split slice match matchAll indexOf lastIndexOf includes push pop shift unshift splice join
	concat`)

// scriptObject are the members of every object.
var scriptObject = scriptWords(`hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf constructor`)

func scriptObjectMember(name string) bool { return scriptObject[name] }

// scriptFunctional says that a type leaves open what runs when a value of it is
// used: functions, and objects that are written out somewhere.
func scriptFunctional(r *run, v value) bool {
	if strings.HasPrefix(v.key, "{") {
		return strings.Contains(v.key, "=>")
	}
	if v.kind == aForeignI {
		return v.args != nil // a collection: its elements
	}
	for _, s := range r.p.symbols[v.key] {
		return s.sym().Kind == code.TypeAlias || s.sym().Kind == code.Interface
	}
	return false
}

// takenFrom is the collection that a member outside was taken from.
func takenFrom(v value) []value {
	switch {
	case v.f != nil:
		return []value{{kind: aColl, f: v.f, expr: v.expr, from: v.from}}
	case v.fn.f != nil:
		return []value{{kind: aSeq, fn: v.fn, expr: v.expr}}
	case v.args != nil:
		return []value{{kind: aForeignI, key: parentKey(v.key), args: v.args}}
	}
	return nil
}

// scriptForeignMember: members of a type that is written out are those in its
// text, and a promise of a module has none but then.
func scriptForeignMember(r *run, f *file, x value, name string) ([]value, bool) {
	if !strings.HasPrefix(x.key, "{") {
		return nil, false
	}
	if x.args == nil {
		return nil, true
	}
	text := memberType(x.key, name)
	if text == "" {
		return nil, true
	}
	return r.typeIn(x.args.f, x.args.scope, r.parsed(x.args.f, text), x.args.env), true
}

// scriptForeignCall is what functions outside give that pass on what they are
// given.
func scriptForeignCall(r *run, f *file, e *code.Expr, v value) ([]value, bool) {
	name := lastName(v.key)
	switch {
	case name == "bind" && v.fn.f != nil:
		return []value{{kind: aFunc, fn: v.fn, rule: ByValue}}, true
	case strings.HasPrefix(v.key, "<builtin>.Object."):
		return r.objectCall(f, e, name), true
	case strings.HasPrefix(v.key, "<builtin>.Promise."):
		if name == "resolve" && len(e.Args) > 0 {
			return r.expr(f, e.Args[0]), true
		}
		if name == "all" && len(e.Args) > 0 {
			return r.expr(f, e.Args[0]), true
		}
	case v.key == "<builtin>.Array.from" && len(e.Args) > 0:
		return r.expr(f, e.Args[0]), true
	}
	switch name {
	case "slice":
		return sliced(f, e, takenFrom(v)), true
	case "then", "reduce", "reduceRight":
		var out []value
		for _, cb := range r.functionsAt(f, e, 0) {
			out = add(out, r.result(cb)...)
		}
		return out, true
	case "catch", "finally":
		return r.onWhat(f, e), true
	case "map", "flatMap":
		var out []value
		for _, cb := range r.functionsAt(f, e, 0) {
			out = add(out, value{kind: aSeq, fn: cb, expr: seqOfResults})
		}
		return out, true
	case "concat":
		out := takenFrom(v)
		for _, a := range e.Args {
			out = add(out, r.expr(f, a)...)
		}
		return out, true
	}
	if givesElement[name] && (v.fn.f != nil) {
		return r.elements(takenFrom(v)), true
	}
	if givesSame[name] && (v.fn.f != nil) {
		return takenFrom(v), true
	}
	if v.f == nil && v.args == nil && (!strings.HasPrefix(v.key, "<builtin>.") || v.key == "<builtin>.expect") {
		return []value{{kind: aForeignI, key: v.key + "()"}}, true // something of that package
	}
	return nil, false
}

// sliced is a part of a collection: where it begins is known if it is written.
func sliced(f *file, e *code.Expr, xs []value) []value {
	if len(e.Args) == 0 || e.Args[0] <= 0 {
		return xs
	}
	from, err := strconv.Atoi(f.Exprs[e.Args[0]].Text)
	if err != nil || from < 0 {
		return xs
	}
	for i := range xs {
		if xs[i].kind == aColl {
			xs[i].from += int32(from)
		}
	}
	return xs
}

// objectCall is what the functions of Object give.
func (r *run) objectCall(f *file, e *code.Expr, name string) []value {
	if len(e.Args) == 0 {
		return nil
	}
	switch name {
	case "freeze", "seal", "preventExtensions", "fromEntries", "setPrototypeOf":
		return r.expr(f, e.Args[0])
	case "values":
		return listOf(f, r.elements(r.expr(f, e.Args[0])))
	case "assign":
		var out []value
		for _, a := range e.Args {
			out = add(out, r.expr(f, a)...)
		}
		return out
	case "create":
		var out []value
		for _, v := range r.expr(f, e.Args[0]) {
			switch v.kind {
			case aType:
				out = add(out, value{kind: anInst, key: v.key, exact: true, rule: ByReceiver})
			case aColl, anInst:
				out = add(out, v)
			}
		}
		return out
	}
	return nil
}

// listOf is a list that holds the values.
func listOf(f *file, vs []value) []value {
	return []value{{kind: aForeignI, key: listKey, args: &typeArgs{[]typeNode{{name: "T"}}, f, 0, env{"T": vs}}}}
}

// onWhat is what the member that a call calls was taken from.
func (r *run) onWhat(f *file, e *code.Expr) []value {
	if e.X <= 0 || f.Exprs[e.X].Kind != code.MemberExpr {
		return nil
	}
	return r.expr(f, f.Exprs[e.X].X)
}

// functionsAt are the functions that a call gives as an argument.
func (r *run) functionsAt(f *file, e *code.Expr, arg int) []id {
	if arg >= len(e.Args) {
		return nil
	}
	var out []id
	for _, v := range r.expr(f, e.Args[arg]) {
		if v.kind == aFunc {
			out = append(out, v.fn)
		}
	}
	return out
}

// scriptPasses notes what functions outside hand to the functions that they are
// given, and what they put into collections.
func scriptPasses(r *run, f *file, e *code.Expr, vs []value) {
	for _, v := range vs {
		if v.kind != aForeign {
			r.contexts(f, e, v)
			r.unknownKeys(f, e, v)
			continue
		}
		name := lastName(v.key)
		switch {
		case name == "push" || name == "unshift" || name == "add":
			r.putInto(f, e, v, 0)
		case name == "set" && len(e.Args) == 2:
			r.putInto(f, e, v, 1)
		case name == "then":
			r.hand(f, e, 0, r.awaited(r.onWhat(f, e)))
		case name == "reduce" || name == "reduceRight":
			first := r.elements(takenFrom(v))
			if len(e.Args) > 1 {
				first = r.expr(f, e.Args[1])
			}
			for _, cb := range r.functionsAt(f, e, 0) {
				first = add(first, r.result(cb)...)
			}
			r.hand(f, e, 0, first, r.elements(takenFrom(v)))
		case name == "sort" || name == "toSorted":
			elements := r.elements(takenFrom(v))
			r.hand(f, e, 0, elements, elements)
		case scriptVisits[name]:
			r.hand(f, e, 0, r.elements(takenFrom(v)))
		}
	}
}

// unknownKeys notes that a parameter that things are looked up by is given
// something that is not known.
func (r *run) unknownKeys(f *file, e *code.Expr, callee value) {
	if callee.kind != aFunc {
		return
	}
	fn := callee.fn
	for i, a := range e.Args {
		if i >= len(fn.sym().Params) || fn.sym().Params[i].Type != "" || !scriptKeyNames(r, fn.f)[fn.sym().Params[i].Name] {
			continue
		}
		vs := r.expr(f, a)
		if len(vs) == 0 || slices.ContainsFunc(vs, func(v value) bool { return v.f == nil }) {
			r.passed = append(r.passed, passing{flowTo{fn.f.Path, fn.sym().Path, int32(i)}, value{kind: aForeignI, key: "?"}})
		}
	}
}

// hand passes values to the parameters of the functions that a call gives as an
// argument.
func (r *run) hand(f *file, e *code.Expr, arg int, params ...[]value) {
	for _, fn := range r.functionsAt(f, e, arg) {
		for i, vs := range params {
			r.handTo(fn, i, vs)
		}
	}
}

// handTo passes values to a parameter of a function.
func (r *run) handTo(fn id, param int, vs []value) {
	if param >= len(fn.sym().Params) {
		return
	}
	for _, v := range vs {
		if v.kind != aForeign && (v.kind != aForeignI || v.args != nil) {
			r.passed = append(r.passed, passing{flowTo{fn.f.Path, fn.sym().Path, int32(param)}, v})
		}
	}
}

// intoColl is the place that what is put into a collection goes to.
func intoColl(x value) flowTo { return flowTo{x.f.Path, "<collection>" + strconv.Itoa(int(x.expr)), 0} }

// putInto notes what a call puts into the collection that it is made on.
func (r *run) putInto(f *file, e *code.Expr, v value, arg int) {
	if v.f == nil || arg >= len(e.Args) {
		return
	}
	for _, put := range r.expr(f, e.Args[arg]) {
		if put.kind != aForeign && put.kind != aForeignI {
			r.passed = append(r.passed, passing{intoColl(v), put})
		}
	}
}

// Questions about an expression other than what it is, as negative indexes.
const (
	asPut   int32 = -1 << 29
	asKeyed int32 = -1 << 30
)

// seconds are the second parts of pairs; what is no pair was taken from another
// map, and is such a part.
func (r *run) seconds(vs []value) []value {
	var out []value
	for _, v := range vs {
		if v.kind == aColl && v.f.Exprs[v.expr].Kind == code.ListExpr {
			out = add(out, r.part([]value{v}, 2)...)
			continue
		}
		out = add(out, v)
	}
	return out
}

// scriptPuts is what was put into a collection after it was made.
func scriptPuts(r *run, x value) []value {
	at := exprAt{x.f, asPut - x.expr}
	if r.busy[at] || r.depth > maxDepth {
		return nil // a collection that is put into itself
	}
	r.busy[at] = true
	r.depth++
	defer func() { delete(r.busy, at); r.depth-- }()
	byFile := r.putThere(intoColl(x))
	var out []value
	if e := &x.f.Exprs[x.expr]; e.Kind == code.NewExpr && len(e.Args) > 0 { // new Set(list), new Map(pairs)
		out = r.elements(r.expr(x.f, e.Args[0]))
		if e.Name == "Map" || e.Name == "WeakMap" {
			out = r.seconds(out)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(byFile)) {
		out = add(out, byFile[path]...)
	}
	return out
}
