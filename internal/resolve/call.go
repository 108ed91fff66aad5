package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// target is what a call reaches.
type target struct {
	s    id
	rule Rule
}

// resolve finds the targets of every call of a file.
func (r *run) resolve(f *file) {
	r.edges, r.loose = r.edges[:0], r.loose[:0]
	r.resolving = f
	for i := range f.Calls {
		r.call(f, int32(i))
	}
	f.edges, f.loose = slices.Clone(r.edges), slices.Clone(r.loose)
}

func (r *run) call(f *file, i int32) {
	r.tryAnew()
	c := &f.Calls[i]
	e := &f.Exprs[c.Expr]
	if f.lang.silent != nil && f.lang.silent(r, f, c, e) {
		return
	}
	vs := r.calleeOf(f, c, e)
	if f.lang.conversions && len(vs) > 0 && !slices.ContainsFunc(vs, func(v value) bool { return v.kind != aType }) {
		return
	}
	targets := r.targets(f, e, vs)
	if f.lang.together != nil && len(targets) > 1 {
		if some := slices.DeleteFunc(slices.Clone(targets), func(t target) bool { return !f.lang.together(f, t.s.f) }); len(some) > 0 {
			targets = some
		}
	}
	if len(targets) == 0 && f.lang.unique && !foreign(vs) {
		targets = r.uniqueMember(f, c, e)
	}
	r.pass(f, e, c.Expr, targets)
	if f.lang.passes != nil {
		f.lang.passes(r, f, e, vs)
	}
	if f.lang.callbacks && foreign(vs) && (f.lang.callsBack == nil || f.lang.callsBack(vs)) {
		targets = append(targets, r.callbacks(f, e)...)
	}
	if f.lang.alsoCalls != nil {
		targets = append(targets, f.lang.alsoCalls(r, f, e, vs)...)
	}
	if len(targets) == 0 && f.lang.quiet != nil && f.lang.quiet(c) {
		return
	}
	if len(targets) == 0 {
		name, known := r.looseName(f, c, e, vs)
		r.loose = append(r.loose, loose{name: name, call: i, external: known})
		return
	}
	if most := mostTargets(targets); len(targets) > most {
		targets = targets[:most]
	}
	for _, t := range targets {
		s, ok := r.p.present(t.s)
		if !ok {
			continue
		}
		r.edges = append(r.edges, edge{to: s.ref(), call: i, rule: t.rule})
	}
	if names := foreignNames(vs); len(names) > 0 { // it may be something outside as well
		r.loose = append(r.loose, loose{name: names[0], call: i, external: true})
	}
}

// mostTargets bounds what one call reaches.
func mostTargets(targets []target) int {
	if slices.ContainsFunc(targets, func(t target) bool { return t.rule != ByValue }) {
		return maxValues
	}
	return maxFunctions
}

// calleeOf is what a call calls, by its form where the language knows one.
func (r *run) calleeOf(f *file, c *code.Call, e *code.Expr) []value {
	if f.lang.callee != nil {
		if vs, ok := f.lang.callee(r, f, c, e); ok {
			return vs
		}
	}
	return r.callee(f, e)
}

// callee is what a call calls.
func (r *run) callee(f *file, e *code.Expr) []value {
	if e.Kind == code.NewExpr {
		return r.newType(f, e)
	}
	return r.expr(f, e.X)
}

// targets are the symbols that run when the values are called.
func (r *run) targets(f *file, e *code.Expr, vs []value) []target {
	var out []target
	put := func(t target) {
		if !slices.ContainsFunc(out, func(o target) bool { return o.s == t.s }) {
			out = append(out, t)
		}
	}
	var fns []value
	for _, v := range vs {
		switch v.kind {
		case aFunc:
			fns = append(fns, v)
		case aType:
			for _, t := range r.constructors(f, e, v.key) {
				put(t)
			}
		case anInst:
			if e.Kind == code.NewExpr || e.X > 0 && (f.Exprs[e.X].Kind == code.SuperExpr || f.Exprs[e.X].Kind == code.SelfExpr && f.lang.separateConstructors) {
				for _, t := range r.constructors(f, e, v.key) {
					put(t)
				}
				continue
			}
			fns = append(fns, r.callOperator(f, v)...)
		}
	}
	for _, v := range withBodies(r.fitting(f, e, fns)) {
		rule := v.rule
		if rule == 0 {
			rule = ByValue
		}
		if l := v.fn.f.lang; l.bodies != nil && v.fn.sym().Abstract {
			if found := l.bodies(r, v.fn); len(found) > 0 {
				for _, s := range found {
					put(target{s, rule})
				}
				continue
			}
		}
		put(target{v.fn, rule})
	}
	return out
}

