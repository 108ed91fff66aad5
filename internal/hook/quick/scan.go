package quick

import (
	"errors"
	"io"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

var (
	errEnds  = errors.New("it ends too early")
	errEmpty = errors.New("it is empty")
	errJSON  = errors.New("it is not a JSON object")
	errTime  = errors.New("there is no time to read more")
)

// TooSlow reports whether reading a report ended because its time was up.
func TooSlow(err error) bool { return errors.Is(err, errTime) }

const (
	// firstBytes is what is read at first, more than most reports have, and
	// bufferBytes what is read from then on: as much as a pipe holds.
	firstBytes  = 4 << 10
	bufferBytes = 64 << 10
	// maxDepth bounds how deep values may nest that are taken over.
	maxDepth = 32
)

// scanner reads JSON from a stream and keeps only what is asked for, so that a
// report of many megabytes needs no memory. The first error sticks; from then
// on everything is empty.
type scanner struct {
	from     io.Reader
	until    time.Time // when to stop reading; zero is never
	buf      []byte
	pos, end int
	err      error
}

// peek returns the next byte; 0 is none.
func (s *scanner) peek() byte {
	if s.pos == s.end && !s.fill() {
		return 0
	}
	return s.buf[s.pos]
}

func (s *scanner) fill() bool {
	if s.err != nil {
		return false
	}
	switch len(s.buf) {
	case 0:
		s.buf = make([]byte, firstBytes)
	case firstBytes:
		s.buf = make([]byte, bufferBytes)
	}
	if !s.until.IsZero() && time.Now().After(s.until) {
		return s.fail(errTime)
	}
	for range 100 { // a reader may return nothing now and then
		n, err := s.from.Read(s.buf)
		if n > 0 {
			s.pos, s.end = 0, n
			return true
		}
		if err == io.EOF {
			return s.fail(errEnds)
		}
		if err != nil {
			return s.fail(err)
		}
	}
	return s.fail(io.ErrNoProgress)
}

func (s *scanner) fail(err error) bool {
	if s.err == nil {
		s.err = err
	}
	s.pos, s.end = 0, 0
	return false
}

// token returns the next byte that is not white space, without taking it.
func (s *scanner) token() byte {
	for {
		switch c := s.peek(); c {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return c
		}
	}
}

// take takes the next token if it is c.
func (s *scanner) take(c byte) bool {
	if s.token() != c || s.err != nil {
		return false
	}
	s.pos++
	return true
}

// object calls member for each member of the object that comes next. member
// has to take the value.
func (s *scanner) object(member func(key string)) bool {
	if !s.take('{') {
		return s.fail(errJSON)
	}
	if s.take('}') {
		return true
	}
	for s.err == nil {
		if s.token() != '"' {
			return s.fail(errJSON)
		}
		key, _ := s.text(maxKey)
		if !s.take(':') {
			return s.fail(errJSON)
		}
		if member(key); s.take('}') {
			return true
		}
		if !s.take(',') {
			return s.fail(errJSON)
		}
	}
	return false
}

// maxKey is beyond the longest name that means anything here.
const maxKey = 256

// word takes a string; a value of another type is passed over. A string longer
// than limit is cut, which whole tells.
func (s *scanner) word(limit int) (text string, whole bool) {
	if s.token() != '"' {
		s.skip()
		return "", false
	}
	return s.text(limit)
}

// name takes a string that stands for something by all of its characters. One
// that is too long or holds a NUL, which no id or path has, is dropped: without
// a part of it, it would be the name of another.
func (s *scanner) name(limit int) string {
	if s.token() != '"' {
		s.skip()
		return ""
	}
	raw := s.raw(limit)
	if len(raw) > limit || bytesHave(raw, 0) {
		return ""
	}
	return sound(raw)
}

// bytesHave is of package bytes, which is out of reach here.
func bytesHave(all []byte, one byte) bool {
	for _, b := range all {
		if b == one {
			return true
		}
	}
	return false
}

// text takes the string that comes next and returns up to limit bytes of it, as
// sound UTF-8 without NUL.
func (s *scanner) text(limit int) (text string, whole bool) {
	raw := s.raw(limit)
	if s.err != nil {
		return "", false
	}
	return clean(raw, limit)
}

// raw takes the string that comes next and returns it as it is, but for its
// escapes; of one longer than limit, a little more than that.
func (s *scanner) raw(limit int) []byte {
	s.pos++ // the quote
	var out []byte
	for s.err == nil {
		if s.pos == s.end && !s.fill() {
			break
		}
		rest, n := s.buf[s.pos:s.end], 0
		for n < len(rest) && rest[n] != '"' && rest[n] != '\\' {
			n++
		}
		// one more than the limit, so that it is known whether it was reached
		out = append(out, rest[:min(n, max(0, limit+1-len(out)))]...)
		s.pos += n
		if s.pos == s.end {
			continue
		}
		quote := s.buf[s.pos] == '"'
		s.pos++
		if quote {
			return out
		}
		if r := s.escape(); len(out) <= limit {
			out = utf8.AppendRune(out, r)
		}
	}
	return nil
}

// clean makes text sound and cuts it at a whole rune.
func clean(raw []byte, limit int) (string, bool) {
	whole := len(raw) <= limit
	if !whole {
		raw = raw[:limit]
		for i := 0; i < utf8.UTFMax && len(raw) > 0; i++ {
			if r, size := utf8.DecodeLastRune(raw); r != utf8.RuneError || size != 1 {
				break
			}
			raw = raw[:len(raw)-1]
		}
	}
	return sound(raw), whole
}

// sound returns text as UTF-8 without NUL.
func sound(raw []byte) string {
	out := make([]byte, 0, len(raw))
	for _, r := range string(raw) { // what is not UTF-8 becomes U+FFFD
		if r != 0 {
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out)
}

// escape takes what follows a backslash.
func (s *scanner) escape() rune {
	c := s.peek()
	s.pos = min(s.pos+1, s.end)
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case '"', '\\', '/':
		return rune(c)
	case 'u':
		return s.unicode()
	}
	s.fail(errJSON)
	return utf8.RuneError
}

// unicode takes the digits of \u, and a second half if there has to be one.
func (s *scanner) unicode() rune {
	r := s.hex()
	for utf16.IsSurrogate(r) {
		if s.peek() != '\\' {
			return utf8.RuneError
		}
		s.pos++
		if s.peek() != 'u' { // half a pair, then another escape: the half is lost
			return s.escape()
		}
		s.pos++
		low := s.hex()
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return both
		}
		r = low
	}
	return r
}

