package extract

import (
	"chitta/internal/code"
	"chitta/internal/syntax"
)

// children walks everything below n for what it declares and calls.
func (w *javaWalk) children(n syntax.Node) {
	for c := range n.Children {
		if c.Named() {
			w.walk(c)
		}
	}
}

// walk reads a statement, or an expression whose value nobody takes.
func (w *javaWalk) walk(n syntax.Node) {
	switch n.Kind() {
	case "line_comment", "block_comment", "break_statement", "continue_statement", "modifiers":
	case "expression_statement", "labeled_statement", "synchronized_statement", "assert_statement", "throw_statement", "finally_clause", "guard", "ERROR":
		w.children(n)
	case "if_statement", "while_statement", "do_statement":
		w.branches(n)
	case "block", "constructor_body", "class_body", "catch_clause", "try_statement", "static_initializer",
		"try_with_resources_statement":
		w.block(func() { w.children(n) })
	case "for_statement":
		w.block(func() { w.branches(n) })
	case "resource_specification":
		w.children(n)
	case "resource":
		w.resource(n)
	case "enhanced_for_statement":
		w.enhancedFor(n)
	case "local_variable_declaration":
		w.localVariables(n)
	case "catch_formal_parameter":
		w.declare(n, code.Binding{Name: n.Child("name").Text(), Type: squash(n.First("catch_type").Text()), Value: code.None})
	case "return_statement":
		w.returned(n)
	case "yield_statement":
		for _, c := range n.NamedChildren() {
			w.arms = append(w.arms, w.value(c))
		}
	case "explicit_constructor_invocation":
		w.explicitConstructor(n)
	case "class_declaration", "record_declaration", "interface_declaration", "enum_declaration", "annotation_type_declaration",
		"method_declaration", "constructor_declaration", "compact_constructor_declaration", "field_declaration", "constant_declaration",
		"import_declaration", "package_declaration", "enum_constant", "enum_body_declarations", "annotation_type_element_declaration":
		w.declaration(n, "")
	default:
		w.effects(n)
	}
}

// branches walks a statement whose parts may not run: each has a scope, with
// braces or without.
func (w *javaWalk) branches(n syntax.Node) {
	for c := range n.Children {
		switch {
		case c.Is("block") || !c.Named():
			w.walk(c)
		case c.Field() == "consequence" || c.Field() == "alternative" || c.Field() == "body":
			w.block(func() { w.walk(c) })
		default:
			w.walk(c)
		}
	}
}

func (w *javaWalk) returned(n syntax.Node) {
	for _, c := range n.NamedChildren() {
		w.returns(w.value(c))
	}
}

func (w *javaWalk) resource(n syntax.Node) {
	name := n.Child("name")
	if !name.OK() {
		for _, c := range n.NamedChildren() {
			w.implied(n, w.value(c), "close")
		}
		return
	}
	value := w.value(n.Child("value"))
	w.declare(name, code.Binding{Name: name.Text(), Type: javaTypeText(n.Child("type"), n.Child("dimensions")), Value: value})
	w.implied(n, w.name(name, name.Text()), "close")
}

func (w *javaWalk) enhancedFor(n syntax.Node) {
	over := w.value(n.Child("value"))
	each := w.implied(n, over, "iterator")
	w.implied(n, each, "hasNext")
	w.implied(n, each, "next")
	w.block(func() {
		name := n.Child("name")
		w.declare(name, code.Binding{Name: name.Text(), Type: javaTypeText(n.Child("type"), n.Child("dimensions")), Value: over, Element: true})
		w.walk(n.Child("body"))
	})
}

func (w *javaWalk) localVariables(n syntax.Node) {
	for c := range n.Children {
		if !c.Is("variable_declarator") {
			continue
		}
		value := code.None
		if v := c.Child("value"); v.OK() {
			value = w.value(v)
		}
		name, typ := c.Child("name"), javaTypeText(n.Child("type"), c.Child("dimensions"))
		if w.scope == 0 && name.Text() != "" { // of a program without a class
			w.define(c, code.Symbol{Name: name.Text(), Kind: code.Variable, Type: typ, Signature: w.between(n.Start(), n.Child("type").End()) + " " + w.declarator(c, "value"), Value: value})
			continue
		}
		w.declare(name, code.Binding{Name: name.Text(), Type: typ, Value: value})
	}
}

func (w *javaWalk) explicitConstructor(n syntax.Node) {
	which, object := n.Child("constructor"), n.Child("object")
	w.effects(object)
	kind := code.SelfExpr
	if which.Is("super") {
		kind = code.SuperExpr
	}
	callee := w.expr(which, blank(kind))
	w.call(n, code.Ctor, callee, which.Text(), object, w.args(n.Child("arguments")), nil)
}

// pattern binds the names of a pattern that the subject is held against.
func (w *javaWalk) pattern(n syntax.Node, subject int32) {
	switch n.Kind() {
	case "type_pattern", "record_pattern_component":
		parts := n.NamedChildren()
		if len(parts) < 2 {
			return
		}
		name := parts[len(parts)-1]
		w.declare(name, code.Binding{Name: name.Text(), Type: javaTypeText(parts[len(parts)-2], syntax.Node{}), Value: subject})
	case "record_pattern":
		of := n.First("identifier", "generic_type", "type_identifier", "scoped_type_identifier")
		whole := w.typed(n, squash(of.Text()), code.None)
		part := 0
		for c := range n.First("record_pattern_body").Children {
			switch part++; c.Kind() {
			case "record_pattern":
				w.pattern(c, code.None)
			case "record_pattern_component":
				w.component(c, whole, part)
			default:
				part--
			}
		}
	default:
		for c := range n.Children {
			if c.Named() {
				w.pattern(c, subject)
			}
		}
	}
}

func (w *javaWalk) component(n syntax.Node, whole int32, part int) {
	parts := n.NamedChildren()
	if len(parts) < 2 {
		return
	}
	name := parts[len(parts)-1]
	v := code.Binding{Name: name.Text(), Type: javaTypeText(parts[0], syntax.Node{}), Value: whole, Part: part}
	w.declare(name, v)
}

// switching reads a switch of either form; its value is that of an arm.
func (w *javaWalk) switching(n syntax.Node) int32 {
	outer := w.arms
	w.arms = nil
	subject := w.inner(n.Child("condition"))
	w.block(func() {
		for c := range n.Child("body").Children {
			switch c.Kind() {
			case "switch_rule":
				w.block(func() { w.rule(c, subject) })
			case "switch_block_statement_group":
				w.rule(c, subject)
			default:
				if c.Named() {
					w.walk(c)
				}
			}
		}
	})
	arms := w.arms
	w.arms = outer
	return w.either(n, arms)
}

func (w *javaWalk) rule(n syntax.Node, subject int32) {
	arrow := n.Is("switch_rule")
	for c := range n.Children {
		switch {
		case c.Is("switch_label"):
			for l := range c.Children {
				if l.Is("pattern") {
					w.pattern(l, subject)
				} else if l.Named() {
					w.walk(l)
				}
			}
		case arrow && c.Is("expression_statement"):
			w.arms = append(w.arms, w.inner(c))
		case c.Named():
			w.walk(c)
		}
	}
}
