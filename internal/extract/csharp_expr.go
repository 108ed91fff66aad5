package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// effects walks an expression for the calls in it only.
func (w *sharpWalk) effects(n syntax.Node) {
	switch n.Kind() {
	case "", "identifier", "this", "base", "predefined_type", "integer_literal", "real_literal", "null_literal", "boolean_literal",
		"character_literal", "string_literal", "verbatim_string_literal", "raw_string_literal", "comment", "generic_name", "discard",
		"type_argument_list", "array_type", "nullable_type", "implicit_type", "qualified_name", "pointer_type":
	case "member_access_expression":
		w.effects(n.Child("expression"))
	case "parenthesized_expression", "element_access_expression",
		"bracketed_argument_list", "interpolated_string_expression", "interpolation", "conditional_expression",
		"as_expression", "is_expression", "checked_expression", "ref_expression", "argument", "throw_expression", "range_expression":
		for c := range n.Children {
			if c.Named() {
				w.effects(c)
			}
		}
	default:
		w.value(n)
	}
}

// valueAs reads an expression where the type of its value is told by what takes
// it: new(…) leaves its type out.
func (w *sharpWalk) valueAs(n syntax.Node, typ string) int32 {
	if n.Is("implicit_object_creation_expression") {
		return w.creation(n, strings.TrimRight(typ, "?"))
	}
	return w.value(n)
}

// value reads an expression and gives its reduced form.
func (w *sharpWalk) value(n syntax.Node) int32 {
	switch n.Kind() {
	case "":
		return code.None
	case "identifier", "predefined_type":
		return w.named(n)
	case "generic_name":
		return w.name(n, sharpTypeName(n))
	case "qualified_name", "alias_qualified_name":
		return w.path(n, sharpTypeName(n))
	case "this":
		return w.expr(n, blank(code.SelfExpr))
	case "base":
		return w.expr(n, blank(code.SuperExpr))
	case "member_access_expression":
		return w.member(n, w.value(n.Child("expression")), sharpTypeName(n.Child("name")))
	case "conditional_access_expression":
		return w.conditionalAccess(n)
	case "element_access_expression":
		return w.index(n, w.value(n.Child("expression")), n.Child("subscript"))
	case "invocation_expression":
		return w.invocation(n)
	case "object_creation_expression":
		return w.creation(n, sharpTypeText(n.Child("type")))
	case "implicit_object_creation_expression":
		return w.creation(n, "")
	case "lambda_expression", "anonymous_method_expression":
		return w.lambdaExpression(n)
	case "assignment_expression":
		return w.assignment(n)
	case "await_expression":
		return w.wrap(n, code.AwaitExpr, w.inner(n))
	case "parenthesized_expression", "checked_expression", "ref_expression", "expression_element":
		return w.inner(n)
	case "postfix_unary_expression":
		return w.postfix(n)
	}
	return w.operation(n)
}

// operation reads the forms that are made of others.
func (w *sharpWalk) operation(n syntax.Node) int32 {
	switch n.Kind() {
	case "conditional_expression":
		w.effects(n.Child("condition"))
		return w.either(n, []int32{w.value(n.Child("consequence")), w.value(n.Child("alternative"))})
	case "cast_expression":
		return w.cast(n)
	case "as_expression":
		return w.typed(n, sharpTypeText(n.Child("right")), w.value(n.Child("left")))
	case "default_expression":
		if t := n.Child("type"); t.OK() {
			return w.typed(n, sharpTypeText(t), code.None)
		}
	case "binary_expression":
		return w.binary(n)
	case "prefix_unary_expression":
		return w.prefix(n)
	case "is_pattern_expression":
		w.pattern(n.Child("pattern"), w.value(n.Child("expression")))
		return w.constant(n, "bool")
	case "is_expression":
		w.effects(n.Child("left"))
		return w.constant(n, "bool")
	case "declaration_expression":
		w.declare(n, code.Binding{Name: n.Child("name").Text(), Type: sharpTypeText(n.Child("type")), Value: code.None})
		return w.name(n, n.Child("name").Text())
	case "switch_expression":
		return w.switching(n)
	case "query_expression":
		return w.query(n)
	case "with_expression":
		return w.with(n)
	case "typeof_expression":
		return w.constant(n, "Type")
	}
	return w.collection(n)
}

