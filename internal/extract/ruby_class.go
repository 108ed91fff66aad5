package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// keyword reads what the language writes as calls without a receiver and that
// declares something: require, include, attr_reader, private and the like.
func (w *rubyWalker) keyword(n syntax.Node, name string) (int32, bool) {
	list := n.Child("arguments")
	switch name {
	case "require", "require_relative", "load", "autoload":
		if w.require(n, name, list.NamedChildren()) {
			return w.other(n), true
		}
	case "include", "extend", "prepend":
		if w.mix(w.class(), "", name, n) {
			return w.other(n), true
		}
	case "attr_accessor", "attr_reader", "attr_writer", "attr", "cattr_accessor", "mattr_accessor":
		for _, a := range list.NamedChildren() {
			w.attribute(a, name)
		}
		return w.other(n), true
	case "alias_method":
		if a := list.NamedChildren(); len(a) == 2 {
			w.aliasOf(n, rubyName(a[0]), rubyName(a[1]))
			return w.other(n), true
		}
	case "define_method", "define_singleton_method":
		return w.defineMethod(n, name)
	case "refine":
		if a, block := list.NamedChildren(), n.Child("block"); len(a) == 1 && a[0].Is("constant", "scope_resolution") && block.OK() {
			w.open(n, a[0], code.Class, func(int32) { w.members(block) })
			return w.other(n), true
		}
	case "def_delegators", "def_delegator", "delegate":
		if w.delegates(n, name, list.NamedChildren()) {
			return w.other(n), true
		}
	}
	if w.modifier(n, name, list) {
		return w.other(n), true
	}
	return code.None, false
}

// modifier reads private, public, module_function: alone they hold for what
// follows, with names or definitions for those.
func (w *rubyWalker) modifier(n syntax.Node, name string, list syntax.Node) bool {
	if !w.inBody() {
		return false
	}
	args := list.NamedChildren()
	switch name {
	case "private", "protected", "public", "module_function":
	case "private_class_method", "public_class_method", "private_constant":
		for _, a := range args {
			w.expr(a)
			w.mark(a, func(s *code.Symbol) { s.Exported = name == "public_class_method" })
		}
		return true
	default:
		return false
	}
	private, static := w.private, w.static
	if name == "module_function" {
		w.static = true
	} else {
		w.private = name == "private" || name == "protected"
	}
	if len(args) == 0 {
		return true
	}
	hidden := w.private
	for _, a := range args {
		if a.Is("array", "symbol_array") {
			for _, e := range a.NamedChildren() {
				w.markAs(e, name, hidden)
			}
			continue
		}
		w.expr(a)
		w.markAs(a, name, hidden)
	}
	w.private, w.static = private, static
	return true
}

func (w *rubyWalker) markAs(a syntax.Node, name string, hidden bool) {
	w.mark(a, func(s *code.Symbol) {
		if name == "module_function" {
			s.Static = true
		} else {
			s.Exported = !hidden
		}
	})
}

// inBody says that the walk stands in a class's or module's body.
func (w *rubyWalker) inBody() bool {
	return w.owner != code.None && w.owner == w.class()
}

// mark changes the method or field of the class that the argument names.
func (w *rubyWalker) mark(a syntax.Node, change func(*code.Symbol)) {
	name := rubyName(a)
	if a.Is("bare_symbol") {
		name = a.Text()
	}
	if i, ok := w.methods[rubyField{w.class(), name}]; ok && name != "" {
		change(&w.file.Symbols[i])
	}
}

// require notes a file that is loaded. Level 1 marks a path from this file.
func (w *rubyWalker) require(n syntax.Node, how string, args []syntax.Node) bool {
	im := code.Import{Name: "*", Scope: w.scope, Line: n.Line()}
	if how == "autoload" {
		if len(args) != 2 || rubyName(args[0]) == "" {
			return false
		}
		im.Name = rubyName(args[0])
		im.Alias = im.Name
		args = args[1:]
	}
	if len(args) == 0 || !args[0].Is("string") || rubyName(args[0]) == "" {
		return false
	}
	im.Module = rubyName(args[0])
	if how == "require_relative" {
		im.Level = 1
	}
	w.file.Imports = append(w.file.Imports, im)
	if im.Alias != "" {
		w.bind(code.Binding{Name: im.Alias, Kind: code.Imports, Ref: int32(len(w.file.Imports) - 1), Value: code.None, At: n.Start()})
	}
	return true
}

