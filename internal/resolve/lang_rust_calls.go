package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// rustError is what a call that fails gives: the second type of its result.
func (r *run) rustError(f *file, i int32) []value {
	for i > 0 && f.Exprs[i].Kind == code.DerefExpr {
		i = f.Exprs[i].X
	}
	if i <= 0 || f.Exprs[i].Kind != code.CallExpr {
		return nil
	}
	var out []value
	for _, v := range r.expr(f, f.Exprs[i].X) {
		if v.kind != aFunc {
			continue
		}
		out = add(out, r.rustErrorOf(v.fn)...)
	}
	return out
}

// rustCallee: a call of a variant makes one; what a wrapper around a value of
// the project has of its own is outside.
func rustCallee(r *run, f *file, c *code.Call, e *code.Expr) ([]value, bool) {
	if e.X <= 0 {
		return nil, false
	}
	switch {
	case c.Kind == code.Indirect && c.Name == "?":
		return r.rustFailed(f, c, e), true
	case c.Kind == code.Indirect && len(e.Args) == 1 && f.Exprs[e.X].Kind == code.MemberExpr:
		least := 0
		if vs := r.expr(f, f.Exprs[e.X].X); len(vs) > 0 && vs[0].kind == aForeignI { // as of i32 with a type of the project
			least = 1
		}
		return slices.DeleteFunc(slices.Clone(r.expr(f, e.X)), func(v value) bool { return v.kind == aFunc && r.typesFit(f, e, v.fn) < least }), true
	case c.Kind == code.Qualified && len(e.Args) > 0:
		if vs := r.rustNamed(f, e); len(vs) > 0 {
			return vs, true
		}
	}
	if c.Kind == code.MemberCall && c.Name == "into" && len(e.Args) == 0 && f.Exprs[e.X].Kind == code.MemberExpr {
		if vs := r.rustInto(r.expr(f, f.Exprs[e.X].X)); len(vs) > 0 {
			return vs, true
		}
	}
	if c.Kind == code.MemberCall && (rustSame[c.Name] || rustOne[c.Name] || rustEach[c.Name] || rustOwn[c.Name]) && f.Exprs[e.X].Kind == code.MemberExpr {
		xs := r.expr(f, f.Exprs[e.X].X)
		if known(xs) && !r.hasMember(xs, c.Name) {
			return []value{{kind: aForeign, key: "std." + c.Name}}, true
		}
		return nil, false
	}
	if c.Kind != code.Ctor {
		return nil, false
	}
	var variants []id
	switch x := &f.Exprs[e.X]; x.Kind {
	case code.NameExpr:
		variants = r.rustImported(f, x.Name)
	case code.MemberExpr:
		for _, v := range r.expr(f, x.X) {
			if v.kind == aType {
				variants = append(variants, r.variantsOf(v.key, x.Name)...)
			}
		}
	}
	var out []value
	for _, s := range variants {
		out = append(out, value{kind: aFunc, fn: s, rule: ByConstructor})
	}
	return out, len(out) > 0
}

// rustNamed are the methods that Trait::name(x) calls: those of what x is.
func (r *run) rustNamed(f *file, e *code.Expr) []value {
	var out []value
	for _, v := range r.expr(f, e.X) {
		if v.kind != aFunc || v.fn.sym().Static || v.fn.sym().Parent == code.None || v.fn.f.Symbols[v.fn.sym().Parent].Kind != code.Trait {
			continue
		}
		for _, x := range r.expr(f, e.Args[0]) {
			switch x.kind {
			case aType: // a struct without fields
				x.kind, x.exact = anInst, true
			case anInst, aForeignI:
			default:
				continue
			}
			out = add(out, functionsOf(r.memberOf(f, x, v.fn.sym().Name))...)
		}
	}
	return out
}

// rustFailed are the conversions that x? runs: From of the error that the function
// around gives, for the one that x gives.
func (r *run) rustFailed(f *file, c *code.Call, e *code.Expr) []value {
	fn := c.Caller
	if fn == code.None {
		return nil
	}
	have := r.rustError(f, e.X)
	if len(have) == 0 {
		return nil
	}
	var out []value
	for _, to := range r.rustErrorOf(id{f, fn}) {
		if to.kind != anInst {
			continue
		}
		for _, s := range r.own(to.key, "from") {
			if len(s.sym().Params) != 1 || to.key == have[0].key {
				continue
			}
			for _, want := range r.typeText(s.f, r.inner(s), s.sym().Params[0].Type) {
				if want.kind == have[0].kind && (want.key == have[0].key || want.kind == aForeignI && lastName(want.key) == lastName(have[0].key)) {
					out = add(out, value{kind: aFunc, fn: s, rule: ByReceiver})
				}
			}
		}
	}
	return out
}

// rustErrorOf is the error in a function's declared result.
func (r *run) rustErrorOf(s id) []value {
	n := parseType(strings.ReplaceAll(s.sym().Returns, "->", " -> "))
	if lastName(n.name) != "Result" || len(n.args) != 2 {
		return nil
	}
	return r.typeIn(s.f, r.inner(s), rustPlainType(n.args[1], 0), nil)
}

