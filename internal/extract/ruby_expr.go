package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// expr reduces a statement or expression.
func (w *rubyWalker) expr(n syntax.Node) int32 {
	switch n.Kind() {
	case "":
		return code.None
	case "identifier":
		return w.identifier(n)
	case "constant", "scope_resolution", "self", "instance_variable", "class_variable", "global_variable":
		return w.reference(n)
	case "super":
		return w.superCall(n, syntax.Node{})
	case "call":
		return w.callExpr(n)
	case "yield":
		return w.yield(n)
	case "class", "module":
		return w.classDef(n)
	case "singleton_class":
		return w.singletonClass(n)
	case "method", "singleton_method":
		return w.method(n)
	case "lambda":
		return w.function(n.Child("body"), n, n.Child("parameters"), rubyPassed{recv: code.None}, false)
	case "assignment":
		return w.assignment(n)
	case "operator_assignment":
		return w.operatorAssignment(n)
	case "return", "next", "break":
		return w.leave(n)
	case "alias":
		w.aliasOf(n, n.Child("name").Text(), n.Child("alias").Text())
		return w.other(n)
	case "comment":
		return code.None
	}
	if x, ok := w.control(n); ok {
		return x
	}
	return w.literal(n)
}

// control reduces what chooses, repeats or groups.
func (w *rubyWalker) control(n syntax.Node) (int32, bool) {
	switch n.Kind() {
	case "if", "unless", "elsif", "conditional":
		w.expr(n.Child("condition"))
		return w.either(n, []int32{w.way(n.Child("consequence")), w.way(n.Child("alternative"))}), true
	case "if_modifier", "unless_modifier":
		w.expr(n.Child("condition"))
		return w.way(n.Child("body")), true
	case "while", "until", "while_modifier", "until_modifier":
		w.expr(n.Child("condition"))
		w.way(n.Child("body"))
		return w.other(n), true
	case "for":
		var value int32
		for _, c := range n.Child("value").NamedChildren() {
			value = w.expr(c)
		}
		w.target(n.Child("pattern"), "", value, 0, true)
		w.way(n.Child("body"))
		return w.other(n), true
	case "case", "case_match":
		return w.caseOf(n), true
	case "begin", "begin_block", "end_block", "then", "else", "do", "body_statement", "block_body", "program", "ERROR", "interpolation", "ensure":
		return w.body(n), true
	case "parenthesized_statements":
		return w.wrapped(n, w.body(n)), true
	case "rescue_modifier":
		body := w.expr(n.Child("body"))
		return w.either(n, []int32{body, w.expr(n.Child("handler"))}), true
	case "match_pattern", "test_pattern":
		w.pattern(n.Child("pattern"), w.expr(n.Child("value")))
		return w.other(n), true
	}
	return code.None, false
}

func (w *rubyWalker) wrapped(n syntax.Node, x int32) int32 {
	if x == code.None {
		return w.other(n)
	}
	return w.wrap(n, code.DerefExpr, x)
}

// way reads one way of a condition, or the body of a loop.
func (w *rubyWalker) way(n syntax.Node) int32 {
	return w.branch(func() int32 { return w.value(n) })
}

func (w *rubyWalker) caseOf(n syntax.Node) int32 {
	value := w.expr(n.Child("value"))
	var options []int32
	for c := range n.Children {
		switch c.Kind() {
		case "when":
			for p := range c.Children {
				if p.Is("pattern") {
					w.body(p)
				}
			}
			options = append(options, w.way(c.Child("body")))
		case "in_clause":
			w.pattern(c.Child("pattern"), value)
			w.expr(c.Child("guard"))
			options = append(options, w.way(c.Child("body")))
		case "else", "ERROR":
			options = append(options, w.way(c))
		}
	}
	return w.either(n, options)
}

