package resolve

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chitta/internal/code"
)

// javaLanguage: packages are units, whose types see each other; fields, methods
// and types have names of their own; functions are instances of interfaces with
// one method.
func javaLanguage() *language {
	return &language{
		family: "java", sharesUnit: true, implicitThis: true, bodiesApart: true, separate: true, overloads: true,
		separateConstructors: true, declaresOnly: true, unique: true, callbacks: true,
		find:      func(_ *run, _ *file, imp *code.Import) []string { return []string{imp.Module} },
		special:   javaExpr,
		fallback:  javaName,
		qualified: javaQualified,
		callsBack: javaCallsBack,
		settled:   javaSettled,
		lambdas:   lambdasAs,
		narrow:    narrowed,
		component: componentOf,
		choose:    chosen,
		untyped:   untypedParam,
		assigned: func(r *run, s id, declared []value) []value {
			sig := s.sym().Signature
			return fieldHolds(r, s, declared, !s.sym().Exported || hasWord(sig, "final"))
		},
		sameType:    javaSameType,
		foreignCall: javaForeignCall,
		puts:        heldIn,
		keyed:       func(r *run, x value, _ string) []value { return heldIn(r, x) },
		passes:      keep(javaStores),
		alsoCalls: func(r *run, f *file, e *code.Expr, vs []value) []target {
			return append(javaRunsHeld(r, f, e, vs), javaRunsInstances(r, f, e, vs)...)
		},
		functionMember: func(r *run, _ *file, x value, name string) []value {
			return functionMemberOf(r, x, name, javaCombines)
		},
		quiet: func(c *code.Call) bool {
			return c.Kind == code.Ctor && c.Name == "super" || c.Kind == code.Indirect && javaImplied[c.Name]
		},
	}
}

// javaImplied are methods that the text calls without writing their names.
var javaImplied = wordSet(`iterator hasNext next close`)

// javaCombines are the methods of the library's functional interfaces that are
// not the function itself.
var javaCombines = map[string]bool{
	"andThen": true, "compose": true, "negate": true, "and": true, "or": true, "reversed": true, "thenComparing": true,
	"equals": true, "hashCode": true, "toString": true, "getClass": true,
}

// javaStores are methods of the library that keep what they are given.
var javaStores = map[string]bool{
	"add": true, "put": true, "addAll": true, "set": true, "offer": true, "push": true, "of": true, "asList": true, "addLast": true,
	"addFirst": true, "putIfAbsent": true, "remove": true, "contains": true, "equals": true, "requireNonNull": true, "entry": true,
}

// javaCallsBack: methods of the library call what they are given, constructors
// keep it; that of a thread is there to have it run.
func javaCallsBack(vs []value) bool {
	return !slices.ContainsFunc(vs, func(v value) bool {
		name := lastName(v.key)
		first, _ := utf8.DecodeRuneInString(name)
		return javaStores[name] || unicode.IsUpper(first) && name != "Thread" || v.fn.f != nil && javaCombines[name]
	})
}

// javaSettled: static and private methods are what is called, and final ones.
func javaSettled(s id) bool {
	sym := s.sym()
	return sym.Static || !sym.Exported || hasWord(sym.Signature, "final")
}

// hasWord says that one of the words before a declaration's parameters is this.
func hasWord(signature, word string) bool {
	head, _, _ := strings.Cut(signature, "(")
	return slices.Contains(strings.Fields(head), word)
}

// javaExpr reads what is Java's own: a name means a method where it is called
// and something else where it is not.
func javaExpr(r *run, f *file, e *code.Expr, i int32) ([]value, bool) {
	switch e.Kind {
	case code.NameExpr:
		if call := r.callOf(f, i); call > 0 {
			return r.overload(f, call, javaMethod(r, f, e)), true
		}
		r.want = others
		return r.lookup(f, e.Scope, e.Name, e.At), true
	case code.MemberExpr:
		return javaMember(r, f, e, i), true
	case code.SuperExpr:
		return superclass(r, f, e.Scope, "java.lang.Object"), true
	case code.CallExpr:
		return javaCall(r, f, e), true
	case code.NewExpr:
		return madeHere(r, f, e, i), true
	case code.TypedExpr:
		if e.X > 0 { // a cast function is the function
			if vs := r.expr(f, e.X); len(vs) > 0 && functional(vs) {
				return narrowed(r, r.typeText(f, e.Scope, e.Name), vs), true
			}
		}
	}
	return nil, false
}

// callOf is the call that an expression names the function of, or 0.
func (r *run) callOf(f *file, i int32) int32 {
	set, ok := r.callees[f]
	if !ok {
		set = map[int32]int32{}
		for n := range f.Exprs {
			if e := &f.Exprs[n]; e.Kind == code.CallExpr && e.X > 0 {
				set[e.X] = int32(n)
			}
		}
		if r.callees == nil {
			r.callees = map[*file]map[int32]int32{}
		}
		r.callees[f] = set
	}
	return set[i]
}