// anonymousClass begins the names of classes without one: what makes an instance
// gives its base's constructor the arguments.
const anonymousClass = "<anonymous"

// constructors are what runs when an instance of a type is made: its
// constructor, or the type itself where it has none.
func (r *run) constructors(f *file, e *code.Expr, key string) []target {
	var fns []value
	for _, k := range r.linear(key) {
		asked := map[string]bool{}
		for _, s := range r.p.symbols[k] {
			for _, name := range r.constructorNames(s) {
				if asked[name] {
					continue
				}
				asked[name] = true
				for _, c := range r.nearest(f, r.own(k, name)) {
					if c.sym().Kind.Callable() && (c.sym().Kind != code.Constructor || !c.sym().Static) {
						fns = add(fns, value{kind: aFunc, fn: c, rule: ByConstructor})
					}
				}
			}
		}
		if len(fns) > 0 || !f.lang.inheritsConstructors && !strings.HasPrefix(lastName(k), anonymousClass) {
			break
		}
	}
	if len(fns) == 0 {
		for _, s := range r.nearest(f, r.p.symbols[key]) {
			if k := s.sym().Kind; f.lang.functionTypes && (k == code.Interface || k == code.TypeAlias) {
				continue // only the compiler knows it
			}
			if s.sym().Kind.Type() || s.sym().Kind.Callable() {
				return []target{{s, ByConstructor}}
			}
		}
		return nil
	}
	var out []target
	for _, v := range r.fitting(f, e, fns) {
		out = append(out, target{v.fn, ByConstructor})
	}
	return out
}

// nearest keeps, of several symbols of one key, those that a file means.
func (r *run) nearest(f *file, ids []id) []id {
	if len(ids) < 2 || f.lang.near == nil {
		return ids
	}
	return f.lang.near(r, f, ids)
}

// nearestFunctions does the same with the functions among values.
func (r *run) nearestFunctions(f *file, vs []value) []value {
	byKey := map[string][]id{}
	for _, v := range vs {
		if v.kind == aFunc {
			key := v.fn.f.keys[v.fn.i]
			byKey[key] = append(byKey[key], v.fn)
		}
	}
	for key, ids := range byKey {
		byKey[key] = r.nearest(f, ids)
	}
	return slices.DeleteFunc(slices.Clone(vs), func(v value) bool {
		return v.kind == aFunc && !slices.Contains(byKey[v.fn.f.keys[v.fn.i]], v.fn)
	})
}

// constructorNames are the names that a type's constructors have: those of the
// language, and the type's own.
func (r *run) constructorNames(s id) []string {
	return append(slices.Clone(s.f.lang.constructors), s.sym().Name)
}

// withBodies leaves out declarations where there is something that runs.
func withBodies(fns []value) []value {
	if len(fns) < 2 {
		return fns
	}
	runs := slices.ContainsFunc(fns, func(v value) bool { return !v.fn.sym().Abstract })
	return slices.DeleteFunc(slices.Clone(fns), func(v value) bool { return runs && v.fn.sym().Abstract })
}

// fitting keeps the overloads that a call's arguments fit, by number and then by
// type where that is known. If none fits, all are kept: the count may be wrong.
func (r *run) fitting(f *file, e *code.Expr, fns []value) []value {
	if f.lang.choose != nil {
		return f.lang.choose(r, f, e, fns)
	}
	if len(fns) < 2 || !overloads(fns) {
		return fns
	}
	keep := slices.DeleteFunc(slices.Clone(fns), func(v value) bool { return !takes(v.fn.sym(), e, f) })
	if len(keep) == 0 {
		return fns
	}
	if len(keep) == 1 {
		return keep
	}
	best, score := keep, 0
	for _, v := range keep {
		switch n := r.typesFit(f, e, v.fn); {
		case n > score:
			best, score = []value{v}, n
		case n == score && score > 0:
			best = append(best, v)
		}
	}
	return best
}

// overloads says that several functions share a key: one is chosen by arguments.
func overloads(fns []value) bool {
	for i := range fns {
		for j := range i {
			a, b := fns[i].fn, fns[j].fn
			if a.f.keys[a.i] == b.f.keys[b.i] {
				return true
			}
		}
	}
	return false
}

// takes says that a function can be called with that many arguments.
func takes(sym *code.Symbol, e *code.Expr, f *file) bool {
	least, most := 0, 0
	for _, p := range sym.Params {
		if p.Variadic || p.Keyword {
			most = 1 << 20
			continue
		}
		most++
		if !p.Optional && p.Default <= 0 {
			least++
		}
	}
	n := len(e.Args)
	for _, a := range e.Args {
		if a > 0 && f.Exprs[a].Kind == code.SpreadExpr {
			return n-1 <= most
		}
	}
	return n >= least && n <= most
}

