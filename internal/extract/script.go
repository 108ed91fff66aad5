package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// script reads JavaScript and TypeScript: one walker, as the second grammar only
// adds to the first.
type script struct {
	*builder
	// declared are the names that scopes declare, as far as the walk has come;
	// those of a block are known when it is entered, as the language lifts them.
	declared map[scopedName]declaredAs
	// bodies are functions that have one, so that overloads beside them are none.
	bodies map[scopedName]bool
	// docs are the comments of overloads, for the function that has the body.
	docs map[scopedName]string
	// results are what overloads say that they return.
	results map[scopedName][]string
	// members are the symbols of members by their path.
	members map[string]int32
	this    *holder // what `this` is here, or nil
	// level is how many branches, loops and functions are open, levels how many
	// were where a scope begins: what is assigned deeper may not be assigned.
	level   int
	levels  map[int32]int
	narrow  map[scopedName]bool // names whose class is known in a block
	named   []namedExport
	classes map[int32]int // anonymous classes so far, by what encloses them
}

type scopedName struct {
	scope int32
	name  string
}

type declaredAs uint8

const (
	asNothing declaredAs = iota
	asVariable
	asCallable // a function or a class: what is set on it is static
)

// holder is what `this` means: a class, an object literal, or a function that
// is used as a class.
type holder struct {
	path  string
	owner string // name of the type, for what does not stand within it
	scope int32  // where members are bound, or None
	// symbol is the parent of members, or None.
	symbol int32
	module bool // the object that is a module: its members are functions
}

func walkScript(b *builder, root syntax.Node) {
	s := &script{
		builder: b, declared: map[scopedName]declaredAs{}, bodies: map[scopedName]bool{},
		docs: map[scopedName]string{}, results: map[scopedName][]string{}, members: map[string]int32{}, classes: map[int32]int{}, levels: map[int32]int{}, narrow: map[scopedName]bool{},
	}
	s.statements(root)
	s.settleExports()
}

// each goes over what is directly below n, with the comments right before it.
func (s *script) each(n syntax.Node, visit func(c syntax.Node, comments []syntax.Node)) {
	var comments []syntax.Node
	last := 0 // line on which what came before ends
	for c := range n.Children {
		if c.Is("comment") {
			if len(comments) > 0 && comments[len(comments)-1].EndLine()+1 < c.Line() {
				comments = nil
			}
			if c.Line() > last { // else it belongs to what came before
				comments = append(comments, c)
			}
			continue
		}
		if len(comments) > 0 && comments[len(comments)-1].EndLine()+1 < c.Line() {
			comments = nil
		}
		visit(c, comments)
		comments, last = nil, c.EndLine()
	}
}

// statements walks a list of statements in the current scope.
func (s *script) statements(n syntax.Node) {
	s.hoist(n)
	s.each(n, func(c syntax.Node, comments []syntax.Node) { s.statement(c, declaration{node: c, comments: comments}) })
}

// hoist notes what the statements directly below n declare.
func (s *script) hoist(n syntax.Node) {
	for c := range n.Children {
		s.hoistOne(c)
	}
}

func (s *script) hoistOne(c syntax.Node) {
	switch c.Kind() {
	case "function_declaration", "generator_function_declaration":
		name := c.Child("name").Text()
		s.declare(s.scope, name, asCallable)
		s.bodies[scopedName{s.scope, name}] = true
	case "class_declaration", "abstract_class_declaration":
		s.declare(s.scope, c.Child("name").Text(), asCallable)
	case "lexical_declaration", "variable_declaration":
		scope := s.scope
		if c.Is("variable_declaration") {
			scope = s.builder.function()
		}
		for d := range c.Children {
			if name := d.Child("name"); name.Is("identifier") {
				as := asVariable
				if isFunction(d.Child("value")) || d.Child("value").Is("class") {
					as = asCallable
				}
				s.declare(scope, name.Text(), as)
			}
		}
	case "export_statement", "ambient_declaration":
		for d := range c.Children {
			s.hoistOne(d)
		}
	}
}

func (s *script) declare(scope int32, name string, as declaredAs) {
	key := scopedName{scope, name}
	if s.declared[key] < as {
		s.declared[key] = as
	}
}

// scopeOf is the scope that declares a name, the file where none does, and how.
func (s *script) scopeOf(name string) (int32, declaredAs) {
	for scope := s.scope; scope != code.None; scope = s.file.Scopes[scope].Parent {
		if as := s.declared[scopedName{scope, name}]; as != asNothing {
			return scope, as
		}
	}
	return 0, asNothing
}

// put binds a name in a scope and notes that it is declared there.
func (s *script) put(scope int32, binding code.Binding) {
	if binding.Name == "" {
		return
	}
	s.declare(scope, binding.Name, asVariable)
	binding.Maybe = binding.Maybe || s.level > s.levels[scope]
	s.bindIn(scope, binding)
}

// within and block open a scope and note its level; a function's is deeper, as
// it may never be called.
func (s *script) within(symbol int32, kind code.ScopeKind, walk func()) {
	level := s.level
	if kind == code.FunctionScope {
		s.level++
	}
	s.builder.within(symbol, kind, func() {
		s.levels[s.scope] = s.level
		walk()
	})
	s.level = level
}

func (s *script) block(walk func()) {
	s.builder.block(func() {
		s.levels[s.scope] = s.level
		walk()
	})
}

// branch walks what may not be run, or more than once.
func (s *script) branch(walk func()) {
	s.level++
	walk()
	s.level--
}

// statement walks one statement. What it declares is written at d.node.
func (s *script) statement(n syntax.Node, d declaration) {
	switch n.Kind() {
	case "import_statement":
		s.importStatement(n)
	case "export_statement":
		s.exportStatement(n, d)
	case "expression_statement":
		for c := range n.Children {
			if !c.Is("string") { // "use strict"
				s.statement(c, d)
			}
		}
	case "assignment_expression":
		s.assignment(n, d.comments)
	case "statement_block":
		s.inBlock(n, func() { s.statements(n) })
	case "switch_body":
		s.block(func() { s.children(n) })
	case "for_statement":
		s.branch(func() { s.block(func() { s.children(n) }) })
	case "switch_case", "switch_default":
		s.branch(func() { s.statements(n) })
	case "for_in_statement":
		s.branch(func() { s.block(func() { s.forIn(n) }) })
	case "catch_clause":
		s.branch(func() { s.block(func() { s.catch(n) }) })
	case "return_statement":
		for c := range n.Children {
			if c.Named() && !c.Is("comment") {
				s.result(s.expression(c))
			}
		}
	case "class_static_block":
		s.block(func() { s.statements(n.Child("body")) })
	case "if_statement":
		s.branch(func() { s.conditional(n) })
		s.afterwards(n)
	case "while_statement", "do_statement", "try_statement":
		s.branch(func() { s.children(n) })
	case "else_clause", "with_statement", "throw_statement", "finally_clause", "labeled_statement", "ERROR":
		s.children(n)
	default:
		if !s.declaration(n, d) {
			s.expression(n)
		}
	}
}

// children walks what is directly below a node, each for itself.
func (s *script) children(n syntax.Node) {
	if n.Is("ERROR") {
		s.hoist(n)
	}
	s.each(n, func(c syntax.Node, comments []syntax.Node) {
		if c.Named() {
			s.statement(c, declaration{node: c, comments: comments})
		}
	})
}

// inBlock opens a scope for a block that declares something itself.
func (s *script) inBlock(n syntax.Node, walk func()) {
	for c := range n.Children {
		if strings.HasSuffix(c.Kind(), "declaration") {
			s.block(walk)
			return
		}
	}
	walk()
}

func (s *script) forIn(n syntax.Node) {
	right := s.expression(n.Child("right"))
	from := source{value: right, element: true}
	if n.Child("operator").Is("in") {
		from = source{value: s.constant(n.Child("right"), "string", "")}
	}
	left, kind := n.Child("left"), n.Child("kind").Kind()
	switch kind {
	case "":
		s.pattern(left, from, target{scope: code.None, at: n.Child("right").End()})
	case "var":
		s.pattern(left, from, target{scope: s.builder.function(), at: n.Child("right").End()})
	default:
		s.pattern(left, from, target{scope: s.scope, at: n.Child("right").End()})
	}
	s.statement(n.Child("body"), declaration{node: n.Child("body")})
}

func (s *script) catch(n syntax.Node) {
	if p := n.Child("parameter"); p.OK() {
		s.pattern(p, source{value: code.None}, target{scope: s.scope, typ: typeText(n.Child("type"))})
	}
	s.statements(n.Child("body"))
}

// result notes what the function gives back; a generator gives what it yields.
func (s *script) result(value int32) {
	if f := s.caller(); f != code.None && !s.file.Symbols[f].Yields {
		s.returns(value)
	}
}

// typeText is a type as written, without the colon before it.
func typeText(n syntax.Node) string {
	return clip(squash(strings.TrimLeft(n.Text(), ": ")), maxSignature)
}

// keyText is the name that a property has; in brackets where a name stands for
// it, as symbols do, "" where it is worked out.
func keyText(n syntax.Node) string {
	switch n.Kind() {
	case "string":
		return stringText(n)
	case "computed_property_name":
		if inner := firstNamed(n); inner.Is("string") {
			return stringText(inner)
		} else if inner.Is("identifier", "member_expression") {
			return clip("["+squash(inner.Text())+"]", maxReceiver)
		}
		return ""
	}
	return n.Text()
}

// stringText is the value of a string without escapes.
func stringText(n syntax.Node) string {
	text := n.Text()
	if len(text) < 2 {
		return ""
	}
	return text[1 : len(text)-1]
}

// firstNamed is the first rule directly below that is no comment.
func firstNamed(n syntax.Node) syntax.Node {
	for c := range n.Children {
		if c.Named() && !c.Is("comment") {
			return c
		}
	}
	return syntax.Node{}
}

// isFunction says that a node is a function written in place.
func isFunction(n syntax.Node) bool {
	return n.Is("arrow_function", "function_expression", "generator_function")
}

// unwrap is the expression within brackets and type assertions.
func unwrap(n syntax.Node) syntax.Node {
	for n.Is("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression") {
		n = firstNamed(n)
	}
	return n
}