func (s *scanner) hex() (r rune) {
	for range 4 {
		c := s.peek()
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			s.fail(errJSON)
			return utf8.RuneError
		}
		s.pos++
	}
	return r
}

// truth takes true; anything else is passed over and false.
func (s *scanner) truth() bool {
	yes := s.token() == 't'
	s.skip()
	return yes
}

// skip passes over a value, quickly and without a close look.
func (s *scanner) skip() {
	for depth := 0; s.err == nil; {
		switch c := s.token(); c {
		case '"':
			s.text(0)
		case '{', '[':
			depth++
			s.pos++
		case '}', ']':
			if depth--; depth < 0 {
				s.fail(errJSON)
				return
			}
			s.pos++
		case ',', ':':
			if depth == 0 {
				s.fail(errJSON)
				return
			}
			s.pos++
			continue
		case 0:
			s.fail(errJSON)
			return
		default:
			var word [maxScalar]byte
			if len(s.scalar(word[:0])) == 0 {
				s.fail(errJSON)
			}
		}
		if depth == 0 {
			return
		}
	}
}

// maxScalar is beyond the longest number that means anything.
const maxScalar = 64

// scalar takes a number, true, false or null and appends the start of it.
func (s *scanner) scalar(out []byte) []byte {
	for {
		c := s.peek()
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.') {
			break
		}
		if s.pos++; len(out) < maxScalar {
			out = append(out, c)
		}
	}
	return out
}
