package resolve

import (
	"slices"
	"strconv"
	"strings"

	"chitta/internal/code"
)

// run works expressions out between two changes of the project: everything it
// finds stays true until then, so it is kept.
type run struct {
	p       *Project
	exprs   map[exprAt][]value
	busy    map[exprAt]bool
	binding map[bindingAt]bool // being worked out
	tried   map[exprAt]int     // how often one question asked in vain
	results map[id][]value
	inCall  map[id]bool
	linears map[string][]string
	supers  map[string][]value
	apart   map[string][]heritage
	opening map[string]bool    // exports being looked up, against circles
	offers  map[string][]value // what modules export
	subs    map[string][]string
	subsOK  bool
	impls   map[string][]string
	adopted map[string][]id
	// converted are the functions that are made instances of a type
	converted map[string][]value
	// cargos are the manifests of Rust's packages
	cargos map[string]cargo
	// settings are the places that give values to fields and variables
	settings map[string][]setting
	// uses, places and asType tell where functions written in place stand
	uses       map[*file]map[int32]use
	places     map[*file]map[int32][]int32
	asType     map[string][]value
	callees    map[*file]map[int32]int32
	found      map[memberAt][]id // members that were looked for
	replaced   map[overrideAt][]value
	climbing   int // questions for what is above or below types that are open
	types      map[*file]map[int32]bool
	namespaces map[string]bool
	ours       map[*code.Import]bool
	global     []id   // imports that hold in all files
	want       wanted // which of a name's meanings the text can only mean
	depth      int
	passed     []passing // what the file at hand passes to functions
	script     *scriptRun
	cpp        *cppRun
	extends    map[string][]string // classes by the modules that extend them (Ruby)
	asked      map[rubyAsk]rubyAnswer
	aliasing   int // names being followed to what they stand for
	// installed are Python's modules by the name that they have from their
	// outermost package on; put is what is put into collections, keyed are the
	// names that things are looked up by
	installed map[string]string
	put       map[exprAt][]exprAt
	keyed     map[*file]map[string]bool
	items     map[itemAt][]value
	asking    map[itemAt]bool // items being looked up, against circles
}

type exprAt struct {
	f *file
	i int32
}

type bindingAt struct {
	f        *file
	scope, i int32
}

func newRun(p *Project) *run {
	return &run{
		p: p, exprs: map[exprAt][]value{}, busy: map[exprAt]bool{}, tried: map[exprAt]int{}, binding: map[bindingAt]bool{},
		results: map[id][]value{}, inCall: map[id]bool{}, linears: map[string][]string{}, supers: map[string][]value{},
		impls: map[string][]string{}, opening: map[string]bool{}, offers: map[string][]value{},
		items: map[itemAt][]value{}, asking: map[itemAt]bool{},
	}
}

// forget drops what depends on the values that calls pass on; what types and
// packages are stays.
func (r *run) forget() {
	clear(r.exprs)
	clear(r.results)
	clear(r.asked)
	if r.script != nil {
		clear(r.script.roots)
		clear(r.script.spread)
	}
	r.put = nil
	clear(r.offers)
	clear(r.items)
}

// maxTries bounds how often one question asks an expression within circles that
// gives nothing: names that are set from each other would take for ever.
const maxTries = 3

// maxDepth bounds how far one question leads to others.
const maxDepth = 60

// expr is what an expression may be.
func (r *run) expr(f *file, i int32) []value {
	if i <= 0 || int(i) >= len(f.Exprs) {
		return nil
	}
	at := exprAt{f, i}
	if vs, ok := r.exprs[at]; ok {
		return vs
	}
	if r.busy[at] || r.depth > maxDepth || r.tried[at] >= maxTries {
		return nil
	}
	r.busy[at] = true
	r.depth++
	want := r.want
	r.want = anything
	vs := r.work(f, &f.Exprs[i], i)
	r.want = want
	r.depth--
	delete(r.busy, at)
	if len(vs) > maxValues {
		vs = vs[:maxValues]
	}
	if len(r.binding) == 0 && len(r.inCall) == 0 || len(vs) > 0 {
		r.exprs[at] = vs // an empty answer within a circle may be another outside of it
	} else {
		r.tried[at]++
	}
	return vs
}

