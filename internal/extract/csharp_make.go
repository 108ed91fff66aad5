package extract

import (
	"bytes"
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// creation reads new T(…) { … }; typ is what new(…) makes where that is told.
func (w *sharpWalk) creation(n syntax.Node, typ string) int32 {
	at, name := n.Child("type"), strings.TrimPrefix(withoutGenerics(typ), "global::")
	if !at.OK() {
		at = n
	}
	callee := w.path(at, name)
	values, keys := w.args(n.First("argument_list"))
	made := w.call(n, code.New, callee, name[strings.LastIndexByte(name, '.')+1:], syntax.Node{}, values, keys)
	w.generic(made, strings.TrimPrefix(typ, "global::"))
	return w.filled(n.First("initializer_expression"), typ, made)
}

// filled reads what stands in braces behind a new instance: properties that are
// set, or elements, with their keys where it is a dictionary.
func (w *sharpWalk) filled(n syntax.Node, typ string, made int32) int32 {
	if !n.OK() {
		return made
	}
	args, keys := w.elements(n), []string(nil)
	kind := code.ListExpr
	i := 0
	for c := range n.Children {
		if !sharpOperand(c) {
			continue
		}
		left := c.Child("left")
		switch {
		case c.Is("assignment_expression") && left.Is("identifier"):
			keys = append(keys, left.Text())
		case c.Is("assignment_expression"): // [key] = value
			kind = code.DictExpr
			keys = append(keys, sharpText(left))
		case c.Is("initializer_expression") && i < len(args) && len(w.file.Exprs[max(args[i], 0)].Args) == 2: // { key, value }
			kind = code.DictExpr
			args[i] = w.file.Exprs[args[i]].Args[1]
			keys = append(keys, sharpText(c))
		}
		i++
	}
	e := blank(kind)
	e.Args, e.Keys = args, keys
	switch {
	case len(args) == 0 || len(keys) > 0 && len(keys) != len(args):
	case len(keys) > 0 && kind == code.ListExpr: // properties
		if typ != "" {
			e.Kind, e.Name = code.TypedExpr, typ
			w.expr(n, e)
		}
	default:
		if len(keys) == 0 {
			w.implied(n, made, "Add", args[0])
		}
		e.X = made
		return w.expr(n, e)
	}
	return made
}

// elements reads the values within braces or brackets. X = v sets a property of
// what is made, no variable.
func (w *sharpWalk) elements(n syntax.Node) []int32 {
	var out []int32
	for c := range n.Children {
		switch {
		case c.Is("assignment_expression"):
			if left := c.Child("left"); !left.Is("identifier") {
				w.children(left)
			}
			out = append(out, w.value(c.Child("right")))
		case sharpOperand(c):
			out = append(out, w.value(c))
		}
	}
	return out
}

func (w *sharpWalk) array(n syntax.Node) int32 {
	t := n.Child("type")
	rank := t.Child("rank")
	w.children(rank)
	if list := n.First("initializer_expression"); list.OK() {
		e := blank(code.ListExpr)
		e.Args = w.elements(list)
		if t.OK() {
			e.Name = sharpTypeText(t.Child("type")) + "[]"
		}
		return w.expr(n, e)
	}
	return w.typed(n, sharpTypeText(t.Child("type"))+"[]", code.None)
}

// anonymousObject reads new { X = a, b }: the name of b is its own.
func (w *sharpWalk) anonymousObject(n syntax.Node) int32 {
	var values []int32
	var keys []string
	parts := n.NamedChildren()
	for i := 0; i < len(parts); i++ {
		c, key := parts[i], ""
		if c.Is("identifier") {
			key = c.Text()
			if i+1 < len(parts) && bytes.IndexByte(w.tree.Src[c.End():parts[i+1].Start()], '=') >= 0 {
				i++
				c = parts[i]
			}
		} else if c.Is("member_access_expression") {
			key = sharpTypeName(c.Child("name"))
		}
		values, keys = append(values, w.value(c)), append(keys, key)
	}
	return w.many(n, code.DictExpr, values, keys)
}

// collection reads literals, and the forms that hold several values.
func (w *sharpWalk) collection(n syntax.Node) int32 {
	switch n.Kind() {
	case "tuple_expression":
		values, keys := w.args(n)
		return w.many(n, code.TupleExpr, values, keys)
	case "array_creation_expression", "implicit_array_creation_expression", "stackalloc_expression", "implicit_stackalloc_expression":
		return w.array(n)
	case "initializer_expression", "collection_expression":
		return w.many(n, code.ListExpr, w.elements(n), nil)
	case "spread_element":
		return w.wrap(n, code.SpreadExpr, w.inner(n))
	case "collection_element":
		return w.inner(n)
	case "anonymous_object_creation_expression":
		return w.anonymousObject(n)
	case "interpolated_string_expression":
		w.effects(n)
		return w.constant(n, "string")
	}
	if name := sharpLiteral(n); name != "" {
		e := blank(code.ConstExpr)
		e.Name = name
		if name == "string" {
			e.Text = strings.Trim(strings.TrimPrefix(n.Text(), "@"), "\"")
		}
		return w.expr(n, e)
	}
	w.children(n)
	return w.other(n)
}
