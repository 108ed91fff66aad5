package extract

import (
	"bytes"
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// rustLiterals are the types of literals.
var rustLiterals = map[string]string{
	"integer_literal": "i32", "float_literal": "f64", "boolean_literal": "bool", "char_literal": "char", "unit_expression": "()",
}

// value reduces an expression.
func (r *rustWalk) value(n syntax.Node) int32 {
	switch n.Kind() {
	case "identifier":
		return r.name(n, n.Text())
	case "self":
		return r.expr(n, blank(code.SelfExpr))
	case "scoped_identifier", "generic_function", "crate", "super":
		return r.path(n)
	case "field_expression":
		return r.member(n, r.value(n.Child("value")), n.Child("field").Text())
	case "call_expression":
		return r.callExpr(n)
	case "macro_invocation":
		return r.macro(n)
	case "closure_expression":
		return r.closure(n)
	case "struct_expression":
		return r.structExpr(n)
	case "try_expression":
		x := r.only(n)
		if r.file.Exprs[x].Kind == code.CallExpr { // its error may be made another
			r.call(n, code.Indirect, x, "?", syntax.Node{}, nil, nil)
		}
		return r.wrap(n, code.DerefExpr, x)
	case "parenthesized_expression", "reference_expression":
		return r.wrap(n, code.DerefExpr, r.only(n))
	case "await_expression":
		return r.wrap(n, code.AwaitExpr, r.only(n))
	case "unary_expression":
		x := r.only(n)
		if bytes.HasPrefix(n.Bytes(), []byte("*")) {
			return r.wrap(n, code.DerefExpr, x)
		}
		return r.negated(n, n.Bytes()[:1], x)
	case "index_expression":
		return r.index(n)
	case "type_cast_expression":
		e := blank(code.TypedExpr)
		e.X, e.Name = r.value(n.Child("value")), squash(n.Child("type").Text())
		return r.expr(n, e)
	case "tuple_expression":
		return r.listOf(n, code.TupleExpr)
	case "array_expression":
		return r.listOf(n, code.ListExpr)
	case "string_literal", "raw_string_literal":
		e := blank(code.ConstExpr)
		e.Name, e.Text = "str", strings.Trim(n.Text(), `r#"`)
		return r.expr(n, e)
	}
	return r.control(n)
}

// control reduces what has blocks, and everything else.
func (r *rustWalk) control(n syntax.Node) int32 {
	switch n.Kind() {
	case "block":
		value := code.None
		r.block(func() { value = r.items(n) })
		return r.orOther(n, value)
	case "unsafe_block", "async_block", "const_block", "try_block", "gen_block":
		return r.orOther(n, r.items(n))
	case "if_expression":
		return r.ifExpr(n)
	case "match_expression":
		return r.matchExpr(n)
	case "while_expression", "loop_expression":
		r.block(func() { r.items(n) })
	case "for_expression":
		r.forExpr(n)
	case "let_condition":
		value := r.value(n.Child("value"))
		r.pattern(n.Child("pattern"), rustTarget{value: value, at: n.End()})
	case "return_expression":
		if x := rustOperand(n); x.OK() {
			r.returns(r.value(x))
		}
	case "assignment_expression":
		return r.assignment(n)
	case "binary_expression", "compound_assignment_expr":
		return r.binary(n)
	case "line_comment", "block_comment", "label", "lifetime", "metavariable":
	case "function_item", "struct_item", "enum_item", "impl_item", "trait_item", "mod_item", "use_declaration", "let_declaration",
		"expression_statement", "const_item", "static_item", "type_item", "macro_definition", "function_signature_item":
		return r.orOther(n, r.item(n, "", nil)) // stands in text with errors
	default:
		if name, ok := rustLiterals[n.Kind()]; ok {
			e := blank(code.ConstExpr)
			e.Name = name
			return r.expr(n, e)
		}
		r.items(n)
	}
	return r.other(n)
}

func (r *rustWalk) orOther(n syntax.Node, value int32) int32 {
	if value == code.None {
		return r.other(n)
	}
	return value
}

// only reduces the one operand of n.
func (r *rustWalk) only(n syntax.Node) int32 {
	if x := rustOperand(n); x.OK() {
		return r.value(x)
	}
	return r.other(n)
}

func (r *rustWalk) listOf(n syntax.Node, kind code.ExprKind) int32 {
	e := blank(kind)
	e.Args = r.args(n)
	return r.expr(n, e)
}

func (r *rustWalk) args(n syntax.Node) []int32 {
	var out []int32
	for c := range n.Children {
		if c.Named() && !c.Is("line_comment", "block_comment", "attribute_item") {
			out = append(out, r.value(c))
		}
	}
	return out
}

func (r *rustWalk) index(n syntax.Node) int32 {
	e := blank(code.IndexExpr)
	for c := range n.Children {
		switch {
		case !c.Named() || c.Is("line_comment", "block_comment"):
		case e.X == code.None:
			e.X = r.value(c)
		case c.Is("integer_literal"):
			e.Name = c.Text()
		case c.Is("string_literal"):
			e.Name = strings.Trim(c.Text(), `"`)
		default:
			e.Args = append(e.Args, r.value(c))
		}
	}
	if r.telling(e.X) {
		const method = "index"
		r.call(n, code.Indirect, r.member(n, e.X, method), method, syntax.Node{}, nil, nil)
	}
	return r.expr(n, e)
}

// path reduces a::b::c to members of members. Arguments in it are left out.
func (r *rustWalk) path(n syntax.Node) int32 {
	switch n.Kind() {
	case "scoped_identifier", "scoped_type_identifier":
		name := n.Child("name").Text()
		if p := n.Child("path"); p.OK() {
			return r.member(n, r.path(p), name)
		}
		return r.name(n, name)
	case "generic_function":
		f := n.Child("function")
		if f.Is("field_expression") {
			return r.value(f)
		}
		return r.path(f)
	case "generic_type", "generic_type_with_turbofish":
		return r.path(n.Child("type"))
	case "bracketed_type":
		inner := rustOperand(n)
		if inner.Is("qualified_type") {
			inner = inner.Child("type")
		}
		return r.typePath(inner)
	case "reference_type":
		return r.typePath(n)
	}
	return r.name(n, squash(n.Text()))
}

// typePath reduces a type's name as if it stood in an expression.
func (r *rustWalk) typePath(n syntax.Node) int32 {
	switch n.Kind() {
	case "reference_type", "pointer_type":
		return r.typePath(n.Child("type"))
	case "dynamic_type", "abstract_type":
		return r.typePath(n.Child("trait"))
	}
	return r.path(n)
}

// callExpr reduces a call. By the form of the text x.f() is a method, (x.f)() a
// field, a::f() a path; a name in capitals is a type or variant.
func (r *rustWalk) callExpr(n syntax.Node) int32 {
	function := n.Child("function")
	inner := function
	if inner.Is("generic_function") {
		inner = inner.Child("function")
	}
	for inner.Is("parenthesized_expression") && rustOperand(inner).Is("identifier", "scoped_identifier", "closure_expression", "parenthesized_expression") {
		inner = rustOperand(inner)
		function = inner
	}
	if name := inner.Text(); inner.Is("identifier") && (rustWrapper(name) || name == "Err") {
		if args := r.args(n.Child("arguments")); len(args) == 1 && name != "Err" {
			return r.wrap(n, code.DerefExpr, args[0])
		}
		return r.other(n)
	}
	callee := r.value(function)
	types := n.Child("function").Child("type_arguments")
	if types.OK() && inner.Is("identifier", "scoped_identifier") {
		callee = r.instance(n, callee, types)
	}
	call := r.callOf(n, inner, callee, r.args(n.Child("arguments")))
	if text := squash(rustOperand(types).Text()); types.OK() && inner.Is("field_expression") && !strings.Contains(text, "_") {
		e := blank(code.TypedExpr) // x.collect::<T>()
		e.X, e.Name = call, text
		if inner.Child("field").Text() == "parse" { // which T says how
			const name = "from_str"
			r.call(n, code.Indirect, r.member(n, r.path(rustOperand(types)), name), name, syntax.Node{}, nil, nil)
		}
		return r.expr(n, e)
	}
	return call
}

// instance is a generic function with its arguments, f::<T>.
func (r *rustWalk) instance(n syntax.Node, function int32, types syntax.Node) int32 {
	e := blank(code.IndexExpr)
	e.X = function
	for c := range types.Children {
		if c.Named() && !c.Is("lifetime", "line_comment", "block_comment") {
			t := blank(code.TypedExpr)
			t.Name = squash(c.Text())
			e.Args = append(e.Args, r.expr(c, t))
		}
	}
	return r.expr(n, e)
}

// callOf adds the call of what is written as that node.
func (r *rustWalk) callOf(n, inner syntax.Node, callee int32, args []int32) int32 {
	switch inner.Kind() {
	case "identifier":
		kind := code.PlainCall
		if rustUpper(inner.Text()) {
			kind = code.Ctor
		}
		return r.call(n, kind, callee, inner.Text(), syntax.Node{}, args, nil)
	case "scoped_identifier":
		kind, name := code.Qualified, inner.Child("name").Text()
		if rustUpper(name) {
			kind = code.Ctor
		}
		return r.call(n, kind, callee, name, inner.Child("path"), args, nil)
	case "field_expression":
		r.puts(n, inner, args)
		return r.call(n, code.MemberCall, callee, inner.Child("field").Text(), inner.Child("value"), args, nil)
	case "closure_expression":
		return r.call(n, code.LambdaCall, callee, "", syntax.Node{}, args, nil)
	}
	return r.call(n, code.Indirect, callee, "", syntax.Node{}, args, nil)
}

// rustOperators are the methods that operators call on types that have them.
var rustOperators = map[string]string{
	"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem", "|": "bitor", "&": "bitand", "^": "bitxor", "<<": "shl", ">>": "shr",
	"==": "eq", "!=": "eq", "<": "partial_cmp", ">": "partial_cmp", "<=": "partial_cmp", ">=": "partial_cmp",
	"+=": "add_assign", "-=": "sub_assign", "*=": "mul_assign", "/=": "div_assign", "%=": "rem_assign",
}

// binary reduces an operation. It is a call that the resolver drops where the
// left side is not of a type with such a method; a literal never is.
func (r *rustWalk) binary(n syntax.Node) int32 {
	operator := n.Child("operator").Text()
	left := r.value(n.Child("left"))
	right := r.value(n.Child("right"))
	method := rustOperators[operator]
	literal := r.file.Exprs[left].Kind == code.ConstExpr && r.telling(right) && len(operator) == 1
	if method == "" || !r.telling(left) && !literal {
		return r.other(n)
	}
	return r.call(n, code.Indirect, r.member(n, left, method), operator, syntax.Node{}, []int32{right}, nil)
}

// negated reduces -x and !x, which are calls as operations are.
func (r *rustWalk) negated(n syntax.Node, sign []byte, x int32) int32 {
	method := map[string]string{"-": "neg", "!": "not"}[string(sign)]
	if method == "" || !r.telling(x) {
		return r.other(n)
	}
	return r.call(n, code.Indirect, r.member(n, x, method), method, syntax.Node{}, nil, nil)
}

func (r *rustWalk) closure(n syntax.Node) int32 {
	i := r.lambda(n, code.Symbol{Returns: squash(n.Child("return_type").Text())})
	r.within(i, code.FunctionScope, func() {
		r.parameters(i, n.Child("parameters"))
		if body := n.Child("body"); body.Is("block") {
			r.returns(r.items(body))
		} else if body.OK() {
			r.returns(r.value(body))
		}
	})
	e := blank(code.FuncExpr)
	e.Ref = i
	return r.expr(n, e)
}

// structExpr reduces T { a: x, b }: a value of the type with its fields.
func (r *rustWalk) structExpr(n syntax.Node) int32 {
	e := blank(code.TypedExpr)
	e.Name = squash(n.Child("name").Text())
	for c := range n.Child("body").Children {
		switch c.Kind() {
		case "shorthand_field_initializer":
			name := rustOperand(c)
			e.Keys, e.Args = append(e.Keys, name.Text()), append(e.Args, r.value(name))
		case "field_initializer":
			e.Keys = append(e.Keys, c.Child("field").Text())
			if value := c.Child("value"); rustDefault(value) {
				e.Args = append(e.Args, r.defaulted(value, r.fieldOf(value, e.Name, c.Child("field").Text())))
			} else {
				e.Args = append(e.Args, r.value(value))
			}
		case "base_field_initializer", "ERROR":
			if base := rustOperand(c); rustDefault(base) {
				r.defaulted(base, r.typed(base, e.Name))
				continue
			}
			r.items(c)
		}
	}
	return r.expr(n, e)
}

func (r *rustWalk) either(n syntax.Node, values []int32) int32 {
	switch len(values) {
	case 0:
		return r.other(n)
	case 1:
		return values[0]
	}
	e := blank(code.EitherExpr)
	e.Args = values
	return r.expr(n, e)
}

func (r *rustWalk) ifExpr(n syntax.Node) int32 {
	var values []int32
	r.block(func() {
		for c := range n.Children {
			switch {
			case c.Field() == "consequence":
				values = append(values, r.value(c))
			case c.Is("else_clause"):
				values = append(values, r.only(c))
			case c.Named():
				r.value(c)
			}
		}
	})
	return r.either(n, r.known(values))
}

// known leaves out values that say nothing.
func (r *rustWalk) known(values []int32) []int32 {
	var out []int32
	for _, v := range values {
		if r.file.Exprs[v].Kind != code.OtherExpr {
			out = append(out, v)
		}
	}
	return out
}

func (r *rustWalk) matchExpr(n syntax.Node) int32 {
	var values []int32
	value := r.value(n.Child("value"))
	for arm := range n.Child("body").Children {
		if !arm.Is("match_arm") {
			if arm.Is("ERROR") {
				r.items(arm)
			}
			continue
		}
		r.block(func() {
			r.pattern(arm.Child("pattern"), rustTarget{value: value, at: arm.Start()})
			if v := arm.Child("value"); v.OK() {
				values = append(values, r.value(v))
			}
		})
	}
	return r.either(n, r.known(values))
}

func (r *rustWalk) forExpr(n syntax.Node) {
	over := r.value(n.Child("value"))
	if r.telling(over) {
		e := blank(code.EitherExpr)
		e.Args = []int32{r.member(n, over, "next"), r.member(n, over, "into_iter")}
		r.call(n, code.Indirect, r.expr(n, e), "for", syntax.Node{}, nil, nil)
	}
	r.block(func() {
		r.pattern(n.Child("pattern"), rustTarget{value: over, element: true, at: n.Child("body").Start()})
		r.items(n.Child("body"))
	})
}
