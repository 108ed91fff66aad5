package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// walkCSharp reads a C# file: namespaces, types with their members, the bodies of
// methods, and statements at the top of a program.
func walkCSharp(b *builder, root syntax.Node) {
	w := &sharpWalk{classy: newClassy(b)}
	w.members(root)
}

type sharpWalk struct{ classy }

// members goes over what stands in a file, a namespace or a type, with its
// comments.
func (w *sharpWalk) members(n syntax.Node) {
	var l leading
	for c := range n.Children {
		if c.Is("comment") {
			l.add(c)
			continue
		}
		if c.Named() && c.Field() != "condition" {
			w.declaration(c, sharpDoc(l.before(c)))
		}
		l.pass(c)
	}
}

func (w *sharpWalk) declaration(n syntax.Node, doc string) {
	switch n.Kind() {
	case "using_directive":
		w.using(n)
	case "namespace_declaration":
		w.namespace(n, doc)
	case "file_scoped_namespace_declaration":
		w.file.Package = sharpTypeName(n.Child("name"))
	case "class_declaration", "struct_declaration", "record_declaration", "interface_declaration":
		w.typeDeclaration(n, doc)
	case "enum_declaration":
		w.enum(n, doc)
	case "enum_member_declaration":
		w.enumMember(n, doc)
	case "delegate_declaration":
		w.delegate(n, doc)
	case "method_declaration", "local_function_statement", "constructor_declaration", "destructor_declaration",
		"operator_declaration", "conversion_operator_declaration":
		w.method(n, doc)
	case "property_declaration", "indexer_declaration", "event_declaration":
		w.property(n, doc)
	case "field_declaration", "event_field_declaration":
		w.fields(n, doc)
	case "preproc_if", "preproc_elif", "preproc_else", "declaration_list":
		w.members(n)
	case "global_attribute", "extern_alias_directive", "attribute_list":
	default:
		w.walk(n)
	}
}

