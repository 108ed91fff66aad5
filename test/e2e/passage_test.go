package e2e

import (
	"strings"

	"chitta/internal/capture"
)

// passages returns what chitta handed over in a text, and the rest of it.
func passages(text string) (inside []string, outside string) {
	var rest strings.Builder
	for {
		at := strings.Index(text, capture.EchoOpen)
		if at < 0 {
			rest.WriteString(text)
			return inside, rest.String()
		}
		rest.WriteString(text[:at])
		text = text[at:]
		end := strings.Index(text, capture.EchoClose)
		if end < 0 { // never closed: all of it poses as something else
			rest.WriteString(text)
			return inside, rest.String()
		}
		inside = append(inside, text[:end+len(capture.EchoClose)])
		text = text[end+len(capture.EchoClose):]
	}
}
