package resolve

import (
	"slices"
	"strconv"

	"chitta/internal/code"
)

// sequence is what going over a sequence gives: what a function yields, or with
// expr 1 what it returns; a pair where the language knows such.
func (r *run) sequence(x value) []value {
	if x.key == pairsKey {
		x.key = pairKey
		return []value{x}
	}
	if x.key == elementsKey || x.key == secondsKey {
		return r.gone(x)
	}
	if x.fn.f == nil {
		return nil
	}
	if x.expr == seqOfResults {
		return r.result(x.fn)
	}
	if r.inCall.has(x.fn) || r.depth > maxDepth {
		return nil
	}
	r.inCall.add(x.fn)
	defer r.inCall.done()
	var out []value
	for _, e := range x.fn.sym().Results {
		out = add(out, r.expr(x.fn.f, e)...)
	}
	return out
}

// gone is what going over the value at an expression gives, or the second part
// of each. What is made of itself gives nothing more.
func (r *run) gone(x value) []value {
	at := itemAt{exprAt{x.f, x.expr}, x.key, 0, 0}
	vs, ok := r.items[at]
	if ok || r.asking[at] {
		return vs
	}
	r.asking[at] = true
	if vs = r.elements(r.expr(x.f, x.expr)); x.key == secondsKey {
		vs = r.part(vs, 2)
	}
	delete(r.asking, at)
	if len(r.asking) == 0 && len(r.binding) == 0 && len(r.inCall) == 0 || len(vs) > 0 {
		r.items[at] = vs
	}
	return vs
}

// within are the arguments that are part of a collection.
func (v *value) within() []int32 {
	args := v.f.Exprs[v.expr].Args
	if v.to > 0 && int(v.to) < len(args) {
		args = args[:v.to]
	}
	return args[min(int(v.from), len(args)):]
}

// Forms of sequences.
const (
	pairsKey     = "pairs"    // of pairs, which a call at expr of f makes
	pairKey      = "pair"     // one of them
	elementsKey  = "elements" // of what going over the value at expr of f gives
	secondsKey   = "seconds"  // of the second part of each of those
	seqOfResults = 1          // in expr: of what fn returns
)

// argument is what a call gives to the parameters of a function: those of a
// call in the text, or a function that is decorated.
type argument struct {
	f        *file
	e        *code.Expr
	skip     int
	function []value
}

// arguments are those of a call in the text.
func (r *run) arguments(f *file, e *code.Expr, fn id) argument {
	a := argument{f: f, e: e}
	if f.lang.skipsReceiver != nil {
		a.skip = f.lang.skipsReceiver(r, f, e, fn)
	}
	return a
}

// at is what is given to a parameter; false if nothing is.
func (a argument) at(r *run, sym *code.Symbol, param int) ([]value, bool) {
	if a.e == nil {
		return a.function, param == 0
	}
	for i := range a.e.Args {
		if r.paramOf(sym, a.e, i, a.skip) == param && a.e.Args[i] > 0 && a.f.Exprs[a.e.Args[i]].Kind != code.SpreadExpr {
			return r.expr(a.f, a.e.Args[i]), true
		}
	}
	return nil, false
}

// unset says that a call gives nothing to a parameter, so that its default holds.
func (a argument) unset(sym *code.Symbol, param int) bool {
	if a.e == nil {
		return false
	}
	p := sym.Params[param]
	return p.Default > 0 && len(a.e.Args)-max(-a.skip, 0) <= param && !slices.Contains(a.e.Keys, p.Name) &&
		!slices.ContainsFunc(a.e.Args, func(i int32) bool { return i > 0 && a.f.Exprs[i].Kind == code.SpreadExpr })
}

// resultWith is what a function gives that is called with these arguments. Of a
// parameter, or the receiver, that it returns as it is, only what this call
// gives counts.
func (r *run) resultWith(s id, given argument) []value {
	sym := s.sym()
	itself := func(e int32) bool { return e > 0 && s.f.Exprs[e].Kind == code.SelfExpr }
	if sym.Returns != "" && len(r.typeText(s.f, r.inner(s), sym.Returns)) > 0 || sym.Yields || !slices.ContainsFunc(sym.Results, func(e int32) bool { return itself(e) || r.returned(s, e) != nil }) {
		return r.result(s)
	}
	if r.inCall.has(s) || r.depth > maxDepth {
		return nil
	}
	r.inCall.add(s)
	defer r.inCall.done()
	var out []value
	for _, e := range sym.Results {
		b := r.returned(s, e)
		switch {
		case b != nil && b.Kind == code.Takes:
			if vs, ok := given.at(r, sym, int(b.Ref)); ok {
				out = add(out, byValue(vs)...)
				continue
			}
			if given.unset(sym, int(b.Ref)) {
				out = add(out, byValue(r.expr(s.f, sym.Params[b.Ref].Default))...)
				continue
			}
		case b != nil || itself(e):
			if vs := given.on(r, s); len(vs) > 0 {
				out = add(out, vs...)
				continue
			}
		}
		out = add(out, r.expr(s.f, e)...)
	}
	return out
}

