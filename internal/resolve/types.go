package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// typeNode is a type as written, taken apart. Several alternatives are a node
// without a name whose args are the alternatives.
type typeNode struct {
	name string // with dots between its parts; listKey, mapKey, tupleKey, funcKey
	args []typeNode
	// label is the name that it has as a part of a tuple, where the language has
	// such.
	label string
}

// Names of types that are written with signs.
const (
	listKey  = "[]"
	mapKey   = "map"
	tupleKey = "()"
	funcKey  = "=>"
	eitherOf = ""
)

// typeText is a value of the type with this text: instances.
func (r *run) typeText(f *file, scope int32, text string) []value {
	return r.typeIn(f, scope, r.parsed(f, text), nil)
}

// env is what generic names stand for.
type env map[string][]value

func (r *run) typeIn(f *file, scope int32, n typeNode, e env) []value {
	if r.depth > maxDepth {
		return nil
	}
	r.depth++
	want := r.want
	r.want = typesOnly
	defer func() { r.depth, r.want = r.depth-1, want }()
	switch n.name {
	case eitherOf:
		var out []value
		for _, a := range n.args {
			out = add(out, r.typeIn(f, scope, a, e)...)
		}
		return out
	case listKey, mapKey, tupleKey:
		return []value{{kind: aForeignI, key: n.name, args: &typeArgs{n.args, f, scope, e}}}
	case funcKey:
		if len(n.args) == 0 {
			return nil
		}
		return []value{{kind: aFuncType, key: funcKey, args: &typeArgs{n.args, f, scope, e}}}
	}
	if vs, ok := e[n.name]; ok {
		return vs
	}
	if slices.Contains(f.lang.transparent, lastName(n.name)) && len(n.args) > 0 {
		return r.typeIn(f, scope, n.args[len(n.args)-1], e)
	}
	if slices.Contains(f.lang.selfTypes, n.name) {
		return r.self(f, scope)
	}
	if f.lang.typeOf != nil && len(n.args) == 1 && f.lang.typeOf(n.name) {
		return typesOf(r.typeIn(f, scope, n.args[0], e))
	}
	if f.lang.typeVariable != nil && len(n.args) == 0 {
		if vs, ok := f.lang.typeVariable(r, f, scope, n.name); ok {
			return vs
		}
	}
	var args *typeArgs
	if len(n.args) > 0 {
		args = &typeArgs{n.args, f, scope, e}
	}
	var out []value
	for _, v := range r.typeName(f, scope, n.name) {
		switch v.kind {
		case aType:
			v.kind, v.exact, v.rule = anInst, false, ByReceiver
		case aForeign:
			v.kind = aForeignI
		case aFunc:
			if !f.lang.functionTypes {
				continue
			}
			v = value{kind: anInst, key: v.fn.f.keys[v.fn.i], rule: ByReceiver}
		default:
			continue
		}
		if args != nil {
			v.args = args
		}
		out = add(out, v)
	}
	if len(out) == 0 && r.isTypeParam(f, scope, n.name) {
		bound := r.boundOf(f, scope, n.name)
		if len(bound) == 0 && f.lang.typeArgument != nil {
			return f.lang.typeArgument(r, f, scope, n.name)
		}
		return bound
	}
	if len(out) == 0 {
		out = []value{{kind: aForeignI, key: n.name, args: args}}
	}
	return out
}

// typeName looks a type's name up: its first part as any name, the others as
// members.
func (r *run) typeName(f *file, scope int32, name string) []value {
	first, rest, more := strings.Cut(name, ".")
	if r.isTypeParam(f, scope, first) {
		return nil
	}
	const anywhere = ^uint32(0) // types hold wherever they are written
	vs := r.lookup(f, scope, first, anywhere)
	if more && len(vs) == 0 && slices.Contains(f.lang.selfTypes, first) {
		for _, v := range r.self(f, scope) {
			vs = append(vs, value{kind: aType, key: v.key, args: v.args, rule: v.rule})
		}
	}
	for more {
		var part string
		part, rest, more = strings.Cut(rest, ".")
		var next []value
		for _, v := range vs {
			next = add(next, r.memberOf(f, v, part)...)
		}
		vs = next
	}
	if len(vs) == 0 && f.lang.qualified != nil {
		vs = f.lang.qualified(r, f, name)
	}
	return vs
}

// isTypeParam says that a name is a generic parameter of what is around.
func (r *run) isTypeParam(f *file, scope int32, name string) bool {
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		if sym := f.Scopes[s].Symbol; sym != code.None && slices.Contains(f.Symbols[sym].TypeParams, name) {
			return true
		}
	}
	return false
}

// boundOf is what a generic parameter is declared to have at least: a binding of
// its name whose type is the bound.
func (r *run) boundOf(f *file, scope int32, name string) []value {
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		for _, i := range f.named(s, name) {
			if b := &f.Scopes[s].Bindings[i]; b.Kind == code.Assigned && b.Type != "" && b.Value <= 0 {
				return r.typeText(f, s, b.Type)
			}
		}
	}
	return nil
}

// generic is the type text of a member read in an instance: generic names of
// the instance's type stand for its arguments. Nothing if there are none.
func (r *run) generic(s id, text string, x value) []value {
	if text == "" || x.args == nil {
		return nil
	}
	e := r.typeEnv(x)
	if k := parentKey(s.f.keys[s.i]); k != x.key && len(r.p.symbols[k]) > 0 { // args are those of the type that has it
		e = r.typeEnv(value{key: k, args: x.args})
	}
	if len(e) == 0 {
		return nil
	}
	return r.typeIn(s.f, r.inner(s), r.parsed(s.f, text), e)
}

