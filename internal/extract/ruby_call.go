package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// rubyPassed is what a method is likely to hand to its block.
type rubyPassed struct {
	recv    int32 // the receiver, or None
	element bool  // its elements, one after another
	at      int   // which parameter takes them, or allOf
	spread  bool  // several parameters take the parts of one
}

// allOf is the place of what each parameter takes.
const allOf = -1

// passedBy is what well-known methods of the library hand to their blocks.
func passedBy(method string, recv int32) rubyPassed {
	p := rubyPassed{recv: recv, element: true}
	switch method {
	case "each", "map", "select", "filter", "reject", "flat_map", "collect", "find", "detect", "each_entry",
		"any?", "all?", "none?", "sum", "sort_by", "group_by", "partition", "filter_map", "min_by", "max_by",
		"find_all", "reverse_each", "each_value", "count", "find_index", "to_h", "delete_if", "each_pair", "take_while", "uniq", "map!", "index_by",
		"drop_while", "keep_if", "select!", "filter!", "reject!", "collect!", "sort_by!", "uniq!", "minmax_by", "one?", "collect_concat",
		"transform_values", "transform_values!", "chunk", "cycle", "find_each":
		p.spread = true
	case "each_with_index", "each_with_object", "map_with_index", "each_index", "with_index", "with_object":
	case "sort", "sort!", "min", "max", "minmax", "chunk_while", "slice_when":
		p.at = allOf
	case "each_slice", "each_cons":
		p.element = false
	case "inject", "reduce":
		p.at = 1
	case "tap", "then", "yield_self":
		p.element = false
	default:
		p.recv = code.None
	}
	return p
}

// callExpr reduces a call.
func (w *rubyWalker) callExpr(n syntax.Node) int32 {
	recv, m := n.Child("receiver"), n.Child("method")
	name := m.Text()
	if m.Is("super") {
		return w.superCall(n, n.Child("arguments"))
	}
	if !m.OK() {
		name = "call" // f.(x)
	}
	if !recv.OK() {
		if x, ok := w.keyword(n, name); ok {
			return x
		}
		return w.plainCall(n, m, name)
	}
	if x, ok := w.reopened(n, recv, name); ok {
		return x
	}
	x := w.expr(recv)
	if w.mixes(n, recv, name, x) {
		return w.other(n)
	}
	switch name {
	case "send", "public_send", "__send__":
		if x, ok := w.sent(n, x, recv); ok {
			return x
		}
	case "method", "instance_method":
		if target := w.firstName(n); target != "" {
			return w.member(n, x, target)
		}
	}
	args, keys, count := w.args(n, x, name)
	switch name {
	case "push", "append", "unshift", "prepend", "add", "store", "insert":
		if count > 0 {
			list := w.listOf(recv, args[count-1])
			if name == "store" {
				list = w.entry(recv, w.firstName(n), args[count-1])
			}
			w.puts(recv, args[count-1], list)
		}
	}
	kind, callee := code.MemberCall, x
	switch {
	case name == "new":
		kind = code.New
	case recv.Is("constant", "scope_resolution"):
		kind = code.Qualified
	}
	if kind != code.New {
		callee = w.member(n, x, name)
	}
	return w.counted(w.call(n, kind, callee, name, recv, args, keys), count)
}

// rubyOnSelf are methods of every object that give it, or hand it to their block.
var rubyOnSelf = map[string]bool{"tap": true, "then": true, "yield_self": true, "dup": true, "clone": true, "itself": true}

// counted sets the number of arguments without the block.
func (w *rubyWalker) counted(call int32, count int) int32 {
	w.file.Calls[len(w.file.Calls)-1].Args = count
	return call
}

// plainCall reduces f(x).
func (w *rubyWalker) plainCall(n, m syntax.Node, name string) int32 {
	self := func() int32 { return w.add(n, blank(code.SelfExpr)) }
	switch name {
	case "send", "public_send", "__send__":
		if x, ok := w.sent(n, self(), syntax.Node{}); ok {
			return x
		}
	case "method":
		if target := w.firstName(n); target != "" {
			return w.member(n, self(), target)
		}
	case "lambda", "proc":
		if b := n.Child("block"); b.OK() {
			return w.function(b, b, b.Child("parameters"), rubyPassed{recv: code.None}, name == "proc")
		}
	case "new":
		if w.inStatic() {
			x := self()
			args, keys, count := w.args(n, code.None, name)
			return w.counted(w.call(n, code.New, x, name, syntax.Node{}, args, keys), count)
		}
	}
	if rubyOnSelf[name] {
		x := self()
		args, keys, count := w.args(n, x, name)
		return w.counted(w.call(n, code.MemberCall, w.member(n, x, name), name, syntax.Node{}, args, keys), count)
	}
	callee := w.name(m, name)
	if _, ok := w.local(name); ok || name == w.assigned { // f(x) is a method, whatever variable there is
		callee = w.member(n, self(), name)
	}
	args, keys, count := w.args(n, code.None, name)
	return w.counted(w.call(n, code.PlainCall, callee, name, syntax.Node{}, args, keys), count)
}

// args reduces the arguments of a call with its block, and counts them without.
func (w *rubyWalker) args(n syntax.Node, recv int32, method string) (args []int32, keys []string, count int) {
	list := n.Child("arguments")
	args, keys = w.pairs(list)
	count = len(args)
	block := code.None
	if b := list.First("block_argument"); b.OK() {
		block = w.blockArgument(b, recv)
	}
	if b := n.Child("block"); b.OK() {
		block = w.function(b, b, b.Child("parameters"), passedBy(method, recv), true)
	}
	if block != code.None {
		for len(keys) < len(args) {
			keys = append(keys, "")
		}
		args, keys = append(args, block), append(keys, rubyBlock)
	}
	return args, keys, count
}

