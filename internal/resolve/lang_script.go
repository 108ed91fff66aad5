package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// scriptLanguage is JavaScript and TypeScript: they import each other's files.
func scriptLanguage() *language {
	return &language{
		family: "script", unit: scriptUnit, find: scriptFind, submodule: scriptMember, moduleValue: scriptModule, exportedOnly: true,
		newFileMovesAll: true, dynamic: true, callbacks: true, callsBack: scriptCallsBack, dictMembers: true, sequences: true, unique: true,
		constructors: []string{"constructor"}, inheritsConstructors: true, functionTypes: true,
		transparent: []string{"Readonly", "Partial", "Required", "NonNullable", "Awaited", "DeepPartial"},
		selfTypes:   []string{"this"},
		self:        scriptSelf, functionMember: scriptFunctionMember, special: scriptSpecial, builtin: scriptBuiltin,
		foreignMember: scriptForeignMember, foreignCall: scriptForeignCall, unknownMember: scriptUnknownMember, passes: scriptPasses,
		puts: scriptPuts, iterate: scriptIterate, getter: scriptGetter, skipsReceiver: scriptSkips, satisfies: scriptSatisfies,
		ownType: scriptOwnType, parseType: scriptType, assigned: scriptAssigned, untyped: scriptContextual,
		objectMember: scriptObjectMember, functional: scriptFunctional, keyNames: scriptKeyNames, keyed: scriptKeyed, pair: scriptPair,
		moreBases: scriptMoreBases,
	}
}

// scriptRun is what is worked out of the project once.
type scriptRun struct {
	configs  []scriptConfig // deepest folder first
	packages []scriptPackage
	dicts    map[*file]map[int32]int32 // the object that a function is written in
	types    map[*file]map[string]bool // names of types that have members away from them
	keys     map[*file]map[string]bool // names that things are looked up by
	writes   map[string][]setting
	roots    map[setting][]value // what a place is a member of, until flows change
	spread   map[spreadAt][]value
	found    map[foundAt][]string // modules that imports mean
}

// spreadAt is a name in an object that is spread into another.
type spreadAt struct {
	f    *file
	expr int32
	name string
}

// foundAt is the name of a module in the files of a folder.
type foundAt struct{ dir, module string }

func (r *run) scripts() *scriptRun {
	if r.script == nil {
		r.script = &scriptRun{
			configs: scriptConfigs(r.p.manifests), packages: scriptPackages(r.p.manifests),
			dicts: map[*file]map[int32]int32{}, types: map[*file]map[string]bool{}, keys: map[*file]map[string]bool{}, roots: map[setting][]value{}, spread: map[spreadAt][]value{}, found: map[foundAt][]string{},
		}
	}
	return r.script
}

// dictOf is the object literal that a function is an entry of, or 0.
func (r *run) dictOf(f *file, fn int32) int32 {
	s := r.scripts()
	dicts, ok := s.dicts[f]
	if !ok {
		dicts = map[int32]int32{}
		for i := range f.Exprs {
			if f.Exprs[i].Kind != code.DictExpr {
				continue
			}
			for _, a := range f.Exprs[i].Args {
				if a > 0 && f.Exprs[a].Kind == code.CallExpr { // a getter
					a = f.Exprs[a].X
				}
				if a > 0 && f.Exprs[a].Kind == code.FuncExpr {
					dicts[f.Exprs[a].Ref] = int32(i)
				}
			}
		}
		s.dicts[f] = dicts
	}
	return dicts[fn]
}

// usedAsType says that a function has members: it is a class of the old kind.
func (r *run) usedAsType(f *file, fn int32) bool {
	s := r.scripts()
	names, ok := s.types[f]
	if !ok {
		names = map[string]bool{}
		for i := range f.Symbols {
			if owner := f.Symbols[i].Owner; owner != "" {
				names[owner] = true
			}
		}
		s.types[f] = names
	}
	return names[f.Symbols[fn].Name]
}

// scriptSelf is `this`: an instance of the class around, the object literal that
// the function is written in, an instance of a function used as a class. Plain
// functions within are passed over: they are mostly arrows, or bound.
func scriptSelf(r *run, f *file, scope int32) ([]value, bool) {
	static := false
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		sc := &f.Scopes[s]
		if sc.Symbol == code.None {
			continue
		}
		sym := &f.Symbols[sc.Symbol]
		switch sc.Kind {
		case code.FunctionScope:
			for _, b := range f.named(s, "this") {
				if vs := r.typeText(f, s, sc.Bindings[b].Type); known(vs) {
					return ruled(vs, BySelf), true
				}
			}
			if arrow(sym) {
				continue
			}
			if sym.Owner != "" {
				return []value{r.ownerSelf(id{f, sc.Symbol})}, true
			}
			if dict := r.dictOf(f, sc.Symbol); dict > 0 && sym.Kind == code.Method {
				return []value{{kind: aColl, f: f, expr: dict, rule: BySelf}}, true
			}
			if sym.Kind == code.Function && r.usedAsType(f, sc.Symbol) {
				return []value{{kind: anInst, key: f.keys[sc.Symbol], rule: BySelf}}, true
			}
			static = static || sym.Static
		case code.ClassScope:
			if sym.Kind.Type() {
				kind := anInst
				if static {
					kind = aType
				}
				return []value{{kind: kind, key: f.keys[sc.Symbol], rule: BySelf}}, true
			}
		}
	}
	return nil, true
}