func sharpLiteral(n syntax.Node) string {
	switch n.Kind() {
	case "string_literal", "verbatim_string_literal", "raw_string_literal":
		return "string"
	case "boolean_literal":
		return "bool"
	case "null_literal":
		return "null"
	case "character_literal":
		return "char"
	case "integer_literal":
		if text := n.Bytes(); len(text) > 0 && text[len(text)-1]|0x20 == 'l' {
			return "long"
		}
		return "int"
	case "real_literal":
		switch text := n.Bytes(); text[len(text)-1] | 0x20 {
		case 'f':
			return "float"
		case 'm':
			return "decimal"
		}
		return "double"
	}
	return ""
}

// inner is the value of the one expression below.
func (w *sharpWalk) inner(n syntax.Node) int32 {
	value := code.None
	for c := range n.Children {
		if sharpOperand(c) {
			value = w.value(c)
		}
	}
	if value == code.None {
		return w.other(n)
	}
	return value
}

// conditionalAccess reads x?.f and x?[i].
func (w *sharpWalk) conditionalAccess(n syntax.Node) int32 {
	x := w.value(n.Child("condition"))
	if part := n.First("element_binding_expression"); part.OK() {
		return w.index(n, x, part)
	}
	if part := n.First("member_binding_expression"); part.OK() {
		return w.member(n, x, sharpTypeName(part.Child("name")))
	}
	w.children(n)
	return w.other(n)
}

func (w *sharpWalk) index(n syntax.Node, x int32, subscript syntax.Node) int32 {
	e := blank(code.IndexExpr)
	e.X = x
	args := subscript.NamedChildren()
	if len(args) == 1 {
		switch key := args[0].First("integer_literal", "string_literal"); {
		case key.OK():
			e.Name = strings.Trim(key.Text(), "\"")
			return w.expr(n, e)
		}
	}
	e.Args, e.Keys = w.args(subscript)
	return w.expr(n, e)
}

// invocation reads a call of any form.
func (w *sharpWalk) invocation(n syntax.Node) int32 {
	f := n.Child("function")
	kind, name := code.Indirect, ""
	var receiver syntax.Node
	switch f.Kind() {
	case "is_pattern_expression": // x is T(var a, var b), which the grammar takes for a call
		whole := w.typed(n, sharpTypeText(f.Child("pattern")), w.value(f.Child("expression")))
		w.apart(n.Child("arguments"), whole, false)
		return w.constant(n, "bool")
	case "identifier", "generic_name":
		kind, name = code.PlainCall, sharpTypeName(f)
		if name == "nameof" {
			return w.constant(n, "string")
		}
	case "member_access_expression":
		kind, name, receiver = code.MemberCall, sharpTypeName(f.Child("name")), f.Child("expression")
		if receiver.Is("predefined_type", "alias_qualified_name", "qualified_name") {
			kind = code.Qualified
		}
	case "conditional_access_expression":
		if part := f.First("member_binding_expression"); part.OK() {
			kind, name, receiver = code.MemberCall, sharpTypeName(part.Child("name")), f.Child("condition")
		}
	case "alias_qualified_name", "qualified_name":
		kind, name = code.Qualified, sharpTypeName(f)
	}
	callee := w.value(f)
	if kind == code.Indirect && callee != code.None && w.file.Exprs[callee].Kind == code.FuncExpr {
		kind = code.LambdaCall
	}
	if callee == code.None {
		callee = w.other(n)
	}
	values, keys := w.args(n.Child("arguments"))
	if sharpTries[name] && w.file.Exprs[callee].Kind == code.MemberExpr {
		w.tried(n.Child("arguments"), w.file.Exprs[callee].X)
	}
	made := w.call(n, kind, callee, name, receiver, values, keys)
	w.file.Exprs[made].Text = sharpTypeArgs(f)
	return made
}

// sharpTypeArgs are the type arguments that a call writes out, as text.
func sharpTypeArgs(f syntax.Node) string {
	switch f.Kind() {
	case "member_access_expression", "member_binding_expression":
		return sharpTypeArgs(f.Child("name"))
	case "conditional_access_expression":
		return sharpTypeArgs(f.First("member_binding_expression"))
	case "generic_name":
		return typeArguments(f.First("type_argument_list"))
	}
	return ""
}

// sharpTries are methods of collections that give an element through their last
// argument.
var sharpTries = map[string]bool{"TryGetValue": true, "TryDequeue": true, "TryPop": true, "TryPeek": true, "TryTake": true}

// tried binds what is declared as the last argument to the elements of a
// collection.
func (w *sharpWalk) tried(args syntax.Node, from int32) {
	for c := range args.Children {
		d := c.First("declaration_expression")
		name := d.Child("name").Text()
		if name != "" && d.Child("type").Is("implicit_type") {
			w.declare(d, code.Binding{Name: name, Value: from, Element: true})
		}
	}
}

