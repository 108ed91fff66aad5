package extract

import (
	"bytes"
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// add adds an expression; the builder's expr has the walker's name.
func (w *cppWalker) add(n syntax.Node, e code.Expr) int32 { return w.builder.expr(n, e) }

// expr reduces an expression.
func (w *cppWalker) expr(n syntax.Node) int32 {
	switch n.Kind() {
	case "":
		return code.None
	case "identifier", "field_identifier", "type_identifier", "namespace_identifier", "operator_name":
		if n.Text() == "" {
			return w.other(n)
		}
		return w.name(n, cppPath(n)[0])
	case "this":
		return w.add(n, blank(code.SelfExpr))
	case "qualified_identifier", "template_function", "template_type", "template_method", "dependent_name", "dependent_type":
		return w.typeExpr(n)
	case "field_expression":
		name, args := cppField(n)
		x := w.expr(n.Child("argument"))
		if n.Child("operator").Is(".*", "->*") {
			return w.name(n.Child("field"), name) // a pointer to a member: what it holds
		}
		w.templateArgs(args)
		return w.member(n, x, name)
	case "call_expression":
		return w.callExpr(n)
	case "new_expression":
		return w.newExpr(n)
	case "compound_literal_expression":
		return w.literal(n)
	case "initializer_list":
		return w.list(n)
	case "lambda_expression":
		return w.lambdaExpr(n)
	case "assignment_expression":
		return w.assignment(n)
	case "conditional_expression":
		w.expr(n.Child("condition"))
		return w.either(n, n.Child("consequence"), n.Child("alternative"))
	case "cast_expression":
		x := w.expr(n.Child("value"))
		return w.typedValue(n, cppType(n.Child("type")), x)
	case "pointer_expression":
		if n.Child("operator").Is("*") && !w.plainC {
			return w.unary(n)
		}
		return w.wrapped(n)
	case "update_expression", "unary_expression":
		return w.unary(n)
	case "delete_expression":
		return w.deletion(n)
	case "parenthesized_expression", "co_await_expression", "comma_expression":
		return w.wrapped(n)
	case "subscript_expression":
		return w.index(n)
	case "binary_expression":
		return w.binary(n)
	case "sizeof_expression", "alignof_expression", "offsetof_expression", "decltype", "type_descriptor", "requires_expression", "requires_clause", "primitive_type", "comment":
		return w.other(n) // nothing in it is run
	}
	if e, ok := cppConst(n); ok {
		return w.add(n, e)
	}
	w.items(n)
	return w.other(n)
}

// wrapped reduces what is, for our purpose, an expression within.
func (w *cppWalker) wrapped(n syntax.Node) int32 {
	last := code.None
	for c := range n.Children {
		if to := c.First("identifier"); c.Is("ERROR") && to.OK() && bytes.HasSuffix(bytes.TrimSpace(w.tree.Src[n.Start():to.Start()]), []byte("->*")) {
			last = w.expr(to) // x->*f, which the grammar does not know
			continue
		}
		if c.Named() && !c.Is("comment") {
			last = w.expr(c)
		}
	}
	if last == code.None {
		return w.other(n)
	}
	if n.Is("co_await_expression") {
		return w.wrap(n, code.AwaitExpr, last)
	}
	return w.wrap(n, code.DerefExpr, last)
}

func (w *cppWalker) either(n syntax.Node, options ...syntax.Node) int32 {
	e := blank(code.EitherExpr)
	for _, o := range options {
		if x := w.expr(o); x != code.None {
			e.Args = append(e.Args, x)
		}
	}
	return w.add(n, e)
}

func (w *cppWalker) index(n syntax.Node) int32 {
	e := blank(code.IndexExpr)
	e.X = w.expr(n.Child("argument"))
	for c := range n.Child("indices").Children {
		if c.Is("number_literal", "string_literal") {
			e.Name = strings.Trim(c.Text(), `"`)
		} else if c.Named() {
			e.Args = append(e.Args, w.expr(c))
		}
	}
	if e.X > 0 && !w.plainC {
		w.operated(n, e.X, "[]", e.Args...)
	}
	return w.add(n, e)
}

func (w *cppWalker) typedValue(n syntax.Node, typ string, x int32) int32 {
	e := blank(code.TypedExpr)
	e.Name, e.X = typ, x
	return w.add(n, e)
}

// cppConst reduces a literal.
func cppConst(n syntax.Node) (code.Expr, bool) {
	e := blank(code.ConstExpr)
	switch n.Kind() {
	case "string_literal", "raw_string_literal":
		e.Name, e.Text = "string", n.First("string_content", "raw_string_content").Text()
	case "concatenated_string", "user_defined_literal":
		e.Name = "string"
	case "number_literal":
		e.Name = "int"
		if text := n.Text(); strings.Contains(text, ".") {
			e.Name = "double"
		}
	case "char_literal":
		e.Name = "char"
	case "true", "false":
		e.Name = "bool"
	case "null", "nullptr":
		e.Name = "nullptr"
	default:
		return e, false
	}
	return e, true
}

// typeExpr reduces a name of a type or function, qualified or not. Of its
// template arguments, those that are computed are read.
func (w *cppWalker) typeExpr(n syntax.Node) int32 {
	path := cppPath(n)
	if len(path) == 0 {
		return w.other(n)
	}
	w.templateArgs(n)
	x := w.name(n, path[0])
	if n.Is("qualified_identifier") && !n.Child("scope").OK() { // ::name
		w.file.Exprs[x].Scope = 0
	}
	for _, p := range path[1:] {
		x = w.member(n, x, p)
	}
	return x
}

func (w *cppWalker) templateArgs(n syntax.Node) {
	switch n.Kind() {
	case "qualified_identifier", "template_function", "template_type", "template_method", "dependent_name", "template_argument_list":
		for c := range n.Children {
			w.templateArgs(c)
		}
	case "call_expression", "lambda_expression", "parenthesized_expression", "binary_expression":
		w.expr(n)
	}
}

// cppField is the name of a field_expression's field, and its node.
func cppField(n syntax.Node) (string, syntax.Node) {
	f := n.Child("field")
	if path := cppPath(f); len(path) > 0 {
		return path[len(path)-1], f
	}
	return "", f
}

// args reduces the arguments of a call.
func (w *cppWalker) args(n syntax.Node) (args []int32, keys []string) {
	for c := range n.Children {
		if c.Named() && !c.Is("comment") {
			args = append(args, w.expr(c))
		}
	}
	return args, nil
}

// list reduces { … }.
func (w *cppWalker) list(n syntax.Node) int32 {
	e := blank(code.ListExpr)
	for c := range n.Children {
		switch {
		case c.Is("initializer_pair"):
			e.Kind = code.DictExpr
			key := c.Child("designator").First("field_identifier").Text()
			for len(e.Keys) < len(e.Args) {
				e.Keys = append(e.Keys, "")
			}
			e.Args, e.Keys = append(e.Args, w.expr(c.Child("value"))), append(e.Keys, key)
		case c.Named() && !c.Is("comment"):
			e.Args = append(e.Args, w.expr(c))
			if e.Kind == code.DictExpr {
				e.Keys = append(e.Keys, "")
			}
		}
	}
	return w.add(n, e)
}

// literal reduces T{…}: a constructor's call, in C and of a number a value.
func (w *cppWalker) literal(n syntax.Node) int32 {
	t, v := n.Child("type"), n.Child("value")
	if !w.plainC && cppClassText(t) {
		args, _ := w.args(v)
		return w.constructed(t, n, args)
	}
	if t.Is("type_descriptor") {
		return w.record(v, t.Child("type"), "")
	}
	return w.typedValue(n, cppType(t), w.expr(v))
}

// newExpr reduces new T(…).
func (w *cppWalker) newExpr(n syntax.Node) int32 {
	t := n.Child("type")
	w.args(n.Child("placement"))
	w.expr(n.Child("declarator").Child("length"))
	args, keys := w.args(n.Child("arguments"))
	path := cppPath(t)
	if t.Is("primitive_type", "sized_type_specifier") || len(path) == 0 {
		return w.typedValue(n, cppType(t)+"*", code.None)
	}
	return w.call(n, code.New, w.withTypes(t, w.typeExpr(t)), path[len(path)-1], t.Child("scope"), args, keys)
}

// assignment reduces x = v and notes what x holds from there on.
func (w *cppWalker) assignment(n syntax.Node) int32 {
	left := n.Child("left")
	value := w.expr(n.Child("right"))
	plain := w.tree.Src[left.End():n.Child("right").Start()]
	if sign := strings.TrimSpace(string(plain)); sign != "=" {
		x := w.expr(left)
		if x > 0 && value > 0 && !w.plainC && !w.constant(value) && len(sign) < 4 {
			return w.operated(n, x, sign, value)
		}
		return w.other(n)
	}
	if !left.Is("identifier") {
		w.expr(left)
	}
	w.sets(left, value)
	return w.wrap(n, code.AssignExpr, value)
}

// sets notes that what stands at n holds a value from there on: a variable where
// it was declared, a member by the text before it (as "x.y", "self.y" for one of
// the class around, ".y" for what is the file's or another's).
func (w *cppWalker) sets(n syntax.Node, value int32) {
	switch n.Kind() {
	case "identifier":
		w.reassign(n, value)
	case "field_expression":
		if path := cppMemberPath(n); path != "" {
			w.setting(n, path, value)
		}
		if n.Child("argument").Is("this") {
			name, _ := cppField(n)
			w.setField(w.currentClass(), name, value)
		}
	case "subscript_expression":
		w.sets(n.Child("argument"), w.holding(n, value))
	case "parenthesized_expression", "pointer_expression":
		w.sets(cppInner(n), value)
	}
}

// holding is a list with the value in it.
func (w *cppWalker) holding(n syntax.Node, value int32) int32 {
	e := blank(code.ListExpr)
	e.Args = []int32{value}
	return w.add(n, e)
}

// setting binds a member by the text before it, where the value says something.
func (w *cppWalker) setting(n syntax.Node, path string, value int32) {
	if value <= 0 {
		return
	}
	switch w.file.Exprs[value].Kind {
	case code.OtherExpr, code.ConstExpr, code.IndexExpr:
		return
	}
	w.bind(code.Binding{Name: path, Kind: code.Assigned, Ref: code.None, Value: value, Maybe: true, At: n.Start()})
}

// cppMemberPath is a chain of members as "a.b.c", "" where it is of another form.
func cppMemberPath(n syntax.Node) string {
	switch n.Kind() {
	case "this":
		return "self"
	case "identifier":
		return n.Text()
	case "field_expression":
		name, _ := cppField(n)
		if x := cppMemberPath(n.Child("argument")); x != "" && name != "" {
			return x + "." + name
		}
	}
	return ""
}

// reassign binds a name again, where it was declared.
func (w *cppWalker) reassign(at syntax.Node, value int32) {
	name := at.Text()
	for s := w.scope; s != code.None; s = w.file.Scopes[s].Parent {
		if w.vars[cppVar{s, name}] {
			w.bindIn(s, code.Binding{Name: name, Kind: code.Assigned, Ref: code.None, Value: value, Maybe: s != w.scope || w.isList(value), At: at.Start()})
			return
		}
		sym := w.file.Scopes[s].Symbol
		if sym == code.None || w.file.Symbols[sym].Scope != s {
			continue
		}
		if d := &w.file.Symbols[sym]; d.Owner != "" || d.Kind == code.Class || d.Kind == code.Struct {
			w.setting(at, "self."+name, value)
			w.setField(w.currentClass(), name, value)
			return
		}
	}
	w.setting(at, "."+name, value)
}

// isList says that a value is one put into a collection: the others stay.
func (w *cppWalker) isList(value int32) bool {
	return value > 0 && w.file.Exprs[value].Kind == code.ListExpr
}
