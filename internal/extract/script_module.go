package extract

import (
	"chitta/internal/code"
	"chitta/internal/syntax"
)

// namedExport is `export { local as name }`, settled when all symbols are known.
type namedExport struct {
	name, local string
	expr        int32
	line        int
}

// importName is a name in an import or export clause, which may be a string.
func importName(n syntax.Node) string {
	if n.Is("string") {
		return stringText(n)
	}
	return n.Text()
}

// addImport adds an import at n and binds its name.
func (s *script) addImport(n syntax.Node, imp code.Import) {
	imp.Scope, imp.Line = s.scope, n.Line()
	s.file.Imports = append(s.file.Imports, imp)
	if imp.Alias != "" && !imp.Reexport {
		s.bind(code.Binding{Name: imp.Alias, Kind: code.Imports, Ref: int32(len(s.file.Imports) - 1), Value: code.None, At: n.Start()})
	}
}

func (s *script) importStatement(n syntax.Node) {
	module := stringText(n.Child("source"))
	typeOnly := n.Has("type") || n.Has("typeof")
	if r := n.First("import_require_clause"); r.OK() {
		s.addImport(n, code.Import{Module: stringText(r.Child("source")), Alias: firstNamed(r).Text()})
		return
	}
	clause := n.First("import_clause")
	if !clause.OK() {
		if module != "" {
			s.addImport(n, code.Import{Module: module})
		}
		return
	}
	for c := range clause.Children {
		switch c.Kind() {
		case "identifier":
			s.addImport(c, code.Import{Module: module, Name: "default", Alias: c.Text(), TypeOnly: typeOnly})
		case "namespace_import":
			s.addImport(c, code.Import{Module: module, Alias: firstNamed(c).Text(), TypeOnly: typeOnly})
		case "named_imports":
			for spec := range c.Children {
				if spec.Is("import_specifier") {
					s.addImport(spec, specified(spec, module, typeOnly))
				}
			}
		}
	}
}

// specified is one name of an import or of a re-export.
func specified(spec syntax.Node, module string, typeOnly bool) code.Import {
	imp := code.Import{Module: module, Name: importName(spec.Child("name")), Alias: importName(spec.Child("alias"))}
	if imp.Alias == "" {
		imp.Alias = imp.Name
	}
	imp.TypeOnly = typeOnly || spec.Has("type") || spec.Has("typeof")
	return imp
}

func (s *script) exportStatement(n syntax.Node, d declaration) {
	clause := n.First("export_clause")
	if source := n.Child("source"); source.OK() {
		s.reexport(n, clause, stringText(source))
		return
	}
	d.node, d.exported, d.byDefault = n, true, n.Has("default")
	d.decorators = s.decorators(n)
	switch decl, value := n.Child("declaration"), n.Child("value"); {
	case clause.OK():
		for spec := range clause.Children {
			if spec.Is("export_specifier") {
				s.exportSpecifier(spec)
			}
		}
	case decl.OK():
		s.statement(decl, d)
		if d.byDefault {
			if name := decl.Child("name"); name.OK() {
				s.export("default", n, s.name(name, name.Text()))
			}
		}
	case value.OK():
		p := s.placeOf(d, unwrap(value).Child("name").Text())
		p.unbound, p.path = true, "default"
		if p.name != "default" {
			p.path = p.name
		}
		s.export("default", n, s.valueAt(value, p))
	case n.Has("namespace"): // export as namespace: a name for scripts
	case n.Has("ERROR"):
		s.children(n)
	default:
		if v := firstNamed(n); v.OK() { // export = v
			s.export("=", n, s.expression(v))
		}
	}
}

func (s *script) export(name string, n syntax.Node, value int32) {
	if value != code.None && s.scope == 0 { // a namespace's are found as its members
		s.file.Exports = append(s.file.Exports, code.Export{Name: name, Expr: value, Line: n.Line()})
	}
}

func (s *script) reexport(n, clause syntax.Node, module string) {
	typeOnly := n.Has("type")
	if clause.OK() {
		for spec := range clause.Children {
			if spec.Is("export_specifier") {
				imp := specified(spec, module, typeOnly)
				imp.Reexport = true
				s.addImport(spec, imp)
			}
		}
		return
	}
	imp := code.Import{Module: module, Name: "*", Reexport: true, TypeOnly: typeOnly}
	if ns := n.First("namespace_export"); ns.OK() {
		imp.Name, imp.Alias = "", importName(lastChild(ns))
	}
	s.addImport(n, imp)
}

// lastChild is the last node directly below.
func lastChild(n syntax.Node) (last syntax.Node) {
	for c := range n.Children {
		last = c
	}
	return last
}

func (s *script) exportSpecifier(spec syntax.Node) {
	local, name := importName(spec.Child("name")), importName(spec.Child("alias"))
	if local == "" || s.scope != 0 {
		return
	}
	if name == "" {
		name = local
	}
	s.named = append(s.named, namedExport{name, local, s.name(spec, local), spec.Line()})
}

