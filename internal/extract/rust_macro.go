package extract

import (
	"bytes"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// macro reduces m!(…). Macros have names of their own, apart from functions and
// variables, so the name keeps its mark. What stands in the brackets is not
// parsed by the grammar: calls are read off its tokens.
func (r *rustWalk) macro(n syntax.Node) int32 {
	path := n.Child("macro")
	var callee int32
	name, receiver := path.Text()+"!", syntax.Node{}
	if path.Is("scoped_identifier") {
		receiver, name = path.Child("path"), path.Child("name").Text()+"!"
		callee = r.member(path, r.path(receiver), name)
	} else {
		callee = r.name(path, name)
	}
	args := r.someTokens(n.First("token_tree"), rustPatterns(path.Text()))
	return r.macroCall(n, path.Text(), callee, name, receiver, args)
}

// macroCall adds the call of a macro; vec! is a list.
func (r *rustWalk) macroCall(n syntax.Node, path string, callee int32, name string, receiver syntax.Node, args []int32) int32 {
	kind := code.PlainCall
	if receiver.OK() {
		kind = code.Qualified
	}
	call := r.call(n, kind, callee, name, receiver, args, nil)
	if path == "vec" {
		e := blank(code.ListExpr)
		e.Args = args
		return r.expr(n, e)
	}
	return call
}

// rustTokens reads expressions off the tokens of a macro's brackets: names,
// members, paths and calls. x is the expression that the tokens so far make.
type rustTokens struct {
	*rustWalk
	args     []int32
	x        int32
	last     syntax.Node // the token before
	receiver syntax.Node // the token before the last dot
	end      uint32
	turbo    bool   // within the arguments of a path, f::<T>()
	left     int32  // what stands before an operator
	sign     string // the operator that x is the right side of; with left None the sign before it
}

// rustPatterns are macros whose arguments after the first are patterns.
func rustPatterns(name string) bool { return name == "matches" || name == "assert_matches" }

// tokens reduces what stands between commas to one expression each.
func (r *rustWalk) tokens(tree syntax.Node) []int32 { return r.someTokens(tree, false) }

// someTokens is tokens, or with first only what stands before the first comma.
func (r *rustWalk) someTokens(tree syntax.Node, first bool) []int32 {
	var list []syntax.Node
	for c := range tree.Children {
		if !c.Is("line_comment", "block_comment") {
			list = append(list, c)
		}
	}
	return r.tokenList(tree, list, tree.Start()+1, first)
}

// tokenList is someTokens of tokens of a tree, from a place on.
func (r *rustWalk) tokenList(tree syntax.Node, list []syntax.Node, from uint32, first bool) []int32 {
	t := &rustTokens{rustWalk: r, x: code.None, left: code.None, end: from}
	for i := 0; i < len(list); i++ {
		c := list[i]
		gap := t.gap(c)
		if bytes.ContainsAny(gap, ",;") {
			t.flush(c)
			if first {
				return t.args
			}
		}
		if n := t.closure(tree, list[i:], gap); n > 0 {
			i += n - 1
			t.last, t.end = list[i], list[i].End()
			continue
		}
		t.operator(c, gap)
		t.token(c, gap)
		t.last, t.end = c, c.End()
	}
	if len(list) > 0 {
		t.flush(tree)
	}
	return t.args
}

// closure reads a closure that the tokens begin with, |a, b| body up to the next
// comma, and says how many tokens it has.
func (t *rustTokens) closure(tree syntax.Node, list []syntax.Node, gap []byte) int {
	if t.x != code.None || t.sign != "" || t.last.OK() && t.last.Text() != "move" {
		return 0
	}
	gap = bytes.TrimLeft(gap, ",; ")
	body := 0
	switch string(gap) {
	case "||":
	case "|", "|&", "|&&":
		for body = 1; body < len(list); body++ {
			if between := t.between(list, body); bytes.HasPrefix(between, []byte("|")) {
				if len(bytes.Trim(between, "|&*-! ")) > 0 {
					return 0
				}
				break
			}
		}
	default:
		return 0
	}
	if body >= len(list) {
		return 0
	}
	end := body + 1
	for end < len(list) && !bytes.ContainsAny(t.between(list, end), ",;") {
		end++
	}
	i := t.lambda(list[body], code.Symbol{})
	t.within(i, code.FunctionScope, func() {
		var params []code.Param
		for n, c := range list[:body] {
			if c.Is("identifier") && (n == 0 || !bytes.ContainsAny(t.between(list, n), ":.")) && !rustUpper(c.Text()) {
				t.local(code.Binding{Name: c.Text(), Kind: code.Takes, Ref: int32(len(params)), Value: code.None, At: c.Start()})
				params = append(params, code.Param{Name: c.Text(), Default: code.None})
			}
		}
		t.file.Symbols[i].Params = params
		for _, x := range t.tokenList(tree, list[body:end], list[body].Start(), false) {
			t.returns(x)
		}
	})
	e := blank(code.FuncExpr)
	e.Ref = i
	t.x = t.expr(list[body], e)
	return end
}

// between is the punctuation before a token of a list.
func (t *rustTokens) between(list []syntax.Node, i int) []byte {
	if list[i].Start() < list[i-1].End() {
		return nil
	}
	return bytes.TrimSpace(t.tree.Src[list[i-1].End():list[i].Start()])
}

// gap is the punctuation between the last token and this one.
func (t *rustTokens) gap(c syntax.Node) []byte {
	if c.Start() < t.end {
		return nil
	}
	return bytes.TrimSpace(t.tree.Src[t.end:c.Start()])
}

// operate makes x the operation that it is the last part of.
func (t *rustTokens) operate(n syntax.Node) {
	switch method := rustOperators[t.sign]; {
	case t.x == code.None || t.sign == "":
	case t.left == code.None:
		t.x = t.negated(n, []byte(t.sign), t.x)
	case method == "" || !t.telling(t.left):
		t.x = t.other(n)
	default:
		t.x = t.call(n, code.Indirect, t.member(n, t.left, method), t.sign, syntax.Node{}, []int32{t.x}, nil)
	}
	t.left, t.sign = code.None, ""
}

// operator notes an operator between the last token and this one. Those of the
// same operation are taken from left to right, whichever binds more.
func (t *rustTokens) operator(c syntax.Node, gap []byte) {
	if i := bytes.LastIndexAny(gap, ",;"); i >= 0 {
		gap = gap[i+1:]
	}
	text := string(bytes.TrimRight(bytes.TrimSpace(gap), "&* "))
	switch {
	case t.x != code.None && rustOperators[text] != "" && text != "<" && text != ">": // which may stand around a type
		t.operate(c)
		t.left, t.sign, t.x, t.receiver = t.x, text, code.None, syntax.Node{}
	case t.x == code.None && t.sign == "" && (text == "-" || text == "!"):
		t.sign = text
	}
}

func (t *rustTokens) flush(n syntax.Node) {
	t.operate(n)
	if t.x == code.None {
		t.x = t.other(n)
	}
	t.args, t.x, t.last = append(t.args, t.x), code.None, syntax.Node{}
}

func (t *rustTokens) token(c syntax.Node, gap []byte) {
	// x?.f is x.f for our purpose.
	gap = bytes.TrimLeft(gap, "?")
	if t.turbo || t.x != code.None && bytes.HasSuffix(gap, []byte("::<")) {
		end := bytes.LastIndexByte(gap, '>')
		if t.turbo = end < 0; t.turbo {
			return
		}
		gap = gap[end+1:]
	}
	switch c.Kind() {
	case "token_tree", "delim_token_tree":
		t.brackets(c, gap)
	case "token_repetition": // $(…)*
		t.tokens(c)
		t.receiver, t.x = syntax.Node{}, code.None
	case "identifier", "self", "crate", "super", "primitive_type", "type_identifier", "integer_literal":
		switch {
		case t.x != code.None && string(gap) == ".":
			t.receiver = t.last
			t.x = t.member(c, t.x, c.Text())
		case t.x != code.None && string(gap) == "::" && !c.Is("integer_literal"):
			t.receiver = t.last
			if t.file.Exprs[t.x].Kind == code.SelfExpr {
				t.x = t.name(t.last, "self") // the module, not the instance
			}
			t.x = t.member(c, t.x, c.Text())
		case c.Is("identifier", "crate", "super", "primitive_type", "type_identifier"):
			t.receiver, t.x = syntax.Node{}, t.name(c, c.Text())
		default:
			t.receiver, t.x = syntax.Node{}, t.value(c)
		}
	case "metavariable":
		t.receiver, t.x = syntax.Node{}, t.other(c)
		if c.Text() == "$crate" {
			t.x = t.name(c, "crate")
		}
	default:
		if !c.Named() && c.Is("await") && string(gap) == "." && t.x != code.None {
			t.x = t.wrap(c, code.AwaitExpr, t.x)
			return
		}
		if !c.Named() && t.x != code.None && rustWord(c) && (string(gap) == "." || string(gap) == "::") { // a name that is a word of the grammar
			t.receiver, t.x = t.last, t.member(c, t.x, c.Text())
			return
		}
		t.receiver, t.x = syntax.Node{}, code.None
		if c.Named() {
			t.x = t.value(c)
		}
	}
}

// rustWord says that a token is made of letters.
func rustWord(c syntax.Node) bool {
	text := c.Bytes()
	return len(text) > 0 && (text[0] == '_' || 'a' <= text[0]|0x20 && text[0]|0x20 <= 'z')
}

// brackets reduces brackets: a call after a name, otherwise what stands in them.
func (t *rustTokens) brackets(c syntax.Node, gap []byte) {
	open := t.tree.Src[c.Start()]
	callee, last, receiver := t.x, t.last, t.receiver
	args := t.someTokens(c, string(gap) == "!" && rustPatterns(last.Text()))
	switch {
	case open == '(' && callee != code.None && len(gap) == 0:
		t.x = t.tokenCall(last, receiver, callee, args)
	case callee != code.None && string(gap) == "!" && last.Is("identifier"):
		name := last.Text()
		t.x = t.macroCall(last, name, t.name(last, name+"!"), name+"!", syntax.Node{}, args)
	case open == '[' && callee != code.None && len(gap) == 0:
		e := blank(code.IndexExpr)
		e.X, e.Args = callee, args
		t.x = t.expr(c, e)
	case open == '(' && len(args) == 1:
		t.x = args[0]
	case open == '[':
		e := blank(code.ListExpr)
		e.Args = args
		t.x = t.expr(c, e)
	default:
		t.x = code.None
	}
	t.receiver = syntax.Node{}
}

func (t *rustTokens) tokenCall(last, receiver syntax.Node, callee int32, args []int32) int32 {
	name, kind := "", code.Indirect
	switch e := t.file.Exprs[callee]; e.Kind {
	case code.NameExpr:
		name, kind = e.Name, code.PlainCall
	case code.MemberExpr:
		name, kind = e.Name, code.MemberCall
		if before := bytes.TrimRight(t.tree.Src[:last.Start()], " \t\r\n"); bytes.HasSuffix(before, []byte("::")) {
			kind = code.Qualified
		}
	}
	if kind == code.PlainCall && rustWrapper(name) && len(args) == 1 {
		return args[0]
	}
	if kind == code.PlainCall && name == "Err" {
		return t.other(last)
	}
	if kind != code.MemberCall && rustUpper(name) {
		kind = code.Ctor
	}
	return t.call(last, kind, callee, name, receiver, args, nil)
}
