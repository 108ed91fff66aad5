package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// rubyCallee is what a call runs.
func rubyCallee(r *run, f *file, c *code.Call, e *code.Expr) ([]value, bool) {
	if e.Kind == code.NewExpr {
		return r.rubyNew(f, e), true
	}
	if rubySends[c.Name] {
		return r.rubySent(f, e)
	}
	return nil, false
}

// rubySends are methods that call the one that their first argument names.
var rubySends = wordSet(`send public_send __send__`)

// rubySent are the methods that x.send(name) calls, where the text says what the
// name may be.
func (r *run) rubySent(f *file, e *code.Expr) ([]value, bool) {
	if len(e.Args) == 0 || e.X <= 0 {
		return nil, false
	}
	on := r.rubyReceivers(f, &f.Exprs[e.X])
	var out []value
	for _, name := range r.rubyTexts(f, e.Args[0], 0) {
		for _, x := range on {
			vs, _ := r.rubyMethods(x, name)
			out = add(out, vs...)
		}
	}
	return ruled(out, ByValue), len(out) > 0
}

// maxTexts bounds how far a name is followed.
const maxTexts = 4

// rubyTexts are the symbols and strings that an expression may be.
func (r *run) rubyTexts(f *file, i int32, depth int) []string {
	if i <= 0 || depth > maxTexts {
		return nil
	}
	var out []string
	from := func(f *file, list ...int32) {
		for _, a := range list {
			out = append(out, r.rubyTexts(f, a, depth+1)...)
		}
	}
	switch e := &f.Exprs[i]; e.Kind {
	case code.ConstExpr:
		if e.Text != "" {
			out = append(out, e.Text)
		}
	case code.EitherExpr:
		from(f, e.Args...)
	case code.DerefExpr, code.AssignExpr:
		from(f, e.X)
	case code.NameExpr:
		for s := e.Scope; s != code.None; s = f.Scopes[s].Parent {
			list := f.named(s, e.Name)
			for _, b := range list {
				switch b := &f.Scopes[s].Bindings[b]; {
				case b.Part > 0 || b.Kind != code.Assigned && b.Kind != code.Takes:
				case b.Element:
					from(f, r.rubyHeld(f, b.Value, "")...)
				default:
					from(f, b.Value)
				}
			}
			if len(list) > 0 {
				break
			}
		}
	case code.IndexExpr:
		from(f, r.rubyHeld(f, e.X, e.Name)...)
	case code.CallExpr:
		if e.X > 0 && f.Exprs[e.X].Kind == code.MemberExpr && rubyElement[f.Exprs[e.X].Name] {
			from(f, r.rubyHeld(f, f.Exprs[e.X].X, "")...)
		}
	}
	return out
}

// rubyHeld are the expressions that a collection of the same file holds.
func (r *run) rubyHeld(f *file, i int32, key string) []int32 {
	var out []int32
	for _, x := range r.expr(f, i) {
		if x.kind != aColl || x.f != f {
			continue
		}
		for n, a := range x.within() {
			if keys := f.Exprs[x.expr].Keys; key == "" || n >= len(keys) || keys[n] == key || keys[n] == "" {
				out = append(out, a)
			}
		}
	}
	return out
}

// rubySilent: reading or setting an attribute is no call.
func rubySilent(r *run, f *file, c *code.Call, e *code.Expr) bool {
	if e.Kind == code.NewExpr || e.X <= 0 || len(r.expr(f, e.X)) > 0 {
		return false
	}
	name, set := strings.CutSuffix(f.Exprs[e.X].Name, "=")
	if !set && len(e.Args) > 0 {
		return false
	}
	_, attribute := r.rubyRead(f, e)
	if set && !attribute {
		_, attribute = r.rubyReads(f, &f.Exprs[e.X], name)
	}
	if set && attribute {
		r.rubySets(f, e)
	}
	return attribute
}

