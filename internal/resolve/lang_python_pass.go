package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// pythonField is the number of the parameter that stands for what a field of a
// class without a constructor of its own is given.
const pythonField = -1

// pythonPasses notes what calls hand on that do not call a function with its
// arguments: functools.partial and what is built in give them to the function
// that they are given, and a class with declared fields keeps them.
func pythonPasses(r *run, f *file, e *code.Expr, vs []value) {
	for _, v := range vs {
		switch {
		case v.kind == aType && e.Kind == code.CallExpr:
			r.pythonKeeps(f, e, v.key)
		case v.kind != aForeign:
		case v.key == "functools.partial" && len(e.Args) > 0:
			r.pythonBinds(f, e)
		default:
			r.pythonHands(f, e, v)
		}
	}
}

// pythonBinds gives a function those of its arguments that are bound.
func (r *run) pythonBinds(f *file, e *code.Expr) {
	rest, more := *e, *e.More
	rest.More = &more
	rest.X, rest.Args = e.Args[0], e.Args[1:]
	if len(e.Keys) > 0 {
		rest.Keys = e.Keys[1:]
	}
	for _, v := range r.expr(f, e.Args[0]) {
		if v.kind != aFunc {
			continue
		}
		for i, a := range rest.Args {
			if n := r.paramOf(v.fn.sym(), &rest, i, 0); n >= 0 {
				r.pythonGives(v.fn, n, r.expr(f, a))
			}
		}
	}
}

// pythonGives notes that a parameter is given values. The rest of the arguments
// is a collection, and not given by one.
func (r *run) pythonGives(fn id, param int, vs []value) {
	sym := fn.sym()
	if param >= len(sym.Params) || sym.Params[param].Variadic || sym.Params[param].Keyword {
		return
	}
	for _, v := range vs {
		if v.kind == aFunc || sym.Params[param].Type == "" && r.flows(v, fn, param) {
			r.passed = append(r.passed, passing{flowTo{fn.f.Path, sym.Path, int32(param)}, v})
		}
	}
}

// pythonHands gives functions the elements that something built in calls them
// with.
func (r *run) pythonHands(f *file, e *code.Expr, v value) {
	name, ok := strings.CutPrefix(v.key, "<builtin>.")
	if !ok && v.key != "functools.reduce" {
		return
	}
	fn, first := int32(0), 1 // the function, and where what it is called with stands
	switch name {
	case "map", "filter", "functools.reduce", "reduce":
		if len(e.Args) < 2 {
			return
		}
		fn = e.Args[0]
	case "sorted", "min", "max", "list.sort":
		at := slices.Index(e.Keys, "key")
		if at < 0 {
			return
		}
		fn, first = e.Args[at], 0
	default:
		return
	}
	for _, to := range r.expr(f, fn) {
		if to.kind != aFunc {
			continue
		}
		if name == "list.sort" {
			r.pythonGives(to.fn, 0, r.elements(r.expr(f, f.Exprs[max(e.X, 0)].X)))
			continue
		}
		r.pythonGives(to.fn, 0, r.elements(r.expr(f, e.Args[first])))
		switch {
		case strings.HasSuffix(name, "reduce"):
			r.pythonGives(to.fn, 1, r.elements(r.expr(f, e.Args[first])))
		case name == "map":
			for n := first + 1; n < len(e.Args); n++ {
				r.pythonGives(to.fn, n-first, r.elements(r.expr(f, e.Args[n])))
			}
		}
	}
}

// pythonKeeps gives the declared fields of a class that has no constructor what
// an instance is made with.
func (r *run) pythonKeeps(f *file, e *code.Expr, key string) {
	if len(e.Args) == 0 || len(r.member(key, "__init__")) > 0 {
		return
	}
	fields := r.pythonFields(key)
	for i, a := range e.Args {
		n := i
		if i < len(e.Keys) && e.Keys[i] != "" {
			n = slices.IndexFunc(fields, func(s id) bool { return s.sym().Name == e.Keys[i] })
		}
		if n < 0 || n >= len(fields) || a <= 0 || f.Exprs[a].Kind == code.SpreadExpr {
			continue
		}
		for _, v := range r.expr(f, a) {
			switch v.kind {
			case aFunc, aType, anInst, aColl, aSeq:
				r.passed = append(r.passed, passing{flowTo{fields[n].f.Path, fields[n].sym().Path, pythonField}, v})
			}
		}
	}
}

// pythonFields are the fields that a class and those above it declare, in the
// order in which a constructor made of them takes them.
func (r *run) pythonFields(key string) []id {
	var out []id
	order := slices.Clone(r.linear(key))
	slices.Reverse(order)
	for _, k := range order {
		for _, s := range r.p.symbols[k] {
			if s.sym().Scope == code.None {
				continue
			}
			for _, b := range s.f.Scopes[s.sym().Scope].Bindings {
				if b.Kind != code.Defines {
					continue
				}
				m := id{s.f, b.Ref}
				if sym := m.sym(); sym.Kind != code.Field || sym.Type == "" || sym.Static {
					continue
				}
				if at := slices.IndexFunc(out, func(o id) bool { return o.sym().Name == m.sym().Name }); at >= 0 {
					out[at] = m
				} else {
					out = append(out, m)
				}
			}
		}
	}
	return out
}
