package extract

import (
	"slices"
	"strconv"
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// goBasic are the types that every file knows: calling one converts.
var goBasic = map[string]bool{
	"any": true, "bool": true, "byte": true, "comparable": true, "complex128": true, "complex64": true,
	"error": true, "float32": true, "float64": true, "int": true, "int16": true, "int32": true, "int64": true,
	"int8": true, "rune": true, "string": true, "uint": true, "uint16": true, "uint32": true, "uint64": true,
	"uint8": true, "uintptr": true,
}

// goLiterals are the types of literals.
var goLiterals = map[string]string{
	"int_literal": "int", "float_literal": "float64", "imaginary_literal": "complex128", "rune_literal": "rune",
	"true": "bool", "false": "bool", "iota": "int", "nil": "nil",
}

// list reduces a list of expressions, or one.
func (g *goWalk) list(n syntax.Node) []int32 {
	if !n.OK() {
		return nil
	}
	if !n.Is("expression_list", "argument_list") {
		return []int32{g.value(n)}
	}
	var out []int32
	for c := range n.Children {
		if c.Named() && !c.Is("comment") {
			out = append(out, g.value(c))
		}
	}
	return out
}

// value reduces an expression.
func (g *goWalk) value(n syntax.Node) int32 {
	switch n.Kind() {
	case "identifier", "field_identifier", "package_identifier":
		return g.name(n, n.Text())
	case "selector_expression":
		return g.member(n, g.value(n.Child("operand")), n.Child("field").Text())
	case "call_expression":
		return g.callExpr(n)
	case "type_conversion_expression":
		return g.conversion(n)
	case "func_literal":
		return g.closure(n)
	case "composite_literal":
		return g.composite(n.Child("type"), n.Child("body"))
	case "parenthesized_expression", "slice_expression":
		return g.first(n, code.DerefExpr)
	case "variadic_argument":
		return g.first(n, code.SpreadExpr)
	case "unary_expression":
		return g.unary(n)
	case "index_expression":
		return g.index(n, g.value(n.Child("operand")), n.Child("index"))
	case "type_assertion_expression":
		e := blank(code.TypedExpr)
		e.X, e.Name = g.value(n.Child("operand")), squash(n.Child("type").Text())
		return g.expr(n, e)
	case "interpreted_string_literal", "raw_string_literal":
		e := blank(code.ConstExpr)
		e.Name, e.Text = "string", goString(n)
		return g.expr(n, e)
	case "type_instantiation_expression", "generic_type":
		return g.instance(n)
	case "type_identifier", "qualified_type", "pointer_type", "slice_type", "map_type", "array_type", "channel_type",
		"function_type", "struct_type", "interface_type", "implicit_length_array_type", "parenthesized_type":
		return g.typed(n, squash(n.Text()))
	}
	if name, ok := goLiterals[n.Kind()]; ok {
		e := blank(code.ConstExpr)
		e.Name = name
		return g.expr(n, e)
	}
	g.children(n)
	return g.other(n)
}

// first reduces the first operand of n, wraps it, and walks the others.
func (g *goWalk) first(n syntax.Node, kind code.ExprKind) int32 {
	x := code.None
	for c := range n.Children {
		switch {
		case !c.Named() || c.Is("comment"):
		case x == code.None:
			x = g.value(c)
		default:
			g.value(c)
		}
	}
	if x == code.None {
		return g.other(n)
	}
	return g.wrap(n, kind, x)
}

func (g *goWalk) typed(n syntax.Node, typ string) int32 {
	e := blank(code.TypedExpr)
	e.Name = typ
	return g.expr(n, e)
}

// goOperand is what parentheses or an operator stand around.
func goOperand(n syntax.Node) syntax.Node {
	if x := n.Child("operand"); x.OK() {
		return x
	}
	for c := range n.Children {
		if c.Named() && !c.Is("comment") {
			return c
		}
	}
	return syntax.Node{}
}

func (g *goWalk) unary(n syntax.Node) int32 {
	x := g.value(n.Child("operand"))
	switch n.Child("operator").Text() {
	case "&", "*":
		return g.wrap(n, code.DerefExpr, x)
	case "<-":
		return g.wrap(n, code.IndexExpr, x) // an element of the channel
	}
	return g.other(n)
}

// index reduces x[key], which is also an instance of a generic function.
func (g *goWalk) index(n syntax.Node, x int32, key syntax.Node) int32 {
	e := blank(code.IndexExpr)
	e.X, e.Name = x, goKey(key)
	if e.Name == "" && key.OK() {
		e.Args = []int32{g.value(key)}
	}
	return g.expr(n, e)
}

// goKey is a key that is written out.
func goKey(n syntax.Node) string {
	switch n.Kind() {
	case "interpreted_string_literal", "raw_string_literal":
		return goString(n)
	case "int_literal":
		return n.Text()
	}
	return ""
}

// goString is the value of a string literal.
func goString(n syntax.Node) string {
	text := n.Text()
	if s, err := strconv.Unquote(text); err == nil {
		return s
	}
	return strings.Trim(text, "\"`")
}

// instance reduces f[T], a generic function or type with arguments.
func (g *goWalk) instance(n syntax.Node) int32 {
	e := blank(code.IndexExpr)
	e.X = g.typeExpr(n.Child("type"))
	if args := n.Child("type_arguments"); args.OK() {
		e.Args = g.typeArgs(args)
	} else if args := g.typeArgs(n); len(args) > 1 {
		e.Args = args[1:] // the first is the function itself
	}
	return g.expr(n, e)
}

// typeArgs reduces type arguments. A name may be a variable as well: the grammar
// cannot tell fs[k](x) from f[T](x).
func (g *goWalk) typeArgs(n syntax.Node) []int32 {
	var out []int32
	for c := range n.Children {
		if c.Is("type_elem") {
			c = goOperand(c)
		}
		if c.Is("type_identifier", "qualified_type") {
			out = append(out, g.typeExpr(c))
		} else if c.Named() {
			out = append(out, g.typed(c, squash(c.Text())))
		}
	}
	return out
}

// typeExpr reduces the name of a type as if it stood in an expression.
func (g *goWalk) typeExpr(n syntax.Node) int32 {
	switch n.Kind() {
	case "type_identifier", "identifier":
		return g.name(n, n.Text())
	case "qualified_type":
		return g.member(n, g.name(n, n.Child("package").Text()), n.Child("name").Text())
	}
	return g.value(n)
}

func (g *goWalk) closure(n syntax.Node) int32 {
	i := g.lambda(n, code.Symbol{})
	g.body(i, n, func() {})
	e := blank(code.FuncExpr)
	e.Ref = i
	return g.expr(n, e)
}

// callExpr reduces a call. Conversions to a basic type are none; new and make
// give a value of their type, append a list.
func (g *goWalk) callExpr(n syntax.Node) int32 {
	function := n.Child("function")
	for function.Is("parenthesized_expression") && goOperand(function).Is("identifier", "selector_expression", "func_literal", "parenthesized_expression") {
		function = goOperand(function)
	}
	if name := function.Text(); function.Is("identifier") && !g.names.has(name) && !n.Child("type_arguments").OK() {
		if goBasic[name] {
			g.list(n.Child("arguments"))
			return g.typed(n, name)
		}
	}
	if call := g.newOf(n, function); call != code.None {
		return call
	}
	if typ := g.pointerType(function, n.Child("arguments")); typ != "" {
		g.list(n.Child("arguments"))
		return g.typed(n, typ)
	}
	callee := g.value(function)
	if args := n.Child("type_arguments"); args.OK() {
		e := blank(code.IndexExpr)
		e.X, e.Args = callee, g.typeArgs(args)
		callee = g.expr(n, e)
	}
	args := g.list(n.Child("arguments"))
	call := g.invoke(n, function, callee, args)
	return g.builtin(n, function, call, args)
}

// newOf reduces new(f(x)), which the grammar reads as a call of new(f) because
// it expects a type there. No type can be called that way.
func (g *goWalk) newOf(n, function syntax.Node) int32 {
	if !function.Is("call_expression") || function.Child("function").Text() != "new" || g.names.has("new") {
		return code.None
	}
	inner := goOperand(function.Child("arguments"))
	if !inner.Is("type_identifier", "qualified_type", "generic_type") {
		return code.None
	}
	callee := g.typeExpr(inner)
	call := g.invoke(n, inner, callee, g.list(n.Child("arguments")))
	return g.wrap(n, code.DerefExpr, call)
}

// pointerType is the type in (*T)(x), which reads like a call through a pointer
// and is one only when the name is a variable of the function.
func (g *goWalk) pointerType(function, args syntax.Node) string {
	star := goOperand(function)
	if !function.Is("parenthesized_expression") || star.Child("operator").Text() != "*" || len(args.NamedChildren()) != 1 {
		return ""
	}
	if name, root := goPath(star.Child("operand")); name != "" && !g.names.has(root) {
		return "*" + name
	}
	return ""
}

// invoke adds the call of a function that is written as that node.
func (g *goWalk) invoke(n, function syntax.Node, callee int32, args []int32) int32 {
	base := function
	switch base.Kind() {
	case "index_expression":
		// An element of a variable; of a name from elsewhere more likely a
		// generic function with a type.
		base = base.Child("operand")
		if !function.Child("index").Is("identifier", "selector_expression") || g.names.has(base.Text()) {
			base = syntax.Node{}
		}
	case "generic_type":
		if base = base.Child("type"); g.names.has(base.Text()) {
			base = syntax.Node{}
		}
	}
	switch base.Kind() {
	case "identifier", "type_identifier":
		return g.call(n, code.PlainCall, callee, base.Text(), syntax.Node{}, args, nil)
	case "selector_expression":
		operand := base.Child("operand")
		kind := code.MemberCall
		if text := operand.Text(); operand.Is("identifier") && g.packages[text] && !g.names.has(text) {
			kind = code.Qualified
		}
		return g.call(n, kind, callee, base.Child("field").Text(), operand, args, nil)
	case "qualified_type":
		pkg := base.Child("package")
		kind := code.MemberCall
		if g.packages[pkg.Text()] && !g.names.has(pkg.Text()) {
			kind = code.Qualified
		}
		return g.call(n, kind, callee, base.Child("name").Text(), pkg, args, nil)
	case "func_literal":
		return g.call(n, code.LambdaCall, callee, "", syntax.Node{}, args, nil)
	}
	return g.call(n, code.Indirect, callee, "", syntax.Node{}, args, nil)
}

// builtin is what a call of one of the language's own functions gives; the call
// itself where it is none.
func (g *goWalk) builtin(n, function syntax.Node, call int32, args []int32) int32 {
	name := function.Text()
	if !function.Is("identifier") || g.names.has(name) || len(args) == 0 {
		return call
	}
	switch name {
	case "new", "make":
		if e := g.file.Exprs[args[0]]; e.Kind == code.TypedExpr {
			if name == "new" {
				return g.typed(n, "*"+e.Name)
			}
			return g.typed(n, e.Name)
		}
	case "append":
		list := append([]int32{g.wrap(n, code.SpreadExpr, args[0])}, args[1:]...)
		return g.many(n, code.ListExpr, list)
	}
	return call
}

// conversion reduces T(x). Of a name with arguments in brackets it is a call in
// all likelihood: f[T](x), or of an element, fs[k](x).
func (g *goWalk) conversion(n syntax.Node) int32 {
	typ := n.Child("type")
	if typ.Is("generic_type") {
		callee := g.instance(typ)
		return g.invoke(n, typ, callee, []int32{g.value(n.Child("operand"))})
	}
	e := blank(code.TypedExpr)
	e.X, e.Name = g.value(n.Child("operand")), squash(typ.Text())
	return g.expr(n, e)
}

// composite reduces T{…}: a list or dictionary whose Name is the type's text, or
// a value of the type with its fields.
func (g *goWalk) composite(typ, body syntax.Node) int32 {
	return g.literal(body, typ, squash(typ.Text()))
}

// literal reduces the braces of a value of the type. Elements without a type of
// their own have the element type of what they stand in.
func (g *goWalk) literal(body, typ syntax.Node, text string) int32 {
	e := blank(code.TypedExpr)
	e.Name = text
	var element syntax.Node
	switch typ.Kind() {
	case "slice_type", "array_type", "implicit_length_array_type":
		e.Kind, element = code.ListExpr, typ.Child("element")
	case "map_type":
		e.Kind, element = code.DictExpr, typ.Child("value")
	case "struct_type":
		return g.record(body, typ, text)
	}
	keyed := false
	for c := range body.Children {
		if !c.Is("literal_element", "keyed_element") {
			if c.Named() && !c.Is("comment") {
				g.value(c)
			}
			continue
		}
		value, key := goOperand(c), ""
		if c.Is("keyed_element") {
			value = goOperand(c.Child("value"))
			key = g.literalKey(goOperand(c.Child("key")), e.Kind)
		}
		keyed = keyed || key != ""
		e.Keys = append(e.Keys, key)
		e.Args = append(e.Args, g.element(value, element))
	}
	if !keyed {
		e.Keys = nil
	}
	return g.expr(body, e)
}

// record reduces a value of a struct type that has no name: a dictionary of its
// fields.
func (g *goWalk) record(body, typ syntax.Node, text string) int32 {
	e := blank(code.DictExpr)
	e.Name = text
	var names []string
	var types []syntax.Node
	for c := range typ.First("field_declaration_list").Children {
		for name := range c.Children {
			if name.Field() == "name" && name.Named() {
				names, types = append(names, name.Text()), append(types, c.Child("type"))
			}
		}
	}
	for c := range body.Children {
		if !c.Is("literal_element", "keyed_element") {
			continue
		}
		place, value := len(e.Args), goOperand(c)
		if c.Is("keyed_element") {
			key := goOperand(c.Child("key")).Text()
			place, value = slices.Index(names, key), goOperand(c.Child("value"))
		}
		name, element := "", syntax.Node{}
		if place >= 0 && place < len(names) {
			name, element = names[place], types[place]
		}
		e.Keys, e.Args = append(e.Keys, name), append(e.Args, g.element(value, element))
	}
	return g.expr(body, e)
}

// literalKey is the name of a field or a written key; other keys are expressions.
func (g *goWalk) literalKey(n syntax.Node, kind code.ExprKind) string {
	if key := goKey(n); key != "" {
		return key
	}
	if n.Is("identifier") && kind == code.TypedExpr {
		return n.Text()
	}
	if n.Is("literal_value") {
		g.literal(n, syntax.Node{}, "")
	} else if n.OK() {
		g.value(n)
	}
	return ""
}

func (g *goWalk) element(n, typ syntax.Node) int32 {
	if n.Is("literal_value") {
		return g.literal(n, typ, squash(typ.Text()))
	}
	return g.value(n)
}
