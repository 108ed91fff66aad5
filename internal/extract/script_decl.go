package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// declaration is how a declaration is written: the whole of it, with what stands
// before it.
type declaration struct {
	node       syntax.Node
	comments   []syntax.Node
	exported   bool
	byDefault  bool
	ambient    bool
	decorators []int32
	prefix     string // words before the node that belong to its signature
}

// declaration walks n if it declares something.
func (s *script) declaration(n syntax.Node, d declaration) bool {
	switch n.Kind() {
	case "function_declaration", "generator_function_declaration":
		p := s.placeOf(d, n.Child("name").Text())
		if p.doc == "" {
			p.doc = s.docs[scopedName{s.scope, p.name}]
		}
		s.overloaded(s.function(n, p), s.results[scopedName{s.scope, p.name}])
	case "function_signature":
		s.overload(n, d)
	case "class_declaration", "abstract_class_declaration", "class":
		if n.Is("class") && !d.byDefault {
			return false
		}
		s.class(n, s.placeOf(d, n.Child("name").Text()), d.decorators)
	case "lexical_declaration", "variable_declaration", "using_declaration":
		s.variables(n, d)
	default:
		return s.typeDeclaration(n, d)
	}
	return true
}

// placeOf is the place of what is declared under its own name.
func (s *script) placeOf(d declaration, name string) place {
	if name == "" && d.byDefault {
		name = "default"
	}
	return place{node: d.node, name: name, kind: code.Function, exported: d.exported, doc: docBefore(d.comments), prefix: d.prefix}
}

// overload is a function without a body: it stands for itself only where no
// other beside it has one.
func (s *script) overload(n syntax.Node, d declaration) {
	p := s.placeOf(d, n.Child("name").Text())
	key := scopedName{s.scope, p.name}
	if s.bodies[key] || p.name == "" {
		if s.docs[key] == "" {
			s.docs[key] = p.doc
		}
		s.results[key] = addReturn(s.results[key], n)
		return
	}
	s.bodies[key] = true
	p.exported = p.exported || d.ambient
	i := s.function(n, p)
	s.file.Symbols[i].Abstract = true
}

// variables walks var, let and const.
func (s *script) variables(n syntax.Node, d declaration) {
	kind, count := code.Variable, 0
	if n.Child("kind").Is("const") {
		kind = code.Constant
	}
	for c := range n.Children {
		if c.Is("variable_declarator") {
			count++
		}
	}
	scope := s.scope
	if n.Is("variable_declaration") {
		scope = s.builder.function()
	}
	for c := range n.Children {
		if !c.Is("variable_declarator") {
			if c.Is("ERROR") {
				s.children(c)
			}
			continue
		}
		own := d
		if count > 1 {
			own.node = c
			own.prefix = "var "
			if k := n.Child("kind"); k.OK() {
				own.prefix = k.Text() + " "
			}
		}
		s.variable(c, own, kind, scope)
	}
}

// variable walks one declared variable, with its value.
func (s *script) variable(n syntax.Node, d declaration, kind code.Kind, scope int32) {
	name, value, typ := n.Child("name"), n.Child("value"), typeText(n.Child("type"))
	if module, member := s.required(value); module.OK() && s.requiredAs(name, module, member) {
		return
	}
	top := s.file.Scopes[s.scope].Kind == code.FileScope || s.file.Scopes[s.scope].Kind == code.ModuleScope
	if !name.Is("identifier") {
		to := target{scope: scope, decl: d, typ: typ, at: n.End()}
		if top {
			to.kind = kind
		}
		from := source{value: code.None}
		if value.OK() {
			from.value = s.expression(value)
		}
		s.pattern(name, from, to)
		return
	}
	p := s.placeOf(d, name.Text())
	p.typ = typ
	inner := unwrap(value)
	switch {
	case isFunction(inner):
		s.function(inner, p)
	case inner.Is("class"):
		s.class(inner, p, nil)
	case top:
		s.global(n, p, kind, d.ambient)
	default:
		p.path = s.pathOf(p.name)
		v := code.None
		if value.OK() {
			v = s.valueAt(value, p)
		}
		if typ == "" {
			typ = docType(p.doc, "@type")
		}
		s.put(scope, code.Binding{Name: p.name, Kind: code.Assigned, Ref: code.None, Type: typ, Value: v, At: n.End()})
	}
}

// global is a variable of the file or of a namespace.
func (s *script) global(n syntax.Node, p place, kind code.Kind, ambient bool) {
	value := n.Child("value")
	end := p.node.End()
	if unwrap(value).Is("object", "array", "call_expression", "new_expression") {
		end = value.Start()
	}
	typ := p.typ
	if typ == "" {
		typ = docType(p.doc, "@type")
	}
	i := s.define(p.node, code.Symbol{
		Name: p.name, Kind: kind, Type: typ, Doc: p.doc, Exported: p.exported || ambient,
		Signature: p.prefix + s.cut(p.node, end), Value: code.None,
	})
	s.declare(s.scope, p.name, asVariable)
	if value.OK() {
		p.path = s.file.Symbols[i].Path
		s.valueOf(i, value, p)
	}
}

