package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// cppWalker reads C++, and C through the same grammar. Names that can be used
// elsewhere are those with external linkage: not static, not in an unnamed
// namespace, unless the file is there to be included. Private members count as
// usable, as a class's own functions may stand in another file than the class.
type cppWalker struct {
	*builder
	plainC bool // the file is C: nothing constructs
	header bool // the file is one that others include
	hidden int  // unnamed namespaces around
	// types are the classes, enums and aliases of the file seen so far, spaces
	// its namespaces: the text alone does not tell `Foo(1)` or `A::f` apart.
	types   map[string]bool
	spaces  map[string]bool
	vars    map[cppVar]bool // declared names, by their scope
	classes map[string]int32
	fields  map[cppVar]int32 // fields of classes, by the class's symbol
	early   map[cppVar]int32 // values of fields that are not declared yet
	// data are the types of a class's fields, known before its functions are
	// read, by the class's name.
	data map[string]map[string]string
}

type cppVar struct {
	of   int32
	name string
}

func walkCPP(b *builder, root syntax.Node) {
	w := &cppWalker{
		builder: b, plainC: strings.HasSuffix(b.file.Path, ".c"), header: cppHeader(b.file.Path),
		types: map[string]bool{}, spaces: map[string]bool{}, vars: map[cppVar]bool{}, classes: map[string]int32{},
		fields: map[cppVar]int32{}, early: map[cppVar]int32{}, data: map[string]map[string]string{},
	}
	w.items(root)
}

// cppHeader says that a file is one that others include.
func cppHeader(path string) bool {
	switch ext := strings.ToLower(path[strings.LastIndexByte(path, '.')+1:]); ext {
	case "h", "hh", "hpp", "hxx", "h++", "ipp", "inl":
		return true
	}
	return false
}

// items goes over declarations or statements, with the comments before them.
func (w *cppWalker) items(n syntax.Node) {
	var lead leading
	for c := range n.Children {
		if c.Kind() == "comment" {
			lead.add(c)
			continue
		}
		w.item(c, docOf(&lead, c))
	}
}

// docOf is the text of the comments right before n, which they are used up by.
func docOf(l *leading, n syntax.Node) string {
	text := l.before(n)
	l.pass(n)
	return text
}

// item reads one declaration or statement.
func (w *cppWalker) item(n syntax.Node, doc string) {
	switch n.Kind() {
	case "function_definition", "declaration", "field_declaration", "type_definition", "alias_declaration",
		"class_specifier", "struct_specifier", "union_specifier", "enum_specifier", "concept_definition":
		w.decl(n, cppOuter{node: n, doc: doc})
	case "template_declaration":
		w.template(n, cppOuter{node: n, doc: doc})
	case "namespace_definition":
		w.namespace(n, doc)
	case "linkage_specification":
		if body := n.Child("body"); body.Is("declaration_list") {
			w.items(body)
		} else {
			w.item(body, doc)
		}
	case "friend_declaration":
		if def := n.First("function_definition"); def.OK() {
			w.decl(def, cppOuter{node: n, doc: doc, friend: true})
		}
	case "using_declaration", "namespace_alias_definition", "preproc_include":
		w.imports(n)
	case "preproc_function_def", "preproc_def":
		w.macro(n, doc)
	case "access_specifier", "template_instantiation", "static_assert_declaration", "preproc_call", "attribute_declaration":
	case "preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef":
		w.conditional(n)
	case "expression_statement":
		if !w.bareConstructor(n, doc) {
			w.items(n)
		}
	case "preproc_else", "declaration_list", "ERROR", "init_statement", "labeled_statement":
		w.items(n)
	default:
		w.statement(n)
	}
}

// conditional reads what stands between #if and #endif, whatever the condition.
func (w *cppWalker) conditional(n syntax.Node) {
	var lead leading
	for c := range n.Children {
		switch {
		case c.Field() == "name" || c.Field() == "condition":
		case c.Kind() == "comment":
			lead.add(c)
		default:
			w.item(c, docOf(&lead, c))
		}
	}
}

// statement reads a statement of a function, anything else as an expression.
func (w *cppWalker) statement(n syntax.Node) {
	switch n.Kind() {
	case "compound_statement", "if_statement", "while_statement", "switch_statement", "for_statement":
		w.block(func() { w.items(n) })
	case "condition_clause", "else_clause", "do_statement", "try_statement", "case_statement":
		w.items(n)
	case "for_range_loop":
		w.block(func() { w.rangeLoop(n) })
	case "catch_clause":
		w.block(func() {
			for p := range n.Child("parameters").Children {
				if d := w.declarator(p.Child("declarator")); d.name.OK() {
					w.local(d.name, d.name.Text(), d.typed(w, p), code.None)
				}
			}
			w.items(n.Child("body"))
		})
	case "return_statement", "co_return_statement":
		for _, c := range n.NamedChildren() {
			w.returns(w.expr(c))
		}
	case "co_yield_statement":
		for _, c := range n.NamedChildren() {
			w.returns(w.expr(c))
		}
		if f := w.caller(); f != code.None {
			w.file.Symbols[f].Yields = true
		}
	default:
		if n.Named() && !n.Is("statement_identifier", "comment") {
			w.expr(n)
		}
	}
}

