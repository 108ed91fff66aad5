package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// cppOuter is what stands around a declaration: the node with its template
// header, the comment before it, its template parameters.
type cppOuter struct {
	node   syntax.Node
	doc    string
	params []string
	friend bool // a function of the namespace, written within a class
}

// template reads a template's header and what it is of.
func (w *cppWalker) template(n syntax.Node, o cppOuter) {
	for p := range n.Child("parameters").Children {
		name := p.First("type_identifier")
		if !name.OK() {
			name = w.declarator(p.Child("declarator")).name
		}
		if !name.OK() {
			name = p.Child("name")
		}
		if p.Named() && name.OK() {
			o.params = append(o.params, name.Text())
		}
	}
	for c := range n.Children {
		switch c.Kind() {
		case "template_declaration":
			w.template(c, o)
		case "template_parameter_list", "requires_clause", "comment":
		case "friend_declaration":
			w.item(c, o.doc)
		default:
			if c.Named() {
				w.decl(c, o)
			}
		}
	}
}

// decl reads whatever declares names.
func (w *cppWalker) decl(n syntax.Node, o cppOuter) {
	switch n.Kind() {
	case "class_specifier", "struct_specifier", "union_specifier":
		w.class(n, o, "")
	case "enum_specifier":
		w.enum(n, o, "")
	case "alias_declaration":
		w.alias(n, n.Child("name").Text(), cppType(n.Child("type")), o)
	case "type_definition":
		w.typedef(n, o)
	case "concept_definition":
		w.alias(n, n.Child("name").Text(), "concept", o)
	case "function_definition":
		w.functionDefinition(n, o)
	case "declaration", "field_declaration":
		w.declaration(n, o)
	case "ERROR":
		w.items(n)
	}
}

// cppDeclarator is what a declarator says, taken apart.
type cppDeclarator struct {
	name    syntax.Node
	parts   []syntax.Node // names of a structured binding
	fn      syntax.Node   // the function_declarator, if a function is declared
	suffix  string        // "*", "&", "[]" after the type
	pointer syntax.Node   // the declarator of a pointer to a function
	value   syntax.Node
}

func (d cppDeclarator) names() []syntax.Node {
	if len(d.parts) > 0 {
		return d.parts
	}
	if d.name.OK() {
		return []syntax.Node{d.name}
	}
	return nil
}

// declarator takes a declarator apart, and reads what is computed within unless
// there is no walker.
func (w *cppWalker) declarator(n syntax.Node) cppDeclarator {
	var d cppDeclarator
	for n.OK() {
		switch n.Kind() {
		case "init_declarator":
			d.value = n.Child("value")
			n = n.Child("declarator")
		case "pointer_declarator", "abstract_pointer_declarator":
			d.suffix += "*"
			n = n.Child("declarator")
		case "reference_declarator", "abstract_reference_declarator":
			mark := "&"
			if strings.HasPrefix(n.Text(), "&&") {
				mark = "&&"
			}
			d.suffix += mark
			n = cppInner(n)
		case "array_declarator", "abstract_array_declarator":
			d.suffix += "[]"
			if w != nil {
				w.expr(n.Child("size"))
			}
			n = n.Child("declarator")
		case "parenthesized_declarator", "attributed_declarator", "variadic_declarator", "pointer_type_declarator", "abstract_parenthesized_declarator":
			n = cppInner(n)
		case "function_declarator", "abstract_function_declarator":
			in := n.Child("declarator")
			if in.Is("parenthesized_declarator", "abstract_parenthesized_declarator") {
				d.pointer = n
			} else {
				d.fn = n
			}
			n = in
		case "structured_binding_declarator":
			d.parts = n.NamedChildren()
			return d
		case "operator_cast":
			d.name, d.fn = n, n.Child("declarator")
			return d
		case "qualified_identifier":
			d.name = n
			last := n
			for last.Is("qualified_identifier") {
				last = last.Child("name")
			}
			if last.Is("operator_cast") {
				d.fn = last.Child("declarator")
			}
			if last.Is("pointer_type_declarator") { // T A::*x
				d.name = cppInner(last)
				d.suffix += "*"
			}
			return d
		default:
			d.name = n
			return d
		}
	}
	return d
}

