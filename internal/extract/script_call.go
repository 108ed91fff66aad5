package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// callExpression reduces f(…), x.f(…), f`…` and import(…).
func (s *script) callExpression(n syntax.Node) int32 {
	fn, list := n.Child("function"), n.Child("arguments")
	if module, ok := s.loads(n); ok {
		return s.load(n, module)
	}
	if fn.Is("import") { // of a name that is computed
		s.arguments(list)
		return s.other(n)
	}
	callee := s.expression(fn)
	var args []int32
	if list.Is("template_string") {
		args = append([]int32{s.constant(list, "string", "")}, s.substitutions(list)...)
	} else {
		args = s.arguments(list)
	}
	kind, name, receiver := s.callee(calleeOf(fn))
	if kind == code.MemberCall || kind == code.PlainCall {
		s.prototypeCall(n, name, receiver, list)
	}
	made := s.call(n, kind, callee, name, receiver, args, nil)
	if types := n.Child("type_arguments"); types.OK() && made > 0 {
		s.file.Exprs[made].Text = typeArguments(types)
	}
	return made
}

// calleeOf is what is called, without brackets: (0, m.f)() calls m.f.
func calleeOf(n syntax.Node) syntax.Node {
	for {
		n = unwrap(n)
		if n.Is("instantiation_expression") {
			n = firstNamed(n)
			continue
		}
		if !n.Is("sequence_expression") {
			return n
		}
		var last syntax.Node
		for c := range n.Children {
			if c.Named() && !c.Is("comment") {
				last = c
			}
		}
		n = last
	}
}

// callee tells the form of a call by what is called.
func (s *script) callee(n syntax.Node) (code.CallKind, string, syntax.Node) {
	switch n.Kind() {
	case "identifier":
		return code.PlainCall, n.Text(), syntax.Node{}
	case "member_expression":
		return code.MemberCall, n.Child("property").Text(), n.Child("object")
	case "super":
		return code.Ctor, "super", syntax.Node{}
	case "subscript_expression":
		return code.Indirect, plainKey(n.Child("index")), n.Child("object")
	case "function_expression", "generator_function", "arrow_function":
		return code.LambdaCall, "", syntax.Node{}
	}
	return code.Indirect, "", syntax.Node{}
}

func (s *script) arguments(list syntax.Node) (out []int32) {
	for c := range list.Children {
		if c.Named() && !c.Is("comment") {
			out = append(out, s.expression(c))
		}
	}
	return out
}

// newTyped is a new instance, with the arguments of its type where they are
// written.
func (s *script) newTyped(n syntax.Node) int32 {
	made := s.newExpression(n)
	args, constructor := n.Child("type_arguments"), n.Child("constructor")
	if !args.OK() || !constructor.Is("identifier", "member_expression") {
		return made
	}
	return s.typed(n, made, typeText(constructor)+typeText(args))
}

func (s *script) newExpression(n syntax.Node) int32 {
	constructor := n.Child("constructor")
	callee := s.expression(constructor)
	args := s.arguments(n.Child("arguments"))
	inner := calleeOf(constructor)
	receiver := syntax.Node{}
	if inner.Is("member_expression") {
		receiver = inner.Child("object")
	}
	return s.call(n, code.New, callee, s.lastName(callee), receiver, args, nil)
}

// prototypeCall knows the functions that make one type inherit from another, or
// give it methods.
func (s *script) prototypeCall(n syntax.Node, name string, receiver, list syntax.Node) {
	if name != "inherits" && name != "setPrototypeOf" {
		return
	}
	if name == "setPrototypeOf" && receiver.Text() != "Object" && receiver.Text() != "Reflect" {
		return
	}
	var args []syntax.Node
	for c := range list.Children {
		if c.Named() && !c.Is("comment") {
			args = append(args, c)
		}
	}
	if len(args) == 2 {
		s.inheritsFrom(n, prototyped(args[0]), prototyped(args[1]))
	}
}

// prototyped is the type in T.prototype, or the node itself.
func prototyped(n syntax.Node) syntax.Node {
	if n.Is("member_expression") && n.Child("property").Text() == "prototype" {
		return n.Child("object")
	}
	return n
}

// inheritsFrom notes that a type named in the text takes from another.
func (s *script) inheritsFrom(at, typ, base syntax.Node) {
	if !typ.Is("identifier", "member_expression") || !base.Is("identifier", "member_expression") {
		return
	}
	s.file.Inherits = append(s.file.Inherits, code.Inherit{
		Symbol: code.None, Type: clip(squash(typ.Text()), maxReceiver), Base: clip(squash(base.Text()), maxReceiver),
		Expr: s.typeName(base), Kind: code.Extends, Line: at.Line(),
	})
}

