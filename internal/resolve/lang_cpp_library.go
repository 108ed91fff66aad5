package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// cppRuns are functions of the library that call the functions they are given;
// threads and tasks are made to run them.
var cppRuns = wordSet(`for_each for_each_n transform sort stable_sort partial_sort nth_element find_if find_if_not count_if all_of any_of none_of
	accumulate reduce transform_reduce inner_product partial_sum adjacent_difference copy_if remove_if remove_copy_if replace_if replace_copy_if
	generate generate_n partition stable_partition partition_copy partition_point max_element min_element minmax_element max min minmax
	lower_bound upper_bound equal_range binary_search equal mismatch lexicographical_compare unique unique_copy adjacent_find search find_end
	find_first_of merge inplace_merge includes set_union set_intersection set_difference is_sorted is_sorted_until is_partitioned is_permutation
	next_permutation make_heap push_heap pop_heap sort_heap erase_if invoke apply visit thread jthread async call_once packaged_task
	qsort bsearch atexit at_quick_exit signal pthread_create thrd_create call_once`)

// cppBinds are functions of the library that give a function they are given.
var cppBinds = map[string]bool{"std.bind": true, "std.mem_fn": true, "std.bind_front": true, "std.bind_back": true, "std.not_fn": true, "std.function": true}

// cppRunsGiven says that a call is one of a function of the library that calls
// what it is given; its name may stand alone where std is opened.
func cppRunsGiven(f *file, e *code.Expr, vs []value) bool {
	for _, v := range vs {
		if v.kind != aForeign && v.kind != aForeignI {
			return false
		}
		if strings.HasPrefix(v.key, "std.") && cppRuns[lastName(v.key)] {
			return true
		}
	}
	if e.X <= 0 {
		return false
	}
	x := &f.Exprs[e.X]
	return x.Kind == code.NameExpr && cppRuns[x.Name]
}

// cppAlsoCalls are the functions that the library runs for a call, and the
// operator that an arrow stands for.
func cppAlsoCalls(r *run, f *file, e *code.Expr, vs []value) []target {
	var out []target
	if e.X > 0 {
		out = r.cppArrows(f, e.X)
	}
	if !cppRunsGiven(f, e, vs) {
		return out
	}
	var fns []value
	for _, a := range e.Args {
		for _, v := range r.expr(f, a) {
			switch v.kind {
			case aFunc:
				fns = append(fns, v)
			case anInst:
				fns = append(fns, r.callOperator(f, v)...)
			}
		}
	}
	for _, v := range withBodies(fns) {
		out = append(out, target{v.fn, ByValue})
		r.cppPassElements(f, e, v.fn)
	}
	return out
}

// cppPassElements hands what the library goes over to a function without types:
// an iterator stands for an element.
func (r *run) cppPassElements(f *file, e *code.Expr, fn id) {
	sym := fn.sym()
	for i, p := range sym.Params {
		if p.Type != "" {
			continue
		}
		for _, a := range e.Args {
			for _, v := range r.expr(f, a) {
				if v.kind == anInst && len(r.callOperator(f, v)) == 0 {
					r.passed = append(r.passed, passing{flowTo{fn.f.Path, sym.Path, int32(i)}, v})
				}
			}
		}
	}
}

// cppArrows are the operators that run for x->f.
func (r *run) cppArrows(f *file, i int32) []target {
	e := &f.Exprs[i]
	if e.Kind == code.IndexExpr && e.X > 0 {
		e = &f.Exprs[e.X]
	}
	if e.Kind != code.MemberExpr || e.Text != cppArrowSign || e.X <= 0 {
		return nil
	}
	var out []target
	for _, x := range r.expr(f, e.X) {
		if x.kind != anInst {
			continue
		}
		for _, s := range r.member(x.key, "operator->") {
			if !slices.ContainsFunc(out, func(t target) bool { return t.s == s }) {
				out = append(out, target{s, ByReceiver})
			}
		}
	}
	return out
}

// cppDestructors are what runs when an instance is deleted: its type's, or the
// nearest above that is written, and where that is virtual those below.
func (r *run) cppDestructors(f *file, i int32) []value {
	var out []value
	for _, x := range r.expr(f, i) {
		if x.kind != anInst {
			continue
		}
		var own []id
		for _, k := range r.linear(x.key) {
			if own = r.own(k, "~"+lastName(k)); len(own) > 0 {
				break
			}
		}
		virtual := false
		for _, s := range own {
			virtual = virtual || strings.Contains(s.sym().Signature, "virtual ")
			out = add(out, value{kind: aFunc, fn: s, rule: ByReceiver})
		}
		if x.exact || !virtual {
			continue
		}
		for _, k := range r.below(x.key) {
			for _, s := range r.own(k, "~"+lastName(k)) {
				out = add(out, value{kind: aFunc, fn: s, rule: ByImplementor})
			}
		}
	}
	if len(out) > maxValues {
		return nil
	}
	return out
}

// cppIterate is what a loop over an instance gives: what its iterator points to.
func cppIterate(r *run, x value) []value {
	var out []value
	for _, s := range r.member(x.key, "begin") {
		for _, at := range r.generic(s, s.sym().Returns, value{key: x.key, args: r.argsAt(x, s)}) {
			out = add(out, r.cppPointed(at)...)
		}
		if len(out) == 0 {
			for _, at := range r.result(s) {
				out = add(out, r.cppPointed(at)...)
			}
		}
	}
	return out
}

// cppPointed is what an iterator points to; a pointer is as good as that.
func (r *run) cppPointed(x value) []value {
	if x.kind != anInst {
		return []value{x}
	}
	stars := r.member(x.key, "operator*")
	if len(stars) == 0 {
		return []value{x}
	}
	var out []value
	for _, s := range stars {
		if vs := r.generic(s, s.sym().Returns, value{key: x.key, args: r.argsAt(x, s)}); len(vs) > 0 {
			out = add(out, vs...)
		} else {
			out = add(out, r.result(s)...)
		}
	}
	return out
}