func cppInner(n syntax.Node) syntax.Node {
	for c := range n.Children {
		if c.Named() && !c.Is("comment", "type_qualifier", "ms_call_modifier", "attribute_declaration") {
			return c
		}
	}
	return syntax.Node{}
}

// typed is the declared type's text with the declarator's marks, "" for auto.
func (d cppDeclarator) typed(w *cppWalker, decl syntax.Node) string {
	if d.pointer.OK() { // what a function returns, where it is one
		text := cppType(decl.Child("type")) + " (*)" + squash(d.pointer.Child("parameters").Text())
		return clip(text, maxReceiver)
	}
	text := cppType(decl.Child("type"))
	if text == "" {
		return ""
	}
	return text + d.suffix
}

// cppType is a type's text on one line, "" for auto and decltype: what these
// stand for is the value's.
func cppType(n syntax.Node) string {
	switch n.Kind() {
	case "":
		return ""
	case "placeholder_type_specifier", "decltype", "auto":
		return ""
	case "class_specifier", "struct_specifier", "union_specifier", "enum_specifier":
		return squash(n.Child("name").Text())
	case "dependent_type":
		return cppType(cppInner(n))
	case "type_descriptor":
		text := cppType(n.Child("type"))
		if d := n.Child("declarator"); d.OK() && text != "" {
			text += squash(d.Text())
		}
		return clip(text, maxSignature)
	}
	return clip(squash(n.Text()), maxSignature)
}

// cppHas says that the declaration has the word before its type.
func cppHas(n syntax.Node, word string) bool {
	for c := range n.Children {
		if c.Is("storage_class_specifier", "type_qualifier", "virtual_specifier") && c.Has(word) {
			return true
		}
	}
	return n.Has(word)
}

// inClass says that the walk stands directly in a class's body.
func (w *cppWalker) inClass() bool { return w.file.Scopes[w.scope].Kind == code.ClassScope }

// visible says that what is declared here can be used from other files.
func (w *cppWalker) visible() bool { return (w.hidden == 0 || w.header) && w.caller() == code.None }

// external says the same of a variable or function that may be static.
func (w *cppWalker) external(n syntax.Node) bool {
	return w.visible() && (w.header || w.inClass() || !cppHas(n, "static"))
}

// inFunction says that names declared here are a function's own.
func (w *cppWalker) inFunction() bool {
	k := w.file.Scopes[w.scope].Kind
	return k == code.FunctionScope || k == code.BlockScope
}

// declaration reads variables, fields and prototypes.
func (w *cppWalker) declaration(n syntax.Node, o cppOuter) {
	if t := n.Child("type"); t.Is("class_specifier", "struct_specifier", "union_specifier", "enum_specifier") && t.Child("body").OK() {
		w.decl(t, cppOuter{node: t, doc: o.doc, params: o.params})
	}
	var last cppDeclarator
	flush := func() {
		if len(last.names()) > 0 {
			w.declare(n, last, o)
		}
		last = cppDeclarator{}
	}
	for c := range n.Children {
		switch c.Field() {
		case "declarator":
			flush()
			last = w.declarator(c)
		case "default_value", "value":
			last.value = c
		default:
			if c.Kind() == "ERROR" {
				w.items(c)
			}
		}
	}
	flush()
}

// declare reads one declared name.
func (w *cppWalker) declare(n syntax.Node, d cppDeclarator, o cppOuter) {
	if d.fn.OK() && !d.value.Is("argument_list") {
		if !w.inFunction() {
			w.prototype(n, d, o)
			return
		}
		if args, ok := w.vexing(d.fn); ok {
			w.localVariable(n, d, w.constructed(n.Child("type"), d.name, args))
		}
		return
	}
	switch {
	case w.inClass():
		w.field(n, d, o)
	case w.inFunction():
		w.localVariable(n, d, w.initial(n, d))
	default:
		w.variable(n, d, o)
	}
}

