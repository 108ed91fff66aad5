package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// effects walks an expression for the calls in it only.
func (w *javaWalk) effects(n syntax.Node) {
	switch n.Kind() {
	case "", "identifier", "this", "super", "type_identifier", "generic_type", "scoped_type_identifier", "integral_type", "array_type",
		"type_arguments", "decimal_integer_literal", "null_literal", "true", "false", "character_literal", "line_comment", "block_comment":
	case "field_access":
		w.effects(n.Child("object"))
	case "parenthesized_expression", "binary_expression", "unary_expression", "update_expression", "array_access", "cast_expression",
		"ternary_expression", "string_literal", "string_interpolation":
		for c := range n.Children {
			if c.Named() {
				w.effects(c)
			}
		}
	default:
		w.value(n)
	}
}

// value reads an expression and gives its reduced form.
func (w *javaWalk) value(n syntax.Node) int32 {
	switch n.Kind() {
	case "":
		return code.None
	case "identifier", "type_identifier":
		return w.named(n)
	case "this":
		return w.expr(n, blank(code.SelfExpr))
	case "super":
		return w.expr(n, blank(code.SuperExpr))
	case "field_access":
		return w.fieldAccess(n)
	case "method_invocation":
		return w.invocation(n)
	case "object_creation_expression":
		return w.creation(n)
	case "lambda_expression":
		return w.lambdaExpression(n)
	case "method_reference":
		return w.methodReference(n)
	case "assignment_expression":
		return w.assignment(n)
	case "parenthesized_expression":
		return w.inner(n)
	case "switch_expression":
		return w.switching(n)
	}
	return w.operation(n)
}

// operation reads the forms that are made of others.
func (w *javaWalk) operation(n syntax.Node) int32 {
	switch n.Kind() {
	case "ternary_expression":
		w.effects(n.Child("condition"))
		return w.either(n, []int32{w.value(n.Child("consequence")), w.value(n.Child("alternative"))})
	case "cast_expression":
		return w.typed(n, squash(n.Child("type").Text()), w.value(n.Child("value")))
	case "array_access":
		return w.index(n)
	case "array_creation_expression":
		return w.array(n)
	case "array_initializer", "element_value_array_initializer":
		return w.many(n, code.ListExpr, w.args(n), nil)
	case "binary_expression":
		return w.binary(n)
	case "unary_expression":
		w.effects(n.Child("operand"))
		if n.Child("operator").Is("!") {
			return w.constant(n, "boolean")
		}
		return w.other(n)
	case "instanceof_expression":
		return w.instanceOf(n)
	case "class_literal":
		if t := n.NamedChildren(); len(t) == 1 {
			return w.typed(n, "Class<"+squash(t[0].Text())+">", code.None)
		}
		return w.constant(n, "Class")
	case "template_expression":
		w.effects(n.Child("template_argument"))
		return w.constant(n, "String")
	}
	if name := javaLiteral(n); name != "" {
		return w.literal(n, name)
	}
	w.children(n)
	return w.other(n)
}

// inner is the value of what stands in parentheses.
func (w *javaWalk) inner(n syntax.Node) int32 {
	value := code.None
	for c := range n.Children {
		if c.Named() && !c.Is("line_comment", "block_comment") {
			value = w.value(c)
		}
	}
	if value == code.None {
		return w.other(n)
	}
	return value
}

func javaLiteral(n syntax.Node) string {
	switch n.Kind() {
	case "string_literal":
		return "String"
	case "true", "false":
		return "boolean"
	case "null_literal":
		return "null"
	case "character_literal":
		return "char"
	case "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal":
		if text := n.Bytes(); len(text) > 0 && text[len(text)-1]|0x20 == 'l' {
			return "long"
		}
		return "int"
	case "decimal_floating_point_literal", "hex_floating_point_literal":
		if text := n.Bytes(); len(text) > 0 && text[len(text)-1]|0x20 == 'f' {
			return "float"
		}
		return "double"
	}
	return ""
}

func (w *javaWalk) literal(n syntax.Node, name string) int32 {
	e := blank(code.ConstExpr)
	e.Name = name
	if name == "String" {
		e.Text = strings.Trim(n.Text(), "\"")
		w.children(n) // a template's calls
	}
	return w.expr(n, e)
}

func (w *javaWalk) fieldAccess(n syntax.Node) int32 {
	object, field := n.Child("object"), n.Child("field")
	if field.Is("this") || n.Has("super") && !object.Is("super") { // Outer.this
		return w.typed(n, withoutGenerics(object.Text()), code.None)
	}
	return w.member(n, w.value(object), field.Text())
}

// invocation reads f(), x.f(), super.f() and Base.super.f().
func (w *javaWalk) invocation(n syntax.Node) int32 {
	object, nameNode := n.Child("object"), n.Child("name")
	name := nameNode.Text()
	kind, callee := code.MemberCall, code.None
	switch {
	case !object.OK():
		kind, callee = code.PlainCall, w.name(nameNode, name)
	case !object.Is("super") && n.Has("super"):
		kind, callee = code.Qualified, w.member(nameNode, w.path(object, withoutGenerics(object.Text())), name)
	default:
		if w.namesType(object) {
			kind = code.Qualified
		}
		callee = w.member(nameNode, w.value(object), name)
	}
	made := w.call(n, kind, callee, name, object, w.args(n.Child("arguments")), nil)
	w.file.Exprs[made].Text = typeArguments(n.Child("type_arguments"))
	return made
}

