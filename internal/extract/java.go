package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// walkJava reads a Java file: types with their members, and the bodies of
// methods. A call outside of methods (field initialisers, static blocks) has no
// caller.
func walkJava(b *builder, root syntax.Node) {
	w := &javaWalk{classy: newClassy(b)}
	w.members(root)
}

type javaWalk struct {
	classy
	arms []int32 // values that yield has given the switch around
}

// members goes over what stands in a file or a type, with its comments.
func (w *javaWalk) members(n syntax.Node) {
	var l leading
	for c := range n.Children {
		if c.Is("line_comment", "block_comment") {
			l.add(c)
			continue
		}
		if c.Named() {
			w.declaration(c, l.before(c))
		}
		l.pass(c)
	}
}

func (w *javaWalk) declaration(n syntax.Node, doc string) {
	switch n.Kind() {
	case "package_declaration":
		w.file.Package = withoutGenerics(n.First("identifier", "scoped_identifier").Text())
	case "import_declaration":
		w.importing(n)
	case "class_declaration", "record_declaration", "interface_declaration", "enum_declaration", "annotation_type_declaration":
		w.typeDeclaration(n, doc)
	case "method_declaration", "constructor_declaration", "compact_constructor_declaration", "annotation_type_element_declaration":
		w.method(n, doc)
	case "field_declaration", "constant_declaration":
		w.fields(n, doc)
	case "enum_constant":
		w.enumConstant(n, doc)
	case "enum_body_declarations":
		w.members(n)
	case "module_declaration":
	default:
		w.walk(n)
	}
}

func (w *javaWalk) importing(n syntax.Node) {
	path := withoutGenerics(n.First("identifier", "scoped_identifier").Text())
	i := code.Import{Module: path, Name: "*", Static: n.Has("static"), Scope: w.scope, Line: n.Line()}
	if !n.Has("asterisk") {
		at := strings.LastIndexByte(path, '.')
		if at < 0 {
			at = 0
		}
		i.Module, i.Name = path[:at], strings.TrimPrefix(path[at:], ".")
		i.Alias = i.Name
	}
	if path == "" {
		return
	}
	w.file.Imports = append(w.file.Imports, i)
	if i.Alias != "" {
		w.bind(code.Binding{Name: i.Alias, Kind: code.Imports, Ref: int32(len(w.file.Imports) - 1), Value: code.None, At: n.Start()})
	}
}

// javaModifiers are the words before a declaration. start is where it begins
// without its annotations.
type javaModifiers struct {
	private, static, abstract, final, native bool
	start                                    uint32
}

func javaModifiersOf(n syntax.Node) javaModifiers {
	m := javaModifiers{start: n.Start()}
	for c := range n.Children {
		if !c.Is("modifiers") {
			if m.start != n.Start() { // behind annotations
				m.start = c.Start()
			}
			break
		}
		m.start = c.End()
		for word := range c.Children {
			if word.Is("annotation", "marker_annotation") {
				continue
			}
			if word.Start() < m.start {
				m.start = word.Start()
			}
			switch word.Kind() {
			case "private":
				m.private = true
			case "static":
				m.static = true
			case "abstract":
				m.abstract = true
			case "final":
				m.final = true
			case "native":
				m.native = true
			}
		}
		if m.start < c.End() {
			break
		}
	}
	return m
}

var javaTypes = map[string]code.Kind{
	"class_declaration": code.Class, "record_declaration": code.Class, "enum_declaration": code.Enum,
	"interface_declaration": code.Interface, "annotation_type_declaration": code.Interface,
}

func (w *javaWalk) typeDeclaration(n syntax.Node, doc string) {
	name, body := n.Child("name").Text(), n.Child("body")
	if name == "" {
		w.children(n)
		return
	}
	m := javaModifiersOf(n)
	symbol := w.define(n, code.Symbol{
		Name: name, Kind: javaTypes[n.Kind()], Doc: doc, Signature: w.between(m.start, body.Start()),
		Exported: !m.private && w.caller() == code.None, Abstract: m.abstract, Value: code.None,
		Static: m.static, TypeParams: javaTypeParams(n),
	})
	w.bases(symbol, n)
	header := w.parameters(n.Child("parameters"))
	w.open(symbol, header, func() {
		w.bounds(n)
		w.components(n.Child("parameters"), header)
		w.members(body)
	})
}

