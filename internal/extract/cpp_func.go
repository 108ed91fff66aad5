package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// functionDefinition reads a function with its body, and what the grammar takes
// for one: a class behind a macro (`class API Foo { … }`), a macro with a block
// in a function (`EACH(x, list) { … }`).
func (w *cppWalker) functionDefinition(n syntax.Node, o cppOuter) {
	d := w.declarator(n.Child("declarator"))
	t := n.Child("type")
	switch {
	case !d.fn.OK() && t.Is("class_specifier", "struct_specifier", "union_specifier") && !t.Child("body").OK() && d.name.Is("identifier") && d.name.Text() != "":
		w.macroClass(n, d.name.Text(), o)
	case !d.fn.OK() || !d.name.OK():
		w.block(func() { w.items(n.Child("body")) })
	case w.inFunction():
		if d.name.Is("identifier") {
			args, _ := w.vexing(d.fn)
			w.call(n, code.PlainCall, w.name(d.name, d.name.Text()), d.name.Text(), syntax.Node{}, args, nil)
		}
		w.block(func() { w.items(n.Child("body")) })
	default:
		w.function(n, d, o)
	}
}

// function reads a function or method with its body.
func (w *cppWalker) function(n syntax.Node, d cppDeclarator, o cppOuter) {
	body, inits := n.Child("body"), n.First("field_initializer_list")
	var try syntax.Node
	if !body.OK() {
		try = n.First("try_statement") // it holds the list of initialisers too
	}
	if !inits.OK() {
		inits = try.First("field_initializer_list")
	}
	end := body
	for _, e := range []syntax.Node{inits, try, n.First("default_method_clause", "delete_method_clause", "pure_virtual_clause")} {
		if e.OK() && (!end.OK() || e.Start() < end.Start()) {
			end = e
		}
	}
	s := w.signed(n, d, o, end)
	s.Abstract = n.Has("pure_virtual_clause")
	if s.Name == "" {
		return
	}
	i := w.define(o.node, s)
	w.within(i, code.FunctionScope, func() {
		w.params(i, d.fn, w.parameters(d.fn.Child("parameters")))
		for _, p := range w.file.Symbols[i].Params {
			w.vars[cppVar{w.scope, p.Name}] = true
		}
		w.initialisers(inits)
		if body.Is("compound_statement") || !body.OK() {
			w.items(body)
		} else {
			w.item(body, "")
		}
		for c := range try.Children {
			if !c.Is("field_initializer_list") {
				w.item(c, "")
			}
		}
	})
}

// prototype reads a function that is declared without its body.
func (w *cppWalker) prototype(n syntax.Node, d cppDeclarator, o cppOuter) {
	s := w.signed(n, d, o, syntax.Node{})
	if s.Name == "" || s.Owner != "" {
		return
	}
	s.Abstract = true
	s.Params = w.parameters(d.fn.Child("parameters"))
	w.define(o.node, s)
}

// bareConstructor reads `Foo(int);` in the body of a class behind a macro, where
// the grammar takes it for a call.
func (w *cppWalker) bareConstructor(n syntax.Node, doc string) bool {
	call := n.First("call_expression")
	name := call.Child("function")
	if !w.inClass() || !name.Is("identifier") || w.owner == code.None || w.file.Symbols[w.owner].Name != name.Text() {
		return false
	}
	w.define(n, code.Symbol{
		Name: name.Text(), Kind: code.Constructor, Doc: doc, Abstract: true, Exported: w.visible(), Value: code.None, Signature: w.textTo(n, syntax.Node{}),
	})
	return true
}

// signed is the symbol of a function by what stands before its body. Which
// qualified name is a method's and which a function's of a namespace, the text
// says only when the namespace is in it.
func (w *cppWalker) signed(n syntax.Node, d cppDeclarator, o cppOuter, end syntax.Node) code.Symbol {
	path := cppPath(d.name)
	if len(path) == 0 {
		return code.Symbol{}
	}
	static := cppHas(n, "static")
	s := code.Symbol{
		Name: path[len(path)-1], Kind: code.Function, Doc: o.doc, TypeParams: o.params, Value: code.None,
		Exported: w.external(n), Returns: w.result(n, d), Signature: w.textTo(o.node, end),
	}
	switch owner := path[:len(path)-1]; {
	case o.friend:
		s.Static = true
	case len(owner) > 0:
		last := owner[len(owner)-1]
		s.Owner, s.Kind = strings.Join(owner, "::"), code.Method
		s.Path = strings.Join(path, ".")
		if w.owner != code.None {
			s.Path = w.file.Symbols[w.owner].Path + "." + s.Path
		}
		if last == s.Name {
			s.Kind = code.Constructor
		} else if w.spaces[last] && !w.types[last] {
			s.Kind = code.Function
		}
	case w.inClass():
		s.Kind, s.Static = code.Method, static
		if w.owner != code.None && w.file.Symbols[w.owner].Name == s.Name {
			s.Kind = code.Constructor
		}
	case !n.Child("type").OK() && n.Child("body").OK() && s.Name == strings.ToUpper(s.Name) && !w.plainC:
		// TEST(Suite, Case) { … }: the macro's arguments are what names it.
		s.Name = squash(d.fn.Text())
	}
	return s
}

