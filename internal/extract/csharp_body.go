package extract

import (
	"chitta/internal/code"
	"chitta/internal/syntax"
)

// sharpOperand says that a node stands for an expression or a statement: this and
// base are bare words in the tree.
func sharpOperand(n syntax.Node) bool {
	return n.Named() && !n.Is("comment") || n.Is("this", "base")
}

// children walks everything below n for what it declares and calls.
func (w *sharpWalk) children(n syntax.Node) {
	for c := range n.Children {
		if c.Named() {
			w.walk(c)
		}
	}
}

// walk reads a statement, or an expression whose value nobody takes.
func (w *sharpWalk) walk(n syntax.Node) {
	switch n.Kind() {
	case "comment", "break_statement", "continue_statement", "goto_statement", "empty_statement", "modifier", "attribute_list":
	case "if_statement", "while_statement", "do_statement":
		w.branches(n)
	case "expression_statement", "labeled_statement", "lock_statement",
		"throw_statement", "finally_clause", "global_statement", "unsafe_statement", "checked_statement",
		"catch_filter_clause", "when_clause", "try_statement", "arrow_expression_clause", "switch_body", "ERROR":
		w.children(n)
	case "for_statement":
		w.block(func() { w.branches(n) })
	case "block", "fixed_statement", "catch_clause":
		w.block(func() { w.children(n) })
	case "using_statement":
		w.block(func() { w.usingStatement(n) })
	case "catch_declaration":
		w.declare(n, code.Binding{Name: n.Child("name").Text(), Type: sharpTypeText(n.Child("type")), Value: code.None})
	case "foreach_statement":
		w.foreach(n)
	case "local_declaration_statement":
		w.children(n)
		if n.Has("using") {
			w.disposed(n, n.First("variable_declaration"))
		}
	case "variable_declaration":
		w.variables(n)
	case "switch_statement":
		w.switchStatement(n)
	case "return_statement":
		w.returned(n)
	case "yield_statement":
		w.yielded(n)
	case "preproc_if", "preproc_elif", "preproc_else":
		w.members(n)
	case "using_directive", "namespace_declaration", "file_scoped_namespace_declaration", "class_declaration", "struct_declaration",
		"record_declaration", "interface_declaration", "enum_declaration", "enum_member_declaration", "delegate_declaration", "method_declaration",
		"local_function_statement", "constructor_declaration", "destructor_declaration", "operator_declaration", "conversion_operator_declaration",
		"property_declaration", "indexer_declaration", "event_declaration", "field_declaration", "event_field_declaration", "declaration_list":
		w.declaration(n, "")
	default:
		w.effects(n)
	}
}

