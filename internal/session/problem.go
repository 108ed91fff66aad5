package session

import (
	"errors"
	"fmt"
)

// SyntaxError reports a line that is not JSON, or not text.
type SyntaxError struct {
	Offset  int // byte in the line
	Problem string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not valid JSON at byte %d: %s", e.Offset, e.Problem)
}

// FieldError reports a field that a record must have and has not, or that
// holds something else than it should.
type FieldError struct {
	Field   string // path, such as message.content[2].text; empty for the whole record
	Problem string
}

func (e *FieldError) Error() string {
	if e.Field == "" {
		return "the record " + e.Problem
	}
	return e.Field + " " + e.Problem
}

// TrailingError reports a line that holds more than one record, as happens
// when two processes write to one file or a newline got lost. [Split] takes it
// apart.
type TrailingError struct {
	Offset int // byte in the line where the second record begins
}

func (e *TrailingError) Error() string {
	return fmt.Sprintf("more than one record on the line: the next begins at byte %d", e.Offset)
}

// within puts a field's error into the path of the field around it.
func within(outer string, err error) error {
	var f *FieldError
	if !errors.As(err, &f) {
		return err
	}
	switch {
	case f.Field == "":
		return &FieldError{outer, f.Problem}
	case f.Field[0] == '[':
		return &FieldError{outer + f.Field, f.Problem}
	default:
		return &FieldError{outer + "." + f.Field, f.Problem}
	}
}

// otherName stands for a name that is not shown, and longestName is how long
// one may be that is: longer than any that clients write.
const (
	otherName   = "other"
	longestName = 40
)

// plainName returns a name of the source's as it may be shown: it is foreign
// text and goes into reports and errors, so what is no plain name becomes
// "other".
func plainName(name string) string {
	if name == "" || len(name) > longestName {
		return otherName
	}
	for i := range len(name) {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return otherName
		}
	}
	return name
}

// Split takes a line apart that holds several JSON values one after the other.
// It returns nil unless every piece is valid and there are at least two.
func Split(line []byte) [][]byte {
	var pieces [][]byte
	s := scanner{data: line}
	for s.space(); s.pos < len(line); s.space() {
		from := s.pos
		if s.skip(0) != nil {
			return nil
		}
		pieces = append(pieces, line[from:s.pos])
	}
	if len(pieces) < 2 {
		return nil
	}
	return pieces
}