// on is the instance that a method is called on, where that is of its type.
func (a argument) on(r *run, s id) []value {
	if a.e == nil || a.e.X <= 0 || a.f.Exprs[a.e.X].Kind != code.MemberExpr {
		return nil
	}
	class := parentKey(s.f.keys[s.i])
	var out []value
	for _, v := range r.expr(a.f, a.f.Exprs[a.e.X].X) {
		if v.kind == anInst && slices.Contains(r.linear(v.key), class) {
			out = add(out, v)
		}
	}
	return out
}

// returned is the parameter or receiver that an expression of a function's body
// is, if that is never set to anything else.
func (r *run) returned(s id, e int32) *code.Binding {
	if e <= 0 || s.f.Exprs[e].Kind != code.NameExpr || s.sym().Scope == code.None {
		return nil
	}
	scope := s.f.Exprs[e].Scope
	for scope != code.None && s.f.Scopes[scope].Kind == code.BlockScope {
		if len(s.f.named(scope, s.f.Exprs[e].Name)) > 0 {
			return nil
		}
		scope = s.f.Scopes[scope].Parent
	}
	list := s.f.named(scope, s.f.Exprs[e].Name)
	if scope != s.sym().Scope || len(list) != 1 {
		return nil
	}
	b := &s.f.Scopes[scope].Bindings[list[0]]
	switch b.Kind {
	case code.Takes:
		if p := s.sym().Params; int(b.Ref) < len(p) && !p[b.Ref].Variadic && !p[b.Ref].Keyword {
			return b
		}
	case code.Receiver:
		if !s.sym().Static {
			return b
		}
	}
	return nil
}

// passRest hands over what is no single argument for a single parameter: the
// rest of the arguments as a collection, and the elements of a collection that
// is spread. It says whether it did.
func (r *run) passRest(f *file, e *code.Expr, at int32, fn id, i, skip, param int) bool {
	sym := fn.sym()
	to := func(param int, vs ...value) {
		for _, v := range vs {
			if v.kind != aForeign && v.kind != aForeignI {
				r.passed = append(r.passed, passing{flowTo{fn.f.Path, sym.Path, int32(param)}, v})
			}
		}
	}
	a := e.Args[i]
	if a > 0 && f.Exprs[a].Kind == code.SpreadExpr {
		for _, x := range r.expr(f, f.Exprs[a].X) {
			r.passSpread(sym, x, i+skip, i < len(e.Keys) && e.Keys[i] != "", to)
		}
		return true
	}
	named := i < len(e.Keys) && e.Keys[i] != ""
	if param < 0 && named {
		param = slices.IndexFunc(sym.Params, func(p code.Param) bool { return p.Keyword })
	}
	if param < 0 || !sym.Params[param].Variadic && !sym.Params[param].Keyword {
		return false
	}
	rest := value{kind: aColl, f: f, expr: at, rule: ByValue}
	if !named {
		rest.from = int32(max(param-skip, 0))
		if n := len(e.Keys); n == len(e.Args) && e.Keys[n-1] == blockKey {
			rest.to = int32(n - 1)
		}
	}
	to(param, rest)
	return true
}

// passSpread hands the elements of a collection to the parameters from one on,
// those of a dictionary by name.
func (r *run) passSpread(sym *code.Symbol, x value, from int, named bool, to func(param int, vs ...value)) {
	if x.kind != aColl {
		vs := r.elements([]value{x})
		for n := max(from, 0); n < len(sym.Params); n++ {
			to(n, vs...)
		}
		return
	}
	e := &x.f.Exprs[x.expr]
	if named || e.Kind == code.DictExpr {
		for i, k := range e.Keys {
			for n, p := range sym.Params {
				if k != "" && p.Name == k {
					to(n, r.expr(x.f, e.Args[i])...)
				}
			}
		}
		if n := slices.IndexFunc(sym.Params, func(p code.Param) bool { return p.Keyword }); n >= 0 {
			to(n, x)
		}
		return
	}
	for n := max(from, 0); n < len(sym.Params); n++ {
		if sym.Params[n].Variadic {
			to(n, x)
			return
		}
		to(n, r.item(x, strconv.Itoa(n-from))...)
	}
}
