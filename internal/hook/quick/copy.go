package quick

// Limits of what is taken over of a tool's input: enough for a path, a command
// and the passages of an edit, and little enough to send in no time.
const (
	maxInput       = 64 << 10
	maxInputString = 8 << 10
)

// value writes the value that comes next anew, so that it is sound JSON
// whatever came in. Long strings are cut; when out has grown beyond what may be
// taken over, the rest is null.
func (s *scanner) value(out []byte, depth int) []byte {
	c := s.token()
	if len(out) > maxInput || depth > maxDepth {
		s.skip()
		return append(out, "null"...)
	}
	switch c {
	case '"':
		text, _ := s.text(maxInputString)
		return appendString(out, text)
	case '{':
		out = append(out, '{')
		first := true
		s.object(func(key string) {
			if len(out) > maxInput {
				s.skip()
				return
			}
			if !first {
				out = append(out, ',')
			}
			first = false
			out = append(appendString(out, key), ':')
			out = s.value(out, depth+1)
		})
		return append(out, '}')
	case '[':
		return s.list(out, depth)
	}
	var small [maxScalar]byte
	word := s.scalar(small[:0])
	if len(word) == 0 {
		s.fail(errJSON)
	}
	if !isScalar(word) {
		return append(out, "null"...)
	}
	return append(out, word...)
}

// list writes an array anew.
func (s *scanner) list(out []byte, depth int) []byte {
	s.pos++ // the bracket
	out = append(out, '[')
	if s.take(']') {
		return append(out, ']')
	}
	for first := true; s.err == nil; first = false {
		if !first && len(out) <= maxInput {
			out = append(out, ',')
		}
		if len(out) <= maxInput {
			out = s.value(out, depth+1)
		} else {
			s.skip()
		}
		if s.take(']') {
			break
		}
		if !s.take(',') {
			s.fail(errJSON)
		}
	}
	return append(out, ']')
}

// isScalar reports whether a word is a number, true, false or null.
func isScalar(word []byte) bool {
	switch string(word) {
	case "true", "false", "null":
		return true
	}
	digits := func() bool {
		n := 0
		for n < len(word) && word[n] >= '0' && word[n] <= '9' {
			n++
		}
		word = word[n:]
		return n > 0
	}
	if len(word) > 0 && word[0] == '-' {
		word = word[1:]
	}
	if len(word) > 1 && word[0] == '0' && word[1] >= '0' && word[1] <= '9' {
		return false
	}
	if !digits() {
		return false
	}
	if len(word) > 0 && word[0] == '.' {
		if word = word[1:]; !digits() {
			return false
		}
	}
	if len(word) > 0 && word[0]|0x20 == 'e' {
		word = word[1:]
		if len(word) > 0 && (word[0] == '+' || word[0] == '-') {
			word = word[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(word) == 0
}

// appendString appends a text as a JSON string.
func appendString(out []byte, text string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for _, r := range text { // what is not UTF-8 becomes U+FFFD
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r == '\n':
			out = append(out, '\\', 'n')
		case r == '\t':
			out = append(out, '\\', 't')
		case r < 0x20:
			out = append(out, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			out = append(out, string(r)...)
		}
	}
	return append(out, '"')
}
