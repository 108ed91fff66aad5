package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// assignment reduces x = v and a, b = v.
func (w *rubyWalker) assignment(n syntax.Node) int32 {
	left, right := n.Child("left"), n.Child("right")
	if left.Is("constant", "scope_resolution") && w.classValue(n, left, right) {
		return w.other(n)
	}
	if left.Is("left_assignment_list") && right.Is("right_assignment_list") {
		if x, ok := w.parallel(n, left, right); ok {
			return x
		}
	}
	doc, assigned := w.doc, w.assigned
	w.doc = ""
	if left.Is("identifier") {
		w.assigned = left.Text()
	}
	value := w.expr(right)
	w.assigned = assigned
	if right.Is("right_assignment_list") {
		value = w.tuple(right)
	}
	w.doc = doc
	w.target(left, "", value, 0, false)
	if value == code.None {
		return w.other(n)
	}
	return w.wrap(n, code.AssignExpr, value)
}

func (w *rubyWalker) tuple(n syntax.Node) int32 {
	e := blank(code.TupleExpr)
	e.Args, _ = w.pairs(n)
	return w.add(n, e)
}

// parallel reads a, b = x, y as two assignments.
func (w *rubyWalker) parallel(n, left, right syntax.Node) (int32, bool) {
	to, from := left.NamedChildren(), right.NamedChildren()
	if len(to) != len(from) {
		return code.None, false
	}
	for i := range to {
		if to[i].Is("rest_assignment") || from[i].Is("splat_argument") {
			return code.None, false
		}
	}
	e := blank(code.TupleExpr)
	for _, f := range from {
		e.Args = append(e.Args, w.expr(f))
	}
	for i, t := range to {
		w.target(t, "", e.Args[i], 0, false)
	}
	return w.add(n, e), true
}

func (w *rubyWalker) operatorAssignment(n syntax.Node) int32 {
	left, right := n.Child("left"), n.Child("right")
	doc := w.doc
	w.doc = ""
	value := w.expr(right)
	w.doc = doc
	if n.Child("operator").Is("||=", "&&=") {
		if left.Is("call") {
			w.expr(left)
		}
		w.target(left, "", value, 0, false)
		if left.Is("instance_variable", "class_variable") { // what it held before, or this
			return w.either(n, []int32{w.expr(left), value})
		}
		return w.wrap(n, code.AssignExpr, value)
	}
	was := w.expr(left)
	if !right.Is("array") { // += of a list adds to what is there
		value = w.operator(n, strings.TrimSuffix(n.Child("operator").Text(), "="), was, value)
	}
	if !left.Is("identifier") {
		w.target(left, "", value, 0, false)
	} else if scope := w.declare(left.Text()); w.says(value) {
		w.bindIn(scope, code.Binding{Name: left.Text(), Kind: code.Assigned, Ref: code.None, Value: value, Maybe: true, At: left.Start()})
	}
	return w.wrap(n, code.AssignExpr, value)
}

// bindLocal binds a local variable.
func (w *rubyWalker) bindLocal(at syntax.Node, name, typ string, value int32, part int, element bool) {
	if name == "" {
		return
	}
	scope := w.declare(name)
	w.bindIn(scope, code.Binding{
		Name: name, Kind: code.Assigned, Ref: code.None, Type: typ, Value: value, Part: part, Element: element, Maybe: w.maybe(scope), At: at.Start(),
	})
}

// target binds what stands to the left of an assignment.
func (w *rubyWalker) target(n syntax.Node, typ string, value int32, part int, element bool) {
	switch n.Kind() {
	case "identifier":
		w.bindLocal(n, n.Text(), typ, value, part, element)
	case "instance_variable", "class_variable":
		w.setField(n, n.Text(), value, part == 0 && !element)
		w.setting(n, "self."+n.Text(), value, part, element)
	case "global_variable":
		w.bindIn(0, code.Binding{Name: n.Text(), Kind: code.Assigned, Ref: code.None, Type: typ, Value: value, Part: part, Element: element, At: n.Start()})
	case "constant", "scope_resolution":
		w.constant(n, value, part)
	case "call":
		w.setter(n, value)
	case "element_reference":
		w.indexSetter(n, value)
	case "left_assignment_list", "destructured_left_assignment", "destructured_parameter":
		w.parts(n, value, element)
	case "rest_assignment", "splat_parameter":
		for _, c := range n.NamedChildren() {
			w.target(c, "", code.None, 0, false)
		}
	default:
		w.expr(n)
	}
}

// parts binds names to the parts of a value.
func (w *rubyWalker) parts(n syntax.Node, value int32, element bool) {
	for i, c := range n.NamedChildren() {
		if c.Is("identifier", "instance_variable") {
			w.target(c, "", value, i+1, element)
		} else {
			w.target(c, "", code.None, 0, false)
		}
	}
}

// setter reads x.name = v: a call of the method name=, or the setting of an
// attribute.
func (w *rubyWalker) setter(n syntax.Node, value int32) {
	recv, name := n.Child("receiver"), n.Child("method").Text()
	if name == "" {
		w.expr(n)
		return
	}
	x := w.expr(recv)
	if recv.Is("self") {
		if _, ok := w.fields[rubyField{w.class(), name}]; ok {
			w.setField(n, "@"+name, value, true)
		}
	}
	switch {
	case recv.Is("self"):
		w.setting(n, "self.@"+name, value, 0, false)
	case recv.Is("identifier"):
		w.setting(n, recv.Text()+".@"+name, value, 0, false)
	}
	var args []int32
	if value != code.None {
		args = []int32{value}
	}
	kind := code.MemberCall
	if recv.Is("constant", "scope_resolution") {
		kind = code.Qualified
	}
	w.call(n, kind, w.member(n, x, name+"="), name+"=", recv, args, nil)
}

