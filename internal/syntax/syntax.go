// Package syntax turns source text into a tree of nodes, in nine languages.
//
// The parsers are tree-sitter's, written in C. One call goes over for one file
// and brings back the whole tree as a flat array, so that everything above this
// package is plain Go: walking a tree costs no crossing, a node cannot outlive
// what it points to, and nothing has to be closed. A build without cgo has no
// parsers and says so ([Available]).
package syntax

import (
	"bytes"
	"errors"
	"path"
	"sort"
	"strings"
)

// Lang is a language, by the name that answers show.
type Lang string

// The languages. TSX is TypeScript with another grammar: its facts are those of
// TypeScript.
const (
	CPP        Lang = "cpp"
	CSharp     Lang = "csharp"
	Go         Lang = "go"
	Java       Lang = "java"
	JavaScript Lang = "javascript"
	Python     Lang = "python"
	Ruby       Lang = "ruby"
	Rust       Lang = "rust"
	TypeScript Lang = "typescript"
	TSX        Lang = "tsx"
)

// Langs lists every language.
func Langs() []Lang {
	return []Lang{CPP, CSharp, Go, Java, JavaScript, Python, Ruby, Rust, TypeScript, TSX}
}

var extensions = map[string]Lang{
	".c": CPP, ".cc": CPP, ".cpp": CPP, ".cxx": CPP, ".c++": CPP,
	".h": CPP, ".hh": CPP, ".hpp": CPP, ".hxx": CPP, ".h++": CPP, ".ipp": CPP, ".inl": CPP,
	".cs": CSharp, ".go": Go, ".java": Java,
	".js": JavaScript, ".jsx": JavaScript, ".mjs": JavaScript, ".cjs": JavaScript,
	".py": Python, ".pyi": Python, ".rb": Ruby, ".rake": Ruby, ".gemspec": Ruby, ".rs": Rust,
	".ts": TypeScript, ".mts": TypeScript, ".cts": TypeScript, ".tsx": TSX,
}

// LangOf names the language of a file by its name, or "".
func LangOf(name string) Lang {
	switch base := path.Base(name); base {
	case "Rakefile", "Gemfile":
		return Ruby
	}
	return extensions[strings.ToLower(path.Ext(name))]
}

// Errors of [Parser.Parse].
var (
	// ErrOff is returned by a build that has no parsers.
	ErrOff = errors.New("this build has no parsers (it was compiled without cgo)")
	// ErrTimeout is returned for a text that takes longer than the limit.
	ErrTimeout = errors.New("parsing took too long")
	// ErrMemory is returned when there is no memory for the tree.
	ErrMemory = errors.New("no memory for the syntax tree")
)

const (
	named   = 1 << iota // a rule of the grammar, not a bare token
	missing             // put in by the parser to go on
	failed              // text that fits no rule
)

// node must have the layout of chitta_node in flatten.h.
type node struct {
	kind, field     uint16
	start, end      uint32
	row, next, flag uint32
}

// Tree is a parsed text. It is plain memory.
type Tree struct {
	Lang Lang
	Src  []byte
	// Cut says that nodes nested too deeply were left out.
	Cut bool

	nodes  []node
	kinds  []string
	fields []string
	lines  []uint32 // start of each line
}

// Root is the node of the whole text.
func (t *Tree) Root() Node {
	if len(t.nodes) == 0 {
		return Node{}
	}
	return Node{t, 0}
}

// Len is how many nodes there are.
func (t *Tree) Len() int { return len(t.nodes) }

// Line is the line of a byte, from 1.
func (t *Tree) Line(at uint32) int {
	if t.lines == nil {
		t.lines = append(make([]uint32, 0, bytes.Count(t.Src, []byte{'\n'})+1), 0)
		for at := 0; ; {
			end := bytes.IndexByte(t.Src[at:], '\n')
			if end < 0 {
				break
			}
			at += end + 1
			t.lines = append(t.lines, uint32(at))
		}
	}
	return sort.Search(len(t.lines), func(i int) bool { return t.lines[i] > at })
}

// Errors lists the lines where text fits no rule or a token is missing, at most
// max of them, and how many there are.
func (t *Tree) Errors(max int) (lines []int, count int) {
	for i := range t.nodes {
		if t.nodes[i].flag&(missing|failed) == 0 {
			continue
		}
		if count++; len(lines) < max {
			lines = append(lines, int(t.nodes[i].row)+1)
		}
	}
	return lines, count
}

// Node is a place in a tree. The zero Node is no node: its kind and text are
// empty, it has no children, and so a chain of questions needs no checks.
type Node struct {
	t *Tree
	i uint32
}

// OK says that there is a node.
func (n Node) OK() bool { return n.t != nil }

