package extract

import (
	"bytes"
	"slices"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// leading gathers the comments that stand right before a declaration: on lines of
// their own, without an empty line between them and it.
type leading struct {
	comments []syntax.Node
	last     int // line on which the last of them ends
	code     int // line on which the code before them ends
}

// add notes a comment. One that follows code on the same line is about that.
func (l *leading) add(c syntax.Node) {
	line := c.Line()
	if line == l.code {
		return
	}
	if len(l.comments) > 0 && line > l.last+1 {
		l.comments = l.comments[:0]
	}
	l.comments = append(l.comments, c)
	l.last = c.EndLine()
}

// before is the text of the comments that belong to n, without lines for tools.
func (l *leading) before(n syntax.Node) string {
	if len(l.comments) == 0 || n.Line() > l.last+1 {
		return ""
	}
	var kept []syntax.Node
	for _, c := range l.comments {
		if !forTools(c.Bytes()) {
			kept = append(kept, c)
		}
	}
	return docBefore(kept)
}

// toolMarks begin comments that say something to tools and nothing to people,
// after the "#" and spaces.
var toolMarks = []string{"!", "-*-", "type:", "noqa", "pylint:", "fmt:", "pragma:", "noinspection", "rubocop:", "frozen_string_literal:"}

// forTools reports whether a comment is for tools.
func forTools(comment []byte) bool {
	if bytes.HasPrefix(comment, []byte("//go:")) {
		return true
	}
	rest, ok := bytes.CutPrefix(comment, []byte("#"))
	if !ok {
		return false
	}
	rest = bytes.TrimSpace(rest)
	return slices.ContainsFunc(toolMarks, func(mark string) bool { return bytes.HasPrefix(rest, []byte(mark)) })
}

// pass notes that code stands here: what came before belongs to it.
func (l *leading) pass(n syntax.Node) {
	l.comments, l.code = l.comments[:0], n.EndLine()
}

// localNames says which open scope of a function declares a name last, and as
// what.
type localNames struct {
	declared map[string][]localName
	names    []string
}

type localName struct {
	scope int32
	typ   string
}

func (l *localNames) add(scope int32, name, typ string) {
	if scope == 0 {
		return // the file's own names are found without it
	}
	if l.declared == nil {
		l.declared = map[string][]localName{}
	}
	l.declared[name] = append(l.declared[name], localName{scope, typ})
	l.names = append(l.names, name)
}

// find is where a name is declared; scope 0 for the file or elsewhere.
func (l *localNames) find(name string) localName {
	if s := l.declared[name]; len(s) > 0 {
		return s[len(s)-1]
	}
	return localName{}
}

// has says that a function declares the name.
func (l *localNames) has(name string) bool { return len(l.declared[name]) > 0 }

func (l *localNames) mark() int { return len(l.names) }

// release forgets the names that were declared since the mark.
func (l *localNames) release(mark int) {
	for _, name := range l.names[mark:] {
		s := l.declared[name]
		l.declared[name] = s[:len(s)-1]
	}
	l.names = l.names[:mark]
}

// assignTo binds a value to a place that is assigned to: name is its text, root
// the first name in it. A variable of a function keeps its declared type, and
// what it held before may still hold unless the value is plain and stands in the
// same scope. Other places are bound by their text, from the file's scope where
// they begin with a name of the package (".x"): what they are a part of only the
// resolver can tell.
func (b *builder) assignTo(names *localNames, name, root string, binding code.Binding) {
	d := names.find(root)
	binding.Name, binding.Kind, binding.Ref = name, code.Assigned, code.None
	switch {
	case name != root:
		b.bind(binding)
	case d.scope == 0:
		binding.Name = "." + name
		b.bindIn(0, binding)
	default:
		binding.Type = d.typ
		binding.Maybe = d.scope != b.scope || !b.plain(binding.Value)
		b.bindIn(d.scope, binding)
	}
}

// plain says that an expression is what it says by itself.
func (b *builder) plain(i int32) bool {
	for i > 0 {
		switch e := &b.file.Exprs[i]; e.Kind {
		case code.FuncExpr, code.TypedExpr, code.NameExpr:
			return true
		case code.DerefExpr:
			i = e.X
		default:
			return false
		}
	}
	return false
}

// telling says that a value can tell what something is or what it calls.
func (b *builder) telling(value int32) bool {
	if value <= 0 {
		return false
	}
	switch b.file.Exprs[value].Kind {
	case code.OtherExpr, code.ConstExpr:
		return false
	}
	return true
}
