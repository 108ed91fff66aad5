package resolve

import (
	"slices"

	"chitta/internal/code"
)

// valueKind is what a value is.
type valueKind uint8

const (
	aFunc     valueKind = iota // the function fn
	aType                      // the type key itself
	anInst                     // an instance of the type key
	aModule                    // the unit key
	aColl                      // a list, tuple or dict written at expr of f
	aForeign                   // something outside of the project, by its qualified name in key
	aForeignI                  // an instance of such a type
	aSeq                       // what going over something gives, see elements
	aFuncType                  // a function of which only the type is known: args are what it gives
)

// value is one thing that an expression may be.
type value struct {
	kind valueKind
	// exact says that the instance is of this type and of none below it.
	exact bool
	rule  Rule  // how it was found
	expr  int32 // of aColl, in f
	from  int32 // of aColl: arguments before are not part of it,
	to    int32 // nor are those from here on, if not 0
	key   string
	fn    id
	args  *typeArgs // type arguments of an instance
	f     *file     // of aColl
}

// typeArgs are the arguments of a generic type, to be read where they stand.
type typeArgs struct {
	nodes []typeNode
	f     *file
	scope int32
	env   env // what generic names stood for where the type was read
}

// maxValues bounds what one expression may be: more is as good as unknown.
const maxValues = 8

// maxFunctions bounds how many functions that were put somewhere one expression
// may be: a table of them is written out on purpose, and all are meant.
const maxFunctions = 32

// atMost cuts what an expression may be to what is of use.
func atMost(vs []value) []value {
	if len(vs) <= maxValues {
		return vs
	}
	for i := range vs {
		if vs[i].kind != aFunc || vs[i].rule != ByValue {
			return vs[:maxValues]
		}
	}
	return vs[:min(len(vs), maxFunctions)]
}

// add puts values into a set.
func add(set []value, vs ...value) []value {
	if len(set) == 0 && len(vs) > 1 {
		set = slices.Grow(set, len(vs)) // most often all are other than each other
	}
next:
	for n := range vs {
		v := &vs[n]
		for i := range set {
			if set[i].same(v) {
				continue next
			}
		}
		set = append(set, *v)
	}
	return set
}

func (v *value) same(o *value) bool {
	return v.kind == o.kind && v.key == o.key && v.fn == o.fn && v.f == o.f && v.expr == o.expr && v.exact == o.exact && v.from == o.from && v.to == o.to
}

// ruled sets the rule of values that have none, or all of them.
func ruled(vs []value, rule Rule) []value {
	out := make([]value, len(vs))
	for i, v := range vs {
		v.rule = rule
		out[i] = v
	}
	return out
}

// nowRuled sets the rule of values that nobody else has.
func nowRuled(vs []value, rule Rule) []value {
	for i := range vs {
		vs[i].rule = rule
	}
	return vs
}

// symbolValue is what a symbol is as a value.
func (r *run) symbolValue(s id, rule Rule) []value {
	sym := s.sym()
	switch {
	case sym.Kind.Callable():
		return r.decorated(s, rule)
	case sym.Kind == code.TypeAlias && (s.f.lang.ownType == nil || !s.f.lang.ownType(sym)):
		if vs := r.alias(s); len(vs) > 0 {
			return ruled(vs, rule)
		}
		return []value{{kind: aType, key: s.f.keys[s.i], rule: rule}}
	case sym.Kind.Type():
		plain := value{kind: aType, key: s.f.keys[s.i], rule: rule}
		if s.f.lang.decorators && r.want != typesOnly {
			return r.replacedBy(s, plain)
		}
		return []value{plain}
	case sym.Kind == code.Module && s.f.lang.modulesAreTypes:
		return []value{{kind: aType, key: s.f.keys[s.i], rule: rule}}
	case sym.Kind == code.Module:
		return []value{{kind: aModule, key: s.f.keys[s.i], rule: rule}}
	case sym.Kind == code.EnumMember:
		for _, v := range r.expr(s.f, sym.Value) {
			if v.kind == anInst { // of a class of its own
				return []value{v}
			}
		}
		return []value{{kind: anInst, key: parentKey(s.f.keys[s.i]), exact: true, rule: rule}}
	}
	return ruled(r.fieldValue(s), ByValue)
}

// fieldValue is what a field, variable or constant holds.
func (r *run) fieldValue(s id) []value {
	sym := s.sym()
	var out []value
	if sym.Type != "" {
		out = r.typeText(s.f, r.scopeOf(s), sym.Type)
	}
	if sym.Value > 0 && !known(out) {
		out = add(out, r.expr(s.f, sym.Value)...)
	}
	if s.f.lang.assigned != nil {
		return s.f.lang.assigned(r, s, out)
	}
	return out
}

// known says that there is something of the project among the values.
func known(vs []value) bool {
	for _, v := range vs {
		if v.kind != aForeign && v.kind != aForeignI && v.kind != aFuncType {
			return true
		}
	}
	return false
}

// scopeOf is the scope that a symbol is written in.
func (r *run) scopeOf(s id) int32 {
	if p := s.sym().Parent; p != code.None && s.f.Symbols[p].Scope != code.None {
		return s.f.Symbols[p].Scope
	}
	return 0
}

// inner is the scope in which a symbol's own types are read: that of its
// parameters and generic names.
func (r *run) inner(s id) int32 {
	if sc := s.sym().Scope; sc != code.None {
		return sc
	}
	return r.scopeOf(s)
}

// maxAliasSteps bounds how many aliases one is followed through: those of each
// other's unions would take for ever.
const maxAliasSteps = 1000

// aliases are the type aliases that were followed.
type aliases struct {
	known map[id][]value
	open  open[id]
	steps int  // since none was open
	cut   bool // something was left out since then
}

// alias is what a type alias stands for, as types.
func (r *run) alias(s id) []value {
	sym := s.sym()
	if sym.Type == "" {
		return nil
	}
	a := &r.aliases
	if vs, ok := a.known[s]; ok {
		return vs
	}
	if len(a.open) == 0 {
		a.steps, a.cut = 0, false
	}
	if a.steps++; a.steps > maxAliasSteps || a.open.has(s) {
		a.cut = true
		return nil
	}
	a.open.add(s)
	var out []value
	for _, v := range r.typeText(s.f, r.scopeOf(s), sym.Type) {
		switch v.kind {
		case anInst:
			v.kind, v.exact = aType, false
			out = add(out, v)
		case aForeignI:
			v.kind = aForeign
			out = add(out, v)
		}
	}
	a.open.done()
	if !a.cut || len(a.open) == 0 { // what is part of a circle depends on where it was entered
		if a.known == nil {
			a.known = map[id][]value{}
		}
		a.known[s] = out
	}
	return out
}

// bare says that all that is known of values is the name of something outside.
func bare(vs []value) bool {
	for _, v := range vs {
		if v.kind != aForeignI || v.args != nil || v.f != nil {
			return false
		}
	}
	return true
}
