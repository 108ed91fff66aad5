package resolve

import (
	"slices"

	"chitta/internal/code"
)

// below lists the types under a type, all the way down.
func (r *run) below(key string) []string {
	if !r.subsOK {
		r.subsOK, r.subs = true, map[string][]string{}
		r.climbing++
		defer func() { r.climbing-- }()
		for _, path := range r.p.paths() {
			f := r.p.files[path]
			for i := range f.Symbols {
				if k := f.Symbols[i].Kind; !k.Type() && k != code.Module && len(r.elsewhere()[f.keys[i]]) == 0 {
					continue
				}
				for _, b := range r.bases(f.keys[i]) {
					if b.kind == aType && !slices.Contains(r.subs[b.key], f.keys[i]) {
						r.subs[b.key] = append(r.subs[b.key], f.keys[i])
					}
				}
			}
		}
	}
	if l, ok := r.lower[key]; ok {
		return slices.Clip(l)
	}
	var out []string
	seen := map[string]bool{key: true}
	for todo := []string{key}; len(todo) > 0; todo = todo[1:] {
		for _, k := range r.subs[todo[0]] {
			if !seen[k] && len(out) < maxBelow {
				seen[k] = true
				out = append(out, k)
				todo = append(todo, k)
			}
		}
	}
	if r.climbing == 0 {
		r.lower[key] = out
	}
	return slices.Clip(out)
}

// implementors lists the types that an instance of a type may be of.
func (r *run) implementors(key string) []string {
	if l, ok := r.impls[key]; ok {
		return l
	}
	l := r.below(key)
	if s, ok := r.first(key); ok && s.f.lang.satisfies != nil && s.sym().Kind == code.Interface {
		for _, k := range s.f.lang.satisfies(r, key) {
			if !slices.Contains(l, k) {
				l = append(l, k)
			}
		}
	}
	r.impls[key] = l
	return l
}

// dispatched adds to the members found in a type those of the types below it,
// and leaves out those that have no body when others have one.
func (r *run) dispatched(found []value, x value, name string) []value {
	if !functional(found) || r.settled(found) {
		return found
	}
	if !r.overridable(x.key) {
		if !allAbstract(found) {
			return found
		}
		x.key = parentKey(found[0].fn.f.keys[found[0].fn.i]) // of an interface that it embeds
	}
	if l := found[0].fn.f.lang; l.virtual != nil && !l.virtual(r, found[0].fn) {
		return found
	}
	others := r.overriding(x.key, name, allAbstract(found))
	if lang := found[0].fn.f.lang; lang.lambdas != nil && allAbstract(found) {
		others = add(others, lang.lambdas(r, x.key)...)
	}
	if len(others) == 0 || len(others) > maxValues {
		return found // none, or too many to say
	}
	if allAbstract(found) {
		return others
	}
	return add(found, others...)
}

// overriding are the methods of the name that types below have; with inherited
// also those that they take from elsewhere.
func (r *run) overriding(key, name string, inherited bool) []value {
	at := overrideAt{memberAt{key, name, r.want}, inherited}
	out, ok := r.replaced[at]
	if ok {
		return slices.Clip(out)
	}
	for _, k := range r.implementors(key) {
		ids := r.own(k, name)
		if len(ids) == 0 && inherited {
			ids = r.member(k, name) // inherited by what implements
		}
		for _, s := range ids {
			if sym := s.sym(); sym.Kind.Callable() && !sym.Abstract {
				out = add(out, value{kind: aFunc, fn: s, rule: ByImplementor})
			}
		}
		if len(out) > maxValues {
			break // too many to say
		}
	}
	if r.climbing > 0 {
		return out
	}
	if r.replaced == nil {
		r.replaced = map[overrideAt][]value{}
	}
	r.replaced[at] = out
	return slices.Clip(out)
}

type overrideAt struct {
	memberAt
	inherited bool
}

// settled says that none of the methods can be another type's.
func (r *run) settled(found []value) bool {
	for _, v := range found {
		if v.fn.f.lang.settled == nil || !v.fn.f.lang.settled(v.fn) {
			return false
		}
	}
	return true
}

// overridable says that methods of the type may be another's where they are
// called.
func (r *run) overridable(key string) bool {
	all := r.p.symbols[key]
	if len(all) == 0 || !all[0].f.lang.onlyInterfaces {
		return true
	}
	k := all[0].sym().Kind
	return k == code.Interface || k == code.Trait
}

// functional says that there are functions among the values, or none at all.
func functional(vs []value) bool {
	for _, v := range vs {
		if v.kind != aFunc {
			return false
		}
	}
	return len(vs) > 0
}

func allAbstract(vs []value) bool {
	for _, v := range vs {
		if v.kind != aFunc || !v.fn.sym().Abstract {
			return false
		}
	}
	return true
}