// argsAt are the type arguments of an instance as the type sees them that has a
// member: those that the types between say, where the member is inherited.
func (r *run) argsAt(x value, s id) *typeArgs {
	key := parentKey(s.f.keys[s.i])
	if key == x.key {
		return x.args
	}
	for _, b := range r.bases(x.key) {
		if b.kind != aType || b.args == nil || !slices.Contains(r.linear(b.key), key) {
			continue
		}
		args := *b.args
		if e := r.typeEnv(x); len(e) > 0 {
			args.env = e
		}
		up := value{kind: anInst, key: b.key, args: &args}
		if b.key == key {
			return up.args
		}
		if r.depth > maxDepth {
			return nil
		}
		r.depth++
		out := r.argsAt(up, s)
		r.depth--
		return out
	}
	return x.args
}

// typeEnv is what the generic names of an instance's type stand for.
func (r *run) typeEnv(x value) env {
	if x.args == nil {
		return nil
	}
	for _, s := range r.p.symbols[x.key] {
		names := s.sym().TypeParams
		if len(names) == 0 {
			continue
		}
		e := env{}
		for i, n := range names {
			if i < len(x.args.nodes) {
				e[n] = r.typeIn(x.args.f, x.args.scope, x.args.nodes[i], x.args.env)
			}
		}
		return e
	}
	return nil
}

// parsed takes a type's text apart, once.
func (r *run) parsed(f *file, text string) typeNode {
	at := inFamily{f.family, text}
	node, ok := r.p.parsed[at]
	if !ok {
		parse := parseType
		if f.lang.parseType != nil {
			parse = f.lang.parseType
		}
		node = parse(text)
		r.p.parsed[at] = node
	}
	return node
}

// instances are instances of the types among the values: what a parameter for a
// type is about.
func instances(vs []value) []value {
	var out []value
	for _, v := range vs {
		if v.kind == aType {
			out = append(out, value{kind: anInst, key: v.key, args: v.args, rule: ByReceiver})
		}
	}
	return out
}

// typesOf are the types of the instances among the values.
func typesOf(vs []value) []value {
	var out []value
	for _, v := range vs {
		switch v.kind {
		case anInst:
			v.kind, v.exact = aType, false
			out = add(out, v)
		case aForeignI:
			v.kind = aForeign
			out = add(out, v)
		}
	}
	return out
}

// typeParams are the generic names of a function: its own, and those declared
// elsewhere that its result is written with.
func (r *run) typeParams(s id) []string {
	sym := s.sym()
	if s.f.lang.typeVariable == nil {
		return sym.TypeParams
	}
	out := slices.Clip(sym.TypeParams)
	var walk func(n typeNode)
	walk = func(n typeNode) {
		if len(n.args) == 0 && n.name != "" && !slices.Contains(out, n.name) {
			if _, ok := s.f.lang.typeVariable(r, s.f, r.inner(s), n.name); ok {
				out = append(out, n.name)
			}
		}
		for _, a := range n.args {
			walk(a)
		}
	}
	walk(r.parsed(s.f, sym.Returns))
	return out
}

// genericResult is the declared result of a function where its generic names
// are known from the arguments or from the instance it is called on.
func (r *run) genericResult(f *file, e *code.Expr, v value) []value {
	sym := v.fn.sym()
	env := r.typeEnv(value{key: parentKey(v.fn.f.keys[v.fn.i]), args: v.args})
	if names := r.typeParams(v.fn); len(names) > 0 {
		if env == nil {
			env = map[string][]value{}
		}
		r.explicit(f, e, v, env)
		for i, p := range sym.Params {
			if i >= len(e.Args) {
				break
			}
			node := r.parsed(v.fn.f, p.Type)
			switch {
			case slices.Contains(names, node.name):
				env[node.name] = r.expr(f, e.Args[i])
			case len(node.args) > 0 && slices.Contains(names, node.args[len(node.args)-1].name):
				given := r.expr(f, e.Args[i])
				env[node.args[len(node.args)-1].name] = add(r.elements(given), instances(given)...)
			}
		}
	}
	for name, vs := range env {
		if len(vs) == 0 {
			delete(env, name) // as good as not known
		}
	}
	if len(env) == 0 {
		return nil
	}
	return r.typeIn(v.fn.f, r.inner(v.fn), r.parsed(v.fn.f, sym.Returns), env)
}

// explicit adds what the generic names of a function stand for by what is
// written: f[T](x), or the arguments of the type that the method's own names
// stand for (a receiver or impl may name them as it likes).
func (r *run) explicit(f *file, e *code.Expr, v value, env env) {
	sym := v.fn.sym()
	if sym.Owner != "" && v.args != nil {
		for i, name := range sym.TypeParams {
			if i < len(v.args.nodes) {
				env[name] = r.typeIn(v.args.f, v.args.scope, v.args.nodes[i], v.args.env)
			}
		}
	}
	if e.Text != "" { // f<T>(x)
		for i, node := range r.parsed(f, "_<"+e.Text+">").args {
			if i < len(sym.TypeParams) {
				env[sym.TypeParams[i]] = r.typeIn(f, e.Scope, node, nil)
			}
		}
	}
	if e.X <= 0 || f.Exprs[e.X].Kind != code.IndexExpr {
		return
	}
	for i, a := range f.Exprs[e.X].Args {
		if i < len(sym.TypeParams) {
			var vs []value
			for _, t := range r.expr(f, a) {
				switch t.kind {
				case aType:
					t.kind = anInst
				case aForeign:
					t.kind = aForeignI
				}
				vs = add(vs, t)
			}
			env[sym.TypeParams[i]] = vs
		}
	}
}