// pattern binds the names of a pattern.
func (w *rubyWalker) pattern(n syntax.Node, value int32) {
	switch n.Kind() {
	case "identifier":
		w.target(n, "", value, 0, false)
	case "as_pattern":
		typ := ""
		if v := n.Child("value"); v.Is("constant", "scope_resolution") {
			typ = v.Text()
		} else {
			w.pattern(v, value)
		}
		w.target(n.Child("name"), typ, value, 0, false)
	case "array_pattern", "find_pattern":
		part := 0
		for c := range n.Children {
			switch {
			case c.Field() == "class" || !c.Named():
			case c.Is("identifier"):
				part++
				w.target(c, "", value, part, false)
			default:
				part++
				w.pattern(c, code.None)
			}
		}
	case "keyword_pattern":
		if v := n.Child("value"); v.OK() {
			w.pattern(v, code.None)
		} else if key := n.Child("key"); key.OK() {
			w.bindLocal(key, strings.TrimSuffix(key.Text(), ":"), "", code.None, 0, false)
		}
	case "splat_parameter", "hash_splat_parameter":
		if name := n.Child("name"); name.OK() {
			w.target(name, "", code.None, 0, false)
		}
	case "hash_pattern", "alternative_pattern", "parenthesized_pattern":
		for _, c := range n.NamedChildren() {
			w.pattern(c, code.None)
		}
	default:
		w.expr(n)
	}
}

// literal reduces literals and operators; anything else is read for its calls.
func (w *rubyWalker) literal(n syntax.Node) int32 {
	e := blank(code.ConstExpr)
	switch n.Kind() {
	case "string", "chained_string", "subshell", "bare_string":
		e.Name, e.Text = "String", w.text(n)
	case "heredoc_beginning", "character":
		e.Name = "String"
	case "simple_symbol", "delimited_symbol", "hash_key_symbol", "bare_symbol":
		e.Name, e.Text = "Symbol", rubySymbol(n)
		w.body(n)
	case "integer":
		e.Name = "Integer"
	case "float", "rational", "complex":
		e.Name = "Float"
	case "nil":
		e.Name = "NilClass"
	case "true":
		e.Name = "TrueClass"
	case "false":
		e.Name = "FalseClass"
	case "regex":
		e.Name = "Regexp"
		w.body(n)
	case "range":
		e.Name = "Range"
		w.expr(n.Child("begin"))
		w.expr(n.Child("end"))
	case "array", "string_array", "symbol_array":
		e.Kind = code.ListExpr
		for _, c := range n.NamedChildren() {
			e.Args = append(e.Args, w.expr(c))
		}
	case "hash":
		e.Kind = code.DictExpr
		e.Args, e.Keys = w.pairs(n)
	case "splat_argument", "hash_splat_argument", "block_argument":
		return w.spread(n)
	case "element_reference":
		return w.index(n)
	case "binary":
		return w.binary(n)
	case "unary":
		if n.Child("operator").Is("defined?") {
			return w.other(n) // nothing in it is run
		}
		return w.unary(n)
	default:
		w.body(n)
		return w.other(n)
	}
	return w.add(n, e)
}

// unary reduces a sign before a value to the method that it calls.
func (w *rubyWalker) unary(n syntax.Node) int32 {
	x := w.body(n)
	sign := n.Child("operator")
	if !sign.Is("-", "+", "~") || x <= 0 || w.file.Exprs[x].Kind == code.ConstExpr || w.file.Exprs[x].Kind == code.OtherExpr {
		return w.other(n)
	}
	name := sign.Text()
	if name != "~" {
		name += "@"
	}
	return w.call(n, code.MemberCall, w.member(n, x, name), name, n.Child("operand"), nil, nil)
}

// text is a string's value where it is plain; what is put into it is read.
func (w *rubyWalker) text(n syntax.Node) string {
	plain := ""
	for c := range n.Children {
		if c.Is("string_content") {
			plain += c.Text()
		} else if c.Named() {
			w.expr(c)
		}
	}
	return plain
}

// rubySymbol is the name of a symbol.
func rubySymbol(n syntax.Node) string {
	text := strings.TrimPrefix(n.Text(), ":")
	return strings.Trim(text, `"':`)
}

