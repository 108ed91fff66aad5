package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// typeSymbol is what all types have in common.
func (r *rustWalk) typeSymbol(n syntax.Node, kind code.Kind, doc string, attributes rustAttributes) code.Symbol {
	return code.Symbol{
		Name: n.Child("name").Text(), Kind: kind, Doc: doc, Exported: n.Has("visibility_modifier"), Value: code.None,
		TypeParams: rustTypeParams(n.Child("type_parameters")), Decorators: r.decorators(attributes),
	}
}

func (r *rustWalk) structItem(n syntax.Node, doc string, attributes rustAttributes) {
	s := r.typeSymbol(n, code.Struct, doc, attributes)
	if s.Name == "" {
		return
	}
	i := r.define(n, s)
	r.within(i, code.ClassScope, func() {
		r.bounds(n.Child("type_parameters"), n.First("where_clause"))
		r.fields(n.Child("body"))
	})
}

// fields defines the fields of a struct or variant; those without names are
// called "0", "1" and so on, as they are in the language.
func (r *rustWalk) fields(n syntax.Node) {
	var lead leading
	count, exported := 0, false
	for c := range n.Children {
		switch {
		case c.Is("line_comment", "block_comment"):
			if c.Child("outer").OK() {
				lead.add(c)
			}
			continue
		case c.Is("attribute_item"):
			lead.last = max(lead.last, c.EndLine())
			continue
		case c.Is("visibility_modifier"):
			exported = true
			continue
		case c.Is("field_declaration"):
			r.field(c, c.Child("name").Text(), squash(c.Child("type").Text()), lead.before(c), c.Has("visibility_modifier"))
		case c.Field() == "type":
			r.field(c, itoa(count), squash(c.Text()), lead.before(c), exported)
			count, exported = count+1, false
		case c.Is("ERROR"):
			r.fields(c)
		}
		lead.pass(c)
	}
}

func (r *rustWalk) field(n syntax.Node, name, typ, doc string, exported bool) {
	if name != "" {
		r.define(n, code.Symbol{Name: name, Kind: code.Field, Type: typ, Doc: doc, Exported: exported, Value: code.None, Signature: name + ": " + typ})
	}
}

func (r *rustWalk) enumItem(n syntax.Node, doc string, attributes rustAttributes) {
	s := r.typeSymbol(n, code.Enum, doc, attributes)
	if s.Name == "" {
		return
	}
	i := r.define(n, s)
	r.within(i, code.ClassScope, func() { r.variants(n.Child("body"), s.Exported) })
}

func (r *rustWalk) variants(n syntax.Node, exported bool) {
	var lead leading
	for c := range n.Children {
		switch c.Kind() {
		case "line_comment", "block_comment":
			if c.Child("outer").OK() {
				lead.add(c)
			}
			continue
		case "attribute_item":
			lead.last = max(lead.last, c.EndLine())
			continue
		case "enum_variant":
			if name := c.Child("name").Text(); name != "" {
				value := code.None
				if v := c.Child("value"); v.OK() {
					value = r.value(v)
				}
				i := r.define(c, code.Symbol{Name: name, Kind: code.EnumMember, Doc: lead.before(c), Exported: exported, Value: value, Signature: squash(c.Text())})
				r.within(i, code.ClassScope, func() { r.fields(c.Child("body")) })
			}
		case "ERROR":
			r.variants(c, exported)
		}
		lead.pass(c)
	}
}

func (r *rustWalk) traitItem(n syntax.Node, doc string, attributes rustAttributes) {
	s := r.typeSymbol(n, code.Trait, doc, attributes)
	if s.Name == "" {
		return
	}
	impl := r.impl
	r.impl = nil
	defer func() { r.impl = impl }()
	i := r.define(n, s)
	for c := range n.Child("bounds").Children {
		if base := rustTypeName(c); c.Is("type_identifier", "scoped_type_identifier", "generic_type") {
			r.file.Inherits = append(r.file.Inherits, code.Inherit{Symbol: i, Base: base, Expr: r.typePath(c), Kind: code.Extends, Line: c.Line()})
		}
	}
	r.within(i, code.ClassScope, func() {
		r.bounds(n.Child("type_parameters"), n.First("where_clause"))
		r.items(n.Child("body"))
	})
}

func (r *rustWalk) implItem(n syntax.Node) {
	typ, trait := n.Child("type"), n.Child("trait")
	owner := rustTypeName(typ)
	if trait.OK() {
		r.file.Inherits = append(r.file.Inherits, code.Inherit{
			Symbol: code.None, Type: owner, Base: rustTypeName(trait), Expr: r.typePath(trait), Kind: code.Implements, Line: n.Line(),
		})
	}
	impl := r.impl
	r.impl = &rustImpl{owner: owner, trait: trait.OK(), params: n.Child("type_parameters"), where: n.First("where_clause")}
	r.items(n.Child("body"))
	r.impl = impl
}

// modItem walks a module that is written here, or notes one that is a file.
func (r *rustWalk) modItem(n syntax.Node, doc string, attributes rustAttributes) {
	name, body := n.Child("name").Text(), n.Child("body")
	exported := n.Has("visibility_modifier")
	if name == "" {
		return
	}
	if !body.OK() {
		r.importOne(n, code.Import{Module: "self::" + name, Alias: name, Reexport: exported})
		return
	}
	i := r.define(n, code.Symbol{Name: name, Kind: code.Module, Doc: doc, Exported: exported, Value: code.None, Decorators: r.decorators(attributes)})
	impl := r.impl
	r.impl = nil
	r.within(i, code.ModuleScope, func() { r.items(body) })
	r.impl = impl
}

