package extract

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"chitta/internal/syntax"
)

// bodyHash is the hash of what a node says: its words, without comments and
// without the name that it gives. It stays the same when code is reformatted,
// commented, moved or renamed. Blank space counts where it has a meaning: within
// texts, between words that would be one without it, and where it decides what
// belongs to which statement. Attributes and decorators that stand before the
// node count as well: they govern it.
func (b *builder) bodyHash(n syntax.Node, name string) uint64 {
	if b.hashed += int(n.End() - n.Start()); b.hashed > maxNesting*len(b.tree.Src) {
		// symbols overlap as in no written text, and one by one would take for
		// ever: they change with the file
		if b.whole == 0 {
			b.whole = uint64(sumStart.add(b.tree.Src))
		}
		return b.whole
	}
	h := bodyHasher{sum: sumStart, name: name, lines: b.tree.Lang == syntax.Ruby}
	for p := n.Previous(); p.OK() && (governs(p) || !p.Named() || isComment(p)); p = p.Previous() {
		if governs(p) {
			h.text(p.Bytes())
			h.mark(markGoverns)
		}
	}
	src := b.tree.Src
	at := n.Start()
	var open []uint32 // ends of the statements around
	close := func(before uint32) {
		for len(open) > 0 && open[len(open)-1] <= before {
			end := max(open[len(open)-1], at)
			open = open[:len(open)-1]
			h.words(src[at:end])
			h.mark(markClose)
			at = end
		}
	}
	for c := range n.All {
		if c.Start() < at {
			continue // within what was taken as a whole
		}
		close(c.Start())
		switch b.roleOf(c) {
		case roleComment:
			h.words(src[at:c.Start()])
			h.blank = true
			at = c.End()
		case roleText:
			h.words(src[at:c.Start()])
			h.text(c.Bytes())
			at = c.End()
		case roleStatement:
			h.words(src[at:c.Start()])
			h.mark(markOpen)
			at = c.Start()
			open = append(open, c.End())
		}
	}
	close(n.End())
	h.words(src[at:n.End()])
	return uint64(h.sum)
}

// role is what a node is to the hash of a body.
type role byte

const (
	roleUnknown role = iota
	roleNone
	roleComment
	roleText
	roleStatement
)

// roleOf finds the role by the name of the kind, once for each kind.
func (b *builder) roleOf(n syntax.Node) role {
	number := n.KindNumber()
	if number >= len(b.roles) {
		return findRole(n)
	}
	r := &b.roles[number]
	if *r == roleUnknown {
		*r = findRole(n)
	}
	return *r
}

func findRole(n syntax.Node) role {
	switch kind := n.Kind(); {
	case isComment(n):
		return roleComment
	case !n.Named():
		return roleNone
	case isText(kind):
		return roleText
	case isStatement(kind):
		return roleStatement
	}
	return roleNone
}

func isComment(n syntax.Node) bool { return strings.HasSuffix(n.Kind(), "comment") }

// governs says whether a node that stands before a definition changes what that
// does.
func governs(n syntax.Node) bool {
	return n.Is("attribute_item", "attribute_list", "decorator", "annotation", "marker_annotation") ||
		isComment(n) && bytes.HasPrefix(n.Bytes(), []byte("//go:"))
}

// isText says whether every byte of a node counts.
func isText(kind string) bool {
	switch kind {
	case "rune_literal", "regex", "regex_literal", "heredoc_body", "subshell", "jsx_text":
		return true
	}
	return strings.Contains(kind, "string") || strings.HasPrefix(kind, "char")
}

// isStatement says whether a node is one of the parts that code is divided into:
// in some languages only blank space shows where such a part ends.
func isStatement(kind string) bool {
	for _, end := range []string{"statement", "block", "body", "clause", "declaration", "definition"} {
		if strings.HasSuffix(kind, end) {
			return true
		}
	}
	return false
}

// What a body's hash has beside words: bytes that no word has.
const (
	markName    = 0 // where the name stands
	markOpen    = 1
	markClose   = 2
	markText    = 3
	markGoverns = 4
)

// bodyHasher takes text in pieces.
type bodyHasher struct {
	sum   sum64
	name  string
	lines bool // ends of lines count
	last  byte // written last
	blank bool // there was blank space since
}

func (h *bodyHasher) mark(m byte) {
	h.sum = h.sum.addByte(m)
	h.last, h.blank = m, false
}

// text writes a text as it is, but for the name.
func (h *bodyHasher) text(text []byte) {
	h.mark(markText)
	h.sum = h.sum.addWord(text, h.name)
	h.mark(markText)
}

// words writes a text with blank space only where words need it.
func (h *bodyHasher) words(text []byte) {
	for start := 0; start < len(text); {
		end := start
		for end < len(text) && text[end] > ' ' {
			end++
		}
		if word := text[start:end]; len(word) > 0 {
			if h.blank && parted(h.last, word[0]) {
				h.sum = h.sum.addByte(' ')
			}
			h.sum = h.sum.addWord(word, h.name)
			h.last, h.blank = word[len(word)-1], false
		}
		for ; end < len(text) && text[end] <= ' '; end++ {
			h.blank = true
			if h.lines && text[end] == '\n' && h.last != '\n' {
				h.mark('\n')
			}
		}
		start = end
	}
}

// parted says whether blank space between two bytes keeps words apart.
func parted(a, b byte) bool {
	return inName(a) && inName(b) || isOperator(a) && isOperator(b)
}

func isOperator(c byte) bool { return strings.IndexByte("+-*/%<>=!&|^~?:.@", c) >= 0 }

// sum64 is an FNV-1a sum, as hash/fnv has it, without a call for each word.
type sum64 uint64

const (
	sumStart sum64 = 14695981039346656037
	sumPrime sum64 = 1099511628211
)

func (h sum64) addByte(c byte) sum64 { return (h ^ sum64(c)) * sumPrime }

func (h sum64) add(text []byte) sum64 {
	for _, c := range text {
		h = (h ^ sum64(c)) * sumPrime
	}
	return h
}

// addWord takes a text with no letter where a name stands.
func (h sum64) addWord(word []byte, name string) sum64 {
	done := 0
	for from := 0; name != "" && len(word)-from >= len(name); {
		at := bytes.Index(word[from:], []byte(name))
		if at < 0 {
			break
		}
		at += from
		from = at + len(name)
		if (at == 0 || !inName(word[at-1])) && (from == len(word) || !inName(word[from])) {
			h = h.add(word[done:at]).addByte(markName)
			done = from
		}
	}
	return h.add(word[done:])
}

// inName says whether a byte can be part of a name.
func inName(c byte) bool {
	return c == '_' || c == '$' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// docBefore is the text of the comments that end on the line before n, joined,
// without their markers.
func docBefore(comments []syntax.Node) string {
	var lines []string
	for _, c := range comments {
		for line := range strings.Lines(c.Text()) {
			line = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), "*/"))
			for _, marker := range []string{"/**", "/*!", "/*", "///", "//!", "//", "#", "*"} {
				if rest, ok := strings.CutPrefix(line, marker); ok {
					line = rest
					break
				}
			}
			line = strings.TrimSpace(line)
			if line != "" || len(lines) > 0 {
				lines = append(lines, line)
			}
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func itoa(n int) string { return strconv.Itoa(n) }