// namesType says that an expression is written as a type is, and is no local.
func (w *javaWalk) namesType(n syntax.Node) bool {
	switch n.Kind() {
	case "identifier":
		name := n.Text()
		return looksLikeType(name) && !w.isLocal(name)
	case "field_access":
		return n.Child("object").Is("identifier", "field_access") && looksLikeType(n.Child("field").Text())
	}
	return false
}

func (w *javaWalk) args(n syntax.Node) []int32 {
	var out []int32
	for c := range n.Children {
		if c.Named() && !c.Is("line_comment", "block_comment") {
			out = append(out, w.value(c))
		}
	}
	return out
}

func (w *javaWalk) creation(n syntax.Node) int32 {
	t, body := n.Child("type"), n.First("class_body")
	var outer syntax.Node
	for c := range n.Children {
		if c.Is("new") {
			break
		}
		if c.Named() && !outer.OK() {
			outer = c
		}
	}
	around := code.None
	if outer.OK() {
		around = w.value(outer)
	}
	name, args := javaTypeName(t), w.args(n.Child("arguments"))
	if body.OK() {
		return w.anonymousClass(n, body, name, args)
	}
	class := code.None
	if around > 0 && !strings.Contains(name, ".") { // x.new Inner()
		class = w.member(t, around, name)
	} else {
		class = w.path(t, name)
	}
	made := w.call(n, code.New, class, name[strings.LastIndexByte(name, '.')+1:], outer, args, nil)
	w.generic(made, t.Text())
	return made
}

func (w *javaWalk) lambdaExpression(n syntax.Node) int32 {
	symbol := w.lambda(n, code.Symbol{Value: code.None})
	w.within(symbol, code.FunctionScope, func() {
		params, at := []code.Param(nil), n.Child("parameters")
		if at.Is("identifier") {
			params = []code.Param{{Name: at.Text(), Default: code.None}}
		} else {
			params = w.parameters(at)
		}
		w.takes(symbol, at, params)
		if body := n.Child("body"); body.Is("block") {
			w.children(body)
		} else {
			w.returns(w.value(body))
		}
	})
	return w.funcExpr(n, symbol)
}

// methodReference marks a member that is named as a method, not as a field.
const methodReference = "::"

// methodReference is a member as a value; Foo::new has the name "new".
func (w *javaWalk) methodReference(n syntax.Node) int32 {
	x, name := code.None, ""
	for c := range n.Children {
		switch {
		case x == code.None && c.Is("type_identifier", "generic_type", "scoped_type_identifier"):
			x = w.path(c, javaTypeName(c))
		case x == code.None && c.Named():
			x = w.value(c)
		case c.Is("identifier", "new"):
			name = c.Text()
		}
	}
	if x == code.None || name == "" {
		return w.other(n)
	}
	e := blank(code.MemberExpr)
	e.X, e.Name, e.Text = x, name, methodReference // fields and methods may share a name
	return w.expr(n, e)
}

func (w *javaWalk) assignment(n syntax.Node) int32 {
	left, value := n.Child("left"), w.value(n.Child("right"))
	plain := n.Child("operator").Is("=")
	switch {
	case plain && left.Is("identifier"):
		w.set(n, left.Text(), value, false)
	case plain && left.Is("field_access") && left.Child("object").Is("this"):
		w.setField(left.Child("field").Text(), value, true)
	case plain && left.Is("field_access"):
		w.effects(left)
		w.setMember(left, value)
	default:
		w.effects(left)
	}
	return w.wrap(n, code.AssignExpr, value)
}

func (w *javaWalk) index(n syntax.Node) int32 {
	e := blank(code.IndexExpr)
	e.X = w.value(n.Child("array"))
	if key := n.Child("index"); key.Is("decimal_integer_literal") {
		e.Name = key.Text()
	} else {
		e.Args = []int32{w.value(key)}
	}
	return w.expr(n, e)
}

func (w *javaWalk) array(n syntax.Node) int32 {
	for c := range n.Children {
		if c.Is("dimensions_expr") {
			w.children(c)
		}
	}
	typ := squash(n.Child("type").Text()) + "[]"
	if value := n.Child("value"); value.OK() {
		e := blank(code.ListExpr)
		e.Name, e.Args = typ, w.args(value)
		return w.expr(n, e)
	}
	return w.typed(n, typ, code.None)
}

func (w *javaWalk) binary(n syntax.Node) int32 {
	left, right := n.Child("left"), n.Child("right")
	w.effects(left)
	w.effects(right)
	switch n.Child("operator").Kind() {
	case "+":
		if left.Is("string_literal") || right.Is("string_literal") || endsInText(left) {
			return w.constant(n, "String")
		}
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
		return w.constant(n, "boolean")
	}
	return w.other(n)
}

// endsInText says that a sum has text in it: a + "b" + c is text.
func endsInText(n syntax.Node) bool {
	for n.Is("binary_expression") && n.Child("operator").Is("+") {
		if n.Child("right").Is("string_literal") || n.Child("left").Is("string_literal") {
			return true
		}
		n = n.Child("left")
	}
	return false
}

func (w *javaWalk) instanceOf(n syntax.Node) int32 {
	left := w.value(n.Child("left"))
	if name := n.Child("name"); name.OK() {
		w.declare(name, code.Binding{Name: name.Text(), Type: javaTypeText(n.Child("right"), syntax.Node{}), Value: left})
	}
	if pattern := n.Child("pattern"); pattern.OK() {
		w.pattern(pattern, left)
	}
	return w.constant(n, "boolean")
}
