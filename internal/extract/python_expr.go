package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// scan finds what happens inside an expression whose value is not asked for.
func (p *python) scan(n syntax.Node) {
	if !n.Named() { // words such as lambda have the name of their rule
		return
	}
	switch n.Kind() {
	case "call", "lambda", "named_expression", "yield", "await", "assignment", "binary_operator", "unary_operator", "comparison_operator", "subscript",
		"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		p.value(n)
	case "keyword_argument":
		p.scan(n.Child("value"))
	case "function_definition", "class_definition", "decorated_definition", "block":
		p.statement(n) // beside text that fits no rule
	default:
		p.scanChildren(n)
	}
}

// value reduces an expression.
func (p *python) value(n syntax.Node) int32 {
	switch n.Kind() {
	case "":
		return code.None
	case "identifier":
		return p.name(n, n.Text())
	case "attribute":
		return p.member(n, p.value(n.Child("object")), n.Child("attribute").Text())
	case "call":
		return p.callExpr(n)
	case "string", "concatenated_string":
		return p.text(n)
	case "integer", "float", "true", "false", "none", "ellipsis":
		return p.literal(n, pyLiterals[n.Kind()])
	case "comparison_operator":
		p.compared(n)
		return p.literal(n, "bool")
	case "not_operator":
		p.scanChildren(n)
		return p.literal(n, "bool")
	case "list", "set":
		return p.several(n, code.ListExpr)
	case "tuple", "expression_list":
		return p.several(n, code.TupleExpr)
	case "dictionary":
		return p.dictionary(n)
	case "subscript":
		return p.subscript(n)
	case "list_comprehension", "set_comprehension", "generator_expression", "dictionary_comprehension":
		return p.comprehension(n)
	case "lambda":
		return p.lambdaExpr(n)
	case "conditional_expression", "boolean_operator":
		return p.either(n)
	case "binary_operator":
		return p.binary(n)
	case "unary_operator":
		return p.unary(n)
	case "await":
		return p.wrap(n, code.AwaitExpr, p.value(pyFirst(n)))
	case "parenthesized_expression":
		return p.inner(n)
	case "named_expression":
		v := p.value(n.Child("value"))
		p.target(n.Child("name"), pySource{value: v})
		return p.wrap(n, code.AssignExpr, v)
	case "yield":
		return p.yield(n)
	case "list_splat", "dictionary_splat":
		return p.wrap(n, code.SpreadExpr, p.value(pyFirst(n)))
	case "assignment":
		return p.assignment(n)
	}
	p.scanChildren(n)
	return p.other(n)
}

var pyLiterals = map[string]string{"integer": "int", "float": "float", "true": "bool", "false": "bool", "none": "None", "ellipsis": "ellipsis"}

func (p *python) scanChildren(n syntax.Node) {
	for c := range n.Children {
		p.scan(c)
	}
}

// inner is the value of what stands in parentheses.
func (p *python) inner(n syntax.Node) int32 {
	for c := range n.Children {
		if c.Named() && !c.Is("comment") {
			return p.value(c)
		}
	}
	return p.other(n)
}

func (p *python) literal(n syntax.Node, typ string) int32 {
	e := blank(code.ConstExpr)
	e.Name = typ
	if typ == "int" {
		e.Text = n.Text() // it may be the key of something
	}
	return p.expr(n, e)
}

// text is a string, with its value when nothing is filled in.
func (p *python) text(n syntax.Node) int32 {
	e := blank(code.ConstExpr)
	e.Name = "str"
	parts := []syntax.Node{n}
	if n.Is("concatenated_string") {
		parts = n.NamedChildren()
	}
	var whole strings.Builder
	plain := true
	for _, part := range parts {
		text, ok := pyText(part)
		if strings.ContainsAny(part.First("string_start").Text(), "bB") {
			e.Name = "bytes"
		}
		if plain = plain && ok; plain && whole.Len() <= maxText {
			whole.WriteString(text)
		}
		if !ok {
			p.scanChildren(part)
		}
	}
	if plain {
		e.Text = whole.String()
	}
	return p.expr(n, e)
}

// stringText is what stands between the quotes, and whether it is plain.
func pyText(n syntax.Node) (string, bool) {
	var b strings.Builder
	for c := range n.Children {
		switch c.Kind() {
		case "string_content":
			b.Write(c.Bytes())
		case "string_start", "string_end":
		default:
			return "", false
		}
	}
	return b.String(), n.Is("string")
}

