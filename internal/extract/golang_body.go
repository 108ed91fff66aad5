package extract

import (
	"bytes"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// block walks a block, whose names end with it.
func (g *goWalk) block(walk func()) {
	mark := g.names.mark()
	g.builder.block(walk)
	g.names.release(mark)
}

// local binds a name that the current scope declares.
func (g *goWalk) local(b code.Binding) {
	g.names.add(g.scope, b.Name, b.Type)
	g.bind(b)
}

// declare binds a new variable, which holds from the end of n on.
func (g *goWalk) declare(n syntax.Node, name, typ string, value int32, part int) {
	if goNames(name) {
		g.local(code.Binding{Name: name, Kind: code.Assigned, Ref: code.None, Type: typ, Value: value, Part: part, At: n.End()})
	}
}

func (g *goWalk) children(n syntax.Node) {
	for c := range n.Children {
		if c.Named() {
			g.stmt(c)
		}
	}
}

// stmt walks a statement, or whatever stands where one could.
func (g *goWalk) stmt(n syntax.Node) {
	switch n.Kind() {
	case "comment":
	case "block":
		g.block(func() { g.children(n) })
	case "statement_list", "labeled_statement", "ERROR", "go_statement", "defer_statement", "inc_statement", "dec_statement",
		"expression_statement", "expression_list", "for_clause", "var_declaration", "const_declaration", "var_spec_list":
		g.children(n)
	case "if_statement", "for_statement", "expression_switch_statement", "select_statement",
		"expression_case", "default_case", "communication_case":
		g.block(func() { g.children(n) })
	case "type_switch_statement":
		g.block(func() { g.typeSwitch(n) })
	case "range_clause":
		g.rangeClause(n)
	case "short_var_declaration":
		g.assignment(n, true)
	case "assignment_statement":
		g.assignment(n, false)
	case "receive_statement":
		g.assignment(n, bytes.Contains(g.between(n.Child("left"), n.Child("right")), []byte(":=")))
	case "send_statement":
		g.send(n)
	case "var_spec", "const_spec":
		g.localSpec(n)
	case "type_declaration":
		g.types(n, "")
	case "function_declaration", "method_declaration":
		g.funcDecl(n, "") // only text with errors has one here
	case "return_statement":
		g.returnStmt(n)
	case "import_declaration", "package_clause", "empty_statement", "break_statement", "continue_statement",
		"goto_statement", "fallthrough_statement", "label_name":
	default:
		g.value(n)
	}
}

// between is the text from one node to another.
func (g *goWalk) between(a, b syntax.Node) []byte {
	if !a.OK() || !b.OK() || b.Start() < a.End() {
		return nil
	}
	return g.tree.Src[a.End():b.Start()]
}

func (g *goWalk) returnStmt(n syntax.Node) {
	list := n.First("expression_list")
	values := g.list(list)
	switch {
	case len(values) == 1:
		g.returns(values[0])
	case len(values) > 1:
		g.returns(g.many(n, code.TupleExpr, values))
	case len(g.named) > 0 && !g.bare:
		g.bare = true
		for _, name := range g.named {
			values = append(values, g.name(n, name))
		}
		if len(values) == 1 {
			g.returns(values[0])
		} else {
			g.returns(g.many(n, code.TupleExpr, values))
		}
	}
}

func (g *goWalk) many(n syntax.Node, kind code.ExprKind, args []int32) int32 {
	e := blank(kind)
	e.Args = args
	return g.expr(n, e)
}

func (g *goWalk) localSpec(n syntax.Node) {
	typ, values := squash(n.Child("type").Text()), g.list(n.Child("value"))
	var names []string
	for c := range n.Children {
		if c.Field() == "name" && c.Named() {
			names = append(names, c.Text())
		}
	}
	for i, name := range names {
		value, part := g.share(values, i, len(names))
		g.declare(n, name, typ, value, part)
	}
}

// share is the value that the i-th of count names gets, and which part of it.
func (g *goWalk) share(values []int32, i, count int) (value int32, part int) {
	switch {
	case len(values) == count:
		return values[i], 0
	case len(values) != 1:
		return code.None, 0
	case g.file.Exprs[values[0]].Kind == code.CallExpr:
		return values[0], i + 1
	case i == 0:
		return values[0], 0 // v, ok := m[k], x.(T), <-ch
	}
	return code.None, 0
}

// assignment walks a short declaration or an assignment.
func (g *goWalk) assignment(n syntax.Node, declares bool) {
	left, operator := n.Child("left"), n.Child("operator")
	var targets []syntax.Node
	for c := range left.Children {
		if c.Named() && !c.Is("comment") {
			targets = append(targets, c)
			if !c.Is("identifier") {
				g.value(c)
			}
		}
	}
	values := g.list(n.Child("right"))
	if instead := g.instead(n.First("ERROR")); len(instead) > 0 {
		values = instead
	}
	if operator.OK() && operator.Text() != "=" {
		return // what x += y gives is not known better than before
	}
	for i, target := range targets {
		value, part := g.share(values, i, len(targets))
		switch {
		case declares && target.Is("identifier"):
			g.declare(n, target.Text(), "", value, part)
		case !declares:
			g.set(n, target, value, part)
		}
	}
}

// instead is what stands on the right of an assignment that the grammar could
// not read, so that it took what follows for it.
func (g *goWalk) instead(bad syntax.Node) []int32 {
	var out []int32
	for c := range bad.Children {
		switch {
		case !c.Named() || c.Is("comment"):
		case len(out) == 0:
			out = append(out, g.value(c))
		default:
			g.stmt(c)
		}
	}
	return out
}

// set gives a value to what stands on the left of an assignment; to an element
// as a dictionary with that one element.
func (g *goWalk) set(n, target syntax.Node, value int32, part int) {
	for target.Is("parenthesized_expression", "unary_expression") {
		if target.Is("unary_expression") && target.Child("operator").Text() != "*" {
			return
		}
		target = goOperand(target)
	}
	if target.Is("index_expression") && value != code.None {
		e := blank(code.DictExpr)
		e.Args, e.Keys = []int32{value}, []string{goKey(target.Child("index"))}
		value, part, target = g.expr(n, e), 0, target.Child("operand")
	}
	if name, root := goPath(target); goNames(name) && g.telling(value) {
		g.assignTo(&g.names, name, root, code.Binding{Value: value, Part: part, At: n.End()})
	}
}

// goPath is the text of a variable or of a field of one (a.b.c) and its first
// name; "" for anything else.
func goPath(n syntax.Node) (text, root string) {
	switch n.Kind() {
	case "identifier":
		return n.Text(), n.Text()
	case "selector_expression":
		if text, root = goPath(n.Child("operand")); text != "" {
			return text + "." + n.Child("field").Text(), root
		}
	case "parenthesized_expression":
		return goPath(goOperand(n))
	case "unary_expression":
		if n.Child("operator").Text() == "*" {
			return goPath(n.Child("operand"))
		}
	}
	return "", ""
}

// send puts a value into a channel, which is a list of what it gives.
func (g *goWalk) send(n syntax.Node) {
	g.value(n.Child("channel"))
	value := g.value(n.Child("value"))
	if name, root := goPath(n.Child("channel")); goNames(name) && g.telling(value) {
		g.assignTo(&g.names, name, root, code.Binding{Value: g.many(n, code.ListExpr, []int32{value}), At: n.End()})
	}
}

// rangeClause binds what a loop goes over: the first name as the first part of
// an element, which is a key or an index, or all there is, the second as the
// second.
func (g *goWalk) rangeClause(n syntax.Node) {
	left, right := n.Child("left"), n.Child("right")
	over := g.value(right)
	switch g.file.Exprs[over].Kind {
	case code.NameExpr, code.MemberExpr, code.CallExpr, code.IndexExpr, code.DerefExpr:
		g.call(n, code.Indirect, over, "range", syntax.Node{}, nil, nil) // which a function is by a loop
	}
	var targets []syntax.Node
	for c := range left.Children {
		if c.Named() && !c.Is("comment") {
			targets = append(targets, c)
		}
	}
	declares := bytes.Contains(g.between(left, right), []byte(":="))
	for i, target := range targets {
		name := target.Text()
		if !target.Is("identifier") {
			g.value(target)
			continue
		}
		b := code.Binding{Name: name, Kind: code.Assigned, Ref: code.None, Value: over, Element: true, Part: i + 1, At: n.End()}
		switch {
		case !goNames(name):
		case declares:
			g.local(b)
		default:
			g.assignTo(&g.names, name, name, b)
		}
	}
}

// typeSwitch binds the name of a type switch in each case: as the type where
// there is one, as the value where there are several.
func (g *goWalk) typeSwitch(n syntax.Node) {
	var alias string
	value := code.None
	for c := range n.Children {
		switch {
		case c.Field() == "initializer":
			g.stmt(c)
		case c.Field() == "alias":
			alias = c.First("identifier").Text()
		case c.Field() == "value":
			value = g.value(c)
		case c.Is("type_case", "default_case"):
			g.block(func() { g.typeCase(c, alias, value) })
		case c.Is("ERROR"):
			g.children(c)
		}
	}
}

func (g *goWalk) typeCase(n syntax.Node, alias string, value int32) {
	var types []string
	for c := range n.Children {
		if c.Field() == "type" && c.Named() {
			types = append(types, squash(c.Text()))
		}
	}
	if goNames(alias) {
		b := code.Binding{Name: alias, Kind: code.Assigned, Ref: code.None, Value: value, At: n.Start()}
		if len(types) == 1 && types[0] != "nil" {
			b.Type, b.Value = types[0], code.None
		}
		g.local(b)
	}
	for c := range n.Children {
		if c.Named() && c.Field() != "type" {
			g.stmt(c)
		}
	}
}
