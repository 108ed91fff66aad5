package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// parseCPPType takes a C++ type apart: std::map<K, V>, const A::B<T> *, int (*)(char),
// std::function<R(A)>, T[]. Pointers and references are what they point to, and
// so are the library's handles.
func parseCPPType(text string) typeNode {
	p := &typeParser{text: text}
	return p.cppType()
}

// cppWords stand before a type and change nothing of what it is.
var cppWords = map[string]bool{
	"const": true, "volatile": true, "struct": true, "class": true, "union": true, "enum": true, "typename": true,
	"static": true, "inline": true, "constexpr": true, "mutable": true, "register": true, "extern": true,
}

func (p *typeParser) cppType() typeNode {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxTypeDepth {
		p.at = len(p.text)
		return typeNode{name: "?"}
	}
	n := p.cppName()
	for {
		p.skip()
		switch {
		case p.take("*"), p.take("&"), p.take("..."), p.word("const"), p.word("volatile"):
		case p.take("["):
			for p.at < len(p.text) && !p.take("]") {
				p.at++
			}
			n = typeNode{name: listKey, args: []typeNode{n}}
		case p.peek() == '(': // int (*)(char), int(char)
			p.parens()
			p.skip()
			if p.peek() == '(' {
				p.parens()
			}
			n = typeNode{name: funcKey, args: []typeNode{n}}
		default:
			return n
		}
	}
}

// parens skips what stands in brackets.
func (p *typeParser) parens() {
	for depth := 0; p.at < len(p.text); {
		c := p.text[p.at]
		p.at++
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth <= 0 {
				return
			}
		}
	}
}

func (p *typeParser) cppName() typeNode {
	n := typeNode{}
	for {
		p.skip()
		p.take("::")
		start := p.at
		word := p.ident()
		if word == "" {
			if p.at < len(p.text) && strings.IndexByte(",>)*&[(", p.peek()) < 0 {
				p.at++ // a sign that no type has
				continue
			}
			break
		}
		p.skip()
		if n.name == "" && cppWords[word] && p.at < len(p.text) && isNameByte(p.peek()) {
			continue
		}
		if n.name != "" && start > 0 && !strings.HasSuffix(n.name, ".") {
			n.name = word // unsigned long: the last word
		} else {
			n.name += word
		}
		if p.peek() == '<' {
			p.at++
			n.args = p.cppList()
			p.skip()
		}
		if strings.HasPrefix(p.text[p.at:], "::") {
			n.name += "."
			continue
		}
		if p.at >= len(p.text) || !isNameByte(p.peek()) {
			break
		}
	}
	n.name = strings.TrimSuffix(n.name, ".")
	if n.name == "" {
		n.name = "?"
	}
	return cppKnown(n)
}

// cppList reads template arguments.
func (p *typeParser) cppList() []typeNode {
	var out []typeNode
	for p.at < len(p.text) {
		p.skip()
		if p.take(">") {
			return out
		}
		if p.take(",") {
			continue
		}
		start := p.at
		out = append(out, p.cppType())
		if p.skip(); p.at == start || p.at < len(p.text) && p.peek() != ',' && p.peek() != '>' {
			p.at = min(p.at+1, len(p.text))
		}
	}
	return out
}

// cppKnown gives types of the library the form that they have elsewhere.
func cppKnown(n typeNode) typeNode {
	name, ok := strings.CutPrefix(n.name, "std.")
	if !ok && n.name != lastName(n.name) || len(n.args) == 0 {
		return n
	}
	switch name {
	case "unique_ptr", "shared_ptr", "weak_ptr", "reference_wrapper", "optional", "atomic", "add_const_t":
		return n.args[0]
	case "pair", "tuple":
		return typeNode{name: tupleKey, args: n.args}
	case "map", "unordered_map", "multimap", "unordered_multimap", "flat_map":
		if len(n.args) >= 2 {
			return typeNode{name: cppMapKey, args: []typeNode{{name: tupleKey, args: n.args[:2]}}}
		}
	case "vector", "list", "deque", "set", "unordered_set", "array", "queue", "stack", "priority_queue", "span", "initializer_list", "forward_list", "multiset":
		return typeNode{name: "std." + name, args: n.args[:1]}
	case "function", "move_only_function":
		if n.args[0].name == funcKey {
			return n.args[0]
		}
	}
	return n
}

// cppMapKey is a map: its elements are pairs.
const cppMapKey = "std.map"

// cppHandle says that a type's text is one of the library's pointers.
func cppHandle(text string) bool {
	name, _, ok := strings.Cut(strings.TrimPrefix(text, "std::"), "<")
	return ok && (strings.HasSuffix(name, "_ptr") || name == "optional" || name == "function")
}

