package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// rubyWalker reads Ruby. Every statement has a value there, so all of it goes
// through expr. A name alone is a local variable if it was assigned before, and
// a call otherwise.
//
// Blocks are lambdas. A block handed to a method is its last argument, under the
// key "&", and is not counted among the arguments; the parameter that takes it
// has the name and type "&", also where a method only yields. Instance
// variables are fields with their "@": `attr_reader :name` is a field of its own
// whose value is that of @name.
type rubyWalker struct {
	*builder
	frames  []rubyFrame
	fields  map[rubyField]int32
	methods map[rubyField]int32 // and fields, by which private :name finds them
	blocks  map[int32]bool      // lambdas from which return leaves the method
	// Of the class body that the walk stands in.
	static  bool // class << self, module_function
	private bool
	doc     string // the comment before the statement
	level   int    // branches and loops around
	// assigned is the variable whose value the walk stands in
	assigned string
}

// rubyFrame is the local names of a method, class body or block. A block sees
// those around it.
type rubyFrame struct {
	scope  int32
	block  bool
	names  map[string]bool
	bare   bool // a block that names no parameters
	passed rubyPassed
	level  int // of the walk where the frame begins
}

type rubyField struct {
	class int32
	name  string
}

// rubyBlock is the key and type of a block among arguments and parameters.
const rubyBlock = "&"

func walkRuby(b *builder, root syntax.Node) {
	w := &rubyWalker{builder: b, fields: map[rubyField]int32{}}
	w.frame(false, func() { w.body(root) })
}

// frame runs walk with local names of its own, in the current scope.
func (w *rubyWalker) frame(block bool, walk func()) {
	w.frames = append(w.frames, rubyFrame{scope: w.scope, block: block, level: w.level})
	walk()
	w.frames = w.frames[:len(w.frames)-1]
}

// local is the scope in which the name is a local variable.
func (w *rubyWalker) local(name string) (int32, bool) {
	for i := len(w.frames) - 1; i >= 0; i-- {
		if w.frames[i].names[name] {
			return w.frames[i].scope, true
		}
		if !w.frames[i].block {
			break
		}
	}
	return 0, false
}

// declare makes the name a local variable, if it is none yet, and returns its
// scope.
func (w *rubyWalker) declare(name string) int32 {
	if s, ok := w.local(name); ok {
		return s
	}
	f := &w.frames[len(w.frames)-1]
	if f.names == nil {
		f.names = map[string]bool{}
	}
	f.names[name] = true
	return f.scope
}

// maybe says that what is assigned here, to a name of the scope, may not be: it
// stands in a branch, or in a block.
func (w *rubyWalker) maybe(scope int32) bool {
	f := &w.frames[len(w.frames)-1]
	return scope != f.scope || w.level > f.level
}

// branch runs walk where the text may not go.
func (w *rubyWalker) branch(walk func() int32) int32 {
	w.level++
	defer func() { w.level-- }()
	return walk()
}

// members reads the body of a class, module or block. Comments before the first
// of its statements stand before the body.
func (w *rubyWalker) members(n syntax.Node) {
	var lead leading
	for c := range n.Children {
		switch {
		case c.Field() == "body":
			w.bodyAfter(lead, c)
			return
		case c.Is("comment"):
			lead.add(c)
		default:
			lead.pass(c)
		}
	}
}

// body reads statements and returns the value of the last.
func (w *rubyWalker) body(n syntax.Node) int32 { return w.bodyAfter(leading{}, n) }

// bodyAfter is the same with the comments that stand before the first.
func (w *rubyWalker) bodyAfter(lead leading, n syntax.Node) int32 {
	last := code.None
	var rescued []int32
	for c := range n.Children {
		switch {
		case c.Is("comment"):
			lead.add(c)
		case !c.Named():
		case c.Is("heredoc_body", "ensure"):
			w.body(c)
			docOf(&lead, c)
		case c.Is("rescue"):
			rescued = append(rescued, w.branch(func() int32 { return w.rescue(c) }))
		case c.Is("else"):
			last = w.body(c)
		default:
			w.doc = docOf(&lead, c)
			last = w.expr(c)
			w.doc = ""
		}
	}
	if len(rescued) > 0 {
		return w.either(n, append([]int32{last}, rescued...))
	}
	return last
}