func (r *run) work(f *file, e *code.Expr, i int32) []value {
	if f.lang.special != nil {
		if vs, ok := f.lang.special(r, f, e, i); ok {
			return vs
		}
	}
	switch e.Kind {
	case code.NameExpr:
		return r.lookup(f, e.Scope, e.Name, e.At)
	case code.SelfExpr:
		return r.self(f, e.Scope)
	case code.SuperExpr:
		return r.super(f, e.Scope)
	case code.MemberExpr:
		return r.membersOf(f, e)
	case code.CallExpr:
		return r.called(f, e)
	case code.NewExpr:
		return r.made(f, e)
	case code.FuncExpr:
		if f.Symbols[e.Ref].Kind.Type() { // a class written in place
			return []value{{kind: aType, key: f.keys[e.Ref], rule: ByValue}}
		}
		return []value{{kind: aFunc, fn: id{f, e.Ref}, rule: ByValue}}
	case code.TypedExpr:
		return r.typeText(f, e.Scope, e.Name)
	case code.ConstExpr:
		return []value{{kind: aForeignI, key: "<builtin>." + e.Name}}
	case code.ListExpr, code.DictExpr, code.TupleExpr:
		return []value{{kind: aColl, f: f, expr: i}}
	case code.IndexExpr:
		return r.indexed(f, e)
	case code.EitherExpr:
		var out []value
		for _, a := range e.Args {
			out = add(out, r.expr(f, a)...)
		}
		return out
	case code.AwaitExpr:
		return r.awaited(r.expr(f, e.X))
	case code.DerefExpr, code.AssignExpr:
		return r.expr(f, e.X)
	case code.SpreadExpr:
		return r.elements(r.expr(f, e.X))
	}
	return nil
}

// membersOf is X.Name.
func (r *run) membersOf(f *file, e *code.Expr) []value {
	var out []value
	xs := r.expr(f, e.X)
	for _, x := range xs {
		vs := r.memberOf(f, x, e.Name)
		if k := f.Exprs[e.X].Kind; (k == code.SelfExpr || k == code.SuperExpr) && len(vs) > 0 {
			vs = ruled(vs, BySelf)
		}
		out = add(out, vs...)
	}
	if len(out) == 0 && f.lang.unknownMember != nil {
		return f.lang.unknownMember(xs, e.Name)
	}
	return out
}

// memberOf is the member of a value.
func (r *run) memberOf(f *file, x value, name string) []value {
	switch x.kind {
	case aModule:
		return ruled(r.exported(x.key, name), ByQualified)
	case aType:
		if vs := r.typeMember(x, name); len(vs) > 0 {
			return ruled(vs, ByQualified)
		}
	case anInst:
		return r.instMember(x, name)
	case aForeign:
		return []value{{kind: aForeign, key: x.key + "." + name}}
	case aForeignI:
		return r.foreignMember(f, x, name)
	case aColl:
		return r.collMember(f, x, name)
	case aSeq:
		return []value{{kind: aForeign, key: "<builtin>.list." + name, fn: x.fn, expr: x.expr}}
	case aFunc:
		if f.lang.functionMember != nil {
			return f.lang.functionMember(r, f, x, name)
		}
	}
	return nil
}

// typeMember is what a type itself has: static members, nested types, and
// methods named through it.
func (r *run) typeMember(x value, name string) []value {
	var out []value
	for _, s := range r.member(x.key, name) {
		out = add(out, r.symbolValue(s, ByQualified)...)
	}
	return out
}