// branches walks a statement whose parts may not run: each has a scope, with
// braces or without.
func (w *sharpWalk) branches(n syntax.Node) {
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

// result is the declared type of what the enclosing function returns.
func (w *sharpWalk) result() string {
	if f := w.caller(); f != code.None {
		return w.file.Symbols[f].Returns
	}
	return ""
}

func (w *sharpWalk) returned(n syntax.Node) {
	for c := range n.Children {
		if sharpOperand(c) {
			w.returns(w.valueAs(c, w.result()))
		}
	}
}

func (w *sharpWalk) yielded(n syntax.Node) {
	f := w.caller()
	for c := range n.Children {
		if !sharpOperand(c) {
			continue
		}
		w.returns(w.value(c))
		if f != code.None {
			w.file.Symbols[f].Yields = true
		}
	}
}

func (w *sharpWalk) foreach(n syntax.Node) {
	over := w.value(n.Child("right"))
	if n.Has("await") {
		w.implied(n, w.implied(n, over, "GetAsyncEnumerator"), "MoveNextAsync")
	} else {
		w.implied(n, w.implied(n, over, "GetEnumerator"), "MoveNext")
	}
	w.block(func() {
		left, typ := n.Child("left"), sharpTypeText(n.Child("type"))
		if left.Is("identifier") {
			w.declare(left, code.Binding{Name: left.Text(), Type: typ, Value: over, Element: true})
		} else {
			w.apart(left, over, true)
		}
		w.walk(n.Child("body"))
	})
}

// usingStatement reads using (…) …: what it holds is disposed of at its end.
func (w *sharpWalk) usingStatement(n syntax.Node) {
	for c := range n.Children {
		switch {
		case c.Is("variable_declaration"):
			w.walk(c)
			w.disposed(n, c)
		case sharpOperand(c) && c.Field() != "body" && !c.Is("block"):
			w.implied(c, w.value(c), sharpDispose(n))
		case c.Named():
			w.walk(c)
		}
	}
}

// disposed notes that the variables of a declaration are disposed of.
func (w *sharpWalk) disposed(n, declaration syntax.Node) {
	for c := range declaration.Children {
		if name := c.Child("name"); c.Is("variable_declarator") && name.Text() != "" {
			w.implied(name, w.name(name, name.Text()), sharpDispose(n))
		}
	}
}

func sharpDispose(n syntax.Node) string {
	if n.Has("await") {
		return "DisposeAsync"
	}
	return "Dispose"
}

func (w *sharpWalk) variables(n syntax.Node) {
	typ := sharpTypeText(n.Child("type"))
	for c := range n.Children {
		if !c.Is("variable_declarator") {
			continue
		}
		value := code.None
		if v := sharpDeclared(c); v.OK() {
			value = w.valueAs(v, typ)
		}
		if names := c.First("tuple_pattern"); names.OK() {
			w.apart(names, value, false)
			w.takenApart(names, value)
			continue
		}
		name := c.Child("name")
		w.declare(name, code.Binding{Name: name.Text(), Type: typ, Value: value})
	}
}

// apart binds the names that a value is taken apart into: (a, b), (var a, int b).
func (w *sharpWalk) apart(n syntax.Node, value int32, element bool) {
	part := 0
	for c := range n.Children {
		if c.Is("argument") {
			c = c.First("declaration_expression", "identifier", "tuple_expression", "member_access_expression", "element_access_expression", "discard")
		}
		if !c.Named() || c.Is("comment") {
			continue
		}
		v := code.Binding{Value: value, Element: element, Part: part + 1}
		switch part++; c.Kind() {
		case "identifier":
			v.Name = c.Text()
			switch {
			case v.Name == "_":
			case n.Is("tuple_pattern", "parenthesized_variable_designation"):
				w.declare(c, v)
			default:
				w.setPart(c, v)
			}
		case "declaration_expression":
			v.Name, v.Type = c.Child("name").Text(), sharpTypeText(c.Child("type"))
			w.declare(c, v)
		case "tuple_pattern", "parenthesized_variable_designation", "tuple_expression":
			w.apart(c, code.None, false)
		default:
			w.effects(c)
		}
	}
}

// takenApart notes the call of the method that takes a value apart into as many
// parts as the names are.
func (w *sharpWalk) takenApart(names syntax.Node, value int32) {
	parts := 0
	for c := range names.Children {
		if c.Named() && !c.Is("comment") {
			parts++
		}
	}
	out := make([]int32, parts)
	for i := range out {
		out[i] = w.other(names)
	}
	w.implied(names, value, "Deconstruct", out...)
}

// setPart gives a variable that is declared elsewhere a part of a value.
func (w *sharpWalk) setPart(at syntax.Node, v code.Binding) {
	if w.isLocal(v.Name) {
		w.set(at, v.Name, v.Value, false)
		for s := w.scope; s != code.None; s = w.file.Scopes[s].Parent {
			if w.locals[local{s, v.Name}] {
				all := w.file.Scopes[s].Bindings
				all[len(all)-1].Part = v.Part
				return
			}
		}
	}
}

func (w *sharpWalk) switchStatement(n syntax.Node) {
	subject := w.value(n.Child("value"))
	for section := range n.Child("body").Children {
		if !section.Is("switch_section") {
			continue
		}
		w.block(func() {
			for c := range section.Children {
				switch {
				case sharpPattern(c):
					w.pattern(c, subject)
				case c.Is("invocation_expression"): // case T(var a, var b)
					w.positional(c, subject)
				case c.Named():
					w.walk(c)
				}
			}
		})
	}
}

func sharpPattern(n syntax.Node) bool {
	switch n.Kind() {
	case "and_pattern", "constant_pattern", "declaration_pattern", "discard", "list_pattern", "negated_pattern", "or_pattern",
		"parenthesized_pattern", "recursive_pattern", "relational_pattern", "type_pattern", "var_pattern":
		return true
	}
	return false
}

// pattern binds the names of a pattern that the subject is held against.
func (w *sharpWalk) pattern(n syntax.Node, subject int32) {
	switch n.Kind() {
	case "declaration_pattern", "var_pattern", "recursive_pattern", "list_pattern":
		typ := sharpTypeText(n.Child("type"))
		if name := n.Child("name"); name.OK() {
			w.declare(name, code.Binding{Name: name.Text(), Type: typ, Value: subject})
		}
		if names := n.First("parenthesized_variable_designation"); names.OK() {
			w.apart(names, subject, false)
		}
		if typ != "" && (n.Has("positional_pattern_clause") || n.Has("property_pattern_clause")) {
			subject = w.typed(n, typ, subject)
		}
		for c := range n.Children {
			w.subpatterns(c, subject)
		}
	case "and_pattern", "or_pattern", "negated_pattern", "parenthesized_pattern":
		for c := range n.Children {
			if c.Named() {
				w.pattern(c, subject)
			}
		}
	case "constant_pattern":
		if c := n.First("invocation_expression"); c.OK() { // T(var a, var b)
			w.positional(c, subject)
			return
		}
		w.children(n)
	case "relational_pattern":
		w.children(n)
	}
}

// positional reads a pattern of a type with its parts, which the grammar takes
// for a call.
func (w *sharpWalk) positional(n syntax.Node, subject int32) {
	whole := w.typed(n, sharpTypeText(n.Child("function")), subject)
	w.apart(n.Child("arguments"), whole, false)
	w.takenApart(n.Child("arguments"), whole)
}

// subpatterns reads the clauses of a pattern: parts by place, by property, or
// elements of a list.
func (w *sharpWalk) subpatterns(n syntax.Node, subject int32) {
	switch {
	case n.Is("positional_pattern_clause", "property_pattern_clause"):
		if n.Is("positional_pattern_clause") {
			w.takenApart(n, subject)
		}
		part := 0
		for c := range n.Children {
			if c.Is("subpattern") {
				part++
				w.subpattern(c, subject, part)
			}
		}
	case sharpPattern(n):
		if subject != code.None && n.Is("declaration_pattern", "var_pattern") && n.Child("name").OK() {
			name := n.Child("name")
			w.declare(name, code.Binding{Name: name.Text(), Type: sharpTypeText(n.Child("type")), Value: subject, Element: true})
			return
		}
		w.pattern(n, code.None)
	}
}

func (w *sharpWalk) subpattern(n syntax.Node, subject int32, part int) {
	of := code.None
	for c := range n.Children {
		switch {
		case c.Is("identifier", "member_access_expression") && !sharpPattern(c):
			if subject != code.None {
				of = w.member(c, subject, c.Text())
			}
		case c.Is("declaration_pattern", "var_pattern") && of == code.None && c.Child("name").OK():
			name := c.Child("name")
			w.declare(name, code.Binding{Name: name.Text(), Type: sharpTypeText(c.Child("type")), Value: subject, Part: part})
		case sharpPattern(c):
			w.pattern(c, of)
		}
	}
}
