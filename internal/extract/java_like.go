package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// maxSets bounds how many values of one field are kept: more say no more than
// its declared type does.
const maxSets = 8

// classy is what the walkers of Java and C# have in common: everything stands in
// classes, fields are declared and set from anywhere within.
type classy struct {
	*builder
	locals    map[local]bool
	classes   []*openClass
	anonymous map[int32]int
}

// local is a name that a scope of a function declares.
type local struct {
	scope int32
	name  string
}

// openClass is a class whose body is being read.
type openClass struct {
	fields map[string]int32
	sets   []fieldSet
	// header are the parameters written after the name (records, primary
	// constructors).
	header []code.Param
}

// fieldSet is a value given to a field, perhaps before its declaration is read.
type fieldSet struct {
	name  string
	value int32
	own   bool // through this: of no class around
}

func newClassy(b *builder) classy {
	return classy{builder: b, locals: map[local]bool{}, anonymous: map[int32]int{}}
}

// open runs walk in the body of a class.
func (w *classy) open(symbol int32, header []code.Param, walk func()) {
	c := &openClass{fields: map[string]int32{}, header: header}
	w.classes = append(w.classes, c)
	w.within(symbol, code.ClassScope, func() {
		walk()
		w.settle(c)
	})
	w.classes = w.classes[:len(w.classes)-1]
}

// class is the innermost class that is open, or nil.
func (w *classy) class() *openClass {
	if len(w.classes) == 0 {
		return nil
	}
	return w.classes[len(w.classes)-1]
}

// field defines a field of the open class.
func (w *classy) field(n syntax.Node, s code.Symbol) int32 {
	s.Value = code.None
	i := w.define(n, s)
	if c := w.class(); c != nil {
		c.fields[s.Name] = i
	}
	return i
}

// settle gives fields the values that the class sets them to. What is no field
// of the class may be one of the class around it.
func (w *classy) settle(c *openClass) {
	values := map[string][]int32{}
	for _, s := range c.sets {
		_, ok := c.fields[s.name]
		switch {
		case !ok && !s.own && len(w.classes) > 1:
			outer := w.classes[len(w.classes)-2]
			outer.sets = append(outer.sets, s)
		case ok && w.telling(s.value) && len(values[s.name]) < maxSets:
			values[s.name] = append(values[s.name], s.value)
		}
	}
	for _, s := range c.sets { // in the order of the text
		all := values[s.name]
		if len(all) == 0 {
			continue
		}
		delete(values, s.name)
		symbol := &w.file.Symbols[c.fields[s.name]]
		if w.telling(symbol.Value) {
			all = append([]int32{symbol.Value}, all...)
		}
		symbol.Value = all[0]
		if len(all) > 1 {
			e := blank(code.EitherExpr)
			e.Args, e.Scope, e.At = all, w.scope, symbol.Start
			w.file.Exprs = append(w.file.Exprs, e)
			symbol.Value = int32(len(w.file.Exprs) - 1)
		}
	}
}

// telling says that an expression says more of what it gives than nothing.
func (w *classy) telling(value int32) bool {
	return value > 0 && w.file.Exprs[value].Kind != code.OtherExpr && w.file.Exprs[value].Kind != code.ConstExpr
}

// declare binds a local variable in the current scope.
func (w *classy) declare(at syntax.Node, v code.Binding) {
	if v.Name == "" {
		return
	}
	v.Kind, v.Ref, v.At = code.Assigned, code.None, at.Start()
	w.locals[local{w.scope, v.Name}] = true
	w.bind(v)
}

// takes sets and binds the parameters of a function, in whose scope the walk is.
func (w *classy) takes(symbol int32, at syntax.Node, params []code.Param) {
	for _, p := range params {
		w.locals[local{w.scope, p.Name}] = true
	}
	w.params(symbol, at, params)
}

// bounded notes what a generic name of the open scope's symbol is declared to
// have at least.
func (w *classy) bounded(at syntax.Node, name string, bounds []string) {
	if name != "" && len(bounds) > 0 {
		w.bind(code.Binding{Name: name, Kind: code.Assigned, Ref: code.None, Type: strings.Join(bounds, " & "), Value: code.None, At: at.Start()})
	}
}

// isLocal says that a function around declares the name.
func (w *classy) isLocal(name string) bool {
	for s := w.scope; s != code.None; s = w.file.Scopes[s].Parent {
		if w.locals[local{s, name}] {
			return true
		}
	}
	return false
}

// set notes an assignment to a bare name: of the scope that declares it, or of a
// field. One that adds leaves what was there before. It holds behind its value.
func (w *classy) set(at syntax.Node, name string, value int32, adds bool) {
	for s := w.scope; s != code.None; s = w.file.Scopes[s].Parent {
		switch {
		case w.locals[local{s, name}]:
			w.bindIn(s, code.Binding{Name: name, Kind: code.Assigned, Ref: code.None, Value: value, Maybe: adds || s != w.scope, At: at.End()})
			return
		case w.file.Scopes[s].Kind == code.ClassScope:
			w.setField(name, value, false)
			return
		}
	}
}

// setField notes a value given to a field of the open class.
func (w *classy) setField(name string, value int32, own bool) {
	if c := w.class(); c != nil {
		c.sets = append(c.sets, fieldSet{name, value, own})
	}
}