// overload chooses among methods before there are too many to go on with.
func (r *run) overload(f *file, call int32, vs []value) []value {
	if len(vs) < 2 || !functional(vs) {
		return vs
	}
	return chosen(r, f, &f.Exprs[call], vs)
}

// javaMethod is what f() calls: a method of the innermost type around that has
// one of the name, then what is imported from types.
func javaMethod(r *run, f *file, e *code.Expr) []value {
	r.want = callables
	foreign := ""
	for s := e.Scope; s != code.None; s = f.Scopes[s].Parent {
		sc := &f.Scopes[s]
		if sc.Kind != code.ClassScope || sc.Symbol == code.None {
			continue
		}
		if vs := r.ownMember(f, sc.Symbol, e.Name); len(vs) > 0 {
			return vs
		}
		if name := r.foreignBase(f.keys[sc.Symbol]); foreign == "" {
			foreign = name
		}
		if f.Symbols[sc.Symbol].Kind == code.Enum && (e.Name == "values" || e.Name == "valueOf") {
			return []value{{kind: aForeign, key: f.keys[sc.Symbol] + "." + e.Name}}
		}
	}
	if f.Package == "" || len(f.named(0, e.Name)) > 0 { // of a file without a class
		if vs, ok := r.inScope(f, 0, e.Name, e.At, true); ok && len(vs) > 0 {
			return vs
		}
	}
	if vs := javaStatic(r, f, e.Name); len(vs) > 0 {
		return vs
	}
	if foreign == "" && javaOfObject[e.Name] {
		foreign = "java.lang.Object"
	}
	if foreign != "" {
		return []value{{kind: aForeign, key: foreign + "." + e.Name}}
	}
	return nil
}

// javaStatic is a method that a static import brings in, also one that the type
// inherits.
func javaStatic(r *run, f *file, name string) []value {
	outside := ""
	for _, whole := range []bool{false, true} {
		for i := range f.Imports {
			imp := &f.Imports[i]
			if !imp.Static || whole != (imp.Name == "*") || !whole && imp.Alias != name {
				continue
			}
			key := "java:" + imp.Module
			if len(r.p.symbols[key]) == 0 {
				if !whole {
					return []value{{kind: aForeign, key: imp.Module + "." + name}}
				}
				outside = imp.Module
				continue
			}
			if vs := r.typeMember(value{kind: aType, key: key}, name); len(vs) > 0 {
				return ruled(vs, ByImport)
			}
		}
	}
	if outside != "" {
		return []value{{kind: aForeign, key: outside + "." + name}}
	}
	return nil
}

// foreignBase is a type outside of the project that a type inherits from.
func (r *run) foreignBase(key string) string {
	for _, k := range r.linear(key) {
		for _, b := range r.bases(k) {
			if b.kind == aForeign {
				return b.key
			}
		}
	}
	return ""
}

// javaMember is x.f, x.f() or X::f.
func javaMember(r *run, f *file, e *code.Expr, i int32) []value {
	xs := r.expr(f, e.X)
	call, reference := r.callOf(f, i), e.Text == methodReference
	called := call > 0
	var out []value
	for _, x := range xs {
		r.want = others
		if called || reference {
			r.want = callables
		}
		vs := r.memberOf(f, x, e.Name)
		if x.kind == aColl {
			vs = collectionMember(x, e.Name)
		}
		if x.kind == aFunc && x.key == "" && javaCombines[e.Name] && len(vs) == 0 {
			vs = []value{{kind: aForeign, key: "<function>." + e.Name, fn: x.fn}}
		}
		if reference {
			vs = javaReference(r, x, e.Name, vs)
		}
		if k := f.Exprs[e.X].Kind; (k == code.SelfExpr || k == code.SuperExpr) && len(vs) > 0 {
			vs = bySelf(vs)
		}
		if len(vs) == 0 && x.kind == anInst {
			vs = r.declaredOutside(x, e.Name)
		}
		if len(vs) == 0 && x.kind == anInst && e.Name == "start" && called && lastName(r.foreignBase(x.key)) == "Thread" {
			vs = r.instMember(x, "run")
		}
		if len(vs) == 0 && x.kind == anInst {
			if base := r.foreignBase(x.key); base != "" {
				vs = []value{{kind: aForeign, key: base + "." + e.Name}}
			} else if javaOfObject[e.Name] {
				vs = []value{{kind: aForeign, key: "java.lang.Object." + e.Name}}
			}
		}
		if len(vs) == 0 && x.kind == aType && called && (e.Name == "values" || e.Name == "valueOf") {
			vs = []value{{kind: aForeign, key: x.key + "." + e.Name}}
		}
		out = add(out, vs...)
	}
	if len(out) == 0 && len(xs) == 0 {
		if name := dotted(f, e.X); name != "" {
			out = javaQualified(r, f, name+"."+e.Name)
		}
	}
	if len(out) == 0 && called && len(xs) == 0 && javaOfObject[e.Name] {
		return []value{{kind: aForeign, key: "java.lang.Object." + e.Name}}
	}
	if called {
		return r.overload(f, call, out)
	}
	return out
}

