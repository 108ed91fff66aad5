package resolve

import (
	"chitta/internal/code"
)

// run works expressions out between two changes of the project: everything it
// finds stays true until then, so it is kept.
type run struct {
	p       *Project
	era     uint32          // of the answers that hold
	waiting open[exprAt]    // expressions being worked out
	busy    map[exprAt]bool // questions about expressions other than what they are
	binding open[bindingAt] // being worked out
	tried   map[exprAt]int  // how often one question asked in vain
	results map[id][]value
	inCall  open[id]
	// literals are values of the languages' own types by their names
	literals map[string][]value
	spare    answers // room for those of another file
	edges    []edge  // of the file at hand
	loose    []loose
	linears  map[string][]string
	supers   map[string][]value
	apart    map[string][]heritage
	opening  map[string]bool    // exports being looked up, against circles
	offers   map[string][]value // what modules export
	subs     map[string][]string
	subsOK   bool
	lower    map[string][]string // all that is below a type
	impls    map[string][]string
	adopted  map[string][]id
	// converted are the functions that are made instances of a type
	converted map[string][]value
	// cargos are the manifests of Rust's packages
	cargos map[string]cargo
	// settings are the places that give values to fields and variables
	settings map[inFamily][]setting
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
	reached    map[*code.Import][]string // units that imports name, where each time the same
	global     []id                      // imports that hold in all files
	want       wanted                    // which of a name's meanings the text can only mean
	depth      int
	aliases    aliases
	passed     []passing // what the file at hand passes to functions
	script     *scriptRun
	cpp        *cppRun
	extends    map[string][]string // classes by the modules that extend them (Ruby)
	asked      map[rubyAsk]rubyAnswer
	aliasing   int // names being followed to what they stand for
	// toAll are methods that traits of Rust give to all types
	toAll map[string][]id
	// installed are Python's modules by the name that they have from their
	// outermost package on; put is what is put into collections, keyed are the
	// names that things are looked up by
	installed map[string]string
	put       map[exprAt][]exprAt
	keyed     map[*file]map[string]bool
	items     map[itemAt][]value
	asking    map[itemAt]bool // items being looked up, against circles
	// resolving is the file at hand, reads are the collections that files asked
	resolving *file
	reads     map[heldRead]int
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
	r := &run{
		p: p, busy: map[exprAt]bool{}, tried: map[exprAt]int{},
		results: map[id][]value{}, literals: map[string][]value{}, linears: map[string][]string{}, supers: map[string][]value{},
		impls: map[string][]string{}, lower: map[string][]string{}, opening: map[string]bool{}, offers: map[string][]value{},
		items: map[itemAt][]value{}, asking: map[itemAt]bool{}, reached: map[*code.Import][]string{},
	}
	r.unlearn()
	return r
}

// forget drops what depends on the values that calls pass on; what types and
// packages are stays.
func (r *run) forget() {
	r.unlearn()
	clear(r.results)
	clear(r.asked)
	if r.script != nil {
		clear(r.script.roots)
		clear(r.script.spread)
	}
	r.put = nil
	r.converted = nil
	clear(r.offers)
	clear(r.items)
}

// maxTries bounds how often one question asks an expression within circles that
// gives nothing: names that are set from each other would take for ever.
const maxTries = 3

// fewTries is what is cheaper to clear than to make anew.
const fewTries = 64

// tryAnew forgets what was asked in vain.
func (r *run) tryAnew() {
	if len(r.tried) > fewTries {
		r.tried = map[exprAt]int{}
	}
	clear(r.tried)
}

// maxDepth bounds how far one question leads to others.
const maxDepth = 60

// expr is what an expression may be.
func (r *run) expr(f *file, i int32) []value {
	if i <= 0 || int(i) >= len(f.Exprs) {
		return nil
	}
	if vs, ok := r.memoOf(f).exprs.of(i); ok {
		return vs
	}
	at := exprAt{f, i}
	if r.depth > maxDepth || r.waiting.has(at) || r.tried[at] >= maxTries {
		return nil
	}
	r.waiting.add(at)
	r.depth++
	want := r.want
	r.want = anything
	vs := r.work(f, &f.Exprs[i], i)
	r.want = want
	r.depth--
	r.waiting.done()
	vs = atMost(vs)
	if len(r.binding) == 0 && len(r.inCall) == 0 || len(vs) > 0 {
		r.keep(&r.memoOf(f).exprs, i, len(f.Exprs), vs) // an empty answer within a circle may be another outside of it
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
		return r.literal(e.Name)
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

// literal is a value of one of the language's own types. They are many, so they
// are shared.
func (r *run) literal(name string) []value {
	vs, ok := r.literals[name]
	if !ok {
		vs = []value{{kind: aForeignI, key: "<builtin>." + name}}
		r.literals[name] = vs
	}
	return vs
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
		if s.f.lang.getter != nil && s.sym().Static && s.f.lang.getter(s) {
			out = add(out, r.result(s)...)
			continue
		}
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
		if s.f.lang.assigned != nil {
			return s.f.lang.assigned(r, s, vs)
		}
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

// decorated is a function as a value. A decorator of the project may put
// another function in its place.
func (r *run) decorated(s id, rule Rule) []value {
	return r.replacedBy(s, value{kind: aFunc, fn: s, rule: rule})
}

// replacedBy is what decorators put in the place of a function or class.
func (r *run) replacedBy(s id, plain value) []value {
	sym := s.sym()
	if !s.f.lang.decorators || len(sym.Decorators) == 0 || r.inCall.has(s) {
		return []value{plain}
	}
	r.inCall.add(s)
	defer r.inCall.done()
	out := []value{plain}
	for i := len(sym.Decorators) - 1; i >= 0; i-- { // the one nearest to the function first
		var next []value
		for _, d := range r.expr(s.f, sym.Decorators[i]) {
			switch d.kind {
			case aFunc:
				next = add(next, r.resultWith(d.fn, argument{function: out})...)
			case aType:
				next = add(next, value{kind: anInst, key: d.key, exact: true})
			case anInst:
				for _, m := range r.callOperator(s.f, d) {
					next = add(next, r.resultWith(m.fn, argument{function: out})...)
				}
			}
		}
		if len(next) > 0 {
			out = ruled(next, ByValue)
		}
	}
	return out
}