func (p *python) several(n syntax.Node, kind code.ExprKind) int32 {
	e := blank(kind)
	for c := range n.Children {
		if c.Named() && !c.Is("comment") {
			e.Args = append(e.Args, p.value(c))
		}
	}
	return p.expr(n, e)
}

func (p *python) dictionary(n syntax.Node) int32 {
	e := blank(code.DictExpr)
	for c := range n.Children {
		switch {
		case c.Is("pair"):
			key := pyKey(c.Child("key"))
			if key == "" {
				p.scan(c.Child("key"))
			}
			e.Keys, e.Args = append(e.Keys, key), append(e.Args, p.value(c.Child("value")))
		case c.Is("dictionary_splat"):
			e.Keys, e.Args = append(e.Keys, ""), append(e.Args, p.value(c))
		default:
			p.scan(c)
		}
	}
	return p.expr(n, e)
}

// plainKey is the text of a key that is a plain string or number. A string that
// looks like a number keeps quotes: in Python they are different keys.
func pyKey(n syntax.Node) string {
	switch n.Kind() {
	case "string":
		text, ok := pyText(n)
		if !ok || len(text) > maxText {
			return ""
		}
		if text == "" || strings.Trim(text, "-0123456789") == "" {
			return `"` + text + `"`
		}
		return text
	case "integer":
		return n.Text()
	case "unary_operator":
		if arg := n.Child("argument"); arg.Is("integer") && n.Child("operator").Is("-") {
			return "-" + arg.Text()
		}
	}
	return ""
}

func (p *python) subscript(n syntax.Node) int32 {
	x := p.value(n.Child("value"))
	var keys []syntax.Node
	for c := range n.Children {
		if c.Field() == "subscript" {
			keys = append(keys, c)
		}
	}
	if len(keys) == 1 && keys[0].Is("slice") && !pyPlainSlice(keys[0].Text()) { // a list of elements of x
		p.scan(keys[0])
		e := blank(code.ListExpr)
		e.Args = []int32{p.wrap(n, code.SpreadExpr, x)}
		return p.expr(n, e)
	}
	e := blank(code.IndexExpr)
	e.X = x
	if len(keys) == 1 {
		e.Name = pyKey(keys[0])
		if keys[0].Is("slice") {
			e.Name = strings.ReplaceAll(keys[0].Text(), " ", "")
		}
	}
	if e.Name == "" {
		for _, k := range keys {
			e.Args = append(e.Args, p.value(k))
		}
	}
	if !p.plain(x) {
		p.operated(n, x, "__getitem__", e.Args...)
	}
	return p.expr(n, e)
}

// pyPlainSlice says that a slice is from one number to another, or open.
func pyPlainSlice(text string) bool {
	const longest = 20 // two numbers that anyone writes
	return len(text) < longest && strings.Count(text, ":") == 1 && strings.Trim(text, "-0123456789: ") == ""
}

// comprehension has a scope of its own, but for what it goes over first.
func (p *python) comprehension(n syntax.Node) int32 {
	var clauses []syntax.Node
	for c := range n.Children {
		if c.Is("for_in_clause", "if_clause") {
			clauses = append(clauses, c)
		}
	}
	first := code.None
	if len(clauses) > 0 {
		first = p.value(clauses[0].Child("right"))
	}
	var out int32
	p.block(func() {
		for i, c := range clauses {
			if c.Is("if_clause") {
				p.scanChildren(c)
				continue
			}
			over := first
			if i > 0 {
				over = p.value(c.Child("right"))
			}
			p.iterates(c, over)
			p.target(c.Child("left"), pySource{value: over, element: true, local: true, at: n.Start() + 1})
		}
		body, e := n.Child("body"), blank(code.ListExpr)
		if body.Is("pair") {
			p.scan(body.Child("key"))
			e = blank(code.DictExpr)
			e.Keys, body = []string{""}, body.Child("value")
		}
		e.Args = []int32{p.value(body)}
		out = p.expr(n, e)
	})
	return out
}

func (p *python) lambdaExpr(n syntax.Node) int32 {
	params := p.readParams(n.Child("parameters"))
	symbol := p.lambda(n, code.Symbol{Value: code.None})
	p.within(symbol, code.FunctionScope, func() {
		p.takes(symbol, n, params)
		p.returns(p.value(n.Child("body")))
	})
	p.settle(symbol)
	e := blank(code.FuncExpr)
	e.Ref = symbol
	return p.expr(n, e)
}

