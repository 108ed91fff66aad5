package session

import "iter"

// texts goes through the members of a JSON object whose values are strings.
// What is no object has none, and a damaged one ends early.
func texts(object []byte) iter.Seq2[string, quoted] {
	return func(yield func(string, quoted) bool) {
		s := scanner{data: object}
		if s.peek() != '{' {
			return
		}
		more, err := s.open('}', 0)
		for more && err == nil {
			key, kerr := s.key()
			if kerr != nil {
				return
			}
			if s.peek() == '"' {
				q, qerr := s.quoted()
				if qerr != nil {
					return
				}
				if !yield(string(key.raw), q) {
					return
				}
			} else if s.skip(1) != nil {
				return
			}
			more, err = s.next('}')
		}
	}
}