// blockArgument reduces &x. With &:name, each element has its method called.
func (w *rubyWalker) blockArgument(n syntax.Node, recv int32) int32 {
	inner := n.NamedChildren()
	if len(inner) == 0 {
		return w.name(n, rubyBlock) // an unnamed block, passed on
	}
	c := inner[0]
	name := rubyName(c)
	if name == "" {
		return w.expr(c)
	}
	each := w.other(c)
	if recv != code.None {
		each = w.wrap(c, code.IndexExpr, recv)
	}
	w.call(c, code.MemberCall, w.member(c, each, name), name, syntax.Node{}, nil, nil)
	return w.symbol(c, name)
}

// function reads a block, proc or lambda: a function that sees the names around it.
func (w *rubyWalker) function(n, at, params syntax.Node, passed rubyPassed, block bool) int32 {
	static, private, doc := w.static, w.private, w.doc
	w.static, w.private, w.doc = false, false, ""
	i := w.lambda(at, code.Symbol{Value: code.None, Signature: rubyHead(at)})
	if w.blocks == nil {
		w.blocks = map[int32]bool{}
	}
	w.blocks[i] = block
	w.within(i, code.FunctionScope, func() {
		w.frame(true, func() {
			f := &w.frames[len(w.frames)-1]
			f.bare, f.passed = !params.OK(), passed
			list := w.parameters(params)
			w.file.Symbols[i].Params = list
			for k, p := range list {
				w.bind(passed.binding(k, p, len(list), at))
			}
			body := n
			if b := n.Child("body"); b.OK() || n.Is("block", "do_block") {
				body = b
			}
			w.returns(w.value(body))
		})
	})
	w.static, w.private, w.doc = static, private, doc
	e := blank(code.FuncExpr)
	e.Ref = i
	return w.add(at, e)
}

// binding is the parameter k of a block.
func (p rubyPassed) binding(k int, param code.Param, count int, at syntax.Node) code.Binding {
	b := code.Binding{Name: param.Name, Kind: code.Takes, Ref: int32(k), Type: param.Type, Value: param.Default, At: at.Start()}
	switch {
	case p.recv == code.None || param.Variadic || param.Type != "":
	case p.spread && count > 1:
		b.Value, b.Element, b.Part = p.recv, true, k+1
	case k == p.at || p.at == allOf:
		b.Value, b.Element = p.recv, p.element
	}
	return b
}

// rubyHead is the first line of a block.
func rubyHead(n syntax.Node) string {
	text, _, _ := strings.Cut(n.Text(), "\n")
	return squash(text)
}

// superCall reduces super: the method of the same name of what comes next.
// Without arguments it hands on the method's own.
func (w *rubyWalker) superCall(n, list syntax.Node) int32 {
	method := w.enclosing()
	name := ""
	if method != code.None {
		name = w.file.Symbols[method].Name
	}
	callee := w.member(n, w.add(n, blank(code.SuperExpr)), name)
	args, keys, count := w.args(n, code.None, name)
	if !list.OK() && method != code.None {
		for _, p := range w.file.Symbols[method].Params {
			if p.Type != rubyBlock && p.Name != "" {
				args = append(args, w.name(n, p.Name))
				count++
			}
		}
		keys = nil
	}
	return w.counted(w.call(n, code.MemberCall, callee, name, syntax.Node{}, args, keys), count)
}

// enclosing is the method that the walk stands in, whatever blocks are between.
func (w *rubyWalker) enclosing() int32 {
	for s := w.owner; s != code.None; s = w.file.Symbols[s].Parent {
		switch w.file.Symbols[s].Kind {
		case code.Method, code.Function, code.Constructor:
			return s
		case code.Lambda:
		default:
			return code.None
		}
	}
	return code.None
}

// yield reduces yield: a call of the method's block.
func (w *rubyWalker) yield(n syntax.Node) int32 {
	args, keys := w.pairs(n.First("argument_list"))
	if m := w.enclosing(); m != code.None {
		w.takesBlock(m, n)
	}
	return w.call(n, code.Indirect, w.name(n, rubyBlock), "", syntax.Node{}, args, keys)
}

// takesBlock gives a method the parameter that takes its block, where the text
// has none.
func (w *rubyWalker) takesBlock(method int32, at syntax.Node) {
	s := &w.file.Symbols[method]
	for _, p := range s.Params {
		if p.Type == rubyBlock {
			return
		}
	}
	s.Params = append(s.Params, code.Param{Name: rubyBlock, Type: rubyBlock, Optional: true, Default: code.None})
	if s.Scope != code.None {
		w.bindIn(s.Scope, code.Binding{Name: rubyBlock, Kind: code.Takes, Ref: int32(len(s.Params) - 1), Type: rubyBlock, Value: code.None, At: at.Start()})
	}
}

// firstName is the name that the first argument says, or "".
func (w *rubyWalker) firstName(n syntax.Node) string {
	for _, a := range n.Child("arguments").NamedChildren() {
		return rubyName(a)
	}
	return ""
}

// sent reduces x.send(:name, …) as the call of name that it is.
func (w *rubyWalker) sent(n syntax.Node, x int32, recv syntax.Node) (int32, bool) {
	name := w.firstName(n)
	if name == "" {
		return code.None, false
	}
	args, keys, count := w.args(n, code.None, name)
	if len(keys) > 0 {
		keys = keys[1:]
	}
	return w.counted(w.call(n, code.MemberCall, w.member(n, x, name), name, recv, args[1:], keys), count-1), true
}
