package install

import (
	"fmt"
	"slices"
	"strings"
)

// Kinds of changes.
const (
	Added   = "added"
	Updated = "updated"
	Removed = "removed"
)

// Change is one splice of a file: at Offset, Old became New. Offsets are those
// of the text after the changes before it.
type Change struct {
	// At names the entry, as a JSON pointer.
	At string `json:"at"`
	// Kind is [Added], [Updated] or [Removed].
	Kind   string `json:"kind"`
	Line   int    `json:"line"`
	Offset int    `json:"offset"`
	Old    string `json:"old"`
	New    string `json:"new"`
	// Made names the objects and lists that had to be made for the entry, so
	// that they go with it.
	Made []string `json:"made,omitempty"`
}

// Undo takes changes back, the last first. It fails when the text is not the
// one they led to.
func Undo(text []byte, changes []Change) ([]byte, error) {
	for _, c := range slices.Backward(changes) {
		end := c.Offset + len(c.New)
		if c.Offset < 0 || end > len(text) || string(text[c.Offset:end]) != c.New {
			return nil, fmt.Errorf("take back %s: the file was changed since", c.At)
		}
		text = slices.Concat(text[:c.Offset], []byte(c.Old), text[end:])
	}
	return text, nil
}

// Diff shows a change in lines that begin with - and +. Only the entry itself
// is shown, never what stands beside it: that may be secret.
func (c Change) Diff() []string {
	lines := func(sign, s string) (out []string) {
		s = strings.Trim(s, ", \t\r\n")
		if s == "" {
			return nil
		}
		all := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
		last := all[len(all)-1]
		indent := last[:len(last)-len(strings.TrimLeft(last, " \t"))]
		for _, line := range all {
			out = append(out, sign+" "+strings.TrimPrefix(line, indent))
		}
		return out
	}
	return append(lines("-", c.Old), lines("+", c.New)...)
}