// components defines the fields that a record's parameters are.
func (w *javaWalk) components(n syntax.Node, header []code.Param) {
	i := 0
	for c := range n.Children {
		if !c.Is("formal_parameter", "spread_parameter", "identifier") || i >= len(header) {
			continue
		}
		p := header[i]
		if i++; p.Name != "" {
			w.field(c, code.Symbol{Name: p.Name, Kind: code.Field, Type: p.Type, Exported: true})
		}
	}
}

func javaTypeParams(n syntax.Node) []string {
	var out []string
	for c := range n.Child("type_parameters").Children {
		if name := c.First("type_identifier", "identifier"); c.Is("type_parameter") && name.OK() {
			out = append(out, name.Text())
		}
	}
	return out
}

// bounds notes T extends A & B of what n declares.
func (w *javaWalk) bounds(n syntax.Node) {
	for c := range n.Child("type_parameters").Children {
		var all []string
		for t := range c.First("type_bound").Children {
			if t.Named() && !t.Is("line_comment", "block_comment") {
				all = append(all, squash(t.Text()))
			}
		}
		w.bounded(c, c.First("type_identifier", "identifier").Text(), all)
	}
}

// bases notes what a type extends and implements.
func (w *javaWalk) bases(symbol int32, n syntax.Node) {
	for c := range n.Children {
		switch c.Kind() {
		case "superclass":
			for _, t := range c.NamedChildren() {
				w.base(symbol, code.Extends, t)
			}
		case "super_interfaces", "extends_interfaces":
			kind := code.Implements
			if c.Is("extends_interfaces") {
				kind = code.Extends
			}
			for t := range c.First("type_list").Children {
				w.base(symbol, kind, t)
			}
		}
	}
}

func (w *javaWalk) base(symbol int32, kind code.InheritKind, t syntax.Node) {
	if !t.Named() || t.Is("line_comment", "block_comment") {
		return
	}
	name := javaTypeName(t)
	w.inherit(symbol, kind, t, name, w.baseName(t, name, typeArguments(javaArguments(t))))
}

// javaArguments are the type arguments of a type.
func javaArguments(t syntax.Node) syntax.Node {
	for t.Is("annotated_type") {
		t = t.First("generic_type", "annotated_type")
	}
	return t.First("type_arguments")
}

// javaTypeName is a type's dotted name, without arguments and annotations.
func javaTypeName(n syntax.Node) string {
	switch n.Kind() {
	case "identifier", "type_identifier":
		return n.Text()
	case "annotated_type", "generic_type", "scoped_type_identifier":
		var parts []string
		for c := range n.Children {
			if c.Is("identifier", "type_identifier", "generic_type", "scoped_type_identifier", "array_type") {
				parts = append(parts, javaTypeName(c))
			}
		}
		return strings.Join(parts, ".")
	}
	return withoutGenerics(n.Text())
}

// javaTypeText is a declared type as written, "" where it is left to the value.
func javaTypeText(n, dimensions syntax.Node) string {
	text := squash(n.Text())
	if text == "var" {
		return ""
	}
	return text + squash(dimensions.Text())
}

func (w *javaWalk) method(n syntax.Node, doc string) {
	name, body := n.Child("name").Text(), n.Child("body")
	if name == "" {
		w.children(n)
		return
	}
	m, end := javaModifiersOf(n), n.End()
	if body.OK() {
		end = body.Start()
	}
	s := code.Symbol{
		Name: name, Kind: code.Method, Doc: doc, Signature: w.between(m.start, end), Exported: !m.private, Static: m.static,
		Abstract: !body.OK() && !m.native, Returns: javaTypeText(n.Child("type"), n.Child("dimensions")), TypeParams: javaTypeParams(n), Value: code.None,
	}
	params := w.parameters(n.Child("parameters"))
	var symbol int32
	switch {
	case n.Is("compact_constructor_declaration"):
		if c := w.class(); c != nil {
			params = append([]code.Param(nil), c.header...)
		}
		symbol = w.constructor(n, s)
	case n.Is("constructor_declaration"):
		symbol = w.constructor(n, s)
	default:
		if w.owner == code.None {
			s.Kind, s.Static = code.Function, false
		}
		symbol = w.define(n, s)
	}
	w.within(symbol, code.FunctionScope, func() {
		w.takes(symbol, n, params)
		w.bounds(n)
		if value := n.Child("value"); value.OK() { // an annotation's default
			w.returns(w.value(value))
		}
		w.children(body)
	})
}

