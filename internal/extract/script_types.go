package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// typeDeclaration walks what only TypeScript declares.
func (s *script) typeDeclaration(n syntax.Node, d declaration) bool {
	switch n.Kind() {
	case "ambient_declaration":
		s.ambient(n, d)
	case "interface_declaration":
		s.interfaceType(n, d)
	case "type_alias_declaration":
		s.alias(n, d)
	case "enum_declaration":
		s.enum(n, d)
	case "module", "internal_module":
		s.namespace(n, d)
	case "import_alias":
		s.importAlias(n, d)
	default:
		return false
	}
	return true
}

// ambient is `declare …`: everything in it has its body elsewhere.
func (s *script) ambient(n syntax.Node, d declaration) {
	d.ambient = true
	for c := range n.Children {
		switch {
		case c.Is("statement_block"): // declare global
			s.statements(c)
		case c.Named() && !c.Is("comment"):
			s.statement(c, d)
		}
	}
}

// typeSymbol adds a type and returns its symbol.
func (s *script) typeSymbol(n syntax.Node, d declaration, kind code.Kind) int32 {
	name := n.Child("name").Text()
	if name == "" {
		return code.None
	}
	end := n.End()
	if body := n.Child("body"); body.OK() {
		end = body.Start()
	}
	return s.define(d.node, code.Symbol{
		Name: name, Kind: kind, Doc: docBefore(d.comments), Exported: d.exported || d.ambient, TypeParams: typeParams(n),
		Signature: s.cut(d.node, end), Value: code.None,
	})
}

func (s *script) interfaceType(n syntax.Node, d declaration) {
	i := s.typeSymbol(n, d, code.Interface)
	if i == code.None {
		return
	}
	s.heritage(n, i)
	s.typeBody(n, n.Child("body"), i)
}

// bounds notes what generic parameters extend, as types of their names.
func (s *script) bounds(n syntax.Node) {
	for c := range n.Child("type_parameters").Children {
		name, constraint := c.Child("name").Text(), firstNamed(c.Child("constraint"))
		if name == "" || !constraint.Is("type_identifier", "generic_type", "nested_type_identifier", "intersection_type", "union_type", "object_type") {
			continue
		}
		s.bind(code.Binding{Name: name, Kind: code.Assigned, Ref: code.None, Type: typeText(constraint), Value: code.None, At: c.Start()})
	}
}

// typeBody walks the members of an interface or of an object type.
func (s *script) typeBody(n, body syntax.Node, symbol int32) {
	this := s.this
	s.within(symbol, code.ClassScope, func() {
		s.this = &holder{path: s.file.Symbols[symbol].Path, scope: s.scope, symbol: symbol}
		s.bounds(n)
		s.each(body, func(c syntax.Node, comments []syntax.Node) {
			switch c.Kind() {
			case "method_signature":
				if name := keyText(c.Child("name")); name != "" && !s.has(name) {
					s.method(classMember{node: c, doc: docBefore(comments)}, s.this)
				}
			case "property_signature":
				s.propertySignature(c, comments)
			case "call_signature":
				if !s.has("<call>") { // an instance is a function
					s.members[join(s.this.path, "<call>")] = s.function(c, place{
						node: c, name: "<call>", kind: code.Method, abstract: true, exported: true, doc: docBefore(comments), this: s.this,
					})
				}
			case "construct_signature":
				if !s.has("constructor") {
					s.members[join(s.this.path, "constructor")] = s.function(c, place{
						node: c, name: "constructor", kind: code.Constructor, abstract: true, exported: true, doc: docBefore(comments), this: s.this,
					})
				}
			}
		})
	})
	s.this = this
}

// has says that the current type has a member of the name.
func (s *script) has(name string) bool {
	_, ok := s.members[join(s.this.path, name)]
	return ok
}

func (s *script) propertySignature(c syntax.Node, comments []syntax.Node) {
	name := keyText(c.Child("name"))
	if i, ok := s.members[join(s.this.path, name)]; ok && i != code.None && s.file.Symbols[i].Kind == code.Field {
		s.alternative(&s.file.Symbols[i], typeText(c.Child("type")))
		return
	}
	if name == "" || s.has(name) {
		return
	}
	s.members[join(s.this.path, name)] = s.define(c, code.Symbol{
		Name: name, Kind: code.Field, Type: typeText(c.Child("type")), Doc: docBefore(comments), Exported: true, Value: code.None,
		Signature: s.cut(c, c.End()),
	})
}