// javaOfObject are methods that every object has.
var javaOfObject = map[string]bool{
	"equals": true, "hashCode": true, "toString": true, "getClass": true, "notify": true, "notifyAll": true, "wait": true, "clone": true,
	"name": true, "ordinal": true, "compareTo": true,
}

// javaReference is a method named through a type or an instance: Foo::new is its
// constructors, and a method of an instance may be that of a type below.
func javaReference(r *run, x value, name string, found []value) []value {
	if x.kind != aType {
		return found
	}
	if name == "new" {
		var out []value
		for _, s := range r.own(x.key, lastName(x.key)) {
			if s.sym().Kind == code.Constructor {
				out = add(out, value{kind: aFunc, fn: s, rule: ByValue})
			}
		}
		if ids := r.p.symbols[x.key]; len(out) == 0 && len(ids) > 0 {
			return []value{{kind: aFunc, fn: ids[0], rule: ByValue}}
		}
		return out
	}
	if functional(found) && !found[0].fn.sym().Static {
		return r.instMember(value{kind: anInst, key: x.key}, name)
	}
	return found
}

// javaQualified is what a name with its package means.
func javaQualified(r *run, f *file, name string) []value {
	var out []value
	for _, s := range r.p.symbols[f.family+":"+name] {
		if r.want == callables && !s.sym().Kind.Callable() || r.want != callables && s.sym().Kind.Callable() {
			continue
		}
		out = add(out, r.symbolValue(s, ByQualified)...)
	}
	return out
}

// javaName is a name that nothing in the project has: a type of the library, if
// it is written as one.
func javaName(r *run, f *file, _ int32, name string) []value {
	if vs := r.exported("java:java.lang", name); len(vs) > 0 { // imported everywhere
		return ruled(vs, ByImport)
	}
	first, size := utf8.DecodeRuneInString(name)
	if !unicode.IsUpper(first) || len(name) > size && strings.IndexFunc(name, unicode.IsLower) < 0 {
		return nil
	}
	if javaLang[name] {
		return []value{{kind: aForeign, key: "java.lang." + name}}
	}
	var from []string
	for i := range f.Imports {
		if imp := &f.Imports[i]; imp.Name == "*" && !imp.Static {
			from = append(from, imp.Module)
		}
	}
	if len(from) == 1 { // it can be of nothing else
		name = from[0] + "." + name
	}
	return []value{{kind: aForeign, key: name}}
}

var javaLang = map[string]bool{
	"Object": true, "String": true, "Math": true, "System": true, "Integer": true, "Long": true, "Double": true, "Float": true, "Boolean": true,
	"Character": true, "Byte": true, "Short": true, "Number": true, "Thread": true, "Runnable": true, "Iterable": true, "Comparable": true,
	"CharSequence": true, "StringBuilder": true, "StringBuffer": true, "Class": true, "Enum": true, "Record": true, "Void": true, "Override": true,
	"Exception": true, "RuntimeException": true, "Throwable": true, "Error": true, "IllegalArgumentException": true,
	"IllegalStateException": true, "NullPointerException": true, "UnsupportedOperationException": true, "IndexOutOfBoundsException": true,
	"AutoCloseable": true, "InterruptedException": true, "ClassLoader": true, "Process": true, "Runtime": true, "ThreadLocal": true,
	"ArithmeticException": true, "ClassCastException": true, "CloneNotSupportedException": true, "NumberFormatException": true,
}

// javaCall is what a call gives. Calling a record's component gives what it is.
func javaCall(r *run, f *file, e *code.Expr) []value {
	out := r.called(f, e)
	for _, v := range r.expr(f, e.X) {
		switch {
		case v.kind == anInst || v.kind == aForeignI:
			out = add(out, v)
		case v.kind == aForeign && strings.HasPrefix(v.key, "java:"): // of an enum
			one := value{kind: anInst, key: parentKey(v.key), rule: ByReceiver}
			if lastName(v.key) == "valueOf" {
				out = add(out, one)
			} else {
				out = add(out, value{kind: aForeignI, key: listKey, args: argsOf([]value{one})})
			}
		}
	}
	return out
}

