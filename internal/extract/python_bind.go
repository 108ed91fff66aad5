package extract

import (
	"strconv"
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// pySource is what a target is set to.
type pySource struct {
	value   int32
	typ     string
	element bool        // its elements, one after another
	part    int         // that part of it, from 1
	local   bool        // in the scope of a comprehension
	item    bool        // an item is set: the name keeps what it meant before
	at      uint32      // from where on it holds, if not from the name on
	declare syntax.Node // the statement, where the name is one of the file or class
}

func (p *python) assignment(n syntax.Node) int32 {
	s := pySource{typ: pyType(n.Child("type")), value: code.None, declare: n, at: n.End()}
	p.scan(n.Child("type"))
	if right := n.Child("right"); right.OK() {
		s.value = p.value(right)
	}
	left := n.Child("left")
	if left.Is("identifier") && p.caller() != code.None { // it may be the name of a method
		s.value = p.beginning(n.Child("right"), s.value)
	}
	if n.Is("augmented_assignment") && !left.Is("subscript") { // x += [f] adds to what x is
		s.value = p.increased(n, p.value(left), s.value)
	}
	p.target(left, s)
	return s.value
}

// target gives what stands at n the value.
func (p *python) target(n syntax.Node, s pySource) {
	switch n.Kind() {
	case "identifier":
		p.bindName(n, s)
	case "attribute":
		p.setMember(n, s)
	case "subscript":
		p.setItem(n, s)
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list":
		p.takeApart(n, s)
	case "list_splat_pattern", "list_splat": // alone: all the rest
		p.target(pyFirst(n), pySource{value: p.listOf(n, p.whole(n, s)), local: s.local, at: s.at})
	case "parenthesized_expression", "as_pattern_target":
		for c := range n.Children {
			p.target(c, s)
		}
	default:
		p.scan(n)
	}
}

// listOf is a list of the elements of x.
func (p *python) listOf(n syntax.Node, x int32) int32 {
	e := blank(code.ListExpr)
	e.Args = []int32{p.wrap(n, code.SpreadExpr, x)}
	return p.expr(n, e)
}

// whole is the source as one expression.
func (p *python) whole(n syntax.Node, s pySource) int32 {
	v := s.value
	if s.element {
		e := blank(code.IndexExpr)
		e.X, e.Args = v, []int32{p.other(n)}
		v = p.expr(n, e)
	}
	if s.part > 0 {
		v = p.index(n, v, s.part-1)
	}
	return v
}

func (p *python) index(n syntax.Node, x int32, i int) int32 {
	e := blank(code.IndexExpr)
	e.X, e.Name = x, strconv.Itoa(i)
	return p.expr(n, e)
}

// takeApart gives each of several targets its part. A tuple or list written in
// place is taken apart here.
func (p *python) takeApart(n syntax.Node, s pySource) {
	targets := n.NamedChildren()
	star := -1
	for i, t := range targets {
		if t.Is("list_splat_pattern", "list_splat") {
			star = i
		}
	}
	parts := p.parts(s)
	exact := parts != nil && (star < 0 && len(parts) == len(targets) || star >= 0 && len(parts) >= len(targets)-1)
	base := s.value
	if !exact && (s.part > 0 || star >= 0) {
		base = p.whole(n, s)
		s.element, s.part = false, 0
	}
	for i, t := range targets {
		one := pySource{value: base, local: s.local, element: s.element, part: i + 1, at: s.at}
		if s.declare.OK() {
			one.declare = t // not the statement: its text is not to be read for each
		}
		after := len(targets) - 1 - i
		switch {
		case i == star && exact:
			e := blank(code.ListExpr)
			e.Args = parts[i : len(parts)-after]
			one.value, one.part = p.expr(t, e), 0
			t = pyFirst(t)
		case i == star:
			one.value, one.part = p.listOf(t, base), 0
			t = pyFirst(t)
		case exact && star >= 0 && i > star:
			one.value, one.part = parts[len(parts)-1-after], 0
		case exact:
			one.value, one.part = parts[i], 0
		case star >= 0 && i > star:
			one.value, one.part = p.index(t, base, -1-after), 0
		}
		p.target(t, one)
	}
}

// parts are the parts of a tuple or list that is written in place.
func (p *python) parts(s pySource) []int32 {
	if s.value <= 0 || s.element || s.part > 0 {
		return nil
	}
	e := &p.file.Exprs[s.value]
	if e.Kind != code.TupleExpr && e.Kind != code.ListExpr {
		return nil
	}
	for _, a := range e.Args {
		if a > 0 && p.file.Exprs[a].Kind == code.SpreadExpr {
			return nil
		}
	}
	return e.Args
}

// bindName binds a name in the scope that it belongs to.
func (p *python) bindName(n syntax.Node, s pySource) {
	name := n.Text()
	if name == "" {
		return
	}
	scope := p.function()
	if s.local {
		scope = p.scope
	} else if to, ok := p.outer[pyName{scope, name}]; ok {
		scope = to
	} else if s.item {
		scope = p.holder(scope, name)
	}
	if kind := p.file.Scopes[scope].Kind; s.declare.OK() && !s.item && (kind == code.FileScope || kind == code.ClassScope) {
		p.variable(scope, p.file.Scopes[scope].Symbol, name, s)
	}
	if _, ok := p.known[pyName{scope, name}]; !ok && !s.item {
		p.known[pyName{scope, name}] = code.None
	}
	p.set(n, scope, name, s)
	if !s.item && !s.local {
		p.again(n, name, s)
	}
}

// pyItems follows a name to say: what is put into it.
const pyItems = "[]"

// set adds a binding.
func (p *python) set(n syntax.Node, scope int32, name string, s pySource) {
	if s.item {
		name += pyItems
	}
	at := n.Start()
	if s.at > 0 {
		at = s.at
	}
	p.bindIn(scope, code.Binding{Name: name, Kind: code.Assigned, Ref: code.None, Type: s.typ, Value: s.value,
		Element: s.element, Part: s.part, Maybe: p.branch || p.elsewhere(scope), At: at})
}

// elsewhere says that a scope is one around the function at hand: what it sets
// there holds once it is called.
func (p *python) elsewhere(scope int32) bool {
	kind := p.file.Scopes[scope].Kind
	return scope != p.function() && kind != code.ClassScope && kind != code.BlockScope
}

// holder is the scope in which a name that is not set here has its meaning.
func (p *python) holder(scope int32, name string) int32 {
	for s := scope; s != code.None; s = p.file.Scopes[s].Parent {
		if s != scope && p.file.Scopes[s].Kind == code.ClassScope {
			continue
		}
		if _, ok := p.known[pyName{s, name}]; ok {
			return s
		}
	}
	return 0
}

// variable defines a variable of the file or a field of a class, once. The first
// value of a known form is its value.
func (p *python) variable(scope, owner int32, name string, s pySource) {
	value := s.value
	if s.element || s.part > 0 {
		value = code.None
	}
	if i, ok := p.known[pyName{scope, name}]; ok {
		if i != code.None {
			p.refine(&p.file.Symbols[i], s.typ, value)
		}
		return
	}
	v := code.Symbol{Name: name, Kind: code.Variable, Type: s.typ, Value: value}
	switch {
	case owner != code.None && p.file.Symbols[owner].Kind == code.Enum && s.typ == "" && p.file.Scopes[p.scope].Kind == code.ClassScope:
		v.Kind, v.Static = code.EnumMember, true
	case owner != code.None:
		v.Kind = code.Field
		v.Static = p.scope == scope && (s.typ == "" || strings.Contains(s.typ, "ClassVar")) || p.scope != scope && p.inClassMethod()
	case s.typ == "TypeAlias" || strings.HasSuffix(s.typ, ".TypeAlias"):
		v.Kind, v.Type = code.TypeAlias, pyType(s.declare.Child("right"))
	case len(name) > 1 && name == strings.ToUpper(name) && name != strings.ToLower(name):
		v.Kind = code.Constant
	}
	was, wasOwner := p.scope, p.owner
	p.scope, p.owner = scope, owner
	v.Exported = p.exported(name)
	p.symbol(s.declare, v)
	p.scope, p.owner = was, wasOwner
}

// inClassMethod says that the receiver is the class.
func (p *python) inClassMethod() bool {
	f := p.caller()
	return f != code.None && p.file.Symbols[f].Static
}

// refine completes what is known of a variable or field.
func (p *python) refine(v *code.Symbol, typ string, value int32) {
	if v.Kind != code.Variable && v.Kind != code.Field && v.Kind != code.Constant {
		return
	}
	if v.Type == "" {
		v.Type = typ
	}
	if value > 0 && p.vague(v.Value) && !p.vague(value) {
		v.Value = value
	}
}

// vague says that a value tells nothing.
func (p *python) vague(value int32) bool {
	if value <= 0 {
		return true
	}
	e := &p.file.Exprs[value]
	return e.Kind == code.OtherExpr || e.Kind == code.ConstExpr && e.Name == "None"
}

// setMember sets an attribute: of the receiver it is a field of the class.
func (p *python) setMember(n syntax.Node, s pySource) {
	object, name := n.Child("object"), n.Child("attribute").Text()
	if object.Is("identifier") && name != "" {
		if class, ok := p.receiver(object.Text()); ok {
			scope := p.file.Symbols[class].Scope
			if s.declare.OK() && !s.item {
				p.variable(scope, class, name, s)
			}
			p.set(n, scope, name, s)
			return
		}
	}
	p.scan(object)
	path, root := pyDotted(n)
	if path == "" || p.scope < 0 {
		return
	}
	p.set(n, p.holder(p.function(), root), path, s)
}

// receiver is the class whose method takes the name as its receiver.
func (p *python) receiver(name string) (int32, bool) {
	for s := p.scope; s != code.None; s = p.file.Scopes[s].Parent {
		if r, ok := p.receivers[s]; ok && r.name == name {
			return r.class, true
		}
		if _, ok := p.known[pyName{s, name}]; ok {
			return 0, false
		}
	}
	return 0, false
}

// dotted is the text of names joined by dots, and the first of them.
func pyDotted(n syntax.Node) (path, root string) {
	switch n.Kind() {
	case "identifier":
		return n.Text(), n.Text()
	case "attribute":
		path, root = pyDotted(n.Child("object"))
		if last := n.Child("attribute").Text(); path != "" && last != "" {
			return path + "." + last, root
		}
	}
	return "", ""
}

// setItem adds an item to what a name means: a dictionary with the one key.
func (p *python) setItem(n syntax.Node, s pySource) {
	v, base := p.whole(n, s), n
	if s.declare.Is("augmented_assignment") {
		p.scan(n)
		return
	}
	if path, _ := pyDotted(n.Child("value")); path != "" && !s.item {
		p.operated(n, p.value(n.Child("value")), "__setitem__", p.other(n), v)
	}
	for base.Is("subscript") {
		key, at := "", syntax.Node{}
		for c := range base.Children {
			if c.Field() == "subscript" {
				key, at = pyKey(c), c
				if key == "" {
					p.scan(c)
				}
			}
		}
		e := blank(code.DictExpr)
		e.Keys, e.Args = []string{key}, []int32{v}
		if at.Is("slice") {
			e.Keys, e.Args = []string{""}, []int32{p.wrap(at, code.SpreadExpr, v)}
		}
		v, base = p.expr(n, e), base.Child("value")
	}
	if !base.Is("identifier", "attribute") {
		p.scan(base)
		return
	}
	p.target(base, pySource{value: v, local: s.local, item: true, at: s.at})
}

// puts notes what a call of a method puts into a list, set or dictionary.
func (p *python) puts(n, fn syntax.Node, args []int32) {
	object := fn.Child("object")
	if len(args) == 0 || !object.Is("identifier", "attribute", "subscript", "call") {
		return
	}
	e := blank(code.DictExpr)
	e.Keys = []string{""}
	switch fn.Child("attribute").Text() {
	case "append", "add", "appendleft":
		e.Args = args[:1]
	case "insert":
		e.Args = args[len(args)-1:]
	case "extend", "update":
		e.Args = []int32{p.wrap(n, code.SpreadExpr, args[0])}
	case "setdefault":
		e.Args = args[len(args)-1:]
		if k := &p.file.Exprs[max(args[0], 0)]; k.Kind == code.ConstExpr {
			e.Keys[0] = k.Text
		}
	default:
		return
	}
	switch put := (pySource{value: p.expr(n, e), item: true}); {
	case object.Is("subscript"): // d[k].append(x): d has something under k that has x
		p.setItem(object, put)
	case object.Is("call"):
		inner := object.Child("function")
		if inner.Is("attribute") && inner.Child("attribute").Text() == "setdefault" && inner.Child("object").Is("identifier", "attribute") {
			under := blank(code.DictExpr)
			under.Keys, under.Args = []string{""}, []int32{put.value}
			put.value = p.expr(n, under)
			p.target(inner.Child("object"), put)
		}
	default:
		p.target(object, put)
	}
}

// setsAttribute reads setattr(x, "name", value) as x.name = value.
func (p *python) setsAttribute(n syntax.Node, name string, args []int32) {
	if name != "setattr" || len(args) != 3 || args[0] <= 0 || args[1] <= 0 {
		return
	}
	x, key := &p.file.Exprs[args[0]], &p.file.Exprs[args[1]]
	if x.Kind != code.NameExpr || key.Kind != code.ConstExpr || key.Text == "" || strings.Contains(key.Text, ".") {
		return
	}
	s := pySource{value: args[2]}
	if class, ok := p.receiver(x.Name); ok {
		p.set(n, p.file.Symbols[class].Scope, key.Text, s)
		return
	}
	p.set(n, p.holder(p.function(), x.Name), x.Name+"."+key.Text, s)
}

// declareOuter reads global and nonlocal.
func (p *python) declareOuter(n syntax.Node) {
	scope := p.function()
	for _, c := range n.NamedChildren() {
		name := c.Text()
		to := int32(0)
		if n.Is("nonlocal_statement") {
			to = p.holder(max(p.file.Scopes[scope].Parent, 0), name)
		}
		if to == scope {
			continue // at the top of the file it says nothing
		}
		p.outer[pyName{scope, name}] = to
		p.bindIn(scope, code.Binding{Name: name, Kind: code.Outer, Ref: to, Value: code.None, At: c.Start()})
	}
}
