package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// pythonSpecial works out what is peculiar to Python.
func pythonSpecial(r *run, f *file, e *code.Expr, i int32) ([]value, bool) {
	switch e.Kind {
	case code.NameExpr:
		return r.applied(f, e, r.lookup(f, e.Scope, e.Name, e.At)), true
	case code.MemberExpr:
		if e.X > 0 && f.Exprs[e.X].Kind == code.SuperExpr {
			return r.pythonSuper(f, e), true
		}
		return r.pythonMember(f, e)
	case code.IndexExpr:
		return r.pythonIndexed(f, e), true
	case code.TypedExpr:
		return r.pythonNarrowed(f, e), true
	case code.CallExpr:
		return r.pythonCalled(f, e, i)
	case code.ConstExpr:
		if e.Name == "None" {
			return nil, true // nothing can be done with it
		}
		if e.Text != "" {
			return []value{{kind: aForeignI, key: "<builtin>." + e.Name, f: f, expr: i}}, true
		}
	}
	return nil, false
}

// pythonNarrowed is what is known of a value to be an instance of a class.
func (r *run) pythonNarrowed(f *file, e *code.Expr) []value {
	declared := r.typeText(f, e.Scope, e.Name)
	if e.X <= 0 {
		return declared
	}
	xs := r.expr(f, e.X)
	var out []value
	for _, x := range xs {
		for _, d := range declared {
			switch {
			case d.kind != anInst: // of a class outside, which those of the project may be below
				if x.kind != anInst && x.kind != aType {
					out = add(out, x)
				}
			case x.kind == anInst && slices.Contains(r.linear(x.key), d.key):
				out = add(out, x)
			}
		}
	}
	if len(out) == 0 {
		return declared
	}
	return out
}

// pythonSuper is a member of what follows the class in the order of its own
// instances, or of those of classes below that have several bases.
func (r *run) pythonSuper(f *file, e *code.Expr) []value {
	key := pythonClass(f, e.Scope)
	if key == "" {
		return nil
	}
	found := r.pythonAfter(key, key, e.Name)
	for _, k := range r.below(key) {
		if len(r.bases(k)) > 1 || len(r.linear(k)) > len(r.linear(key))+1 {
			found = append(found, r.pythonAfter(k, key, e.Name)...)
		}
	}
	var out []value
	for _, s := range found {
		out = add(out, r.pythonDecorated([]value{{kind: aFunc, fn: s, rule: BySelf}})...)
	}
	if len(out) == 0 {
		out = r.pythonForeignBase(key, e.Name)
	}
	return out
}

// pythonClass is the key of the class around a scope.
func pythonClass(f *file, scope int32) string {
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		if sym := f.Scopes[s].Symbol; sym != code.None && f.Symbols[sym].Kind.Type() {
			return f.keys[sym]
		}
	}
	return ""
}

// pythonAfter finds a member in the order of a class, behind another.
func (r *run) pythonAfter(key, behind, name string) []id {
	order := r.linear(key)
	at := slices.Index(order, behind)
	for _, k := range order[at+1:] {
		if ids := r.own(k, name); len(ids) > 0 {
			return ids
		}
	}
	return nil
}

// pythonForeignBase is the member of the first outside class above a class.
func (r *run) pythonForeignBase(key, name string) []value {
	for _, k := range r.linear(key) {
		for _, b := range r.bases(k) {
			if b.kind == aForeign && b.key != "<builtin>.object" && !strings.HasPrefix(b.key, "typing.") && !strings.HasPrefix(b.key, "abc.") {
				return []value{{kind: aForeign, key: b.key + "." + name}}
			}
		}
	}
	return nil
}

// pythonMember adds to members those that are set from outside, and those of
// outside classes above.
func (r *run) pythonMember(f *file, e *code.Expr) ([]value, bool) {
	var out, outside []value
	for _, x := range r.expr(f, e.X) {
		vs := r.memberOf(f, x, e.Name)
		switch {
		case x.kind == anInst && e.Name == "__class__":
			x.kind = aType
			vs = []value{x}
		case len(vs) > 0:
		case x.kind == anInst || x.kind == aType:
			if vs = r.pythonSet(f, x, e.Name); len(vs) == 0 && !x.exact {
				vs = r.pythonBelow(x.key, e.Name)
			}
			if len(vs) == 0 && x.kind == aType {
				vs = r.pythonOfMeta(x.key, e.Name)
			}
			if len(vs) == 0 && x.kind == anInst && !strings.HasPrefix(e.Name, "__") {
				for _, s := range r.member(x.key, "__getattr__") {
					vs = add(vs, r.result(s)...)
				}
			}
			if len(vs) == 0 {
				outside = add(outside, r.pythonForeignBase(x.key, e.Name)...)
			}
		case x.kind == aModule || x.kind == aFunc:
			vs = r.pythonSet(f, x, e.Name)
		}
		vs = r.pythonDecorated(add(vs, r.pythonMixed(x, e.Name, vs)...))
		if x.rule == BySelf {
			vs = selfRuled(vs)
		}
		out = add(out, vs...)
	}
	if len(out) == 0 {
		out = outside
	}
	return r.pythonOfDict(f, e, out), true
}

