package session

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// split cuts a text into pieces of at most size tokens, but for one that is
// only a little longer. Each piece begins with
// the end of the one before it, about overlap tokens. All that is not white
// space is in some piece; a text without any has none.
func split(text string, size, overlap int, tokens func(string) int) []string {
	if text = strings.TrimRightFunc(text, unicode.IsSpace); text == "" {
		return nil
	}
	if tokens(text) <= size+size/4 { // better a little long than a small rest
		return []string{trimPiece(text)}
	}
	var pieces []string
	code := codeSpans(text)
	start, done := 0, 0 // where the piece begins, and up to where all is cut
	for {
		end := start + fitting(text[start:], size, tokens)
		if end <= done { // nothing new fits behind the overlap
			start = done
			continue
		}
		if end < len(text) {
			end = cut{text, code}.before(max(start+(end-start)/2, done), end, max(start, done))
		}
		if piece := trimPiece(text[start:end]); piece != "" {
			pieces = append(pieces, piece)
		}
		if end == len(text) {
			return pieces
		}
		back := 0
		if n := tokens(text[start:end]); n > 0 {
			back = (end - start) * overlap / n
		}
		done = end
		start = cut{text, code}.after(max(start+1, end-back), end)
	}
}

// trimPiece leaves out the space around a piece, but not the indent of its
// first line.
func trimPiece(text string) string {
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	from := 0
	for i, r := range text {
		if r == '\n' {
			from = i + 1
		} else if !unicode.IsSpace(r) {
			break
		}
	}
	return text[from:]
}

// fitting returns how many bytes of text, whole characters and at least one,
// have at most size tokens.
func fitting(text string, size int, tokens func(string) int) int {
	_, fits := utf8.DecodeRuneInString(text)
	over := len(text) + 1 // the fewest bytes known to be too many
	step := min(size, len(text)) * charsPerToken
	for fits < len(text) && fits+1 < over {
		var at int
		if over > len(text) {
			at = wholeRunes(text, min(fits+step, len(text)))
			step *= 2
		} else if at = wholeRunes(text, (fits+over)/2); at >= over {
			return fits // only part of a character lies between
		}
		if tokens(text[:at]) <= size {
			fits = at
		} else {
			over = at
		}
	}
	return fits
}

// wholeRunes moves at forward to where a character ends.
func wholeRunes(text string, at int) int {
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}

// cut finds good places to cut a text.
type cut struct {
	text string
	code []codeSpan
}

// before returns the best place to cut in (low, high]. In code that is only
// between lines, down to floor if need be: a line is cut only if it alone is
// too long.
func (c cut) before(low, high, floor int) int {
	for _, good := range []func(int) bool{c.paragraph, c.sentence} {
		for at := high; at > low; at-- {
			if good(at) && !c.inCode(at) {
				return at
			}
		}
	}
	if at := strings.LastIndexByte(c.text[low:high], '\n'); at >= 0 {
		return low + at + 1
	}
	if c.inCode(high) {
		if at := strings.LastIndexByte(c.text[floor:high], '\n'); at >= 0 {
			return floor + at + 1
		}
	}
	for at := high; at > low; at-- {
		if c.word(at) {
			return at
		}
	}
	return high
}

// after returns the first good place to begin in [low, high): at a line or a
// sentence, else at a word; high if there is none.
func (c cut) after(low, high int) int {
	for _, good := range []func(int) bool{c.lineOrSentence, c.word} {
		for at := low; at < high; at++ {
			if good(at) && (c.text[at-1] == '\n' || !c.inCode(at)) {
				return at
			}
		}
	}
	return high
}

func (c cut) paragraph(at int) bool {
	return at >= 2 && c.text[at-1] == '\n' && (c.text[at-2] == '\n' || strings.HasSuffix(c.text[:at-1], "\n\r"))
}

func (c cut) lineOrSentence(at int) bool {
	return c.text[at-1] == '\n' || c.sentence(at)
}

func (c cut) word(at int) bool {
	return isSpace(c.text[at-1]) && at < len(c.text) && !isSpace(c.text[at])
}

// sentence reports whether a sentence has ended before at. Chinese and
// Japanese put no space after it.
func (c cut) sentence(at int) bool {
	if at < len(c.text) && !utf8.RuneStart(c.text[at]) {
		return false
	}
	before := c.text[:at]
	if isSpace(before[at-1]) {
		if at < len(c.text) && isSpace(c.text[at]) {
			return false // the last space decides
		}
		before = strings.TrimRight(before, " \t\r\n")
		before = strings.TrimRight(before, `"')]*`)
		return before != "" && strings.IndexByte(".!?", before[len(before)-1]) >= 0
	}
	switch r, _ := utf8.DecodeLastRuneInString(before); r {
	case '。', '！', '？':
		return true
	}
	return false
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }
