package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// class reads a class, struct or union with its members. One without a name has
// that of its typedef; without that its members are those of what encloses it.
func (w *cppWalker) class(n syntax.Node, o cppOuter, typedef string) {
	body, path := n.Child("body"), cppPath(n.Child("name"))
	if len(path) == 0 && typedef != "" {
		path = []string{typedef}
	}
	if !body.OK() {
		if len(path) > 0 {
			w.types[path[len(path)-1]] = true
		}
		return
	}
	if len(path) == 0 {
		w.items(body)
		return
	}
	kind := code.Struct
	if n.Is("class_specifier") {
		kind = code.Class
	}
	w.members(n, o, kind, path, body, func(i int32) {
		for b := range n.First("base_class_clause").Children {
			w.base(i, b)
		}
	})
}

// macroClass reads a class that a macro before its name hides from the grammar.
// Its bases then stand among what fits no rule.
func (w *cppWalker) macroClass(n syntax.Node, name string, o cppOuter) {
	kind := code.Struct
	if n.Child("type").Is("class_specifier") {
		kind = code.Class
	}
	w.members(n, o, kind, []string{name}, n.Child("body"), func(i int32) {
		for c := range n.First("ERROR").Children {
			if c.Named() && c.Text() != "final" {
				w.base(i, c)
			}
		}
	})
}

func (w *cppWalker) members(n syntax.Node, o cppOuter, kind code.Kind, path []string, body syntax.Node, bases func(int32)) {
	name := path[len(path)-1]
	s := code.Symbol{
		Name: name, Kind: kind, Doc: o.doc, TypeParams: o.params, Value: code.None,
		Exported: w.visible(), Signature: w.titled(o.node, body, name), Owner: strings.Join(path[:len(path)-1], "::"),
	}
	if s.Owner != "" {
		s.Path = strings.Join(path, ".")
		if w.owner != code.None {
			s.Path = w.file.Symbols[w.owner].Path + "." + s.Path
		}
	}
	w.types[name] = true
	i := w.define(o.node, s)
	w.classes[name] = i
	bases(i)
	w.data[name] = w.dataMembers(body)
	w.within(i, code.ClassScope, func() { w.items(body) })
}

// titled is the text before a type's body, with the name that follows the body
// of a typedef.
func (w *cppWalker) titled(n, body syntax.Node, name string) string {
	text := w.textTo(n, body)
	if n.Is("type_definition") && !strings.HasSuffix(text, " "+name) {
		text += " " + name
	}
	return text
}

// dataMembers are the names and types of a class's fields, which its functions
// use before they are declared.
func (w *cppWalker) dataMembers(body syntax.Node) map[string]string {
	out := map[string]string{}
	for f := range body.Children {
		if !f.Is("field_declaration", "declaration") {
			continue
		}
		for c := range f.Children {
			if c.Field() != "declarator" {
				continue
			}
			if d := cppName(c); d.name.OK() && !d.fn.OK() {
				out[d.name.Text()] = d.typed(w, f)
			}
		}
	}
	return out
}

// cppName takes a declarator apart and reads nothing.
func cppName(n syntax.Node) cppDeclarator {
	var quiet *cppWalker
	return quiet.declarator(n)
}

func (w *cppWalker) base(class int32, n syntax.Node) {
	path := cppPath(n)
	if !n.Named() || n.Is("access_specifier", "comment", "attribute_declaration") || len(path) == 0 {
		return
	}
	w.file.Inherits = append(w.file.Inherits, code.Inherit{
		Symbol: class, Base: strings.Join(path, "::"), Expr: w.typeExpr(n), Kind: code.Extends, Line: n.Line(),
	})
}

// field reads a field of a class.
func (w *cppWalker) field(n syntax.Node, d cppDeclarator, o cppOuter) {
	if !d.name.Is("field_identifier", "identifier") || d.name.Text() == "" {
		return
	}
	value := code.None
	if d.value.OK() {
		value = w.initial(n, d)
	}
	name := d.name.Text()
	if early, ok := w.early[cppVar{w.owner, name}]; ok && value == code.None {
		value = early
	}
	i := w.define(n, code.Symbol{
		Name: name, Kind: code.Field, Doc: o.doc, Type: d.typed(w, n), Value: value, Exported: w.visible(),
		Static: cppHas(n, "static"), Signature: w.textTo(n, d.value),
	})
	w.fields[cppVar{w.owner, name}] = i
}