// pythonDecorated puts what decorators give in the place of methods.
func (r *run) pythonDecorated(vs []value) []value {
	if !slices.ContainsFunc(vs, pythonReplacedBy) {
		return vs
	}
	var out []value
	for _, v := range vs {
		if !pythonReplacedBy(v) {
			out = add(out, v)
			continue
		}
		for _, d := range r.decorated(v.fn, v.rule) {
			if d.kind == aFunc && d.fn == v.fn {
				d = v // the decorator gives back what it gets
			}
			out = add(out, d)
		}
	}
	return out
}

func pythonReplacedBy(v value) bool {
	return v.kind == aFunc && v.fn.sym().Kind == code.Method && len(v.fn.sym().Decorators) > 0
}

// pythonMixed are the methods that classes below take from another base than
// the one where it was found: those come before it in their order.
func (r *run) pythonMixed(x value, name string, found []value) []value {
	if x.kind != anInst || x.exact || len(found) == 0 {
		return nil
	}
	if vs := r.pythonSetBelow(x, name, found); len(vs) > 0 || !functional(found) {
		return vs
	}
	var out []value
	for _, k := range r.below(x.key) {
		if len(r.bases(k)) < 2 {
			continue
		}
		for _, s := range r.member(k, name) {
			if sym := s.sym(); sym.Kind.Callable() && !sym.Abstract {
				out = add(out, value{kind: aFunc, fn: s, rule: ByImplementor})
			}
		}
	}
	out = slices.DeleteFunc(out, func(v value) bool {
		return slices.ContainsFunc(found, func(o value) bool { return o.fn == v.fn })
	})
	if len(out) > maxValues {
		return nil
	}
	return out
}

// pythonSetBelow is what classes below set an attribute to.
func (r *run) pythonSetBelow(x value, name string, found []value) []value {
	if !slices.ContainsFunc(r.member(x.key, name), func(s id) bool { return s.sym().Kind == code.Field }) {
		return nil
	}
	var out []value
	for _, k := range r.below(x.key) {
		for _, s := range r.own(k, name) {
			if s.sym().Kind == code.Field {
				out = add(out, ruled(r.fieldValue(s), ByValue)...)
			}
		}
	}
	if len(out)+len(found) > maxValues {
		return nil
	}
	return out
}

// pythonOnly are methods that one kind of collection alone has.
var pythonOnly = map[string]string{
	"append": "list", "extend": "list", "insert": "list", "sort": "list", "add": "set", "discard": "set", "union": "set", "difference": "set",
	"intersection": "set", "symmetric_difference": "set", "issubset": "set", "issuperset": "set", "keys": "dict", "setdefault": "dict", "popitem": "dict",
}

// pythonOfDict corrects the name of a method of a collection: what is put into
// one does not say of which kind that is, and the rest of the named arguments is
// a dict.
func (r *run) pythonOfDict(f *file, e *code.Expr, vs []value) []value {
	kind := pythonOnly[e.Name]
	if kind != "" {
		vs = slices.Clone(vs)
		for i := range vs {
			if vs[i].kind == aForeign && (vs[i].key == "<builtin>.list."+e.Name || vs[i].key == "<builtin>.dict."+e.Name) {
				vs[i].key = "<builtin>." + kind + "." + e.Name
			}
		}
		return vs
	}
	if !slices.ContainsFunc(vs, func(v value) bool { return v.kind == aForeign && v.f != nil }) || !r.pythonTakesRest(f, e.X) {
		return vs
	}
	out := slices.Clone(vs)
	for i := range out {
		if member, ok := strings.CutPrefix(out[i].key, "<builtin>.list."); ok {
			out[i].key = "<builtin>.dict." + member
		}
	}
	return out
}

// pythonTakesRest says that an expression is the parameter for the rest of the
// named arguments.
func (r *run) pythonTakesRest(f *file, i int32) bool {
	if i <= 0 || f.Exprs[i].Kind != code.NameExpr {
		return false
	}
	for s := f.Exprs[i].Scope; s != code.None; s = f.Scopes[s].Parent {
		list := f.named(s, f.Exprs[i].Name)
		if len(list) == 0 {
			continue
		}
		b, fn := &f.Scopes[s].Bindings[list[0]], f.Scopes[s].Symbol
		return b.Kind == code.Takes && fn != code.None && int(b.Ref) < len(f.Symbols[fn].Params) && f.Symbols[fn].Params[b.Ref].Keyword
	}
	return false
}

// pythonBelow is a member that a class does not have and counts on: of classes
// below that have it, from themselves or from their other bases.
func (r *run) pythonBelow(key, name string) []value {
	var out []value
	for _, k := range r.below(key) {
		for _, s := range r.member(k, name) {
			if s.sym().Kind.Callable() {
				out = add(out, value{kind: aFunc, fn: s, rule: ByImplementor})
			}
		}
	}
	if len(out) > maxValues {
		return nil
	}
	return out
}