// rubyNew is the class that an instance is made of. Where self has no constructor
// it is there to be made by those below that have one.
func (r *run) rubyNew(f *file, e *code.Expr) []value {
	vs := slices.DeleteFunc(slices.Clone(r.expr(f, e.X)), func(v value) bool { return v.kind == anInst })
	for i, v := range vs {
		if core := strings.TrimPrefix(v.key, "ruby:"); v.kind == aType && rubyCore[core] && len(r.rubyInstance([]string{v.key}, "initialize")) == 0 {
			vs[i] = value{kind: aForeign, key: core}
		}
	}
	if e.X <= 0 || f.Exprs[e.X].Kind == code.NameExpr || f.Exprs[e.X].Kind == code.MemberExpr {
		return vs
	}
	var below []value
	for _, v := range vs {
		if v.kind != aType || v.exact || len(r.rubyInstance(r.linear(v.key), "initialize")) > 0 {
			return vs
		}
		for _, k := range r.implementors(v.key) {
			if len(r.rubyInstance([]string{k}, "initialize")) > 0 {
				below = append(below, value{kind: aType, key: k, rule: ByConstructor})
			}
		}
	}
	if len(below) == 0 || len(below) > maxValues {
		return vs
	}
	return below
}

// rubyRead is what a call gives that reads an attribute; false if it does not.
func (r *run) rubyRead(f *file, e *code.Expr) ([]value, bool) {
	if e.X <= 0 {
		return nil, false
	}
	return r.rubyReads(f, &f.Exprs[e.X], f.Exprs[e.X].Name)
}

// rubyReads is the attribute of a name that a call's expression is about.
func (r *run) rubyReads(f *file, x *code.Expr, name string) ([]value, bool) {
	var on []value
	switch x.Kind {
	case code.NameExpr:
		on = r.self(f, x.Scope)
	case code.MemberExpr:
		on = r.expr(f, x.X)
	}
	var out []value
	has := false
	for _, v := range on {
		vs, ok := r.rubyAttribute(v, name)
		has = has || ok
		out = add(out, vs...)
	}
	return out, has
}

// rubyCalled is what a call gives.
func (r *run) rubyCalled(f *file, e *code.Expr) []value {
	vs := r.expr(f, e.X)
	var out []value
	has := false
	for _, v := range vs {
		if v.kind == aFunc {
			has = true
			out = add(out, r.rubyResult(f, e, v)...)
		}
	}
	if has {
		return out
	}
	if vs, ok := r.rubyRead(f, e); ok {
		return vs
	}
	if e.X > 0 {
		if _, ok := rubyRebinds[f.Exprs[e.X].Name]; ok {
			return r.rubyBlockResult(f, e)
		}
	}
	if e.X > 0 && f.Exprs[e.X].Kind == code.NameExpr && f.Exprs[e.X].Name == "instance" {
		return r.rubyOnly(r.self(f, e.Scope))
	}
	if e.X > 0 && f.Exprs[e.X].Kind == code.MemberExpr {
		if vs, ok := r.rubyLibrary(f, e); ok {
			return vs
		}
	}
	return r.called(f, e)
}

// rubyResult is what calling a method gives: where it gives self, its receiver.
func (r *run) rubyResult(f *file, e *code.Expr, v value) []value {
	out := r.resultOf(f, e, v)
	if e.X <= 0 || f.Exprs[e.X].Kind != code.MemberExpr {
		return out
	}
	fn := v.fn.sym()
	self := slices.ContainsFunc(fn.Results, func(i int32) bool { return i > 0 && v.fn.f.Exprs[i].Kind == code.SelfExpr })
	on := r.expr(f, f.Exprs[e.X].X)
	if !self || len(on) == 0 {
		return out
	}
	class := parentKey(v.fn.f.keys[v.fn.i])
	out = slices.DeleteFunc(slices.Clone(out), func(o value) bool { return o.kind == anInst && o.key == class && !o.exact })
	for _, x := range on {
		if x.kind == anInst || x.kind == aType {
			out = add(out, x)
		}
	}
	return out
}

// Methods of the library's objects by what they give.
var (
	rubyItself = map[string]bool{
		"tap": true, "freeze": true, "dup": true, "clone": true, "itself": true, "to_a": true, "each": true, "select": true, "filter": true,
		"reject": true, "sort": true, "sort_by": true, "reverse": true, "compact": true, "uniq": true, "take": true, "drop": true, "shuffle": true,
		"each_with_index": true, "with_index": true, "values": true, "concat": true, "push": true, "append": true, "rotate": true, "lazy": true,
		"take_while": true, "drop_while": true, "find_all": true, "partition": true, "each_slice": true, "flatten": true, "merge": true, "to_set": true,
		"reverse_each": true, "each_value": true, "each_entry": true, "sort!": true, "uniq!": true, "<<": true, "first!": true, "last!": true,
		"transform_keys": true, "with_object": true, "entries": true, "force": true, "to_h": true, "each_key": true,
	}
	rubyElement = map[string]bool{
		"first": true, "last": true, "pop": true, "shift": true, "fetch": true, "dig": true, "sample": true, "min_by": true, "max_by": true,
		"find": true, "detect": true, "min": true, "max": true, "at": true, "delete": true, "delete_at": true, "slice": true, "next": true, "peek": true,
		"find_by": true, "bsearch": true, "key": true,
	}
	rubyMaps = map[string]bool{"map": true, "collect": true, "flat_map": true, "filter_map": true, "map!": true, "each_with_object": true, "transform_values": true}
)

