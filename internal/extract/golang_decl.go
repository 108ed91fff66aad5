package extract

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// types walks type declarations, at the top or within a function.
func (g *goWalk) types(n syntax.Node, doc string) {
	var lead leading
	alone := !goGroup(n)
	for c := range n.Children {
		switch c.Kind() {
		case "comment":
			lead.add(c)
			continue
		case "type_spec", "type_alias":
			own := lead.before(c)
			if own == "" && alone {
				own = doc
			}
			g.typeSpec(c, own)
		case "ERROR":
			g.types(c, doc)
		}
		lead.pass(c)
	}
}

func (g *goWalk) typeSpec(n syntax.Node, doc string) {
	name, typ := n.Child("name").Text(), n.Child("type")
	if !goNames(name) {
		return
	}
	s := code.Symbol{Name: name, Kind: code.TypeAlias, Doc: doc, Exported: goExported(name), TypeParams: goTypeParams(n, syntax.Node{})}
	head := oneLine(g.tree.Src, n.Start(), typ.Start())
	switch typ.Kind() {
	case "struct_type":
		s.Kind, s.Signature = code.Struct, "type "+head+" struct"
	case "interface_type":
		s.Kind, s.Signature = code.Interface, "type "+head+" interface"
	default:
		s.Type = squash(typ.Text())
		s.Signature = "type " + head + " " + s.Type
	}
	g.names.add(g.scope, name, "")
	i := g.define(n, s)
	mark := g.names.mark()
	defer g.names.release(mark)
	switch s.Kind {
	case code.Struct:
		g.within(i, code.ClassScope, func() { g.typeParams(n); g.fields(typ.First("field_declaration_list")) })
	case code.Interface:
		g.within(i, code.ClassScope, func() { g.typeParams(n); g.interfaceBody(typ) })
	}
}

func (g *goWalk) fields(n syntax.Node) {
	var lead leading
	for c := range n.Children {
		switch c.Kind() {
		case "comment":
			lead.add(c)
			continue
		case "field_declaration":
			g.field(c, lead.before(c))
		case "ERROR":
			g.fields(c)
		}
		lead.pass(c)
	}
}

func (g *goWalk) field(n syntax.Node, doc string) {
	typ := n.Child("type")
	text := squash(typ.Text())
	embedded := true
	for c := range n.Children {
		if c.Field() == "name" && c.Named() {
			embedded = false
			if name := c.Text(); goNames(name) {
				g.define(n, code.Symbol{Name: name, Kind: code.Field, Doc: doc, Type: text, Exported: goExported(name), Value: code.None, Signature: name + " " + text})
			}
		}
	}
	if !embedded {
		return
	}
	g.embeds(typ)
	if before := oneLine(g.tree.Src, n.Start(), typ.Start()); strings.HasPrefix(before, "*") {
		text = "*" + text
	}
	if name := goTypeName(typ); name != "" {
		g.define(n, code.Symbol{Name: name, Kind: code.Field, Doc: doc, Type: text, Exported: goExported(name), Value: code.None, Signature: text})
	}
}

// embeds says that the current type takes the methods of another.
func (g *goWalk) embeds(typ syntax.Node) {
	base := typ
	if base.Is("pointer_type") {
		base = base.First("type_identifier", "qualified_type", "generic_type")
	}
	if base.Is("generic_type") {
		base = base.Child("type")
	}
	if !base.Is("type_identifier", "qualified_type") {
		return
	}
	g.file.Inherits = append(g.file.Inherits, code.Inherit{
		Symbol: g.owner, Base: squash(base.Text()), Expr: g.typeExpr(base), Kind: code.Embeds, Line: typ.Line(),
	})
}

