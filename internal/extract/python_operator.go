package extract

import (
	"strings"
	"unicode"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// Operators call methods of their operands. Of what is built in nobody asks
// which, so that operations on literals are left out.

// pyOperators are the methods that signs between two operands stand for.
var pyOperators = map[string]string{
	"+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "//": "__floordiv__", "%": "__mod__", "**": "__pow__", "@": "__matmul__",
	"&": "__and__", "|": "__or__", "^": "__xor__", "<<": "__lshift__", ">>": "__rshift__",
	"==": "__eq__", "!=": "__ne__", "<>": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__",
}

// pySigns are those of signs before one operand.
var pySigns = map[string]string{"-": "__neg__", "+": "__pos__", "~": "__invert__"}

// operated notes the call of an operand's method that an operator stands for.
func (p *python) operated(n syntax.Node, x int32, name string, args ...int32) int32 {
	if x <= 0 || name == "" {
		return code.None
	}
	return p.call(n, code.Indirect, p.member(n, x, name), name, syntax.Node{}, args, nil)
}

// plain says that an expression is written out as something built in.
func (p *python) plain(x int32) bool {
	if x <= 0 {
		return true
	}
	switch p.file.Exprs[x].Kind {
	case code.ConstExpr, code.ListExpr, code.DictExpr, code.TupleExpr, code.FuncExpr:
		return true
	}
	return false
}

// binary reads x + y. Of lists, texts and types a sum or union is of both: the
// call gives that where no operand has the method.
func (p *python) binary(n syntax.Node) int32 {
	sign := n.Child("operator").Text()
	left, right := p.value(n.Child("left")), p.value(n.Child("right"))
	text := left > 0 && p.file.Exprs[left].Kind == code.ConstExpr && p.file.Exprs[left].Name == "str"
	if text || p.plain(left) && p.plain(right) {
		if sign == "*" && left > 0 && p.file.Exprs[left].Kind != code.ConstExpr {
			return left
		}
		if sign != "+" && sign != "|" {
			return p.other(n)
		}
		e := blank(code.EitherExpr)
		e.Args = []int32{left, right}
		return p.expr(n, e)
	}
	if v := p.operated(n, left, pyOperators[sign], right); v > 0 {
		return v
	}
	return p.other(n)
}

// unary reads -x.
func (p *python) unary(n syntax.Node) int32 {
	x := p.value(n.Child("argument"))
	if !p.plain(x) {
		if v := p.operated(n, x, pySigns[n.Child("operator").Text()]); v > 0 {
			return v
		}
	}
	return p.other(n)
}

// compared reads x < y < z. What is looked for in something comes first in the
// text, and second in the call.
func (p *python) compared(n syntax.Node) {
	last, sign := code.None, ""
	for c := range n.Children {
		switch {
		case c.Is("comment"):
		case !c.Named() || c.Is("is not", "not in"):
			sign = strings.TrimSpace(sign + " " + c.Text())
		default:
			x := p.value(c)
			switch {
			case last == code.None || p.plain(last) && p.plain(x):
			case strings.HasSuffix(sign, "in"):
				if !p.plain(x) {
					p.operated(n, x, "__contains__", last)
				}
			default:
				p.operated(n, last, pyOperators[sign], x)
			}
			last, sign = x, ""
		}
	}
}

// increased reads x += y: the method for that, or the one of x + y.
func (p *python) increased(n syntax.Node, left, right int32) int32 {
	name := pyOperators[strings.TrimSuffix(n.Child("operator").Text(), "=")]
	if name == "" || p.plain(left) {
		e := blank(code.EitherExpr)
		e.Args = []int32{left, right}
		return p.expr(n, e)
	}
	return p.operated(n, left, "__i"+strings.TrimPrefix(name, "__"), right)
}

// deleted reads del x[k].
func (p *python) deleted(n syntax.Node) {
	for c := range n.Children {
		if c.Is("expression_list") {
			p.deleted(c)
			continue
		}
		if !c.Is("subscript") {
			p.scan(c)
			continue
		}
		x := p.value(c.Child("value"))
		for k := range c.Children {
			if k.Field() == "subscript" {
				p.scan(k)
			}
		}
		if !p.plain(x) {
			p.operated(c, x, "__delitem__")
		}
	}
}

// carried binds what a loop gives names at its end, and reads before that, from
// its beginning on as well: the next turn finds it there.
func (p *python) carried(n syntax.Node, walk func()) {
	firstExpr := len(p.file.Exprs)
	scope := p.function()
	before := len(p.file.Scopes[scope].Bindings)
	walk()
	if len(p.file.Scopes[scope].Bindings) == before {
		return
	}
	read := map[string]uint32{} // where a name is read first
	for i := firstExpr; i < len(p.file.Exprs); i++ {
		if e := &p.file.Exprs[i]; e.Kind == code.NameExpr {
			if at, ok := read[e.Name]; !ok || e.At < at {
				read[e.Name] = e.At
			}
		}
	}
	bindings := p.file.Scopes[scope].Bindings
	set := map[string]uint32{} // where it is set first
	for _, b := range bindings[before:] {
		if at, ok := set[b.Name]; b.Kind == code.Assigned && (!ok || b.At < at) {
			set[b.Name] = b.At
		}
	}
	type setting struct {
		name        string
		value, part int
	}
	done := map[setting]bool{} // loops within this one have bound some already
	for _, b := range bindings[before:] {
		one := setting{b.Name, int(b.Value), b.Part}
		if at, ok := read[b.Name]; ok && at < set[b.Name] && b.Kind == code.Assigned && !done[one] {
			done[one] = true
			b.At, b.Maybe = n.Start(), true
			p.bindIn(scope, b)
		}
	}
}

// announced notes that the first base of a class is told of it.
func (p *python) announced(n syntax.Node, class int32, args []int32, keys []string) {
	for i := len(p.file.Inherits) - 1; i >= 0 && p.file.Inherits[i].Symbol == class; i-- {
		if i > 0 && p.file.Inherits[i-1].Symbol == class {
			continue
		}
		if base := p.file.Inherits[i].Expr; !p.plain(base) {
			const name = "__init_subclass__"
			p.call(n, code.Indirect, p.member(n, base, name), name, syntax.Node{}, args, keys)
		}
	}
}

// prefixed reads getattr(x, f"do_{name}") as getattr(x, "do_" + name).
func (p *python) prefixed(n syntax.Node, name string, args []int32) {
	if name == "getattr" && len(args) > 1 {
		args[1] = p.beginning(n.Child("arguments").NamedChildren()[1], args[1])
	}
}

// beginning reads a text that something is filled into as its beginning and
// what follows, where that may be the beginning of a name.
func (p *python) beginning(n syntax.Node, v int32) int32 {
	start := ""
	switch n.Kind() {
	case "string":
		for c := range n.Children {
			if c.Is("string_content") {
				start = c.Text()
			}
			if !c.Is("string_start") {
				break
			}
		}
		if v <= 0 || p.file.Exprs[v].Text != "" {
			return v
		}
	case "binary_operator":
		if n.Child("operator").Text() != "%" || !n.Child("left").Is("string") {
			return v
		}
		text, _ := pyText(n.Child("left"))
		start, _, _ = strings.Cut(text, "%")
	case "call":
		fn := n.Child("function")
		if !fn.Is("attribute") || fn.Child("attribute").Text() != "format" || !fn.Child("object").Is("string") {
			return v
		}
		text, _ := pyText(fn.Child("object"))
		start, _, _ = strings.Cut(text, "{")
	}
	if start == "" || len(start) > maxText || strings.ContainsFunc(start, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		return v
	}
	e, first := blank(code.EitherExpr), blank(code.ConstExpr)
	first.Name, first.Text = "str", start
	e.Args = []int32{p.expr(n, first), p.other(n)}
	return p.expr(n, e)
}