func (w *cppWalker) rangeLoop(n syntax.Node) {
	w.items(n.Child("initializer"))
	value := w.expr(n.Child("right"))
	w.ranged(n, value)
	d := w.declarator(n.Child("declarator"))
	typ := d.typed(w, n)
	for i, name := range d.names() {
		part := 0
		if len(d.parts) > 0 {
			part, typ = i+1, ""
		}
		w.vars[cppVar{w.scope, name.Text()}] = true
		w.bind(code.Binding{Name: name.Text(), Kind: code.Assigned, Ref: code.None, Type: typ, Value: value, Element: true, Part: part, At: name.Start()})
	}
	w.statement(n.Child("body"))
}

// namespace reads a namespace. An unnamed one has no place in paths; an inline
// one is also open to the namespace around it.
func (w *cppWalker) namespace(n syntax.Node, doc string) {
	body, names := n.Child("body"), cppPath(n.Child("name"))
	if len(names) == 0 {
		w.hidden++
		w.items(body)
		w.hidden--
		return
	}
	if n.Has("inline") {
		w.file.Imports = append(w.file.Imports, code.Import{Module: strings.Join(names, "::"), Name: "*", Static: true, Scope: w.scope, Line: n.Line()})
	}
	var open func(i int)
	open = func(i int) {
		if i == len(names) {
			w.items(body)
			return
		}
		w.spaces[names[i]] = true
		s := w.define(n, code.Symbol{Name: names[i], Kind: code.Module, Doc: doc, Exported: w.visible()})
		w.within(s, code.ModuleScope, func() { open(i + 1) })
	}
	open(0)
}

// imports reads #include, and the forms of using, which take names from a
// namespace or class and are marked Static for it.
func (w *cppWalker) imports(n syntax.Node) {
	im := code.Import{Scope: w.scope, Line: n.Line()}
	switch n.Kind() {
	case "preproc_include":
		im.Module, im.Name = strings.Trim(n.Child("path").Text(), "\"<> "), "*"
	case "namespace_alias_definition":
		im.Alias, im.Static = n.Child("name").Text(), true
		for c := range n.Children {
			if c.Named() && c.Field() != "name" {
				im.Module = strings.Join(cppPath(c), "::")
			}
		}
	default:
		im.Static = true
		path := cppPath(n.First("identifier", "qualified_identifier", "type_identifier"))
		if len(path) == 0 {
			return
		}
		if n.Has("namespace") {
			im.Module, im.Name = strings.Join(path, "::"), "*"
			break
		}
		last := path[len(path)-1]
		im.Module, im.Name, im.Alias = strings.Join(path[:len(path)-1], "::"), last, last
	}
	if im.Module == "" && im.Name == "" {
		return
	}
	w.file.Imports = append(w.file.Imports, im)
	if im.Alias != "" {
		w.bind(code.Binding{Name: im.Alias, Kind: code.Imports, Ref: int32(len(w.file.Imports) - 1), Value: code.None, At: n.Start()})
	}
}

// macro reads #define: with arguments it is called like a function, with a value
// it is a constant, without one (a guard, a switch) it is nothing.
func (w *cppWalker) macro(n syntax.Node, doc string) {
	name, value := n.Child("name").Text(), n.Child("value")
	if name == "" {
		return
	}
	s := code.Symbol{Name: name, Kind: code.Macro, Doc: doc, Exported: true, Value: code.None}
	if n.Is("preproc_def") {
		if !value.OK() {
			return
		}
		s.Kind = code.Constant
	}
	params := n.Child("parameters")
	for c := range params.Children {
		if c.Is("identifier") {
			s.Params = append(s.Params, code.Param{Name: c.Text(), Default: code.None})
		}
	}
	if strings.Contains(params.Text(), "...") {
		s.Params = append(s.Params, code.Param{Name: "...", Default: code.None, Variadic: true})
	}
	w.define(n, s)
}

// cppPath is the names of a qualified name, without template arguments.
func cppPath(n syntax.Node) []string {
	switch n.Kind() {
	case "":
		return nil
	case "qualified_identifier":
		return append(cppPath(n.Child("scope")), cppPath(n.Child("name"))...)
	case "nested_namespace_specifier":
		var out []string
		for c := range n.Children {
			if c.Named() {
				out = append(out, cppPath(c)...)
			}
		}
		return out
	case "template_type", "template_function", "template_method":
		return cppPath(n.Child("name"))
	case "dependent_name", "dependent_type", "type_descriptor":
		for c := range n.Children {
			if c.Named() && !c.Is("type_qualifier") {
				return cppPath(c)
			}
		}
		return nil
	case "class_specifier", "struct_specifier", "union_specifier", "enum_specifier":
		return cppPath(n.Child("name"))
	case "operator_cast":
		return []string{"operator " + squash(n.Child("type").Text())}
	case "operator_name":
		return []string{cppOperator(n.Text())}
	case "destructor_name":
		return []string{strings.Join(strings.Fields(n.Text()), "")}
	}
	if text := squash(n.Text()); text != "" {
		return []string{text}
	}
	return nil
}

// cppOperator is an operator's name without blank space, but for those that are
// words: "operator==", "operator new".
func cppOperator(text string) string {
	rest := strings.TrimSpace(strings.TrimPrefix(text, "operator"))
	if rest != "" && (rest[0] == '_' || rest[0] >= 'a' && rest[0] <= 'z') {
		return "operator " + squash(rest)
	}
	return "operator" + strings.Join(strings.Fields(rest), "")
}
