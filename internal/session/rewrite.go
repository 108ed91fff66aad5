package session

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
// first, as they are written; it must not keep them.
func RewriteMembers(line []byte, want func(path [][]byte) bool, fn func(string) string) ([]byte, error) {
	r := rewriter{scanner: scanner{data: line}, want: want, fn: fn}
	if err := r.value(0); err != nil {
		return nil, err
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	if r.done == 0 {
		return line, nil
	}
	return append(r.out, line[r.done:]...), nil
}

type rewriter struct {
	scanner
	want func([][]byte) bool
	fn   func(string) string
	path [][]byte // names of the members around the value at hand
	out  []byte
	done int // how much of the line is in out
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
	q, err := r.quoted()
	if err != nil {
		return err
	}
	if !r.want(r.path) {
		return nil
	}
	old := q.exact() // a lone surrogate stays unless fn changes the text
	if text := r.fn(old); text != old {
		r.out = append(r.out, r.data[r.done:from]...)
		r.out = appendQuoted(r.out, text)
		r.done = r.pos
	}
	return nil
}