// vexing reads `T x(a, b)` in a function, which the grammar takes for a
// prototype, as what it nearly always is: a variable constructed from a and b.
func (w *cppWalker) vexing(fn syntax.Node) ([]int32, bool) {
	params := fn.Child("parameters").NamedChildren()
	for _, p := range params {
		if !p.Is("parameter_declaration") || p.Child("declarator").OK() || !p.Child("type").Is("type_identifier", "qualified_identifier") || p.Has("type_qualifier") {
			return nil, false
		}
	}
	var args []int32
	for _, p := range params {
		args = append(args, w.expr(p.Child("type")))
	}
	return args, len(args) > 0
}

// initial is the value that a declaration gives, with the constructor that runs
// for it.
func (w *cppWalker) initial(n syntax.Node, d cppDeclarator) int32 {
	v, t := d.value, n.Child("type")
	constructs := d.suffix == "" && !d.pointer.OK() && !w.plainC && cppClassText(t) && len(d.parts) == 0
	switch v.Kind() {
	case "":
		if !constructs || cppHas(n, "extern") || strings.HasPrefix(cppType(t), "std::") {
			return code.None // of the library's own there is nothing to say
		}
		return w.constructed(t, d.name, nil)
	case "argument_list":
		args, keys := w.args(v)
		if constructs {
			return w.constructed(t, d.name, args)
		}
		if len(args) == 1 && len(keys) == 0 {
			return args[0]
		}
		return code.None
	case "initializer_list":
		if d.pointer.OK() || strings.HasSuffix(d.suffix, "*") {
			break
		}
		if w.plainC || v.Has("initializer_pair") || t.Is("struct_specifier", "class_specifier", "union_specifier") || d.suffix == "[]" {
			return w.record(v, t, d.suffix)
		}
		if constructs {
			args, _ := w.args(v)
			call := w.constructed(t, d.name, args)
			if len(args) > 0 && w.assigned(d.name, v) { // may be a record as well: what it holds is kept
				e := blank(code.TypedExpr)
				e.Name, e.Args = cppType(t), args
				return w.add(v, e)
			}
			return call
		}
	}
	return w.expr(v)
}

// assigned says that a value stands behind an equals sign.
func (w *cppWalker) assigned(name, value syntax.Node) bool {
	return value.Start() > name.End() && strings.Contains(string(w.tree.Src[name.End():value.Start()]), "=")
}

// record reduces { … } for a struct: its members in order or by name. For an
// array of structs it is a list of such.
func (w *cppWalker) record(v, t syntax.Node, suffix string) int32 {
	named := t.Is("type_identifier", "qualified_identifier", "struct_specifier", "class_specifier", "union_specifier", "template_type")
	if !v.Is("initializer_list") || !named || cppType(t) == "" {
		return w.expr(v)
	}
	if rest, ok := strings.CutPrefix(suffix, "[]"); ok {
		e := blank(code.ListExpr)
		for c := range v.Children {
			if c.Is("initializer_pair") {
				c = c.Child("value")
			}
			if c.Named() && !c.Is("comment") {
				e.Args = append(e.Args, w.record(c, t, rest))
			}
		}
		return w.add(v, e)
	}
	i := w.list(v)
	e := &w.file.Exprs[i]
	e.Kind, e.Name = code.TypedExpr, cppType(t)
	return i
}

// constructed is a call of the constructor of the type t.
func (w *cppWalker) constructed(t, at syntax.Node, args []int32) int32 {
	path := cppPath(t)
	if len(path) == 0 {
		return code.None
	}
	callee := w.withTypes(t, w.typeExpr(t))
	return w.call(at, code.Ctor, callee, path[len(path)-1], t.Child("scope"), args, nil)
}

// cppClassText says that a type is a class by its text: it has a name, and not
// one of those that stand for numbers.
func cppClassText(t syntax.Node) bool {
	if !t.Is("type_identifier", "qualified_identifier", "template_type") {
		return false
	}
	path := cppPath(t)
	return len(path) > 0 && !strings.HasSuffix(path[len(path)-1], "_t")
}

