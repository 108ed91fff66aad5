package resolve

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"chitta/internal/code"
)

// scriptSpecial knows the expressions that mean something of their own.
func scriptSpecial(r *run, f *file, e *code.Expr, i int32) ([]value, bool) {
	switch e.Kind {
	case code.CallExpr:
		if module := r.loads(f, e); module != "" {
			return f.lang.imported(r, f, &code.Import{Module: module}), true
		}
		if r.givesPairs(f, e) {
			return []value{{kind: aSeq, key: pairsKey, f: f, expr: i}}, true
		}
	case code.NewExpr:
		if e.X <= 0 || f.Exprs[e.X].Kind != code.NameExpr || !scriptCollections[e.Name] && e.Name != "Proxy" || r.bindsName(f, e.Scope, e.Name) {
			return r.inferred(f, e), true
		}
		if e.Name == "Proxy" && len(e.Args) > 0 { // stands for what it is given
			return r.expr(f, e.Args[0]), true
		}
		return []value{{kind: aColl, f: f, expr: i}}, true
	case code.NameExpr:
		if e.Name == "exports" && !r.bindsName(f, e.Scope, "exports") {
			return scriptModule(r, f.family+":"+f.unit), true
		}
		return r.atRunTime(r.lookup(f, e.Scope, e.Name, e.At)), true
	case code.MemberExpr:
		return r.scriptMembers(f, e), true
	case code.IndexExpr:
		return r.scriptIndex(f, e), true
	case code.ConstExpr:
		if e.Text != "" {
			return []value{{kind: aForeignI, key: "<builtin>." + e.Name, f: f, expr: i}}, true
		}
	case code.TypedExpr:
		return r.typedValue(f, e), true
	}
	return nil, false
}

// inferred is a new instance, with the type arguments that those of the
// constructor tell.
func (r *run) inferred(f *file, e *code.Expr) []value {
	vs := slices.Clone(r.made(f, e))
	for i := range vs {
		if vs[i].kind != anInst || vs[i].args != nil {
			continue
		}
		for _, s := range r.p.symbols[vs[i].key] {
			if len(s.sym().TypeParams) > 0 {
				vs[i].args = r.constructed(f, e, s)
			}
		}
	}
	return vs
}

// constructed are the type arguments of a class by what its constructor is
// given.
func (r *run) constructed(f *file, e *code.Expr, class id) *typeArgs {
	known := env{}
	names := class.sym().TypeParams
	for _, c := range r.own(class.f.keys[class.i], "constructor") {
		for i, p := range c.sym().Params {
			if i >= len(e.Args) {
				break
			}
			node := r.parsed(c.f, p.Type)
			if slices.Contains(names, node.name) {
				known[node.name] = r.expr(f, e.Args[i])
			} else if n := len(node.args); n > 0 && slices.Contains(names, node.args[n-1].name) {
				known[node.args[n-1].name] = r.elements(r.expr(f, e.Args[i]))
			}
		}
	}
	if len(known) == 0 {
		return nil
	}
	args := &typeArgs{f: class.f, scope: r.inner(class), env: known}
	for _, n := range names {
		args.nodes = append(args.nodes, typeNode{name: n})
	}
	return args
}

// scriptCollections are the types outside whose instances hold what is put into
// them.
var scriptCollections = scriptWords(`Array Map Set WeakMap WeakSet`)

// loads is the module that require("x") or import("x") loads, or "".
func (r *run) loads(f *file, e *code.Expr) string {
	if e.Name != "require" && e.Name != "import" || len(e.Args) != 1 || e.X <= 0 || f.Exprs[e.X].Kind != code.NameExpr ||
		f.Exprs[e.Args[0]].Kind != code.ConstExpr || r.bindsName(f, e.Scope, e.Name) {
		return ""
	}
	return f.Exprs[e.Args[0]].Text
}

// givesPairs says that a call is Object.entries(x), or x.entries() of a
// collection.
func (r *run) givesPairs(f *file, e *code.Expr) bool {
	if e.X <= 0 || f.Exprs[e.X].Kind != code.MemberExpr || f.Exprs[e.X].Name != "entries" {
		return false
	}
	x := f.Exprs[e.X].X
	if x > 0 && f.Exprs[x].Kind == code.NameExpr && f.Exprs[x].Name == "Object" {
		return len(e.Args) == 1
	}
	return slices.ContainsFunc(r.expr(f, x), func(v value) bool { return v.kind == aColl })
}