// rubyName is the name that a symbol or plain string says, or "".
func rubyName(n syntax.Node) string {
	switch n.Kind() {
	case "simple_symbol", "delimited_symbol", "hash_key_symbol":
		return rubySymbol(n)
	case "string":
		if c := n.NamedChildren(); len(c) == 1 && c[0].Is("string_content") {
			return c[0].Text()
		}
	}
	return ""
}

func (w *rubyWalker) spread(n syntax.Node) int32 {
	x := code.None
	for _, c := range n.NamedChildren() {
		x = w.expr(c)
	}
	if x == code.None {
		return w.other(n)
	}
	return w.wrap(n, code.SpreadExpr, x)
}

func (w *rubyWalker) index(n syntax.Node) int32 {
	e := blank(code.IndexExpr)
	object := n.Child("object")
	e.X = w.expr(object)
	if object.Is("self") { // no collection, but a method of that name
		var args []int32
		for c := range n.Children {
			if c.Field() != "object" && c.Named() && !c.Is("comment") {
				args = append(args, w.expr(c))
			}
		}
		return w.call(n, code.MemberCall, w.member(n, e.X, "[]"), "[]", object, args, nil)
	}
	for c := range n.Children {
		if c.Field() == "object" || !c.Named() || c.Is("comment") {
			continue
		}
		if name := rubyName(c); name != "" {
			e.Name = name
		} else if c.Is("integer") {
			e.Name = c.Text()
		} else {
			e.Args = append(e.Args, w.expr(c))
		}
	}
	i := w.add(n, e)
	kind := code.MemberCall
	if object.Is("constant", "scope_resolution") {
		kind = code.Qualified
	}
	if e.X > 0 && (kind == code.Qualified || object.Is("identifier", "instance_variable", "class_variable", "call")) { // a collection, or a method of that name
		w.call(n, kind, w.member(n, e.X, "[]"), "[]", object, e.Args, nil)
	}
	return i
}

func (w *rubyWalker) binary(n syntax.Node) int32 {
	left := w.expr(n.Child("left"))
	right := w.expr(n.Child("right"))
	if n.Child("operator").Is("<<") {
		w.puts(n.Child("left"), right, w.listOf(n, right))
		w.operator(n, "<<", left, right)
		return left
	}
	if n.Child("operator").Is("||", "&&", "or", "and") {
		return w.either(n, []int32{left, right})
	}
	if n.Child("operator").Is("+", "-", "*", "/", "%", "**", "<=>", "==", "&", "|", "^", ">>", "=~", "===") {
		return w.operator(n, n.Child("operator").Text(), left, right)
	}
	if n.Child("operator").Is("<", ">", "<=", ">=", "!=") {
		w.operator(n, n.Child("operator").Text(), left, right)
	}
	return w.other(n)
}

// rubyArithmetic are signs that stand between a value of a class and a literal.
var rubyArithmetic = map[string]bool{"+": true, "-": true, "*": true, "/": true, "%": true, "**": true, "<<": true}

// operator reduces a sign to the method that it calls. Literals have those of
// the library, and what is compared with one is most often such a value too.
func (w *rubyWalker) operator(n syntax.Node, name string, left, right int32) int32 {
	if left <= 0 || right <= 0 || w.file.Exprs[left].Kind == code.ConstExpr || w.file.Exprs[left].Kind == code.OtherExpr ||
		w.file.Exprs[right].Kind == code.ConstExpr && !rubyArithmetic[name] {
		return w.other(n)
	}
	return w.call(n, code.MemberCall, w.member(n, left, name), name, n.Child("left"), []int32{right}, nil)
}

