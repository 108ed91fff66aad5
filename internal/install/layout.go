package install

import (
	"bytes"
)

// lineEnd returns how the file ends its lines.
func (d *document) lineEnd() string {
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// multiline reports whether the file is written on several lines; one that has
// nothing in it yet is going to be.
func (d *document) multiline() bool {
	items, _ := contents(d.root)
	return len(items) == 0 || bytes.Contains(d.text[d.root.StartOffset:d.root.EndOffset], []byte("\n"))
}

// unit returns one level of the file's indentation.
func (d *document) unit() string {
	items, _ := contents(d.root)
	for _, it := range items {
		indent, lined := lineStart(it.before)
		outer := d.indentAt(d.root.StartOffset)
		if lined && len(indent) > len(outer) {
			return indent[len(outer):]
		}
	}
	return defaultIndent
}

// indentAt returns the indentation of the line that an offset is on.
func (d *document) indentAt(offset int) string {
	line := d.text[bytes.LastIndexByte(d.text[:offset], '\n')+1 : offset]
	line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// lineStart returns the indentation before something that begins a line.
func lineStart(before []byte) (indent string, lined bool) {
	i := bytes.LastIndexByte(before, '\n')
	if i < 0 || len(bytes.Trim(before[i:], " \t\r\n")) > 0 {
		return "", false
	}
	return string(before[i+1:]), true
}

// spacing returns what stands between items on one line.
func spacing(items []item) string {
	before := items[len(items)-1].before
	if len(items) > 1 && len(bytes.Trim(before, " \t")) == 0 {
		return string(before)
	}
	return ""
}

// sameLine returns how far spaces and comments go on the line they begin on:
// they speak of what is before them. A line without a comment counts nothing.
func sameLine(extra []byte) int {
	end := 0
	for i := 0; i < len(extra); {
		switch extra[i] {
		case ' ', '\t':
			i++
			continue
		case '/':
			n := commentEnd(extra[i:])
			if n == 0 || extra[i+1] == '*' && bytes.Contains(extra[i:i+n], []byte("\n")) {
				return end
			}
			i += n
			end = i
			continue
		}
		return end
	}
	return end
}

// startsLine reports whether nothing but spaces is left of a line.
func startsLine(rest []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r"), []byte("\n"))
}

// endsInLineComment reports whether the last comment is one that ends with its
// line.
func endsInLineComment(extra []byte) bool {
	line := false
	for i := 0; i < len(extra); i++ {
		if n := commentEnd(extra[i:]); n > 0 {
			line = extra[i+1] == '/'
			i += n - 1
		}
	}
	return line
}