// typesFit counts the arguments whose type is that of the parameter; -1 when one
// is surely of another.
func (r *run) typesFit(f *file, e *code.Expr, fn id) int {
	score := 0
	for i, p := range fn.sym().Params {
		if i >= len(e.Args) {
			break
		}
		have := r.expr(f, e.Args[i])
		want := r.typeText(fn.f, r.inner(fn), p.Type)
		if len(have) == 0 || len(want) == 0 {
			continue
		}
		switch r.fits(f, have[0], want[0]) {
		case 1:
			score++
		case -1:
			return -1
		}
	}
	return score
}

// fits compares what is there with what is wanted: 1 the same or below it, 0 not
// known, -1 something else.
func (r *run) fits(f *file, have, want value) int {
	switch {
	case want.kind == anInst && have.kind == anInst:
		if have.key == want.key || slices.Contains(r.linear(have.key), want.key) {
			return 1
		}
		return -1
	case want.kind == aForeignI && have.kind == aForeignI:
		a, b := lastName(have.key), lastName(want.key)
		if f.lang.sameType != nil {
			return f.lang.sameType(a, b)
		}
		if a == b {
			return 1
		}
		return 0
	case want.kind == anInst && have.kind == aForeignI || want.kind == aForeignI && have.kind == anInst:
		if want.kind == aForeignI && lastName(want.key) == "Object" || lastName(want.key) == "object" {
			return 0
		}
		return -1
	}
	return 0
}

// looseName is the best name for what a call without a target calls.
func (r *run) looseName(f *file, c *code.Call, e *code.Expr, vs []value) (name string, known bool) {
	if names := foreignNames(vs); len(names) > 0 {
		return names[0], true
	}
	if e.X > 0 {
		return ending(f.ExprText(e.X), maxLoose), false
	}
	return c.Name, false
}

// maxLoose is how many bytes a call without a target is named with: each call of
// a long chain would tell the whole chain before it.
const maxLoose = 400

// ending is the end of a text that is too long.
func ending(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return "…" + strings.ToValidUTF8(text[len(text)-most:], "")
}

func foreignNames(vs []value) []string {
	var out []string
	for _, v := range vs {
		if v.kind == aForeign || v.kind == aForeignI {
			out = append(out, v.key)
		}
	}
	return out
}

func foreign(vs []value) bool { return len(foreignNames(vs)) > 0 }

// common are member names that say nothing of their type.
var common = map[string]bool{
	"get": true, "set": true, "run": true, "close": true, "String": true, "toString": true, "add": true, "remove": true, "append": true,
	"push": true, "pop": true, "len": true, "size": true, "length": true, "map": true, "filter": true, "find": true, "equals": true,
	"Equals": true, "ToString": true, "open": true, "read": true, "write": true, "Read": true, "Write": true, "Close": true, "Error": true,
	"next": true, "Next": true, "iter": true, "new": true, "clone": true, "from": true, "into": true, "join": true, "split": true, "call": true,
	"apply": true, "bind": true, "then": true, "catch": true, "items": true, "keys": true, "values": true, "update": true, "format": true,
	"print": true, "log": true, "start": true, "stop": true, "init": true, "each": true, "include": true, "contains": true, "has": true,
	"delete": true, "clear": true, "insert": true, "sort": true, "reverse": true, "copy": true, "count": true, "index": true, "put": true,
}

// uniqueMember is the only callable member of the name in the project, when the
// arguments fit and the name is not a common one.
func (r *run) uniqueMember(f *file, c *code.Call, e *code.Expr) []target {
	if f.lang.everywhere != nil && f.lang.everywhere(c.Name) {
		return nil
	}
	if c.Kind != code.MemberCall || common[c.Name] || e.X <= 0 || f.Exprs[e.X].Kind != code.MemberExpr {
		return nil
	}
	if x := f.Exprs[e.X].X; x > 0 && f.Exprs[x].Kind == code.SuperExpr {
		return nil // not the method that it stands in
	}
	if len(r.expr(f, f.Exprs[e.X].X)) > 0 {
		return nil // the receiver is known, and has no such member
	}
	var found []id
	for _, s := range r.p.byName[c.Name] {
		if s.f.family == f.family && (s.sym().Kind == code.Method) && !s.sym().Abstract {
			found = append(found, s)
			if len(found) > 1 {
				return nil
			}
		}
	}
	if len(found) != 1 || !takes(found[0].sym(), e, f) {
		return nil
	}
	return []target{{found[0], ByUnique}}
}
