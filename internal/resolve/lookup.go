package resolve

import (
	"slices"

	"chitta/internal/code"
)

// lookup is what a name means in a scope at a place in the text.
func (r *run) lookup(f *file, scope int32, name string, at uint32) []value {
	closure := false
	inFunction := false // the walk has left a function
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		sc := &f.Scopes[s]
		if f.lang.ownName {
			if vs := r.ownName(f, sc, s, name); len(vs) > 0 {
				return vs
			}
		}
		if sc.Kind != code.ClassScope || (!inFunction || f.lang.classScope) && !f.lang.bodiesApart {
			if vs, ok := r.inScope(f, s, name, at, closure); ok {
				return vs
			}
		}
		if sc.Kind == code.ClassScope && f.lang.implicitThis {
			if vs := r.ownMember(f, sc.Symbol, name); len(vs) > 0 {
				return vs
			}
		}
		if sc.Kind == code.FunctionScope {
			if vs := r.ownerMember(f, sc.Symbol, name); len(vs) > 0 {
				return vs
			}
			closure, inFunction = true, true
		}
		if vs := r.inModule(f, sc, name); len(vs) > 0 {
			return vs
		}
	}
	if vs := r.inUnit(f, name); len(vs) > 0 {
		return vs
	}
	if vs := r.wildcards(f, scope, name); len(vs) > 0 {
		return ruled(vs, ByImport)
	}
	if f.lang.fallback != nil {
		if vs := f.lang.fallback(r, f, scope, name); len(vs) > 0 {
			return vs
		}
	}
	if f.lang.builtin != nil && f.lang.builtin(name) {
		return []value{{kind: aForeign, key: "<builtin>." + name}}
	}
	return nil
}

// ownName is the type around a scope, by its own name.
func (r *run) ownName(f *file, sc *code.Scope, s int32, name string) []value {
	if sc.Symbol == code.None || f.Symbols[sc.Symbol].Scope != s {
		return nil
	}
	switch sym := &f.Symbols[sc.Symbol]; {
	case sc.Kind == code.ClassScope && sym.Name == name:
		return []value{{kind: aType, key: f.keys[sc.Symbol], rule: ByScope}}
	case sc.Kind == code.FunctionScope && sym.Owner != "" && lastName(sym.Owner) == name:
		return []value{{kind: aType, key: r.ownerKey(id{f, sc.Symbol}), rule: ByPackage}}
	}
	return nil
}

// ownMember is a member of the enclosing type, called without naming it.
func (r *run) ownMember(f *file, class int32, name string) []value {
	if class == code.None {
		return nil
	}
	return r.implicitMember(f.keys[class], name)
}

// implicitMember is the member of a type that a name alone means within it.
func (r *run) implicitMember(key, name string) []value {
	out := bySelf(r.instMember(value{kind: anInst, key: key}, name))
	return slices.DeleteFunc(out, func(v value) bool { // named like their type, which is meant
		return v.kind == aFunc && v.fn.sym().Kind == code.Constructor && v.fn.sym().Name == name && v.fn.f.lang.implicitThis
	})
}

// ownerMember is the same for a method written away from its type.
func (r *run) ownerMember(f *file, fn int32, name string) []value {
	if fn == code.None || !f.lang.implicitThis || f.Symbols[fn].Owner == "" {
		return nil
	}
	return r.implicitMember(r.ownerKey(id{f, fn}), name)
}

// inModule looks into a namespace that is written in several places.
func (r *run) inModule(f *file, sc *code.Scope, name string) []value {
	if sc.Kind != code.ModuleScope || sc.Symbol == code.None {
		return nil
	}
	var out []value
	for _, s := range r.p.under(f.keys[sc.Symbol], name) {
		if s.f != f && s.sym().Exported || s.f == f {
			out = add(out, r.symbolValue(s, ByPackage)...)
		}
	}
	if len(out) == 0 && f.lang.around != nil { // namespace A.B stands in A
		for _, u := range f.lang.around(f.Symbols[sc.Symbol].Path) {
			for _, s := range r.p.under(f.family+":"+u, name) {
				out = add(out, r.symbolValue(s, ByPackage)...)
			}
			if len(out) > 0 {
				break
			}
		}
	}
	return out
}

