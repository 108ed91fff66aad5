package install

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// maxDepth is how deep a file may be nested. Settings have less than ten
// levels; the parser is recursive, and its stack must not be the limit.
const maxDepth = 1000

// byteOrderMark may stand before the text; the client accepts it.
const byteOrderMark = "\ufeff"

// document is a settings file that is being edited. Each edit is a [Change],
// and the text is parsed anew after it, so that offsets always hold.
type document struct {
	text    []byte
	root    *hujson.Value
	start   int // of the root, after a byte order mark
	changes []Change
}

// parseDocument reads a file that holds an object, or nothing.
func parseDocument(text []byte) (*document, error) {
	d := &document{text: slices.Clone(text)}
	return d, d.parse()
}

// SyntaxError is a file that cannot be read, and is not touched.
type SyntaxError struct {
	Line, Column int // of the trouble, counted in bytes from 1
	Problem      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// errorAt says where in the file something is wrong.
func (d *document) errorAt(offset int, format string, args ...any) error {
	before := d.text[:offset]
	return &SyntaxError{
		Line:    1 + bytes.Count(before, []byte("\n")),
		Column:  offset - bytes.LastIndexByte(before, '\n'),
		Problem: fmt.Sprintf(format, args...),
	}
}

func (d *document) parse() error {
	d.root, d.start = nil, 0
	body := d.text
	if bytes.HasPrefix(body, []byte(byteOrderMark)) {
		// spaces keep every offset and column where it is
		d.start = len(byteOrderMark)
		body = slices.Concat(bytes.Repeat([]byte(" "), d.start), body[d.start:])
	}
	if len(bytes.TrimLeft(body, " \t\r\n")) == 0 {
		return nil
	}
	if at := tooDeep(body); at >= 0 {
		return d.errorAt(at, "nested deeper than %d levels", maxDepth)
	}
	// a comment may be the last thing in a file, the parser wants its line end
	v, err := hujson.Parse(append(slices.Clip(body), '\n'))
	if err != nil {
		return d.syntaxError(err)
	}
	if v.Value.Kind() != '{' {
		return d.errorAt(v.StartOffset, "there is no object { … } at the top")
	}
	d.root = &v
	return nil
}

// syntaxError takes the place of the trouble from the parser's words.
func (d *document) syntaxError(err error) error {
	e := &SyntaxError{Problem: "not JSON: " + err.Error()}
	if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &e.Line, &e.Column); n == 2 {
		_, rest, _ := strings.Cut(err.Error(), "column ")
		_, rest, _ = strings.Cut(rest, ": ")
		e.Problem = "not JSON: " + rest
	}
	if e.Line > 1+bytes.Count(d.text, []byte("\n")) { // on the line end that was added
		return d.errorAt(len(d.text), "%s", e.Problem)
	}
	return e
}

// tooDeep returns where the nesting becomes too deep, or a negative number.
func tooDeep(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return i
			}
		case c == '}' || c == ']':
			depth--
		case c == '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case c == '/':
			if n := commentEnd(text[i:]); n > 0 {
				i += n - 1
			}
		}
	}
	return -1
}

// commentEnd returns the length of the comment a text begins with, without the
// line end of a line comment; 0 if there is none.
func commentEnd(text []byte) int {
	end, after := "", 0
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		end = "\n"
	case bytes.HasPrefix(text, []byte("/*")):
		end, after = "*/", 2
	default:
		return 0
	}
	i := bytes.Index(text[2:], []byte(end))
	if i < 0 {
		return len(text)
	}
	if n := 2 + i + after; after > 0 || text[n-1] != '\r' {
		return n
	}
	return 2 + i - 1
}

// Foreign reports whether a file has comments or trailing commas: the client
// ignores such a settings file as a whole, so its owner should know.
func Foreign(text []byte) bool {
	d, err := parseDocument(text)
	if err != nil || d.root == nil {
		return false
	}
	packed := d.root.Clone()
	packed.Standardize()
	return !bytes.Equal(packed.Pack(), d.root.Pack())
}

// splice replaces a part of the text and notes it.
func (d *document) splice(c Change) error {
	c.Line = 1 + bytes.Count(d.text[:c.Offset], []byte("\n"))
	end := c.Offset + len(c.Old)
	if string(d.text[c.Offset:end]) != c.Old {
		return errors.New("an edit does not fit its text")
	}
	d.text = slices.Concat(d.text[:c.Offset], []byte(c.New), d.text[end:])
	d.changes = append(d.changes, c)
	if err := d.parse(); err != nil {
		return fmt.Errorf("%s would make the file unreadable: %w", c.At, err)
	}
	return nil
}

// member returns the value of a key; of several the last, as the client does.
func member(v *hujson.Value, key string) *hujson.Value {
	if v == nil {
		return nil
	}
	obj, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	for i := len(obj.Members) - 1; i >= 0; i-- {
		if name, ok := obj.Members[i].Name.Value.(hujson.Literal); ok && name.String() == key {
			return &obj.Members[i].Value
		}
	}
	return nil
}

// find follows keys from the top as far as they exist.
func (d *document) find(path []string) (v *hujson.Value, known int) {
	v = d.root
	for known < len(path) {
		next := member(v, path[known])
		if next == nil {
			break
		}
		v = next
		known++
	}
	return v, known
}

// elements returns the elements of an array, or none.
func elements(v *hujson.Value) []hujson.Value {
	if v == nil {
		return nil
	}
	if arr, ok := v.Value.(*hujson.Array); ok {
		return arr.Elements
	}
	return nil
}

// text returns the value of a string, or nothing.
func text(v *hujson.Value) string {
	if v == nil {
		return ""
	}
	if lit, ok := v.Value.(hujson.Literal); ok && lit.Kind() == '"' {
		return lit.String()
	}
	return ""
}

// pointer names a place as RFC 6901 does.
func pointer(path ...string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, p := range path {
		b.WriteString("/" + escape.Replace(p))
	}
	return b.String()
}

// validText refuses what JSON cannot hold.
func validText(what, s string) error {
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
		return fmt.Errorf("%s %q is not valid UTF-8, a settings file cannot hold it: move or rename it", what, s)
	}
	return nil
}
