package resolve

import (
	"slices"
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
		if name == "dict" && len(e.Args) == 1 && len(e.Keys) == 0 {
			return r.pythonPaired(f, e.Args[0]), true
		}
		if len(e.Args) == 1 && len(e.Keys) == 0 {
			return pythonListed(f, e.Args[0], arg(0)), true
		}
		return []value{{kind: aColl, f: f, expr: i}}, true
	case "sorted", "reversed":
		if len(e.Args) > 0 {
			return pythonListed(f, e.Args[0], arg(0)), true
		}
	case "iter":
		return arg(0), true
	case "filter":
		if len(e.Args) > 1 {
			return pythonListed(f, e.Args[1], arg(1)), true
		}
	case "sum":
		return add(r.elements(arg(0)), arg(1)...), true
	case "staticmethod", "classmethod":
		return arg(0), true
	case "globals":
		return []value{{kind: aModule, key: f.family + ":" + f.unit}}, true
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

// pythonListed is a list of what going over values gives: collections stand for
// themselves.
func pythonListed(f *file, over int32, vs []value) []value {
	out := make([]value, 0, len(vs))
	for _, v := range vs {
		if v.kind == anInst {
			v = value{kind: aSeq, key: elementsKey, f: f, expr: over}
		}
		out = add(out, v)
	}
	return out
}

// pythonPaired is a dict made of another, or of pairs.
func (r *run) pythonPaired(f *file, i int32) []value {
	var out []value
	for _, v := range r.expr(f, i) {
		if v.kind == aSeq || v.kind == anInst || v.kind == aColl && v.f.Exprs[v.expr].Kind == code.ListExpr {
			v = value{kind: aSeq, key: secondsKey, f: f, expr: i}
		}
		out = add(out, v)
	}
	return out
}

// pythonGot is what getattr gives, where the name is known.
func (r *run) pythonGot(f *file, e *code.Expr) []value {
	if len(e.Args) < 2 {
		return nil
	}
	var out []value
	if prefix := pythonPrefix(f, pythonAssignedOnce(f, e.Args[1])); prefix != "" {
		for _, x := range r.expr(f, e.Args[0]) {
			out = add(out, r.pythonDecorated(r.pythonNamed(x, prefix))...)
		}
		return byValue(out)
	}
	for _, name := range r.pythonKeys(f, e.Args[1]) {
		for _, x := range r.expr(f, e.Args[0]) {
			out = add(out, r.pythonDecorated(r.memberOf(f, x, name))...)
		}
	}
	if len(out) == 0 && len(e.Args) > 2 {
		out = r.expr(f, e.Args[2])
	}
	return out
}

// pythonAssignedOnce is what a name is set to, if that is said in one place.
func pythonAssignedOnce(f *file, i int32) int32 {
	if i <= 0 || f.Exprs[i].Kind != code.NameExpr {
		return i
	}
	for s := f.Exprs[i].Scope; s != code.None; s = f.Scopes[s].Parent {
		if list := f.named(s, f.Exprs[i].Name); len(list) > 0 {
			if b := &f.Scopes[s].Bindings[list[0]]; len(list) == 1 && b.Kind == code.Assigned && !b.Element && b.Part == 0 && b.Value > 0 {
				return b.Value
			}
			break
		}
	}
	return i
}

// pythonPrefix is the text that a name put together begins with.
func pythonPrefix(f *file, i int32) string {
	if i <= 0 || f.Exprs[i].Kind != code.EitherExpr || len(f.Exprs[i].Args) != 2 {
		return ""
	}
	if a := f.Exprs[i].Args; a[0] > 0 && f.Exprs[a[0]].Kind == code.ConstExpr && (a[1] <= 0 || f.Exprs[a[1]].Kind != code.ConstExpr) {
		return f.Exprs[a[0]].Text
	}
	return ""
}

// pythonNamed are the methods of an instance whose names begin so.
func (r *run) pythonNamed(x value, prefix string) []value {
	if x.kind != anInst {
		return nil
	}
	classes := slices.Clone(r.linear(x.key))
	if !x.exact {
		classes = append(classes, r.below(x.key)...)
	}
	var out []value
	seen := map[string]bool{}
	for _, k := range classes {
		for _, s := range r.p.symbols[k] {
			if s.sym().Scope == code.None {
				continue
			}
			for _, b := range s.f.Scopes[s.sym().Scope].Bindings {
				if b.Kind == code.Defines && strings.HasPrefix(b.Name, prefix) && !seen[b.Name] && s.f.Symbols[b.Ref].Kind == code.Method {
					seen[b.Name] = true
					vs := r.instMember(x, b.Name)
					if len(vs) == 0 { // only those below have it
						vs = r.pythonBelow(x.key, b.Name)
					}
					out = add(out, vs...)
				}
			}
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
	case "list.pop", "set.pop", "list.popleft":
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
		if len(e.Args) > 1 && (len(out) == 0 || e.X > 0 && r.pythonTakesRest(f, f.Exprs[e.X].X)) {
			out = add(out, r.expr(f, e.Args[1])...) // not every call gives it
		}
		return out, true
	}
	return nil, false
}

// pythonOutside is what calling something of another module gives.
func (r *run) pythonOutside(f *file, e *code.Expr, i int32, v value) ([]value, bool) {
	switch v.key {
	case "collections.deque", "collections.OrderedDict":
		if len(e.Args) > 0 && (len(e.Keys) == 0 || e.Keys[0] == "") {
			if v.key == "collections.deque" {
				return pythonListed(f, e.Args[0], r.expr(f, e.Args[0])), true
			}
			return r.pythonPaired(f, e.Args[0]), true
		}
		return []value{{kind: aColl, f: f, expr: i, from: int32(len(e.Args))}}, true
	case "re.compile":
		return []value{{kind: aForeignI, key: "re.Pattern"}}, true
	case "collections.defaultdict":
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
	if lastName(v.key) == "TypeVar" {
		return []value{{kind: aForeignI, key: v.key, f: f, expr: i}}, true
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
	if n < 1 { // counted from the end
		if n += 2; e.Name == "zip" {
			n += len(e.Args) - 2
		}
	}
	switch {
	case n < 1:
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

// pythonGoesOver are built-in functions that go over arguments: the first of
// them, from 0, and whether all that follow too.
var pythonGoesOver = map[string]int{
	"list": 0, "tuple": 0, "set": 0, "frozenset": 0, "sorted": 0, "sum": 0, "min": 0, "max": 0, "any": 0, "all": 0, "enumerate": 0, "dict": 0,
	"map": 1, "filter": 1, "zip": 0,
}

// pythonAlsoCalls: len(x) calls the method __len__ of x, list(x) goes over it,
// and what is made of a class without a constructor is completed by the class.
func pythonAlsoCalls(r *run, f *file, e *code.Expr, vs []value) []target {
	var out []target
	put := func(vs []value) {
		for _, m := range vs {
			if m.kind == aFunc {
				out = append(out, target{m.fn, m.rule})
			}
		}
	}
	put(r.pythonOperated(f, e))
	put(r.pythonUnknown(f, e))
	if e.Name == "__iter__" && e.X > 0 && f.Exprs[e.X].Kind == code.MemberExpr {
		put(r.pythonCounted(r.expr(f, f.Exprs[e.X].X)))
	}
	for _, v := range vs {
		if v.kind == aType && e.Kind == code.CallExpr {
			if len(r.member(v.key, "__init__")) == 0 {
				put(r.instMember(value{kind: anInst, key: v.key, exact: true}, "__post_init__"))
			}
			put(r.pythonOfMeta(v.key, "__call__"))
		}
		name, ok := strings.CutPrefix(v.key, "<builtin>.")
		if v.kind != aForeign || !ok || len(e.Args) == 0 {
			continue
		}
		if hook := pythonHooks[name]; hook != "" {
			for _, x := range r.expr(f, e.Args[0]) {
				if x.kind == anInst {
					put(r.instMember(x, hook))
				}
			}
		}
		if first, ok := pythonGoesOver[name]; ok && first < len(e.Args) && e.Args[first] > 0 {
			put(r.pythonGoneOver(r.expr(f, e.Args[first])))
		}
		put(r.pythonAmong(f, e, name))
		if name == "map" {
			for _, x := range r.expr(f, e.Args[0]) {
				if x.kind == aType {
					out = append(out, r.constructors(f, e, x.key)...)
				}
			}
		}
	}
	return out
}

// pythonAmong are the methods that built-in functions run on elements, or on
// each of their arguments.
func (r *run) pythonAmong(f *file, e *code.Expr, name string) []value {
	var xs, out []value
	hook := ""
	switch name {
	case "sum":
		xs, hook = r.elements(r.expr(f, e.Args[0])), "__add__"
	case "sorted", "min", "max":
		if hook = "__lt__"; name == "max" {
			hook = "__gt__"
		}
		if slices.Contains(e.Keys, "key") {
			return nil
		}
		if xs = r.elements(r.expr(f, e.Args[0])); len(e.Args) > 1 && name != "sorted" {
			xs = r.expr(f, e.Args[0])
		}
	case "print", "str.format":
		hook = "__str__"
		for _, a := range e.Args {
			xs = add(xs, r.expr(f, a)...)
		}
	case "iter":
		if len(e.Args) == 2 { // until it gives the second
			return functionsOf(r.expr(f, e.Args[0]))
		}
	}
	for _, x := range xs {
		if x.kind == anInst {
			out = add(out, r.instMember(x, hook)...)
		}
	}
	return out
}

// pythonUnknown are the methods that are asked for a member that an instance
// does not have.
func (r *run) pythonUnknown(f *file, e *code.Expr) []value {
	if e.X <= 0 || f.Exprs[e.X].Kind != code.MemberExpr || strings.HasPrefix(f.Exprs[e.X].Name, "__") {
		return nil
	}
	var out []value
	for _, x := range r.expr(f, f.Exprs[e.X].X) {
		if x.kind == anInst && len(r.memberOf(f, x, f.Exprs[e.X].Name)) == 0 && len(r.pythonSet(f, x, f.Exprs[e.X].Name)) == 0 {
			out = add(out, functionsOf(r.instMember(x, "__getattr__"))...)
		}
	}
	return out
}

// pythonOfMeta are the methods of a class that its own class gives it.
func (r *run) pythonOfMeta(key, name string) []value {
	var out []value
	for _, k := range r.linear(key) {
		for _, s := range r.p.symbols[k] {
			if s.sym().Scope == code.None {
				continue
			}
			for _, n := range s.f.named(s.sym().Scope, "__metaclass__") {
				for _, v := range r.bindingValue(s.f, s.sym().Scope, n, ByReceiver) {
					if v.kind == aType {
						out = add(out, functionsOf(r.instMember(value{kind: anInst, key: v.key, exact: true}, name))...)
					}
				}
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// pythonGoneOver are the methods that going over values runs.
func (r *run) pythonGoneOver(xs []value) []value {
	out := r.pythonCounted(xs)
	for _, x := range xs {
		if x.kind != anInst {
			continue
		}
		for _, m := range functionsOf(r.instMember(x, "__iter__")) {
			out = add(out, m)
			for _, it := range r.resultWith(m.fn, argument{}) {
				if it.kind == anInst {
					out = add(out, functionsOf(r.instMember(it, "__next__"))...)
				}
			}
		}
	}
	return out
}

// pythonCounted are the methods that give items by their number where there is
// no other way to go over a value.
func (r *run) pythonCounted(xs []value) []value {
	var out []value
	for _, x := range xs {
		if x.kind == anInst && len(r.member(x.key, "__iter__")) == 0 {
			out = add(out, functionsOf(r.instMember(x, "__getitem__"))...)
		}
	}
	return out
}