// setField notes the value that a field of the class is set to, if it is the
// first and the class is in this file.
func (w *cppWalker) setField(class, name string, value int32) bool {
	c, ok := w.classes[class]
	if !ok {
		return false
	}
	says := value > 0 && w.file.Exprs[value].Kind != code.OtherExpr
	f, ok := w.fields[cppVar{c, name}]
	if !ok { // it is declared further down
		_, early := w.early[cppVar{c, name}]
		if _, ok = w.data[class][name]; ok && says && !early {
			w.early[cppVar{c, name}] = value
		}
		return ok
	}
	if s := &w.file.Symbols[f]; s.Value == code.None && says {
		s.Value = value
	}
	return true
}

// enum reads an enumeration. The members of one without class are also names of
// what encloses it.
func (w *cppWalker) enum(n syntax.Node, o cppOuter, typedef string) {
	body, path := n.Child("body"), cppPath(n.Child("name"))
	name := typedef
	if len(path) > 0 {
		name = path[len(path)-1]
	}
	if name != "" {
		w.types[name] = true
	}
	if !body.OK() {
		return
	}
	exported := w.visible()
	members := func(around int32) {
		var lead leading
		for c := range body.Children {
			if c.Is("comment") {
				lead.add(c)
				continue
			}
			doc := docOf(&lead, c)
			m := c.Child("name").Text()
			if !c.Is("enumerator") || m == "" {
				continue
			}
			value := code.None
			if v := c.Child("value"); v.OK() {
				value = w.expr(v)
			}
			i := w.define(c, code.Symbol{Name: m, Kind: code.EnumMember, Doc: doc, Value: value, Exported: exported, Static: true, Type: name})
			if around != code.None {
				w.bindIn(around, code.Binding{Name: m, Kind: code.Defines, Ref: i, Value: code.None, At: c.Start()})
			}
		}
	}
	if name == "" {
		members(code.None)
		return
	}
	around := w.scope
	if n.Has("class") || n.Has("struct") {
		around = code.None
	}
	i := w.define(o.node, code.Symbol{Name: name, Kind: code.Enum, Doc: o.doc, Value: code.None, Exported: exported, Signature: w.titled(o.node, body, name)})
	w.within(i, code.ClassScope, func() { members(around) })
}

// typedef reads the names that stand for a type.
func (w *cppWalker) typedef(n syntax.Node, o cppOuter) {
	t := n.Child("type")
	first := ""
	for c := range n.Children {
		if d := w.declarator(c); c.Field() == "declarator" && d.suffix == "" && d.name.OK() && !d.fn.OK() && !d.pointer.OK() {
			first = d.name.Text()
			break
		}
	}
	taken := ""
	if t.Child("body").OK() {
		if !t.Child("name").OK() {
			taken = first
		}
		if t.Is("enum_specifier") {
			w.enum(t, cppOuter{node: n, doc: o.doc}, taken)
		} else {
			w.class(t, cppOuter{node: n, doc: o.doc}, taken)
		}
	}
	for c := range n.Children {
		if c.Field() != "declarator" {
			continue
		}
		d := w.declarator(c)
		name := d.name.Text()
		if name == "" || name == taken || name == cppType(t) {
			continue
		}
		typ := d.typed(w, n)
		if taken != "" {
			typ = taken + d.suffix
		}
		if d.fn.OK() {
			typ += squash(d.fn.Child("parameters").Text())
		}
		w.alias(n, name, typ, o)
	}
}

func (w *cppWalker) alias(n syntax.Node, name, typ string, o cppOuter) {
	if name == "" {
		return
	}
	w.types[name] = true
	w.define(o.node, code.Symbol{
		Name: name, Kind: code.TypeAlias, Type: typ, Doc: o.doc, TypeParams: o.params, Value: code.None,
		Exported: w.visible(), Signature: w.textTo(n, syntax.Node{}),
	})
}
