package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// What Java and C# have in common: functions are values of declared types, an
// interface with one method or a delegate.

// functionKey is the interface or delegate that a function is used as.
func functionKey(declared []value) string {
	for _, v := range declared {
		if v.kind == anInst {
			return v.key
		}
	}
	return ""
}

// bySelf marks members of the type around; functions that its fields hold keep
// how they were found.
func bySelf(vs []value) []value {
	out := ruled(vs, BySelf)
	for i := range vs {
		if vs[i].rule == ByValue {
			out[i].rule = ByValue
		}
	}
	return out
}

// takesFunction says that a parameter of the declared type can hold a function.
func (r *run) takesFunction(f *file, declared []value) bool {
	for _, v := range declared {
		switch v.kind {
		case anInst:
			if _, ok := r.onlyMethod(v.key); ok {
				return true
			}
		case aForeignI:
			name := lastName(v.key)
			if name != listKey && f.lang.sameType("<none>", name) != misfit {
				return true
			}
		case aFunc:
			return true
		}
	}
	return len(declared) == 0
}

// narrowed is what a variable of a declared type holds: exactly what it is set
// to, where all of that is known.
func narrowed(r *run, declared, values []value) []value {
	var out []value
	for _, v := range values {
		held, ok := r.heldAs(declared, v)
		switch {
		case ok:
			v = held
		case v.kind == aForeignI && v.key == "<builtin>.null" && len(values) > 1:
			continue // or nothing
		case v.kind == aForeign: // a function of the library
		case v.kind == aFunc:
			v.key, v.rule = functionKey(declared), ByValue
			if len(declared) > 0 && v.key != "" {
				v.args = declared[0].args
			}
		case v.kind == anInst && v.exact:
			for _, d := range declared { // new Box<>()
				if v.args == nil && d.key == v.key {
					v.args = d.args
				}
			}
		case v.kind == anInst && !known(declared): // Object o = dog
		case v.kind == aColl: // its type says what it holds, unless that is functions
			if known(declared) || !slices.ContainsFunc(r.elements([]value{v}), func(e value) bool { return e.kind == aFunc }) {
				return declared
			}
		default:
			return declared
		}
		out = add(out, v)
	}
	if len(out) == 0 {
		return declared
	}
	return out
}

// fieldHolds is what a field holds: what it is set to if only its class can set
// it and all of that is known exactly, else what it is declared to be, and
// functions that it is set to.
func fieldHolds(r *run, s id, declared []value, closed bool) []value {
	sym := s.sym()
	var all, functions []value
	if len(r.settingsOf(s.f.family, sym.Name)) > 0 { // perhaps from outside of its class
		closed = false
		if r.takesFunction(s.f, declared) {
			for _, v := range r.given(s) {
				if v.kind == aFunc {
					functions = add(functions, narrowed(r, declared, []value{v})...)
				}
			}
		}
	}
	var exprs []int32
	if sym.Value > 0 {
		exprs = []int32{sym.Value}
		if e := &s.f.Exprs[sym.Value]; e.Kind == code.EitherExpr {
			exprs = e.Args
		}
	}
	for _, e := range exprs {
		vs := r.expr(s.f, e)
		if len(vs) == 0 || slices.ContainsFunc(vs, func(v value) bool { return v.kind != aFunc && (v.kind != anInst || !v.exact) }) {
			closed = false
		}
		for _, v := range narrowed(r, declared, vs) {
			all = add(all, v)
			if _, held := r.heldAs(declared, v); v.kind == aFunc || held {
				functions = add(functions, v)
			}
		}
	}
	if closed && len(all) > 0 {
		return all
	}
	if len(functions) > 0 {
		return add(slices.Clone(functions), slices.DeleteFunc(slices.Clone(declared), func(v value) bool { return v.kind == aForeignI })...)
	}
	return declared
}

// componentOf is the n-th part of an instance: of a record the field that its
// n-th parameter is, else what Deconstruct gives.
func componentOf(r *run, x value, n int) []value {
	for _, m := range r.member(x.key, "Deconstruct") {
		if params := m.sym().Params; n <= len(params) {
			return r.typeIn(m.f, r.inner(m), r.parsed(m.f, params[n-1].Type), r.typeEnv(x))
		}
	}
	for _, s := range r.p.symbols[x.key] {
		if s.sym().Scope == code.None {
			continue
		}
		for _, b := range s.f.Scopes[s.sym().Scope].Bindings {
			if b.Kind != code.Defines || s.f.Symbols[b.Ref].Kind != code.Field {
				continue
			}
			if n--; n == 0 {
				return r.bound(id{s.f, b.Ref}, x)
			}
		}
	}
	return nil
}

// superclass is what is above the type around a scope, leaving interfaces out.
func superclass(r *run, f *file, scope int32, top string) []value {
	for _, v := range r.self(f, scope) {
		for _, h := range r.inherits(v.key) {
			if h.kind != code.Extends && h.kind != code.Implements {
				continue
			}
			switch h.v.kind {
			case aType:
				if ids := r.p.symbols[h.v.key]; len(ids) > 0 && ids[0].sym().Kind == code.Interface {
					continue
				}
				return []value{{kind: anInst, key: h.v.key, exact: true, rule: BySelf}}
			case aForeign:
				if h.kind == code.Extends {
					return []value{{kind: aForeignI, key: h.v.key}}
				}
			}
		}
	}
	return []value{{kind: aForeignI, key: top}}
}

// dotted is the text of a chain of names, "" for anything else.
func dotted(f *file, i int32) string {
	if i <= 0 {
		return ""
	}
	switch e := &f.Exprs[i]; e.Kind {
	case code.NameExpr:
		return e.Name
	case code.MemberExpr:
		if x := dotted(f, e.X); x != "" {
			return x + "." + e.Name
		}
	}
	return ""
}

// declaredOutside are the methods that types below have of a name that only what
// a type takes from the library declares: run() of an abstract class that is a
// Runnable.
func (r *run) declaredOutside(x value, name string) []value {
	if x.exact || !r.promisesOutside(x.key) {
		return nil
	}
	vs := r.overriding(x.key, name, false)
	if len(vs) > maxValues {
		return nil
	}
	for _, v := range vs { // one that another type of the project declares is not the library's
		for _, k := range r.linear(parentKey(v.fn.f.keys[v.fn.i]))[1:] {
			if len(r.own(k, name)) > 0 && !slices.Contains(r.below(x.key), k) {
				return nil
			}
		}
	}
	return vs
}

// promisesOutside says that a type implements an interface of the library.
func (r *run) promisesOutside(key string) bool {
	for _, k := range r.linear(key) {
		for _, h := range r.inherits(k) {
			if h.v.kind == aForeign && (h.kind == code.Implements || r.isInterface(value{kind: aType, key: k})) {
				return true
			}
		}
	}
	return false
}

// enclosing lists a namespace's or package's outer ones, nearest first.
func enclosing(unit string) []string {
	var out []string
	for unit != "" {
		at := strings.LastIndexByte(unit, '.')
		if at < 0 {
			at = 0
		}
		unit = unit[:at]
		out = append(out, unit)
	}
	return out
}