// sharpDoc takes the markup out of a documentation comment. What a tag names
// stays.
func sharpDoc(doc string) string {
	if !strings.Contains(doc, "<") {
		return doc
	}
	var b strings.Builder
	for {
		text, rest, found := strings.Cut(doc, "<")
		b.WriteString(text)
		if !found {
			break
		}
		tag, after, closed := strings.Cut(rest, ">")
		if !closed {
			b.WriteString("<" + rest)
			break
		}
		for _, key := range []string{"cref=\"", "name=\"", "langword=\""} {
			if _, value, ok := strings.Cut(tag, key); ok {
				value, _, _ = strings.Cut(value, "\"")
				b.WriteString(value)
				if !strings.HasSuffix(tag, "/") {
					b.WriteString(": ")
				}
			}
		}
		doc = after
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func (w *sharpWalk) using(n syntax.Node) {
	i := code.Import{Name: "*", Static: n.Has("static"), Reexport: n.Has("global"), Scope: w.scope, Line: n.Line()}
	alias := n.Child("name")
	for c := range n.Children {
		if c.Named() && c.Field() == "" && !c.Is("comment") {
			i.Module = sharpTypeName(c)
		}
	}
	if alias.OK() { // of a type or a namespace: the last name of a path
		at := strings.LastIndexByte(i.Module, '.')
		i.Name, i.Alias = "", alias.Text()
		if at > 0 {
			i.Module, i.Name = i.Module[:at], i.Module[at+1:]
		}
	}
	if i.Module == "" {
		return
	}
	w.file.Imports = append(w.file.Imports, i)
	if i.Alias != "" {
		w.bind(code.Binding{Name: i.Alias, Kind: code.Imports, Ref: int32(len(w.file.Imports) - 1), Value: code.None, At: n.Start()})
	}
}

func (w *sharpWalk) namespace(n syntax.Node, doc string) {
	name, body := sharpTypeName(n.Child("name")), n.Child("body")
	if name == "" {
		w.members(body)
		return
	}
	symbol := w.define(n, code.Symbol{Name: name, Kind: code.Module, Doc: doc, Exported: true, Value: code.None})
	w.within(symbol, code.ModuleScope, func() { w.members(body) })
}

// sharpModifiers are the words before a declaration. start is where it begins
// without its attributes.
type sharpModifiers struct {
	access                                    string
	static, abstract, constant, outer, partly bool
	start                                     uint32
}

func sharpModifiersOf(n syntax.Node) sharpModifiers {
	m := sharpModifiers{start: n.Start()}
	attributes := false
	for c := range n.Children {
		switch {
		case c.Is("attribute_list", "preproc_if_in_attribute_list"):
			attributes = true
		case attributes && !c.Is("comment"):
			attributes, m.start = false, c.Start()
		}
		if !c.Is("modifier") {
			continue
		}
		switch word := c.Text(); word {
		case "public", "internal", "protected", "private", "file":
			if m.access == "" || m.access == "private" { // private protected is seen by heirs
				m.access = word
			}
		case "static":
			m.static = true
		case "abstract":
			m.abstract = true
		case "const":
			m.constant, m.static = true, true
		case "extern":
			m.outer = true
		case "partial":
			m.partly = true
		}
	}
	return m
}

// exported says whether others see a member or a type: without a word, types of
// a namespace and members of interfaces are seen, other members are not.
func (w *sharpWalk) exported(m sharpModifiers) bool {
	switch m.access {
	case "private", "file":
		return false
	case "":
		if w.owner == code.None {
			return true
		}
		kind := w.file.Symbols[w.owner].Kind
		return kind == code.Module || kind == code.Interface
	}
	return true
}

func (w *sharpWalk) ownerKind() code.Kind {
	if w.owner == code.None {
		return ""
	}
	return w.file.Symbols[w.owner].Kind
}

var sharpTypes = map[string]code.Kind{
	"class_declaration": code.Class, "record_declaration": code.Class, "struct_declaration": code.Struct, "interface_declaration": code.Interface,
}

func (w *sharpWalk) typeDeclaration(n syntax.Node, doc string) {
	name, body := n.Child("name").Text(), n.Child("body")
	if name == "" {
		w.members(n)
		return
	}
	m, kind := sharpModifiersOf(n), sharpTypes[n.Kind()]
	if n.Is("record_declaration") && n.Has("struct") {
		kind = code.Struct
	}
	end := n.End()
	if body.OK() {
		end = body.Start()
	}
	symbol := w.define(n, code.Symbol{
		Name: name, Kind: kind, Doc: doc, Signature: w.between(m.start, end), Exported: w.exported(m), Static: m.static,
		Abstract: m.abstract, TypeParams: sharpTypeParams(n), Value: code.None,
	})
	bases := n.First("base_list")
	w.bases(symbol, kind, bases)
	w.open(symbol, nil, func() {
		w.bounds(n)
		if header := n.First("parameter_list"); header.OK() {
			w.primary(n, name, header, bases)
		}
		w.members(body)
	})
}

// primary reads the parameters behind a type's name: a constructor, whose
// parameters are properties of a record and seen in the body of other types.
func (w *sharpWalk) primary(n syntax.Node, name string, header, bases syntax.Node) {
	params := w.parameters(header)
	symbol := w.constructor(header, code.Symbol{Name: name, Signature: w.between(n.Child("name").Start(), header.End()), Exported: true})
	fields := map[string]int32{}
	for _, p := range params {
		if p.Name != "" { // what the body uses of a class's parameters is kept in fields
			fields[p.Name] = w.field(header, code.Symbol{
				Name: p.Name, Kind: code.Field, Type: p.Type, Signature: strings.TrimSpace(p.Type + " " + p.Name), Exported: n.Is("record_declaration"),
			})
		}
	}
	w.within(symbol, code.FunctionScope, func() {
		w.takes(symbol, header, params)
		for _, p := range params {
			if field, ok := fields[p.Name]; ok {
				w.file.Symbols[field].Value = w.name(header, p.Name)
			}
		}
		args := bases.First("argument_list")
		if !args.OK() {
			args = bases.First("primary_constructor_base_type").First("argument_list")
		}
		if args.OK() {
			values, keys := w.args(args)
			w.call(args, code.Ctor, w.expr(args, blank(code.SuperExpr)), "base", syntax.Node{}, values, keys)
		}
	})
}

func sharpTypeParams(n syntax.Node) []string {
	var out []string
	for c := range n.First("type_parameter_list").Children {
		if name := c.Child("name"); c.Is("type_parameter") && name.OK() {
			out = append(out, name.Text())
		}
	}
	return out
}

// bounds notes where T : A, B of what n declares.
func (w *sharpWalk) bounds(n syntax.Node) {
	for c := range n.Children {
		if !c.Is("type_parameter_constraints_clause") {
			continue
		}
		var all []string
		for t := range c.Children {
			if typ := t.Child("type"); t.Is("type_parameter_constraint") && typ.Is("identifier", "generic_name", "qualified_name", "alias_qualified_name") {
				all = append(all, squash(typ.Text()))
			}
		}
		w.bounded(c, c.First("identifier").Text(), all)
	}
}

// bases notes what a type inherits. The text does not tell a class from an
// interface: only the first can be a class, and interfaces are named IFoo.
func (w *sharpWalk) bases(symbol int32, kind code.Kind, n syntax.Node) {
	first := true
	for c := range n.Children {
		if !c.Named() || c.Is("argument_list", "comment", "ERROR") {
			continue
		}
		t := c
		if c.Is("primary_constructor_base_type") {
			t = c.Child("type")
		}
		base := sharpTypeName(t)
		how := code.Implements
		if kind == code.Interface || first && kind == code.Class && !looksLikeInterface(base) {
			how = code.Extends
		}
		first = false
		w.inherit(symbol, how, c, base, w.baseName(c, base, sharpTypeArgs(sharpLastName(t))))
	}
}

// sharpLastName is the last part of a type's name.
func sharpLastName(t syntax.Node) syntax.Node {
	if t.Is("qualified_name", "alias_qualified_name") {
		return t.Child("name")
	}
	return t
}

func looksLikeInterface(name string) bool {
	name = name[strings.LastIndexByte(name, '.')+1:]
	return len(name) > 1 && name[0] == 'I' && name[1] >= 'A' && name[1] <= 'Z'
}

// sharpTypeName is a type's dotted name without arguments and marks.
func sharpTypeName(n syntax.Node) string {
	switch n.Kind() {
	case "identifier":
		return n.Text()
	case "generic_name":
		return n.First("identifier").Text()
	case "nullable_type", "ref_type", "scoped_type":
		return sharpTypeName(n.Child("type"))
	case "qualified_name":
		return sharpTypeName(n.Child("qualifier")) + "." + sharpTypeName(n.Child("name"))
	case "alias_qualified_name":
		if alias := n.Child("alias").Text(); alias != "global" {
			return alias + "." + sharpTypeName(n.Child("name"))
		}
		return sharpTypeName(n.Child("name"))
	}
	return withoutGenerics(n.Text())
}

// sharpTypeText is a declared type as written, "" where it is left to the value.
func sharpTypeText(n syntax.Node) string {
	switch n.Kind() {
	case "implicit_type":
		return ""
	case "ref_type", "scoped_type":
		return sharpTypeText(n.Child("type"))
	}
	return squash(n.Text())
}

func (w *sharpWalk) enum(n syntax.Node, doc string) {
	name, body := n.Child("name").Text(), n.Child("body")
	if name == "" {
		w.members(body)
		return
	}
	m := sharpModifiersOf(n)
	symbol := w.define(n, code.Symbol{Name: name, Kind: code.Enum, Doc: doc, Signature: w.between(m.start, max(body.Start(), m.start)), Exported: w.exported(m), Value: code.None})
	w.open(symbol, nil, func() { w.members(body) })
}

func (w *sharpWalk) enumMember(n syntax.Node, doc string) {
	name := n.Child("name")
	if name.Text() == "" || w.owner == code.None {
		w.children(n)
		return
	}
	symbol := w.field(n, code.Symbol{
		Name: name.Text(), Kind: code.EnumMember, Doc: doc, Type: w.file.Symbols[w.owner].Name,
		Signature: w.between(name.Start(), n.End()), Exported: true, Static: true,
	})
	if v := n.Child("value"); v.OK() {
		value := w.value(v)
		w.file.Symbols[symbol].Value = value
	}
}

// delegate is a type alias of a function: its parameters and result are those of
// whatever is called through it.
func (w *sharpWalk) delegate(n syntax.Node, doc string) {
	name := n.Child("name").Text()
	if name == "" {
		return
	}
	m, returns := sharpModifiersOf(n), sharpTypeText(n.Child("type"))
	w.define(n, code.Symbol{
		Name: name, Kind: code.TypeAlias, Doc: doc, Signature: w.between(m.start, n.End()), Exported: w.exported(m),
		Type: "delegate", Returns: returns, Params: w.parameters(n.Child("parameters")), TypeParams: sharpTypeParams(n), Value: code.None,
	})
}