// instMember is what an instance has. A method of an interface, or one that
// types below have as well, may be any of theirs.
func (r *run) instMember(x value, name string) []value {
	found := r.member(x.key, name)
	var out []value
	for _, s := range found {
		switch sym := s.sym(); {
		case s.f.lang.getter != nil && s.f.lang.getter(s):
			return r.result(s)
		case sym.Kind.Callable():
			out = add(out, value{kind: aFunc, fn: s, rule: ByReceiver, args: r.argsAt(x, s)})
		case sym.Kind == code.Field || sym.Kind == code.Variable || sym.Kind == code.Constant:
			out = add(out, r.bound(s, value{kind: anInst, key: x.key, exact: x.exact, args: r.argsAt(x, s)})...)
		default:
			out = add(out, r.symbolValue(s, ByReceiver)...)
		}
	}
	if x.exact && !allAbstract(out) {
		return out
	}
	return r.dispatched(out, x, name)
}

// bound is what a field holds in an instance: its generic names stand for the
// instance's arguments.
func (r *run) bound(s id, x value) []value {
	if vs := r.generic(s, s.sym().Type, x); len(vs) > 0 {
		return vs
	}
	return ruled(r.fieldValue(s), ByValue)
}

// called is what a call gives.
func (r *run) called(f *file, e *code.Expr) []value {
	var out []value
	for _, v := range r.expr(f, e.X) {
		switch v.kind {
		case aFunc:
			out = add(out, r.resultOf(f, e, v)...)
		case aType:
			out = add(out, value{kind: anInst, key: v.key, exact: true, args: v.args, rule: ByReceiver})
		case aForeign:
			out = add(out, r.foreignResult(f, e, v)...)
		case aFuncType:
			out = add(out, r.typeIn(v.args.f, v.args.scope, v.args.nodes[0], v.args.env)...)
		case anInst:
			for _, m := range r.callOperator(f, v) {
				out = add(out, r.resultOf(f, e, m)...)
			}
			if f.lang.functional != nil && f.lang.functional(r, v) {
				out = add(out, r.declaredResult(v)...)
			}
		}
	}
	return out
}

// declaredResult is what calling an instance of a type gives that is declared
// as a function.
func (r *run) declaredResult(x value) []value {
	for _, s := range r.p.symbols[x.key] {
		if n := r.parsed(s.f, s.sym().Type); n.name == funcKey && len(n.args) > 0 {
			return r.typeIn(s.f, r.inner(s), n.args[0], r.typeEnv(x))
		}
	}
	return nil
}

// callOperator is what runs when an instance is called like a function.
func (r *run) callOperator(f *file, v value) []value {
	if f.lang.callable != nil {
		return f.lang.callable(r, v)
	}
	if f.lang.callOperator == "" {
		return nil
	}
	var out []value
	for _, s := range r.member(v.key, f.lang.callOperator) {
		out = add(out, value{kind: aFunc, fn: s, rule: ByReceiver})
	}
	return out
}

// made is a new instance.
func (r *run) made(f *file, e *code.Expr) []value {
	var out []value
	for _, v := range r.newType(f, e) {
		switch v.kind {
		case aType:
			out = add(out, value{kind: anInst, key: v.key, exact: true, args: v.args, rule: ByReceiver})
		case anInst:
			v.exact = true
			out = add(out, v)
		case aForeign:
			out = add(out, value{kind: aForeignI, key: v.key, args: v.args})
		case aForeignI:
			out = add(out, v)
		case aFunc: // a function used as a constructor
			out = add(out, value{kind: anInst, key: v.fn.f.keys[v.fn.i], exact: true, rule: ByReceiver})
		}
	}
	return out
}

// newType is the type that a NewExpr makes an instance of.
func (r *run) newType(f *file, e *code.Expr) []value {
	if e.X > 0 {
		return r.expr(f, e.X)
	}
	return r.typeText(f, e.Scope, e.Name)
}