// rubyLibrary is what a method of the library gives, as far as its name says.
func (r *run) rubyLibrary(f *file, e *code.Expr) ([]value, bool) {
	m := &f.Exprs[e.X]
	on := r.expr(f, m.X)
	if len(on) == 0 {
		return nil, false
	}
	known := slices.ContainsFunc(on, func(v value) bool { return v.kind != aForeign })
	switch {
	case m.Name == "class" && known:
		var out []value
		for _, x := range on {
			if x.kind == anInst {
				out = add(out, value{kind: aType, key: x.key, exact: x.exact, rule: x.rule})
			}
		}
		return out, true
	case m.Name == "instance" && on[0].kind == aType:
		return r.rubyOnly(on), true
	case m.Name == "to_proc" || m.Name == "curry" || m.Name == "unbind" || m.Name == "bind":
		return functionsOf(on), true
	case (m.Name == "then" || m.Name == "yield_self") && known:
		return r.rubyBlockResult(f, e), true
	case rubyMaps[m.Name] && known:
		return r.rubyMapped(f, e), true
	case rubyItself[m.Name] && known:
		return on, true
	case rubyElement[m.Name] && known:
		if len(e.Args) > 0 && e.Args[0] > 0 {
			if k := &f.Exprs[e.Args[0]]; k.Kind == code.ConstExpr && k.Text != "" {
				var out []value
				for _, x := range on {
					if x.kind == aColl {
						out = add(out, r.item(x, k.Text)...)
					}
				}
				if len(out) > 0 {
					return out, true
				}
			}
		}
		return r.elements(on), true
	}
	return nil, false
}

// rubyOnly is the instance of a class that includes Singleton.
func (r *run) rubyOnly(on []value) []value {
	var out []value
	for _, x := range on {
		if x.kind == aType {
			out = add(out, value{kind: anInst, key: x.key, exact: true, rule: ByReceiver})
		}
	}
	return out
}

// rubyBlock is the block of a call, as functions.
func (r *run) rubyBlock(f *file, e *code.Expr) []value {
	for i, k := range e.Keys {
		if k == "&" && i < len(e.Args) {
			return functionsOf(r.expr(f, e.Args[i]))
		}
	}
	return nil
}

func (r *run) rubyBlockResult(f *file, e *code.Expr) []value {
	var out []value
	for _, b := range r.rubyBlock(f, e) {
		out = add(out, r.result(b.fn)...)
	}
	return out
}

// rubyMapped is a collection of what a block gives.
func (r *run) rubyMapped(f *file, e *code.Expr) []value {
	var out []value
	for _, b := range r.rubyBlock(f, e) {
		out = add(out, value{kind: aSeq, fn: b.fn, expr: seqOfResults})
	}
	return out
}

// rubyIterate is what a loop over an instance gives: what its each goes over.
func rubyIterate(r *run, x value) []value {
	var out []value
	for _, s := range r.rubyInstance(r.linear(x.key), "each") {
		sym := s.sym()
		if sym.Kind == code.Field && sym.Value > 0 { // delegated
			if e := &s.f.Exprs[sym.Value]; e.Kind == code.MemberExpr && e.X > 0 && s.f.Exprs[e.X].Kind == code.MemberExpr {
				out = add(out, r.elements(r.rubyVariable(x, s.f.Exprs[e.X].Name))...)
			}
			continue
		}
		for _, i := range sym.Results {
			if i <= 0 || s.f.Exprs[i].Kind != code.CallExpr || s.f.Exprs[i].X <= 0 {
				continue
			}
			if m := &s.f.Exprs[s.f.Exprs[i].X]; m.Kind == code.MemberExpr && rubyItself[m.Name] && m.X > 0 {
				if on := r.expr(s.f, m.X); !slices.ContainsFunc(on, func(v value) bool { return v.kind == anInst && v.key == x.key }) {
					out = add(out, r.elements(on)...)
				}
			}
		}
	}
	return out
}
