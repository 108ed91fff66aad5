package extract

import (
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// class walks a class and returns its symbol.
func (s *script) class(n syntax.Node, p place, decorators []int32) int32 {
	if !p.node.OK() {
		p.node = n
	}
	if p.name == "" {
		s.classes[s.owner]++
		p.name = "<anonymous" + itoa(s.classes[s.owner]) + ">"
	}
	decorators = append(decorators, s.decorators(n)...)
	sym := code.Symbol{
		Name: p.name, Path: p.path, Kind: code.Class, Owner: p.owner, Exported: p.exported, Doc: p.doc, Value: code.None,
		Abstract: n.Is("abstract_class_declaration"), TypeParams: typeParams(n), Decorators: decorators,
		Signature: s.cut(p.node, max(p.node.Start(), n.Child("body").Start())),
	}
	i := s.functionSymbol(p, sym)
	s.heritage(n, i)
	this := s.this
	walk := func() {
		s.within(i, code.ClassScope, func() {
			s.this = &holder{path: s.file.Symbols[i].Path, scope: s.scope, symbol: i}
			s.bounds(n)
			s.classBody(n.Child("body"))
		})
	}
	if own := n.Child("name").Text(); own == "" || own == p.name {
		walk()
	} else { // its own name holds within it only
		s.block(func() {
			s.put(s.scope, code.Binding{Name: own, Kind: code.Defines, Ref: i, Value: code.None, At: n.Start()})
			walk()
		})
	}
	s.this = this
	return i
}

// heritage notes what a class takes from.
func (s *script) heritage(n syntax.Node, symbol int32) {
	for h := range n.Children {
		switch h.Kind() {
		case "class_heritage":
			s.heritage(h, symbol)
			if !h.Has("extends_clause") && !h.Has("implements_clause") { // JavaScript
				s.extends(firstNamed(h), symbol)
			}
		case "extends_clause":
			var base syntax.Node
			for c := range h.Children {
				switch {
				case c.Field() == "value":
					base = c
					s.extends(c, symbol)
				case c.Is("type_arguments") && base.Is("identifier", "member_expression"):
					last := &s.file.Inherits[len(s.file.Inherits)-1]
					last.Expr = s.typed(base, last.Expr, typeText(base)+typeText(c))
				}
			}
		case "implements_clause":
			for c := range h.Children {
				if c.Named() {
					s.inherits(c, symbol, code.Implements)
				}
			}
		case "extends_type_clause": // of an interface
			for c := range h.Children {
				if c.Named() {
					s.inherits(c, symbol, code.Extends)
				}
			}
		}
	}
}

func (s *script) extends(n syntax.Node, symbol int32) {
	if !n.OK() || n.Is("null") {
		return
	}
	e := s.expression(n)
	s.file.Inherits = append(s.file.Inherits, code.Inherit{
		Symbol: symbol, Base: clip(squash(n.Text()), maxReceiver), Expr: e, Kind: code.Extends, Line: n.Line(),
	})
}

// inherits notes a type that another takes from.
func (s *script) inherits(n syntax.Node, symbol int32, kind code.InheritKind) {
	whole := n
	if n.Is("generic_type") {
		n = n.Child("name")
	}
	if n.Is("comment") || n.Text() == "" {
		return
	}
	e := s.typeName(n)
	if whole != n && e != code.None {
		e = s.typed(n, e, typeText(whole))
	}
	s.file.Inherits = append(s.file.Inherits, code.Inherit{
		Symbol: symbol, Base: clip(squash(n.Text()), maxReceiver), Expr: e, Kind: kind, Line: n.Line(),
	})
}

// typeName is the name of a type as an expression, None where it is no name.
func (s *script) typeName(n syntax.Node) int32 {
	switch n.Kind() {
	case "type_identifier", "identifier":
		return s.name(n, n.Text())
	case "nested_type_identifier":
		return s.property(n, s.typeName(n.Child("module")), n.Child("name").Text())
	case "nested_identifier", "member_expression":
		return s.property(n, s.typeName(n.Child("object")), n.Child("property").Text())
	}
	return code.None
}

// classMember is a member with what stands before it.
type classMember struct {
	node       syntax.Node
	first      syntax.Node // the first decorator, where it stands before the node
	doc        string
	decorators []int32
	returns    []string // what overloads of it say that it returns
}

// classBody walks fields first: what constructors and methods assign to must be
// known by then.
func (s *script) classBody(body syntax.Node) {
	var methods, fields []classMember
	bodies := map[string]bool{}
	var decorators []int32
	var first syntax.Node
	var doc string // of the decorator
	s.each(body, func(c syntax.Node, comments []syntax.Node) {
		if c.Is("decorator") {
			if !first.OK() {
				first, doc = c, docBefore(comments)
			}
			decorators = append(decorators, s.decorator(c))
			return
		}
		m := classMember{node: c, first: first, doc: docBefore(comments), decorators: decorators}
		if m.doc == "" {
			m.doc = doc
		}
		switch c.Kind() {
		case "field_definition", "public_field_definition":
			fields = append(fields, m)
		case "method_definition":
			bodies[methodKey(c)] = true
			methods = append(methods, m)
		case "method_signature", "abstract_method_signature", "class_static_block", "ERROR":
			methods = append(methods, m)
		}
		decorators, first, doc = nil, syntax.Node{}, ""
	})
	for _, m := range methods {
		if name := keyText(m.node.Child("name")); name != "" {
			s.members[join(s.this.path, name)] = code.None
		}
	}
	for _, m := range fields {
		s.field(m)
	}
	docs := map[string]string{}
	returns := map[string][]string{}
	for _, m := range methods {
		if key := methodKey(m.node); m.node.Is("method_signature") && bodies[key] {
			returns[key] = addReturn(returns[key], m.node)
		}
	}
	for _, m := range methods {
		if m.node.Is("method_definition") {
			m.returns = returns[methodKey(m.node)]
		}
		s.classMethod(m, bodies, docs)
	}
}

// addReturn adds the result that an overload declares.
func addReturn(list []string, n syntax.Node) []string {
	if text := typeText(n.Child("return_type")); text != "" && !slices.Contains(list, text) {
		return append(list, text)
	}
	return list
}

func methodKey(n syntax.Node) string {
	key := keyText(n.Child("name"))
	for _, word := range []string{"static", "get", "set"} {
		if n.Has(word) {
			key = word + " " + key
		}
	}
	return key
}

// classMethod walks a method, or an overload of one.
func (s *script) classMethod(m classMember, bodies map[string]bool, docs map[string]string) {
	n := m.node
	switch n.Kind() {
	case "class_static_block", "ERROR":
		s.statement(n, declaration{node: n})
		return
	case "method_signature", "abstract_method_signature":
		key := methodKey(n)
		if bodies[key] {
			if docs[key] == "" {
				docs[key] = m.doc
			}
			return
		}
		bodies[key] = true
	}
	if m.doc == "" {
		m.doc = docs[methodKey(n)]
	}
	i := s.method(m, s.this)
	s.overloaded(i, m.returns)
}

// overloaded gives a function that says nothing of its result what its overloads
// say.
func (s *script) overloaded(symbol int32, returns []string) {
	switch sym := &s.file.Symbols[symbol]; sym.Returns {
	case "", "any", "unknown":
		if len(returns) > 0 {
			sym.Returns = clip(strings.Join(returns, " | "), maxSignature)
		}
	}
}

// method walks a method of the current class, interface or object.
func (s *script) method(m classMember, this *holder) int32 {
	n := m.node
	decorators := append(m.decorators, s.decorators(n)...)
	name := n.Child("name")
	if name.Is("computed_property_name") {
		s.children(name)
	}
	p := place{
		node: n, name: keyText(name), kind: code.Method, doc: m.doc, static: n.Has("static") || n.Has("static get"),
		abstract: !n.Child("body").OK(), exported: visible(n), this: this, owner: this.owner,
	}
	if p.name == "constructor" && s.file.Scopes[s.scope].Kind == code.ClassScope && this.owner == "" && s.inClass() {
		p.kind = code.Constructor
	}
	if this.symbol == code.None || s.owner != this.symbol || s.file.Symbols[this.symbol].Path != this.path {
		p.path = join(this.path, p.name)
	}
	if this.module {
		p.kind = code.Function
	}
	i := s.function(n, p)
	s.decorated(i, m.first, decorators)
	s.members[join(this.path, p.name)] = i
	return i
}

// decorated gives a symbol its decorators, with which it begins.
func (s *script) decorated(symbol int32, first syntax.Node, decorators []int32) {
	sym := &s.file.Symbols[symbol]
	sym.Decorators = decorators
	if first.OK() {
		sym.Start, sym.Line = first.Start(), first.Line()
	}
}

func (s *script) inClass() bool {
	return s.owner != code.None && s.file.Symbols[s.owner].Kind.Type()
}

// visible says that a member can be used from outside of its class.
func visible(n syntax.Node) bool {
	access := n.First("accessibility_modifier").Text()
	name := n.Child("name")
	if !name.OK() {
		name = n.Child("property")
	}
	return access != "private" && access != "protected" && !name.Is("private_property_identifier")
}

// field walks a declared field. One that is set to a function is a method.
func (s *script) field(m classMember) {
	n := m.node
	name := n.Child("name")
	if !name.OK() {
		name = n.Child("property")
	}
	if name.Is("computed_property_name") {
		s.children(name)
	}
	key, value := keyText(name), n.Child("value")
	decorators := append(m.decorators, s.decorators(n)...)
	p := place{
		node: n, name: key, kind: code.Method, doc: m.doc, static: n.Has("static"), exported: visible(n),
		typ: typeText(n.Child("type")), this: s.this,
	}
	inner := unwrap(value)
	if key == "" {
		if value.OK() {
			s.expression(value)
		}
		return
	}
	path := join(s.this.path, key)
	if isFunction(inner) {
		i := s.function(inner, p)
		s.decorated(i, m.first, decorators)
		s.members[path] = i
		return
	}
	if p.typ == "" {
		p.typ = docType(p.doc, "@type")
	}
	end := n.End()
	if inner.Is("object", "array", "class", "call_expression", "new_expression") {
		end = value.Start()
	}
	i := s.define(n, code.Symbol{
		Name: key, Kind: code.Field, Doc: p.doc, Static: p.static, Exported: p.exported, Type: p.typ, Value: code.None,
		Signature: s.cut(n, end), Abstract: n.Has("abstract"),
	})
	s.decorated(i, m.first, decorators)
	s.members[path] = i
	if value.OK() {
		p.path = path
		s.valueOf(i, value, p)
	}
}

// setField notes that a member of `this` is assigned to.
func (s *script) setField(at syntax.Node, name string, value int32) {
	h := s.this
	if h == nil || name == "" {
		return
	}
	i, known := s.members[join(h.path, name)]
	if !known {
		sym := code.Symbol{Name: name, Kind: code.Field, Value: value, Exported: !strings.HasPrefix(name, "#"), Signature: s.cut(at, at.End())}
		s.memberOf(h, at, sym)
		return
	}
	if i == code.None {
		return
	}
	if f := &s.file.Symbols[i]; f.Kind == code.Field && s.known(value) && !s.known(f.Value) {
		f.Value = value
	}
}

// known says that an expression tells something about its value.
func (s *script) known(value int32) bool {
	if value <= 0 {
		return false
	}
	switch e := &s.file.Exprs[value]; e.Kind {
	case code.OtherExpr:
		return false
	case code.ConstExpr:
		return e.Name != "null" && e.Name != "undefined"
	}
	return true
}

// decorators walks the decorators directly below a node.
func (s *script) decorators(n syntax.Node) []int32 {
	var out []int32
	for c := range n.Children {
		if c.Is("decorator") {
			out = append(out, s.decorator(c))
		}
	}
	return out
}

// decorator walks a decorator: what it names is called with what it stands at.
func (s *script) decorator(n syntax.Node) int32 {
	inner := firstNamed(n)
	e := s.expression(inner)
	callee := unwrap(inner)
	name, receiver := s.lastName(e), syntax.Node{}
	if callee.Is("member_expression") {
		receiver = callee.Child("object")
	}
	s.call(n, code.Indirect, e, name, receiver, nil, nil)
	return e
}

// lastName is the name at the end of a name or member expression.
func (s *script) lastName(e int32) string {
	if e <= 0 {
		return ""
	}
	switch x := &s.file.Exprs[e]; x.Kind {
	case code.NameExpr, code.MemberExpr:
		return x.Name
	}
	return ""
}
