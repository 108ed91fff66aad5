package resolve

import (
	"maps"
	"slices"

	"chitta/internal/code"
)

// flows are the values that calls pass to parameters: how a function that is
// handed over is found where it is called. They are kept by the file that
// passes them, so that a file that changes takes its own back.
type flows struct {
	to   map[flowTo]map[string][]value
	from map[string]map[flowTo]bool // what each file passes to
	all  map[flowTo][]value         // what all files together pass, once asked
}

func newFlows() flows {
	return flows{to: map[flowTo]map[string][]value{}, from: map[string]map[flowTo]bool{}, all: map[flowTo][]value{}}
}

// flowTo is a parameter, by the path of its function: it stays the same when
// the lines or the order of the file change.
type flowTo struct {
	file, fn string
	param    int32
}

// passing is a value on its way to a parameter.
type passing struct {
	to flowTo
	v  value
}

// into are the values passed to a parameter, those of the first files first.
func (fl flows) into(s id, param int32) []value {
	to := flowTo{s.f.Path, s.sym().Path, param}
	if vs, ok := fl.all[to]; ok {
		return vs
	}
	byFile := fl.to[to]
	var out []value
	for _, path := range slices.Sorted(maps.Keys(byFile)) {
		if out = add(out, byFile[path]...); len(out) > maxValues {
			out = nil // anything at all
			break
		}
	}
	fl.all[to] = out
	return out
}

// pass notes what a call hands to its targets.
func (r *run) pass(f *file, e *code.Expr, at int32, targets []target) {
	if len(e.Args) == 0 || len(targets) == 0 {
		return
	}
	for _, t := range targets {
		sym := t.s.sym()
		skip := 0
		if f.lang.skipsReceiver != nil {
			skip = f.lang.skipsReceiver(r, f, e, t.s)
		}
		for i, a := range e.Args {
			param := r.paramOf(sym, e, i, skip)
			if f.lang.sequences && r.passRest(f, e, at, t.s, i, skip, param) {
				continue
			}
			if param < 0 {
				continue
			}
			for _, v := range r.expr(f, a) {
				if v.kind == aFunc || r.listsFunctions(f, v) || f.lang.dynamic && r.flows(v, t.s, param) && (sym.Params[param].Type == "" || v.kind == aColl && f.lang.dictMembers || v.kind == aType) {
					r.passed = append(r.passed, passing{flowTo{t.s.f.Path, sym.Path, int32(param)}, v})
				}
			}
		}
	}
}

// listsFunctions says that a value is a collection of functions, written out in a
// language whose types say nothing of which they are.
func (r *run) listsFunctions(f *file, v value) bool {
	return f.lang.functional != nil && v.kind == aColl && slices.ContainsFunc(r.elements([]value{v}), func(v value) bool { return v.kind == aFunc })
}

// flows says that it is of use to know that a parameter holds the value.
func (r *run) flows(v value, fn id, param int) bool {
	switch v.kind {
	case anInst, aType, aColl, aSeq:
		return true
	case aForeignI: // a literal, which may be a key
		return v.f != nil && fn.f.lang.keyNames != nil && fn.f.lang.keyNames(r, fn.f)[fn.sym().Params[param].Name]
	}
	return false
}

// paramOf is the parameter that the i-th argument of a call goes to, or -1.
func (r *run) paramOf(sym *code.Symbol, e *code.Expr, i, skip int) int {
	if i < len(e.Keys) && e.Keys[i] != "" {
		return slices.IndexFunc(sym.Params, func(p code.Param) bool { return p.Name == e.Keys[i] })
	}
	i += skip
	for n, p := range sym.Params {
		if n == i || p.Variadic && n < i {
			return n
		}
	}
	return -1
}

// callbacks are the functions handed to something outside of the project, which
// is taken to call them.
func (r *run) callbacks(f *file, e *code.Expr) []target {
	var out []target
	for _, a := range e.Args {
		for _, v := range r.expr(f, a) {
			if v.kind == aFunc {
				out = append(out, target{v.fn, ByValue})
			}
		}
	}
	return out
}

// replace sets what a file passes on and returns the files of the functions
// whose parameters hold something else now.
func (fl flows) replace(path string, passed []passing) []string {
	next := map[flowTo][]value{}
	for _, p := range passed {
		if len(next[p.to]) < maxValues {
			next[p.to] = add(next[p.to], p.v)
		}
	}
	moved := map[string]bool{}
	for to := range fl.from[path] {
		if !sameValues(fl.to[to][path], next[to]) {
			moved[to.file] = true
			fl.unset(to, path)
		}
	}
	for to, vs := range next {
		if fl.to[to] == nil {
			fl.to[to] = map[string][]value{}
		}
		if !sameValues(fl.to[to][path], vs) {
			moved[to.file] = true
			delete(fl.all, to)
		}
		fl.to[to][path] = vs
		if fl.from[path] == nil {
			fl.from[path] = map[flowTo]bool{}
		}
		fl.from[path][to] = true
	}
	return slices.Sorted(maps.Keys(moved))
}

// unset takes back what a file passes to a parameter.
func (fl flows) unset(to flowTo, path string) {
	delete(fl.all, to)
	delete(fl.from[path], to)
	if delete(fl.to[to], path); len(fl.to[to]) == 0 {
		delete(fl.to, to)
	}
}

func sameValues(a, b []value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].same(&b[i]) {
			return false
		}
	}
	return true
}

// drop takes back all that a file passes on.
func (fl flows) drop(path string) {
	for to := range fl.from[path] {
		fl.unset(to, path)
	}
	delete(fl.from, path)
}

// givenFunctions adds the files that call functions of the files that moved for a
// function that these give: it may be one that was passed to them.
func (r *run) givenFunctions(moved map[string]bool) {
	if len(moved) == 0 {
		return
	}
	var more []string
	for path, f := range r.p.files {
		if f.lang.functional == nil || f.lang.dynamic || moved[path] {
			continue
		}
		if slices.ContainsFunc(f.edges, func(e edge) bool { return e.to.File != path && moved[e.to.File] && r.givesFunction(e.to) }) {
			more = append(more, path)
		}
	}
	for _, path := range more {
		moved[path] = true
	}
}

// givesFunction says that a function is declared to give another.
func (r *run) givesFunction(to Ref) bool {
	f := r.p.files[to.File]
	if f == nil || to.Symbol < 0 || int(to.Symbol) >= len(f.Symbols) || f.Symbols[to.Symbol].Returns == "" {
		return false
	}
	s := id{f, to.Symbol}
	n := r.parsed(f, s.sym().Returns)
	return n.name == funcKey || r.anyFunction(s, r.typeIn(f, r.inner(s), n, nil))
}

// holders lists the files that pass on something of a file.
func (fl flows) holders(f *file) []string {
	out := map[string]bool{}
	for _, byFile := range fl.to {
		for path, vs := range byFile {
			if slices.ContainsFunc(vs, func(v value) bool { return v.of(f) }) {
				out[path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(out))
}

// of says that a value points into a file.
func (v *value) of(f *file) bool {
	return v.fn.f == f || v.f == f || v.args != nil && v.args.f == f
}