// resultOf is what calling a function gives, at a place where its arguments are
// known.
func (r *run) resultOf(f *file, e *code.Expr, v value) []value {
	sym := v.fn.sym()
	if sym.Kind == code.Constructor {
		return []value{{kind: anInst, key: parentKey(v.fn.f.keys[v.fn.i]), exact: true, rule: ByReceiver}}
	}
	if slices.Contains(v.fn.f.lang.selfTypes, sym.Returns) { // what it is called on
		if vs := (argument{f: f, e: e}).on(r, v.fn); len(vs) > 0 {
			return vs
		}
	}
	if sym.Kind.Type() { // a type that is used as its constructor
		return []value{{kind: anInst, key: v.fn.f.keys[v.fn.i], exact: true, rule: ByReceiver}}
	}
	if sym.Returns != "" {
		if vs := r.genericResult(f, e, v); len(vs) > 0 {
			if f.lang.narrow != nil {
				return f.lang.narrow(r, vs, r.bodyGives(v.fn))
			}
			if f.lang.yields != nil && r.anyFunction(v.fn, vs) {
				return add(slices.Clone(vs), functionsOf(r.bodyGives(v.fn))...)
			}
			noColl := func(v value) bool { return v.kind != aForeignI }
			if f.lang.dynamic && r.anyFunction(v.fn, vs) && !known(r.elements(slices.DeleteFunc(slices.Clone(vs), noColl))) {
				return add(slices.Clone(vs), r.bodyGives(v.fn)...)
			}
			return vs
		}
		if f.lang.narrow != nil {
			return f.lang.narrow(r, r.result(v.fn), r.bodyGives(v.fn))
		}
	}
	if f.lang.dynamic {
		return r.resultWith(v.fn, r.arguments(f, e, v.fn))
	}
	return r.result(v.fn)
}

// bodyGives is what a function's body returns, whatever it declares; nothing if
// part of that is not known.
func (r *run) bodyGives(s id) []value {
	if r.inCall[s] || r.depth > maxDepth {
		return nil
	}
	r.inCall[s] = true
	defer delete(r.inCall, s)
	var out []value
	for _, e := range s.sym().Results {
		vs := r.expr(s.f, e)
		if len(vs) == 0 || r.isParameter(s.f, e) {
			return nil
		}
		out = add(out, vs...)
	}
	return out
}

// isParameter says that an expression is what a call passes in: what that is
// differs from call to call.
func (r *run) isParameter(f *file, i int32) bool {
	e := &f.Exprs[i]
	switch e.Kind {
	case code.EitherExpr:
		return slices.ContainsFunc(e.Args, func(a int32) bool { return a > 0 && r.isParameter(f, a) })
	case code.DerefExpr, code.AssignExpr, code.TypedExpr:
		return e.X > 0 && r.isParameter(f, e.X)
	case code.NameExpr:
		for s := e.Scope; s != code.None; s = f.Scopes[s].Parent {
			for _, n := range f.names[nameAt{s, e.Name}] {
				if f.Scopes[s].Bindings[n].Kind == code.Takes {
					return true
				}
			}
		}
	}
	return false
}

// result is what a function gives, wherever it is called.
func (r *run) result(s id) []value {
	if vs, ok := r.results[s]; ok {
		return vs
	}
	if r.inCall[s] || r.depth > maxDepth {
		return nil
	}
	r.inCall[s] = true
	sym := s.sym()
	var out []value
	if sym.Returns != "" {
		out = r.typeText(s.f, r.inner(s), sym.Returns)
	}
	if sym.Yields && s.f.lang.sequences && len(out) == 0 {
		out = []value{{kind: aSeq, fn: s}}
	} else if len(out) == 0 || r.anyFunction(s, out) {
		for _, e := range sym.Results {
			out = add(out, r.expr(s.f, e)...)
		}
	}
	delete(r.inCall, s)
	if len(out) > maxValues {
		out = out[:maxValues]
	}
	if len(r.inCall) == 0 || len(out) > 0 {
		r.results[s] = out
	}
	return out
}

// anyFunction says that a function's declared result is one of a type of
// functions, or has such a part: which one only its body says.
func (r *run) anyFunction(s id, declared []value) bool {
	for _, v := range declared {
		if v.kind == aFuncType {
			return true
		}
		if s.f.lang.functional != nil && s.f.lang.functional(r, v) {
			return true
		}
		if v.kind == aForeignI && v.args != nil && slices.ContainsFunc(v.args.nodes, func(n typeNode) bool { return n.name == funcKey }) {
			return true
		}
	}
	return false
}

