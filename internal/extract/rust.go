package extract

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// rustWalk reads a Rust file.
type rustWalk struct {
	*builder
	names localNames
	// owner of the items of an impl block, with its generic parameters.
	impl *rustImpl
}

// rustImpl is the block that the walk stands directly in.
type rustImpl struct {
	owner  string // the type as written, without arguments
	trait  bool   // the block implements one, so its items are as public as that
	params syntax.Node
	where  syntax.Node
}

func walkRust(b *builder, root syntax.Node) {
	r := &rustWalk{builder: b}
	r.items(root)
}

// rustAttributes are what stands in #[…] before an item.
type rustAttributes []syntax.Node

func (a rustAttributes) has(name string) bool {
	for _, n := range a {
		if n.First("identifier", "scoped_identifier").Text() == name {
			return true
		}
	}
	return false
}

// items walks the items and statements of a file, module, block or impl, and
// gives the value of the last expression that ends a block, or None.
func (r *rustWalk) items(n syntax.Node) int32 {
	var lead leading
	var attributes rustAttributes
	value := code.None
	for c := range n.Children {
		switch kind := c.Kind(); {
		case kind == "line_comment" || kind == "block_comment":
			if c.Child("outer").OK() {
				lead.add(c)
			}
		case kind == "attribute_item":
			attributes = append(attributes, c.First("attribute"))
			lead.last = max(lead.last, c.EndLine())
		case !c.Named() || kind == "visibility_modifier" || kind == "label":
		default:
			value = r.item(c, lead.before(c), attributes)
			lead.pass(c)
			attributes = nil
		}
	}
	return value
}

// item walks one item or statement. The value comes back of an expression that
// no semicolon follows.
func (r *rustWalk) item(n syntax.Node, doc string, attributes rustAttributes) int32 {
	switch n.Kind() {
	case "function_item", "function_signature_item":
		r.functionItem(n, doc, attributes)
	case "struct_item", "union_item":
		r.structItem(n, doc, attributes)
	case "enum_item":
		r.enumItem(n, doc, attributes)
	case "trait_item":
		r.traitItem(n, doc, attributes)
	case "impl_item":
		r.implItem(n)
	case "mod_item":
		r.modItem(n, doc, attributes)
	case "const_item", "static_item":
		r.constItem(n, doc)
	case "type_item", "associated_type":
		r.typeItem(n, doc)
	case "macro_definition":
		r.macroDefinition(n, doc, attributes)
	case "use_declaration":
		r.use(n.Child("argument"), "", n.Has("visibility_modifier"))
	case "extern_crate_declaration":
		r.externCrate(n)
	case "foreign_mod_item":
		r.items(n.Child("body"))
	case "let_declaration":
		r.let(n)
	case "expression_statement":
		value := code.None
		for c := range n.Children {
			if c.Named() {
				value = r.value(c)
			}
		}
		if !bytes.HasSuffix(n.Bytes(), []byte(";")) {
			return value
		}
	case "empty_statement", "inner_attribute_item", "shebang":
	case "ERROR", "declaration_list":
		r.items(n)
	default:
		return r.value(n)
	}
	return code.None
}

func (r *rustWalk) functionItem(n syntax.Node, doc string, attributes rustAttributes) {
	s := code.Symbol{Name: n.Child("name").Text(), Kind: code.Function, Doc: doc}
	impl := r.impl
	r.impl = nil
	defer func() { r.impl = impl }()
	if s.Name == "" {
		r.items(n)
		return
	}
	s.Exported, s.Abstract = n.Has("visibility_modifier"), !n.Child("body").OK()
	s.Returns = squash(n.Child("return_type").Text())
	s.TypeParams = rustTypeParams(n.Child("type_parameters"))
	s.Decorators = r.decorators(attributes)
	parameters := n.Child("parameters")
	_, self := rustSelf(parameters)
	switch {
	case impl != nil:
		s.Kind, s.Static = code.Method, !self
		s.Exported = s.Exported || impl.trait
		s.TypeParams = append(rustTypeParams(impl.params), s.TypeParams...)
		r.own(&s, impl.owner)
	case r.owner != code.None && r.file.Symbols[r.owner].Kind == code.Trait:
		s.Kind, s.Static = code.Method, !self
		s.Exported = r.file.Symbols[r.owner].Exported
	}
	i := r.define(n, s)
	r.within(i, code.FunctionScope, func() {
		if impl != nil {
			r.bounds(impl.params, impl.where)
		}
		r.bounds(n.Child("type_parameters"), n.First("where_clause"))
		r.parameters(i, parameters)
		value := r.items(n.Child("body"))
		if s.Returns != "" {
			r.returns(value)
		}
	})
}

// own makes a symbol one of a type that it does not stand within.
func (r *rustWalk) own(s *code.Symbol, owner string) {
	s.Owner, s.Path = owner, s.Name
	if owner != "" {
		s.Path = owner[strings.LastIndex(owner, ":")+1:] + "." + s.Name
	}
	if r.owner != code.None {
		s.Path = r.file.Symbols[r.owner].Path + "." + s.Path
	}
}

// within is the builder's, with an end to the names that are declared in it.
func (r *rustWalk) within(symbol int32, kind code.ScopeKind, walk func()) {
	mark := r.names.mark()
	r.builder.within(symbol, kind, walk)
	r.names.release(mark)
}

func (r *rustWalk) block(walk func()) {
	mark := r.names.mark()
	r.builder.block(walk)
	r.names.release(mark)
}

