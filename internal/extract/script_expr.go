package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// expression reduces an expression, and walks what is no expression at all.
func (s *script) expression(n syntax.Node) int32 {
	switch n.Kind() {
	case "":
		return code.None
	case "identifier", "shorthand_property_identifier", "type_identifier", "jsx_identifier":
		return s.name(n, n.Text())
	case "this":
		return s.expr(n, blank(code.SelfExpr))
	case "super":
		return s.expr(n, blank(code.SuperExpr))
	case "string":
		return s.constant(n, "string", stringText(n))
	case "template_string":
		return s.template(n)
	case "number":
		return s.constant(n, "number", n.Text())
	case "true", "false", "null", "undefined", "regex":
		return s.constant(n, constants[n.Kind()], "")
	case "member_expression":
		return s.member(n, s.expression(n.Child("object")), n.Child("property").Text())
	case "subscript_expression":
		return s.subscript(n)
	case "call_expression":
		return s.callExpression(n)
	case "new_expression":
		return s.newTyped(n)
	case "function_expression", "generator_function", "arrow_function", "class", "object":
		return s.valueAt(n, place{})
	case "array":
		return s.several(n, code.ListExpr)
	case "assignment_expression":
		return s.assignment(n, nil)
	case "augmented_assignment_expression":
		return s.augmented(n)
	case "update_expression":
		s.expression(n.Child("argument"))
		return s.counted(n, n.Child("argument"))
	case "parenthesized_expression", "non_null_expression", "satisfies_expression", "instantiation_expression", "jsx_expression":
		return s.expression(firstNamed(n))
	case "as_expression", "type_assertion":
		return s.cast(n)
	case "await_expression":
		return s.wrap(n, code.AwaitExpr, s.expression(firstNamed(n)))
	case "spread_element":
		return s.wrap(n, code.SpreadExpr, s.expression(firstNamed(n)))
	case "ternary_expression":
		cond, yes := n.Child("condition"), code.None
		s.expression(cond)
		s.narrowed(instanceChecks(cond), n.Child("consequence"), func() { yes = s.expression(n.Child("consequence")) })
		return s.either(n, yes, s.expression(n.Child("alternative")))
	case "binary_expression":
		return s.binary(n)
	case "sequence_expression":
		return s.sequence(n)
	case "yield_expression":
		return s.yield(n)
	case "jsx_element", "jsx_self_closing_element":
		return s.element(n)
	case "type_annotation", "type_arguments", "type_parameters", "comment":
		return code.None
	}
	if n.Named() || n.Is("ERROR") {
		s.children(n)
	}
	return s.other(n)
}

// constants are the language's types of literals.
var constants = map[string]string{
	"true": "boolean", "false": "boolean", "null": "null", "undefined": "undefined", "regex": "RegExp",
}

func (s *script) constant(n syntax.Node, typ, text string) int32 {
	e := blank(code.ConstExpr)
	e.Name, e.Text = typ, text
	return s.expr(n, e)
}

// template is a string with expressions in it.
func (s *script) template(n syntax.Node) int32 {
	if !n.Has("template_substitution") {
		return s.constant(n, "string", stringText(n))
	}
	s.substitutions(n)
	return s.constant(n, "string", "")
}

func (s *script) substitutions(n syntax.Node) (out []int32) {
	for c := range n.Children {
		if c.Is("template_substitution") {
			out = append(out, s.expression(firstNamed(c)))
		}
	}
	return out
}

func (s *script) subscript(n syntax.Node) int32 {
	e := blank(code.IndexExpr)
	e.X = s.expression(n.Child("object"))
	index := n.Child("index")
	if e.Name = plainKey(index); e.Name == "" {
		e.Args = []int32{s.expression(index)}
	}
	return s.expr(n, e)
}

// plainKey is a key written as a string or a number, or "".
func plainKey(n syntax.Node) string {
	switch n.Kind() {
	case "string":
		return stringText(n)
	case "number":
		return n.Text()
	}
	return ""
}

// several reduces everything directly below.
func (s *script) several(n syntax.Node, kind code.ExprKind) int32 {
	e := blank(kind)
	for c := range n.Children {
		if c.Named() && !c.Is("comment") {
			e.Args = append(e.Args, s.expression(c))
		}
	}
	return s.expr(n, e)
}

func (s *script) sequence(n syntax.Node) int32 {
	last := code.None
	for c := range n.Children {
		if c.Named() && !c.Is("comment") {
			last = s.expression(c)
		}
	}
	return last
}

func (s *script) binary(n syntax.Node) int32 {
	left, right := s.expression(n.Child("left")), code.None
	var checks []scriptCheck
	switch n.Child("operator").Kind() {
	case "&&":
		checks = instanceChecks(n.Child("left"))
	case "||":
		checks = instanceRefuted(n.Child("left"))
	}
	s.narrowed(checks, n.Child("right"), func() { right = s.expression(n.Child("right")) })
	switch n.Child("operator").Kind() {
	case "||", "&&", "??":
		return s.either(n, left, right)
	}
	return s.other(n)
}