// argsOf are type arguments that stand for values.
func argsOf(vs []value) *typeArgs {
	const name = "T"
	var f *file
	for _, v := range vs {
		if v.fn.f != nil {
			f = v.fn.f
		}
	}
	if f == nil {
		f = &file{File: &code.File{Scopes: []code.Scope{{Parent: code.None, Symbol: code.None}}}, lang: &language{}}
	}
	return &typeArgs{nodes: []typeNode{{name: name}}, f: f, env: env{name: vs}}
}

// javaElement and javaSame are methods of collections by what they give, beside
// those that many languages have.
var (
	javaElement = wordSet(`computeIfPresent compute merge getOrDefault element pollFirst pollLast peekFirst peekLast removeFirst removeLast getValue`)
	javaSame    = wordSet(`entrySet toArray descendingSet descendingIterator subList listIterator headMap tailMap takeWhile dropWhile or`)
)

// javaForeignCall is what comes out of the library's collections and streams.
func javaForeignCall(r *run, f *file, e *code.Expr, v value) ([]value, bool) {
	name := lastName(v.key)
	if vs, ok := outOf(r, v, javaElement, javaSame); ok {
		return vs, true
	}
	if v.fn.f != nil && javaCombines[name] { // runs both
		out := []value{{kind: aFunc, fn: v.fn, rule: ByValue}}
		for _, a := range e.Args {
			out = add(out, byValue(functionsOf(r.expr(f, a)))...)
		}
		return out, true
	}
	switch name {
	case "map", "flatMap", "mapToObj", "thenApply", "thenCompose", "supplyAsync", "submit", "collectingAndThen", "computeIfAbsent":
		var out []value
		for _, a := range e.Args {
			for _, fn := range r.expr(f, a) {
				if fn.kind == aFunc {
					out = add(out, r.gives(fn.fn)...)
				}
			}
		}
		if len(out) == 0 {
			return nil, false
		}
		switch name {
		case "computeIfAbsent":
			return out, true
		case "flatMap", "thenCompose":
			return out, true
		}
		return []value{{kind: aForeignI, key: "Stream", args: argsOf(out)}}, true
	case "of", "asList", "ofNullable", "singletonList", "copyOf", "completedFuture":
		var out []value
		for _, a := range e.Args {
			out = add(out, r.expr(f, a)...)
		}
		if len(out) == 0 || v.args != nil {
			return nil, false
		}
		if len(out) > maxValues {
			out = out[:maxValues]
		}
		return []value{{kind: aForeignI, key: "List", args: argsOf(out)}}, true
	case "entrySet", "keySet", "entry", "peek", "findFirst", "findAny", "toArray", "descendingSet", "subList", "listIterator", "boxed", "sequential", "parallel", "takeWhile", "dropWhile", "filterNot", "or":
		if v.args != nil {
			return []value{{kind: aForeignI, key: parentKey(v.key), args: v.args}}, name != "keySet" && name != "peek"
		}
	case "getValue":
		if v.args != nil {
			return r.elements([]value{{kind: aForeignI, key: parentKey(v.key), args: v.args}}), true
		}
	case "get", "call", "join", "getKey", "apply":
		if v.args != nil && name != "getKey" {
			return r.elements([]value{{kind: aForeignI, key: parentKey(v.key), args: v.args}}), true
		}
	}
	if v.args == nil && v.f == nil { // whatever it is, it is of the library
		return []value{{kind: aForeignI, key: v.key + "()"}}, true
	}
	return nil, false
}

// javaNumbers are primitive types by how much they hold.
var javaNumbers = map[string]int{"byte": 1, "short": 2, "char": 2, "int": 3, "long": 4, "float": 5, "double": 6}

var javaBoxes = map[string]string{
	"Integer": "int", "Long": "long", "Double": "double", "Float": "float", "Boolean": "boolean", "Character": "char", "Byte": "byte", "Short": "short",
}

// javaSameType compares types of the library by name: 1 the same, 0 may fit, -1
// cannot.
func javaSameType(have, want string) int {
	if b, ok := javaBoxes[have]; ok {
		have = b
	}
	boxed := javaBoxes[want] != ""
	if b, ok := javaBoxes[want]; ok {
		want = b
	}
	switch {
	case have == want && have != "null":
		return 1
	case have == "null":
		if javaNumbers[want] > 0 && !boxed || want == "boolean" && !boxed {
			return -1
		}
		return 0
	case javaNumbers[have] > 0 && javaNumbers[want] > 0:
		if javaNumbers[have] > javaNumbers[want] || boxed {
			return -1
		}
		return 0
	}
	primitive := func(n string) bool { return javaNumbers[n] > 0 || n == "boolean" || n == "String" }
	if primitive(have) && primitive(want) {
		return -1
	}
	if primitive(have) && (want == listKey || want == mapKey) || primitive(want) && want != "String" && !primitive(have) {
		return -1
	}
	return 0
}