// result is the declared type of a function's result.
func (w *cppWalker) result(n syntax.Node, d cppDeclarator) string {
	if d.name.Is("operator_cast") {
		return cppType(d.name.Child("type"))
	}
	if t := d.fn.First("trailing_return_type"); t.OK() {
		return cppType(cppInner(t))
	}
	return d.typed(w, n)
}

// parameters reads a parameter list.
func (w *cppWalker) parameters(list syntax.Node) []code.Param {
	var out []code.Param
	for p := range list.Children {
		if !p.Is("parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration") {
			continue
		}
		d := w.declarator(p.Child("declarator"))
		param := code.Param{Type: d.typed(w, p), Default: code.None, Variadic: p.Is("variadic_parameter_declaration")}
		if d.name.OK() {
			param.Name = d.name.Text()
		} else if param.Type == "void" {
			continue
		}
		if v := p.Child("default_value"); v.OK() {
			param.Optional, param.Default = true, w.expr(v)
		}
		out = append(out, param)
	}
	if strings.HasSuffix(strings.TrimRight(list.Text(), " \t\r\n)"), "...") {
		out = append(out, code.Param{Name: "...", Default: code.None, Variadic: true})
	}
	return out
}

// initialisers reads a constructor's list: each runs a constructor of a base or
// of a field's type, unless the field is known to be of none.
func (w *cppWalker) initialisers(list syntax.Node) {
	for f := range list.Children {
		if !f.Is("field_initializer") {
			continue
		}
		var callee syntax.Node
		var args []int32
		for c := range f.Children {
			if c.Is("argument_list", "initializer_list") {
				args, _ = w.args(c)
			} else if c.Named() && !callee.OK() {
				callee = c
			}
		}
		path := cppPath(callee)
		if len(path) == 0 {
			continue
		}
		name := path[len(path)-1]
		class := w.currentClass()
		if typ, ok := w.data[class][name]; ok && !cppConstructs(typ) {
			if len(args) == 1 {
				w.setField(class, name, args[0])
			}
			continue
		} else if ok && len(args) == 1 { // its type may be another name of a function's
			w.setField(class, name, args[0])
		}
		w.call(f, code.Ctor, w.expr(callee), name, callee.Child("scope"), args, nil)
	}
}

// cppConstructs says that a variable of the type with this text runs a
// constructor: it is no pointer, no reference, no number.
func cppConstructs(typ string) bool {
	if typ == "" || strings.HasSuffix(typ, "*") || strings.HasSuffix(typ, "&") || strings.Contains(typ, "(*)") || strings.HasSuffix(typ, "_t") {
		return false
	}
	first, _, _ := strings.Cut(typ, " ")
	switch strings.TrimSuffix(first, "[]") {
	case "int", "bool", "char", "short", "long", "unsigned", "signed", "float", "double", "void", "wchar_t":
		return false
	}
	return true
}

// currentClass is the name of the class whose function the walk stands in.
func (w *cppWalker) currentClass() string {
	for s := w.owner; s != code.None; s = w.file.Symbols[s].Parent {
		switch sym := &w.file.Symbols[s]; {
		case sym.Kind == code.Class || sym.Kind == code.Struct:
			return sym.Name
		case sym.Owner != "":
			return sym.Owner[strings.LastIndexByte(sym.Owner, ':')+1:]
		}
	}
	return ""
}

// lambdaExpr reads a function written in place.
func (w *cppWalker) lambdaExpr(n syntax.Node) int32 {
	fn := n.Child("declarator")
	type capture struct {
		at    syntax.Node
		value int32
	}
	var captures []capture
	for c := range n.Child("captures").Children {
		if c.Is("lambda_capture_initializer") {
			captures = append(captures, capture{c.Child("left"), w.expr(c.Child("right"))})
		}
	}
	s := code.Symbol{Value: code.None, Signature: w.textTo(n, n.Child("body"))}
	if t := fn.First("trailing_return_type"); t.OK() {
		s.Returns = cppType(cppInner(t))
	}
	i := w.lambda(n, s)
	w.within(i, code.FunctionScope, func() {
		w.params(i, n, w.parameters(fn.Child("parameters")))
		for _, p := range w.file.Symbols[i].Params {
			w.vars[cppVar{w.scope, p.Name}] = true
		}
		for _, c := range captures {
			w.local(c.at, c.at.Text(), "", c.value)
		}
		w.items(n.Child("body"))
	})
	e := blank(code.FuncExpr)
	e.Ref = i
	return w.add(n, e)
}
