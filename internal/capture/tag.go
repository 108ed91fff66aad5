package capture

import "strings"

// tagBlock returns the outermost block <name …>…</name> that opens at or after
// an offset. Names are compared without case. A block that is never closed
// reaches to the end.
func tagBlock(text, name string, from int) (start, end int, ok bool) {
	depth := 0
	for i := from; i < len(text); {
		at := strings.IndexByte(text[i:], '<')
		if at < 0 {
			break
		}
		i += at
		size, closing := tagAt(text[i:], name)
		switch {
		case size == 0:
			i++
			continue
		case !closing && depth == 0:
			start, depth = i, 1
		case !closing:
			depth++
		case depth == 1:
			return start, i + size, true
		case depth > 1:
			depth--
		}
		i += size
	}
	return start, len(text), depth > 0
}

// tagAt returns the length of the tag <name …> or </name> that the text begins
// with, or 0.
func tagAt(text, name string) (size int, closing bool) {
	rest := text[1:]
	if strings.HasPrefix(rest, "/") {
		rest, closing = rest[1:], true
	}
	if len(rest) <= len(name) || !hasPrefixFold(rest, name) {
		return 0, false
	}
	rest = rest[len(name):]
	if c := rest[0]; c != '>' && c != '/' && !isSpace(c) {
		return 0, false // the name goes on
	}
	end := strings.IndexAny(rest, "<>")
	if end < 0 || rest[end] == '<' {
		return 0, false
	}
	return len(text) - len(rest) + end + 1, closing
}