// either is one of several values.
func (w *rubyWalker) either(n syntax.Node, options []int32) int32 {
	e := blank(code.EitherExpr)
	for _, o := range options {
		if o != code.None {
			e.Args = append(e.Args, o)
		}
	}
	switch len(e.Args) {
	case 0:
		return code.None
	case 1:
		return e.Args[0]
	}
	return w.add(n, e)
}

func (w *rubyWalker) add(n syntax.Node, e code.Expr) int32 { return w.builder.expr(n, e) }

func (w *rubyWalker) rescue(n syntax.Node) int32 {
	types := n.Child("exceptions").NamedChildren()
	for _, t := range types {
		w.expr(t)
	}
	if v := n.Child("variable"); v.OK() {
		typ := ""
		if len(types) == 1 && types[0].Is("constant", "scope_resolution") {
			typ = types[0].Text()
		}
		for _, name := range v.NamedChildren() {
			w.target(name, typ, code.None, 0, false)
		}
	}
	return w.body(n.Child("body"))
}

// class is the class or module whose body or method the walk stands in.
func (w *rubyWalker) class() int32 {
	for s := w.owner; s != code.None; s = w.file.Symbols[s].Parent {
		if k := w.file.Symbols[s].Kind; k == code.Class || k == code.Module || k == code.Struct {
			return s
		}
	}
	return code.None
}

// inStatic says that self is a class here and not an instance.
func (w *rubyWalker) inStatic() bool {
	for s := w.owner; s != code.None; s = w.file.Symbols[s].Parent {
		switch sym := &w.file.Symbols[s]; sym.Kind {
		case code.Lambda:
		case code.Class, code.Module:
			return true
		default:
			return sym.Static
		}
	}
	return false
}

// rubyPath is the names of a constant, from the outermost on.
func rubyPath(n syntax.Node) []string {
	switch n.Kind() {
	case "constant":
		return []string{n.Text()}
	case "scope_resolution":
		return append(rubyPath(n.Child("scope")), rubyPath(n.Child("name"))...)
	}
	return nil
}

// open reads the body of a class or module. The name is bound where it stands,
// unless it is one of another module.
func (w *rubyWalker) open(n syntax.Node, name syntax.Node, kind code.Kind, body func(int32)) int32 {
	path := rubyPath(name)
	if len(path) == 0 || path[len(path)-1] == "" {
		return code.None
	}
	s := code.Symbol{Name: path[len(path)-1], Kind: kind, Doc: w.doc, Exported: true, Value: code.None, Signature: w.head(n, name)}
	if len(path) > 1 {
		s.Owner = strings.Join(path[:len(path)-1], "::")
		s.Path = strings.Join(path, ".")
		if w.owner != code.None {
			s.Path = w.file.Symbols[w.owner].Path + "." + s.Path
		}
	}
	i := w.define(n, s)
	static, private := w.static, w.private
	w.static, w.private, w.doc = false, false, ""
	w.within(i, code.ClassScope, func() { w.frame(false, func() { body(i) }) })
	w.static, w.private = static, private
	return i
}

// head is the first line of a definition.
func (w *rubyWalker) head(n, until syntax.Node) string {
	end := until.End()
	for end < n.End() && w.tree.Src[end] != '\n' && w.tree.Src[end] != ';' {
		end++
	}
	return squash(string(w.tree.Src[n.Start():end]))
}

func (w *rubyWalker) classDef(n syntax.Node) int32 {
	kind := code.Class
	if n.Is("module") {
		kind = code.Module
	}
	base := n.Child("superclass")
	name := n.Child("name")
	var expr int32 = code.None
	var value syntax.Node
	for _, c := range base.NamedChildren() {
		value, expr = c, w.expr(c)
	}
	made := value.Child("receiver").Text()
	w.open(n, name, kind, func(i int32) {
		if value.OK() {
			w.file.Inherits = append(w.file.Inherits, code.Inherit{Symbol: i, Base: clip(squash(value.Text()), maxReceiver), Expr: expr, Kind: code.Extends, Line: value.Line()})
		}
		if m := value.Child("method").Text(); m == "new" || m == "define" {
			w.structFields(made, value.Child("arguments").NamedChildren())
		}
		w.members(n)
	})
	return w.other(n)
}

