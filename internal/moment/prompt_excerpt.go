package moment

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"chitta/internal/mind"
)

// pieceEnds are where a passage can be cut: ends of lines and of sentences.
var pieceEnds = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n+|[.!?](?:\s+)`) })

// excerptPieces bounds how many pieces of a passage are compared.
const excerptPieces = 200

// excerpt returns the part of a passage that has the most of some words, as
// whole sentences where they fit, in at most so many characters.
func excerpt(m *mind.Mind, text string, words []mind.Word, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	pieces := cutPieces(text)
	fits := make([]int, len(pieces))
	best := 0
	for i, p := range pieces {
		terms := m.Terms(p)
		for _, w := range words {
			if terms[w.Terms[0]] {
				fits[i]++
			}
		}
		if fits[i] > fits[best] {
			best = i
		}
	}
	first, last := best, best
	size := utf8.RuneCountInString(pieces[best])
	for { // what follows first: reasons stand behind statements
		switch {
		case last+1 < len(pieces) && size+1+utf8.RuneCountInString(pieces[last+1]) <= most:
			last++
			size += 1 + utf8.RuneCountInString(pieces[last])
		case first > 0 && size+1+utf8.RuneCountInString(pieces[first-1]) <= most:
			first--
			size += 1 + utf8.RuneCountInString(pieces[first])
		default:
			return strings.Join(pieces[first:last+1], " ")
		}
	}
}

func cutPieces(text string) []string {
	var out []string
	at := 0
	for _, cut := range pieceEnds().FindAllStringIndex(text, excerptPieces) {
		if p := strings.TrimSpace(text[at:cut[1]]); p != "" {
			out = append(out, p)
		}
		at = cut[1]
	}
	if p := strings.TrimSpace(text[at:]); p != "" || len(out) == 0 {
		out = append(out, p)
	}
	return out
}