// constItem walks a constant or static: a symbol at the top of a module and in a
// type, a variable in a function.
func (r *rustWalk) constItem(n syntax.Node, doc string) {
	name, typ, value := n.Child("name").Text(), squash(n.Child("type").Text()), code.None
	if v := n.Child("value"); v.OK() {
		value = r.value(v)
	}
	if name == "" || name == "_" {
		return
	}
	if r.caller() != code.None {
		r.local(code.Binding{Name: name, Kind: code.Assigned, Ref: code.None, Type: typ, Value: value, At: n.Start()})
		return
	}
	s := code.Symbol{Name: name, Kind: code.Constant, Doc: doc, Type: typ, Value: value, Exported: n.Has("visibility_modifier")}
	if n.Is("static_item") {
		s.Kind = code.Variable
	}
	r.associated(&s, n)
	r.define(n, s)
}

// associated sets what a constant or type has by standing in an impl or trait.
func (r *rustWalk) associated(s *code.Symbol, n syntax.Node) {
	if r.impl != nil {
		s.Exported, s.Static = s.Exported || r.impl.trait, true
		r.own(s, r.impl.owner)
	} else if r.owner != code.None && r.file.Symbols[r.owner].Kind == code.Trait {
		s.Static, s.Exported = true, r.file.Symbols[r.owner].Exported
		s.Abstract = !n.Child("value").OK() && !n.Child("type").OK()
	}
}

func (r *rustWalk) typeItem(n syntax.Node, doc string) {
	s := r.typeSymbol(n, code.TypeAlias, doc, nil)
	if s.Name == "" {
		return
	}
	s.Type = squash(n.Child("type").Text())
	r.associated(&s, n)
	r.define(n, s)
}

// macroDefinition walks the right sides of a macro, with the calls in them.
func (r *rustWalk) macroDefinition(n syntax.Node, doc string, attributes rustAttributes) {
	name := n.Child("name").Text()
	if name == "" {
		return
	}
	i := r.define(n, code.Symbol{Name: name, Kind: code.Macro, Doc: doc, Exported: attributes.has("macro_export"), Value: code.None, Signature: "macro_rules! " + name})
	r.within(i, code.FunctionScope, func() {
		for c := range n.Children {
			if right := c.Child("right"); c.Is("macro_rule") && right.OK() {
				r.tokens(right)
			}
		}
	})
}

func (r *rustWalk) externCrate(n syntax.Node) {
	name, alias := n.Child("name").Text(), n.Child("alias").Text()
	if alias == "" {
		alias = name
	}
	if name != "" {
		r.importOne(n, code.Import{Module: name, Alias: alias, Reexport: n.Has("visibility_modifier")})
	}
}

func (r *rustWalk) importOne(n syntax.Node, i code.Import) {
	i.Scope, i.Line = r.scope, n.Line()
	r.file.Imports = append(r.file.Imports, i)
	if i.Alias != "" && i.Alias != "_" {
		r.bind(code.Binding{Name: i.Alias, Kind: code.Imports, Ref: int32(len(r.file.Imports) - 1), Value: code.None, At: n.Start()})
	}
}

// use walks a tree of imports below a path.
func (r *rustWalk) use(n syntax.Node, prefix string, public bool) {
	switch n.Kind() {
	case "scoped_use_list":
		r.use(n.Child("list"), rustJoin(prefix, n.Child("path")), public)
	case "use_list":
		for c := range n.Children {
			if c.Named() {
				r.use(c, prefix, public)
			}
		}
	case "use_wildcard":
		module := prefix
		if path := rustOperand(n); path.OK() {
			module = rustJoin(prefix, path)
		}
		r.importOne(n, code.Import{Module: module, Name: "*", Reexport: public})
	case "use_as_clause":
		r.useOne(n, rustJoin(prefix, n.Child("path")), n.Child("alias").Text(), public)
	case "self":
		if prefix == "" {
			r.useOne(n, "self", "self", public)
			return
		}
		r.useOne(n, prefix, "", public)
	case "identifier", "scoped_identifier", "crate", "super":
		r.useOne(n, rustJoin(prefix, n), "", public)
	}
}

func rustJoin(prefix string, n syntax.Node) string {
	text := strings.TrimPrefix(rustBare(n.Text()), "::")
	if prefix == "" || text == "" {
		return prefix + text
	}
	return prefix + "::" + text
}

// useOne brings in what the path names; a path to "self" at its end names what
// stands before it.
func (r *rustWalk) useOne(n syntax.Node, path, alias string, public bool) {
	path = strings.TrimSuffix(path, "::self")
	module, name := path, ""
	if at := strings.LastIndex(path, "::"); at >= 0 {
		module, name = path[:at], path[at+2:]
	}
	if alias == "" {
		if alias = name; name == "" {
			alias = module
		}
	}
	if module != "" {
		r.importOne(n, code.Import{Module: module, Name: name, Alias: alias, Reexport: public})
	}
}