// args reads arguments with their names, nil where none has one.
func (w *sharpWalk) args(n syntax.Node) (values []int32, keys []string) {
	named := false
	for c := range n.Children {
		if !sharpOperand(c) {
			continue
		}
		key, value := "", c
		if c.Is("argument") {
			key = c.Child("name").Text()
			value = syntax.Node{}
			for v := range c.Children {
				if sharpOperand(v) && v.Field() != "name" {
					value = v
				}
			}
		}
		if !value.OK() {
			continue
		}
		named = named || key != ""
		values, keys = append(values, w.value(value)), append(keys, key)
	}
	if !named {
		keys = nil
	}
	return values, keys
}

// sharpText is the first string below, as the key of an entry.
func sharpText(n syntax.Node) string {
	for c := range n.Children {
		switch {
		case c.Is("string_literal"):
			return strings.Trim(c.Text(), "\"")
		case c.Is("bracketed_argument_list", "argument"):
			return sharpText(c)
		case c.Named():
			return ""
		}
	}
	return ""
}

func (w *sharpWalk) lambdaExpression(n syntax.Node) int32 {
	s := code.Symbol{Value: code.None, Returns: sharpTypeText(n.Child("type"))}
	body := n.Child("body")
	if !body.OK() {
		body = n.First("block")
	}
	if body.OK() {
		s.Signature = w.between(n.Start(), body.Start())
	}
	symbol := w.lambda(n, s)
	w.within(symbol, code.FunctionScope, func() {
		at := n.Child("parameters")
		params := w.parameters(at)
		if at.Is("implicit_parameter") {
			params = []code.Param{{Name: at.Text(), Default: code.None}}
		}
		w.takes(symbol, n, params)
		w.body(body, s.Returns)
	})
	return w.funcExpr(n, symbol)
}

// assignment reads =, ??= and, where it adds a function to an event or delegate,
// +=.
func (w *sharpWalk) assignment(n syntax.Node) int32 {
	left, right := n.Child("left"), n.Child("right")
	typ := ""
	if c := w.class(); c != nil {
		name := left.Text()
		if left.Is("member_access_expression") {
			name = left.Child("name").Text()
		}
		if symbol, ok := c.fields[name]; ok {
			typ = w.file.Symbols[symbol].Type
		}
	}
	value := w.valueAs(right, typ)
	sets := n.Child("operator").Is("=", "??=") || n.Child("operator").Is("+=") && right.Is("identifier", "member_access_expression", "lambda_expression", "anonymous_method_expression")
	if plain := left.Is("identifier") || left.Child("expression").Is("this", "identifier"); sets && plain && n.Child("operator").Is("+=") && !right.Is("lambda_expression", "anonymous_method_expression") {
		w.operated(n, "+", w.value(left), value)
	}
	switch {
	case sets && left.Is("identifier"):
		w.set(n, left.Text(), value, n.Child("operator").Is("+="))
	case sets && left.Is("member_access_expression") && left.Child("expression").Is("this"):
		w.setField(left.Child("name").Text(), value, true)
	case sets && left.Is("member_access_expression"):
		w.effects(left)
		w.setMember(left, value)
	case left.Is("tuple_expression"):
		w.apart(left, value, false)
		w.takenApart(left, value)
	case !sets && left.Is("identifier", "member_access_expression"):
		w.operated(n, strings.TrimSuffix(n.Child("operator").Kind(), "="), w.value(left), value)
	default:
		w.effects(left)
		w.setItem(n, left, value)
	}
	return w.wrap(n, code.AssignExpr, value)
}

// setItem notes that x[key] = v puts v into x, where v may be a function.
func (w *sharpWalk) setItem(n, left syntax.Node, value int32) {
	x := left.Child("expression")
	if !left.Is("element_access_expression") || !n.Child("operator").Is("=", "??=", "+=") || !w.mayBeFunction(value) {
		return
	}
	list := w.many(n, code.ListExpr, []int32{value}, nil)
	switch {
	case x.Is("identifier"):
		w.set(n, x.Text(), list, true)
	case x.Is("member_access_expression") && x.Child("expression").Is("this"):
		w.setField(x.Child("name").Text(), list, true)
	}
}

// mayBeFunction says that an expression can be a function by its form.
func (w *sharpWalk) mayBeFunction(value int32) bool {
	if value <= 0 {
		return false
	}
	switch e := &w.file.Exprs[value]; e.Kind {
	case code.FuncExpr, code.NameExpr, code.MemberExpr:
		return true
	case code.AssignExpr, code.DerefExpr:
		return w.mayBeFunction(e.X)
	}
	return false
}