// valueOf sets the value of a variable or a field. An object written there
// stands within it.
func (s *script) valueOf(symbol int32, value syntax.Node, p place) {
	owner := s.owner
	if unwrap(value).Is("object") {
		s.owner = symbol
	}
	v := s.valueAt(value, p)
	s.owner = owner
	s.file.Symbols[symbol].Value = v
}

// pathOf is the path of a name within the current symbol.
func (s *script) pathOf(name string) string {
	if s.owner == code.None {
		return name
	}
	return join(s.file.Symbols[s.owner].Path, name)
}

// join puts a name behind a path that may be empty.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// cut is the text from a node's start to a place, on one line, without
// decorators.
func (s *script) cut(n syntax.Node, end uint32) string {
	start := n.Start()
	for c := range n.Children {
		if !c.Is("decorator") {
			break
		}
		start = c.End()
	}
	text := s.tree.Src[start:max(start, end)]
	if len(text) > 4*maxSignature {
		text = text[:4*maxSignature]
	}
	return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(squash(string(text)), " {:=;,"), "=>"), " {:=;,")
}

// place is where a function, a class or an object is put, which gives it its
// name.
type place struct {
	node    syntax.Node // the whole of the text that puts it there
	name    string
	path    string // "" for that of its name in the current symbol
	kind    code.Kind
	owner   string
	doc     string
	typ     string
	static  bool
	unbound bool // the name is not one of the current scope
	exported,
	abstract bool
	module bool    // it is the module itself
	prefix string  // words before the node that belong to its signature
	in     *holder // whose member it is, if it does not stand there
	this   *holder // what `this` is within, nil for itself
}

// function walks a function and returns its symbol. Without a name it is a
// lambda.
func (s *script) function(n syntax.Node, p place) int32 {
	body := n.Child("body")
	end := n.End()
	if body.OK() {
		end = body.Start()
	}
	if !p.node.OK() {
		p.node = n
	}
	sym := code.Symbol{
		Name: p.name, Path: p.path, Kind: p.kind, Owner: p.owner, Static: p.static, Exported: p.exported, Abstract: p.abstract,
		Doc: p.doc, Type: p.typ, Returns: typeText(n.Child("return_type")), TypeParams: typeParams(n),
		Signature: p.prefix + s.cut(p.node, end), Value: code.None,
		Yields: strings.HasPrefix(n.Kind(), "generator") || s.starred(n),
	}
	i := s.functionSymbol(p, sym)
	this := s.this
	if !n.Is("arrow_function") {
		s.this = p.this
		if s.this == nil && p.name != "" {
			s.this = &holder{path: s.file.Symbols[i].Path, owner: p.name, scope: code.None, symbol: i}
		}
	}
	s.within(i, code.FunctionScope, func() {
		if own := n.Child("name").Text(); n.Is("function_expression", "generator_function") {
			s.put(s.scope, code.Binding{Name: own, Kind: code.Defines, Ref: i, Value: code.None, At: n.Start()})
		}
		s.bounds(n)
		s.parameters(n, i)
		s.docTypes(i)
		if body.Is("statement_block") {
			s.statements(body)
		} else if body.OK() {
			s.result(s.expression(body))
		}
	})
	s.this = this
	return i
}

func (s *script) functionSymbol(p place, sym code.Symbol) int32 {
	switch {
	case p.name == "":
		return s.lambda(p.node, sym)
	case p.in != nil:
		return s.memberOf(p.in, p.node, sym)
	case p.unbound:
		return s.defineUnbound(p.node, sym)
	}
	i := s.define(p.node, sym)
	if sym.Owner == "" {
		s.declare(s.scope, p.name, asCallable)
	}
	return i
}

// defineUnbound adds a symbol whose name is not one of the current scope.
func (s *script) defineUnbound(n syntax.Node, sym code.Symbol) int32 {
	bound := len(s.file.Scopes[s.scope].Bindings)
	i := s.define(n, sym)
	sc := &s.file.Scopes[s.scope]
	sc.Bindings = sc.Bindings[:bound]
	return i
}

// memberOf adds a symbol to a holder from a place outside of it.
func (s *script) memberOf(h *holder, n syntax.Node, sym code.Symbol) int32 {
	scope, owner := s.scope, s.owner
	sym.Path, sym.Owner = join(h.path, sym.Name), h.owner
	s.owner = h.symbol
	var i int32
	if h.scope != code.None {
		s.scope = h.scope
		i = s.define(n, sym)
	} else {
		i = s.defineUnbound(n, sym)
	}
	s.scope, s.owner = scope, owner
	s.members[sym.Path] = i
	return i
}

// starred says that a method is a generator.
func (s *script) starred(n syntax.Node) bool {
	if !n.Is("method_definition", "method_signature", "abstract_method_signature") {
		return false
	}
	at := int(n.Child("name").Start()) - 1
	for at > int(n.Start()) && s.tree.Src[at] <= ' ' {
		at--
	}
	return at >= int(n.Start()) && s.tree.Src[at] == '*'
}