// indexed is X[Key].
func (r *run) indexed(f *file, e *code.Expr) []value {
	name := e.Name
	if name == "" && len(e.Args) > 0 {
		if k := f.Exprs[max(e.Args[0], 0)]; k.Kind == code.ConstExpr {
			name = k.Text
		}
	}
	var out []value
	for _, x := range r.expr(f, e.X) {
		switch x.kind {
		case aColl:
			out = add(out, r.item(x, name)...)
		case aType, aForeign:
			out = add(out, x) // List[int], f[T]: the type with its arguments
		case aFunc:
			out = add(out, x)
		case aForeignI:
			if n, err := strconv.Atoi(name); err == nil && x.key == tupleKey {
				out = add(out, r.part([]value{x}, n+1)...)
				continue
			}
			out = add(out, r.elements([]value{x})...)
		default:
			out = add(out, r.elements([]value{x})...)
		}
	}
	return out
}

// item is what a list or dict holds under a key; everything that it holds when
// the key is not known.
func (r *run) item(x value, name string) []value {
	e := &x.f.Exprs[x.expr]
	if name != "" && e.Kind == code.DictExpr {
		var out []value
		for i, k := range e.Keys {
			if k == name && i < len(e.Args) {
				out = r.expr(x.f, e.Args[i]) // the last one holds
			}
		}
		if len(out) == 0 {
			out = r.unnamed(x, name)
		}
		if len(out) == 0 && x.f.lang.keyed != nil {
			out = x.f.lang.keyed(r, x, name)
		}
		return ruled(out, ByValue)
	}
	if n, err := strconv.Atoi(name); err == nil && e.Kind != code.DictExpr {
		if n < 0 {
			n += len(e.Args)
		} else {
			n += int(x.from)
		}
		if slices.ContainsFunc(e.Args, func(a int32) bool { return a > 0 && x.f.Exprs[a].Kind == code.SpreadExpr }) {
			return r.elements([]value{x})
		}
		if n >= 0 && n < len(e.Args) {
			return ruled(r.expr(x.f, e.Args[n]), ByValue)
		}
		if x.f.lang.puts != nil {
			return ruled(x.f.lang.puts(r, x), ByValue)
		}
		return nil
	}
	return r.elements([]value{x})
}

// unnamed is what a dict may hold under a name that none of its keys is: what is
// spread into it has it, or a key that is worked out is it.
func (r *run) unnamed(x value, name string) []value {
	e := &x.f.Exprs[x.expr]
	var out []value
	for i, k := range e.Keys {
		if k != "" || i >= len(e.Args) || e.Args[i] <= 0 {
			continue
		}
		if a := &x.f.Exprs[e.Args[i]]; a.Kind == code.SpreadExpr {
			for _, v := range r.expr(x.f, a.X) {
				out = add(out, r.spreadItem(x.f, v, name)...)
			}
			continue
		}
		out = add(out, r.expr(x.f, e.Args[i])...)
	}
	return out
}

// spreadItem is what a value has under a name when it is spread into a dict.
func (r *run) spreadItem(f *file, v value, name string) []value {
	if v.kind != aColl {
		if !f.lang.dictMembers {
			return nil
		}
		return r.memberOf(f, v, name)
	}
	known := r.scripts().spread
	at := spreadAt{v.f, v.expr, name}
	vs, ok := known[at]
	if !ok {
		known[at] = nil // an object that is spread into itself
		vs = r.item(v, name)
		known[at] = vs
	}
	return vs
}