// parameters reads formal_parameters.
func (w *javaWalk) parameters(n syntax.Node) []code.Param {
	var out []code.Param
	for c := range n.Children {
		p := code.Param{Default: code.None}
		switch c.Kind() {
		case "formal_parameter":
			p.Name, p.Type = c.Child("name").Text(), javaTypeText(c.Child("type"), c.Child("dimensions"))
		case "spread_parameter":
			p.Variadic = true
			for t := range c.Children {
				switch {
				case t.Is("variable_declarator"):
					p.Name = t.Child("name").Text()
				case t.Named() && !t.Is("modifiers", "annotation", "marker_annotation", "line_comment", "block_comment"):
					p.Type = squash(t.Text()) + "..."
				}
			}
		case "identifier": // of a lambda
			p.Name = c.Text()
		default:
			continue
		}
		out = append(out, p)
	}
	return out
}

func (w *javaWalk) fields(n syntax.Node, doc string) {
	m := javaModifiersOf(n)
	inInterface := n.Is("constant_declaration")
	kind := code.Field
	if inInterface || m.static && m.final {
		kind = code.Constant
	}
	for c := range n.Children {
		if !c.Is("variable_declarator") {
			continue
		}
		name := c.Child("name")
		if name.Text() == "" {
			continue
		}
		symbol := w.field(c, code.Symbol{
			Name: name.Text(), Kind: kind, Doc: doc, Type: javaTypeText(n.Child("type"), c.Child("dimensions")),
			Signature: w.between(m.start, n.Child("type").End()) + " " + w.declarator(c, "value"),
			Exported:  !m.private && w.caller() == code.None, Static: m.static || inInterface,
		})
		if value := c.Child("value"); value.OK() {
			v := w.value(value)
			w.file.Symbols[symbol].Value = v
		}
	}
}

// declarator is the name of a variable with its value where that is a literal.
func (w *classy) declarator(n syntax.Node, field string) string {
	if v := n.Child(field); !v.OK() || strings.HasSuffix(v.Kind(), "literal") {
		return w.between(n.Start(), n.End())
	}
	return n.Child("name").Text()
}

func (w *javaWalk) enumConstant(n syntax.Node, doc string) {
	name := n.Child("name").Text()
	if name == "" || w.owner == code.None {
		w.children(n)
		return
	}
	enum := w.file.Symbols[w.owner].Name
	args := n.Child("arguments")
	end := n.End()
	if body := n.Child("body"); body.OK() {
		end = body.Start()
	}
	symbol := w.field(n, code.Symbol{
		Name: name, Kind: code.EnumMember, Doc: doc, Type: enum, Exported: true, Static: true,
		Signature: w.between(n.Child("name").Start(), end),
	})
	value := code.None
	if body := n.Child("body"); body.OK() {
		value = w.anonymousClass(n, body, enum, w.args(args))
	} else if args.OK() { // the text calls the constructor
		value = w.call(n, code.Ctor, w.name(n, enum), enum, syntax.Node{}, w.args(args), nil)
	}
	w.file.Symbols[symbol].Value = value
}

// anonymousClass defines the class of a body that follows `new T(…)` or an enum
// constant, and gives a new instance of it. Its base's constructor runs with the
// arguments.
func (w *javaWalk) anonymousClass(n, body syntax.Node, base string, args []int32) int32 {
	w.anonymous[w.owner]++
	name := "<anonymous" + itoa(w.anonymous[w.owner]) + ">"
	symbol := w.define(n, code.Symbol{Name: name, Kind: code.Class, Signature: "new " + base, Value: code.None})
	w.inherit(symbol, code.Extends, n, base, w.path(n, base))
	w.open(symbol, nil, func() { w.members(body) })
	return w.call(n, code.New, w.name(n, name), base[strings.LastIndexByte(base, '.')+1:], syntax.Node{}, args, nil)
}
