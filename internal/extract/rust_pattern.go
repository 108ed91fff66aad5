package extract

import (
	"bytes"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// rustTarget is what a pattern is held against.
type rustTarget struct {
	value   int32
	part    int
	element bool
	typ     string
	at      uint32 // from where on its names hold
}

func (r *rustWalk) typedAs(typ string, n syntax.Node) rustTarget {
	return rustTarget{value: code.None, typ: typ, at: n.Start()}
}

// whole is the target as one expression, to take a part of it.
func (r *rustWalk) whole(n syntax.Node, t rustTarget) int32 {
	value := t.value
	if value == code.None {
		if t.typ == "" {
			return code.None
		}
		e := blank(code.TypedExpr)
		e.Name = t.typ
		value = r.expr(n, e)
	}
	if t.element {
		value = r.wrap(n, code.IndexExpr, value)
	}
	if t.part > 0 {
		e := blank(code.IndexExpr)
		e.X, e.Name = value, itoa(t.part-1)
		value = r.expr(n, e)
	}
	return value
}

// pattern binds the names in a pattern.
func (r *rustWalk) pattern(n syntax.Node, t rustTarget) {
	switch n.Kind() {
	case "identifier", "shorthand_field_identifier":
		// A name in capitals is a constant or variant to compare with.
		if name := n.Text(); !rustUpper(name) {
			r.local(code.Binding{Name: name, Kind: code.Assigned, Ref: code.None, Type: t.typ, Value: t.value, Part: t.part, Element: t.element, At: t.at})
		}
	case "mut_pattern", "ref_pattern", "reference_pattern":
		r.pattern(rustOperand(n), t)
	case "match_pattern":
		r.pattern(rustOperand(n), t)
		if condition := n.Child("condition"); condition.OK() {
			r.value(condition)
		}
	case "captured_pattern", "or_pattern":
		for c := range n.Children {
			if c.Named() {
				r.pattern(c, t)
			}
		}
	case "tuple_pattern":
		r.tuplePattern(n, t)
	case "slice_pattern":
		whole := r.whole(n, t)
		for c := range n.Children {
			if c.Named() {
				r.pattern(c, rustTarget{value: whole, element: whole != code.None, at: t.at})
			}
		}
	case "tuple_struct_pattern":
		r.variantPattern(n, t)
	case "struct_pattern":
		r.structPattern(n, t)
	case "ERROR":
		for c := range n.Children {
			r.pattern(c, t)
		}
	}
}

func (r *rustWalk) tuplePattern(n syntax.Node, t rustTarget) {
	if t.part > 0 || t.value == code.None {
		t = rustTarget{value: r.whole(n, t), at: t.at}
	}
	r.places(n, func(c syntax.Node, place int) {
		next := t
		if next.value != code.None {
			next.part = place + 1
		}
		r.pattern(c, next)
	})
}

// places walks what stands between the commas of a pattern, with its place: a
// part that nothing is done with, _, is no rule of the grammar.
func (r *rustWalk) places(n syntax.Node, walk func(c syntax.Node, place int)) {
	place, end := 0, n.Start()
	for c := range n.Children {
		if c.Field() == "type" {
			end = c.End()
			continue
		}
		if !c.Named() || c.Start() < end {
			continue
		}
		place += bytes.Count(r.tree.Src[end:c.Start()], []byte(","))
		end = c.End()
		if !c.Is("line_comment", "block_comment") {
			walk(c, place)
		}
	}
}

// rustWrapper names the variants of the language's own types that stand around
// one value: for our purpose they are that value.
func rustWrapper(name string) bool { return name == "Some" || name == "Ok" }

// variantPattern takes T(a, b) apart into the fields "0", "1" of T.
func (r *rustWalk) variantPattern(n syntax.Node, t rustTarget) {
	typ := n.Child("type")
	name := rustTypeName(typ)
	r.places(n, func(c syntax.Node, place int) {
		if rustWrapper(name) {
			r.pattern(c, t)
			return
		}
		if name == "Err" {
			if whole := r.whole(c, t); whole != code.None {
				r.pattern(c, rustTarget{value: r.member(c, whole, name), at: t.at})
				return
			}
		}
		r.pattern(c, rustTarget{value: r.fieldOf(c, name, itoa(place)), at: t.at})
	})
}

// fieldOf is the field of a value of the type.
func (r *rustWalk) fieldOf(n syntax.Node, typ, field string) int32 {
	return r.member(n, r.typed(n, typ), field)
}

// typed is a value of the type with that text.
func (r *rustWalk) typed(n syntax.Node, typ string) int32 {
	e := blank(code.TypedExpr)
	e.Name = typ
	return r.expr(n, e)
}

// rustDefault says that the text is Default::default(), which says nothing of the
// type that is wanted.
func rustDefault(n syntax.Node) bool {
	return n.Is("call_expression") && n.Child("function").Text() == "Default::default"
}

// defaulted reduces Default::default() where a value like x is wanted.
func (r *rustWalk) defaulted(n syntax.Node, x int32) int32 {
	const name = "default"
	r.call(n, code.Qualified, r.member(n, x, name), name, n.Child("function").Child("path"), nil, nil)
	return x
}

func (r *rustWalk) structPattern(n syntax.Node, t rustTarget) {
	typ := rustTypeName(n.Child("type"))
	for c := range n.Children {
		if !c.Is("field_pattern") {
			continue
		}
		name := c.Child("name")
		next := rustTarget{value: r.fieldOf(c, typ, name.Text()), at: t.at}
		if p := c.Child("pattern"); p.OK() {
			r.pattern(p, next)
		} else {
			r.pattern(name, next)
		}
	}
}

func (r *rustWalk) let(n syntax.Node) {
	t := rustTarget{value: code.None, typ: squash(n.Child("type").Text()), at: n.End()}
	if value := n.Child("value"); rustDefault(value) && t.typ != "" {
		t.value = r.defaulted(value, r.typed(value, t.typ))
	} else if value.OK() {
		t.value = r.value(value)
	}
	if other := n.Child("alternative"); other.OK() {
		r.value(other)
	}
	r.pattern(n.Child("pattern"), t)
}
