package resolve

import (
	"slices"
	"strconv"
	"strings"

	"chitta/internal/code"
)

// pythonKeys are the plain keys that an expression may be, in the form of the
// facts; none if it may be anything.
func (r *run) pythonKeys(f *file, i int32) []string {
	var out []string
	for _, v := range r.expr(f, i) {
		if v.kind != aForeignI || v.f == nil || v.f.Exprs[v.expr].Kind != code.ConstExpr {
			return nil
		}
		c := &v.f.Exprs[v.expr]
		text := c.Text
		if c.Name == "str" && strings.Trim(text, "-0123456789") == "" {
			text = strconv.Quote(text)
		}
		out = append(out, text)
	}
	return out
}

// pythonSlice is a part of a list: all of it where its elements are not known.
func (r *run) pythonSlice(x value, key string) value {
	args := x.within()
	if slices.ContainsFunc(args, func(a int32) bool { return a > 0 && x.f.Exprs[a].Kind == code.SpreadExpr }) || len(r.pythonPut()[exprAt{x.f, x.expr}]) > 0 {
		return x
	}
	first, last, _ := strings.Cut(key, ":")
	at := func(text string, open int) int {
		n, err := strconv.Atoi(text)
		switch {
		case err != nil:
			n = open
		case n < 0:
			n += len(args)
		}
		return min(max(n, 0), len(args))
	}
	from, to := at(first, 0), at(last, len(args))
	if from >= to {
		return x
	}
	x.to = x.from + int32(to)
	x.from += int32(from)
	return x
}

// pythonKeyNames are the names that stand between brackets, and those handed to
// get and getattr.
func pythonKeyNames(r *run, f *file) map[string]bool {
	if names, ok := r.keyed[f]; ok {
		return names
	}
	names := map[string]bool{}
	for i := range f.Exprs {
		e := &f.Exprs[i]
		looks := e.Kind == code.IndexExpr || e.Kind == code.CallExpr && (e.Name == "get" || e.Name == "pop" || e.Name == "getattr")
		if !looks {
			continue
		}
		for _, a := range e.Args {
			if a > 0 && f.Exprs[a].Kind == code.NameExpr {
				names[f.Exprs[a].Name] = true
			}
		}
	}
	if r.keyed == nil {
		r.keyed = map[*file]map[string]bool{}
	}
	r.keyed[f] = names
	return names
}

// pythonIndexed is X[Key].
func (r *run) pythonIndexed(f *file, e *code.Expr) []value {
	if last := r.pythonLast(f, e); last != nil {
		return byValue(r.expr(f, *last))
	}
	keys := []string{e.Name}
	if e.Name == "" && len(e.Args) == 1 {
		if known := r.pythonKeys(f, e.Args[0]); len(known) > 0 {
			keys = known
		}
	}
	var out []value
	for _, key := range keys {
		out = add(out, r.pythonUnder(f, e, key)...)
	}
	return out
}

// pythonUnder is what X holds under a key, or under any.
func (r *run) pythonUnder(f *file, e *code.Expr, key string) []value {
	var out []value
	for _, x := range r.expr(f, e.X) {
		switch x.kind {
		case aColl:
			if strings.Contains(key, ":") && x.f.Exprs[x.expr].Kind != code.DictExpr {
				out = add(out, r.pythonSlice(x, key))
			} else {
				out = add(out, r.pythonItem(x, key)...)
			}
		case aSeq:
			n, err := strconv.Atoi(key)
			if x.key == pairKey && err == nil {
				out = add(out, pythonPair(r, x, n+1)...)
			} else {
				out = add(out, r.elements([]value{x})...)
			}
		case anInst:
			for _, s := range r.member(x.key, "__getitem__") {
				out = add(out, r.result(s)...)
			}
		case aModule: // globals()
			if key != "" {
				out = add(out, r.memberOf(f, x, key)...)
			}
		case aForeign:
			if x.key == "sys.modules" && len(e.Args) == 1 && e.Args[0] > 0 && f.Exprs[e.Args[0]].Name == "__name__" {
				x = value{kind: aModule, key: f.family + ":" + f.unit}
			}
			out = add(out, x)
		case aType:
			out = add(out, x) // List[int]: the type with its arguments
		case aForeignI:
			if n, err := strconv.Atoi(key); err == nil && x.key == tupleKey {
				out = add(out, r.part([]value{x}, n+1)...)
			} else {
				out = add(out, r.elements([]value{x})...)
			}
		}
	}
	return out
}

// maxHeld bounds how many collections are asked for what one holds.
const maxHeld = 64

// itemAt is a key of a collection.
type itemAt struct {
	exprAt
	key      string
	from, to int32
}

// pythonItem is what a list or dict holds under a key, as it was made and as
// things were put into it later.
func (r *run) pythonItem(x value, key string) []value {
	if key == "" {
		return r.elements([]value{x})
	}
	first := itemAt{exprAt{x.f, x.expr}, key, x.from, x.to}
	if vs, ok := r.items[first]; ok || r.asking[first] || r.depth > maxDepth {
		return vs // nothing, where collections are put into each other
	}
	r.asking[first] = true
	r.depth++
	var out []value
	seen := map[exprAt]bool{}
	for queue := []value{x}; len(queue) > 0 && len(seen) < maxHeld; queue = queue[1:] {
		at := exprAt{queue[0].f, queue[0].expr}
		if seen[at] {
			continue
		}
		seen[at] = true
		vs, others := r.pythonWritten(queue[0], key)
		out = add(out, vs...)
		queue = append(queue, others...)
		for _, put := range r.pythonPut()[at] {
			queue = append(queue, value{kind: aColl, f: put.f, expr: put.i})
		}
	}
	r.depth--
	delete(r.asking, first)
	out = ruled(out, ByValue)
	if len(r.asking) == 0 && len(r.binding) == 0 && len(r.inCall) == 0 || len(out) > 0 {
		r.items[first] = out
	}
	return out
}

