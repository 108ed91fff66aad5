package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// pyCheck says that a name holds an instance of one of some classes.
type pyCheck struct {
	name    string
	classes []syntax.Node
}

// checked are the names that a condition tells the class of where it holds.
func checked(cond syntax.Node) []pyCheck {
	switch cond.Kind() {
	case "parenthesized_expression":
		return checked(pyFirst(cond))
	case "boolean_operator":
		if cond.Child("operator").Text() == "and" {
			return append(checked(cond.Child("left")), checked(cond.Child("right"))...)
		}
	case "call":
		if fn := cond.Child("function"); !fn.Is("identifier") || fn.Text() != "isinstance" {
			return nil
		}
		args := cond.Child("arguments").NamedChildren()
		if len(args) != 2 || !args[0].Is("identifier") {
			return nil
		}
		if classes := pyClasses(args[1]); len(classes) > 0 {
			return []pyCheck{{args[0].Text(), classes}}
		}
	}
	return nil
}

// refuted are the names that a condition tells the class of where it does not
// hold.
func refuted(cond syntax.Node) []pyCheck {
	switch cond.Kind() {
	case "parenthesized_expression":
		return refuted(pyFirst(cond))
	case "not_operator":
		return checked(cond.Child("argument"))
	}
	return nil
}

// pyClasses are the classes that a class, a tuple or a union of classes names;
// none if one of them is no plain name.
func pyClasses(n syntax.Node) []syntax.Node {
	switch n.Kind() {
	case "identifier", "dotted_name":
		return []syntax.Node{n}
	case "attribute":
		if n.Child("object").Is("identifier", "attribute") {
			return []syntax.Node{n}
		}
	case "tuple", "parenthesized_expression":
		var out []syntax.Node
		for _, c := range n.NamedChildren() {
			one := pyClasses(c)
			if len(one) == 0 {
				return nil
			}
			out = append(out, one...)
		}
		return out
	case "binary_operator":
		if n.Child("operator").Text() == "|" {
			left, right := pyClasses(n.Child("left")), pyClasses(n.Child("right"))
			if len(left) > 0 && len(right) > 0 {
				return append(left, right...)
			}
		}
	}
	return nil
}

// typed is an instance of one of the classes, or of a class below: what x is of
// that, if it is known.
func (p *python) typed(n syntax.Node, classes []syntax.Node, x int32) int32 {
	either := blank(code.EitherExpr)
	for _, c := range classes {
		either.Args = append(either.Args, p.expr(n, code.Bare(code.TypedExpr, x, strings.TrimSpace(c.Text()))))
	}
	if len(either.Args) == 1 {
		return either.Args[0]
	}
	return p.expr(n, either)
}

// narrowed reads what runs only where the checks hold: in a scope of its own in
// which the names have the classes.
func (p *python) narrowed(checks []pyCheck, body syntax.Node, walk func()) {
	if len(checks) == 0 || defines(body) {
		walk()
		return
	}
	values := make([]int32, len(checks))
	for i, c := range checks {
		values[i] = p.typed(body, c.classes, p.name(body, c.name))
	}
	p.block(func() {
		for i, c := range checks {
			p.narrow[pyName{p.scope, c.name}] = true
			p.bind(code.Binding{Name: c.name, Kind: code.Assigned, Ref: code.None, Value: values[i], At: body.Start()})
		}
		walk()
	})
}

// defines says that a statement has definitions or imports in it, which belong
// to the function around.
func defines(n syntax.Node) bool {
	for c := range n.Children {
		switch c.Kind() {
		case "function_definition", "class_definition", "decorated_definition", "import_statement", "import_from_statement", "global_statement",
			"nonlocal_statement":
			return true
		case "block", "if_statement", "for_statement", "while_statement", "with_statement", "try_statement", "else_clause", "elif_clause",
			"except_clause", "finally_clause", "match_statement", "case_clause":
			if defines(c) {
				return true
			}
		}
	}
	return false
}

// holds binds names to what they are known to be from the end of a statement on.
func (p *python) holds(n syntax.Node, checks []pyCheck) {
	for _, c := range checks {
		v := p.typed(n, c.classes, p.name(n, c.name))
		p.set(n, p.function(), c.name, pySource{value: v, at: n.End()})
		p.again(n, c.name, pySource{value: v, at: n.End()})
	}
}

// again binds a name that is set anew where its class was known as well.
func (p *python) again(n syntax.Node, name string, s pySource) {
	for scope := p.scope; scope != code.None && p.file.Scopes[scope].Kind == code.BlockScope; scope = p.file.Scopes[scope].Parent {
		if p.narrow[pyName{scope, name}] {
			p.set(n, scope, name, s)
		}
	}
}

// leaves says that what follows a block does not run after it.
func leaves(block syntax.Node) bool {
	kids := block.NamedChildren()
	if len(kids) == 0 {
		return false
	}
	return kids[len(kids)-1].Is("return_statement", "raise_statement", "continue_statement", "break_statement")
}