// either reads expressions that give one of two.
func (p *python) either(n syntax.Node) int32 {
	e := blank(code.EitherExpr)
	if n.Is("boolean_operator") {
		left, right := n.Child("left"), n.Child("right")
		var checks []pyCheck
		if n.Child("operator").Text() == "and" {
			checks = checked(left)
		} else {
			checks = refuted(left)
		}
		e.Args = []int32{p.value(left), code.None}
		p.narrowed(checks, right, func() { e.Args[1] = p.value(right) })
		return p.expr(n, e)
	}
	kids := n.NamedChildren()
	for i, c := range kids {
		switch {
		case i == 1:
			p.scan(c)
		case i == 0 && len(kids) > 1:
			p.narrowed(checked(kids[1]), c, func() { e.Args = append(e.Args, p.value(c)) })
		default:
			e.Args = append(e.Args, p.value(c))
		}
	}
	return p.expr(n, e)
}

func (p *python) yield(n syntax.Node) int32 {
	function := p.caller()
	for _, c := range n.NamedChildren() {
		v := p.value(c)
		if n.Has("from") {
			v = p.wrap(c, code.SpreadExpr, v)
		}
		if function != code.None {
			p.yields[function] = append(p.yields[function], v)
		}
	}
	if _, ok := p.yields[function]; !ok && function != code.None {
		p.yields[function] = nil
	}
	return p.other(n)
}

func (p *python) callExpr(n syntax.Node) int32 {
	fn := n.Child("function")
	for fn.Is("parenthesized_expression") && pyFirst(fn).OK() {
		fn = pyFirst(fn)
	}
	callee := p.value(fn)
	args, keys := p.arguments(n.Child("arguments"))
	switch fn.Kind() {
	case "identifier":
		name := fn.Text()
		p.dynamicImport(n, name, args)
		p.setsAttribute(n, name, args)
		p.prefixed(n, name, args)
		p.evaluates(n, name, args)
		e := p.call(n, code.PlainCall, callee, name, syntax.Node{}, args, keys)
		if name == "super" {
			s := blank(code.SuperExpr)
			s.Args = args
			return p.expr(n, s)
		}
		return e
	case "attribute":
		name := fn.Child("attribute").Text()
		p.dynamicImport(n, name, args)
		p.puts(n, fn, args)
		return p.call(n, code.MemberCall, callee, name, fn.Child("object"), args, keys)
	case "lambda":
		return p.call(n, code.LambdaCall, callee, "", syntax.Node{}, args, keys)
	}
	return p.call(n, code.Indirect, callee, "", syntax.Node{}, args, keys)
}

// evaluates reads the call that eval or exec makes of a plain text.
func (p *python) evaluates(n syntax.Node, name string, args []int32) {
	if name != "eval" && name != "exec" || len(args) == 0 || args[0] <= 0 {
		return
	}
	text := strings.TrimSpace(p.file.Exprs[args[0]].Text)
	callee, ok := strings.CutSuffix(text, "()")
	if p.file.Exprs[args[0]].Kind != code.ConstExpr || !ok || strings.Trim(callee, pyNameBytes) != "" {
		return
	}
	x, last := code.None, ""
	for part := range strings.SplitSeq(callee, ".") {
		if part == "" {
			return
		}
		if last = part; x == code.None {
			x = p.name(n, part)
		} else {
			x = p.member(n, x, part)
		}
	}
	p.call(n, code.Indirect, x, last, syntax.Node{}, nil, nil)
}

// pyNameBytes are what dotted names are made of.
const pyNameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."

// pyRest is the key of an argument that gives named arguments (`**x`).
const pyRest = "**"

func (p *python) arguments(n syntax.Node) (args []int32, keys []string) {
	if n.Is("generator_expression") {
		return []int32{p.value(n)}, nil
	}
	named := false
	for c := range n.Children {
		if !c.Named() || c.Is("comment") {
			continue
		}
		key := ""
		switch c.Kind() {
		case "keyword_argument":
			key = c.Child("name").Text()
			c = c.Child("value")
		case "dictionary_splat":
			key = pyRest
		}
		named = named || key != ""
		args, keys = append(args, p.value(c)), append(keys, key)
	}
	if !named {
		keys = nil
	}
	return args, keys
}
