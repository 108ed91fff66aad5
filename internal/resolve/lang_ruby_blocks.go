package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// Blocks that the library runs: it is taken to run those that it is given, some
// with another self.

// rubyRebinds are methods that run a block with their receiver as self; the
// value says that they hand on their arguments.
var rubyRebinds = map[string]bool{
	"instance_eval": false, "instance_exec": true, "class_eval": false, "class_exec": true, "module_eval": false, "module_exec": true,
}

// rubyRuns are classes of the library whose new instances run their block.
var rubyRuns = wordSet(`Thread Fiber Enumerator Ractor`)

// blockKey is the name of the block among the arguments of a call.
const blockKey = "&"

// selfParam is the place in a block's parameters that its self is passed to.
const selfParam int32 = -1

// rubyAlsoCalls are the blocks that a call hands to the library.
func rubyAlsoCalls(r *run, f *file, e *code.Expr, vs []value) []target {
	blocks := r.rubyBlock(f, e)
	if len(blocks) == 0 || len(functionsOf(vs)) > 0 || !r.rubyOutside(f, e, vs) {
		return nil
	}
	var out []target
	for _, b := range blocks {
		out = append(out, target{b.fn, ByValue})
	}
	return out
}

// rubyOutside says that a call without a method of the project is one of the
// library: what is called on is known, or nothing of the project has the name.
func (r *run) rubyOutside(f *file, e *code.Expr, vs []value) bool {
	if e.Kind == code.NewExpr {
		return len(vs) > 0 && !slices.ContainsFunc(vs, func(v value) bool { return v.kind != aForeign || !rubyRuns[v.key] })
	}
	if e.X <= 0 {
		return false
	}
	name := f.Exprs[e.X].Name
	if rubyKeeps[name] {
		return false
	}
	if _, ok := rubyRebinds[name]; ok || rubyKernel[name] {
		return true
	}
	on := r.rubyReceivers(f, &f.Exprs[e.X])
	if slices.ContainsFunc(on, func(v value) bool { return v.kind == anInst || v.kind == aType }) {
		return rubyCommon[name] || len(r.rubyNamed(name)) == 0
	}
	return len(on) > 0 || rubyCommon[name] || len(r.rubyNamed(name)) == 0
}

// rubySigns are operators that are methods: most are the library's.
var rubySigns = wordSet(`+ - * / % ** <=> == & | << ^ >> =~ === < > <= >= != [] []= -@ +@ ~`)

func rubyQuiet(c *code.Call) bool {
	return c.Kind == code.MemberCall && rubySigns[c.Name] || c.Kind == code.Qualified && c.Name == "[]"
}

// rubyKeeps are methods that make a method of their block.
var rubyKeeps = wordSet(`define_method define_singleton_method`)

// rubyOfObject are methods that every object has.
var rubyOfObject = wordSet(`
class nil? hash eql? equal? inspect to_s freeze frozen? dup clone tap then itself extend instance_variable_get instance_variable_set
instance_variable_defined? instance_variables send public_send __send__ respond_to? is_a? kind_of? instance_of? instance_eval instance_exec
method methods object_id display define_singleton_method singleton_class to_enum enum_for initialize method_missing respond_to_missing?
`)

// rubyAbove are what classes of the library take from, where programs add to it.
var rubyAbove = map[string][]string{
	"Integer": {"Integer", "Numeric", "Comparable"}, "Float": {"Float", "Numeric", "Comparable"}, "Array": {"Array", "Enumerable"},
	"Hash": {"Hash", "Enumerable"}, "String": {"String", "Comparable"}, "Range": {"Range", "Enumerable"},
}

