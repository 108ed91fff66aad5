package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// parseGoType takes a Go type apart.
func parseGoType(text string) typeNode {
	p := &goTypeParser{typeParser{text: text}}
	n := p.union()
	return n
}

type goTypeParser struct{ typeParser }

// union reads A | B, which only constraints have.
func (p *goTypeParser) union() typeNode {
	first := p.goType()
	alts := []typeNode{first}
	for p.skip(); p.take("|"); p.skip() {
		alts = append(alts, p.goType())
	}
	if len(alts) == 1 {
		return first
	}
	return typeNode{args: alts}
}

func (p *goTypeParser) goType() typeNode {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxTypeDepth {
		p.at = len(p.text)
		return typeNode{name: "?"}
	}
	p.skip()
	switch {
	case p.at >= len(p.text):
		return typeNode{name: "?"}
	case p.take("*"), p.take("~"), p.take("..."):
		return p.goType()
	case p.take("<-"):
		return p.goType() // <-chan T
	case p.word("chan"):
		p.skip()
		p.take("<-")
		return typeNode{name: listKey, args: []typeNode{p.goType()}}
	case p.word("func"):
		return p.goFunc()
	case p.word("map"):
		p.skip()
		p.take("[")
		key := p.goType()
		p.skip()
		p.take("]")
		return typeNode{name: mapKey, args: []typeNode{key, p.goType()}}
	case p.word("struct"), p.word("interface"):
		p.skip()
		p.block()
		return typeNode{name: "{}"}
	case p.take("["):
		p.bracket()
		return typeNode{name: listKey, args: []typeNode{p.goType()}}
	case p.take("("):
		args := p.goList(')')
		if len(args) == 1 {
			return args[0]
		}
		return typeNode{name: tupleKey, args: args}
	}
	return p.goName()
}

// bracket skips the length of an array.
func (p *goTypeParser) bracket() {
	for depth := 1; p.at < len(p.text) && depth > 0; p.at++ {
		switch p.text[p.at] {
		case '[':
			depth++
		case ']':
			depth--
		}
	}
}

// goFunc keeps the results of a function type.
func (p *goTypeParser) goFunc() typeNode {
	p.skip()
	if p.take("(") {
		p.goList(')')
	}
	p.skip()
	if p.at >= len(p.text) || strings.IndexByte(",)]}|", p.peek()) >= 0 {
		return typeNode{name: funcKey}
	}
	return typeNode{name: funcKey, args: []typeNode{p.goType()}}
}

func (p *goTypeParser) goName() typeNode {
	n := typeNode{}
	for {
		n.name += p.ident()
		if !p.take(".") {
			break
		}
		n.name += "."
	}
	if n.name == "" {
		p.at++ // a sign that no type has
		return typeNode{name: "?"}
	}
	if p.take("[") {
		n.args = p.goList(']')
	}
	return n
}

// goList reads types up to the closing sign; parameters may have names before
// them.
func (p *goTypeParser) goList(end byte) []typeNode {
	var out []typeNode
	for p.at < len(p.text) {
		p.skip()
		if p.at >= len(p.text) {
			break
		}
		if p.peek() == end {
			p.at++
			return out
		}
		if p.take(",") {
			continue
		}
		start := p.at
		n := p.union()
		p.skip()
		if p.at < len(p.text) && p.peek() != ',' && p.peek() != end {
			n = p.union() // name T
		}
		out = append(out, n)
		if p.at == start {
			p.at++
		}
	}
	return out
}

// goSatisfies lists the types that have all methods of an interface. They are
// looked for among the types that have the rarest of them, and those that embed
// such a type.
func goSatisfies(r *run, key string) []string {
	methods := r.interfaceMethods(key)
	if len(methods) == 0 {
		return nil
	}
	rarest := slices.MinFunc(methods, func(a, b id) int {
		return len(r.p.byName[a.sym().Name]) - len(r.p.byName[b.sym().Name])
	})
	var out []string
	try := func(k string) {
		if k == key || slices.Contains(out, k) {
			return
		}
		for _, m := range methods {
			if !r.hasMethod(k, m) {
				return
			}
		}
		out = append(out, k)
	}
	for _, s := range r.p.byName[rarest.sym().Name] {
		if s.f.family != "go" || s.sym().Owner == "" {
			continue
		}
		owner := parentKey(s.f.keys[s.i])
		try(owner)
		for _, k := range r.below(owner) {
			try(k)
		}
	}
	return out
}

// interfaceMethods lists what an interface asks for, with what it embeds.
func (r *run) interfaceMethods(key string) []id {
	var out []id
	for _, k := range r.linear(key) {
		for _, s := range r.p.symbols[k] {
			sym := s.sym()
			if sym.Kind != code.Interface || sym.Scope == code.None {
				continue
			}
			for _, b := range s.f.Scopes[sym.Scope].Bindings {
				if b.Kind == code.Defines && s.f.Symbols[b.Ref].Kind == code.Method {
					out = append(out, id{s.f, b.Ref})
				}
			}
		}
	}
	return out
}

// hasMethod says that a type has a method like the one of an interface: of its
// name, with as many parameters and results. One that is not exported is seen
// in its own package only.
func (r *run) hasMethod(key string, want id) bool {
	w := want.sym()
	for _, s := range r.member(key, w.Name) {
		m := s.sym()
		if m.Kind != code.Method || !w.Exported && s.f.unit != want.f.unit {
			continue
		}
		if s == want {
			return true // embedded: the interface itself
		}
		if len(m.Params) == len(w.Params) && sameTypes(r, s, want) {
			return true
		}
	}
	return false
}

// sameTypes compares the types of two methods by the last names in them, which
// stay the same across packages.
func sameTypes(r *run, a, b id) bool {
	x, y := a.sym(), b.sym()
	if len(x.TypeParams) > 0 || len(y.TypeParams) > 0 || r.genericOwner(b) {
		return resultCount(x.Returns) == resultCount(y.Returns)
	}
	if !sameType(r.parsed(a.f, x.Returns), r.parsed(b.f, y.Returns)) && (x.Returns != "" || y.Returns != "") {
		return false
	}
	for i := range x.Params {
		if x.Params[i].Variadic != y.Params[i].Variadic || !sameType(r.parsed(a.f, x.Params[i].Type), r.parsed(b.f, y.Params[i].Type)) {
			return false
		}
	}
	return true
}

// genericOwner says that the type around a method has generic names.
func (r *run) genericOwner(s id) bool {
	p := s.sym().Parent
	return p != code.None && len(s.f.Symbols[p].TypeParams) > 0
}

func sameType(a, b typeNode) bool {
	if goSynonym(lastName(a.name)) != goSynonym(lastName(b.name)) || len(a.args) != len(b.args) {
		return false
	}
	for i := range a.args {
		if !sameType(a.args[i], b.args[i]) {
			return false
		}
	}
	return true
}

// goSynonym is the one name of types that have two.
func goSynonym(name string) string {
	switch name {
	case "byte":
		return "uint8"
	case "rune":
		return "int32"
	case "any":
		return "{}"
	}
	return name
}

func resultCount(text string) int {
	if text == "" {
		return 0
	}
	if n := parseGoType(text); n.name == tupleKey {
		return len(n.args)
	}
	return 1
}
