package session

import "fmt"

// maxDepth is how deep objects and arrays may nest. Real records stay below
// 20; the limit keeps a hostile line from growing the stack.
const maxDepth = 200

// scanner walks over one JSON value, strictly by the grammar, without building
// anything. Reading a transcript is mostly passing over large values that
// nobody needs, so this is several times faster than decoding.
//
// Containers are walked like this:
//
//	more, err := s.open('}', depth)
//	for more && err == nil {
//		key, err := s.key()
//		…read or skip the value…
//		more, err = s.next('}')
//	}
type scanner struct {
	data []byte
	pos  int
	long *longTexts // takes note of long strings; nil if nobody asks
}

func (s *scanner) fail(format string, args ...any) error {
	return &SyntaxError{s.pos, fmt.Sprintf(format, args...)}
}

// unexpected says what stands where something else was wanted.
func (s *scanner) unexpected(wanted string) error {
	if s.pos >= len(s.data) {
		return s.fail("ends where %s should be", wanted)
	}
	return s.fail("%q where %s should be", s.data[s.pos], wanted)
}

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek passes over white space and returns the byte that comes next, 0 at the
// end.
func (s *scanner) peek() byte {
	s.space()
	if s.pos >= len(s.data) {
		return 0
	}
	return s.data[s.pos]
}

// open enters the object or array that comes next; more says that it is not
// empty. depth counts the containers around it.
func (s *scanner) open(end byte, depth int) (more bool, err error) {
	if depth >= maxDepth {
		return false, s.fail("nested more than %d deep", maxDepth)
	}
	s.pos++
	if s.peek() == end {
		s.pos++
		return false, nil
	}
	return true, nil
}

// next passes the comma between elements, or leaves the container.
func (s *scanner) next(end byte) (more bool, err error) {
	switch s.peek() {
	case ',':
		s.pos++
		return true, nil
	case end:
		s.pos++
		return false, nil
	}
	return false, s.unexpected(fmt.Sprintf("',' or %q", end))
}

// key reads a member's name and the colon after it.
func (s *scanner) key() (quoted, error) {
	if s.peek() != '"' {
		return quoted{}, s.unexpected("a name in quotes")
	}
	k, err := s.quoted()
	if err != nil {
		return quoted{}, err
	}
	if s.peek() != ':' {
		return quoted{}, s.unexpected("':'")
	}
	s.pos++
	return k, nil
}

// skip passes over one value of any kind.
func (s *scanner) skip(depth int) error {
	switch c := s.peek(); {
	case c == '"':
		_, err := s.quoted()
		return err
	case c == '{':
		more, err := s.open('}', depth)
		for more && err == nil {
			if _, err = s.key(); err != nil {
				return err
			}
			if err = s.skip(depth + 1); err != nil {
				return err
			}
			more, err = s.next('}')
		}
		return err
	case c == '[':
		more, err := s.open(']', depth)
		for more && err == nil {
			if err = s.skip(depth + 1); err != nil {
				return err
			}
			more, err = s.next(']')
		}
		return err
	case c == '-' || c >= '0' && c <= '9':
		return s.number()
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	}
	return s.unexpected("a value")
}

// raw passes over one value and returns its bytes.
func (s *scanner) raw(depth int) ([]byte, error) {
	s.space()
	from := s.pos
	err := s.skip(depth)
	return s.data[from:s.pos], err
}

// end makes sure that nothing follows the value.
func (s *scanner) end() error {
	switch s.peek() {
	case 0:
		if s.pos >= len(s.data) {
			return nil
		}
	case '{', '[':
		return &TrailingError{s.pos}
	}
	return s.unexpected("the end of the line")
}

func (s *scanner) word(w string) error {
	if len(s.data)-s.pos < len(w) || string(s.data[s.pos:s.pos+len(w)]) != w {
		return s.unexpected("a value")
	}
	s.pos += len(w)
	return nil
}

func (s *scanner) number() error {
	if s.data[s.pos] == '-' {
		s.pos++
	}
	if s.pos < len(s.data) && s.data[s.pos] == '0' {
		s.pos++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.pos < len(s.data) && s.data[s.pos] == '.' {
		s.pos++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if s.pos < len(s.data) && (s.data[s.pos] == 'e' || s.data[s.pos] == 'E') {
		s.pos++
		if s.pos < len(s.data) && (s.data[s.pos] == '+' || s.data[s.pos] == '-') {
			s.pos++
		}
		return s.digits()
	}
	return nil
}

func (s *scanner) digits() error {
	from := s.pos
	for s.pos < len(s.data) && s.data[s.pos] >= '0' && s.data[s.pos] <= '9' {
		s.pos++
	}
	if s.pos == from {
		return s.unexpected("a digit")
	}
	return nil
}
