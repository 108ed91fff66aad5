package session

import (
	"errors"
	"io"
)

// Format reads one kind of transcript, line by line.
type Format interface {
	Name() string

	// Line reads one line. An error says what is wrong with it; the line can be
	// put aside and the rest of the file read on. The line is not kept.
	Line(line []byte) (Record, error)
}

// Record is what a line holds.
type Record struct {
	Type    string   // as the source calls it, such as "user" or "file-history-snapshot"
	Message *Message // nil if the line is no part of the conversation
	Skip    string   // why there is no message

	// Title is what a session is about, if the line says so. Whose title it is
	// is told by Leaf, the id of the last message the title was made from, or
	// by Session. A client notes titles of other sessions too, so the file that
	// the line stands in tells nothing; without both, the messages around do.
	Title   string
	Leaf    string
	Session string

	long *longTexts // of the line; nil if it has none
}

// Detecting looks at so much of a file: clients write many records that decide
// nothing before the first that does.
const (
	DetectLines = 200
	DetectBytes = 1 << 20
)

// DetectFrom is [Detect] for the beginning of a file, up to [DetectLines]
// lines or [DetectBytes] bytes, whichever comes first; the first line counts
// however long it is.
func DetectFrom(lines *Lines) (Format, bool, error) {
	read := int64(0)
	for range DetectLines {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		if format, ok := Detect([][]byte{line.Bytes}); ok {
			return format, true, nil
		}
		if read += line.Length; read >= DetectBytes {
			break
		}
	}
	return nil, false, nil
}

// Detect says which format a file is in, from its first lines, and false if
// none of them shows it: such a file is not to be imported. Lines that decide
// nothing are passed over, so a file may begin with damaged ones.
func Detect(first [][]byte) (Format, bool) {
	for _, line := range first {
		switch look, err := glance(line); {
		case err != nil:
		case look.isClaudeCode():
			return ClaudeCode{}, true
		case look.isTurn():
			return Turns{}, true
		}
	}
	return nil, false
}

// look is what the outermost object of a line shows at a glance.
type look struct {
	typ   string // value of "type", if it is a string
	names map[string]bool
}

func glance(line []byte) (look, error) {
	l := look{names: map[string]bool{}}
	s := scanner{data: line}
	if s.peek() != '{' {
		return l, s.unexpected("'{'")
	}
	more, err := s.open('}', 0)
	for more && err == nil {
		var key, value quoted
		if key, err = s.key(); err != nil {
			return l, err
		}
		l.names[string(key.raw)] = true
		if key.is("type") && s.peek() == '"' {
			value, err = s.quoted()
			l.typ = string(value.raw)
		} else {
			err = s.skip(1)
		}
		if err != nil {
			return l, err
		}
		more, err = s.next('}')
	}
	return l, err
}

func (l look) has(names ...string) bool {
	for _, n := range names {
		if !l.names[n] {
			return false
		}
	}
	return true
}

// isClaudeCode reports whether the line is a record as Claude Code writes
// them. Other tools also write objects with a type, so a known type is not
// enough: it must come with what belongs to it. Types that nothing else has are.
func (l look) isClaudeCode() bool {
	switch l.typ {
	case "user", "assistant":
		return l.has("message") && (l.has("uuid") || l.has("sessionId"))
	case "system":
		return l.has("uuid") && (l.has("subtype") || l.has("sessionId")) || l.has("subtype", "sessionId")
	case "summary":
		return l.has("summary", "leafUuid")
	case "file-history-snapshot", "file-history-delta", "queue-operation":
		return true
	case "attachment", "progress":
		return l.has("uuid", "sessionId")
	case "last-prompt", "mode", "permission-mode", "tools-used", "cost-state",
		"custom-title", "agent-name", "api-request", "api-request-shape",
		"api-request-blob", "pr-link":
		return l.has("sessionId")
	}
	return false
}

func (l look) isTurn() bool {
	return l.has("id", "text") && (l.has("speaker") || l.has("role") || l.has("session"))
}
