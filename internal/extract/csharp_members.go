package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// methodName is the name of a function of any form.
func (w *sharpWalk) methodName(n syntax.Node) string {
	switch n.Kind() {
	case "destructor_declaration":
		return "~" + n.Child("name").Text()
	case "operator_declaration":
		return "operator " + n.Child("operator").Text()
	case "conversion_operator_declaration":
		return "operator " + sharpTypeText(n.Child("type"))
	}
	return n.Child("name").Text()
}

func (w *sharpWalk) method(n syntax.Node, doc string) {
	name, body := w.methodName(n), n.Child("body")
	if name == "" {
		w.children(n)
		return
	}
	m, end := sharpModifiersOf(n), n.End()
	if body.OK() {
		end = body.Start()
	}
	returns := n.Child("returns")
	if !returns.OK() {
		returns = n.Child("type")
	}
	s := code.Symbol{
		Name: name, Kind: code.Method, Doc: doc, Signature: w.between(m.start, end), Static: m.static, Value: code.None,
		Exported: w.exported(m) || n.Has("explicit_interface_specifier"), Returns: sharpTypeText(returns), TypeParams: sharpTypeParams(n),
		Abstract: m.abstract || !body.OK() && !m.outer && (m.partly || w.ownerKind() == code.Interface),
	}
	var symbol int32
	switch {
	case n.Is("constructor_declaration"):
		symbol = w.constructor(n, s)
	case n.Is("local_function_statement") || w.owner == code.None:
		s.Kind, s.Static, s.Exported = code.Function, false, false
		symbol = w.define(n, s)
	default:
		symbol = w.define(n, s)
	}
	w.within(symbol, code.FunctionScope, func() {
		params := w.parameters(n.Child("parameters"))
		w.takes(symbol, n, params)
		w.extends(params)
		w.bounds(n)
		w.initializer(n.First("constructor_initializer"))
		w.body(body, s.Returns)
	})
}

// extends gives the first parameter of an extension method its plain type where
// the body sees it; in the list of parameters "this" stays before it.
func (w *sharpWalk) extends(params []code.Param) {
	if len(params) == 0 {
		return
	}
	if plain, ok := strings.CutPrefix(params[0].Type, "this "); ok {
		w.file.Scopes[w.scope].Bindings[0].Type = plain
	}
}

// initializer reads `: base(…)` and `: this(…)`.
func (w *sharpWalk) initializer(n syntax.Node) {
	if !n.OK() {
		return
	}
	kind, name := code.SuperExpr, "base"
	if n.Has("this") {
		kind, name = code.SelfExpr, "this"
	}
	values, keys := w.args(n.First("argument_list"))
	w.call(n, code.Ctor, w.expr(n, blank(kind)), name, syntax.Node{}, values, keys)
}

// body reads a function's block or what stands behind its arrow, in the scope of
// the function.
func (w *sharpWalk) body(n syntax.Node, returns string) {
	switch n.Kind() {
	case "block":
		w.children(n)
	case "arrow_expression_clause":
		for c := range n.Children {
			if !sharpOperand(c) {
				continue
			}
			if value := w.valueAs(c, returns); returns != "" && returns != "void" {
				w.returns(value)
			}
		}
	case "":
	default: // of a lambda
		w.returns(w.valueAs(n, returns))
	}
}

// parameters reads a list of parameters. One with `params` has no node of its
// own in the tree.
func (w *sharpWalk) parameters(n syntax.Node) []code.Param {
	var out []code.Param
	rest := ""
	for c := range n.Children {
		switch {
		case c.Is("parameter"):
			out = append(out, w.parameter(c))
		case c.Field() == "type":
			rest = sharpTypeText(c)
		case c.Field() == "name":
			out = append(out, code.Param{Name: c.Text(), Type: rest, Default: code.None, Optional: true, Variadic: true})
		}
	}
	return out
}

func (w *sharpWalk) parameter(n syntax.Node) code.Param {
	p := code.Param{Name: n.Child("name").Text(), Type: sharpTypeText(n.Child("type")), Default: code.None}
	for c := range n.Children {
		switch {
		case c.Is("modifier"):
			if c.Text() == "this" {
				p.Type = "this " + p.Type
			}
		case c.Field() == "" && sharpOperand(c) && !c.Is("attribute_list", "preproc_if_in_attribute_list"):
			p.Default, p.Optional = w.valueAs(c, p.Type), true
		}
	}
	return p
}