// cppSpecial: members as the file may see them, elements of maps and of what has
// its own operator, handles that give what they hold.
func cppSpecial(r *run, f *file, e *code.Expr, i int32) ([]value, bool) {
	switch e.Kind {
	case code.NameExpr:
		vs := r.lookup(f, e.Scope, e.Name, e.At)
		if len(vs) > 1 {
			vs = r.nearestFunctions(f, vs)
		}
		return vs, true
	case code.MemberExpr:
		vs := r.cppArrow(f, e)
		if len(vs) == 0 {
			vs = r.membersOf(f, e)
		}
		if len(vs) == 0 && e.X > 0 {
			for _, x := range r.expr(f, e.X) {
				if x.kind == aModule {
					vs = add(vs, ruled(r.cppInline(x.key, e.Name), ByQualified)...)
					vs = add(vs, ruled(r.cppBroughtIn(f, strings.TrimPrefix(x.key, "cpp:"), e.Name), ByQualified)...)
				}
			}
		}
		if len(vs) > 1 {
			vs = r.nearestFunctions(f, vs)
		}
		return slices.DeleteFunc(slices.Clone(vs), func(v value) bool {
			return v.kind == aFunc && v.fn.f != f && !v.fn.sym().Exported && v.fn.sym().Kind != code.Lambda && v.rule == ByQualified
		}), true
	case code.IndexExpr:
		return r.cppIndexed(f, e)
	case code.CallExpr:
		if cppIsOperation(f, e) {
			return r.cppOperation(f, e), true
		}
		if e.X > 0 && f.Exprs[e.X].Kind == code.MemberExpr && cppGivesItself[f.Exprs[e.X].Name] && len(r.expr(f, e.X)) == 0 {
			return r.expr(f, f.Exprs[e.X].X), true
		}
	}
	return nil, false
}

// cppGivesItself are members of handles that give what the handle stands for.
var cppGivesItself = map[string]bool{"get": true, "value": true, "lock": true, "load": true, "operator->": true, "operator*": true, "value_or": true}

func (r *run) cppIndexed(f *file, e *code.Expr) ([]value, bool) {
	var out []value
	for _, x := range r.expr(f, e.X) {
		switch {
		case x.kind == anInst:
			fns := r.member(x.key, "operator[]")
			for _, s := range fns {
				out = add(out, r.resultOf(f, e, value{kind: aFunc, fn: s, args: x.args})...)
			}
			if len(fns) == 0 {
				out = add(out, x) // the element of an array, by a pointer to its first
			}
		case x.kind == aForeignI && x.key == cppMapKey:
			out = add(out, r.part(r.elements([]value{x}), 2)...)
		case x.kind == aForeignI && x.args != nil:
			out = add(out, r.elements([]value{x})...)
		case x.kind == aColl:
			out = add(out, r.item(x, e.Name)...)
		case x.kind == aFunc, x.kind == aType, x.kind == aForeign:
			out = add(out, x) // f<T>, A<T>
		}
	}
	return out, true
}

// cppForeignMember: the parts of a pair.
func cppForeignMember(r *run, f *file, x value, name string) ([]value, bool) {
	if x.key == tupleKey {
		switch name {
		case "first":
			return r.part([]value{x}, 1), true
		case "second":
			return r.part([]value{x}, 2), true
		}
	}
	return nil, false
}

// cppGivesElement are members of containers that give an element, or an iterator
// that stands for one.
var cppGivesElement = map[string]bool{
	"begin": true, "end": true, "cbegin": true, "cend": true, "rbegin": true, "rend": true, "find": true, "lower_bound": true, "upper_bound": true,
	"front": true, "back": true, "top": true, "data": true, "emplace_back": true, "erase": true, "insert": true,
}

func cppForeignCall(r *run, f *file, e *code.Expr, v value) ([]value, bool) {
	if cppBinds[v.key] && len(e.Args) > 0 {
		return functionsOf(r.expr(f, e.Args[0])), true
	}
	if v.args == nil {
		return nil, false
	}
	from := value{kind: aForeignI, key: parentKey(v.key), args: v.args}
	switch name := lastName(v.key); {
	case name == "at" && from.key == cppMapKey:
		return r.part(r.elements([]value{from}), 2), true
	case name == "at" || cppGivesElement[name]:
		return r.elements([]value{from}), true
	}
	return nil, false
}

// cppSameType compares what an argument is with what is wanted, for overloads.
func cppSameType(have, want string) int {
	if have == want {
		return 1
	}
	number := func(t string) bool {
		switch t {
		case "int", "long", "short", "unsigned", "size_t", "double", "float", "bool", "char":
			return true
		}
		return strings.HasSuffix(t, "_t")
	}
	text := func(t string) bool { return t == "string" || t == "string_view" || t == "char" }
	switch {
	case have == "string" && text(want):
		return 1
	case have == "string" && number(want), number(have) && (want == "string" || want == "string_view"):
		return -1
	}
	return 0
}

// cppFunctional says that a value is of a type that is another name of a
// function's.
func cppFunctional(r *run, x value) bool {
	s, ok := r.underlying(x)
	return ok && r.parsed(s.f, s.sym().Type).name == funcKey
}

// cppFunctionMember: a function that is taken out of a container may be a pair's.
func cppFunctionMember(_ *run, _ *file, x value, name string) []value {
	if name == "first" || name == "second" {
		return []value{x}
	}
	return nil
}

// cppAssigned adds to what a field or variable is declared to be the functions
// that it is set to, where its type is a function's or holds such.
func cppAssigned(r *run, s id, declared []value) []value {
	open := s.sym().Type == "" && s.sym().Kind != code.Field
	at := declared
	for range 3 { // a map of lists of functions
		for _, v := range at {
			open = open || v.kind == aFuncType || cppFunctional(r, v)
		}
		next := r.elements(at)
		if len(next) == 0 {
			break
		}
		at = append(slices.Clone(next), r.part(next, 2)...)
	}
	if !open {
		return declared
	}
	return add(add(slices.Clone(declared), functionsOf(r.expr(s.f, s.sym().Value))...), r.given(s)...)
}
