package extract

import (
	"chitta/internal/code"
	"chitta/internal/syntax"
)

// cppPuts are members of the library's containers that put their last argument
// into them.
var cppPuts = map[string]bool{
	"push_back": true, "emplace_back": true, "push_front": true, "push": true, "insert": true, "emplace": true, "try_emplace": true, "insert_or_assign": true,
}

// callExpr reduces a call.
func (w *cppWalker) callExpr(n syntax.Node) int32 {
	fn := n.Child("function")
	switch fn.Kind() {
	case "primitive_type", "sized_type_specifier":
		args, _ := w.args(n.Child("arguments"))
		if len(args) == 1 {
			return w.typedValue(n, cppType(fn), args[0])
		}
		return w.typedValue(n, cppType(fn), code.None)
	case "identifier", "template_function", "template_type", "qualified_identifier":
		return w.namedCall(n, fn)
	case "field_expression":
		if fn.Child("operator").Is(".*", "->*") {
			break
		}
		name, field := cppField(fn)
		if field.Is("qualified_identifier") { // x->Base::f(): that of the base
			w.expr(fn.Child("argument"))
			callee := w.typeExpr(field)
			args, keys := w.args(n.Child("arguments"))
			return w.call(n, code.Qualified, callee, name, field.Child("scope"), args, keys)
		}
		callee := w.expr(fn)
		if fn.Child("operator").Is("->") && !fn.Child("argument").Is("this") && !w.plainC {
			w.arrow(callee)
		}
		callee = w.withTypes(field, callee)
		args, keys := w.args(n.Child("arguments"))
		if len(args) > 0 && cppPuts[name] {
			w.sets(fn.Child("argument"), w.holding(n, args[len(args)-1]))
		}
		return w.call(n, code.MemberCall, callee, name, fn.Child("argument"), args, keys)
	}
	kind := code.Indirect
	in := fn
	for in.Is("parenthesized_expression") {
		in = cppInner(in)
	}
	if in.Is("lambda_expression") {
		kind = code.LambdaCall
	}
	callee := w.expr(fn)
	args, keys := w.args(n.Child("arguments"))
	return w.call(n, kind, callee, "", syntax.Node{}, args, keys)
}

// arrow marks a member as one that is named behind an arrow: a type may have an
// operator for it.
func (w *cppWalker) arrow(i int32) {
	at := &w.file.Exprs[i]
	e := blank(at.Kind)
	e.X, e.Name, e.Scope, e.At, e.Text = at.X, at.Name, at.Scope, at.At, "->"
	*at = e
}

// namedCall reduces f(x), ns::f(x), T(x), and what the language and its library
// write like calls: casts, make_unique, move.
func (w *cppWalker) namedCall(n, fn syntax.Node) int32 {
	path := cppPath(fn)
	if len(path) == 0 {
		w.args(n.Child("arguments"))
		return w.other(n)
	}
	name, list := path[len(path)-1], n.Child("arguments")
	std := len(path) == 1 || path[0] == "std"
	if t := cppTemplateArg(fn); t.OK() && std {
		switch name {
		case "static_cast", "dynamic_cast", "const_cast", "reinterpret_cast", "static_pointer_cast", "dynamic_pointer_cast":
			args, _ := w.args(list)
			args = append(args, code.None)
			return w.typedValue(n, cppType(t), args[0])
		case "make_unique", "make_shared": // they run the constructor with these arguments
			if class := t.Child("type"); cppClassText(class) {
				args, keys := w.args(list)
				path := cppPath(class)
				return w.call(n, code.New, w.typeExpr(class), path[len(path)-1], class.Child("scope"), args, keys)
			}
		}
	}
	switch name {
	case "noexcept", "defined", "__attribute__", "__declspec":
		return w.other(n) // nothing in it is run
	case "if", "while", "for", "switch", "return", "catch", "unsigned", "signed", "long", "short", "float", "double", "char", "bool":
		w.args(list) // a word that broken text left over, or a conversion
		return w.other(n)
	}
	kind := code.PlainCall
	if len(path) > 1 {
		kind = code.Qualified
	}
	if fn.Is("template_type") || w.types[name] && !w.plainC {
		kind = code.Ctor
	}
	callee := w.typeExpr(fn)
	if kind != code.Ctor {
		callee = w.withTypes(fn, callee)
	}
	args, keys := w.args(list)
	call := w.call(n, kind, callee, name, fn.Child("scope"), args, keys)
	if len(path) == 2 && std && len(args) == 1 && (name == "move" || name == "forward" || name == "ref") {
		return w.wrap(n, code.DerefExpr, args[0]) // the argument itself
	}
	return call
}

// withTypes is f<T, U>, as an index with types for keys; f alone where no type of
// the program can be among them.
func (w *cppWalker) withTypes(fn syntax.Node, x int32) int32 {
	for fn.Is("qualified_identifier") {
		fn = fn.Child("name")
	}
	if fn.Is("dependent_name") {
		fn = fn.First("template_method", "template_function")
	}
	if !fn.Is("template_function", "template_method", "template_type") {
		return x
	}
	e := blank(code.IndexExpr)
	e.X = x
	class := false
	for t := range fn.Child("arguments").Children {
		if !t.Named() {
			continue
		}
		if t.Is("type_descriptor") && cppClassText(t.Child("type")) {
			class = true
			e.Args = append(e.Args, w.typeExpr(t.Child("type")))
		} else {
			e.Args = append(e.Args, w.other(t))
		}
	}
	if !class {
		return x
	}
	return w.add(fn, e)
}

// cppTemplateArg is the first template argument of what is called.
func cppTemplateArg(fn syntax.Node) syntax.Node {
	for fn.Is("qualified_identifier") {
		fn = fn.Child("name")
	}
	if !fn.Is("template_function", "template_type") {
		return syntax.Node{}
	}
	return fn.Child("arguments").First("type_descriptor")
}
