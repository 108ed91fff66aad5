package keyword

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// foldRun appends s in the form all analysis works on: compatibility forms
// resolved, accents off, zero-width characters out, valid UTF-8. Case stays,
// because it marks the humps of identifiers. scratch is reused memory.
func foldRun(dst, scratch []byte, s string) (folded, scratchOut []byte) {
	// Decompose to take the accents off, compose again so that Hangul and
	// kana are single runes.
	scratch = norm.NFKD.AppendString(scratch[:0], s)
	kept := scratch[:0:cap(scratch)]
	extra := []byte(nil) // only letters that grow need a second buffer
	for i := 0; i < len(scratch); {
		r, size := utf8.DecodeRune(scratch[i:])
		i += size
		switch {
		case r == utf8.RuneError:
			r = ' '
		case r >= 0x300 && r <= 0x36f, isInvisible(r):
			continue
		case r == '\u2018' || r == '\u2019' || r == '\u02bc':
			r = '\''
		case r >= '\u2010' && r <= '\u2015' || r == '\u2212':
			r = '-'
		case r >= 0xc6 && r <= 0x1e9e:
			if two := foldLetter(r); two != "" {
				if extra == nil {
					extra = append(make([]byte, 0, len(scratch)+8), kept...)
				}
				extra = append(extra, two...)
				continue
			}
		}
		if extra != nil {
			extra = utf8.AppendRune(extra, r)
		} else {
			kept = utf8.AppendRune(kept, r)
		}
	}
	if extra != nil {
		kept = extra
	}
	return norm.NFC.Append(dst, kept...), scratch
}

// foldLetter gives the plain spelling of Latin letters that Unicode does not
// decompose, and of the final sigma.
func foldLetter(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'ẞ':
		return "SS"
	case 'æ':
		return "ae"
	case 'Æ':
		return "Ae"
	case 'œ':
		return "oe"
	case 'Œ':
		return "Oe"
	case 'ø':
		return "o"
	case 'Ø':
		return "O"
	case 'ł':
		return "l"
	case 'Ł':
		return "L"
	case 'đ', 'ð':
		return "d"
	case 'Đ', 'Ð':
		return "D"
	case 'þ':
		return "th"
	case 'Þ':
		return "Th"
	case 'ħ':
		return "h"
	case 'ı':
		return "i"
	case 'ς':
		return "σ"
	}
	return ""
}

// isInvisible reports characters that never separate words: soft hyphen,
// zero-width space and marks, byte order mark. The zero-width joiner stays: it
// holds emoji together.
func isInvisible(r rune) bool {
	switch {
	case r == 0xad, r >= 0x200b && r <= 0x200c, r >= 0x200e && r <= 0x200f,
		r >= 0x2060 && r <= 0x2064, r == 0xfeff:
		return true
	}
	return false
}

type runeClass uint8

const (
	classBreak runeClass = iota
	classWord            // letter, digit, underscore, mark
	classCJK             // scripts written without spaces, cut into bigrams
	classEmoji
)

func classify(r rune) runeClass {
	switch {
	case r < utf8.RuneSelf:
		if isWordByte(byte(r)) {
			return classWord
		}
		return classBreak
	case isEmoji(r):
		return classEmoji
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul), r == 'ー':
		return classCJK
	case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r) && !isVariation(r):
		return classWord
	}
	return classBreak
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

func isEmoji(r rune) bool {
	switch {
	case r >= 0x1f000 && r <= 0x1faff, // pictographs, regional indicators
		r >= 0x2600 && r <= 0x27bf, // symbols and dingbats, check marks among them
		r >= 0x23e9 && r <= 0x23fa, r == 0x231a, r == 0x231b,
		r == 0x2b1b, r == 0x2b1c, r == 0x2b50, r == 0x2b55:
		return true
	}
	return false
}

const zeroWidthJoiner = 0x200d

func isVariation(r rune) bool  { return r >= 0xfe00 && r <= 0xfe0f || r == 0x20e3 }
func isSkinTone(r rune) bool   { return r >= 0x1f3fb && r <= 0x1f3ff }
func isRegionFlag(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }
