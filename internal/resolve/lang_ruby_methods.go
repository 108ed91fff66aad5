package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// rubyMember is X.Name: an instance variable, a constant, or the methods that it
// calls. What attributes hold is no method.
func (r *run) rubyMember(f *file, e *code.Expr) []value {
	if e.X > 0 && f.Exprs[e.X].Kind == code.SuperExpr {
		return ruled(r.rubySuper(f, e.Scope, e.Name), BySelf)
	}
	xs := r.expr(f, e.X)
	if len(xs) == 0 && e.X > 0 && f.Exprs[e.X].Kind == code.SelfExpr {
		return r.rubyTop(f, e.Name)
	}
	var out []value
	for _, x := range xs {
		switch {
		case strings.HasPrefix(e.Name, "@"):
			out = add(out, r.rubyVariable(x, e.Name)...)
		case x.kind == aType && rubyIsConstant(e.Name) && len(r.rubyConstants(x.key, e.Name)) > 0:
			out = add(out, r.rubyConstants(x.key, e.Name)...)
		case x.kind == aType || x.kind == anInst:
			vs, _ := r.rubyMethods(x, e.Name)
			if f.Exprs[e.X].Kind == code.SelfExpr {
				vs = ruled(vs, BySelf)
			}
			out = add(out, vs...)
		case x.kind == aFunc:
			if rubyCallsIt[e.Name] {
				x.rule = ByValue
				out = add(out, x)
			}
		default:
			if vs := r.rubyAdded(x, e.Name); len(vs) > 0 {
				out = add(out, vs...)
				continue
			}
			out = add(out, r.memberOf(f, x, e.Name)...)
		}
	}
	if len(out) > 0 || strings.HasPrefix(e.Name, "@") || rubyIsConstant(e.Name) {
		return out
	}
	if e.X > 0 && f.Exprs[e.X].Kind == code.SelfExpr { // every object has the methods of the top
		if vs := r.rubyTop(f, e.Name); len(vs) > 0 {
			return vs
		}
	}
	if rubyCompares[e.Name] {
		return r.rubyCompared(xs)
	}
	if _, attribute := r.rubyReads(f, e, strings.TrimSuffix(e.Name, "=")); attribute {
		return nil
	}
	return r.rubyMissing(xs, e.Name)
}

// rubyCompares are the signs that Comparable has, by way of <=>.
var rubyCompares = wordSet(`< > <= >=`)

// rubyCompared is the <=> of what includes Comparable.
func (r *run) rubyCompared(xs []value) []value {
	var out []value
	for _, x := range xs {
		if x.kind == anInst && slices.ContainsFunc(r.inherits(x.key), func(h heritage) bool { return h.kind == code.Mixin && h.v.key == "Comparable" }) {
			vs, _ := r.rubyMethods(x, "<=>")
			out = add(out, vs...)
		}
	}
	return out
}

// rubyCallsIt are methods of a proc that run it.
var rubyCallsIt = map[string]bool{"call": true, "()": true, "yield": true, "===": true}

// rubyMethods are the methods of a name that a value has. The second result says
// that it has something of the name, be it an attribute.
func (r *run) rubyMethods(x value, name string) ([]value, bool) {
	if name == "" || x.kind != aType && x.kind != anInst {
		return nil, false
	}
	ask := rubyAsk{x.kind, x.exact, x.key, name}
	if a, ok := r.asked[ask]; ok {
		return a.vs, a.has
	}
	vs, has := r.rubyFind(x, name)
	if r.aliasing == 0 && r.depth < maxDepth {
		if r.asked == nil {
			r.asked = map[rubyAsk]rubyAnswer{}
		}
		r.asked[ask] = rubyAnswer{vs, has}
	}
	return vs, has
}

// rubyAsk is a question for the methods of a value, rubyAnswer what was found.
type rubyAsk struct {
	kind      valueKind
	exact     bool
	key, name string
}

type rubyAnswer struct {
	vs  []value
	has bool
}

func (r *run) rubyFind(x value, name string) ([]value, bool) {
	var found []id
	if x.kind == aType {
		found = r.rubySingleton(x.key, name, 0)
	} else {
		found = r.rubyInstance(r.linear(x.key), name)
		if len(found) == 0 && !x.exact {
			return r.rubyElsewhere(x, name)
		}
	}
	if len(found) == 0 {
		return nil, false
	}
	if x.kind == anInst && !x.exact && r.rubyModule(x.key) {
		if out, ok := r.rubyElsewhere(x, name); len(out) > 0 {
			return out, ok
		}
	}
	out := r.rubyFunctions(x, found)
	if x.exact {
		return out, true
	}
	rest, _ := r.rubyBelow(x, name)
	switch {
	case len(rest) > 0 && len(out) > 0 && allAbstract(out):
		return rest, true // it only raises, for those below to have it
	case len(out)+len(rest) > maxValues:
		return out, true
	}
	return add(out, rest...), true
}

// rubyFunctions are the methods among symbols; an alias or delegate is what it
// stands for.
func (r *run) rubyFunctions(x value, ids []id) []value {
	rule := ByReceiver
	if x.kind == aType {
		rule = ByQualified
	}
	var out []value
	for _, s := range ids {
		sym := s.sym()
		switch {
		case sym.Kind.Callable():
			out = add(out, value{kind: aFunc, fn: s, rule: rule})
		case sym.Kind == code.Field && sym.Value > 0:
			if e := &s.f.Exprs[sym.Value]; e.Kind == code.MemberExpr && !strings.HasPrefix(e.Name, "@") {
				out = add(out, ruled(r.rubyStandsFor(x, s), ByValue)...)
			}
		}
	}
	return out
}

// rubyStandsFor is the method that an alias or delegate is another name of.
func (r *run) rubyStandsFor(x value, s id) []value {
	at := "alias " + s.f.keys[s.i]
	if r.opening[at] || r.depth > maxDepth {
		return nil // names that stand for each other
	}
	r.opening[at] = true
	r.depth++
	r.aliasing++
	x.exact = true
	out, before := r.rubyBefore(x, s)
	if !before {
		out = r.rubyOn(x, s.f, s.sym().Value)
	}
	r.aliasing--
	r.depth--
	delete(r.opening, at)
	return out
}

// rubyBefore is the method that an alias stands for where its class has another
// of that name after it: the one that there was before. False if it has none.
func (r *run) rubyBefore(x value, s id) ([]value, bool) {
	e := &s.f.Exprs[s.sym().Value]
	p := s.sym().Parent
	if e.Kind != code.MemberExpr || e.X <= 0 || s.f.Exprs[e.X].Kind != code.SelfExpr || p == code.None || x.kind != anInst {
		return nil, false
	}
	var before []id
	later := false
	for _, o := range r.own(s.f.keys[p], e.Name) {
		switch sym := o.sym(); {
		case o.f != s.f || sym.Static != s.sym().Static || !sym.Kind.Callable():
		case sym.Line > s.sym().Line:
			later = true
		default:
			before = append(before, o)
		}
	}
	if !later {
		return nil, false
	}
	if len(before) == 0 {
		l := r.linear(x.key)
		before = r.rubyInstance(l[slices.Index(l, s.f.keys[p])+1:], e.Name)
	}
	return r.rubyFunctions(x, before[max(len(before)-1, 0):]), true
}

// rubyOn is what self.a.b of an alias or delegate is for a receiver.
func (r *run) rubyOn(x value, f *file, i int32) []value {
	e := &f.Exprs[i]
	if e.Kind != code.MemberExpr || e.X <= 0 {
		return nil
	}
	on := []value{x}
	if f.Exprs[e.X].Kind != code.SelfExpr {
		on = nil
		for _, v := range r.rubyOn(x, f, e.X) {
			if v.kind == aFunc {
				on = add(on, r.result(v.fn)...)
			} else {
				on = add(on, v)
			}
		}
		if inner := &f.Exprs[e.X]; len(on) == 0 && inner.Kind == code.MemberExpr {
			on, _ = r.rubyAttribute(x, inner.Name)
		}
	}
	var out []value
	for _, v := range on {
		if strings.HasPrefix(e.Name, "@") {
			out = add(out, r.rubyVariable(v, e.Name)...)
			continue
		}
		vs, _ := r.rubyMethods(v, e.Name)
		out = add(out, vs...)
	}
	return out
}

// rubyInstance finds the symbols of a name that instances have, in the first of
// the types that has one.
func (r *run) rubyInstance(types []string, name string) []id {
	for _, k := range types {
		ids := slices.DeleteFunc(slices.Clone(r.own(k, name)), func(s id) bool { return s.sym().Static && !r.rubyBoth(s) || !rubyHas(s) })
		if len(ids) > 0 {
			return rubyLast(ids)
		}
	}
	return nil
}

// rubyHas says that a symbol is something that can be called on its owner.
func rubyHas(s id) bool { return s.sym().Kind.Callable() || s.sym().Kind == code.Field }

// rubyLast keeps methods before attributes, and of several in one file the last:
// it replaces the others.
func rubyLast(ids []id) []id {
	methods := slices.DeleteFunc(slices.Clone(ids), func(s id) bool { return !s.sym().Kind.Callable() })
	if len(methods) > 0 {
		ids = methods
	}
	var out []id
	for i, s := range ids {
		if i+1 < len(ids) && ids[i+1].f == s.f {
			continue
		}
		out = append(out, s)
	}
	return out
}

// maxSingleton bounds how far class methods are looked for.
const maxSingleton = 30

// rubySingleton finds the symbols of a name that a class itself has: its own, of
// modules that extend it, and then those of its superclass.
func (r *run) rubySingleton(key, name string, depth int) []id {
	if depth > maxSingleton {
		return nil
	}
	ids := slices.DeleteFunc(slices.Clone(r.own(key, name)), func(s id) bool { return !s.sym().Static || !rubyHas(s) })
	if len(ids) > 0 {
		return rubyLast(ids)
	}
	heritage := r.inherits(key)
	for i := len(heritage) - 1; i >= 0; i-- {
		if h := heritage[i]; h.kind == code.Singleton {
			if found := r.rubyInstance(r.linear(h.v.key), name); len(found) > 0 {
				return found
			}
		}
	}
	if r.rubyExtendsSelf(key) {
		if found := r.rubyInstance([]string{key}, name); len(found) > 0 {
			return found
		}
	}
	for i := len(heritage) - 1; i >= 0; i-- { // modules that extend what includes them
		if h := heritage[i]; h.kind == code.Mixin || h.kind == code.Prepends {
			for _, m := range r.inherits(h.v.key) {
				if m.kind == code.Singleton {
					if found := r.rubyInstance(r.linear(m.v.key), name); len(found) > 0 {
						return found
					}
				}
			}
		}
	}
	for _, h := range heritage {
		if h.kind == code.Extends && h.v.key != key {
			if found := r.rubySingleton(h.v.key, name, depth+1); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// rubyExtendsSelf says that a module says `extend self`.
func (r *run) rubyExtendsSelf(key string) bool {
	for _, s := range r.p.symbols[key] {
		for i := range s.f.Inherits {
			if h := &s.f.Inherits[i]; h.Symbol == s.i && h.Kind == code.Singleton && h.Base == "self" {
				return true
			}
		}
	}
	return false
}

// rubyBelow are the methods of a name in the types below one: subclasses, and
// what includes a module.
func (r *run) rubyBelow(x value, name string) ([]value, bool) {
	var out []value
	has := false
	for _, k := range r.implementors(x.key) {
		var ids []id
		if x.kind == aType {
			ids = slices.DeleteFunc(slices.Clone(r.own(k, name)), func(s id) bool { return !s.sym().Static })
		} else {
			l := r.linear(k) // with what is prepended
			ids = r.rubyInstance(l[:slices.Index(l, k)+1], name)
		}
		has = has || len(ids) > 0
		out = add(out, ruled(r.rubyFunctions(value{kind: x.kind, key: k, exact: true}, ids), ByImplementor)...)
		if len(out) > maxValues {
			return nil, true
		}
	}
	return out, has
}

// rubyModule says that a key is a module's: nothing is an instance of it alone.
func (r *run) rubyModule(key string) bool {
	for _, s := range r.p.symbols[key] {
		return s.sym().Kind == code.Module
	}
	return false
}

// rubyElsewhere are the methods of a name that a class or module counts on others
// to have: those below it, whatever they inherit, and what a module extends.
func (r *run) rubyElsewhere(x value, name string) ([]value, bool) {
	var out []value
	has := false
	for _, k := range r.implementors(x.key) {
		if r.rubyModule(k) {
			continue
		}
		ids := r.rubyInstance(r.linear(k), name)
		has = has || len(ids) > 0
		out = add(out, ruled(r.rubyFunctions(value{kind: anInst, key: k, exact: true}, ids), ByImplementor)...)
	}
	for _, k := range r.rubyExtended(x.key) {
		ids := r.rubySingleton(k, name, 0)
		has = has || len(ids) > 0
		out = add(out, ruled(r.rubyFunctions(value{kind: aType, key: k, exact: true}, ids), ByImplementor)...)
	}
	if len(out) > maxValues {
		return nil, has
	}
	return out, has
}

// rubyExtended lists the classes whose own methods a module's are: those that it
// extends, and those that include a module which has it extend them.
func (r *run) rubyExtended(module string) []string {
	if r.extends == nil {
		r.extends = map[string][]string{}
		for _, path := range r.p.paths() {
			f := r.p.files[path]
			for i := range f.Inherits {
				h := &f.Inherits[i]
				if sub, ok := r.subOf(f, h); ok && h.Kind == code.Singleton && f.family == "ruby" {
					for _, v := range r.base(f, h) {
						r.extends[v.key] = append(r.extends[v.key], sub.f.keys[sub.i])
					}
				}
			}
		}
	}
	out := slices.Clone(r.extends[module])
	for _, k := range r.extends[module] {
		out = append(out, r.implementors(k)...)
	}
	return out
}

// rubySuper is the method that comes after that of the class or module around.
func (r *run) rubySuper(f *file, scope int32, name string) []value {
	var out []value
	for _, x := range r.self(f, scope) {
		if x.kind == aType {
			for _, h := range r.inherits(x.key) {
				if h.kind == code.Extends {
					out = add(out, r.rubyFunctions(x, r.rubySingleton(h.v.key, name, 0))...)
				}
			}
			continue
		}
		types := []string{x.key}
		if r.rubyModule(x.key) {
			types = r.implementors(x.key)
		}
		for _, k := range types {
			l := r.linear(k)
			if at := slices.Index(l, x.key); at >= 0 {
				out = add(out, r.rubyFunctions(x, r.rubyInstance(l[at+1:], name))...)
			}
		}
	}
	return out
}