// assignment reduces `left = right`.
func (s *script) assignment(n syntax.Node, comments []syntax.Node) int32 {
	left, right := unwrap(n.Child("left")), n.Child("right")
	value := s.valueAt(right, s.assignedPlace(n, left, right, comments))
	s.assignTo(left, value, n.End())
	s.prototypeSet(n, left, right)
	return s.wrap(n, code.AssignExpr, value)
}

// augmented reduces `left op= right`: only the logical ones assign right itself.
func (s *script) augmented(n syntax.Node) int32 {
	left, right := unwrap(n.Child("left")), n.Child("right")
	switch n.Child("operator").Kind() {
	case "||=", "&&=", "??=":
		value := s.valueAt(right, s.assignedPlace(n, left, right, nil))
		s.assignTo(left, value, n.End())
		return s.either(n, s.expression(left), value)
	}
	s.expression(left)
	s.expression(right)
	return s.counted(n, left)
}

// counted notes that a variable is set to something that is worked out.
func (s *script) counted(n, name syntax.Node) int32 {
	value := s.other(n)
	if name.Is("identifier") {
		scope, _ := s.scopeOf(name.Text())
		s.put(scope, code.Binding{Name: name.Text(), Kind: code.Assigned, Ref: code.None, Value: value, Maybe: true, At: n.End()})
	}
	return value
}

// prototypeSet knows `A.prototype = Object.create(B.prototype)` and `= new B()`.
func (s *script) prototypeSet(n, left, right syntax.Node) {
	typ := prototyped(left)
	if typ == left {
		return
	}
	switch {
	case right.Is("new_expression"):
		s.inheritsFrom(n, typ, right.Child("constructor"))
	case right.Is("call_expression") && right.Child("function").Text() == "Object.create":
		s.inheritsFrom(n, typ, prototyped(firstNamed(right.Child("arguments"))))
	}
}

// assignedPlace is the place that an assignment puts a function, a class or an
// object at.
func (s *script) assignedPlace(n, left, right syntax.Node, comments []syntax.Node) place {
	inner := unwrap(right)
	if !isFunction(inner) && !inner.Is("class", "object") {
		return place{}
	}
	p := place{node: n, kind: code.Function, unbound: true, doc: docBefore(comments)}
	if name, ok := s.exportsName(left); ok {
		return s.exportedPlace(p, name, inner)
	}
	var object syntax.Node
	switch left.Kind() {
	case "identifier":
		p.name = left.Text()
		p.path = s.pathOf(p.name)
		return p
	case "member_expression":
		object, p.name = left.Child("object"), left.Child("property").Text()
	case "subscript_expression":
		object, p.name = left.Child("object"), plainKey(left.Child("index"))
	}
	if p.name == "" {
		return place{}
	}
	p.kind = code.Method
	if object.Is("this") {
		if s.this == nil {
			return place{}
		}
		p.in, p.this, p.path, p.exported = s.this, s.this, join(s.this.path, p.name), !strings.HasPrefix(p.name, "#")
		return p
	}
	return s.memberPlace(p, left, object)
}

// exportedPlace is what is set on module.exports. It stands at the top of the
// module.
func (s *script) exportedPlace(p place, name string, inner syntax.Node) place {
	p.name, p.exported = name, true
	if name == "=" {
		p.name = inner.Child("name").Text()
		if p.name == "" && !inner.Is("object") {
			p.name = "exports"
		}
	}
	if inner.Is("object") && name == "=" {
		p.path, p.module = "", true // its members stand at the top too
	} else {
		p.path = s.pathOf(p.name)
	}
	return p
}

// memberPlace is what is set on another object: A.prototype.f, A.f, a.b.f.
func (s *script) memberPlace(p place, left, object syntax.Node) place {
	typ := prototyped(object)
	if own := prototyped(left); own != left { // A.prototype = {…}
		typ, p.name = own, ""
	} else if typ == object {
		if object.Is("identifier") {
			_, as := s.scopeOf(object.Text())
			p.static = as == asCallable
		}
	}
	if !typ.Is("identifier", "member_expression") || len(typ.Bytes()) > maxReceiver {
		return place{}
	}
	p.owner = squash(typ.Text())
	h := &holder{path: s.pathOf(p.owner), owner: p.owner, scope: code.None, symbol: s.owner}
	p.this, p.path = h, join(h.path, p.name)
	if p.name == "" {
		p.path = h.path
	}
	return p
}

// assignTo gives what stands on the left of an assignment its value, from a
// place on: behind the value, in which the name still means what it did.
func (s *script) assignTo(left syntax.Node, value int32, at uint32) {
	switch left.Kind() {
	case "identifier":
		scope, _ := s.scopeOf(left.Text())
		b := code.Binding{Name: left.Text(), Kind: code.Assigned, Ref: code.None, Value: value, At: at}
		s.put(scope, b)
		s.again(b, scope)
	case "object_pattern", "array_pattern":
		s.pattern(left, source{value: value}, target{scope: code.None, at: at})
	case "member_expression", "subscript_expression":
		s.assignMember(left, value)
	default:
		s.expression(left)
	}
}

