package session

import "strings"

// maxTitle is how long a title may be, in characters.
const maxTitle = 80

// TitleOf is the title that a conversation gets from what a person says first:
// the first line.
func TitleOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	runes := []rune(strings.Join(strings.Fields(line), " "))
	if len(runes) > maxTitle {
		return string(runes[:maxTitle-1]) + "…"
	}
	return string(runes)
}