func (g *goWalk) interfaceBody(n syntax.Node) {
	var lead leading
	for c := range n.Children {
		switch c.Kind() {
		case "comment":
			lead.add(c)
			continue
		case "method_elem":
			g.interfaceMethod(c, lead.before(c))
		case "type_elem":
			// A union is a set of types, not something to take methods from.
			if parts := c.NamedChildren(); len(parts) == 1 {
				g.embeds(parts[0])
			}
		case "ERROR":
			g.interfaceBody(c)
		}
		lead.pass(c)
	}
}

func (g *goWalk) interfaceMethod(n syntax.Node, doc string) {
	name := n.Child("name").Text()
	if !goNames(name) {
		return
	}
	i := g.define(n, code.Symbol{Name: name, Kind: code.Method, Abstract: true, Exported: goExported(name), Doc: doc})
	g.body(i, n, func() {})
}

// values walks constants and variables at the top of a file: symbols.
func (g *goWalk) values(n syntax.Node, doc string) {
	kind, word := code.Variable, "var "
	if n.Is("const_declaration") {
		kind, word = code.Constant, "const "
	}
	alone := !goGroup(n)
	var lead leading
	var line goLine
	if before := n.Previous(); alone && governs(before) {
		line.directive = before
	}
	var walk func(syntax.Node)
	walk = func(n syntax.Node) {
		for c := range n.Children {
			switch c.Kind() {
			case "comment":
				lead.add(c)
				continue
			case "var_spec_list", "ERROR":
				walk(c)
			case "const_spec", "var_spec":
				own := lead.before(c)
				if own == "" && alone {
					own = doc
				}
				g.valueSpec(c, kind, word, own, &line)
			}
			lead.pass(c)
		}
	}
	walk(n)
}

// goLine is where a line stands among constants: without type and value it has
// those of the line before it, and iota counts them.
type goLine struct {
	number int
	typ    string
	value  syntax.Node

	directive syntax.Node // before the declaration, if this is all of it
}

// valueSpec defines the names of one line.
func (g *goWalk) valueSpec(n syntax.Node, kind code.Kind, word, doc string, line *goLine) {
	typ, value := squash(n.Child("type").Text()), n.Child("value")
	counted := false
	if kind == code.Constant {
		if typ == "" && !value.OK() {
			typ = line.typ
		}
		if value.OK() {
			line.value = value
		}
		counted = !value.OK() || bytes.Contains(value.Bytes(), []byte("iota"))
		line.number++
		line.typ = typ
	}
	values := g.list(value)
	var names []string
	for c := range n.Children {
		if c.Field() == "name" && c.Named() {
			names = append(names, c.Text())
		}
	}
	end := n.End()
	if value.OK() && (value.End()-value.Start() > maxReceiver || len(names) > 1) {
		end = value.Start()
	}
	for i, name := range names {
		v := g.part(n, values, i, len(names))
		if !goNames(name) {
			continue
		}
		s := code.Symbol{
			Name: name, Kind: kind, Type: typ, Value: v, Doc: doc, Exported: goExported(name),
			Signature: strings.TrimRight(word+oneLine(g.tree.Src, n.Start(), end), " ="),
		}
		if counted || line.directive.OK() { // what it is stands in other lines
			h := fnv.New64a()
			fmt.Fprintln(h, g.bodyHash(n, name), line.number, g.bodyHash(line.value, name), line.directive.Text())
			s.Body = h.Sum64()
		}
		g.define(n, s)
	}
}

// part is the value that the i-th of count names gets from a list of values:
// one each, or one call that gives several. Taken apart at the top of a file,
// where names are symbols, it is an element of what the call gives.
func (g *goWalk) part(n syntax.Node, values []int32, i, count int) int32 {
	switch {
	case len(values) == count:
		return values[i]
	case len(values) != 1:
		return code.None
	case g.file.Exprs[values[0]].Kind != code.CallExpr:
		if i == 0 {
			return values[0] // v, ok
		}
		return code.None
	}
	e := blank(code.IndexExpr)
	e.X, e.Name = values[0], itoa(i)
	return g.expr(n, e)
}