// pythonWritten is what a collection that is written out holds under a key, and
// the collections that are part of it.
func (r *run) pythonWritten(x value, key string) (out, others []value) {
	e := &x.f.Exprs[x.expr]
	if e.Keys == nil && e.Kind != code.DictExpr {
		return r.pythonAt(x, e, key), nil
	}
	for i := len(e.Keys) - 1; i >= 0; i-- {
		a := e.Args[i]
		switch {
		case e.Keys[i] == key:
			return add(out, r.expr(x.f, a)...), others
		case a > 0 && x.f.Exprs[a].Kind == code.SpreadExpr:
			for _, more := range r.expr(x.f, x.f.Exprs[a].X) {
				if more.kind == aColl {
					others = append(others, more)
				}
			}
		case e.Keys[i] == "":
			out = add(out, r.expr(x.f, a)...)
		}
	}
	return out, others
}

// pythonAt is what a list holds at a place. Behind elements that are spread, and
// behind the end of what is written, that may be any.
func (r *run) pythonAt(x value, e *code.Expr, key string) []value {
	n, err := strconv.Atoi(key)
	spread := slices.IndexFunc(e.Args, func(a int32) bool { return a > 0 && x.f.Exprs[a].Kind == code.SpreadExpr })
	switch {
	case err != nil:
		return nil
	case n < 0:
		n += int(x.from) + len(x.within())
	default:
		n += int(x.from)
	}
	if n < 0 || n >= len(e.Args) || spread >= 0 && n >= spread {
		return r.elements([]value{{kind: aColl, f: x.f, expr: x.expr, from: x.from, to: x.to}})
	}
	return r.expr(x.f, e.Args[n])
}

// pythonPuts is all that is put into a collection after it is made.
func pythonPuts(r *run, x value) []value {
	var out []value
	puts := r.pythonPut()[exprAt{x.f, x.expr}]
	for _, put := range puts[:min(len(puts), maxHeld)] {
		out = add(out, r.elements([]value{{kind: aColl, f: put.f, expr: put.i}})...)
	}
	return out
}

// pythonItems follows the name of what something is put into.
const pythonItems = "[]"

// pythonPut finds, for every collection of the project, what is put into it: the
// dictionaries that bindings of items hold.
func (r *run) pythonPut() map[exprAt][]exprAt {
	if r.put != nil {
		return r.put
	}
	r.put = map[exprAt][]exprAt{} // nothing, while it is worked out
	found := map[exprAt][]exprAt{}
	for _, path := range r.p.paths() {
		f := r.p.files[path]
		if f.family != "python" {
			continue
		}
		for s := range f.Scopes {
			for b := range f.Scopes[s].Bindings {
				binding := &f.Scopes[s].Bindings[b]
				name, ok := strings.CutSuffix(binding.Name, pythonItems)
				if !ok || binding.Value <= 0 {
					continue
				}
				for _, x := range r.pythonHolder(f, int32(s), name, binding.At) {
					if at := (exprAt{x.f, x.expr}); x.kind == aColl && at.i != binding.Value {
						found[at] = append(found[at], exprAt{f, binding.Value})
					}
				}
			}
		}
	}
	r.put = found
	r.unlearn() // what was worked out on the way knew nothing of them
	clear(r.results)
	clear(r.items)
	return found
}

// pythonHolder is what something is put into: a name, or an attribute.
func (r *run) pythonHolder(f *file, s int32, name string, at uint32) []value {
	if sc := &f.Scopes[s]; sc.Kind == code.ClassScope && sc.Symbol != code.None {
		return r.memberOf(f, value{kind: anInst, key: f.keys[sc.Symbol], exact: true}, name)
	}
	return r.placeOf(f, s, strings.Split(name, "."), at)
}

// pythonLast is the value that was surely put under the key last, in the same
// function as it is asked for.
func (r *run) pythonLast(f *file, e *code.Expr) *int32 {
	if e.X <= 0 || e.Name == "" || f.Exprs[e.X].Kind != code.NameExpr {
		return nil
	}
	s := e.Scope
	for s != code.None && f.Scopes[s].Kind == code.BlockScope {
		s = f.Scopes[s].Parent
	}
	name := f.Exprs[e.X].Name
	list := f.named(s, name+pythonItems)
	for n := len(list) - 1; n >= 0; n-- {
		b := &f.Scopes[s].Bindings[list[n]]
		if b.At >= e.At || b.Value <= 0 {
			continue
		}
		d := &f.Exprs[b.Value]
		if d.Scope != s { // put in by another function
			return nil
		}
		switch {
		case len(d.Keys) == 1 && d.Keys[0] == e.Name && !b.Maybe:
			if r.pythonSetAgain(f, s, name, b.At, e.At) {
				return nil
			}
			return &d.Args[0]
		case len(d.Keys) != 1 || d.Keys[0] == "" || d.Keys[0] == e.Name:
			return nil // it may have been put under any key
		}
	}
	return nil
}

// pythonSetAgain says that a name gets another value between two places.
func (r *run) pythonSetAgain(f *file, s int32, name string, from, to uint32) bool {
	for _, n := range f.named(s, name) {
		if at := f.Scopes[s].Bindings[n].At; at > from && at < to {
			return true
		}
	}
	return false
}
