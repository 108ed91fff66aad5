package codebase

import (
	"bytes"
	"strings"
)

// limited keeps the beginning of what is written to it.
type limited struct{ kept bytes.Buffer }

// maxComplaint is enough for a sentence or two.
const maxComplaint = 2 << 10

func (l *limited) Write(b []byte) (int, error) {
	if room := maxComplaint - l.kept.Len(); room > 0 {
		l.kept.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

// line is the first line of it.
func (l *limited) line() string {
	line, _, _ := strings.Cut(strings.TrimSpace(l.kept.String()), "\n")
	return strings.ToValidUTF8(line, "?")
}