func (r *rustWalk) local(b code.Binding) {
	if b.Name == "" || b.Name == "_" {
		return
	}
	r.names.add(r.scope, b.Name, b.Type)
	r.bind(b)
}

// decorators are the names of attributes, which are not called where they stand.
func (r *rustWalk) decorators(attributes rustAttributes) []int32 {
	var out []int32
	for _, a := range attributes {
		if path := a.First("identifier", "scoped_identifier"); path.OK() {
			out = append(out, r.path(path))
		}
	}
	return out
}

// rustSelf is the parameter self and whether there is one.
func rustSelf(parameters syntax.Node) (syntax.Node, bool) {
	for c := range parameters.Children {
		if c.Is("self_parameter") || c.Is("parameter") && c.Child("pattern").Is("self") {
			return c, true
		}
	}
	return syntax.Node{}, false
}

// parameters binds what a function or closure takes.
func (r *rustWalk) parameters(symbol int32, n syntax.Node) {
	var params []code.Param
	self, has := rustSelf(n)
	if has {
		r.local(code.Binding{Name: "self", Kind: code.Receiver, Ref: code.None, Type: squash(self.Child("type").Text()), Value: code.None, At: self.Start()})
	}
	for c := range n.Children {
		if !c.Named() || c == self || c.Is("attribute_item", "line_comment", "block_comment") {
			continue
		}
		pattern, p := c, code.Param{Default: code.None}
		switch c.Kind() {
		case "parameter":
			pattern, p.Type = c.Child("pattern"), squash(c.Child("type").Text())
		case "variadic_parameter":
			pattern, p.Variadic, p.Optional = c.Child("pattern"), true, true
		}
		if name := rustPlain(pattern); name.OK() {
			p.Name = name.Text()
			r.local(code.Binding{Name: p.Name, Kind: code.Takes, Ref: int32(len(params)), Type: p.Type, Value: code.None, At: c.Start()})
		} else if p.Type == "" && pattern.Is("tuple_pattern", "tuple_struct_pattern", "slice_pattern", "reference_pattern") { // of a closure
			name := "#" + itoa(len(params))
			r.local(code.Binding{Name: name, Kind: code.Takes, Ref: int32(len(params)), Value: code.None, At: c.Start()})
			r.pattern(pattern, rustTarget{value: r.name(c, name), at: c.Start()})
		} else {
			r.pattern(pattern, r.typedAs(p.Type, c))
		}
		params = append(params, p)
	}
	r.file.Symbols[symbol].Params = params
}

// rustPlain is the name in a pattern that is nothing but one.
func rustPlain(n syntax.Node) syntax.Node {
	for n.Is("mut_pattern", "ref_pattern", "reference_pattern") {
		n = rustOperand(n)
	}
	if n.Is("identifier") {
		return n
	}
	return syntax.Node{}
}

// rustOperand is the first rule below n that is not a specifier.
func rustOperand(n syntax.Node) syntax.Node {
	for c := range n.Children {
		if c.Named() && !c.Is("mutable_specifier", "line_comment", "block_comment", "attribute_item") {
			return c
		}
	}
	return syntax.Node{}
}

// bounds binds generic parameters to the traits that they must have: a value of
// such a type has their methods.
func (r *rustWalk) bounds(params, where syntax.Node) {
	bind := func(name, bounds syntax.Node) {
		text := strings.TrimSpace(strings.TrimPrefix(squash(bounds.Text()), ":"))
		if text != "" && name.Is("type_identifier") && name.Text() != "Self" {
			r.local(code.Binding{Name: name.Text(), Kind: code.Assigned, Ref: code.None, Type: text, Value: code.None, At: name.Start()})
		}
	}
	for c := range params.Children {
		if c.Is("type_parameter", "constrained_type_parameter") {
			bind(c.Child("name"), c.Child("bounds"))
		}
	}
	for c := range where.Children {
		if c.Is("where_predicate") {
			bind(c.Child("left"), c.Child("bounds"))
		}
	}
}

func rustTypeParams(n syntax.Node) []string {
	var out []string
	for c := range n.Children {
		if c.Is("type_parameter", "const_parameter", "constrained_type_parameter") {
			if name := c.Child("name").Text(); name != "" {
				out = append(out, name)
			}
		}
	}
	return out
}

// rustTypeName is a type's path without references and arguments.
func rustTypeName(n syntax.Node) string {
	for n.OK() {
		switch n.Kind() {
		case "reference_type", "pointer_type":
			n = n.Child("type")
		case "generic_type":
			n = n.Child("type")
		case "dynamic_type", "abstract_type":
			n = n.Child("trait")
		case "type_identifier", "scoped_type_identifier", "primitive_type", "identifier", "scoped_identifier":
			return rustBare(n.Text())
		default:
			return squash(n.Text())
		}
	}
	return ""
}

// rustBare is a path without the arguments within it.
func rustBare(path string) string {
	var b strings.Builder
	depth := 0
	for _, c := range path {
		switch {
		case c == '<':
			depth++
		case c == '>':
			depth--
		case depth <= 0 && !unicode.IsSpace(c):
			b.WriteRune(c)
		}
	}
	return strings.Trim(strings.ReplaceAll(b.String(), "::::", "::"), ":")
}

// rustUpper says that a name is one of a type, variant or constant, as the
// language's own lint has it.
func rustUpper(name string) bool {
	c, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(c)
}
