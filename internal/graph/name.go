package graph

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxName is the length of the longest name of a concept, in characters. A
// name is a few words; what is longer is a text, and belongs into a memory.
const MaxName = 200

// ErrName says that a text cannot be the name of a concept.
var ErrName = errors.New("not a name")

// CanonicalName returns the name under which a concept is stored and shown:
// without blanks around it, quotes and invisible marks, and with a dot for
// each blank in it. Letter case stays as it was written. Errors are
// [ErrName].
func CanonicalName(s string) (string, error) {
	// checked before any work is done on it: a text of megabytes is refused
	// as quickly as one of a line
	if len(s) > 2*MaxName*utf8.UTFMax {
		return "", tooLong(len(s))
	}
	if !utf8.ValidString(s) {
		return "", fmt.Errorf("%w: %q is not valid UTF-8", ErrName, s)
	}
	var b strings.Builder
	gap := false // blanks not yet written
	for _, r := range strings.TrimFunc(norm.NFC.String(s), isPadding) {
		switch {
		case isLineEnd(r) || unicode.IsControl(r) && r != '\t':
			return "", fmt.Errorf("%w: %q has a line break or control character in it; a name is one line of text", ErrName, s)
		case r == ',':
			return "", fmt.Errorf("%w: %q has a comma in it; name one thing at a time, with dots between its parts", ErrName, s)
		case isQuote(r) || isInvisible(r):
		case unicode.IsSpace(r):
			gap = b.Len() > 0
		default:
			if gap && r != '.' && !strings.HasSuffix(b.String(), ".") {
				b.WriteByte('.')
			}
			gap = false
			b.WriteRune(r)
		}
	}
	name := norm.NFC.String(b.String())
	if n := utf8.RuneCountInString(name); n > MaxName {
		return "", tooLong(n)
	}
	if Key(name) == "" {
		return "", fmt.Errorf("%w: %q has no letters or digits; write a name such as socket.failure", ErrName, s)
	}
	return name, nil
}

func tooLong(n int) error {
	return fmt.Errorf("%w: %d characters are too long, at most %d fit; name the thing in a few words and remember the rest as a memory", ErrName, n, MaxName)
}

// Key returns what names are compared by. Letter case makes no difference,
// and neither does which separator stands between the parts of a name, nor
// how often: Socket_Failure, socket-failure and socket::failure are one. A
// dot in front stays, since .env and env are not. Words joined by capitals
// are one part: where socketFailure falls apart is a guess.
func Key(s string) string {
	if key, ok := plainKey(s); ok {
		return key
	}
	var b strings.Builder
	gap, dot := false, false
	runes := []rune(norm.NFC.String(s))
	for i, r := range runes {
		if isSeparator(r) || r == ':' && beside(runes, i) {
			gap, dot = true, dot || r == '.'
			continue
		}
		if isQuote(r) || isUnseen(r) {
			continue
		}
		if gap && (b.Len() > 0 || dot) {
			b.WriteByte('.')
		}
		gap = false
		b.WriteString(foldRune(r))
	}
	return norm.NFC.String(b.String())
}

// foldRune takes letter case away. By way of the capital, since several small
// letters may share one, as s and the long s do.
func foldRune(r rune) string {
	if r == 'ß' || r == 'ẞ' {
		return "ss"
	}
	return string(unicode.ToLower(unicode.ToUpper(r)))
}

// plainKey is Key for the names most often met, which are their own.
func plainKey(s string) (string, bool) {
	for i := range len(s) {
		c := s[i]
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
			continue
		}
		if c != '.' || i == len(s)-1 || s[i+1] == '.' {
			return "", false
		}
	}
	return s, true
}

// beside reports whether the colon at i is one of two.
func beside(runes []rune, i int) bool {
	return i > 0 && runes[i-1] == ':' || i+1 < len(runes) && runes[i+1] == ':'
}

func isSeparator(r rune) bool {
	switch r {
	case '.', '_', '-', '/':
		return true
	}
	return unicode.IsSpace(r)
}

func isQuote(r rune) bool {
	switch r {
	case '"', '`', '“', '”', '„', '«', '»':
		return true
	}
	return false
}

// isPadding reports whether r is no part of a name that begins or ends with
// it. Apostrophes are: inside a name they belong to a word.
func isPadding(r rune) bool {
	return unicode.IsSpace(r) || isQuote(r) || isInvisible(r) || r == '\'' || r == '‘' || r == '’'
}

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' }

// isInvisible reports whether r shows nothing and changes how the text around
// it is shown, or whether two names look the same. The joiners of scripts and
// emoji are not among them.
func isInvisible(r rune) bool {
	return unicode.Is(unicode.Bidi_Control, r) || r == '\u200b' || r == '\ufeff' || r == '\u00ad' || r == '\u2060'
}

// isUnseen reports whether r makes no difference to what a name is: also what
// only chooses between ways of showing a character.
func isUnseen(r rune) bool {
	return isInvisible(r) || unicode.Is(unicode.Join_Control, r) || unicode.Is(unicode.Variation_Selector, r)
}