// inScope looks into one scope. The second result says that the name is bound
// there, which ends the search whatever it may be.
func (r *run) inScope(f *file, s int32, name string, at uint32, closure bool) ([]value, bool) {
	list := f.named(s, name)
	if len(list) == 0 {
		return nil, false
	}
	rule := ByScope
	if s == 0 {
		rule = ByFile
	}
	var out []value
	seen := false
	bindings := f.Scopes[s].Bindings
	// backwards from the place of use: what was written last holds, together
	// with what was written before wherever that may still hold
	for n := len(list) - 1; n >= 0; n-- {
		b := &bindings[list[n]]
		if b.Kind == code.Outer {
			return r.outer(f, s, name, at), true
		}
		if !closure && b.At > at && !hoisted(b, f) || r.binding.has(bindingAt{f, s, list[n]}) {
			continue
		}
		seen = true
		if vs := r.bindingValue(f, s, list[n], rule); out == nil {
			out = slices.Clip(vs) // most often all there is: not copied
		} else {
			out = add(out, vs...)
		}
		if !b.Maybe && b.Kind != code.Defines && !closure {
			break
		}
		if b.Maybe && f.lang.declaresOnly && n > 0 && onlyDeclares(&bindings[list[n-1]]) {
			break
		}
		if b.Kind == code.Defines && !b.Maybe && !f.Symbols[b.Ref].Kind.Callable() && !closure {
			break
		}
		if b.Kind == code.Defines && f.lang.lastDefinition && !b.Maybe && !closure {
			break
		}
	}
	if !seen && s == 0 && len(list) > 0 { // used above where it is written
		for _, n := range list {
			if !r.binding.has(bindingAt{f, s, n}) {
				out = add(out, r.bindingValue(f, s, n, rule)...)
			}
		}
		return out, true
	}
	return out, seen
}

// onlyDeclares says that a binding gives its name no value yet.
func onlyDeclares(b *code.Binding) bool {
	return b.Kind == code.Assigned && b.Type != "" && b.Value <= 0 && !b.Element && b.Part == 0
}

// hoisted says that a binding holds in all of its scope.
func hoisted(b *code.Binding, f *file) bool {
	switch b.Kind {
	case code.Takes, code.Receiver, code.Imports:
		return true
	case code.Defines:
		s := &f.Symbols[b.Ref]
		if f.lang.conversions && s.Kind.Type() && s.Parent != code.None && f.Symbols[s.Parent].Kind.Callable() {
			return false // a type of a function of Go is known from there on
		}
		return !f.lang.lastDefinition
	}
	return false
}

// outer looks a name up that a scope says is not its own.
func (r *run) outer(f *file, s int32, name string, at uint32) []value {
	for s = f.Scopes[s].Parent; s != code.None; s = f.Scopes[s].Parent {
		if vs, ok := r.inScope(f, s, name, at, true); ok {
			return vs
		}
	}
	return nil
}

// bindingValue is what a name is bound to.
func (r *run) bindingValue(f *file, s, i int32, rule Rule) []value {
	at := bindingAt{f, s, i}
	if r.binding.has(at) || r.depth > maxDepth {
		return nil
	}
	r.binding.add(at)
	defer r.binding.done()
	b := &f.Scopes[s].Bindings[i]
	switch b.Kind {
	case code.Defines:
		return r.symbolValue(id{f, b.Ref}, rule)
	case code.Imports:
		return ruled(f.lang.imported(r, f, &f.Imports[b.Ref]), ByImport)
	case code.Takes:
		return r.taken(f, s, b)
	case code.Receiver:
		return r.receiver(f, s, b)
	case code.Assigned:
		if b.Type != "" {
			if vs := r.typeText(f, s, b.Type); known(vs) || b.Value <= 0 || f.lang.narrow != nil {
				return r.withFunctions(f, b, r.narrow(f, b, vs))
			}
		}
		vs := r.expr(f, b.Value)
		if len(vs) == 0 && b.Type != "" {
			return r.typeText(f, s, b.Type)
		}
		if b.Type != "" && bare(vs) {
			if declared := r.typeText(f, s, b.Type); !bare(declared) {
				return declared // of what it is a collection
			}
		}
		if b.Element && b.Part > 0 && f.lang.ranged != nil {
			return f.lang.ranged(r, vs, b.Part)
		}
		if b.Element {
			vs = r.elements(vs)
		}
		if b.Part > 0 {
			vs = r.part(vs, b.Part)
		}
		if b.Element || b.Part > 0 {
			return vs
		}
		return byValue(vs)
	}
	return nil
}

// narrow takes what a variable is set to where that is of the declared type: it
// is then known exactly.
func (r *run) narrow(f *file, b *code.Binding, declared []value) []value {
	if b.Value > 0 && f.lang.narrow != nil {
		vs := r.expr(f, b.Value)
		if b.Element {
			vs = r.elements(vs)
		}
		if b.Part > 0 {
			vs = r.part(vs, b.Part)
		}
		return f.lang.narrow(r, declared, vs)
	}
	if b.Value <= 0 || b.Element || b.Part > 0 {
		return declared
	}
	for _, v := range r.expr(f, b.Value) {
		if v.kind == anInst && v.exact || f.lang.dictMembers && writtenOut(v) {
			return []value{v}
		}
	}
	return declared
}