// scriptMembers is x.name.
func (r *run) scriptMembers(f *file, e *code.Expr) []value {
	x := f.Exprs[0] // none
	if e.X > 0 {
		x = f.Exprs[e.X]
	}
	switch e.Name {
	case "exports":
		if x.Kind == code.NameExpr && x.Name == "module" && !r.bindsName(f, e.Scope, "module") {
			return scriptModule(r, f.family+":"+f.unit)
		}
	case "prototype":
		if vs := r.prototypes(r.expr(f, e.X)); len(vs) > 0 {
			return vs
		}
	case "value": // it.next().value
		if x.Kind == code.CallExpr && x.X > 0 && f.Exprs[x.X].Kind == code.MemberExpr && f.Exprs[x.X].Name == "next" {
			var out []value
			for _, it := range r.expr(f, f.Exprs[x.X].X) {
				if it.kind == aSeq {
					out = add(out, r.elements([]value{it})...)
				}
			}
			if len(out) > 0 {
				return out
			}
		}
	}
	out := withBody(r.atRunTime(r.membersOf(f, e)))
	if len(out) == 0 && x.Kind == code.SelfExpr {
		out = r.countedOn(f, e)
	}
	if len(out) == 0 && x.Kind == code.SuperExpr {
		return r.further(f, e)
	}
	return out
}

// prototypes are the types that the values are, as classes or as functions.
func (r *run) prototypes(vs []value) []value {
	var out []value
	for _, v := range vs {
		switch v.kind {
		case aFunc:
			out = add(out, value{kind: aType, key: v.fn.f.keys[v.fn.i], rule: ByQualified})
		case aType:
			out = add(out, v)
		}
	}
	return out
}

// typedValue is a value that the text gives a type. Where the value is an
// instance of just that type, its arguments are those of the text.
func (r *run) typedValue(f *file, e *code.Expr) []value {
	typed := r.typeText(f, e.Scope, e.Name)
	if e.X <= 0 {
		return typed
	}
	values := r.expr(f, e.X)
	var of []value // those that are of the type
	for _, v := range values {
		for _, t := range typed {
			switch {
			case v.kind != anInst || !v.exact || t.kind != anInst:
			case t.key == v.key:
				v.args = t.args
				return []value{v}
			case slices.Contains(r.linear(v.key), t.key):
				of = add(of, v)
			}
		}
	}
	if len(of) > 0 {
		return of
	}
	if known(typed) && !slices.ContainsFunc(typed, func(t value) bool { return scriptFunctional(r, t) }) {
		return typed
	}
	return add(slices.Clone(values), typed...)
}

// withBody leaves out what only declares where something else has a body.
func withBody(vs []value) []value {
	bare := func(v value) bool { return v.kind == aFunc && v.fn.sym().Abstract }
	if !slices.ContainsFunc(vs, bare) || !slices.ContainsFunc(vs, func(v value) bool { return v.kind == aFunc && !v.fn.sym().Abstract }) {
		return vs
	}
	return slices.DeleteFunc(slices.Clone(vs), bare)
}

// atRunTime leaves out the types that only the compiler knows.
func (r *run) atRunTime(vs []value) []value {
	gone := func(v value) bool {
		return v.kind == aType && !slices.ContainsFunc(r.p.symbols[v.key], func(s id) bool {
			k := s.sym().Kind
			return k == code.Class || k == code.Enum
		})
	}
	if !slices.ContainsFunc(vs, gone) {
		return vs
	}
	return slices.DeleteFunc(slices.Clone(vs), gone)
}

// scriptKeys are the keys that an expression may be: what is written, "[name]"
// for a name that stands for a symbol, none if it may be anything.
func (r *run) scriptKeys(f *file, e *code.Expr) []string {
	if e.Name != "" || len(e.Args) == 0 || e.Args[0] <= 0 {
		return []string{e.Name}
	}
	var out []string
	key := &f.Exprs[e.Args[0]]
	if r.counted(f, key) {
		return nil
	}
	var vs []value
	if key.Kind == code.NameExpr || key.Kind == code.ConstExpr {
		vs = r.expr(f, e.Args[0])
	}
	for _, v := range vs {
		if v.kind != aForeignI || v.f == nil || v.f.Exprs[v.expr].Kind != code.ConstExpr {
			out = nil
			break
		}
		out = append(out, v.f.Exprs[v.expr].Text)
	}
	if k := key.Kind; len(out) == 0 && (k == code.NameExpr || k == code.MemberExpr) {
		return []string{"[" + f.ExprText(e.Args[0]) + "]"}
	}
	return out
}

// counted says that a name is also set to something that is not known.
func (r *run) counted(f *file, e *code.Expr) bool {
	if e.Kind != code.NameExpr {
		return false
	}
	for s := e.Scope; s != code.None; s = f.Scopes[s].Parent {
		list := f.named(s, e.Name)
		if len(list) == 0 {
			continue
		}
		return slices.ContainsFunc(list, func(i int32) bool {
			b := &f.Scopes[s].Bindings[i]
			return b.Kind == code.Assigned && (b.Value <= 0 || len(r.expr(f, b.Value)) == 0)
		})
	}
	return false
}

// scriptIndex is x[key]: a member where the key is known, anything in it where
// that is a collection.
func (r *run) scriptIndex(f *file, e *code.Expr) []value {
	keys := r.scriptKeys(f, e)
	var out []value
	for _, x := range r.expr(f, e.X) {
		var found []value
		for _, key := range keys {
			found = add(found, r.scriptItem(f, x, key)...)
		}
		unknown := len(keys) == 0 || keys[0] != "" && keys[0][0] == '['
		if len(found) == 0 && unknown && x.kind != anInst && x.kind != aType && x.kind != aModule && x.kind != aFunc {
			found = r.elements([]value{x})
		}
		out = add(out, found...)
	}
	return out
}

