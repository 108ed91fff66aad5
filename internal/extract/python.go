package extract

import (
	"cmp"
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// python reads Python. What the language does at run time without saying so in
// the text is kept in these forms:
//
//   - `d["k"] = f` binds "d[]" to a dictionary with the key k, `l.append(f)` binds
//     "l[]" to one without a key; `a.b = f` binds the name "a.b"; on the receiver
//     of a method it is a field of the class, and a binding of its scope.
//   - a loop calls __iter__ and __next__, unless it is over something built in;
//     `with x as y` calls __enter__ and __exit__.
//   - where `isinstance(x, C)` holds, x is bound to a typed expression of it in a
//     block; a match of the class C does the same.
//   - a decorator is an indirect call with what it decorates as its argument.
//   - a metaclass is bound to "__metaclass__" in the scope of the class.
//   - `import a.b` imports a, under that name, and a.b without one.
type python struct {
	*builder
	known     map[pyName]int32 // names with a meaning in a scope; the symbol, or None
	outer     map[pyName]int32 // names declared global or nonlocal; the scope they belong to
	narrow    map[pyName]bool  // names whose class is known in a scope
	receivers map[int32]pyReceiver
	yields    map[int32][]int32 // what a function yields
	typeOnly  bool              // under `if TYPE_CHECKING`
	branch    bool              // where what stands may not be run
	stub      bool              // a file of declarations
	doc       string            // comments before the definition that comes next
}

type pyName struct {
	scope int32
	name  string
}

// pyReceiver is the first parameter of a method.
type pyReceiver struct {
	name  string
	class int32
}

func walkPython(b *builder, root syntax.Node) {
	p := &python{builder: b, known: map[pyName]int32{}, outer: map[pyName]int32{}, narrow: map[pyName]bool{}, receivers: map[int32]pyReceiver{}, yields: map[int32][]int32{}}
	p.stub = strings.HasSuffix(b.file.Path, ".pyi")
	p.statements(root)
}

func (p *python) statements(n syntax.Node) { p.statementsAfter(leading{}, n) }

// statementsAfter reads statements; comments may stand before the first.
func (p *python) statementsAfter(lead leading, n syntax.Node) {
	for c := range n.Children {
		if c.Is("comment") {
			lead.add(c)
			continue
		}
		if c.Is("function_definition", "class_definition", "decorated_definition") {
			p.doc = lead.before(c)
		}
		lead.pass(c)
		p.statement(c)
		p.doc = ""
	}
}

// describes is the text about a definition: that which its body begins with, else
// the comments before it.
func (p *python) describes(body syntax.Node) string {
	before := p.doc
	p.doc = "" // it is not about what stands within
	return cmp.Or(pyDoc(body), before)
}

func (p *python) statement(n syntax.Node) {
	switch n.Kind() {
	case "function_definition":
		p.def(n, n, nil)
	case "class_definition":
		p.class(n, n, nil)
	case "decorated_definition":
		p.decorated(n)
	case "import_statement", "import_from_statement":
		p.imports(n)
	case "future_import_statement", "comment":
	case "global_statement", "nonlocal_statement":
		p.declareOuter(n)
	case "expression_statement":
		for c := range n.Children {
			if c.Is("assignment", "augmented_assignment") {
				p.assignment(c)
			} else {
				p.scan(c)
			}
		}
	case "return_statement":
		for _, c := range n.NamedChildren() {
			p.returns(p.value(c))
		}
	case "raise_statement":
		p.raise(n)
	case "if_statement":
		p.conditional(n)
	case "for_statement":
		over := p.value(n.Child("right"))
		p.iterates(n, over)
		p.target(n.Child("left"), pySource{value: over, element: true, at: n.Child("right").End()})
		p.perhaps(func() {
			p.carried(n, func() { p.statements(n.Child("body")) })
			p.statement(n.Child("alternative"))
		})
	case "while_statement":
		p.scan(n.Child("condition"))
		p.perhaps(func() {
			p.carried(n, func() { p.statements(n.Child("body")) })
			p.statement(n.Child("alternative"))
		})
	case "assert_statement":
		p.scan(n)
		p.holds(n, checked(pyFirst(n)))
	case "delete_statement":
		p.deleted(n)
	case "with_statement":
		p.with(n)
	case "except_clause", "except_group_clause":
		p.perhaps(func() { p.except(n) })
	case "match_statement":
		p.perhaps(func() { p.match(n) })
	case "type_alias_statement":
		p.typeAlias(n)
	case "block", "else_clause", "elif_clause", "finally_clause", "try_statement", "ERROR":
		p.statements(n)
	default:
		p.scan(n)
	}
}

// conditional reads an if statement; what is imported for checkers only is
// marked so.
func (p *python) conditional(n syntax.Node) {
	for c := range n.Children {
		switch c.Field() {
		case "consequence":
		case "alternative":
			p.perhaps(func() { p.conditional(c) })
			continue
		default:
			p.statement(c)
			continue
		}
		was := p.typeOnly
		if last := pyLast(n.Child("condition")); last == "TYPE_CHECKING" {
			p.typeOnly = true
		}
		p.perhaps(func() { p.narrowed(checked(n.Child("condition")), c, func() { p.statement(c) }) })
		p.typeOnly = was
	}
	if n.Is("if_statement") && !n.Child("alternative").OK() && leaves(n.Child("consequence")) {
		p.holds(n, refuted(n.Child("condition")))
	}
}

// perhaps reads what may not be run.
func (p *python) perhaps(walk func()) {
	was := p.branch
	p.branch = true
	walk()
	p.branch = was
}

// surely reads what is certain where it is used.
func (p *python) surely(walk func()) {
	was := p.branch
	p.branch = false
	walk()
	p.branch = was
}

// raise reads `raise X`: a class is instantiated, a value is not. Which of both
// a name is, is not known here.
func (p *python) raise(n syntax.Node) {
	for _, c := range n.NamedChildren() {
		if c.Is("identifier", "attribute") {
			p.call(c, code.Ctor, p.value(c), pyLast(c), c.Child("object"), nil, nil)
			continue
		}
		p.scan(c)
	}
}

func (p *python) decorated(n syntax.Node) {
	var decorators []syntax.Node
	for c := range n.Children {
		switch {
		case c.Is("decorator"):
			decorators = append(decorators, c)
		case c.Is("function_definition"):
			p.def(c, n, decorators)
		case c.Is("class_definition"):
			p.class(c, n, decorators)
		default:
			p.statement(c)
		}
	}
}

// def reads a function; whole is the node with its decorators.
func (p *python) def(n, whole syntax.Node, decorators []syntax.Node) {
	name := n.Child("name").Text()
	if name == "" {
		p.statements(n)
		return
	}
	marks := map[string]bool{}
	for _, d := range decorators {
		marks[pyLast(pyDecorator(d))] = true
	}
	inClass := p.file.Scopes[p.scope].Kind == code.ClassScope
	class := p.owner
	s := code.Symbol{Name: name, Kind: code.Function, Signature: p.heading(n), Doc: p.describes(n.Child("body")),
		Exported: p.exported(name), Returns: pyType(n.Child("return_type")), TypeParams: pyTypeParams(n), Value: code.None}
	s.Abstract = marks["abstractmethod"] || marks["overload"] || p.stub
	if inClass {
		s.Kind = code.Method
		if name == "__init__" {
			s.Kind = code.Constructor
		}
		s.Static = marks["staticmethod"] || marks["classmethod"] || name == "__new__" || name == "__init_subclass__" || name == "__class_getitem__"
		s.Abstract = s.Abstract || p.file.Symbols[class].Kind == code.Interface && pyEmpty(n.Child("body")) || pyUnimplemented(n.Child("body"))
	}
	symbol := p.symbol(whole, s)
	p.decorate(symbol, decorators)
	params := p.readParams(n.Child("parameters"))
	p.scan(n.Child("return_type"))
	p.within(symbol, code.FunctionScope, func() {
		if inClass && !marks["staticmethod"] && len(params) > 0 && !params[0].Variadic && !params[0].Keyword {
			p.receivers[p.scope] = pyReceiver{params[0].Name, class}
			p.known[pyName{p.scope, params[0].Name}] = code.None
			p.bind(code.Binding{Name: params[0].Name, Kind: code.Receiver, Ref: code.None, Type: params[0].Type, Value: code.None, At: n.Start()})
			params = params[1:]
		}
		p.takes(symbol, n, params)
		was := p.branch
		p.branch = false
		p.inside(n)
		p.branch = was
	})
	p.settle(symbol)
}

// inside reads the body of a definition, and text beside it that fits no rule.
func (p *python) inside(n syntax.Node) {
	var lead leading
	for c := range n.Children {
		switch {
		case c.Is("comment"):
			lead.add(c)
		case c.Is("block", "ERROR"):
			p.statementsAfter(lead, c)
			lead.pass(c)
		default:
			lead.pass(c)
		}
	}
}

// heading is the text of a definition up to its colon. A comment may stand after
// that.
func (p *python) heading(n syntax.Node) string {
	end := n.Start()
	for c := range n.Children {
		if c.Is("comment", "block", "ERROR") {
			break
		}
		end = c.End()
	}
	return squash(string(p.tree.Src[n.Start():min(end, n.Start()+4*maxSignature)]))
}

// settle sets what a function that yields gives.
func (p *python) settle(symbol int32) {
	if y, ok := p.yields[symbol]; ok {
		p.file.Symbols[symbol].Yields, p.file.Symbols[symbol].Results = true, y
	}
}

// takes sets and binds parameters.
func (p *python) takes(symbol int32, n syntax.Node, params []code.Param) {
	for _, param := range params {
		p.known[pyName{p.scope, param.Name}] = code.None
	}
	p.params(symbol, n, params)
}

// symbol defines a symbol and notes its name.
func (p *python) symbol(n syntax.Node, s code.Symbol) int32 {
	i := p.define(n, s)
	bindings := p.file.Scopes[p.scope].Bindings
	bindings[len(bindings)-1].Maybe = p.branch
	p.known[pyName{p.scope, s.Name}] = i
	return i
}

// decorate reads decorators: all are evaluated in order, then the innermost is
// called with the definition, and each other with what the one before gave.
func (p *python) decorate(symbol int32, decorators []syntax.Node) {
	if len(decorators) == 0 {
		return
	}
	values := make([]int32, len(decorators))
	for i, d := range decorators {
		values[i] = p.value(pyDecorator(d))
	}
	p.file.Symbols[symbol].Decorators = values
	last := len(decorators) - 1
	e := blank(code.FuncExpr)
	e.Ref = symbol // the class or function itself, whatever its name means then
	arg := p.expr(decorators[last], e)
	for i := last; i >= 0; i-- {
		x := pyDecorator(decorators[i])
		if pyMarker(x) {
			continue
		}
		arg = p.call(decorators[i], code.Indirect, values[i], pyLast(x), x.Child("object"), []int32{arg}, nil)
	}
}

// class reads a class; whole is the node with its decorators.
func (p *python) class(n, whole syntax.Node, decorators []syntax.Node) {
	name := n.Child("name").Text()
	if name == "" {
		p.statements(n)
		return
	}
	bases := n.Child("superclasses")
	symbol := p.symbol(whole, code.Symbol{Name: name, Kind: pyClassKind(bases), Signature: p.heading(n), Doc: p.describes(n.Child("body")),
		Exported: p.exported(name), TypeParams: pyTypeParams(n), Value: code.None})
	p.decorate(symbol, decorators)
	metaclass := code.None
	var args []int32
	var keys []string
	for c := range bases.Children {
		switch {
		case !c.Named() || c.Is("comment"):
		case c.Is("keyword_argument"):
			if c.Child("name").Text() == "metaclass" {
				metaclass = p.value(c.Child("value"))
			} else {
				args, keys = append(args, p.value(c.Child("value"))), append(keys, c.Child("name").Text())
			}
		case c.Is("list_splat", "dictionary_splat", "ERROR"):
			p.scan(c)
		default:
			p.inherit(symbol, c)
		}
	}
	p.announced(n, symbol, args, keys)
	p.within(symbol, code.ClassScope, func() {
		if metaclass != code.None {
			p.assign(bases, "__metaclass__", "", metaclass)
		}
		p.inside(n)
	})
}

func (p *python) inherit(symbol int32, base syntax.Node) {
	if base.Is("subscript") {
		for c := range base.Children {
			if c.Field() == "subscript" {
				p.scan(c)
			}
		}
		base = base.Child("value")
	}
	p.file.Inherits = append(p.file.Inherits, code.Inherit{Symbol: symbol, Base: clip(squash(base.Text()), maxReceiver),
		Expr: p.value(base), Kind: code.Extends, Line: base.Line()})
}

// exported says that a name is for others: it stands outside of functions and
// does not begin with an underscore, unless it is one of the language's own.
func (p *python) exported(name string) bool {
	if p.caller() != code.None {
		return false
	}
	return !strings.HasPrefix(name, "_") || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

func (p *python) typeAlias(n syntax.Node) {
	left := n.Child("left")
	id := left
	for id.OK() && !id.Is("identifier") {
		id = pyFirst(id)
	}
	if id.Text() == "" {
		p.scan(n)
		return
	}
	var names []string
	for c := range left.First("generic_type").First("type_parameter").Children {
		names = append(names, squash(c.Text()))
	}
	p.symbol(n, code.Symbol{Name: id.Text(), Kind: code.TypeAlias, Exported: p.exported(id.Text()), Type: pyType(n.Child("right")), TypeParams: names, Value: code.None})
	p.scan(n.Child("right"))
}
