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
	s.typeBody(n.Child("body"), i)
}

// typeBody walks the members of an interface or of an object type.
func (s *script) typeBody(body syntax.Node, symbol int32) {
	this := s.this
	s.within(symbol, code.ClassScope, func() {
		s.this = &holder{path: s.file.Symbols[symbol].Path, scope: s.scope, symbol: symbol}
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
	if name == "" || s.has(name) {
		return
	}
	s.members[join(s.this.path, name)] = s.define(c, code.Symbol{
		Name: name, Kind: code.Field, Type: typeText(c.Child("type")), Doc: docBefore(comments), Exported: true, Value: code.None,
		Signature: s.cut(c, c.End()),
	})
}

func (s *script) alias(n syntax.Node, d declaration) {
	i := s.typeSymbol(n, d, code.TypeAlias)
	if i == code.None {
		return
	}
	value := n.Child("value")
	s.file.Symbols[i].Type = typeText(value)
	if value.Is("object_type") {
		s.typeBody(value, i)
	}
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
