package past

import (
	"strings"
	"unicode/utf8"
)

// runesPerToken is how a budget of tokens counts in characters.
const runesPerToken = 4

// Shorten cuts a text to about so many tokens, at the end of a word if one
// is near.
func Shorten(text string, tokens int) (string, bool) {
	most := max(1, tokens*runesPerToken-1)
	if utf8.RuneCountInString(text) <= most+1 {
		return text, false
	}
	cut := string([]rune(text)[:most])
	if i := strings.LastIndexAny(cut, " \n\t"); i > len(cut)*3/4 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " \n\t") + "…", true
}

// Beginning is the beginning of a text, on one line.
func Beginning(text string, tokens int) string {
	short, _ := Shorten(oneLine(text), tokens)
	return short
}

// oneLine puts a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// boundary returns the last place at or before i where a character begins.
func boundary(text string, i int) int {
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// clip cuts a text after n characters.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}