// parameters sets and binds what a function takes.
func (s *script) parameters(n syntax.Node, symbol int32) {
	if one := n.Child("parameter"); one.OK() { // x => …
		s.takes(symbol, one, []code.Param{{Name: one.Text(), Default: code.None}})
		return
	}
	list := n.Child("parameters")
	var params []code.Param
	var patterns []syntax.Node
	for c := range list.Children {
		if !c.Named() || c.Is("comment") {
			continue
		}
		pattern, ok := s.parameter(c, symbol, &params)
		if ok && pattern.Is("object_pattern", "array_pattern") {
			patterns = append(patterns, pattern)
		}
	}
	s.takes(symbol, list, params)
	for _, p := range patterns {
		s.pattern(p, source{value: s.name(p, patternName(p))}, target{scope: s.scope})
	}
}

func (s *script) takes(symbol int32, at syntax.Node, params []code.Param) {
	for _, p := range params {
		s.declare(s.scope, p.Name, asVariable)
	}
	s.params(symbol, at, params)
}

// patternName is the name of a parameter that is taken apart at once.
func patternName(n syntax.Node) string { return clip(squash(n.Text()), maxReceiver) }

// parameter adds one parameter and returns its pattern.
func (s *script) parameter(c syntax.Node, symbol int32, params *[]code.Param) (syntax.Node, bool) {
	p := code.Param{Default: code.None}
	pattern := c
	switch c.Kind() {
	case "required_parameter", "optional_parameter":
		pattern = c.Child("pattern")
		p.Type, p.Optional = typeText(c.Child("type")), c.Is("optional_parameter")
		if v := c.Child("value"); v.OK() {
			p.Default, p.Optional = s.expression(v), true
		}
	case "assignment_pattern":
		pattern = c.Child("left")
		p.Default, p.Optional = s.expression(c.Child("right")), true
	case "ERROR":
		s.children(c)
		return c, false
	}
	if pattern.Is("rest_pattern") {
		p.Variadic = true
		pattern = firstNamed(pattern)
	}
	if pattern.Is("this") { // only says what type it is called on
		s.put(s.scope, code.Binding{Name: "this", Kind: code.Receiver, Ref: code.None, Type: p.Type, Value: code.None, At: c.Start()})
		return pattern, false
	}
	p.Name = patternName(pattern)
	*params = append(*params, p)
	s.decorators(c)
	if s.this != nil && (c.Has("accessibility_modifier") || c.Has("readonly") || c.Has("override_modifier")) {
		s.parameterField(c, p)
	}
	return pattern, true
}

// parameterField is a field that a constructor's parameter declares.
func (s *script) parameterField(c syntax.Node, p code.Param) {
	if _, ok := s.members[join(s.this.path, p.Name)]; ok || p.Name == "" {
		return
	}
	access := c.First("accessibility_modifier").Text()
	value := s.either(c, s.name(c, p.Name), p.Default)
	s.memberOf(s.this, c, code.Symbol{
		Name: p.Name, Kind: code.Field, Type: p.Type, Value: value, Exported: access == "" || access == "public",
	})
}

// typeParams are the names of generic parameters.
func typeParams(n syntax.Node) []string {
	var out []string
	for c := range n.Child("type_parameters").Children {
		if name := c.Child("name").Text(); c.Is("type_parameter") && name != "" {
			out = append(out, name)
		}
	}
	return out
}

// docTypes takes from the comment the types that the text does not declare, as
// JavaScript has no other place for them.
func (s *script) docTypes(symbol int32) {
	sym := &s.file.Symbols[symbol]
	if sym.Doc == "" || !strings.Contains(sym.Doc, "@") {
		return
	}
	if sym.Returns == "" {
		sym.Returns = docType(sym.Doc, "@return")
	}
	bindings := s.file.Scopes[s.scope].Bindings
	for i := range sym.Params {
		p := &sym.Params[i]
		if p.Type != "" {
			continue
		}
		p.Type = docParam(sym.Doc, p.Name)
		for j := range bindings {
			if bindings[j].Kind == code.Takes && bindings[j].Ref == int32(i) {
				bindings[j].Type = p.Type
			}
		}
	}
}

// docType is the type in braces after a tag, "" where there is none.
func docType(doc, tag string) string {
	for line := range strings.Lines(doc) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), tag); ok {
			typ, _ := braced(strings.TrimLeft(rest, "s"))
			return typ
		}
	}
	return ""
}

// docParam is the type in braces of a parameter.
func docParam(doc, name string) string {
	for line := range strings.Lines(doc) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "@param")
		if !ok {
			continue
		}
		typ, rest := braced(rest)
		if word, _, _ := strings.Cut(strings.TrimLeft(rest, " ["), " "); strings.TrimRight(word, "]-") == name || strings.HasPrefix(word, name+"=") {
			return typ
		}
	}
	return ""
}

// braced splits "{type} rest".
func braced(text string) (typ, rest string) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") {
		return "", text
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return strings.TrimSpace(text[1:i]), text[i+1:]
			}
		}
	}
	return "", text
}
