package resolve

import (
	"maps"
	"slices"

	"chitta/internal/code"
)

// use is where a function that is written in place, or named, stands.
type use struct {
	call    int32 // it is the arg-th argument of this call
	arg     int
	scope   int32 // it is the value of this binding
	binding int32
	symbol  int32 // it is the value of this field, or a result of this function
	cast    int32 // it is cast at this expression
	kind    useKind
}

type useKind uint8

const (
	noUse useKind = iota
	asArgument
	asBinding
	asField
	asResult
	asCast
)

// usesOf finds where each expression of a file stands, for those that may be
// functions.
func (r *run) usesOf(f *file) map[int32]use {
	if u, ok := r.uses[f]; ok {
		return u
	}
	out := map[int32]use{}
	var put func(i int32, u use)
	put = func(i int32, u use) {
		if i <= 0 || int(i) >= len(f.Exprs) || out[i].kind != noUse {
			return
		}
		switch e := &f.Exprs[i]; e.Kind {
		case code.FuncExpr, code.MemberExpr, code.NameExpr:
			out[i] = u
		case code.EitherExpr:
			for _, a := range e.Args {
				put(a, u)
			}
		case code.AssignExpr, code.DerefExpr:
			put(e.X, u)
		}
	}
	for i := range f.Exprs {
		switch e := &f.Exprs[i]; e.Kind {
		case code.CallExpr, code.NewExpr:
			for n, a := range e.Args {
				put(a, use{kind: asArgument, call: int32(i), arg: n})
			}
		case code.TypedExpr:
			put(e.X, use{kind: asCast, cast: int32(i)})
		}
	}
	for s := range f.Scopes {
		for b := range f.Scopes[s].Bindings {
			put(f.Scopes[s].Bindings[b].Value, use{kind: asBinding, scope: int32(s), binding: int32(b)})
		}
	}
	for i := range f.Symbols {
		put(f.Symbols[i].Value, use{kind: asField, symbol: int32(i)})
		for _, e := range f.Symbols[i].Results {
			put(e, use{kind: asResult, symbol: int32(i)})
		}
	}
	if r.uses == nil {
		r.uses = map[*file]map[int32]use{}
	}
	r.uses[f] = out
	return out
}

// expected is the type that a function is wanted as at its place.
func (r *run) expected(f *file, u use) []value {
	switch u.kind {
	case asBinding:
		b := &f.Scopes[u.scope].Bindings[u.binding]
		if b.Type == "" { // set again: as it was declared
			for _, n := range f.named(u.scope, b.Name) {
				if d := &f.Scopes[u.scope].Bindings[n]; d.Type != "" {
					b = d
					break
				}
			}
		}
		return r.typeOrNone(f, u.scope, b.Type)
	case asField:
		return r.typeOrNone(f, r.scopeOf(id{f, u.symbol}), f.Symbols[u.symbol].Type)
	case asResult:
		return r.typeOrNone(f, r.inner(id{f, u.symbol}), f.Symbols[u.symbol].Returns)
	case asCast:
		e := &f.Exprs[u.cast]
		return r.typeOrNone(f, e.Scope, e.Name)
	case asArgument:
		return r.expectedArgument(f, &f.Exprs[u.call], u.arg)
	}
	return nil
}

func (r *run) typeOrNone(f *file, scope int32, text string) []value {
	if text == "" {
		return nil
	}
	return r.typeText(f, scope, text)
}

// handedOn is the type of a function that something outside is given: its
// arguments are those of what it is a member of.
const handedOn = "<handed on>"