// settleExports marks what is offered to other files, when all of it is known.
func (s *script) settleExports() {
	top := map[string][]int32{}
	for i := range s.file.Symbols {
		if sym := &s.file.Symbols[i]; sym.Parent == code.None && sym.Owner == "" {
			top[sym.Name] = append(top[sym.Name], int32(i))
		}
	}
	offer := func(name string) bool {
		for _, i := range top[name] {
			s.file.Symbols[i].Exported = true
		}
		return len(top[name]) > 0
	}
	for _, e := range s.named {
		if !offer(e.local) || e.name != e.local {
			s.file.Exports = append(s.file.Exports, code.Export{Name: e.name, Expr: e.expr, Line: e.line})
		}
	}
	for _, e := range s.file.Exports {
		s.offered(e.Expr, offer)
	}
	for i := range s.file.Symbols {
		s.settleMember(&s.file.Symbols[i], top)
	}
}

// offered marks the symbols that an exported value names.
func (s *script) offered(value int32, offer func(string) bool) {
	switch e := &s.file.Exprs[value]; e.Kind {
	case code.NameExpr:
		offer(e.Name)
	case code.AssignExpr, code.TypedExpr:
		if e.X != code.None {
			s.offered(e.X, offer)
		}
	case code.FuncExpr:
		s.file.Symbols[e.Ref].Exported = true
	case code.DictExpr:
		for _, a := range e.Args {
			if k := s.file.Exprs[a].Kind; k == code.NameExpr || k == code.FuncExpr {
				s.offered(a, offer)
			}
		}
	}
}

// settleMember takes back the offer of what stands within something that is not
// offered.
func (s *script) settleMember(sym *code.Symbol, top map[string][]int32) {
	switch {
	case sym.Parent != code.None:
		parent := &s.file.Symbols[sym.Parent]
		sym.Exported = sym.Exported && parent.Exported && (sym.Owner != "" || !parent.Kind.Callable())
	case sym.Owner != "":
		for _, i := range top[sym.Owner] {
			sym.Exported = s.file.Symbols[i].Exported
		}
	}
}

// loads says that a call loads a module with a plain name: require("x") and
// import("x").
func (s *script) loads(n syntax.Node) (syntax.Node, bool) {
	if !n.Is("call_expression") {
		return syntax.Node{}, false
	}
	fn := n.Child("function")
	if !fn.Is("import") {
		if !fn.Is("identifier") || fn.Text() != "require" {
			return syntax.Node{}, false
		}
		if _, as := s.scopeOf("require"); as != asNothing {
			return syntax.Node{}, false
		}
	}
	arg := firstNamed(n.Child("arguments"))
	if arg.Is("string") || arg.Is("template_string") && !arg.Has("template_substitution") {
		return arg, stringText(arg) != ""
	}
	return syntax.Node{}, false
}

// load is a module that is loaded where no name takes it: an import without a
// name, and a call for what the value is.
func (s *script) load(n, module syntax.Node) int32 {
	s.addImport(n, code.Import{Module: stringText(module)})
	e := blank(code.CallExpr)
	e.Name = n.Child("function").Text()
	e.X = s.name(n.Child("function"), e.Name)
	e.Args = []int32{s.constant(module, "string", stringText(module))}
	return s.expr(n, e)
}

// required says that a value is a module that is loaded there and then, or one
// member of it.
func (s *script) required(value syntax.Node) (module syntax.Node, member string) {
	value = unwrap(value)
	if value.Is("member_expression") {
		member = value.Child("property").Text()
		value = unwrap(value.Child("object"))
	}
	if value.Is("await_expression") {
		value = firstNamed(value)
	} else if value.Child("function").Is("import") {
		return syntax.Node{}, "" // not loaded yet
	}
	module, _ = s.loads(value)
	return module, member
}

// requiredAs makes imports of a variable or a pattern that takes a module, where
// it is a plain one.
func (s *script) requiredAs(name, module syntax.Node, member string) bool {
	text := stringText(module)
	switch name.Kind() {
	case "identifier":
		s.addImport(name, code.Import{Module: text, Name: member, Alias: name.Text()})
		return true
	case "object_pattern":
		if member != "" {
			return false
		}
	default:
		return false
	}
	var imports []code.Import
	var at []syntax.Node
	for c := range name.Children {
		imp := code.Import{Module: text}
		switch {
		case c.Is("shorthand_property_identifier_pattern"):
			imp.Name, imp.Alias = c.Text(), c.Text()
		case c.Is("pair_pattern") && c.Child("value").Is("identifier"):
			imp.Name, imp.Alias = keyText(c.Child("key")), c.Child("value").Text()
		case c.Is("rest_pattern"):
			imp.Alias = firstNamed(c).Text()
		case c.Is("comment"):
			continue
		default:
			return false
		}
		imports, at = append(imports, imp), append(at, c)
	}
	for i, imp := range imports {
		s.addImport(at[i], imp)
	}
	return true
}

// exportsName is the name under which an assignment offers its value: that of
// exports.x and module.exports.x, and "=" for module.exports itself.
func (s *script) exportsName(left syntax.Node) (string, bool) {
	if s.isExports(left) {
		return "=", left.Is("member_expression")
	}
	object := left.Child("object")
	if !s.isExports(object) {
		return "", false
	}
	name := left.Child("property").Text()
	if left.Is("subscript_expression") {
		name = plainKey(left.Child("index"))
	}
	return name, name != ""
}

// isExports says that a node is `exports` or `module.exports`.
func (s *script) isExports(n syntax.Node) bool {
	name := "exports"
	switch n.Kind() {
	case "identifier":
		if n.Text() != name {
			return false
		}
	case "member_expression":
		name = "module"
		if n.Child("object").Text() != name || n.Child("property").Text() != "exports" {
			return false
		}
	default:
		return false
	}
	_, as := s.scopeOf(name)
	return as == asNothing
}