// elements is what stands in a collection.
func (r *run) elements(xs []value) []value {
	if r.depth > maxDepth {
		return nil
	}
	r.depth++
	defer func() { r.depth-- }()
	var out []value
	for _, x := range xs {
		switch {
		case x.kind == aSeq:
			out = add(out, r.sequence(x)...)
		case x.kind == aColl:
			for _, a := range x.within() {
				out = add(out, r.expr(x.f, a)...)
			}
			if x.f.lang.puts != nil {
				out = add(out, x.f.lang.puts(r, x)...)
			}
		case x.kind == aFunc:
			if vs, ok := r.yielded(x); ok {
				out = add(out, vs...)
				continue
			}
			out = add(out, x) // one of those passed as the rest of the arguments
		case x.kind == aFuncType:
		case x.args != nil && len(x.args.nodes) > 0:
			last := x.args.nodes[len(x.args.nodes)-1]
			out = add(out, r.typeIn(x.args.f, x.args.scope, last, x.args.env)...)
		case x.kind == anInst:
			for _, m := range r.iterated(x) {
				out = add(out, m...)
			}
		}
	}
	return ruled(out, ByValue)
}

// yielded asks what a loop over a function gives.
func (r *run) yielded(x value) ([]value, bool) {
	if l := x.fn.f.lang; l.yields != nil {
		return l.yields(r, x)
	}
	return nil, false
}

// iterated asks a type for what a loop over an instance of it gives.
func (r *run) iterated(x value) [][]value {
	if s, ok := r.first(x.key); ok && s.f.lang.iterate != nil {
		return [][]value{s.f.lang.iterate(r, x)}
	}
	return nil
}

// first is the first symbol of a key: it tells the language.
func (r *run) first(key string) (id, bool) {
	if ids := r.p.symbols[key]; len(ids) > 0 {
		return ids[0], true
	}
	return id{}, false
}

// part is the n-th of several values, from 1.
func (r *run) part(xs []value, n int) []value {
	var out []value
	for _, x := range xs {
		switch {
		case x.kind == aColl:
			out = add(out, r.item(x, strconv.Itoa(n-1))...)
		case x.kind == aSeq:
			if x.f != nil && x.f.lang.pair != nil {
				out = add(out, x.f.lang.pair(r, x, n)...)
			}
		case x.kind == aForeignI && x.key == tupleKey && x.args != nil:
			if n <= len(x.args.nodes) {
				out = add(out, r.typeIn(x.args.f, x.args.scope, x.args.nodes[n-1], x.args.env)...)
			}
		case x.kind == anInst && len(r.p.symbols[x.key]) > 0 && r.p.symbols[x.key][0].f.lang.component != nil:
			out = add(out, r.p.symbols[x.key][0].f.lang.component(r, x, n)...)
		case n == 1 || x.kind == aForeignI && strings.HasSuffix(x.key, "()"):
			out = add(out, x) // value, err := …: of a type that is not several
		}
	}
	return ruled(out, ByValue)
}

// awaited is what a promise of values gives.
func (r *run) awaited(xs []value) []value {
	var out []value
	for _, x := range xs {
		if x.kind == aForeignI && x.args != nil && len(x.args.nodes) > 0 {
			out = add(out, r.typeIn(x.args.f, x.args.scope, x.args.nodes[0], x.args.env)...)
			continue
		}
		out = add(out, x)
	}
	return out
}

// decorated is a function as a value. A decorator of the project may put
// another function in its place.
func (r *run) decorated(s id, rule Rule) []value {
	plain := value{kind: aFunc, fn: s, rule: rule}
	sym := s.sym()
	if !s.f.lang.decorators || len(sym.Decorators) == 0 || r.inCall[s] {
		return []value{plain}
	}
	r.inCall[s] = true
	defer delete(r.inCall, s)
	out := []value{plain}
	for i := len(sym.Decorators) - 1; i >= 0; i-- { // the one nearest to the function first
		var next []value
		for _, d := range r.expr(s.f, sym.Decorators[i]) {
			switch d.kind {
			case aFunc:
				next = add(next, r.resultWith(d.fn, argument{function: out})...)
			case aType:
				next = add(next, value{kind: anInst, key: d.key, exact: true})
			}
		}
		if len(next) > 0 {
			out = ruled(next, ByValue)
		}
	}
	return out
}