// expectedArgument is the type of a parameter of what is called.
func (r *run) expectedArgument(f *file, e *code.Expr, arg int) []value {
	var out []value
	for _, v := range r.callee(f, e) {
		switch v.kind {
		case aFunc:
			out = add(out, r.expectedBy(f, e, v, arg)...)
		case aForeign:
			if v.f != nil { // a collection of functions
				out = add(out, value{kind: aForeignI, key: handedOn, args: argsOf(r.elements([]value{{kind: aColl, f: v.f, expr: v.expr, args: v.args}}))})
				continue
			}
			if v.args != nil {
				out = add(out, value{kind: aForeignI, key: handedOn, args: v.args})
			}
		case aType, anInst:
			if v.kind == anInst && e.Kind != code.NewExpr {
				continue
			}
			for _, t := range r.constructors(f, e, v.key) {
				if t.s.sym().Kind == code.Constructor {
					out = add(out, r.expectedBy(f, e, value{kind: aFunc, fn: t.s, args: v.args}, arg)...)
				}
			}
		}
	}
	return out
}

// expectedBy is the type of a function's parameter where its generic names are
// known from the other arguments.
func (r *run) expectedBy(f *file, e *code.Expr, v value, arg int) []value {
	sym, skip := v.fn.sym(), 0
	if f.lang.skipsReceiver != nil {
		skip = f.lang.skipsReceiver(r, f, e, v.fn)
	}
	param := r.paramOf(sym, e, arg, skip)
	if param < 0 || !takes(sym, e, f) && skip == 0 {
		return nil
	}
	known := r.typeEnv(value{key: parentKey(v.fn.f.keys[v.fn.i]), args: v.args})
	if known == nil {
		known = env{}
	}
	r.explicit(f, e, v, known)
	for i, a := range e.Args {
		n := r.paramOf(sym, e, i, skip)
		if i == arg || n < 0 || a <= 0 || f.Exprs[a].Kind == code.FuncExpr {
			continue
		}
		r.learn(known, sym.TypeParams, r.parsed(v.fn.f, sym.Params[n].Type), r.expr(f, a))
	}
	if skip > 0 && e.X > 0 && len(sym.Params) > 0 {
		r.learn(known, sym.TypeParams, r.parsed(v.fn.f, sym.Params[0].Type), r.expr(f, f.Exprs[e.X].X))
	}
	return r.typeIn(v.fn.f, r.inner(v.fn), r.parsed(v.fn.f, sym.Params[param].Type), known)
}

// learn notes what a generic name stands for when a value is passed for a type
// that it stands in: T, or List<T>.
func (r *run) learn(known env, names []string, want typeNode, have []value) {
	switch {
	case len(have) == 0:
	case slices.Contains(names, want.name):
		known[want.name] = have
	case len(want.args) > 0:
		if last := want.args[len(want.args)-1].name; slices.Contains(names, last) {
			var vs []value
			for _, v := range have {
				if v.kind == aFunc { // what it gives
					vs = add(vs, r.gives(v.fn)...)
				} else {
					vs = add(vs, r.elements([]value{v})...)
				}
			}
			if len(vs) > 0 {
				known[last] = vs
			}
		}
	}
}

// gives is what a function or constructor gives, wherever it is called.
func (r *run) gives(s id) []value {
	switch sym := s.sym(); {
	case sym.Kind == code.Constructor:
		return []value{{kind: anInst, key: parentKey(s.f.keys[s.i]), exact: true, rule: ByReceiver}}
	case sym.Kind.Type():
		return []value{{kind: anInst, key: s.f.keys[s.i], exact: true, rule: ByReceiver}}
	}
	return r.result(s)
}

// untypedParam is what a parameter of a lambda may be: the type that is wanted
// where the lambda stands says it.
func untypedParam(r *run, s id, param int) []value {
	if s.sym().Kind != code.Lambda || r.binding.has(bindingAt{s.f, -1, s.i}) {
		return nil
	}
	r.binding.add(bindingAt{s.f, -1, s.i})
	defer r.binding.done()
	var out []value
	for _, e := range r.placesOf(s.f)[s.i] {
		for _, t := range r.expected(s.f, r.usesOf(s.f)[e]) {
			out = add(out, r.paramOfType(t, param, len(s.sym().Params))...)
		}
	}
	return ruled(out, ByReceiver)
}