// arrow says that a function has the `this` of what is around it. Only the
// signature tells: "f = (x)", "f: (x)", "(x)", against "function" and "f(x)".
func arrow(sym *code.Symbol) bool {
	head, _, _ := strings.Cut(sym.Signature, "(")
	if strings.Contains(head, "function") {
		return false
	}
	return sym.Kind == code.Lambda || strings.ContainsAny(head, "=:")
}

// ownerSelf is `this` in a function that is set on a type or an object.
func (r *run) ownerSelf(s id) value {
	kind := anInst
	if s.sym().Static {
		kind = aType
	}
	return value{kind: kind, key: r.ownerKey(s), rule: BySelf}
}

// scriptFunctionMember is a member of a function: those of all functions, and
// what is set on it.
func scriptFunctionMember(r *run, f *file, x value, name string) []value {
	switch name {
	case "call", "apply":
		return []value{x}
	case "bind":
		return []value{{kind: aForeign, key: "<builtin>.Function.bind", fn: x.fn}}
	}
	var out []value
	for _, s := range r.member(x.fn.f.keys[x.fn.i], name) {
		if s.sym().Owner != "" || s.sym().Kind == code.Field {
			out = add(out, r.symbolValue(s, ByQualified)...)
		}
	}
	return out
}

// scriptSkips: f.call(x, a) gives a to the first parameter, f.apply(x, list) a
// list of all.
func scriptSkips(r *run, f *file, e *code.Expr, fn id) int {
	if e.X <= 0 || f.Exprs[e.X].Kind != code.MemberExpr || fn.sym().Name == f.Exprs[e.X].Name {
		return 0
	}
	switch f.Exprs[e.X].Name {
	case "call":
		return -1
	case "apply":
		return -1 << 20
	}
	return 0
}

// scriptGetter tells getters by their signature: `get x()`, not `get()`.
func scriptGetter(s id) bool {
	if s.sym().Kind != code.Method {
		return false
	}
	head, _, ok := strings.Cut(s.sym().Signature, "(")
	words := strings.Fields(head)
	return ok && len(words) > 1 && slices.Contains(words[:len(words)-1], "get")
}

// scriptIterate is what a loop over an instance gives.
func scriptIterate(r *run, x value) []value {
	var out []value
	for _, s := range r.member(x.key, "[Symbol.iterator]") {
		for _, it := range r.result(s) {
			if steps := r.steps(s.f, it); len(steps) > 0 {
				out = add(out, steps...)
			} else if it.kind != anInst {
				out = add(out, r.elements([]value{it})...)
			}
		}
	}
	return out
}

// steps is what an iterator gives: the value of what its method next gives.
func (r *run) steps(f *file, it value) []value {
	if it.kind != anInst && it.kind != aColl {
		return nil
	}
	var out []value
	for _, next := range r.memberOf(f, it, "next") {
		if next.kind != aFunc {
			continue
		}
		for _, step := range r.result(next.fn) {
			out = add(out, r.memberOf(f, step, "value")...)
		}
	}
	return out
}

// scriptOwnType: a type that is written out has members of its own, a type of
// functions has none.
func scriptOwnType(sym *code.Symbol) bool {
	return sym.Scope != code.None || strings.Contains(sym.Type, "=>")
}

// scriptAssigned adds to a field whose type says nothing of the project what it
// is set to anywhere.
func scriptAssigned(r *run, s id, declared []value) []value {
	isInstance := func(v value) bool { return v.kind == anInst }
	if sym := s.sym(); sym.Kind == code.Constant && sym.Value > 0 && sym.Type != "" && slices.ContainsFunc(declared, isInstance) {
		var better []value // than its type says
		for _, v := range r.expr(s.f, sym.Value) {
			if writtenOut(v) || v.kind == anInst && v.exact {
				better = append(better, v)
			}
		}
		if len(better) > 0 {
			return better
		}
	}
	if s.sym().Kind != code.Field {
		return declared
	}
	closed := func(v value) bool { return v.kind == anInst && !scriptFunctional(r, v) }
	if s.sym().Type != "" && slices.ContainsFunc(declared, closed) {
		return declared
	}
	out := slices.Clone(declared)
	if s.sym().Value > 0 {
		out = add(out, r.expr(s.f, s.sym().Value)...)
	}
	return add(out, r.given(s)...)
}

// writtenOut says that a value is an object with functions of its own.
func writtenOut(v value) bool {
	if v.kind != aColl || v.f.Exprs[v.expr].Kind != code.DictExpr {
		return false
	}
	return slices.ContainsFunc(v.f.Exprs[v.expr].Args, func(a int32) bool { return a > 0 && v.f.Exprs[a].Kind == code.FuncExpr })
}

// scriptSatisfies lists the classes that have all members of an interface, for
// one that no class names.
func scriptSatisfies(r *run, key string) []string {
	if len(r.below(key)) > 0 {
		return nil
	}
	var names []string
	for _, s := range r.p.symbols[key] {
		if s.sym().Kind != code.Interface || s.sym().Scope == code.None {
			return nil
		}
		for _, b := range s.f.Scopes[s.sym().Scope].Bindings {
			if b.Kind == code.Defines && s.f.Symbols[b.Ref].Kind == code.Method {
				names = append(names, b.Name)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	var out []string
	for _, s := range r.p.byName[names[0]] {
		p := s.sym().Parent
		if p == code.None || s.f.family != "script" || s.f.Symbols[p].Kind != code.Class {
			continue
		}
		class := s.f.keys[p]
		if !slices.ContainsFunc(names, func(n string) bool { return len(r.member(class, n)) == 0 }) && !slices.Contains(out, class) {
			out = append(out, class)
		}
	}
	return out
}
