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
	w.effects(left)
	w.effects(right)
	switch op {
	case "+":
		for x := n; x.Is("binary_expression"); x = x.Child("left") {
			if sharpLiteral(x.Child("left")) == "string" || sharpLiteral(x.Child("right")) == "string" {
				return w.constant(n, "string")
			}
		}
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
		return w.constant(n, "bool")
	}
	return w.other(n)
}

func (w *sharpWalk) prefix(n syntax.Node) int32 {
	switch w.tree.Src[n.Start()] {
	case '*', '&':
		return w.inner(n)
	case '!':
		w.children(n)
		return w.constant(n, "bool")
	}
	w.children(n)
	return w.other(n)
}

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