func (s *script) assignMember(left syntax.Node, value int32) {
	if name, ok := s.exportsName(left); ok {
		s.file.Exports = append(s.file.Exports, code.Export{Name: name, Expr: value, Line: left.Line()})
		return
	}
	object, key := left.Child("object"), left.Child("property").Text()
	if left.Is("subscript_expression") {
		index := left.Child("index")
		if key = plainKey(index); key == "" {
			s.expression(index)
		}
	}
	switch {
	case object.Is("this"):
		s.setField(left, key, value)
		s.setPlace(left, "self", key, value)
	case object.Is("identifier"):
		s.addKey(object, key, value)
		s.setPlace(left, object.Text(), key, value)
	default:
		s.expression(object)
		s.setWithin(object, key, value)
	}
}

// setPlace notes what the member of a variable or of `this` is set to, by the
// text of the place: only the resolver can tell whose member it is.
func (s *script) setPlace(at syntax.Node, root, name string, value int32) {
	if name == "" || name == "prototype" || !s.flows(value) {
		return
	}
	s.bind(code.Binding{Name: root + "." + name, Kind: code.Assigned, Ref: code.None, Value: value, Maybe: true, At: at.Start()})
}

// setWithin notes that what a member holds gets a member itself.
func (s *script) setWithin(object syntax.Node, key string, value int32) {
	root := "self"
	if of := object.Child("object"); of.Is("identifier") {
		root = of.Text()
	} else if !of.Is("this") {
		return
	}
	if object.Is("member_expression") && s.flows(value) {
		e := blank(code.DictExpr)
		e.Args, e.Keys = []int32{value}, []string{key}
		s.setPlace(object, root, object.Child("property").Text(), s.expr(object, e))
	}
}

// addKey notes that an object that has a name here gets a member: the name
// holds an object with it, besides what it held.
func (s *script) addKey(object syntax.Node, key string, value int32) {
	scope, as := s.scopeOf(object.Text())
	if as == asNothing || key == "prototype" || !s.flows(value) {
		return
	}
	e := blank(code.DictExpr)
	e.Args, e.Keys = []int32{value}, []string{key}
	s.put(scope, code.Binding{
		Name: object.Text(), Kind: code.Assigned, Ref: code.None, Value: s.expr(object, e), At: object.Start(), Maybe: true,
	})
}

// flows says that a value may be something that is called later on.
func (s *script) flows(value int32) bool {
	return s.known(value) && s.file.Exprs[value].Kind != code.ConstExpr
}

// element reduces a JSX element: a component is called with its attributes, an
// element of the page only holds what is within.
func (s *script) element(n syntax.Node) int32 {
	open := n
	if o := n.Child("open_tag"); o.OK() {
		open = o
	}
	name := open.Child("name")
	text := name.Text()
	component := name.Is("member_expression", "nested_identifier") || text != "" && (text[0] < 'a' || text[0] > 'z') && name.Is("identifier")
	callee := code.None
	if component {
		callee = s.expression(name)
	}
	props := blank(code.DictExpr)
	for c := range open.Children {
		switch c.Kind() {
		case "jsx_attribute":
			s.attribute(c, &props)
		case "jsx_expression":
			props.Args, props.Keys = append(props.Args, s.expression(c)), append(props.Keys, "")
		}
	}
	children := blank(code.ListExpr)
	for c := range n.Children {
		if open != n && c.Is("jsx_expression", "jsx_element", "jsx_self_closing_element", "ERROR") {
			if v := s.expression(c); v != code.None {
				children.Args = append(children.Args, v)
			}
		}
	}
	if !component {
		return s.other(n)
	}
	if len(children.Args) > 0 {
		props.Args, props.Keys = append(props.Args, s.expr(n, children)), append(props.Keys, "children")
	}
	_, last, receiver := s.callee(name)
	return s.call(n, code.Ctor, callee, last, receiver, []int32{s.expr(n, props)}, nil)
}

// attribute adds an attribute of a JSX element to what it is called with.
func (s *script) attribute(n syntax.Node, props *code.Expr) {
	var key string
	value := code.None
	for c := range n.Children {
		switch {
		case c.Is("property_identifier", "jsx_namespace_name"):
			key = c.Text()
		case c.Named() && !c.Is("comment"):
			value = s.expression(c)
		}
	}
	if value != code.None {
		props.Args, props.Keys = append(props.Args, value), append(props.Keys, key)
	}
}
