package session

import (
	"bytes"
	"strconv"
)

// RewriteNames passes the names of members through fn, in objects at any
// depth, and returns the line with the answers in their places. Values stay
// byte for byte, and so does every name that want does not ask for or fn
// returns unchanged; if all are, line itself is returned.
//
// want is given a name as it is written and must not keep it; fn sees it with
// its escapes resolved. Two names of one object that fn makes the same are kept
// apart by a number, because an object with a name twice has no certain
// meaning.
func RewriteNames(line []byte, want func(name []byte) bool, fn func(string) string) ([]byte, error) {
	r := renamer{splicer: splicer{scanner: scanner{data: line}}, want: want, fn: fn}
	if err := r.value(0); err != nil {
		return nil, err
	}
	return r.spliced()
}

type renamer struct {
	splicer
	want func([]byte) bool
	fn   func(string) string
	keys []quoted // names of the objects around, so far
}

func (r *renamer) value(depth int) error {
	switch r.peek() {
	case '{':
		var names *given
		first := len(r.keys)
		more, err := r.open('}', depth)
		for more && err == nil {
			r.space()
			from := r.pos
			var key quoted
			if key, err = r.key(); err != nil {
				return err
			}
			names = r.name(key, from, r.keys[first:], names)
			r.keys = append(r.keys, key)
			if err = r.value(depth + 1); err != nil {
				return err
			}
			more, err = r.next('}')
		}
		r.keys = r.keys[:first]
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

// given are the names of one object as they became, once one of them became
// another.
type given struct {
	made map[string]bool // false: it was so before
	next map[string]int  // by name: the number that the next of that name gets
}

// name rewrites the name that begins at from. keys are the names before it in
// the object as written, g those as they became; nil as long as they are the
// same.
func (r *renamer) name(key quoted, from int, keys []quoted, g *given) *given {
	asked := r.want(key.raw)
	if !asked && g == nil {
		return nil
	}
	old := key.exact()
	name := old
	if asked {
		name = r.fn(old)
	}
	if name == old && g == nil {
		return nil
	}
	if g == nil {
		g = &given{made: make(map[string]bool, len(keys)+1), next: map[string]int{}}
		for _, k := range keys {
			g.made[k.exact()] = false
		}
	}
	for base := name; g.collides(name, old); {
		n := max(2, g.next[base])
		g.next[base] = n + 1
		name = base + " " + strconv.Itoa(n)
	}
	g.made[name] = name != old
	if name != old {
		r.replace(from, from+len(key.raw)+len(`""`), name)
	}
	return g
}

// collides reports whether a name may not be given to what was called old. One
// that the source itself wrote twice stays, for the reader to report.
func (g *given) collides(name, old string) bool {
	made, there := g.made[name]
	return there && (made || name != old)
}

// Unescape resolves the escapes that can hide plain text in a line of JSON,
// also where the line is damaged: \u0067 for a letter, digit or sign of ASCII,
// and \/ for a slash. Everything else stays byte for byte; if all does, line
// itself is returned. It is for looking at a line that cannot be taken apart.
func Unescape(line []byte) []byte {
	var out []byte
	done := 0
	for i := 0; i < len(line); {
		n := bytes.IndexByte(line[i:], '\\')
		if n < 0 {
			break
		}
		i += n
		length := max(1, escapeLength(line[i:]))
		if c := plainEscape(line[i : i+length]); c != 0 {
			out = append(append(out, line[done:i]...), c)
			done = i + length
		}
		i += length
	}
	if done == 0 {
		return line
	}
	return append(out, line[done:]...)
}

// plainEscape returns the character that an escape stands for, 0 if it is none
// that can stand on the line by itself.
func plainEscape(escape []byte) byte {
	switch {
	case len(escape) == len(`\/`) && escape[1] == '/':
		return '/'
	case len(escape) == len(`\u0067`):
		if r, ok := hex4(escape[2:]); ok && r >= ' ' && r <= '~' && r != '"' && r != '\\' {
			return byte(r)
		}
	}
	return 0
}
