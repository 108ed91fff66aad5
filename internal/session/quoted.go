package session

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// quoted is a JSON string as it stands on the line, without its quotes.
type quoted struct {
	raw     []byte
	escaped bool // raw has escapes in it
}

// quoted reads the string that comes next. Its bytes are valid UTF-8, its
// escapes are well formed.
func (s *scanner) quoted() (quoted, error) {
	data := s.data
	from := s.pos + 1
	i, escaped, wide := from, false, false
	for {
		i = plainRun(data, i)
		if i >= len(data) {
			s.pos = len(data)
			return quoted{}, s.fail("ends inside a string")
		}
		switch c := data[i]; {
		case c == '"':
			if wide && !utf8.Valid(data[from:i]) {
				s.pos = from + invalidAt(data[from:i])
				return quoted{}, s.fail("not valid UTF-8")
			}
			s.pos = i + 1
			q := quoted{data[from:i], escaped}
			s.long.note(q, s.pos)
			return q, nil
		case c == '\\':
			escaped = true
			n := escapeLength(data[i:])
			if n == 0 {
				s.pos = i
				return quoted{}, s.fail("a bad escape in a string")
			}
			i += n
		case c < ' ':
			s.pos = i
			return quoted{}, s.fail("control character %#02x in a string", c)
		default:
			wide = true
			for i < len(data) && data[i] >= utf8.RuneSelf {
				i++
			}
		}
	}
}

// plainRun returns where the first byte from i on stands that ends a run of
// plain ASCII: a quote, a backslash, a control character or a byte outside
// ASCII. It looks at eight bytes at once.
func plainRun(data []byte, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(data); i += 8 {
		w := binary.LittleEndian.Uint64(data[i:])
		// A subtraction that borrows sets a byte's high bit; a borrow reaches
		// other bytes only above the first hit, so the lowest one is exact.
		hit := (w | (w - ' '*ones) | ((w ^ '"'*ones) - ones) | ((w ^ '\\'*ones) - ones)) & highs
		if hit != 0 {
			return i + bits.TrailingZeros64(hit)/8
		}
	}
	for ; i < len(data); i++ {
		if c := data[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			break
		}
	}
	return i
}

// escapeLength returns how many bytes the escape at the start of b takes, 0 if
// it is none.
func escapeLength(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(b[2:]); ok {
			return 6
		}
	}
	return 0
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

func invalidAt(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return 0
}

// is reports whether the string, with its escapes resolved, is name.
func (q quoted) is(name string) bool {
	if !q.escaped {
		return string(q.raw) == name
	}
	got := q.exact()
	return got == name
}

// text returns the string as text for people and search. An escaped NUL, which
// programs do print and which no text may hold, becomes U+FFFD.
func (q quoted) text() string { return q.readable(q.exact()) }

// readable is [quoted.text] when the escapes have been resolved.
func (q quoted) readable(exact string) string {
	if q.escaped && strings.IndexByte(exact, 0) >= 0 {
		return strings.ReplaceAll(exact, "\x00", "\uFFFD")
	}
	return exact
}

// exact returns the string with its escapes resolved. Half of a surrogate pair
// is U+FFFD: clients cut strings in the middle of an emoji.
func (q quoted) exact() string {
	if !q.escaped {
		return string(q.raw)
	}
	var b strings.Builder
	b.Grow(len(q.raw))
	for raw := q.raw; ; {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			b.Write(raw)
			break
		}
		b.Write(raw[:n])
		raw = raw[n:]
		if raw[1] != 'u' {
			b.WriteByte(unescaped(raw[1]))
			raw = raw[2:]
			continue
		}
		r, _ := hex4(raw[2:])
		raw = raw[6:]
		if utf16.IsSurrogate(r) {
			r, raw = joinSurrogates(r, raw)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// joinSurrogates joins a first half with the second that rest should begin
// with.
func joinSurrogates(first rune, rest []byte) (rune, []byte) {
	if len(rest) < 6 || rest[0] != '\\' || rest[1] != 'u' {
		return utf8.RuneError, rest
	}
	second, _ := hex4(rest[2:])
	r := utf16.DecodeRune(first, second)
	if r == utf8.RuneError {
		return r, rest
	}
	return r, rest[6:]
}

func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// appendQuoted appends text as a JSON string. Bytes that are not UTF-8 become
// U+FFFD.
func appendQuoted(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case r < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
