package resolve

import (
	"slices"
	"strconv"
	"strings"

	"chitta/internal/code"
)

// Functions come into fields and variables by assignments and literals anywhere
// in a project. Facts have assignments to what is not a local variable as
// bindings by their text ("s.f", ".handler" for a variable of the package), and
// literals as typed expressions with arguments.

// setting is a place that gives a value to a field or variable.
type setting struct {
	f       *file
	literal int32 // the typed expression whose argument it is, or 0
	arg     int
	scope   int32 // otherwise the binding
	binding int32
}

// settings lists what a file gives values to, by the last name.
func settings(f *file) map[string][]setting {
	out := map[string][]setting{}
	for i := range f.Exprs {
		e := &f.Exprs[i]
		if e.Kind != code.TypedExpr {
			continue
		}
		for n := range e.Args {
			name := placeName(e.Name, n)
			if n < len(e.Keys) {
				name = e.Keys[n]
			}
			out[name] = append(out[name], setting{f: f, literal: int32(i), arg: n})
		}
	}
	for s := range f.Scopes {
		for b := range f.Scopes[s].Bindings {
			binding := &f.Scopes[s].Bindings[b]
			if at := strings.LastIndexByte(binding.Name, '.'); at >= 0 && binding.Kind == code.Assigned {
				name := binding.Name[at+1:]
				out[name] = append(out[name], setting{f: f, scope: int32(s), binding: int32(b)})
			}
		}
	}
	return out
}

// placeName stands for the n-th field of a type that is written without the
// names of its fields.
func placeName(typ string, n int) string {
	typ, _, _ = strings.Cut(strings.TrimLeft(typ, "*&"), "[")
	typ, _, _ = strings.Cut(typ, "<")
	return "#" + strconv.Itoa(n) + " " + lastName(typ)
}

// sets is how what a file gives values to looks from outside, by name; of fields
// without names by that of their type.
func (f *file) sets() map[string]string {
	out := map[string]string{}
	for name, list := range f.settings {
		for _, set := range list {
			value, at := int32(0), strings.TrimSuffix(name, pythonItems)
			if set.literal > 0 {
				e := &f.Exprs[set.literal]
				value = e.Args[set.arg]
				if strings.HasPrefix(at, "#") {
					at = e.Name
				}
			} else {
				value = f.Scopes[set.scope].Bindings[set.binding].Value
			}
			out[at] += "set " + f.ExprWhole(value) + "\n"
		}
	}
	return out
}

// settingsOf lists all places that give a value to something of the name, in
// files of the family.
func (r *run) settingsOf(family, name string) []setting {
	if r.settings == nil {
		r.settings = map[inFamily][]setting{}
		for _, path := range r.p.paths() {
			f := r.p.files[path]
			for name, list := range f.settings {
				at := inFamily{f.family, name}
				r.settings[at] = append(r.settings[at], list...)
			}
		}
	}
	return r.settings[inFamily{family, name}]
}

// maxSettings bounds how many places are asked for one field: more say nothing.
const maxSettings = 1000

// given is what is assigned to a field or variable anywhere.
func (r *run) given(s id) []value {
	if vs, ok := r.memoOf(s.f).symbols.of(s.i); ok {
		return vs
	}
	at := exprAt{s.f, -2 - s.i}
	if r.busy[at] {
		return nil
	}
	r.busy[at] = true
	defer delete(r.busy, at)
	name, key := s.sym().Name, s.f.keys[s.i]
	list := r.settingsOf(s.f.family, name)
	if s.sym().Kind == code.Field {
		if more := r.positional(s); len(more) > 0 {
			list = append(slices.Clone(list), more...)
		}
	}
	if len(list) > maxSettings {
		return nil
	}
	var out []value
	for _, set := range list {
		out = add(out, r.settingValue(set, key)...)
	}
	if len(out) > maxValues {
		out = out[:maxValues]
	}
	r.keep(&r.memoOf(s.f).symbols, s.i, len(s.f.Symbols), out)
	return out
}

// positional lists the literals without names that give the field a value.
func (r *run) positional(s id) []setting {
	place := -1
	for _, b := range s.f.Scopes[r.scopeOf(s)].Bindings {
		if b.Kind == code.Defines && s.f.Symbols[b.Ref].Kind == code.Field {
			place++
			if b.Ref == s.i {
				break
			}
		}
	}
	parent := s.sym().Parent
	if place < 0 || parent == code.None {
		return nil
	}
	return r.settingsOf(s.f.family, placeName(s.f.Symbols[parent].Name, place))
}

// settingValue is what is set there, if it is the symbol with the key.
func (r *run) settingValue(set setting, key string) []value {
	f := set.f
	if set.literal > 0 {
		e := &f.Exprs[set.literal]
		if !r.holds(r.typeText(f, e.Scope, e.Name), parentKey(key)) {
			return nil
		}
		return r.expr(f, e.Args[set.arg])
	}
	b := &f.Scopes[set.scope].Bindings[set.binding]
	path := strings.Split(b.Name, ".")
	if path[0] == "" { // of the package
		if len(path) != 2 {
			return nil
		}
		if f.lang.namesVariable != nil {
			if !f.lang.namesVariable(r, f, set.scope, path[1], key) {
				return nil
			}
		} else if join(f.family+":"+f.unit, path[1]) != key {
			return nil
		}
	} else if !r.holds(r.placeOf(f, set.scope, path[:len(path)-1], b.At), parentKey(key)) && !r.names(f, set.scope, path, b.At, key) {
		return nil
	}
	vs := r.expr(f, b.Value)
	if b.Element && b.Part > 0 && f.lang.ranged != nil {
		return f.lang.ranged(r, vs, b.Part)
	}
	if b.Element {
		vs = r.elements(vs)
	}
	if b.Part > 0 {
		vs = r.part(vs, b.Part)
	}
	return vs
}

// placeOf is what a.b stands for.
func (r *run) placeOf(f *file, scope int32, path []string, at uint32) []value {
	var vs []value
	if path[0] == "self" {
		vs = r.self(f, scope)
	} else {
		vs = r.lookup(f, scope, path[0], at)
	}
	for _, name := range path[1:] {
		var next []value
		for _, v := range vs {
			next = add(next, r.memberOf(f, v, name)...)
		}
		vs = next
	}
	return vs
}

// holds says that one of the values is an instance of the type or of one that
// takes its fields from it.
func (r *run) holds(vs []value, key string) bool {
	for _, v := range vs {
		if v.kind == anInst && (v.key == key || slices.Contains(r.linear(v.key), key)) {
			return true
		}
	}
	return false
}

// names says that pkg.x is the variable with the key.
func (r *run) names(f *file, scope int32, path []string, at uint32, key string) bool {
	for _, v := range r.placeOf(f, scope, path[:len(path)-1], at) {
		if v.kind == aModule && join(v.key, path[len(path)-1]) == key {
			return true
		}
	}
	return false
}