// scriptItem is what a value has under a key.
func (r *run) scriptItem(f *file, x value, key string) []value {
	switch x.kind {
	case aColl:
		if key != "" && key[0] == '[' {
			return r.ownKey(x, key)
		}
		return r.item(x, key)
	case anInst, aType, aModule, aFunc:
		return r.memberOf(f, x, key)
	case aForeign:
		return []value{x}
	}
	if n, err := strconv.Atoi(key); err == nil && x.key == tupleKey {
		return r.part([]value{x}, n+1)
	}
	return r.elements([]value{x})
}

// ownKey is what an object has under just this key.
func (r *run) ownKey(x value, name string) []value {
	e := &x.f.Exprs[x.expr]
	for i, k := range e.Keys {
		if k == name && i < len(e.Args) {
			return ruled(r.expr(x.f, e.Args[i]), ByValue)
		}
	}
	return nil
}

// scriptKeyNames are the names that stand between brackets.
func scriptKeyNames(r *run, f *file) map[string]bool {
	s := r.scripts()
	names, ok := s.keys[f]
	if !ok {
		names = map[string]bool{}
		for i := range f.Exprs {
			e := &f.Exprs[i]
			if e.Kind == code.IndexExpr && e.Name == "" && len(e.Args) > 0 && e.Args[0] > 0 && f.Exprs[e.Args[0]].Kind == code.NameExpr {
				names[f.Exprs[e.Args[0]].Name] = true
			}
		}
		s.keys[f] = names
	}
	return names
}

// scriptKeyed is what an object is given under a name wherever it goes by
// another name.
func scriptKeyed(r *run, x value, name string) []value {
	list := r.writes()[name]
	if len(list) == 0 || len(list) > maxSettings {
		return nil
	}
	at := exprAt{x.f, asKeyed - x.expr}
	if r.busy[at] || r.depth > maxDepth {
		return nil
	}
	r.busy[at] = true
	r.depth++
	defer func() { delete(r.busy, at); r.depth-- }()
	var out []value
	for _, set := range list {
		b := &set.f.Scopes[set.scope].Bindings[set.binding]
		for _, v := range r.rootOf(set, b) {
			if v.kind == aColl && v.f == x.f && v.expr == x.expr {
				out = add(out, r.expr(set.f, b.Value)...)
			}
		}
	}
	return out
}

// writes are the places that set a member of what a function is given, or of
// the object that it is written in, by the name of the member.
func (r *run) writes() map[string][]setting {
	s := r.scripts()
	if s.writes != nil {
		return s.writes
	}
	s.writes = map[string][]setting{}
	for _, path := range r.p.paths() {
		f := r.p.files[path]
		if f.family != "script" {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(f.settings)) {
			for _, set := range f.settings[name] {
				if set.literal == 0 && r.elsewhereNamed(f, set) {
					s.writes[name] = append(s.writes[name], set)
				}
			}
		}
	}
	return s.writes
}

// elsewhereNamed says that what a place is a member of has its name from
// elsewhere: a parameter, or the object around.
func (r *run) elsewhereNamed(f *file, set setting) bool {
	root, _, _ := strings.Cut(f.Scopes[set.scope].Bindings[set.binding].Name, ".")
	for s := set.scope; s != code.None; s = f.Scopes[s].Parent {
		sc := &f.Scopes[s]
		if root == "self" {
			if sc.Kind == code.ClassScope {
				return sc.Symbol == code.None || !f.Symbols[sc.Symbol].Kind.Type()
			}
			continue
		}
		for _, b := range f.named(s, root) {
			return sc.Bindings[b].Kind == code.Takes
		}
	}
	return false
}

// rootOf is what a place "a.b" is a member of.
func (r *run) rootOf(set setting, b *code.Binding) []value {
	roots := r.scripts().roots
	if vs, ok := roots[set]; ok {
		return vs
	}
	root, _, _ := strings.Cut(b.Name, ".")
	var vs []value
	if root == "self" {
		vs = r.self(set.f, set.scope)
	} else {
		vs = r.lookup(set.f, set.scope, root, b.At)
	}
	if len(r.binding) == 0 && len(r.inCall) == 0 || len(vs) > 0 {
		roots[set] = vs
	}
	return vs
}

// scriptPair is the n-th part of what Object.entries and a map's entries give.
func scriptPair(r *run, x value, n int) []value {
	if x.key != pairKey || n != 2 || x.f == nil {
		return nil
	}
	e := &x.f.Exprs[x.expr]
	if e.Kind == code.CallExpr && len(e.Args) > 0 { // Object.entries(x)
		return r.elements(r.expr(x.f, e.Args[0]))
	}
	return r.elements(r.onWhat(x.f, e))
}

// bindsName says that a scope or one around it binds a name.
func (r *run) bindsName(f *file, scope int32, name string) bool {
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		if len(f.named(s, name)) > 0 {
			return true
		}
	}
	return false
}
