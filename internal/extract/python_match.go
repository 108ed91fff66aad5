package extract

import (
	"chitta/internal/code"
	"chitta/internal/syntax"
)

// pyIterates are names of what gives something built in to go over.
var pyIterates = map[string]bool{
	"range": true, "enumerate": true, "zip": true, "sorted": true, "reversed": true, "map": true, "filter": true, "items": true,
	"keys": true, "values": true, "list": true, "tuple": true, "set": true, "dict": true, "split": true, "splitlines": true, "iter": true,
}

// iterates notes the calls that going over a value makes, unless it is plainly
// something built in.
func (p *python) iterates(n syntax.Node, over int32) {
	if over <= 0 {
		return
	}
	switch e := &p.file.Exprs[over]; e.Kind {
	case code.ListExpr, code.DictExpr, code.TupleExpr, code.ConstExpr, code.OtherExpr:
		return
	case code.CallExpr:
		if pyIterates[e.Name] {
			return
		}
	}
	iter, next := "__iter__", "__next__"
	if n.Has("async") {
		iter, next = "__aiter__", "__anext__"
	}
	p.implicit(n, p.implicit(n, over, iter), next)
}

// implicit notes a call of a method that the text does not name.
func (p *python) implicit(n syntax.Node, x int32, name string) int32 {
	return p.call(n, code.MemberCall, p.member(n, x, name), name, syntax.Node{}, nil, nil)
}

// with reads `with x as y`: y is what x's __enter__ gives.
func (p *python) with(n syntax.Node) {
	enter, exit := "__enter__", "__exit__"
	if n.Has("async") {
		enter, exit = "__aenter__", "__aexit__"
	}
	var open []int32
	for c := range n.Children {
		if !c.Is("with_clause") {
			continue
		}
		for item := range c.Children {
			what, alias := item.Child("value"), syntax.Node{}
			if what.Is("as_pattern") {
				what, alias = pyFirst(what), what.Child("alias")
			}
			v := p.value(what)
			if v == code.None {
				continue
			}
			open = append(open, v)
			given := p.implicit(item, v, enter)
			if n.Has("async") {
				given = p.wrap(item, code.AwaitExpr, given)
			}
			p.target(alias, pySource{value: given})
		}
	}
	p.inside(n)
	for i := len(open) - 1; i >= 0; i-- {
		p.implicit(n, open[i], exit)
	}
}

// except reads a handler; the name it gives holds an instance of the class, or
// of one of the classes.
func (p *python) except(n syntax.Node) {
	for c := range n.Children {
		switch {
		case c.Is("as_pattern"):
			class := pyFirst(c)
			v := p.wrap(class, code.NewExpr, p.value(class))
			if classes := pyClasses(class); len(classes) > 0 {
				v = p.typed(class, classes, code.None)
			}
			p.surely(func() { p.target(c.Child("alias"), pySource{value: v}) })
		case c.Is("block"):
			p.statements(c)
		default:
			p.scan(c)
		}
	}
}

func (p *python) match(n syntax.Node) {
	subject, several := code.None, blank(code.TupleExpr)
	of := "" // the name that is matched
	for c := range n.Children {
		switch {
		case c.Field() == "subject":
			subject = p.value(c)
			if of = ""; c.Is("identifier") && len(several.Args) == 0 {
				of = c.Text()
			}
			if several.Args = append(several.Args, subject); len(several.Args) > 1 {
				subject = p.expr(n, several)
			}
		case c.Is("block"):
			for clause := range c.Children {
				if clause.Is("case_clause") {
					p.caseClause(clause, subject, of)
				} else {
					p.statement(clause)
				}
			}
		}
	}
}

func (p *python) caseClause(n syntax.Node, subject int32, of string) {
	var checks []pyCheck
	for c := range n.Children {
		switch {
		case c.Is("case_pattern"):
			if class := c.First("class_pattern").First("dotted_name"); of != "" && class.OK() {
				checks = append(checks, pyCheck{of, []syntax.Node{class}})
			}
			p.surely(func() { p.pattern(c, subject) })
		case c.Is("block"):
			p.narrowed(checks, c, func() { p.statements(c) })
		default:
			p.scan(c)
		}
	}
}

// pattern binds the names of a pattern to what of the value they stand for.
func (p *python) pattern(n syntax.Node, v int32) {
	switch n.Kind() {
	case "case_pattern":
		for c := range n.Children {
			p.pattern(c, v)
		}
	case "dotted_name":
		if id := pyFirst(n); id.OK() && id.End() == n.End() { // a longer name is a constant
			p.target(id, pySource{value: v})
		}
	case "as_pattern":
		p.asPattern(n, v)
	case "class_pattern":
		p.classPattern(n, v)
	case "keyword_pattern":
		parts := n.NamedChildren()
		if len(parts) == 2 {
			p.pattern(parts[1], p.member(n, v, parts[0].Text()))
		}
	case "list_pattern", "tuple_pattern":
		p.sequencePattern(n, v)
	case "dict_pattern":
		key := ""
		for c := range n.Children {
			switch {
			case c.Field() == "key":
				key = pyKey(c)
			case c.Field() == "value":
				e := blank(code.IndexExpr)
				e.X, e.Name = v, key
				p.pattern(c, p.expr(c, e))
			case c.Is("splat_pattern"):
				p.target(pyFirst(c), pySource{value: v})
			}
		}
	case "union_pattern":
		for c := range n.Children {
			p.pattern(c, v)
		}
	case "splat_pattern":
		p.target(pyFirst(n), pySource{value: p.listOf(n, v)})
	default:
		p.scan(n)
	}
}

// asPattern binds what a pattern fits; a class pattern tells its class.
func (p *python) asPattern(n syntax.Node, v int32) {
	for c := range n.Children {
		switch {
		case c.Is("identifier"):
			p.target(c, pySource{value: v})
		case c.Is("case_pattern"):
			p.pattern(c, v)
			if class := c.First("class_pattern").First("dotted_name"); class.OK() {
				v = p.typed(n, []syntax.Node{class}, v)
			}
		default:
			p.pattern(c, v)
		}
	}
}

func (p *python) classPattern(n syntax.Node, v int32) {
	for c := range n.Children {
		if !c.Is("case_pattern") {
			continue
		}
		if c.Has("keyword_pattern") {
			p.pattern(c, v)
		} else {
			p.pattern(c, p.other(c)) // which attribute it is, the class says
		}
	}
}

func (p *python) sequencePattern(n syntax.Node, v int32) {
	for i, c := range n.NamedChildren() {
		if c.Has("splat_pattern") || c.Is("splat_pattern") {
			p.pattern(c, v)
			continue
		}
		p.pattern(c, p.index(c, v, i))
	}
}