// placesOf finds the expressions that are a file's lambdas, by symbol.
func (r *run) placesOf(f *file) map[int32][]int32 {
	if p, ok := r.places[f]; ok {
		return p
	}
	out := map[int32][]int32{}
	for i := range f.Exprs {
		if e := &f.Exprs[i]; e.Kind == code.FuncExpr {
			out[e.Ref] = append(out[e.Ref], int32(i))
		}
	}
	if r.places == nil {
		r.places = map[*file]map[int32][]int32{}
	}
	r.places[f] = out
	return out
}

// paramOfType is the n-th parameter of a function of the type.
func (r *run) paramOfType(t value, n, of int) []value {
	if t.kind == anInst {
		m, ok := r.onlyMethod(t.key)
		if !ok || n >= len(m.sym().Params) {
			return nil
		}
		known := r.typeEnv(t)
		return r.typeIn(m.f, r.inner(m), r.parsed(m.f, m.sym().Params[n].Type), known)
	}
	if t.kind != aForeignI || t.args == nil || len(t.args.nodes) == 0 {
		return nil
	}
	nodes := t.args.nodes
	if t.key == handedOn && of != len(nodes) {
		n = len(nodes) - 1 // the elements of what it is handed to
	}
	return r.typeIn(t.args.f, t.args.scope, nodes[min(n, len(nodes)-1)], t.args.env)
}

// onlyMethod is the method that a function is called through when it is used as
// an instance of the interface, or the delegate itself.
func (r *run) onlyMethod(key string) (id, bool) {
	for _, s := range r.p.symbols[key] {
		if s.sym().Kind == code.TypeAlias {
			return s, true
		}
	}
	var found id
	for _, k := range r.linear(key) {
		for _, s := range r.p.symbols[k] {
			if s.sym().Kind != code.Interface || s.sym().Scope == code.None {
				continue
			}
			for _, b := range s.f.Scopes[s.sym().Scope].Bindings {
				if b.Kind == code.Defines && s.f.Symbols[b.Ref].Abstract && s.f.Symbols[b.Ref].Kind == code.Method {
					if found.f != nil && found.sym().Name != b.Name {
						return id{}, false
					}
					found = id{s.f, b.Ref}
				}
			}
		}
	}
	return found, found.f != nil
}

// lambdasAs are the functions of the project that are used as instances of an
// interface.
func lambdasAs(r *run, key string) []value {
	if r.asType == nil {
		r.asType = map[string][]value{}
		found := map[string][]value{}
		for _, path := range r.p.paths() {
			f := r.p.files[path]
			if f.lang.lambdas == nil {
				continue
			}
			r.collectLambdas(f, found)
		}
		r.asType = found
		r.unlearn() // what was worked out on the way knew nothing of them
		clear(r.results)
	}
	if vs := r.asType[key]; len(vs) <= maxValues {
		return vs
	}
	return nil
}

func (r *run) collectLambdas(f *file, found map[string][]value) {
	uses := r.usesOf(f)
	for _, i := range slices.Sorted(maps.Keys(uses)) {
		e, u := &f.Exprs[i], uses[i]
		if e.Kind != code.FuncExpr && (e.Kind != code.MemberExpr || e.Text != methodReference) {
			continue
		}
		for _, t := range r.expected(f, u) {
			if t.kind != anInst {
				continue
			}
			for _, v := range r.expr(f, i) {
				if v.kind == aFunc {
					v.key, v.rule = "", ByImplementor
					found[t.key] = add(found[t.key], v)
				}
			}
		}
	}
}

// methodReference marks members that are named as methods (see extract).
const methodReference = "::"

// functionMember is what a member of a function is: the method that it is called
// through is the function itself.
func functionMemberOf(r *run, x value, name string, others map[string]bool) []value {
	if x.key == "" {
		if others[name] {
			return nil
		}
		x.rule = ByValue
		return []value{x}
	}
	if m, ok := r.onlyMethod(x.key); ok && (m.sym().Name == name || m.sym().Kind == code.TypeAlias) {
		x.rule = ByValue
		return []value{x}
	}
	return r.instMember(value{kind: anInst, key: x.key, args: x.args}, name)
}