// pairs reduces the pairs of a hash, or the arguments of a call.
func (w *rubyWalker) pairs(n syntax.Node) (args []int32, keys []string) {
	for c := range n.Children {
		if !c.Named() || c.Is("comment", "block_argument") {
			continue
		}
		key := ""
		if c.Is("pair") {
			var x int32
			key, x = w.pair(c)
			args = append(args, x)
		} else {
			args = append(args, w.expr(c))
		}
		if key != "" || keys != nil {
			for len(keys) < len(args)-1 {
				keys = append(keys, "")
			}
			keys = append(keys, key)
		}
	}
	return args, keys
}

func (w *rubyWalker) pair(c syntax.Node) (string, int32) {
	k, v := c.Child("key"), c.Child("value")
	key := rubyName(k)
	if key == "" {
		w.expr(k)
	}
	if v.OK() {
		return key, w.expr(v)
	}
	return key, w.nameOrCall(k, key) // {name:} stands for {name: name}
}

// identifier reduces a name alone: a variable if it is one, else a call.
func (w *rubyWalker) identifier(n syntax.Node) int32 {
	name := n.Text()
	if w.modifier(n, name, syntax.Node{}) {
		return w.other(n)
	}
	if _, ok := w.local(name); !ok && rubyOnSelf[name] {
		return w.call(n, code.MemberCall, w.member(n, w.add(n, blank(code.SelfExpr)), name), name, syntax.Node{}, nil, nil)
	}
	if name == "new" && w.inStatic() {
		return w.call(n, code.New, w.add(n, blank(code.SelfExpr)), "new", syntax.Node{}, nil, nil)
	}
	return w.nameOrCall(n, name)
}

func (w *rubyWalker) nameOrCall(n syntax.Node, name string) int32 {
	switch name {
	case "", "end", "def", "class", "module", "alias", "begin", "do", "then": // left over from broken text
		return w.other(n)
	case "__FILE__", "__LINE__", "__ENCODING__", "__dir__", "__method__":
		e := blank(code.ConstExpr)
		e.Name = "String"
		return w.add(n, e)
	}
	if _, ok := w.local(name); ok || w.implicit(n, name) {
		return w.name(n, name)
	}
	return w.call(n, code.PlainCall, w.name(n, name), name, syntax.Node{}, nil, nil)
}

// implicit makes the parameter of a block that names none: it, _1.
func (w *rubyWalker) implicit(n syntax.Node, name string) bool {
	f := &w.frames[len(w.frames)-1]
	if !f.block || !f.bare || name != "it" && name != "_1" && name != "_2" {
		return false
	}
	w.shadow(name)
	part := 0
	if name == "_2" {
		part = 1
	}
	b := code.Binding{Name: name, Kind: code.Takes, Ref: int32(part), Value: code.None, At: n.Start()}
	if part == 0 {
		b.Value, b.Element = f.passed.recv, f.passed.element
	}
	w.bind(b)
	return true
}

// reference reduces constants, self and variables that are not local.
func (w *rubyWalker) reference(n syntax.Node) int32 {
	switch n.Kind() {
	case "self":
		return w.add(n, blank(code.SelfExpr))
	case "instance_variable", "class_variable":
		return w.member(n, w.add(n, blank(code.SelfExpr)), n.Text())
	case "scope_resolution":
		name := n.Child("name").Text()
		if scope := n.Child("scope"); scope.OK() {
			return w.member(n, w.expr(scope), name)
		}
		return w.name(n, "::"+name) // of the top
	}
	return w.name(n, n.Text())
}

// leave reduces return, next and break.
func (w *rubyWalker) leave(n syntax.Node) int32 {
	args, _ := w.pairs(n.First("argument_list"))
	x := code.None
	switch len(args) {
	case 0:
		return w.other(n)
	case 1:
		x = args[0]
	default:
		e := blank(code.TupleExpr)
		e.Args = args
		x = w.add(n, e)
	}
	switch n.Kind() {
	case "return":
		owner := w.owner
		for w.owner != code.None && w.blocks[w.owner] { // return in a block leaves the method
			w.owner = w.file.Symbols[w.owner].Parent
		}
		w.returns(x)
		w.owner = owner
	case "next":
		w.returns(x)
	}
	return code.None
}
