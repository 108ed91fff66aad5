package resolve

import (
	"strings"

	"chitta/internal/code"
)

// pythonBuiltin is what a call of something built in gives.
func (r *run) pythonBuiltin(f *file, e *code.Expr, i int32, v value) ([]value, bool) {
	name, ok := strings.CutPrefix(v.key, "<builtin>.")
	if !ok {
		return r.pythonOutside(f, e, i, v)
	}
	if strings.Contains(name, ".") {
		return r.pythonMethod(f, e, i, v, name)
	}
	arg := func(n int) []value {
		if n < len(e.Args) {
			return r.expr(f, e.Args[n])
		}
		return nil
	}
	switch name {
	case "dict", "list", "set", "tuple", "frozenset":
		if len(e.Args) == 1 && len(e.Keys) == 0 {
			return arg(0), true
		}
		return []value{{kind: aColl, f: f, expr: i}}, true
	case "sorted", "reversed", "iter":
		return arg(0), true
	case "filter":
		return arg(1), true
	case "next", "min", "max":
		return r.elements(arg(0)), true
	case "map":
		var out []value
		for _, fn := range arg(0) {
			if fn.kind == aFunc {
				out = append(out, value{kind: aSeq, fn: fn.fn, expr: seqOfResults})
			}
		}
		return out, true
	case "enumerate", "zip":
		return []value{{kind: aSeq, key: pairsKey, f: f, expr: i}}, true
	case "getattr":
		return r.pythonGot(f, e), true
	case "type":
		var out []value
		for _, x := range arg(0) {
			if x.kind == anInst {
				x.kind = aType
				out = add(out, x)
			}
		}
		return out, true
	case "super", "print", "isinstance", "len":
		return nil, true
	}
	return nil, false
}

// pythonGot is what getattr gives, where the name is known.
func (r *run) pythonGot(f *file, e *code.Expr) []value {
	if len(e.Args) < 2 {
		return nil
	}
	var out []value
	for _, name := range r.pythonKeys(f, e.Args[1]) {
		for _, x := range r.expr(f, e.Args[0]) {
			out = add(out, r.memberOf(f, x, name)...)
		}
	}
	return out
}

// pythonMethod is what a method of a list or dict gives.
func (r *run) pythonMethod(f *file, e *code.Expr, i int32, v value, name string) ([]value, bool) {
	if name == "dict.items" {
		return []value{{kind: aSeq, key: pairsKey, f: f, expr: i}}, true
	}
	if v.f == nil {
		return nil, false
	}
	x := value{kind: aColl, f: v.f, expr: v.expr, from: v.from, to: v.to}
	switch name {
	case "list.copy", "dict.copy", "dict.values":
		return []value{x}, true
	case "list.pop", "set.pop":
		return r.elements([]value{x}), true
	case "dict.get", "dict.pop", "dict.setdefault":
		if len(e.Args) == 0 { // of a list that is known by what is put into it
			return r.elements([]value{x}), true
		}
		keys := r.pythonKeys(f, e.Args[0])
		if len(keys) == 0 {
			keys = []string{""} // any
		}
		var out []value
		for _, key := range keys {
			out = add(out, r.pythonItem(x, key)...)
		}
		if len(out) == 0 && len(e.Args) > 1 {
			out = r.expr(f, e.Args[1])
		}
		return out, true
	}
	return nil, false
}

// pythonOutside is what calling something of another module gives.
func (r *run) pythonOutside(f *file, e *code.Expr, i int32, v value) ([]value, bool) {
	switch v.key {
	case "collections.defaultdict", "collections.OrderedDict", "collections.deque":
		return []value{{kind: aColl, f: f, expr: i, from: int32(len(e.Args))}}, true
	case "functools.partial":
		if len(e.Args) > 0 {
			return r.expr(f, e.Args[0]), true
		}
	case "importlib.import_module":
		if len(e.Args) > 0 && e.Args[0] > 0 && f.Exprs[e.Args[0]].Text != "" {
			return f.lang.imported(r, f, &code.Import{Module: f.Exprs[e.Args[0]].Text}), true
		}
	}
	if last := lastName(v.key); last != "" && last[0] >= 'A' && last[0] <= 'Z' {
		return []value{{kind: aForeignI, key: v.key, args: v.args}}, true
	}
	return nil, false
}

// pythonPair is the n-th part of what enumerate, zip and items give.
func pythonPair(r *run, x value, n int) []value {
	if x.key != pairKey {
		return nil
	}
	e := &x.f.Exprs[x.expr]
	switch {
	case e.Name == "enumerate" && n == 2 && len(e.Args) > 0:
		return r.elements(r.expr(x.f, e.Args[0]))
	case e.Name == "zip" && n <= len(e.Args):
		return r.elements(r.expr(x.f, e.Args[n-1]))
	case e.Name == "items" && n == 2 && e.X > 0 && x.f.Exprs[e.X].Kind == code.MemberExpr:
		return r.elements(r.expr(x.f, x.f.Exprs[e.X].X))
	}
	return nil
}

// pythonHooks are the methods that built-in functions run on their first
// argument.
var pythonHooks = map[string]string{
	"abs": "__abs__", "aiter": "__aiter__", "anext": "__anext__", "bool": "__bool__", "bytes": "__bytes__", "dir": "__dir__", "float": "__float__",
	"format": "__format__", "hash": "__hash__", "int": "__int__", "iter": "__iter__", "len": "__len__", "next": "__next__", "repr": "__repr__",
	"reversed": "__reversed__", "round": "__round__", "str": "__str__",
}

// pythonAlsoCalls: len(x) calls the method __len__ of x.
func pythonAlsoCalls(r *run, f *file, e *code.Expr, vs []value) []target {
	var out []target
	for _, v := range vs {
		name, ok := strings.CutPrefix(v.key, "<builtin>.")
		hook := pythonHooks[name]
		if v.kind != aForeign || !ok || hook == "" || len(e.Args) == 0 {
			continue
		}
		for _, x := range r.expr(f, e.Args[0]) {
			if x.kind != anInst {
				continue
			}
			for _, m := range r.instMember(x, hook) {
				if m.kind == aFunc {
					out = append(out, target{m.fn, m.rule})
				}
			}
		}
	}
	return out
}