// withFunctions adds to a type that is declared as one of functions those that a
// variable is set to.
func (r *run) withFunctions(f *file, b *code.Binding, vs []value) []value {
	if b.Value <= 0 || b.Element || b.Part > 0 || f.lang.functional == nil || f.lang.narrow != nil ||
		!slices.ContainsFunc(vs, func(v value) bool { return f.lang.functional(r, v) }) {
		return vs
	}
	set := slices.DeleteFunc(functionsOf(r.expr(f, b.Value)), func(v value) bool { return v.fn.sym().Abstract })
	return add(slices.Clone(vs), byValue(set)...)
}

// byValue marks functions as found through a value; types and modules keep how
// they were found.
func byValue(vs []value) []value {
	out := make([]value, len(vs))
	for i, v := range vs {
		if v.kind == aFunc {
			v.rule = ByValue
		}
		out[i] = v
	}
	return out
}

// taken is what a parameter may hold: its declared type, what is passed to it,
// its default.
func (r *run) taken(f *file, s int32, b *code.Binding) []value {
	var out []value
	if b.Type != "" {
		out = r.typeText(f, s, b.Type)
		if len(out) > 0 && b.Element {
			out = r.elements(out)
		}
	}
	fn := f.Scopes[s].Symbol
	if fn == code.None {
		return out
	}
	if b.Type == "" && f.lang.untyped != nil && len(out) == 0 {
		out = f.lang.untyped(r, id{f, fn}, int(b.Ref))
	}
	for _, v := range r.p.flows.into(id{f, fn}, b.Ref) {
		if v.kind == aFunc || len(out) == 0 || f.lang.dynamic || r.listsFunctions(f, v) {
			if v.kind == aFunc && f.lang.narrow != nil {
				if !r.takesFunction(f, out) {
					continue
				}
				v.key = functionKey(out)
			}
			v.rule = ByValue
			out = add(out, v)
		}
	}
	if b.Value > 0 && (len(out) == 0 || f.lang.dynamic && b.Type == "") {
		vs := r.expr(f, b.Value)
		if b.Element && b.Part > 0 && f.lang.ranged != nil {
			return add(out, byValue(f.lang.ranged(r, vs, b.Part))...)
		}
		if b.Element {
			vs = r.elements(vs)
		}
		if b.Part > 0 {
			vs = r.part(vs, b.Part)
		}
		out = add(out, byValue(vs)...)
	}
	return out
}

// receiver is the instance, or the type, that a method is called on.
func (r *run) receiver(f *file, s int32, b *code.Binding) []value {
	if b.Type != "" {
		if vs := r.typeText(f, s, b.Type); len(vs) > 0 {
			return ruled(vs, BySelf)
		}
	}
	vs := r.self(f, s)
	if fn := f.Scopes[s].Symbol; fn != code.None && f.Symbols[fn].Static {
		for i := range vs {
			vs[i].kind = aType
		}
	}
	return vs
}

// self is the instance of the type around a scope.
func (r *run) self(f *file, scope int32) []value {
	if f.lang.self != nil {
		if vs, ok := f.lang.self(r, f, scope); ok {
			return vs
		}
	}
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		sym := f.Scopes[s].Symbol
		if sym == code.None {
			continue
		}
		if f.Symbols[sym].Owner != "" {
			return []value{{kind: anInst, key: r.ownerKey(id{f, sym}), rule: BySelf}}
		}
		if f.Symbols[sym].Kind.Type() || f.Symbols[sym].Kind == code.Module && f.lang.modulesAreTypes {
			kind := anInst
			if f.lang.selfIsType && !r.inMethod(f, scope) {
				kind = aType
			}
			return []value{{kind: kind, key: f.keys[sym], rule: BySelf}}
		}
	}
	return nil
}

// inMethod says that a scope stands in a method of an instance.
func (r *run) inMethod(f *file, scope int32) bool {
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		if sym := f.Scopes[s].Symbol; sym != code.None {
			switch k := f.Symbols[sym].Kind; {
			case k == code.Method || k == code.Constructor:
				return !f.Symbols[sym].Static
			case k.Type():
				return false
			}
		}
	}
	return false
}

// super is what stands above the type around a scope, as an instance whose
// members are looked up from there on.
func (r *run) super(f *file, scope int32) []value {
	var out []value
	for _, v := range r.self(f, scope) {
		for _, b := range r.linear(v.key)[1:] {
			out = append(out, value{kind: v.kind, key: b, exact: true, rule: BySelf})
			break
		}
		if len(out) == 0 {
			for _, b := range r.bases(v.key) {
				if b.kind == aForeign {
					out = append(out, value{kind: aForeignI, key: b.key})
				}
			}
		}
	}
	return out
}
