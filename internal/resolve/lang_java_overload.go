package resolve

import (
	"slices"

	"chitta/internal/code"
)

// How well an argument fits a parameter.
const (
	misfit  = -1 // it is surely of another type
	unknown = 0
	fitting = 1 // of a type below, or one that is converted
	exactly = 2
)

// chosen keeps the overloads that a call means, as Java and C# choose: by the
// number of arguments, without the rest parameter before with it, by the types
// of the arguments. What replaces one of them, or is replaced by it, stays.
func chosen(r *run, f *file, e *code.Expr, fns []value) []value {
	var held []value // functions that a variable holds are not each other's overloads
	for _, v := range fns {
		if v.rule == ByValue {
			held = append(held, v)
		}
	}
	if len(held) > 0 {
		return append(held, chosen(r, f, e, slices.DeleteFunc(slices.Clone(fns), func(v value) bool { return v.rule == ByValue }))...)
	}
	if len(fns) < 2 {
		return fns
	}
	keep := make([]value, 0, len(fns))
	plain := false
	for _, v := range fns {
		if applies, rest := r.applies(f, e, v.fn); applies {
			keep = append(keep, v)
			plain = plain || !rest
		}
	}
	if plain {
		keep = slices.DeleteFunc(keep, func(v value) bool { _, rest := r.applies(f, e, v.fn); return rest })
	}
	if len(keep) == 0 {
		return fns // the count may be wrong
	}
	if len(keep) == 1 {
		return keep
	}
	scores, most := make([]int, len(keep)), misfit
	for i, v := range keep {
		scores[i] = r.score(f, e, v.fn)
		most = max(most, scores[i])
	}
	var out []value
	for i, v := range keep {
		same := func(o value) bool { return sameParams(o.fn, v.fn) }
		if scores[i] == most || scores[i] > misfit && slices.ContainsFunc(out, same) {
			out = append(out, v)
		}
	}
	return out
}

// skipped is how many leading parameters a call does not give.
func (r *run) skipped(f *file, e *code.Expr, fn id) int {
	if f.lang.skipsReceiver == nil {
		return 0
	}
	return f.lang.skipsReceiver(r, f, e, fn)
}

// applies says that a function takes that many arguments, and that it does so
// with its rest parameter only.
func (r *run) applies(f *file, e *code.Expr, fn id) (ok, rest bool) {
	params := fn.sym().Params
	params = params[min(r.skipped(f, e, fn), len(params)):]
	least, most, variadic := 0, 0, false
	for _, p := range params {
		switch {
		case p.Variadic:
			variadic = true
		case p.Optional || p.Default > 0:
			most++
		default:
			least, most = least+1, most+1
		}
	}
	n := len(e.Args)
	switch {
	case n < least:
		return false, false
	case !variadic:
		return n <= most, false
	}
	return true, true
}

// score is how well the arguments of a call fit a function's parameters.
func (r *run) score(f *file, e *code.Expr, fn id) int {
	sym, skip, sum := fn.sym(), r.skipped(f, e, fn), 0
	for i, a := range e.Args {
		n := r.paramOf(sym, e, i, skip)
		if n < 0 || sym.Params[n].Variadic || a <= 0 {
			continue
		}
		have := r.expr(f, a)
		if len(have) == 0 {
			continue
		}
		fit := unknown
		for _, want := range r.typeText(fn.f, r.inner(fn), sym.Params[n].Type) {
			if fit = r.fit(f, have[0], want); fit != unknown {
				break
			}
		}
		if fit == misfit {
			return misfit
		}
		sum += fit
	}
	return sum
}

// fit compares an argument with the type of a parameter.
func (r *run) fit(f *file, have, want value) int {
	switch {
	case have.kind == aFunc && want.kind == anInst:
		if _, ok := r.onlyMethod(want.key); ok {
			return fitting
		}
		return misfit
	case have.kind == aFunc || have.kind == anInst && want.kind == aForeignI:
		if isPlain(f, want) {
			return misfit
		}
	case have.kind == anInst && want.kind == anInst:
		if have.key == want.key {
			return exactly
		}
		if slices.Contains(r.linear(have.key), want.key) {
			return fitting
		}
		return misfit
	case have.kind == aForeignI && want.kind == aForeignI && have.key == listKey && want.key == listKey:
		return r.fitElements(f, have, want)
	case have.kind == aForeignI && want.kind == aForeignI:
		switch f.lang.sameType(lastName(have.key), lastName(want.key)) {
		case 1:
			return exactly
		case misfit:
			return misfit
		}
	case have.kind == aForeignI && want.kind == anInst:
		if have.key == "<builtin>.null" {
			return unknown
		}
		if _, ok := r.onlyMethod(want.key); ok && !isPlain(f, have) {
			return unknown // a function that comes from outside
		}
		return misfit
	}
	return unknown
}

// fitElements compares arrays: those of numbers are converted to no other.
func (r *run) fitElements(f *file, have, want value) int {
	a, b := r.elements([]value{have}), r.elements([]value{want})
	if len(a) == 0 || len(b) == 0 {
		return unknown
	}
	fit := r.fit(f, a[0], b[0])
	if fit == unknown && (isPlain(f, a[0]) || isPlain(f, b[0])) && f.lang.sameType("<none>", lastName(a[0].key)) == misfit {
		return misfit
	}
	return fit
}

// isPlain says that a value is a number, a truth value or a text.
func isPlain(f *file, v value) bool {
	name := lastName(v.key)
	return v.kind == aForeignI && (name == "String" || name == "string" || f.lang.sameType("<none>", name) == misfit)
}
