package capture

import (
	"strings"
	"unicode/utf8"
)

// Printable returns a text that does nothing to a terminal or a page but show
// itself. Control characters become their pictures (ESC is shown as ␛), except
// line ends, all of which become \n, and tabs; marks that reorder what follows,
// and bytes that are no UTF-8, become U+FFFD. Doing it twice changes nothing.
func Printable(s string) string {
	at := firstUnprintable(s)
	if at < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len("␛"))
	b.WriteString(s[:at])
	for i := at; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\r':
			if i+1 == len(s) || s[i+1] != '\n' {
				b.WriteByte('\n')
			}
		case !isUnprintable(r, size) || r == '\n' || r == '\t':
			b.WriteString(s[i : i+size])
		case r < ' ':
			const pictures = '␀' // in the order of the characters
			b.WriteRune(pictures + r)
		case r == 0x7f:
			b.WriteRune('␡')
		default:
			b.WriteRune(utf8.RuneError)
		}
		i += size
	}
	return b.String()
}

// HasControl reports whether a text has anything in it that [Printable] would
// replace, a line end or a tab. No name should.
func HasControl(s string) bool {
	return firstUnprintable(s) >= 0 || strings.ContainsAny(s, "\n\t")
}

// firstUnprintable returns the offset of the first character that [Printable]
// replaces, or -1.
func firstUnprintable(s string) int {
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if isUnprintable(r, size) {
			return i
		}
		i += size
	}
	return -1
}

// isUnprintable reports whether a character, decoded from so many bytes, acts
// instead of being shown: C0, DEL and C1, the bidirectional embeddings,
// overrides and isolates, and a byte that is no UTF-8.
func isUnprintable(r rune, size int) bool {
	switch {
	case r < ' ', r >= 0x7f && r <= 0x9f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return r == utf8.RuneError && size == 1
}
