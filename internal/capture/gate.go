package capture

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of the zero [Gate].
const (
	DefaultMinChars = 10
	DefaultMaxBytes = 256 << 10 // a memory is a statement; this much is a document already
)

// Gate refuses text that cannot be a useful memory.
type Gate struct {
	MinChars int // least weight, see [Weight]; 0: [DefaultMinChars]
	MaxBytes int // 0: [DefaultMaxBytes]
}

// GateError says why a text was refused and what to do about it.
type GateError struct {
	Field  string // what was checked
	Reason string
	Fix    string
}

func (e *GateError) Error() string { return e.Field + " " + e.Reason }

// Hint tells the caller what to do about it.
func (e *GateError) Hint() string { return e.Fix }

// Check returns nil when a text may be stored, else a [*GateError].
func (g Gate) Check(content string) error {
	least, most := g.MinChars, g.MaxBytes
	if least <= 0 {
		least = DefaultMinChars
	}
	if most <= 0 {
		most = DefaultMaxBytes
	}
	refuse := func(fix, reason string, args ...any) error {
		return &GateError{Field: "content", Reason: fmt.Sprintf(reason, args...), Fix: fix}
	}
	if len(content) > most {
		return refuse("shorten it or split it into several memories", "is %d bytes long; the limit is %d", len(content), most)
	}
	if at := strings.IndexByte(content, 0); at >= 0 {
		return refuse("remove the NUL byte; binary data cannot be remembered", "has a NUL byte at offset %d", at)
	}
	if at := invalidAt(content); at >= 0 {
		return refuse("send the text as UTF-8", "is not valid UTF-8 at offset %d", at)
	}
	if strings.TrimSpace(content) == "" {
		return refuse("say what is to be remembered", "is empty")
	}
	if !strings.ContainsFunc(content, isSubstance) {
		return refuse("say it in words", "has no letters or digits")
	}
	if weight := Weight(content); weight < least {
		return refuse("say it in a full sentence that will make sense on its own", "is too short (%d of at least %d characters)", weight, least)
	}
	return nil
}

// Weight counts the characters that carry meaning: letters, digits and
// symbols, but neither space nor punctuation. A character of a script that
// writes a syllable or a word with one character (Chinese, Japanese, Korean)
// counts double, so that a sentence of five of them passes where ten letters
// do.
func Weight(content string) int {
	weight := 0
	for _, r := range content {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			weight += 2
		case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r), unicode.IsSymbol(r):
			weight++
		}
	}
	return weight
}

func isSubstance(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// invalidAt returns the offset of the first byte that is not UTF-8, or -1.
func invalidAt(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}