// cast is a value that the text gives a type. The types that say nothing leave
// it as it is.
func (s *script) cast(n syntax.Node) int32 {
	value, typ := firstNamed(n), syntax.Node{}
	if n.Is("type_assertion") {
		typ = firstNamed(value)
		value = syntax.Node{}
	}
	for c := range n.Children {
		if c.Named() && !c.Is("comment", "type_arguments") && c != value {
			if n.Is("type_assertion") {
				value = c
			} else {
				typ = c
			}
		}
	}
	v := s.expression(value)
	switch text := typeText(typ); text {
	case "", "any", "unknown", "const", "never":
		return v
	default:
		return s.typed(n, v, text)
	}
}

func (s *script) yield(n syntax.Node) int32 {
	value := s.expression(firstNamed(n))
	if strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(n.Text()[:min(8, len(n.Text()))], "yield")), "*") {
		value = s.wrap(n, code.SpreadExpr, value)
	}
	s.returns(value)
	return s.other(n)
}

// valueAt reduces a value that is put at a place: functions, classes and objects
// have their names from it.
func (s *script) valueAt(n syntax.Node, p place) int32 {
	inner := unwrap(n)
	var symbol int32
	switch {
	case isFunction(inner):
		if own := inner.Child("name").Text(); p.name == "" && own != "" {
			p.name, p.kind, p.unbound = own, code.Function, true
		}
		symbol = s.function(inner, p)
	case inner.Is("class"):
		if own := inner.Child("name").Text(); p.name == "" && own != "" {
			p.name = own
		}
		symbol = s.class(inner, p, nil)
	case inner.Is("object"):
		return s.object(inner, p)
	default:
		return s.expression(n)
	}
	e := blank(code.FuncExpr)
	e.Ref = symbol
	return s.expr(inner, e)
}

// object reduces an object literal. One with functions opens a scope: they are
// its members.
func (s *script) object(n syntax.Node, p place) int32 {
	e := blank(code.DictExpr)
	path := p.path
	if path == "" && s.owner != code.None {
		path = s.file.Symbols[s.owner].Path
	}
	h := &holder{path: path, owner: p.owner, scope: code.None, symbol: s.owner, module: p.module}
	walk := func() {
		if p.owner == "" {
			h.scope = s.scope
		}
		s.each(n, func(c syntax.Node, comments []syntax.Node) { s.entry(c, comments, h, &e) })
	}
	if hasFunctions(n) {
		for c := range n.Children {
			if c.Is("pair") {
				s.members[join(path, keyText(c.Child("key")))] = code.None
			}
		}
		s.within(s.owner, code.ClassScope, walk)
	} else {
		walk()
	}
	return s.expr(n, e)
}

func hasFunctions(object syntax.Node) bool {
	for c := range object.Children {
		if c.Is("method_definition") || c.Is("pair") && isFunction(unwrap(c.Child("value"))) {
			return true
		}
	}
	return false
}

// entry walks one entry of an object literal and adds it to the expression.
func (s *script) entry(c syntax.Node, comments []syntax.Node, h *holder, e *code.Expr) {
	switch c.Kind() {
	case "pair":
		key, value := c.Child("key"), c.Child("value")
		if key.Is("computed_property_name") {
			s.children(key)
		}
		name := keyText(key)
		p := place{node: c, name: name, kind: code.Method, path: join(h.path, name), owner: h.owner, this: h, exported: true}
		if name == "" {
			p.path = ""
		}
		if h.module {
			p.kind = code.Function
		}
		if inner := unwrap(value); isFunction(inner) {
			p.doc = docBefore(comments)
		} else if inner.Is("object") {
			p.owner = ""
		}
		e.Args, e.Keys = append(e.Args, s.valueAt(value, p)), append(e.Keys, name)
	case "method_definition":
		i := s.method(classMember{node: c, doc: docBefore(comments)}, h)
		if c.Has("set") {
			return
		}
		f := blank(code.FuncExpr)
		f.Ref = i
		v := s.expr(c, f)
		if c.Has("get") { // the property is what the function gives
			v = s.wrap(c, code.CallExpr, v)
		}
		e.Args, e.Keys = append(e.Args, v), append(e.Keys, keyText(c.Child("name")))
	case "shorthand_property_identifier":
		e.Args, e.Keys = append(e.Args, s.name(c, c.Text())), append(e.Keys, c.Text())
	case "spread_element":
		e.Args, e.Keys = append(e.Args, s.expression(c)), append(e.Keys, "")
	case "ERROR":
		s.children(c)
	}
}