// method reads def.
func (w *rubyWalker) method(n syntax.Node) int32 {
	name := n.Child("name").Text()
	if name == "" {
		w.body(n.Child("body"))
		return w.other(n)
	}
	s := code.Symbol{Name: name, Kind: code.Function, Doc: w.doc, Exported: !w.private, Value: code.None, Static: w.static}
	if w.class() != code.None {
		s.Kind = code.Method
		if name == "initialize" && !w.static {
			s.Kind = code.Constructor
		}
	}
	if n.Is("singleton_method") {
		s.Kind, s.Static, s.Exported = code.Method, true, true
		if object := n.Child("object"); !object.Is("self") {
			if c := w.class(); c == code.None || w.file.Symbols[c].Name != object.Text() {
				s.Owner = object.Text()
				s.Path = w.under(strings.ReplaceAll(s.Owner, "::", ".") + "." + name)
			}
		}
	}
	params, body := n.Child("parameters"), n.Child("body")
	until := n.Child("name")
	if params.OK() {
		until = params
	}
	s.Signature = squash(string(w.tree.Src[n.Start():until.End()]))
	s.Abstract = rubyOnlyRaises(body)
	i := w.define(n, s)
	w.note(name, i)
	w.callable(i, n, params, func() { w.returns(w.value(body)) })
	return w.symbol(n, name)
}

// rubyOnlyRaises says that a body does nothing but raise NotImplementedError:
// classes below are to have the method.
func rubyOnlyRaises(body syntax.Node) bool {
	if !body.Is("call") {
		all := body.NamedChildren()
		if len(all) != 1 || !all[0].Is("call") {
			return false
		}
		body = all[0]
	}
	if m := body.Child("method").Text(); m != "raise" && m != "fail" {
		return false
	}
	return strings.HasPrefix(body.Child("arguments").Text(), "NotImplementedError") || strings.HasPrefix(body.Child("arguments").Text(), "(NotImplementedError")
}

// under is the path of a name within the current symbol.
func (w *rubyWalker) under(path string) string {
	if w.owner == code.None {
		return path
	}
	return w.file.Symbols[w.owner].Path + "." + path
}

// symbol is the value of def, and of :name: a symbol.
func (w *rubyWalker) symbol(n syntax.Node, text string) int32 {
	e := blank(code.ConstExpr)
	e.Name, e.Text = "Symbol", text
	return w.add(n, e)
}

// value reads a body, whether it is one statement or several.
func (w *rubyWalker) value(body syntax.Node) int32 {
	if body.Is("body_statement", "block_body", "do", "then", "else", "begin") {
		return w.body(body)
	}
	return w.expr(body)
}

// callable reads parameters and body of a method.
func (w *rubyWalker) callable(i int32, n, params syntax.Node, body func()) {
	static, private, doc := w.static, w.private, w.doc
	w.static, w.private, w.doc = false, false, ""
	w.within(i, code.FunctionScope, func() {
		w.frame(false, func() {
			w.params(i, n, w.parameters(params))
			body()
		})
	})
	w.static, w.private, w.doc = static, private, doc
}

// parameters reads the parameters of a method, block or lambda and makes their
// names local.
func (w *rubyWalker) parameters(list syntax.Node) []code.Param {
	var out []code.Param
	for c := range list.Children {
		if !c.Named() || c.Is("comment") {
			continue
		}
		p := code.Param{Default: code.None}
		name := c.Child("name")
		if c.Is("identifier") {
			name = c
		}
		p.Name = name.Text()
		if c.Field() == "locals" {
			w.shadow(p.Name)
			continue
		}
		if p.Name != "" {
			w.shadow(p.Name)
		}
		switch c.Kind() {
		case "optional_parameter", "keyword_parameter":
			if v := c.Child("value"); v.OK() {
				p.Optional, p.Default = true, w.expr(v)
			}
		case "splat_parameter":
			p.Variadic = true
		case "hash_splat_parameter":
			p.Keyword = true
		case "block_parameter":
			if p.Name != "" { // it has the name beside the one that all have
				w.bind(code.Binding{Name: p.Name, Kind: code.Takes, Ref: int32(len(out)), Type: rubyBlock, Value: code.None, At: c.Start()})
			}
			p.Name, p.Type, p.Optional = rubyBlock, rubyBlock, true
		case "forward_parameter":
			p.Name, p.Variadic = "...", true
		case "destructured_parameter":
			w.parts(c, code.None, false)
		}
		out = append(out, p)
	}
	return out
}

// shadow makes the name a new local variable of the innermost frame.
func (w *rubyWalker) shadow(name string) {
	f := &w.frames[len(w.frames)-1]
	if f.names == nil {
		f.names = map[string]bool{}
	}
	f.names[name] = true
}
