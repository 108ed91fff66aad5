package resolve

import (
	"slices"
	"strconv"
	"strings"

	"chitta/internal/code"
)

// pythonSpecial works out what is peculiar to Python.
func pythonSpecial(r *run, f *file, e *code.Expr, i int32) ([]value, bool) {
	switch e.Kind {
	case code.MemberExpr:
		if e.X > 0 && f.Exprs[e.X].Kind == code.SuperExpr {
			return r.pythonSuper(f, e), true
		}
		return r.pythonMember(f, e)
	case code.IndexExpr:
		return r.pythonIndexed(f, e), true
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

// pythonSuper is a member of what follows the class in the order of its own
// instances, or of those of classes below that have several bases.
func (r *run) pythonSuper(f *file, e *code.Expr) []value {
	var out []value
	for _, self := range r.self(f, e.Scope) {
		found := r.pythonAfter(self.key, self.key, e.Name)
		for _, k := range r.below(self.key) {
			if len(r.bases(k)) > 1 || len(r.linear(k)) > len(r.linear(self.key))+1 {
				found = append(found, r.pythonAfter(k, self.key, e.Name)...)
			}
		}
		for _, s := range found {
			out = add(out, value{kind: aFunc, fn: s, rule: BySelf})
		}
		if len(out) == 0 {
			out = append(out, r.pythonForeignBase(self.key, e.Name)...)
		}
	}
	return out
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
		case len(vs) > 0:
		case x.kind == anInst || x.kind == aType:
			if vs = r.pythonSet(f, x, e.Name); len(vs) == 0 && !x.exact {
				vs = r.pythonBelow(x.key, e.Name)
			}
			if len(vs) == 0 {
				outside = add(outside, r.pythonForeignBase(x.key, e.Name)...)
			}
		case x.kind == aModule || x.kind == aFunc:
			vs = r.pythonSet(f, x, e.Name)
		}
		if x.rule == BySelf {
			vs = selfRuled(vs)
		}
		out = add(out, vs...)
	}
	if len(out) == 0 {
		out = outside
	}
	return out, true
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
	for _, v := range r.expr(f, e.X) {
		if v.kind != aForeign {
			continue
		}
		if vs, ok := r.pythonBuiltin(f, e, i, v); ok {
			return vs, true
		}
	}
	return nil, false
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

func (r *run) pythonBuiltin(f *file, e *code.Expr, i int32, v value) ([]value, bool) {
	arg := func(n int) []value {
		if n < len(e.Args) {
			return r.expr(f, e.Args[n])
		}
		return nil
	}
	name, of := strings.CutPrefix(v.key, "<builtin>.")
	if !of {
		return r.pythonOutside(f, e, i, v)
	}
	switch name {
	case "dict", "list", "set", "tuple", "frozenset":
		if len(e.Args) == 1 && len(e.Keys) == 0 {
			return arg(0), true
		}
		return []value{{kind: aColl, f: f, expr: i}}, true
	case "sorted", "reversed", "iter", "list.copy", "dict.copy", "dict.values":
		if name == "dict.values" || strings.HasSuffix(name, ".copy") {
			return []value{{kind: aColl, f: v.f, expr: v.expr, from: v.from}}, v.f != nil
		}
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
	case "dict.items":
		return []value{{kind: aSeq, key: pairsKey, f: f, expr: i}}, true
	case "getattr":
		if len(e.Args) > 1 {
			var out []value
			for _, name := range r.pythonKeys(f, e.Args[1]) {
				for _, x := range arg(0) {
					out = add(out, r.memberOf(f, x, name)...)
				}
			}
			return out, true
		}
	case "dict.get", "dict.pop", "dict.setdefault":
		if v.f != nil && len(e.Args) > 0 && e.Args[0] > 0 {
			x := value{kind: aColl, f: v.f, expr: v.expr, from: v.from}
			var out []value
			for _, key := range r.pythonKeys(f, e.Args[0]) {
				out = add(out, r.pythonItem(x, key)...)
			}
			if len(out) == 0 {
				out = arg(1)
			}
			return out, true
		}
	case "list.pop", "set.pop":
		if v.f != nil {
			return r.elements([]value{{kind: aColl, f: v.f, expr: v.expr, from: v.from}}), true
		}
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
			out = add(out, r.pythonItem(x, key)...)
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
		case aType, aForeign:
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
	key string
}

// pythonItem is what a list or dict holds under a key, as it was made and as
// things were put into it later.
func (r *run) pythonItem(x value, key string) []value {
	if key == "" {
		return r.elements([]value{x})
	}
	first := itemAt{exprAt{x.f, x.expr}, key}
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
		n += len(e.Args)
	default:
		n += int(x.from)
	}
	if n < 0 || n >= len(e.Args) || spread >= 0 && n >= spread {
		return r.elements([]value{{kind: aColl, f: x.f, expr: x.expr, from: x.from}})
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
	clear(r.exprs) // what was worked out on the way knew nothing of them
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
	list := f.names[nameAt{s, name + pythonItems}]
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
	for _, n := range f.names[nameAt{s, name}] {
		if at := f.Scopes[s].Bindings[n].At; at > from && at < to {
			return true
		}
	}
	return false
}
