package quick

import (
	"errors"
	"unicode/utf8"
)

// Fence is what text for the agent stands between; it is that of package
// capture, which marks it as reference material.
const (
	FenceOpen  = "<chitta-memory"
	FenceClose = "</chitta-memory>"
)

// maxOutput is how many characters a hook prints at most. From 10,000 on the
// client puts the text into a file and shows its agent a piece of it. They are
// counted as the client does, in UTF-16.
const maxOutput = 9_900

var errUnfenced = errors.New("the text is not marked as reference material")

// Output returns what to print to hand text to the agent: nothing for an event
// that gets none. Text that is too long loses lines at its end, but never its
// closing mark, and text without marks is not handed over: the agent could take
// it for something that its user said.
func Output(event, text string) ([]byte, error) {
	if rule, _ := RuleOf(event); text == "" || !rule.Speaks {
		return nil, nil
	}
	n := len(text) - len(FenceClose)
	if n <= len(FenceOpen) || text[:len(FenceOpen)] != FenceOpen || text[n:] != FenceClose {
		return nil, errUnfenced
	}
	out := append([]byte(`{"hookSpecificOutput":{"hookEventName":"`), event...)
	out = append(out, `","additionalContext":`...)
	const rest = "}}\n"
	room := maxOutput - len(out) - len(`"\n"`) - len(FenceClose) - len(rest)
	out = appendString(out, fit(text[:n], room)+FenceClose)
	return append(out, rest...), nil
}

// fit makes text harmless for a terminal and returns as many of its lines as
// have room when written as a JSON string. A line too long for all the room is
// cut.
func fit(text string, room int) string {
	clean := make([]byte, 0, len(text))
	used, line := 0, 0 // line is where the last whole line ends
	for _, r := range text {
		if isControl(r) {
			continue
		}
		size := 1
		switch {
		case r == '"' || r == '\\' || r == '\n' || r == '\t' || r > 0xFFFF:
			size = 2
		}
		if used += size; used > room {
			if line == 0 {
				return string(clean) + "\n"
			}
			return string(clean[:line])
		}
		clean = utf8.AppendRune(clean, r)
		if r == '\n' {
			line = len(clean)
		}
	}
	return string(clean)
}

// isControl reports whether a rune does something to a terminal instead of
// being shown, or turns the direction of what follows.
func isControl(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, r >= 0x7F && r < 0xA0:
		return true
	}
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}
