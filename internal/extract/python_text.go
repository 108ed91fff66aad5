package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// pyMarker says that a decorator changes how a method is reached and not what it
// is: nobody thinks of it as a call.
func pyMarker(n syntax.Node) bool {
	switch n.Kind() {
	case "identifier":
		switch n.Text() {
		case "staticmethod", "classmethod", "property":
			return true
		}
	case "attribute":
		switch n.Child("attribute").Text() {
		case "setter", "getter", "deleter":
			return true
		}
	}
	return false
}

func pyDecorator(d syntax.Node) syntax.Node {
	for c := range d.Children {
		if c.Named() && !c.Is("comment") {
			return c
		}
	}
	return syntax.Node{}
}

// pyClassKind tells enums and protocols from classes.
func pyClassKind(bases syntax.Node) code.Kind {
	for c := range bases.Children {
		if c.Is("subscript") {
			c = c.Child("value")
		}
		switch pyLast(c) {
		case "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum":
			return code.Enum
		case "Protocol":
			return code.Interface
		}
	}
	return code.Class
}

func pyFirst(n syntax.Node) syntax.Node {
	for c := range n.Children {
		if c.Named() {
			return c
		}
	}
	return syntax.Node{}
}

// pyTypeParams lists the names of generic parameters.
func pyTypeParams(n syntax.Node) []string {
	var out []string
	for c := range n.Child("type_parameters").Children {
		id := c
		for id.OK() && !id.Is("identifier") {
			id = pyFirst(id)
		}
		if id.OK() {
			out = append(out, id.Text())
		}
	}
	return out
}

// annotation is the text of a type, without the quotes of one that is written
// as a string.
func pyType(n syntax.Node) string {
	if !n.OK() {
		return ""
	}
	text := squash(n.Text())
	if len(text) > 1 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		text = text[1 : len(text)-1]
	}
	return clip(text, maxText)
}

// docstring is the string that a body begins with.
func pyDoc(body syntax.Node) string {
	for c := range body.Children {
		if c.Is("comment") {
			continue
		}
		s := pyFirst(c)
		if !c.Is("expression_statement") || !s.Is("string") {
			return ""
		}
		var lines []string
		text, _ := pyText(s)
		for line := range strings.Lines(text) {
			lines = append(lines, strings.TrimSpace(line))
		}
		return strings.TrimSpace(strings.Join(lines, "\n"))
	}
	return ""
}

// pyEmpty says that a body does nothing.
func pyEmpty(body syntax.Node) bool {
	for c := range body.Children {
		switch {
		case c.Is("comment", "pass_statement"):
		case c.Is("expression_statement") && pyFirst(c).Is("string", "ellipsis"):
		default:
			return false
		}
	}
	return true
}

// pyUnimplemented says that a body only says that others have it.
func pyUnimplemented(body syntax.Node) bool {
	only := false
	for c := range body.Children {
		switch {
		case c.Is("comment"), c.Is("expression_statement") && pyFirst(c).Is("string"):
		case c.Is("raise_statement") && pyLast(pyFirst(c)) == "NotImplementedError":
			only = true
		default:
			return false
		}
	}
	return only
}

// pyLast is the last name of a dotted expression or of the call of one.
func pyLast(n syntax.Node) string {
	switch {
	case n.Is("identifier"):
		return n.Text()
	case n.Is("attribute"):
		return n.Child("attribute").Text()
	case n.Is("call"):
		return pyLast(n.Child("function"))
	}
	return ""
}
