package codebase

import (
	"strings"
	"unicode"
)

// Shown is a name from elsewhere, of a file or a symbol, as it can stand in a
// line: characters that would break the line or turn the direction of writing
// are made visible. It is for reading; answers in JSON have the name itself.
func Shown(name string) string {
	if strings.IndexFunc(name, disturbs) < 0 {
		return name
	}
	return strings.Map(func(r rune) rune {
		const pictures = '\u2400' // ␀ to ␟
		switch {
		case r < ' ':
			return pictures + r
		case disturbs(r):
			return unicode.ReplacementChar
		}
		return r
	}, name)
}

// ShownList is [Shown] for several, with commas between.
func ShownList(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = Shown(n)
	}
	return strings.Join(out, ", ")
}

func disturbs(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}