// rubyAdded are the methods that the project adds to a class of the library, by
// opening or refining it.
func (r *run) rubyAdded(x value, name string) []value {
	kind := strings.TrimPrefix(x.key, "<builtin>.")
	if x.kind == aColl {
		kind = "Array"
		if x.f.Exprs[x.expr].Kind == code.DictExpr {
			kind = "Hash"
		}
	}
	classes := rubyAbove[kind]
	if classes == nil {
		classes = []string{kind}
	}
	for _, class := range append(slices.Clone(classes), "Object", "Kernel") {
		var out []value
		for _, s := range r.rubyNamed(name) {
			if p := s.sym().Parent; p != code.None && s.f.Symbols[p].Name == class && !s.sym().Static {
				out = add(out, value{kind: aFunc, fn: s, rule: ByReceiver})
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// rubyMissing is the method that answers calls of methods that an object does
// not have.
func (r *run) rubyMissing(on []value, name string) []value {
	if rubyOfObject[name] || rubyKernel[name] || name == "" || !isNameByte(name[0]) {
		return nil
	}
	var out []value
	for _, x := range on {
		if x.kind == anInst && (!rubyCommon[name] || r.foreignBase(x.key) == "") || x.kind == aType && !rubyCommon[name] {
			x.exact = true
			vs, _ := r.rubyMethods(x, "method_missing")
			out = add(out, vs...)
		}
	}
	return ruled(out, ByReceiver)
}

// rubyNamed are the methods of a name in the project.
func (r *run) rubyNamed(name string) []id {
	return slices.DeleteFunc(slices.Clone(r.p.byName[name]), func(s id) bool { return s.f.family != "ruby" })
}

// rubyReceivers is what a method is called on.
func (r *run) rubyReceivers(f *file, x *code.Expr) []value {
	switch x.Kind {
	case code.NameExpr:
		return r.self(f, x.Scope)
	case code.MemberExpr:
		return r.expr(f, x.X)
	}
	return nil
}

// rubyPasses notes the self, and the arguments, of blocks that are run on behalf
// of another object.
func rubyPasses(r *run, f *file, e *code.Expr, _ []value) {
	if e.Kind != code.CallExpr || e.X <= 0 {
		return
	}
	name := f.Exprs[e.X].Name
	r.rubyHands(f, e, name)
	args, ok := rubyRebinds[name]
	if !ok && !rubyKeeps[name] {
		return
	}
	on := slices.Clone(r.rubyReceivers(f, &f.Exprs[e.X]))
	for i := range on {
		if name == "define_method" && on[i].kind == aType {
			on[i].kind = anInst
		}
	}
	for _, b := range r.rubyBlock(f, e) {
		to := flowTo{b.fn.f.Path, b.fn.sym().Path, selfParam}
		for _, x := range on {
			if x.kind == anInst || x.kind == aType {
				r.passed = append(r.passed, passing{to, x})
			}
		}
		for i, a := range e.Args {
			if !args || i < len(e.Keys) && e.Keys[i] != "" || i >= len(b.fn.sym().Params) {
				continue
			}
			for _, v := range r.expr(f, a) {
				if v.kind != aForeign && v.kind != aForeignI {
					r.passed = append(r.passed, passing{flowTo{to.file, to.fn, int32(i)}, v})
				}
			}
		}
	}
}

// rubySets notes what x.name = v sets the attribute of an object to.
func (r *run) rubySets(f *file, e *code.Expr) {
	x := &f.Exprs[e.X]
	attribute, ok := strings.CutSuffix(x.Name, "=")
	if !ok || attribute == "" || !isNameByte(attribute[0]) || len(e.Args) != 1 || x.Kind != code.MemberExpr {
		return
	}
	var vs []value
	for _, v := range r.expr(f, e.Args[0]) {
		if v.kind != aForeign && v.kind != aForeignI {
			vs = append(vs, v)
		}
	}
	if len(vs) == 0 {
		return
	}
	for _, on := range r.expr(f, x.X) {
		if on.kind != anInst && on.kind != aType {
			continue
		}
		for _, s := range r.rubyInstance(r.linear(on.key), attribute) {
			for _, v := range vs {
				r.passed = append(r.passed, passing{flowTo{s.f.Path, s.sym().Path, 0}, v})
			}
		}
	}
}

// rubyHanding are methods of collections that hand their elements to a block,
// one after another.
var rubyHanding = wordSet(`
each map collect flat_map select filter reject find detect each_value reverse_each any? all? none? sum sort_by group_by partition filter_map
min_by max_by find_all count each_with_index each_with_object each_entry
`)

// rubyHands notes what a collection hands to a block that is written elsewhere.
func (r *run) rubyHands(f *file, e *code.Expr, name string) {
	x := &f.Exprs[e.X]
	if !rubyHanding[name] || x.Kind != code.MemberExpr || len(e.Args) == 0 || len(e.Keys) != len(e.Args) || e.Keys[len(e.Keys)-1] != blockKey {
		return
	}
	if block := e.Args[len(e.Args)-1]; block <= 0 || f.Exprs[block].Kind == code.FuncExpr {
		return // its parameters say so themselves
	}
	var vs []value
	for _, v := range r.elements(r.expr(f, x.X)) {
		if v.kind == anInst || v.kind == aType || v.kind == aFunc || v.kind == aColl {
			vs = append(vs, v)
		}
	}
	for _, b := range r.rubyBlock(f, e) {
		if len(b.fn.sym().Params) == 0 {
			continue
		}
		for _, v := range vs {
			r.passed = append(r.passed, passing{flowTo{b.fn.f.Path, b.fn.sym().Path, 0}, v})
		}
	}
}

// rubyRebound is the self that a block is run with, where that is another than
// the one around it.
func (r *run) rubyRebound(s id) []value {
	if s.sym().Kind != code.Lambda {
		return nil
	}
	return ruled(r.p.flows.into(s, selfParam), BySelf)
}