// local binds a name of a function's own.
func (w *cppWalker) local(at syntax.Node, name, typ string, value int32) {
	w.vars[cppVar{w.scope, name}] = true
	w.assign(at, name, typ, value)
}

func (w *cppWalker) localVariable(n syntax.Node, d cppDeclarator, value int32) {
	if w.named(n, d, value) {
		return
	}
	typ := d.typed(w, n)
	for i, name := range d.parts {
		w.vars[cppVar{w.scope, name.Text()}] = true
		w.bind(code.Binding{Name: name.Text(), Kind: code.Assigned, Ref: code.None, Value: value, Part: i + 1, At: name.Start()})
	}
	if d.name.Is("identifier", "field_identifier") || d.pointer.OK() && d.name.Is("type_identifier") { // of a pointer to a member
		w.local(d.name, d.name.Text(), typ, value)
	}
}

// named gives a lambda the name of the variable that it is written for, as a
// function that can be called by it.
func (w *cppWalker) named(n syntax.Node, d cppDeclarator, value int32) bool {
	if value <= 0 || w.file.Exprs[value].Kind != code.FuncExpr || !d.name.Is("identifier", "field_identifier") || d.name.Text() == "" {
		return false
	}
	s := &w.file.Symbols[w.file.Exprs[value].Ref]
	if s.Kind != code.Lambda {
		return false
	}
	name := d.name.Text()
	old := s.Path
	s.Kind, s.Name = code.Function, name
	s.Path = clip(strings.TrimSuffix(old, cppLastPart(old))+name, maxPath)
	s.Signature = clip(w.textTo(n, d.value), maxSignature)
	for i := int(w.file.Exprs[value].Ref) + 1; i < len(w.file.Symbols); i++ {
		if rest, ok := strings.CutPrefix(w.file.Symbols[i].Path, old+"."); ok {
			w.file.Symbols[i].Path = clip(s.Path+"."+rest, maxPath)
		}
	}
	w.lambdas[s.Parent]--
	w.vars[cppVar{w.scope, name}] = true
	w.bind(code.Binding{Name: name, Kind: code.Defines, Ref: w.file.Exprs[value].Ref, Value: code.None, At: d.name.Start()})
	return true
}

func cppLastPart(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// textTo is the text from n to before end, on one line.
func (w *cppWalker) textTo(n, end syntax.Node) string {
	from, to := n.Start(), n.End()
	if end.OK() && end.Start() >= from {
		to = end.Start()
	}
	if to-from > 4*maxSignature {
		to = from + 4*maxSignature
	}
	return strings.TrimRight(squash(string(w.tree.Src[from:to])), " {:=;(")
}

// variable reads a variable of the file or a namespace.
func (w *cppWalker) variable(n syntax.Node, d cppDeclarator, o cppOuter) {
	value := w.initial(n, d)
	if d.name.Is("qualified_identifier") {
		if path := cppPath(d.name); len(path) > 1 { // a static member gets its value
			w.setField(path[len(path)-2], path[len(path)-1], value)
		}
		return
	}
	if !d.name.Is("identifier") {
		return
	}
	if w.named(n, d, value) {
		s := &w.file.Symbols[w.file.Exprs[value].Ref]
		s.Doc, s.Exported = o.doc, w.external(n)
		return
	}
	s := code.Symbol{
		Name: d.name.Text(), Kind: code.Variable, Doc: o.doc, Type: d.typed(w, n), Value: value,
		Exported: w.external(n), Abstract: cppHas(n, "extern") && !d.value.OK(),
		Signature: w.textTo(n, d.value), TypeParams: o.params,
	}
	if n.Child("type").Child("body").OK() {
		s.Signature = s.Type + " " + s.Name
	}
	if cppHas(n, "constexpr") || cppHas(n, "const") && !strings.Contains(d.suffix, "*") {
		s.Kind = code.Constant
	}
	if s.Name == "" {
		return
	}
	w.define(n, s)
	w.vars[cppVar{w.scope, s.Name}] = true
}
