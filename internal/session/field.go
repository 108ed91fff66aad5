package session

import "strconv"

// string reads a string, or null as an empty one.
func (s *scanner) string(into *string) error {
	switch s.peek() {
	case '"':
		q, err := s.quoted()
		if err != nil {
			return err
		}
		exact := q.exact()
		s.long.keep(q, exact)
		*into = q.readable(exact)
		return nil
	case 'n':
		return s.word("null")
	}
	return s.wrongType("a string")
}

// bool reads true or false, or null as false.
func (s *scanner) bool(into *bool) error {
	switch s.peek() {
	case 't':
		*into = true
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.wrongType("true or false")
}

// count reads a whole number, or null as 0.
func (s *scanner) count(into *int64) error {
	switch c := s.peek(); {
	case c == 'n':
		return s.word("null")
	case c == '-' || c >= '0' && c <= '9':
		raw, err := s.raw(1)
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(raw), 10, 64)
		if err != nil {
			return &FieldError{"", "is not a whole number"}
		}
		*into = n
		return nil
	}
	return s.wrongType("a number")
}

// wrongType says what stands where something else was wanted; if that is no
// JSON, it says so instead.
func (s *scanner) wrongType(wanted string) error {
	found := "null"
	switch c := s.peek(); {
	case c == '"':
		found = "a string"
	case c == '{':
		found = "an object"
	case c == '[':
		found = "an array"
	case c == 't', c == 'f':
		found = "a boolean"
	case c == '-' || c >= '0' && c <= '9':
		found = "a number"
	}
	if err := s.skip(1); err != nil {
		return err
	}
	return &FieldError{"", "is " + found + ", not " + wanted}
}

// names remembers the members of an object, to notice one that comes twice:
// which of the two was meant cannot be known. It looks at the first 64.
type names struct {
	list [64][]byte
	n    int
}

func (s *names) add(key quoted) error {
	for _, name := range s.list[:s.n] {
		if string(name) == string(key.raw) {
			return &FieldError{plainName(string(key.raw)), "is there twice"}
		}
	}
	if s.n < len(s.list) {
		s.list[s.n] = key.raw
		s.n++
	}
	return nil
}