// rustCall is what a call gives where the function is the language's own.
func (r *run) rustCall(f *file, e *code.Expr) ([]value, bool) {
	if e.X <= 0 {
		return nil, false
	}
	callee := &f.Exprs[e.X]
	if callee.Kind != code.MemberExpr {
		if vs := r.expr(f, e.X); len(vs) > 0 && !slices.ContainsFunc(vs, func(v value) bool { return v.kind != anInst || !v.exact }) {
			return vs, true // a variant
		}
		return nil, false
	}
	xs := r.expr(f, callee.X)
	if r.hasMember(xs, callee.Name) {
		if vs := r.expr(f, e.X); len(vs) > 0 && vs[0].kind == anInst && vs[0].exact && len(xs) > 0 && xs[0].kind == aType {
			return vs, true // a variant
		}
		return nil, false
	}
	var out []value
	for _, x := range xs {
		out = add(out, r.rustGives(f, e, x, callee.Name)...)
	}
	return out, len(out) > 0
}

func (r *run) hasMember(xs []value, name string) bool {
	for _, x := range xs {
		if (x.kind == anInst || x.kind == aType) && len(r.member(x.key, name)) > 0 {
			return true
		}
	}
	return false
}

// rustGives is what a member of the language's own gives.
func (r *run) rustGives(f *file, e *code.Expr, x value, name string) []value {
	arg := func() []value {
		if len(e.Args) > 0 {
			return r.expr(f, e.Args[0])
		}
		return nil
	}
	if name == "into" {
		var out []value
		for _, v := range r.rustInto([]value{x}) {
			out = add(out, r.result(v.fn)...)
		}
		return out
	}
	many := x.kind == aColl || x.kind == aSeq || x.kind == aForeignI && (x.key == listKey || x.key == mapKey) ||
		x.kind == anInst && len(r.member(x.key, "Item")) > 0
	switch x.kind {
	case aForeign:
		last := lastName(x.key)
		if rustWraps[last] && rustBoxes[name] || (rustLists[last] || rustMaps[last]) && name == "from" {
			return arg()
		}
		return nil
	case aType:
		if rustMakes[name] {
			return []value{{kind: anInst, key: x.key, exact: true, args: x.args, rule: ByReceiver}}
		}
		return nil
	case aModule, aFunc, aFuncType:
		return nil
	}
	switch {
	case name == "find_map":
		var out []value
		for _, fn := range arg() {
			if fn.kind == aFunc {
				out = add(out, r.result(fn.fn)...)
			}
		}
		return out
	case rustFolds[name]:
		return arg()
	case rustMapped[name]:
		var out []value
		for _, fn := range arg() {
			switch {
			case fn.kind == aFunc && many:
				out = add(out, value{kind: aSeq, fn: fn.fn, expr: seqOfResults})
			case fn.kind == aFunc:
				out = add(out, r.result(fn.fn)...)
			}
		}
		return out
	case name == "enumerate" || (name == "iter" || name == "iter_mut" || name == "into_iter") && x.key == mapKey && x.kind == aForeignI:
		return numbered(x, name)
	case many && rustOne[name]:
		return r.elements([]value{x})
	case rustSame[name]:
		return []value{x}
	case many && name == "keys":
		return r.keysOf([]value{x})
	}
	return nil
}

// numbered is a list of pairs: of a number and an element, or of key and value.
func numbered(x value, name string) []value {
	if x.args == nil || len(x.args.nodes) == 0 {
		return []value{x}
	}
	args := *x.args
	pair := args.nodes
	if name == "enumerate" {
		pair = []typeNode{{name: "usize"}, args.nodes[len(args.nodes)-1]}
	}
	args.nodes = []typeNode{{name: tupleKey, args: pair}}
	return []value{{kind: aForeignI, key: listKey, args: &args}}
}

// rustInto are the functions that x.into() runs: From of another type, for what
// x is. There must be one only, since what is wanted is not known here.
func (r *run) rustInto(xs []value) []value {
	var out []value
	for _, x := range xs { // impl Into<T>
		if x.kind == aForeignI && lastName(x.key) == "Into" && x.args != nil && len(x.args.nodes) == 1 {
			for _, to := range r.typeIn(x.args.f, x.args.scope, x.args.nodes[0], x.args.env) {
				for _, s := range r.own(to.key, "from") {
					out = add(out, value{kind: aFunc, fn: s, rule: ByReceiver})
				}
			}
			return out
		}
	}
	for _, s := range r.p.byName["from"] {
		sym := s.sym()
		if s.f.family != "rust" || sym.Owner == "" || len(sym.Params) != 1 {
			continue
		}
		name := lastName(r.parsed(s.f, sym.Params[0].Type).name)
		if !slices.ContainsFunc(xs, func(x value) bool { return lastName(x.key) == name }) {
			continue
		}
		for _, want := range r.typeText(s.f, r.inner(s), sym.Params[0].Type) {
			for _, x := range xs {
				if x.kind == want.kind && lastName(x.key) == lastName(want.key) && (x.kind == anInst || x.kind == aForeignI) {
					out = add(out, value{kind: aFunc, fn: s, rule: ByReceiver})
				}
			}
		}
	}
	if len(out) != 1 {
		return nil
	}
	return out
}
