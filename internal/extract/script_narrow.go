package extract

import (
	"chitta/internal/code"
	"chitta/internal/syntax"
)

// scriptCheck says that a name holds an instance of a class.
type scriptCheck struct{ name, class string }

// instanceChecks are the names that a condition tells the class of where it
// holds: `x instanceof C`.
func instanceChecks(cond syntax.Node) []scriptCheck {
	switch cond.Kind() {
	case "parenthesized_expression":
		return instanceChecks(firstNamed(cond))
	case "binary_expression":
		left, right := cond.Child("left"), cond.Child("right")
		switch cond.Child("operator").Kind() {
		case "&&":
			return append(instanceChecks(left), instanceChecks(right)...)
		case "instanceof":
			if left.Is("identifier") && (right.Is("identifier") || right.Is("member_expression") && right.Child("object").Is("identifier")) {
				return []scriptCheck{{left.Text(), squash(right.Text())}}
			}
		}
	}
	return nil
}

// instanceRefuted are those where it does not hold: `!(x instanceof C)`.
func instanceRefuted(cond syntax.Node) []scriptCheck {
	switch cond.Kind() {
	case "parenthesized_expression":
		return instanceRefuted(firstNamed(cond))
	case "unary_expression":
		if cond.Child("operator").Is("!") {
			return instanceChecks(cond.Child("argument"))
		}
	}
	return nil
}

// checkedAs is what a name holds that is an instance of a class.
func (s *script) checkedAs(n syntax.Node, c scriptCheck) int32 {
	return s.expr(n, code.Bare(code.TypedExpr, s.name(n, c.name), c.class))
}

// narrowed walks what runs only where the checks hold: in a scope of its own in
// which the names have the classes.
func (s *script) narrowed(checks []scriptCheck, body syntax.Node, walk func()) {
	if len(checks) == 0 || !body.OK() {
		walk()
		return
	}
	values := make([]int32, len(checks))
	for i, c := range checks {
		values[i] = s.checkedAs(body, c)
	}
	s.block(func() {
		for i, c := range checks {
			s.narrow[scopedName{s.scope, c.name}] = true
			s.bindIn(s.scope, code.Binding{Name: c.name, Kind: code.Assigned, Ref: code.None, Value: values[i], At: body.Start()})
		}
		walk()
	})
}

// again binds a name that is set anew where its class was known as well.
func (s *script) again(b code.Binding, outer int32) {
	for scope := s.scope; scope != outer && scope != code.None && s.file.Scopes[scope].Kind == code.BlockScope; scope = s.file.Scopes[scope].Parent {
		if s.narrow[scopedName{scope, b.Name}] {
			b.Maybe = s.level > s.levels[scope]
			s.bindIn(scope, b)
		}
	}
}

// conditional walks an if statement.
func (s *script) conditional(n syntax.Node) {
	cond := n.Child("condition")
	s.each(n, func(c syntax.Node, comments []syntax.Node) {
		switch {
		case !c.Named():
		case c.Field() == "consequence":
			s.narrowed(instanceChecks(cond), c, func() { s.statement(c, declaration{node: c, comments: comments}) })
		default:
			s.statement(c, declaration{node: c, comments: comments})
		}
	})
}

// afterwards binds the names whose class is known behind an if statement that
// leaves where they are of another.
func (s *script) afterwards(n syntax.Node) {
	if n.Child("alternative").OK() || !scriptLeaves(n.Child("consequence")) {
		return
	}
	for _, c := range instanceRefuted(n.Child("condition")) {
		scope, as := s.scopeOf(c.name)
		if as == asNothing || as == asCallable {
			continue
		}
		b := code.Binding{Name: c.name, Kind: code.Assigned, Ref: code.None, Value: s.checkedAs(n, c), At: n.End()}
		s.put(scope, b)
		s.again(b, scope)
	}
}

// scriptLeaves says that what follows a statement does not run after it.
func scriptLeaves(n syntax.Node) bool {
	if n.Is("statement_block") {
		kids := n.NamedChildren()
		return len(kids) > 0 && scriptLeaves(kids[len(kids)-1])
	}
	return n.Is("return_statement", "throw_statement", "continue_statement", "break_statement")
}
