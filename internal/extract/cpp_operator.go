package extract

import (
	"chitta/internal/code"
	"chitta/internal/syntax"
)

// binary reduces an operation, which is a call of a function that a type of the
// project may have. Logic never is one that anybody writes, and what is compared
// with or counted by a literal is hardly ever of such a type.
func (w *cppWalker) binary(n syntax.Node) int32 {
	sign := n.Child("operator").Text()
	left, right := w.expr(n.Child("left")), w.expr(n.Child("right"))
	if left <= 0 || right <= 0 || w.plainC {
		return w.other(n)
	}
	switch sign {
	case "", "&&", "||", "and", "or":
		return w.other(n)
	case "==", "!=", "<", ">", "<=", ">=", "-", "%", "&":
		if w.constant(left) || w.constant(right) {
			return w.other(n)
		}
	}
	return w.operated(n, left, sign, right)
}

// constant says that an expression is a number, nullptr or the like.
func (w *cppWalker) constant(i int32) bool {
	e := &w.file.Exprs[i]
	return e.Kind == code.ConstExpr && e.Name != "string"
}

// operated notes the call of the function that an operator stands for.
func (w *cppWalker) operated(n syntax.Node, x int32, sign string, args ...int32) int32 {
	name := "operator" + sign
	return w.call(n, code.Indirect, w.member(n, x, name), name, syntax.Node{}, args, nil)
}

// unary reduces an operation on one value. Where that is no call of a function
// of the project, *x and ++x are as good as x.
func (w *cppWalker) unary(n syntax.Node) int32 {
	sign, x := n.Child("operator").Text(), w.expr(n.Child("argument"))
	if x <= 0 || w.plainC || w.constant(x) || w.file.Exprs[x].Kind == code.OtherExpr {
		return w.other(n)
	}
	switch sign {
	case "*", "++", "--", "-", "~", "!", "+":
		if sign != "*" || w.file.Exprs[x].Kind != code.SelfExpr {
			return w.operated(n, x, sign)
		}
		return w.wrap(n, code.DerefExpr, x)
	}
	return w.other(n)
}

// cppDelete is the name of the call that delete x makes.
const cppDelete = "delete"

// deletion notes that a destructor runs.
func (w *cppWalker) deletion(n syntax.Node) int32 {
	for _, c := range n.NamedChildren() {
		if x := w.expr(c); x > 0 && !w.plainC {
			w.call(n, code.Indirect, w.member(n, x, cppDelete), cppDelete, syntax.Node{}, nil, nil)
		}
	}
	return w.other(n)
}

// ranged notes the calls that a loop over a value makes.
func (w *cppWalker) ranged(n syntax.Node, over int32) {
	if over <= 0 || w.plainC {
		return
	}
	switch w.file.Exprs[over].Kind {
	case code.OtherExpr, code.ConstExpr, code.ListExpr:
		return
	}
	from := w.call(n, code.Indirect, w.member(n, over, "begin"), "begin", syntax.Node{}, nil, nil)
	to := w.call(n, code.Indirect, w.member(n, over, "end"), "end", syntax.Node{}, nil, nil)
	w.operated(n, from, "!=", to)
	w.operated(n, from, "++")
	w.operated(n, from, "*")
}
