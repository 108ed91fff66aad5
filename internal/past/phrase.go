package past

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// phrase is a text that is found whatever its case and however its words are
// spaced.
type phrase struct {
	runes []rune   // lower case, one space between words
	words [][]byte // the same, to look for in records
}

func newPhrase(text string) phrase {
	lower := strings.Map(unicode.ToLower, oneLine(text))
	return phrase{[]rune(lower), bytes.Fields([]byte(lower))}
}

func (p *phrase) text() string { return string(p.runes) }

func (p *phrase) equal(other *phrase) bool { return slices.Equal(p.runes, other.runes) }

// find returns where the phrase stands in text, most times at most.
func (p *phrase) find(text string, most int) (out [][2]int) {
	if len(p.runes) == 0 {
		return nil
	}
	first := strings.Fields(p.text())[0]
	next := func(at int) int {
		return strings.IndexFunc(text[at:], func(r rune) bool { return unicode.ToLower(r) == p.runes[0] })
	}
	if isASCII(first) { // lower case has the same length, and is found faster
		lower := string(appendLower(nil, text))
		next = func(at int) int { return strings.Index(lower[at:], first) }
	}
	for at := 0; at < len(text) && len(out) < most; {
		skip := next(at)
		if skip < 0 {
			break
		}
		at += skip
		if end, ok := p.at(text, at); ok {
			out = append(out, [2]int{at, end})
			at = end
			continue
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return out
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// appendLower appends a text with its ASCII letters in lower case.
func appendLower[T string | []byte](dst []byte, text T) []byte {
	at := len(dst)
	dst = append(dst, text...)
	rest := dst[at:]
	for ; len(rest) >= 8; rest = rest[8:] {
		binary.LittleEndian.PutUint64(rest, lowerEight(binary.LittleEndian.Uint64(rest)))
	}
	for i, c := range rest {
		if 'A' <= c && c <= 'Z' {
			rest[i] = c + 'a' - 'A'
		}
	}
	return dst
}

// lowerEight does so for eight characters at once: a search for common words
// goes through megabytes.
func lowerEight(chars uint64) uint64 {
	const each = 0x0101010101010101
	seven := chars & (each * 0x7f)
	// the highest bit of each says whether it is at least A, or beyond Z
	fromA, beyondZ := seven+each*(0x80-'A'), seven+each*(0x7f-'Z')
	upper := (fromA ^ beyondZ) & ^chars & (each * 0x80)
	return chars | upper>>2 // 0x80 becomes 0x20, which tells a from A
}

// plain reports a phrase that stands in a record of JSON as it is, but for the
// space between its words.
func (p *phrase) plain() bool {
	return !slices.ContainsFunc(p.runes, func(r rune) bool { return !transparent(r) })
}

// transparent reports characters that stand in JSON as they are, whoever wrote
// it.
func transparent(r rune) bool { return ' ' <= r && r <= '~' && !strings.ContainsRune(`"\/<>&'`, r) }

// inRecord reports whether a record, its ASCII letters in lower case, may hold
// the phrase. It is quicker than reading the record, and may say yes too
// often.
func (p *phrase) inRecord(lower []byte) bool {
	words := p.words
	for at := 0; ; at++ {
		skip := bytes.Index(lower[at:], words[0])
		if skip < 0 {
			return false
		}
		at += skip
		rest := lower[at+len(words[0]):]
		fits := true
		for _, w := range words[1:] {
			gap := spaceInRecord(rest)
			if fits = gap > 0 && bytes.HasPrefix(rest[gap:], w); !fits {
				break
			}
			rest = rest[gap+len(w):]
		}
		if fits && p.apart(lower[:at], rest) {
			return true
		}
	}
}

// longestEscape is how long a character is at most that a record writes in
// another way: \u and four digits.
const longestEscape = 6

// apart reports whether a phrase may stand between two parts of a record as
// words of its own. What stands before it may be the end of an escape, which is
// no part of a word.
func (p *phrase) apart(before, behind []byte) bool {
	if n := len(before); n > 0 && joins(p.runes[0]) && joinsASCII(before[n-1]) && !bytes.ContainsRune(before[max(0, n-longestEscape):], '\\') {
		return false
	}
	return len(behind) == 0 || !joins(p.runes[len(p.runes)-1]) || !joinsASCII(behind[0])
}

func joinsASCII(c byte) bool { return c < utf8.RuneSelf && joins(rune(c)) }

// spaceInRecord returns how many bytes at the start of a record's rest may be
// white space, written as it is or escaped.
func spaceInRecord(rest []byte) int {
	at := 0
	for at < len(rest) {
		switch c := rest[at]; {
		case c == ' ' || c >= utf8.RuneSelf:
			at++
		case c == '\\' && at+1 < len(rest) && rest[at+1] == 'u':
			at += len(`\u0000`)
		case c == '\\':
			at += 2
		default:
			return at
		}
	}
	return len(rest)
}

// at reports whether the phrase stands at a place, as words of their own.
func (p *phrase) at(text string, at int) (end int, ok bool) {
	if joins(p.runes[0]) {
		before, size := utf8.DecodeLastRuneInString(text[:at])
		if isApostrophe(before) {
			before, _ = utf8.DecodeLastRuneInString(text[:at-size])
		}
		if joins(before) {
			return 0, false
		}
	}
	for _, want := range p.runes {
		r, size := utf8.DecodeRuneInString(text[at:])
		if want == ' ' {
			if !unicode.IsSpace(r) {
				return 0, false
			}
			for unicode.IsSpace(r) {
				at += size
				r, size = utf8.DecodeRuneInString(text[at:])
			}
			continue
		}
		if size == 0 || unicode.ToLower(r) != want {
			return 0, false
		}
		at += size
	}
	if joins(p.runes[len(p.runes)-1]) && goesOn(text[at:]) {
		return 0, false
	}
	return at, true
}

// goesOn reports that a word does not end before a text: don't, https://.
func goesOn(rest string) bool {
	r, size := utf8.DecodeRuneInString(rest)
	if isApostrophe(r) {
		next, size2 := utf8.DecodeRuneInString(rest[size:])
		after, _ := utf8.DecodeRuneInString(rest[size+size2:])
		return joins(next) && (unicode.ToLower(next) != 's' || joins(after))
	}
	return joins(r) || strings.HasPrefix(rest, "://")
}

// joins reports characters that make one word with those beside them. In
// scripts without spaces none does.
func joins(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