// alternative adds to the type of a field what another part of the type says.
func (s *script) alternative(field *code.Symbol, typ string) {
	if typ != "" && field.Type != typ {
		field.Type = clip(field.Type+" | "+typ, maxSignature)
	}
}

func (s *script) alias(n syntax.Node, d declaration) {
	i := s.typeSymbol(n, d, code.TypeAlias)
	if i == code.None {
		return
	}
	value := n.Child("value")
	s.file.Symbols[i].Type = typeText(value)
	bodies, named := writtenParts(value, nil, nil)
	if len(bodies) == 0 || len(named) > 0 && !value.Is("intersection_type") {
		return
	}
	for _, base := range named {
		s.inherits(base, i, code.Extends)
	}
	for _, body := range bodies {
		s.typeBody(n, body, i)
	}
}

// writtenParts are the parts of a type that are written out, and the others.
func writtenParts(n syntax.Node, bodies, named []syntax.Node) ([]syntax.Node, []syntax.Node) {
	switch n.Kind() {
	case "object_type":
		return append(bodies, n), named
	case "union_type", "intersection_type", "parenthesized_type":
		for c := range n.Children {
			if c.Named() && !c.Is("comment") {
				bodies, named = writtenParts(c, bodies, named)
			}
		}
		return bodies, named
	}
	return bodies, append(named, n)
}

func (s *script) enum(n syntax.Node, d declaration) {
	i := s.typeSymbol(n, d, code.Enum)
	if i == code.None {
		return
	}
	s.declare(s.scope, n.Child("name").Text(), asVariable)
	s.within(i, code.ClassScope, func() {
		s.each(n.Child("body"), func(c syntax.Node, comments []syntax.Node) {
			name, value := c, syntax.Node{}
			if c.Is("enum_assignment") {
				name, value = c.Child("name"), c.Child("value")
			}
			key := keyText(name)
			if !c.Named() || c.Is("ERROR") || key == "" {
				return
			}
			m := s.define(c, code.Symbol{
				Name: key, Kind: code.EnumMember, Doc: docBefore(comments), Exported: true, Static: true, Value: code.None,
				Signature: s.cut(c, c.End()),
			})
			if value.OK() {
				v := s.expression(value)
				s.file.Symbols[m].Value = v
			}
		})
	})
}

// namespace walks a namespace; `A.B` is one within another.
func (s *script) namespace(n syntax.Node, d declaration) {
	name := n.Child("name")
	text := name.Text()
	parts := []string{stringText(name)}
	if !name.Is("string") {
		parts = strings.Split(strings.Join(strings.Fields(text), ""), ".")
	}
	s.namespaceParts(n, d, parts)
}

func (s *script) namespaceParts(n syntax.Node, d declaration, parts []string) {
	if parts[0] == "" {
		return
	}
	body := n.Child("body")
	end := n.End()
	if body.OK() {
		end = body.Start()
	}
	s.declare(s.scope, parts[0], asVariable)
	i := s.define(d.node, code.Symbol{
		Name: parts[0], Kind: code.Module, Doc: docBefore(d.comments), Exported: d.exported || d.ambient,
		Signature: s.cut(d.node, end), Value: code.None,
	})
	this := s.this
	s.this = nil
	s.within(i, code.ModuleScope, func() {
		switch {
		case len(parts) > 1:
			d.exported = true
			s.namespaceParts(n, d, parts[1:])
		case d.ambient:
			s.hoist(body)
			s.each(body, func(c syntax.Node, comments []syntax.Node) {
				s.statement(c, declaration{node: c, comments: comments, ambient: true})
			})
		default:
			s.statements(body)
		}
	})
	s.this = this
}

// importAlias is `import A = B.C`.
func (s *script) importAlias(n syntax.Node, d declaration) {
	var name, value syntax.Node
	for c := range n.Children {
		switch {
		case !c.Named() || c.Is("comment"):
		case !name.OK():
			name = c
		default:
			value = c
		}
	}
	if name.Text() == "" {
		return
	}
	v := s.typeName(value)
	s.put(s.scope, code.Binding{Name: name.Text(), Kind: code.Assigned, Ref: code.None, Value: v, At: n.Start()})
	if d.exported && v != code.None {
		s.export(name.Text(), n, v)
	}
}