// mix reads include, extend and prepend of modules into a class: the symbol, or
// where there is none the type with this name.
func (w *rubyWalker) mix(class int32, typ, how string, n syntax.Node) bool {
	kind := code.Mixin
	switch {
	case how == "prepend":
		kind = code.Prepends
	case how == "extend" || w.static && w.inBody():
		kind = code.Singleton
	}
	if class == code.None && typ == "" {
		typ = "Object"
	}
	args := n.Child("arguments").NamedChildren()
	for _, a := range args {
		if !a.Is("constant", "scope_resolution", "self") {
			return false
		}
	}
	for _, a := range args {
		w.file.Inherits = append(w.file.Inherits, code.Inherit{
			Symbol: class, Type: typ, Base: squash(a.Text()), Expr: w.expr(a), Kind: kind, Line: n.Line(),
		})
	}
	return len(args) > 0
}

// mixes reads Foo.include(M), and base.extend(M) in a module's hook, which gives
// M's methods to whatever includes the module.
func (w *rubyWalker) mixes(n, recv syntax.Node, name string, x int32) bool {
	switch name {
	case "include", "extend", "prepend":
	default:
		return false
	}
	switch {
	case recv.Is("constant", "scope_resolution"):
		return w.mix(code.None, strings.Join(rubyPath(recv), "::"), name, n)
	case recv.Is("self"):
		return w.mix(w.class(), "", name, n)
	}
	if scope, ok := w.local(recv.Text()); ok && name == "extend" && recv.Is("identifier") && !w.hooked() {
		w.extended(n, recv.Text(), scope)
		return false
	}
	m := w.enclosing()
	if m == code.None || !w.file.Symbols[m].Static || !recv.Is("identifier") {
		return false
	}
	if w.hooked() {
		return w.mix(w.class(), "", name, n)
	}
	return false
}

// hooked says that the walk stands in a method that is run when something takes
// from the class or module.
func (w *rubyWalker) hooked() bool {
	m := w.enclosing()
	if m == code.None || !w.file.Symbols[m].Static {
		return false
	}
	switch w.file.Symbols[m].Name {
	case "included", "extended", "prepended", "inherited":
		return true
	}
	return false
}

// extended reads x.extend(M): the object has the methods of M as well.
func (w *rubyWalker) extended(n syntax.Node, name string, scope int32) {
	for _, a := range n.Child("arguments").NamedChildren() {
		if !a.Is("constant", "scope_resolution") {
			continue
		}
		e := blank(code.NewExpr)
		e.X = w.expr(a)
		w.bindIn(scope, code.Binding{Name: name, Kind: code.Assigned, Ref: code.None, Value: w.add(a, e), Maybe: true, At: a.Start()})
	}
}

// attribute reads one name of attr_reader and the like.
func (w *rubyWalker) attribute(a syntax.Node, how string) {
	name := rubyName(a)
	if name == "" {
		w.expr(a)
		return
	}
	prefix := "@"
	if how == "cattr_accessor" || how == "mattr_accessor" {
		prefix = "@@"
	}
	value := w.member(a, w.add(a, blank(code.SelfExpr)), prefix+name)
	if how == "attr_writer" {
		name += "=" // it cannot be read
	}
	w.fieldNamed(a, name, value, how+" :"+strings.TrimSuffix(name, "="))
}

// fieldNamed defines a field that stands for a value.
func (w *rubyWalker) fieldNamed(n syntax.Node, name string, value int32, signature string) {
	if name == "" {
		return
	}
	s := code.Symbol{Name: name, Kind: code.Field, Value: value, Exported: !w.private, Static: w.static, Signature: signature, Doc: w.doc}
	class := w.class()
	if class == code.None || w.file.Symbols[class].Scope == code.None {
		s.Kind = code.Variable
		w.define(n, s)
		return
	}
	w.at(class, func() {
		i := w.define(n, s)
		w.fields[rubyField{class, name}] = i
		w.note(name, i)
	})
}

// note remembers a method or field by its name, for private :name.
func (w *rubyWalker) note(name string, i int32) {
	if w.methods == nil {
		w.methods = map[rubyField]int32{}
	}
	w.methods[rubyField{w.class(), name}] = i
}

// aliasOf reads alias: a field whose value is the method.
func (w *rubyWalker) aliasOf(n syntax.Node, name, old string) {
	if name == "" || old == "" || strings.HasPrefix(name, "$") {
		return
	}
	w.fieldNamed(n, name, w.member(n, w.add(n, blank(code.SelfExpr)), old), squash(n.Text()))
}