// setMember notes a value given to a member of something else, by the text of
// the two.
func (w *classy) setMember(at syntax.Node, value int32) {
	if text := at.Text(); len(text) <= maxReceiver && !strings.ContainsAny(text, "()[]{}<>?!\"' \t\r\n") {
		w.bind(code.Binding{Name: text, Kind: code.Assigned, Ref: code.None, Value: value, Maybe: true, At: at.Start()})
	}
}

// constructor defines a constructor. It has the name of its class, and must not
// stand for it within.
func (w *classy) constructor(n syntax.Node, s code.Symbol) int32 {
	s.Kind, s.Value = code.Constructor, code.None
	i := w.define(n, s)
	bindings := &w.file.Scopes[w.scope].Bindings
	*bindings = (*bindings)[:len(*bindings)-1]
	return i
}

// inherit notes a base of a class.
func (w *classy) inherit(symbol int32, kind code.InheritKind, at syntax.Node, base string, expr int32) {
	if base == "" {
		return
	}
	w.file.Inherits = append(w.file.Inherits, code.Inherit{Symbol: symbol, Base: base, Expr: expr, Kind: kind, Line: at.Line()})
}

// baseName is the expression of a base's name, with the text of its type's
// arguments.
func (w *classy) baseName(n syntax.Node, dotted, args string) int32 {
	x := w.path(n, dotted)
	if x <= 0 || args == "" {
		return x
	}
	e := blank(w.file.Exprs[x].Kind)
	e.X, e.Name, e.Text = w.file.Exprs[x].X, w.file.Exprs[x].Name, args
	return w.expr(n, e)
}

// implied notes the call of a method that the text does not write: of what a
// loop goes over, what is closed, what is taken apart. It gives what that gives.
func (w *classy) implied(n syntax.Node, x int32, method string, args ...int32) int32 {
	if x <= 0 {
		return code.None
	}
	switch e := &w.file.Exprs[x]; e.Kind {
	case code.ListExpr, code.DictExpr: // new T { … }
		if x = e.X; x <= 0 {
			return code.None
		}
	case code.OtherExpr, code.ConstExpr, code.TupleExpr:
		return code.None
	}
	return w.call(n, code.Indirect, w.member(n, x, method), method, syntax.Node{}, args, nil)
}

// path is the expression of a dotted name.
func (w *classy) path(n syntax.Node, dotted string) int32 {
	x := code.None
	for part := range strings.SplitSeq(dotted, ".") {
		switch {
		case part == "":
		case x == code.None:
			x = w.name(n, part)
		default:
			x = w.member(n, x, part)
		}
	}
	return x
}

// named is the expression of a name; one that the parser put in is none.
func (w *classy) named(n syntax.Node) int32 {
	if n.End() == n.Start() {
		return w.other(n)
	}
	return w.name(n, n.Text())
}

// constant is a literal of the type.
func (w *classy) constant(n syntax.Node, typ string) int32 {
	e := blank(code.ConstExpr)
	e.Name = typ
	return w.expr(n, e)
}

// generic gives a new instance the arguments of its type, where they are
// written: it is then told by the type's text.
func (w *classy) generic(made int32, text string) {
	if open := strings.IndexByte(text, '<'); open >= 0 && strings.TrimLeft(text[open+1:], " ,>") != "" {
		w.file.Exprs[made].X, w.file.Exprs[made].Name = code.None, squash(text)
	}
}

// typed is a value of the type, made from x or from nothing that is known.
func (w *classy) typed(n syntax.Node, typ string, x int32) int32 {
	e := blank(code.TypedExpr)
	e.Name, e.X = typ, x
	return w.expr(n, e)
}

// many is an expression of several others.
func (w *classy) many(n syntax.Node, kind code.ExprKind, args []int32, keys []string) int32 {
	e := blank(kind)
	e.Args, e.Keys = args, keys
	return w.expr(n, e)
}

// either is one of several values: the value itself if there is but one.
func (w *classy) either(n syntax.Node, args []int32) int32 {
	switch len(args) {
	case 0:
		return w.other(n)
	case 1:
		return args[0]
	}
	return w.many(n, code.EitherExpr, args, nil)
}

// funcExpr is the expression of a symbol that is a function.
func (w *classy) funcExpr(n syntax.Node, symbol int32) int32 {
	e := blank(code.FuncExpr)
	e.Ref = symbol
	return w.expr(n, e)
}

// between is the text from one byte to another on one line: a signature.
func (w *classy) between(start, end uint32) string {
	if end < start {
		return ""
	}
	text := w.tree.Src[start:end]
	if len(text) > 4*maxSignature {
		text = text[:4*maxSignature]
	}
	line := strings.TrimRight(squash(string(text)), " {:=;")
	return strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(line, "=>"), "->"), " ")
}

// looksLikeType says that a name is written as types are: Foo, not foo or FOO.
func looksLikeType(name string) bool {
	first, size := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first) && (len(name) == size || strings.IndexFunc(name, unicode.IsLower) >= 0)
}

// withoutGenerics is the text of a type's name without arguments in angle
// brackets and blank space.
func withoutGenerics(text string) string {
	var b strings.Builder
	depth := 0
	for _, r := range text {
		switch {
		case r == '<':
			depth++
		case r == '>' && depth > 0:
			depth--
		case depth == 0 && !unicode.IsSpace(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// maxTypeArguments bounds the text of type arguments that is kept with a call.
const maxTypeArguments = 200

// typeArguments is the text between the brackets of type arguments.
func typeArguments(n syntax.Node) string {
	text := squash(n.Text())
	if len(text) < 2 || len(text) > maxTypeArguments {
		return ""
	}
	return text[1 : len(text)-1]
}