// indexSetter reads x[k] = v: a call of the method []=, or something that is put
// into a collection.
func (w *rubyWalker) indexSetter(n syntax.Node, value int32) {
	object := n.Child("object")
	x := w.expr(object)
	var args []int32
	key := ""
	for c := range n.Children {
		if c.Field() != "object" && c.Named() && !c.Is("comment") {
			args = append(args, w.expr(c))
			key = rubyName(c)
		}
	}
	if value != code.None {
		args = append(args, value)
	}
	if x > 0 {
		w.call(n, code.MemberCall, w.member(n, x, "[]="), "[]=", object, args, nil)
	}
	if w.says(value) && w.file.Exprs[value].Kind != code.ConstExpr {
		w.puts(object, value, w.entry(n, key, value))
	}
}

// entry is a hash that holds a value, as far as the text says.
func (w *rubyWalker) entry(n syntax.Node, key string, value int32) int32 {
	e := blank(code.DictExpr)
	e.Args, e.Keys = []int32{value}, []string{key}
	return w.add(n, e)
}

// listOf is a list that holds a value.
func (w *rubyWalker) listOf(n syntax.Node, value int32) int32 {
	e := blank(code.ListExpr)
	e.Args = []int32{value}
	return w.add(n, e)
}

// constant reads NAME = v.
func (w *rubyWalker) constant(n syntax.Node, value int32, part int) {
	path := rubyPath(n)
	if len(path) == 0 || path[len(path)-1] == "" {
		return
	}
	s := code.Symbol{Name: path[len(path)-1], Kind: code.Constant, Doc: w.doc, Exported: true, Value: value, Signature: squash(n.Text())}
	if part > 0 {
		s.Value = code.None
	}
	if len(path) > 1 {
		s.Owner, s.Path = strings.Join(path[:len(path)-1], "::"), w.under(strings.Join(path, "."))
	}
	w.define(n, s)
}

// at runs walk as if it stood in the class's body.
func (w *rubyWalker) at(class int32, walk func()) {
	owner, scope := w.owner, w.scope
	w.owner, w.scope = class, w.file.Symbols[class].Scope
	walk()
	w.owner, w.scope = owner, scope
}

// setField notes what an instance variable is set to, as a field of the class:
// once, with the first value that says something.
func (w *rubyWalker) setField(n syntax.Node, name string, value int32, known bool) {
	class := w.class()
	if class == code.None || w.file.Symbols[class].Scope == code.None {
		w.bindIn(0, code.Binding{Name: name, Kind: code.Assigned, Ref: code.None, Value: value, At: n.Start()})
		return
	}
	if !known || !w.says(value) {
		value = code.None
	}
	if i, ok := w.fields[rubyField{class, name}]; ok {
		if s := &w.file.Symbols[i]; s.Value == code.None {
			s.Value = value
		}
		return
	}
	static := strings.HasPrefix(name, "@@") || w.inStatic()
	w.at(class, func() {
		w.fields[rubyField{class, name}] = w.define(n, code.Symbol{Name: name, Kind: code.Field, Value: value, Static: static, Signature: name})
	})
}

// says tells whether a value has a form that something follows from.
func (w *rubyWalker) says(value int32) bool {
	if value <= 0 {
		return false
	}
	e := &w.file.Exprs[value]
	return e.Kind != code.OtherExpr && !(e.Kind == code.ConstExpr && e.Name == "NilClass")
}

// setting binds an instance variable by the text before it: "self.@x", "a.@x"
// where a's attribute x is set.
func (w *rubyWalker) setting(n syntax.Node, path string, value int32, part int, element bool) {
	if w.says(value) && w.file.Exprs[value].Kind != code.ConstExpr {
		w.bind(code.Binding{Name: path, Kind: code.Assigned, Ref: code.None, Value: value, Part: part, Element: element, Maybe: true, At: n.Start()})
	}
}

// puts notes that a value is put into the collection that stands at n, which has
// then what list has.
func (w *rubyWalker) puts(n syntax.Node, value, list int32) {
	if !w.says(value) {
		return
	}
	switch n.Kind() {
	case "identifier":
		if scope, ok := w.local(n.Text()); ok {
			w.bindIn(scope, code.Binding{Name: n.Text(), Kind: code.Assigned, Ref: code.None, Value: list, Maybe: true, At: n.Start()})
		} else { // by a reader that has the variable's name
			w.setting(n, "self.@"+n.Text(), list, 0, false)
		}
	case "instance_variable", "class_variable":
		w.setting(n, "self."+n.Text(), list, 0, false)
	case "constant":
		w.bind(code.Binding{Name: "." + n.Text(), Kind: code.Assigned, Ref: code.None, Value: list, Maybe: true, At: n.Start()})
	case "element_reference":
		w.puts(n.Child("object"), value, w.listOf(n, list))
	case "call": // self.list << x, list << x by its reader
		if n.Child("method").OK() && !n.Child("arguments").OK() && (!n.Child("receiver").OK() || n.Child("receiver").Is("self")) {
			w.setting(n, "self.@"+n.Child("method").Text(), list, 0, false)
		}
	}
}