// selfRuled marks functions as found on the enclosing type.
func selfRuled(vs []value) []value {
	out := slices.Clone(vs)
	for i := range out {
		if out[i].kind == aFunc && (out[i].rule == ByReceiver || out[i].rule == ByQualified) {
			out[i].rule = BySelf
		}
	}
	return out
}

// pythonSet is what an attribute is set to away from the class or module.
func (r *run) pythonSet(f *file, x value, name string) []value {
	list := r.settingsOf(f.family, name)
	if len(list) > maxSettings {
		return nil
	}
	var out []value
	for _, set := range list {
		if set.literal > 0 {
			continue
		}
		b := &set.f.Scopes[set.scope].Bindings[set.binding]
		path := strings.Split(b.Name, ".")
		for _, at := range r.placeOf(set.f, set.scope, path[:len(path)-1], b.At) {
			same := at.kind == x.kind && at.key == x.key && at.fn == x.fn
			if same || x.kind == anInst && (at.kind == anInst || at.kind == aType) && slices.Contains(r.linear(x.key), at.key) {
				out = add(out, r.bindingValue(set.f, set.scope, set.binding, ByValue)...)
			}
		}
	}
	return out
}

// pythonCalled is what calls give whose meaning is built in.
func (r *run) pythonCalled(f *file, e *code.Expr, i int32) ([]value, bool) {
	if e.Name == "__enter__" || e.Name == "__aenter__" || e.Name == "__iter__" {
		return r.pythonEntered(f, e), true
	}
	if vs, ok := r.pythonOperation(f, e); ok {
		return vs, true
	}
	if vs := r.pythonMade(f, e); len(vs) > 0 {
		return vs, true
	}
	if vs := r.pythonOwn(f, e); len(vs) > 0 {
		return vs, true
	}
	var out []value
	built := false
	for _, v := range r.expr(f, e.X) {
		if v.kind != aForeign {
			continue
		}
		if vs, ok := r.pythonBuiltin(f, e, i, v); ok {
			out, built = add(out, vs...), true
		}
	}
	if built {
		return out, true
	}
	return nil, false
}

// pythonSelf: a class is told of each class below it.
func pythonSelf(r *run, f *file, scope int32) ([]value, bool) {
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		sym := f.Scopes[s].Symbol
		if sym == code.None || f.Scopes[s].Kind != code.FunctionScope || f.Symbols[sym].Name != "__init_subclass__" || f.Symbols[sym].Parent == code.None {
			continue
		}
		var out []value
		for _, k := range r.below(f.keys[f.Symbols[sym].Parent]) {
			out = add(out, value{kind: anInst, key: k, exact: true, rule: BySelf})
		}
		return out, len(out) > 0 && len(out) <= maxValues
	}
	return nil, false
}

// maxApplied bounds how often what a function gives is called again.
const maxApplied = 8

// applied adds to what a name may be what calling it gives, where it is set to
// that: each turn of `step = step()` goes one further.
func (r *run) applied(f *file, e *code.Expr, vs []value) []value {
	calls := r.appliedCalls(f, e)
	if len(calls) == 0 || !slices.ContainsFunc(vs, func(v value) bool { return v.kind == aFunc }) {
		return vs
	}
	out := slices.Clone(vs)
	for i := 0; i < len(out) && len(out) <= maxApplied; i++ {
		if out[i].kind != aFunc {
			continue
		}
		for _, call := range calls {
			out = add(out, byValue(functionsOf(r.resultOf(f, &f.Exprs[call], out[i])))...)
		}
	}
	return out
}

// appliedCalls are the calls of a name that it is set to.
func (r *run) appliedCalls(f *file, e *code.Expr) []int32 {
	for s := e.Scope; s != code.None; s = f.Scopes[s].Parent {
		list := f.named(s, e.Name)
		if len(list) == 0 {
			continue
		}
		var out []int32
		for _, n := range list {
			b := &f.Scopes[s].Bindings[n]
			if b.Kind != code.Assigned || b.Value <= 0 || b.Element || b.Part > 0 || f.Exprs[b.Value].Kind != code.CallExpr {
				continue
			}
			if x := f.Exprs[b.Value].X; x > 0 && f.Exprs[x].Kind == code.NameExpr && f.Exprs[x].Name == e.Name && !slices.Contains(out, b.Value) {
				out = append(out, b.Value)
			}
		}
		return out
	}
	return nil
}

// pythonEntered is what __enter__ gives: of a generator that is made a context,
// what it yields.
func (r *run) pythonEntered(f *file, e *code.Expr) []value {
	var out []value
	if e.X <= 0 || f.Exprs[e.X].Kind != code.MemberExpr {
		return nil
	}
	for _, x := range r.expr(f, f.Exprs[e.X].X) {
		switch {
		case x.kind == aSeq && e.Name != "__iter__":
			out = add(out, r.elements([]value{x})...)
		case x.kind == aSeq || x.kind == aColl:
			out = add(out, x)
		case x.kind == anInst:
			for _, s := range r.member(x.key, e.Name) {
				out = add(out, r.resultOf(f, e, value{kind: aFunc, fn: s})...)
			}
		case x.kind == aForeignI && x.args != nil && e.Name != "__iter__":
			out = add(out, r.elements([]value{x})...)
		}
	}
	return out
}