// delegates reads methods that are those of another object.
func (w *rubyWalker) delegates(n syntax.Node, how string, args []syntax.Node) bool {
	to := ""
	var names []syntax.Node
	for i, a := range args {
		switch {
		case a.Is("pair") && rubyName(a.Child("key")) == "to":
			to = rubyName(a.Child("value"))
		case a.Is("pair"):
		case how != "delegate" && i == 0:
			to = rubyName(a)
		default:
			names = append(names, a)
		}
	}
	if to == "" || len(names) == 0 {
		return false
	}
	last := names[len(names)-1]
	if how == "def_delegator" {
		names = names[:1]
	}
	for _, a := range names {
		name := rubyName(a)
		if name == "" {
			continue
		}
		target := w.member(a, w.member(a, w.add(a, blank(code.SelfExpr)), to), name)
		if how == "def_delegator" && rubyName(last) != "" {
			name = rubyName(last)
		}
		w.fieldNamed(a, name, target, how+" :"+name)
	}
	return true
}

// defineMethod reads define_method(:name) { … }.
func (w *rubyWalker) defineMethod(n syntax.Node, how string) (int32, bool) {
	name, block := w.firstName(n), n.Child("block")
	if name == "" || !block.OK() {
		return code.None, false
	}
	kind := code.Method
	if w.class() == code.None {
		kind = code.Function
	}
	owner := w.owner
	if class := w.class(); class != code.None && w.inStatic() { // the class that runs this gets it
		w.owner = class
	}
	i := w.define(n, code.Symbol{
		Name: name, Kind: kind, Doc: w.doc, Exported: !w.private, Value: code.None,
		Static: w.static || how == "define_singleton_method", Signature: rubyHead(n),
	})
	w.owner = owner
	w.note(name, i)
	w.callable(i, n, block.Child("parameters"), func() {
		w.frames[len(w.frames)-1].block = true
		w.returns(w.value(block.Child("body")))
	})
	return w.symbol(n, name), true
}

// singletonClass reads class << self.
func (w *rubyWalker) singletonClass(n syntax.Node) int32 {
	if v := n.Child("value"); !v.Is("self") {
		w.expr(v)
	}
	static, private := w.static, w.private
	w.static, w.private, w.doc = true, false, ""
	w.frame(false, func() { w.members(n) })
	w.static, w.private = static, private
	return w.other(n)
}

// classValue reads NAME = Struct.new(…), Data.define(…), Class.new(…), Module.new:
// classes without the keyword.
func (w *rubyWalker) classValue(n, left, right syntax.Node) bool {
	recv, name := right.Child("receiver").Text(), right.Child("method").Text()
	if !right.Is("call") || name != "new" && name != "define" {
		return false
	}
	kind, base := code.Class, ""
	switch recv + "." + name {
	case "Struct.new", "Data.define":
		base = recv
	case "Class.new":
	case "Module.new":
		kind = code.Module
	default:
		return false
	}
	args := right.Child("arguments").NamedChildren()
	var expr int32 = code.None
	if recv == "Class" && len(args) == 1 {
		base, expr = squash(args[0].Text()), w.expr(args[0])
	}
	w.open(n, left, kind, func(i int32) {
		if base != "" {
			w.file.Inherits = append(w.file.Inherits, code.Inherit{Symbol: i, Base: clip(base, maxReceiver), Expr: expr, Kind: code.Extends, Line: n.Line()})
		}
		w.structFields(recv, args)
		w.members(right.Child("block"))
	})
	return true
}

// structFields defines the members of a Struct or Data. They are parameters too:
// what an instance is made with.
func (w *rubyWalker) structFields(recv string, args []syntax.Node) {
	if recv != "Struct" && recv != "Data" {
		return
	}
	class := &w.file.Symbols[w.owner]
	for _, a := range args {
		if name := rubyName(a); name != "" {
			class.Params = append(class.Params, code.Param{Name: name, Optional: true, Default: code.None})
		}
	}
	for _, a := range args {
		if name := rubyName(a); name != "" {
			w.fieldNamed(a, name, code.None, ":"+name)
		}
	}
}

// reopened reads Foo.class_eval do … end as another part of the class Foo.
func (w *rubyWalker) reopened(n, recv syntax.Node, name string) (int32, bool) {
	block := n.Child("block")
	if !block.OK() || !recv.Is("constant", "scope_resolution") {
		return code.None, false
	}
	switch name {
	case "class_eval", "class_exec", "module_eval":
	default:
		return code.None, false
	}
	w.open(n, recv, code.Class, func(int32) { w.members(block) })
	return w.other(n), true
}
