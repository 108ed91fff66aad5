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