// property reads a property, an indexer or an event. It is a field; what runs in
// its accessors belongs to methods get_X, set_X and so on.
func (w *sharpWalk) property(n syntax.Node, doc string) {
	name, shown := n.Child("name").Text(), n.Child("name").Text()
	if n.Is("indexer_declaration") {
		name, shown = "Item", "this[]"
	}
	if name == "" {
		w.children(n)
		return
	}
	m, typ := sharpModifiersOf(n), sharpTypeText(n.Child("type"))
	value, accessors := n.Child("value"), n.Child("accessors")
	end := n.End()
	for _, c := range []syntax.Node{accessors, value} {
		if c.OK() {
			end = min(end, c.Start())
		}
	}
	exported := w.exported(m) || n.Has("explicit_interface_specifier")
	symbol := w.field(n, code.Symbol{
		Name: shown, Kind: code.Field, Doc: doc, Type: typ, Signature: w.between(m.start, end), Static: m.static, Exported: exported,
		Abstract: m.abstract || w.ownerKind() == code.Interface && !value.OK() && !sharpHasBodies(accessors),
	})
	made := sharpAccessor{of: name, typ: typ, static: m.static, exported: exported, index: n.Child("parameters")}
	switch {
	case value.Is("arrow_expression_clause"):
		w.accessor(value, value, "get", made)
	case value.OK():
		v := w.valueAs(value, typ)
		w.file.Symbols[symbol].Value = v
	}
	for c := range accessors.Children {
		if body := c.Child("body"); body.OK() {
			w.accessor(c, body, c.Child("name").Text(), made)
		}
	}
}

func sharpHasBodies(accessors syntax.Node) bool {
	for c := range accessors.Children {
		if c.Child("body").OK() {
			return true
		}
	}
	return false
}

// sharpAccessor is what an accessor has of its property.
type sharpAccessor struct {
	of, typ          string
	static, exported bool
	index            syntax.Node // parameters of an indexer
}

func (w *sharpWalk) accessor(n, body syntax.Node, verb string, a sharpAccessor) {
	if verb == "init" {
		verb = "set"
	}
	signature := w.between(n.Start(), body.Start())
	if signature == "" {
		signature = verb
	}
	s := code.Symbol{
		Name: verb + "_" + a.of, Kind: code.Method, Signature: signature + " of " + a.of, Static: a.static, Value: code.None,
		Exported: a.exported && sharpModifiersOf(n).access != "private",
	}
	if verb == "get" {
		s.Returns = a.typ
	}
	symbol := w.define(n, s)
	w.within(symbol, code.FunctionScope, func() {
		params := w.parameters(a.index)
		if verb != "get" {
			params = append(params, code.Param{Name: "value", Type: a.typ, Default: code.None})
		}
		w.takes(symbol, n, params)
		w.body(body, s.Returns)
	})
}

func (w *sharpWalk) fields(n syntax.Node, doc string) {
	m, list := sharpModifiersOf(n), n.First("variable_declaration")
	kind := code.Field
	if m.constant {
		kind = code.Constant
	}
	t := list.Child("type")
	typ := sharpTypeText(t)
	for c := range list.Children {
		name := c.Child("name")
		if !c.Is("variable_declarator") || name.Text() == "" {
			continue
		}
		value := sharpDeclared(c)
		shown := name.Text()
		if strings.HasSuffix(value.Kind(), "literal") {
			shown = w.between(c.Start(), c.End())
		}
		symbol := w.field(c, code.Symbol{
			Name: name.Text(), Kind: kind, Doc: doc, Type: typ, Signature: w.between(m.start, t.End()) + " " + shown,
			Exported: w.exported(m), Static: m.static,
		})
		if value.OK() {
			v := w.valueAs(value, typ)
			w.file.Symbols[symbol].Value = v
		}
	}
}

// sharpDeclared is the value of a variable_declarator, or no node.
func sharpDeclared(n syntax.Node) syntax.Node {
	for c := range n.Children {
		if c.Field() == "" && sharpOperand(c) && !c.Is("tuple_pattern", "bracketed_argument_list") {
			return c
		}
	}
	return syntax.Node{}
}
