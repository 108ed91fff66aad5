package session

import (
	"bytes"
	"slices"
)

// RewriteStrings passes every string value of a line of JSON through fn and
// returns the line with the answers in their places. Names of members, numbers
// and white space stay byte for byte, and so does every string that fn returns
// unchanged; if all are, line itself is returned.
//
// fn sees the text with its escapes resolved. It may be called with half of a
// surrogate pair shown as U+FFFD; the original stays if fn leaves the text
// alone.
func RewriteStrings(line []byte, fn func(string) string) ([]byte, error) {
	return RewriteMembers(line, func([][]byte) bool { return true }, fn)
}

// RewriteMembers is [RewriteStrings] for those values only that want asks for.
// It is given the names of the members that a value stands in, outermost
// first, as they are written; it must not keep them. Of a long text that stands
// on the line twice, as clients note results, fn is asked once if it leaves it
// alone.
func RewriteMembers(line []byte, want func(path [][]byte) bool, fn func(string) string) ([]byte, error) {
	return Record{}.RewriteMembers(line, want, fn)
}

// RewriteMembers is [RewriteMembers] for the line that rec was just read from.
// It makes use of what reading found out.
func (rec Record) RewriteMembers(line []byte, want func(path [][]byte) bool, fn func(string) string) ([]byte, error) {
	r := rewriter{splicer: splicer{scanner: scanner{data: line}}, want: want, fn: fn, known: rec.long.of(line)}
	if err := r.value(0); err != nil {
		return nil, err
	}
	return r.spliced()
}

// splicer reads a line and copies it with some strings replaced.
type splicer struct {
	scanner
	out  []byte
	done int // how much of the line is in out
}

// replace puts text in the place of the string from one place to another.
func (s *splicer) replace(from, to int, text string) {
	s.out = appendQuoted(append(s.out, s.data[s.done:from]...), text)
	s.done = to
}

// spliced returns the line, itself if nothing was replaced, once all of it has
// been read.
func (s *splicer) spliced() ([]byte, error) {
	if err := s.end(); err != nil {
		return nil, err
	}
	if s.done == 0 {
		return s.data, nil
	}
	return append(s.out, s.data[s.done:]...), nil
}

type rewriter struct {
	splicer
	want func([][]byte) bool
	fn   func(string) string
	path [][]byte // names of the members around the value at hand

	known []longString // strings from here on, in their order; not all of them
	same  [][]byte     // long texts that fn left alone, as they are written
}

func (r *rewriter) value(depth int) error {
	switch r.peek() {
	case '"':
		return r.text()
	case '{':
		more, err := r.open('}', depth)
		for more && err == nil {
			var key quoted
			if key, err = r.key(); err != nil {
				return err
			}
			r.path = append(r.path, key.raw)
			if err = r.value(depth + 1); err != nil {
				return err
			}
			r.path = r.path[:len(r.path)-1]
			more, err = r.next('}')
		}
		return err
	case '[':
		more, err := r.open(']', depth)
		for more && err == nil {
			if err = r.value(depth + 1); err != nil {
				return err
			}
			more, err = r.next(']')
		}
		return err
	}
	return r.skip(depth)
}

func (r *rewriter) text() error {
	from := r.pos
	q, err := r.read()
	if err != nil {
		return err
	}
	if !r.want(r.path) {
		return nil
	}
	if len(q.raw) >= longText && slices.ContainsFunc(r.same, func(s []byte) bool { return bytes.Equal(s, q.raw) }) {
		return nil
	}
	old := q.exact
	if !q.read {
		old = q.quoted.exact()
	}
	if text := r.fn(old); text != old { // else a lone surrogate stays
		r.replace(from, r.pos, text)
	} else if len(q.raw) >= longText {
		r.same = append(r.same, q.raw)
	}
	return nil
}

// read reads the string that comes next, or passes over it if it is known.
func (r *rewriter) read() (longString, error) {
	for len(r.known) > 0 && r.known[0].from < r.pos {
		r.known = r.known[1:]
	}
	if len(r.known) > 0 && r.known[0].from == r.pos {
		r.pos = r.known[0].to
		return r.known[0], nil
	}
	q, err := r.quoted()
	return longString{quoted: q}, err
}