// Is says that the node is of one of these kinds.
func (n Node) Is(kinds ...string) bool {
	k := n.Kind()
	for _, want := range kinds {
		if k == want {
			return true
		}
	}
	return false
}

// Kind is the name of the node's rule or token, "ERROR" for what fits none.
func (n Node) Kind() string {
	if n.t == nil {
		return ""
	}
	k := n.t.nodes[n.i].kind
	if int(k) >= len(n.t.kinds) {
		return "ERROR"
	}
	return n.t.kinds[k]
}

// KindNumber is the number of the node's kind in its language, for tables: the
// same number is the same kind in every tree of one language.
func (n Node) KindNumber() int {
	if n.t == nil {
		return 0
	}
	return int(n.t.nodes[n.i].kind)
}

// Field is the name under which its parent holds the node, or "".
func (n Node) Field() string {
	if n.t == nil {
		return ""
	}
	return n.t.fields[n.t.nodes[n.i].field]
}

// Named says that the node is a rule, not a bare token.
func (n Node) Named() bool { return n.t != nil && n.t.nodes[n.i].flag&named != 0 }

// Start is the first byte of the node.
func (n Node) Start() uint32 {
	if n.t == nil {
		return 0
	}
	return n.t.nodes[n.i].start
}

// End is the byte after the node.
func (n Node) End() uint32 {
	if n.t == nil {
		return 0
	}
	return n.t.nodes[n.i].end
}

// Line is the line on which the node begins, from 1.
func (n Node) Line() int {
	if n.t == nil {
		return 0
	}
	return int(n.t.nodes[n.i].row) + 1
}

// EndLine is the line on which the node ends, from 1.
func (n Node) EndLine() int {
	if n.t == nil {
		return 0
	}
	if n.End() > n.Start() {
		return n.t.Line(n.End() - 1)
	}
	return n.Line()
}

// Text is the text of the node.
func (n Node) Text() string {
	if n.t == nil {
		return ""
	}
	return string(n.Bytes())
}

// Bytes is the text of the node, not to be changed.
func (n Node) Bytes() []byte {
	if n.t == nil {
		return nil
	}
	return n.t.Src[n.Start():n.End()]
}

// Children goes over the nodes directly below: rules, tokens that are words, and
// tokens that stand in a field. Other tokens (brackets, commas) are not kept.
func (n Node) Children(yield func(Node) bool) {
	if n.t == nil {
		return
	}
	for i := n.i + 1; i < n.t.nodes[n.i].next; i = n.t.nodes[i].next {
		if !yield(Node{n.t, i}) {
			return
		}
	}
}

// NamedChildren lists the rules directly below, without comments.
func (n Node) NamedChildren() []Node {
	var out []Node
	for c := range n.Children {
		if c.Named() && !strings.HasSuffix(c.Kind(), "comment") {
			out = append(out, c)
		}
	}
	return out
}

// Child is the first node directly below in the field, or no node.
func (n Node) Child(field string) Node {
	for c := range n.Children {
		if c.Field() == field {
			return c
		}
	}
	return Node{}
}

// First is the first node directly below of one of these kinds, or no node.
func (n Node) First(kinds ...string) Node {
	for c := range n.Children {
		if c.Is(kinds...) {
			return c
		}
	}
	return Node{}
}

// Has says that a node of the kind is directly below.
func (n Node) Has(kind string) bool { return n.First(kind).OK() }

// All goes over every node below, in the order of the text.
func (n Node) All(yield func(Node) bool) {
	if n.t == nil {
		return
	}
	for i := n.i + 1; i < n.t.nodes[n.i].next; i++ {
		if !yield(Node{n.t, i}) {
			return
		}
	}
}

// maxBefore is how large a node may be that [Node.Previous] finds: those that
// matter are short.
const maxBefore = 256

// Previous is the node before this one below the same parent, or no node if there
// is none or it is large.
func (n Node) Previous() Node {
	if n.t == nil {
		return Node{}
	}
	found := Node{}
	for i := n.i; i > 0 && n.i-i < maxBefore; {
		i--
		switch next := n.t.nodes[i].next; {
		case next > n.i:
			return found // a node around this one
		case next == n.i:
			found = Node{n.t, i}
		}
	}
	return Node{}
}

// String draws the tree for tests and for people.
func (n Node) String() string {
	var b strings.Builder
	n.draw(&b)
	return b.String()
}

func (n Node) draw(b *strings.Builder) {
	if f := n.Field(); f != "" {
		b.WriteString(f + ": ")
	}
	b.WriteString("(" + n.Kind())
	leaf := true
	for c := range n.Children {
		leaf = false
		b.WriteByte(' ')
		c.draw(b)
	}
	if leaf && n.Named() {
		b.WriteString(" " + strings.ReplaceAll(n.Text(), "\n", "⏎"))
	}
	b.WriteByte(')')
}
