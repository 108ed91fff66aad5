package extract

import (
	"chitta/internal/code"
	"chitta/internal/syntax"
)

func (w *sharpWalk) binary(n syntax.Node) int32 {
	left, right := n.Child("left"), n.Child("right")
	op := n.Child("operator").Kind()
	if op == "??" {
		return w.either(n, []int32{w.value(left), w.value(right)})
	}
	text := false
	for x := n; op == "+" && x.Is("binary_expression"); x = x.Child("left") {
		text = text || sharpLiteral(x.Child("left")) == "string" || sharpLiteral(x.Child("right")) == "string"
	}
	compares := false
	switch op {
	case "==", "!=", "<", ">", "<=", ">=":
		compares = true
	}
	if text || op == "&&" || op == "||" || compares && (sharpLiteral(left) != "" || sharpLiteral(right) != "") {
		w.effects(left)
		w.effects(right)
		if text {
			return w.constant(n, "string")
		}
		return w.constant(n, "bool")
	}
	made := w.operated(n, op, w.value(left), w.value(right))
	if compares {
		return w.constant(n, "bool")
	}
	return made
}

func (w *sharpWalk) prefix(n syntax.Node) int32 {
	switch w.tree.Src[n.Start()] {
	case '*', '&':
		return w.inner(n)
	case '!':
		w.children(n)
		return w.constant(n, "bool")
	}
	x := w.inner(n)
	switch sign := sharpSign(w.tree.Src[n.Start():n.End()]); sign {
	case "-", "+", "~", "++", "--":
		return w.operated(n, sign, x)
	}
	return w.other(n)
}

// sharpSign is the sign that a text begins with: one byte, or two of the same.
func sharpSign(text []byte) string {
	if len(text) > 1 && text[0] == text[1] {
		return string(text[:2])
	}
	return string(text[:min(len(text), 1)])
}

// postfix reads x++, x-- and x!, which give x.
func (w *sharpWalk) postfix(n syntax.Node) int32 {
	x := w.inner(n)
	if text := w.tree.Src[n.Start():n.End()]; len(text) > 2 {
		switch sign := sharpSign(text[len(text)-2:]); sign {
		case "++", "--":
			w.operated(n, sign, x)
		}
	}
	return x
}

// operated notes the call of the method that an operator stands for, where the
// operands may be of a type that has one, and gives what that gives.
func (w *sharpWalk) operated(n syntax.Node, sign string, operands ...int32) int32 {
	for i, x := range operands {
		if x <= 0 {
			return w.other(n)
		}
		switch e := &w.file.Exprs[x]; e.Kind {
		case code.OtherExpr, code.ListExpr, code.FuncExpr:
			return w.other(n)
		case code.ConstExpr:
			if i == len(operands)-1 && (i == 0 || w.file.Exprs[operands[0]].Kind == code.ConstExpr) {
				return w.other(n)
			}
		}
	}
	name := sharpOperator + sign
	return w.call(n, code.Indirect, w.member(n, operands[0], name), name, syntax.Node{}, operands, nil)
}

// cast reads (T)x, which may call a conversion that x's type or T has.
func (w *sharpWalk) cast(n syntax.Node) int32 {
	t := n.Child("type")
	typ, x := sharpTypeText(t), w.value(n.Child("value"))
	if t.Is("identifier", "generic_name", "qualified_name") && x > 0 {
		name := sharpOperator + typ
		w.call(n, code.Indirect, w.member(n, w.typed(t, typ, code.None), name), name, syntax.Node{}, []int32{x}, nil)
	}
	return w.typed(n, typ, x)
}

// sharpOperator begins the names of methods that operators stand for.
const sharpOperator = "operator "

// switching reads a switch expression: its value is that of an arm.
func (w *sharpWalk) switching(n syntax.Node) int32 {
	subject := code.None
	var arms []int32
	for c := range n.Children {
		switch {
		case c.Is("switch_expression_arm"):
			w.block(func() { arms = append(arms, w.arm(c, subject)) })
		case sharpOperand(c) && subject == code.None:
			subject = w.value(c)
		}
	}
	return w.either(n, arms)
}

func (w *sharpWalk) arm(n syntax.Node, subject int32) int32 {
	value := code.None
	for i, c := range n.NamedChildren() {
		switch {
		case i == 0:
			w.pattern(c, subject)
		case c.Is("when_clause"):
			w.children(c)
		default:
			value = w.value(c)
		}
	}
	if value == code.None {
		return w.other(n)
	}
	return value
}

// query reads a LINQ expression: what it selects are the elements of a list.
func (w *sharpWalk) query(n syntax.Node) int32 {
	var out []int32
	w.block(func() {
		for c := range n.Children {
			switch c.Kind() {
			case "from_clause", "join_clause":
				w.from(c)
			case "let_clause":
				parts := c.NamedChildren()
				if len(parts) == 2 {
					value := w.value(parts[1])
					w.declare(parts[0], code.Binding{Name: parts[0].Text(), Value: value})
				}
			case "select_clause":
				out = append(out, w.inner(c))
			case "identifier": // into
				w.declare(c, code.Binding{Name: c.Text(), Value: code.None})
			default:
				w.children(c)
			}
		}
	})
	return w.many(n, code.ListExpr, out, nil)
}

// from binds the variable of a from or join clause to the elements of its source.
func (w *sharpWalk) from(n syntax.Node) {
	name, found := n.Child("name"), false
	for c := range n.Children {
		if !sharpOperand(c) || c.Field() != "" {
			continue
		}
		switch {
		case !name.OK() && c.Is("identifier"):
			name = c
		case c.Is("join_into_clause"):
			into := c.First("identifier")
			w.declare(into, code.Binding{Name: into.Text(), Value: code.None})
		case !found:
			found = true
			source := w.value(c)
			w.declare(name, code.Binding{Name: name.Text(), Type: sharpTypeText(n.Child("type")), Value: source, Element: true})
		default:
			w.effects(c)
		}
	}
}

// with reads x with { P = v }: another of what x is.
func (w *sharpWalk) with(n syntax.Node) int32 {
	x := code.None
	for c := range n.Children {
		switch {
		case c.Is("with_initializer"):
			for i, v := range c.NamedChildren() {
				if i > 0 {
					w.effects(v)
				}
			}
		case sharpOperand(c) && x == code.None:
			x = w.value(c)
		}
	}
	return w.wrap(n, code.DerefExpr, x)
}
