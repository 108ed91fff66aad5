package past

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chitta/internal/keyword"
)

// Mark is a place in a snippet that matched, in characters, the end excluded.
type Mark struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// place is where a condition of a query is met in a text, in bytes.
type place struct {
	start, end int
	what       int // which condition
}

const (
	// maxPlaces bounds how many places in one text are looked at.
	maxPlaces = 200
	// maxLooked is how far into a long text words are looked for to show them,
	// in bytes; the index has already told that they are there.
	maxLooked = 256 << 10
	// snippetBytes is about how long a snippet is, snippetBefore how much of it
	// stands before the first match.
	snippetBytes  = 240
	snippetBefore = 60
)

// places returns where a query is met in a text, in order.
func (q *query) places(a keyword.Analyzer, text string) []place {
	var out []place
	if q.re != nil {
		for _, at := range q.re.FindAllStringIndex(text, maxPlaces) {
			if at[1] > at[0] {
				out = append(out, place{at[0], at[1], 0})
			}
		}
		return out
	}
	what := 0
	find := func(p *phrase, in string) (found bool) {
		for _, at := range p.find(in, maxPlaces) {
			found = true
			out = append(out, place{at[0], at[1], what})
		}
		return found
	}
	for i := range q.phrases {
		find(&q.phrases[i], text)
		what++
	}
	looked := text[:min(len(text), maxLooked)]
	rest := map[string]int{} // terms of words that do not stand there as typed
	for i := range q.words {
		if !find(&q.words[i].exact, looked) {
			for t := range q.words[i].terms {
				rest[t] = what
			}
		}
		what++
	}
	if len(rest) > 0 {
		out = append(out, termPlaces(a, looked, rest)...)
	}
	slices.SortFunc(out, func(a, b place) int { return cmp.Or(a.start-b.start, b.end-a.end) })
	return out
}

// termPlaces returns the words of a text that become one of the terms.
func termPlaces(a keyword.Analyzer, text string, terms map[string]int) []place {
	initials := map[byte]bool{}
	for t := range terms {
		initials[t[0]] = true
	}
	var out []place
	for at := 0; at < len(text) && len(out) < maxPlaces; {
		start := strings.IndexFunc(text[at:], inWord)
		if start < 0 {
			break
		}
		start += at
		end := len(text)
		if n := strings.IndexFunc(text[start:], func(r rune) bool { return !inWord(r) }); n >= 0 {
			end = start + n
		}
		at = end
		word := text[start:end]
		first := word[0] | 0x20
		if first < utf8.RuneSelf && word[0] != '_' && !initials[first] && !hasHumps(word) {
			continue // stemming keeps the first letter
		}
		for _, t := range a.Terms(word) {
			if what, ok := terms[t]; ok {
				out = append(out, place{start, end, what})
				break
			}
		}
	}
	return out
}

// hasHumps reports names that hold several words.
func hasHumps(word string) bool {
	return strings.ContainsFunc(word[1:], func(r rune) bool { return r == '_' || r >= utf8.RuneSelf || unicode.IsUpper(r) || unicode.IsDigit(r) })
}

// conditions counts the different conditions that places meet, up to 64.
func conditions(places []place) int {
	var seen uint64
	for _, p := range places {
		seen |= 1 << min(p.what, 63)
	}
	return bits.OnesCount64(seen)
}

// snippet cuts a piece out of a text around the places that tell most, on one
// line, and says where they are in it.
func snippet(text string, places []place) (string, []Mark) {
	if len(places) == 0 {
		if len(text) <= snippetBytes {
			return oneLine(text), []Mark{}
		}
		return oneLine(text[:boundary(text, snippetBytes)]) + "…", []Mark{}
	}
	first := bestPlace(places)
	from := boundary(text, max(0, places[first].start-snippetBefore))
	if from > 0 { // begin with a word
		if i := strings.IndexFunc(text[from:places[first].start], unicode.IsSpace); i >= 0 {
			from += i
		}
	}
	to := boundary(text, min(len(text), from+snippetBytes))
	if to < len(text) {
		if i := strings.LastIndexFunc(text[from:to], unicode.IsSpace); i > snippetBytes/2 {
			to = from + i
		}
	}
	var b strings.Builder
	marks := []Mark{}
	runes := 0
	if strings.TrimSpace(text[:from]) != "" {
		b.WriteString("…")
		runes++
	}
	at, space := from, true
	copyTo := func(end int) {
		for at < end {
			r, size := utf8.DecodeRuneInString(text[at:])
			at += size
			if unicode.IsSpace(r) {
				if space {
					continue
				}
				space, r = true, ' '
			} else {
				space = false
			}
			b.WriteRune(r)
			runes++
		}
	}
	for _, p := range places {
		if p.start < at || p.start >= to {
			continue
		}
		copyTo(p.start)
		start := runes
		copyTo(min(p.end, to))
		marks = append(marks, Mark{start, runes})
	}
	copyTo(to)
	out := b.String()
	if strings.TrimSpace(text[to:]) != "" {
		out = strings.TrimRight(out, " ") + "…"
	}
	return out, marks
}

// bestPlace returns the first of the places from which on a snippet holds the
// most conditions.
func bestPlace(places []place) int {
	best, most := 0, 0
	for i := range places {
		j := i
		for j < len(places) && places[j].start < places[i].start+snippetBytes-snippetBefore {
			j++
		}
		if n := conditions(places[i:j]); n > most {
			best, most = i, n
		}
	}
	return best
}
