package resolve

import (
	"slices"
	"strconv"
	"strings"

	"chitta/internal/code"
)

// indexed is X[Key].
func (r *run) indexed(f *file, e *code.Expr) []value {
	name := e.Name
	if name == "" && len(e.Args) > 0 {
		if k := f.Exprs[max(e.Args[0], 0)]; k.Kind == code.ConstExpr {
			name = k.Text
		}
	}
	var out []value
	for _, x := range r.expr(f, e.X) {
		switch x.kind {
		case aColl:
			out = add(out, r.item(x, name)...)
		case aType, aForeign:
			out = add(out, x) // List[int], f[T]: the type with its arguments
		case aFunc:
			out = add(out, x)
		case aForeignI:
			if n, err := strconv.Atoi(name); err == nil && x.key == tupleKey {
				out = add(out, r.part([]value{x}, n+1)...)
				continue
			}
			out = add(out, r.elements([]value{x})...)
		default:
			out = add(out, r.elements([]value{x})...)
		}
	}
	return out
}

// item is what a list or dict holds under a key; everything that it holds when
// the key is not known.
func (r *run) item(x value, name string) []value {
	e := &x.f.Exprs[x.expr]
	if name != "" && e.Kind == code.DictExpr {
		var out []value
		for i, k := range e.Keys {
			if k == name && i < len(e.Args) {
				out = r.expr(x.f, e.Args[i]) // the last one holds
			}
		}
		if len(out) == 0 {
			out = r.unnamed(x, name)
		}
		if len(out) == 0 && x.f.lang.keyed != nil {
			out = x.f.lang.keyed(r, x, name)
		}
		return ruled(out, ByValue)
	}
	if n, err := strconv.Atoi(name); err == nil && e.Kind != code.DictExpr {
		if n < 0 {
			n += len(e.Args)
		} else {
			n += int(x.from)
		}
		if slices.ContainsFunc(e.Args, func(a int32) bool { return a > 0 && x.f.Exprs[a].Kind == code.SpreadExpr }) {
			return r.elements([]value{x})
		}
		if n >= 0 && n < len(e.Args) {
			return ruled(r.expr(x.f, e.Args[n]), ByValue)
		}
		if x.f.lang.puts != nil {
			return ruled(x.f.lang.puts(r, x), ByValue)
		}
		return nil
	}
	return r.elements([]value{x})
}

// unnamed is what a dict may hold under a name that none of its keys is: what is
// spread into it has it, or a key that is worked out is it.
func (r *run) unnamed(x value, name string) []value {
	e := &x.f.Exprs[x.expr]
	var out []value
	for i, k := range e.Keys {
		if k != "" || i >= len(e.Args) || e.Args[i] <= 0 {
			continue
		}
		if a := &x.f.Exprs[e.Args[i]]; a.Kind == code.SpreadExpr {
			for _, v := range r.expr(x.f, a.X) {
				out = add(out, r.spreadItem(x.f, v, name)...)
			}
			continue
		}
		out = add(out, r.expr(x.f, e.Args[i])...)
	}
	return out
}

// spreadItem is what a value has under a name when it is spread into a dict.
func (r *run) spreadItem(f *file, v value, name string) []value {
	if v.kind != aColl {
		if !f.lang.dictMembers {
			return nil
		}
		return r.memberOf(f, v, name)
	}
	known := r.scripts().spread
	at := spreadAt{v.f, v.expr, name}
	vs, ok := known[at]
	if !ok {
		known[at] = nil // an object that is spread into itself
		vs = r.item(v, name)
		known[at] = vs
	}
	return vs
}

// elements is what stands in a collection.
func (r *run) elements(xs []value) []value {
	if r.depth > maxDepth {
		return nil
	}
	r.depth++
	defer func() { r.depth-- }()
	var out []value
	for _, x := range xs {
		switch {
		case x.kind == aSeq:
			out = add(out, r.sequence(x)...)
		case x.kind == aColl:
			for _, a := range x.within() {
				out = add(out, r.expr(x.f, a)...)
			}
			if x.f.lang.puts != nil {
				out = add(out, x.f.lang.puts(r, x)...)
			}
		case x.kind == aFunc:
			if vs, ok := r.yielded(x); ok {
				out = add(out, vs...)
				continue
			}
			out = add(out, x) // one of those passed as the rest of the arguments
		case x.kind == aFuncType:
		case x.args != nil && len(x.args.nodes) > 0:
			last := x.args.nodes[len(x.args.nodes)-1]
			out = add(out, r.typeIn(x.args.f, x.args.scope, last, x.args.env)...)
		case x.kind == anInst:
			for _, m := range r.iterated(x) {
				out = add(out, m...)
			}
		}
	}
	return nowRuled(out, ByValue)
}

// yielded asks what a loop over a function gives.
func (r *run) yielded(x value) ([]value, bool) {
	if l := x.fn.f.lang; l.yields != nil {
		return l.yields(r, x)
	}
	return nil, false
}

// iterated asks a type for what a loop over an instance of it gives.
func (r *run) iterated(x value) [][]value {
	if s, ok := r.first(x.key); ok && s.f.lang.iterate != nil {
		return [][]value{s.f.lang.iterate(r, x)}
	}
	return nil
}

// part is the n-th of several values, from 1.
func (r *run) part(xs []value, n int) []value {
	var out []value
	for _, x := range xs {
		switch {
		case x.kind == aColl:
			out = add(out, r.item(x, strconv.Itoa(n-1))...)
		case x.kind == aSeq:
			if x.f != nil && x.f.lang.pair != nil {
				out = add(out, x.f.lang.pair(r, x, n)...)
			}
		case x.kind == aForeignI && x.key == tupleKey && x.args != nil:
			if n <= len(x.args.nodes) {
				out = add(out, r.typeIn(x.args.f, x.args.scope, x.args.nodes[n-1], x.args.env)...)
			}
		case x.kind == anInst && len(r.p.symbols[x.key]) > 0 && r.p.symbols[x.key][0].f.lang.component != nil:
			out = add(out, r.p.symbols[x.key][0].f.lang.component(r, x, n)...)
		case n == 1 || x.kind == aForeignI && strings.HasSuffix(x.key, "()"):
			out = add(out, x) // value, err := …: of a type that is not several
		}
	}
	return nowRuled(out, ByValue)
}

// awaited is what a promise of values gives.
func (r *run) awaited(xs []value) []value {
	var out []value
	for _, x := range xs {
		if x.kind == aForeignI && x.args != nil && len(x.args.nodes) > 0 {
			out = add(out, r.typeIn(x.args.f, x.args.scope, x.args.nodes[0], x.args.env)...)
			continue
		}
		out = add(out, x)
	}
	return out
}
