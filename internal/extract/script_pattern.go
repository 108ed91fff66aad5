package extract

import (
	"bytes"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// source is what a pattern takes apart: a value, its elements, or a part of
// either.
type source struct {
	value   int32
	element bool
	part    int
}

// target is where the names of a pattern go. At the top of a file they become
// symbols.
type target struct {
	scope int32
	kind  code.Kind // of symbols, "" for none
	decl  declaration
	typ   string
	at    uint32 // from where the names hold, if not from where they stand
}

// whole is a source as one expression.
func (s *script) whole(n syntax.Node, from source) int32 {
	if from.value == code.None {
		return code.None
	}
	x := from.value
	if from.element {
		e := blank(code.IndexExpr)
		e.X, e.Args = x, []int32{s.other(n)}
		x = s.expr(n, e)
	}
	if from.part > 0 {
		x = s.index(n, x, itoa(from.part-1))
	}
	return x
}

func (s *script) index(n syntax.Node, x int32, key string) int32 {
	e := blank(code.IndexExpr)
	e.X, e.Name = x, key
	return s.expr(n, e)
}

// property is the member of a value that may be nothing.
func (s *script) property(n syntax.Node, x int32, name string) int32 {
	if x == code.None || name == "" {
		return code.None
	}
	return s.member(n, x, name)
}

// either is one of two values that may be nothing.
func (s *script) either(n syntax.Node, values ...int32) int32 {
	e := blank(code.EitherExpr)
	for _, v := range values {
		if v != code.None {
			e.Args = append(e.Args, v)
		}
	}
	if len(e.Args) == 1 {
		return e.Args[0]
	}
	return s.expr(n, e)
}

// pattern binds every name in a pattern to the part of the source it takes.
func (s *script) pattern(n syntax.Node, from source, to target) {
	switch n.Kind() {
	case "identifier", "shorthand_property_identifier_pattern", "undefined":
		s.leaf(n, from, to)
	case "object_pattern":
		s.objectPattern(n, s.typed(n, s.whole(n, from), to.typ), to)
	case "array_pattern":
		s.arrayPattern(n, from, to)
	case "assignment_pattern", "object_assignment_pattern":
		fallback := s.expression(n.Child("right"))
		s.pattern(n.Child("left"), source{value: s.either(n, s.whole(n, from), fallback)}, to)
	case "rest_pattern", "parenthesized_expression", "non_null_expression":
		s.pattern(firstNamed(n), from, to)
	case "member_expression", "subscript_expression":
		s.assignTo(n, s.whole(n, from), max(n.End(), to.at))
	default:
		s.children(n)
	}
}

// typed is a value with the type that is written for it.
func (s *script) typed(n syntax.Node, value int32, typ string) int32 {
	if typ == "" {
		return value
	}
	e := blank(code.TypedExpr)
	e.Name, e.X = typ, value
	return s.expr(n, e)
}

func (s *script) leaf(n syntax.Node, from source, to target) {
	name := n.Text()
	if name == "" {
		return // put in by the parser where a name is missing
	}
	if to.kind != "" {
		at := to.decl.node
		i := s.define(at, code.Symbol{
			Name: name, Kind: to.kind, Type: to.typ, Value: s.whole(n, from), Doc: docBefore(to.decl.comments),
			Exported: to.decl.exported, Signature: to.decl.prefix + s.cut(at, at.End()),
		})
		s.declare(s.scope, name, asVariable)
		s.file.Symbols[i].Line = n.Line()
		return
	}
	scope := to.scope
	if scope == code.None {
		scope, _ = s.scopeOf(name)
	}
	s.put(scope, code.Binding{
		Name: name, Kind: code.Assigned, Ref: code.None, Type: to.typ,
		Value: from.value, Element: from.element, Part: from.part, At: max(n.Start(), to.at),
	})
}

// objectPattern takes members off the value x.
func (s *script) objectPattern(n syntax.Node, x int32, to target) {
	to.typ = ""
	for c := range n.Children {
		switch c.Kind() {
		case "shorthand_property_identifier_pattern":
			s.pattern(c, source{value: s.property(c, x, c.Text())}, to)
		case "pair_pattern":
			key := c.Child("key")
			if key.Is("computed_property_name") {
				s.children(key)
			}
			s.pattern(c.Child("value"), source{value: s.property(c, x, keyText(key))}, to)
		case "object_assignment_pattern":
			left := c.Child("left")
			value := s.property(c, x, left.Text())
			s.pattern(left, source{value: s.either(c, value, s.expression(c.Child("right")))}, to)
		case "rest_pattern":
			s.pattern(c, source{value: x}, to)
		case "ERROR":
			s.children(c)
		}
	}
}

// arrayPattern takes elements by their place; places may be left empty.
func (s *script) arrayPattern(n syntax.Node, from source, to target) {
	if to.typ != "" {
		from = source{value: s.typed(n, s.whole(n, from), to.typ)}
		to.typ = ""
	}
	if from.part > 0 {
		from = source{value: s.whole(n, from)}
	}
	at, place := n.Start(), 1
	for c := range n.Children {
		if !c.Named() || c.Is("comment") {
			continue
		}
		place += bytes.Count(s.tree.Src[at:max(at, c.Start())], []byte(","))
		at = c.End()
		if c.Is("rest_pattern") {
			s.pattern(c, source{value: s.rest(c, s.whole(c, from), place-1)}, to)
			continue
		}
		taken := source{value: from.value, element: from.element, part: place}
		if from.value == code.None {
			taken = from
		}
		s.pattern(c, taken, to)
	}
}

// rest is what a list holds from a place on.
func (s *script) rest(n syntax.Node, x int32, from int) int32 {
	if x == code.None || from == 0 {
		return x
	}
	e := blank(code.CallExpr)
	e.X, e.Name = s.member(n, x, "slice"), "slice"
	e.Args = []int32{s.constant(n, "number", itoa(from))}
	return s.expr(n, e)
}
