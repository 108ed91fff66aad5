package session

import "bytes"

// memberText returns the text of the member called name of the object on the
// line; false if there is none, or it is no text.
func memberText(line []byte, name string) (string, bool) {
	at := memberAt(line, name)
	if at < 0 || at >= len(line) || line[at] != '"' {
		return "", false
	}
	s := scanner{data: line, pos: at}
	q, err := s.quoted()
	if err != nil {
		return "", false
	}
	return q.text(), true
}

// memberAt returns where the value of the member called name begins, without
// checking more of the line than it has to pass over: of a large record that
// nobody needs, only the first few bytes are read. It returns -1 if there is
// no such member, or the line is damaged before it.
func memberAt(line []byte, name string) int {
	i := bytes.IndexByte(line, '{') + 1
	if i == 0 || len(bytes.TrimSpace(line[:i-1])) > 0 {
		return -1
	}
	for {
		from := skipTo(line, i, '"')
		to := closingQuote(line, from+1)
		if from < 0 || to < 0 {
			return -1
		}
		colon := skipTo(line, to+1, ':')
		if colon < 0 {
			return -1
		}
		if i = skipSpace(line, colon+1); string(line[from+1:to]) == name {
			return i
		}
		if i = valueEnd(line, i); i < 0 {
			return -1
		}
		if i = skipTo(line, i, ','); i < 0 {
			return -1
		}
		i++
	}
}

// skipTo passes over white space and returns where want stands, -1 if
// something else does.
func skipTo(line []byte, i int, want byte) int {
	i = skipSpace(line, i)
	if i >= len(line) || line[i] != want {
		return -1
	}
	return i
}

func skipSpace(line []byte, i int) int {
	for i < len(line) && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r' || line[i] == '\n') {
		i++
	}
	return i
}

// closingQuote returns where the string ends whose inside begins at i, -1 if
// it does not.
func closingQuote(line []byte, i int) int {
	for i < len(line) {
		n := bytes.IndexByte(line[i:], '"')
		if n < 0 {
			return -1
		}
		at := i + n
		slashes := 0
		for k := at - 1; k >= i && line[k] == '\\'; k-- {
			slashes++
		}
		if slashes%2 == 0 {
			return at
		}
		i = at + 1
	}
	return -1
}

// valueEnd returns where the value that begins at i is over, -1 if it never
// is.
func valueEnd(line []byte, i int) int {
	depth := 0
	for i < len(line) {
		switch line[i] {
		case '"':
			end := closingQuote(line, i+1)
			if end < 0 {
				return -1
			}
			i = end
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // the object around a plain value ends
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return -1
}
