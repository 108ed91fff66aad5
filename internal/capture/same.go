package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalize reduces a text to what makes it different from others: one form
// per character (NFKC), no case, no emphasis or list marks of Markdown, and
// single spaces instead of white space and punctuation. Punctuation inside
// numbers and identifiers stays, because it tells 1.5 from 15 and a-b from ab.
// Normalising twice changes nothing.
func Normalize(content string) string {
	return strings.Join(tokens(content), " ")
}

// hashBytes is how much of the hash is kept: 128 bits tell every memory
// apart, and the store keeps two copies.
const hashBytes = 16

// Hash returns the first half of the SHA-256 of the normalised text in hex.
// Equal hashes are the same memory.
func Hash(content string) string {
	sum := sha256.Sum256([]byte(Normalize(content)))
	return hex.EncodeToString(sum[:hashBytes])
}

// writeNot writes the exclamation marks that mean "not" in code, as in
// "x != 5" and "!ready", as symbols that survive, unlike those of excitement.
func writeNot(s string) string {
	if !strings.Contains(s, "!") {
		return s
	}
	var b strings.Builder
	before := ' '
	for i, r := range s {
		_, width := utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+width:])
		switch word := unicode.IsLetter(before) || unicode.IsNumber(before); {
		case r == '!' && next == '=':
			b.WriteRune('≠')
		case r == '=' && before == '!':
		case r == '!' && !word && before != '!' && (unicode.IsLetter(next) || next == '_' || next == '('):
			b.WriteRune('¬')
		default:
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

// tokens returns the normalised words of a text.
func tokens(content string) []string {
	words := strings.FieldsFunc(writeNot(fold(content)), func(r rune) bool { return !isInner(r) })
	kept := words[:0]
	for _, w := range words {
		if w = bareWord(w); w != "" {
			kept = append(kept, w)
		}
	}
	return kept
}

// bareWord returns a word without what holds words together in the middle but
// only decorates them at the ends: quotes, full stops, stars. The sign of a
// number stays.
func bareWord(w string) string {
	w = strings.TrimRight(w, decoration)
	if len(w) > 1 && strings.IndexByte("-+", w[0]) >= 0 && isDigit(w[1]) {
		return w
	}
	return strings.TrimLeft(w, joiners)
}

// fold removes differences of form and case until there are none left: folding
// case can undo a composition and composing can reveal a capital. Case is
// folded by way of the capital, which joins forms such as σ and ς.
func fold(s string) string {
	const rounds = 4
	lower := func(r rune) rune {
		if r == '’' {
			return '\''
		}
		return unicode.ToLower(unicode.ToUpper(r))
	}
	for range rounds {
		next := norm.NFKC.String(strings.Map(lower, norm.NFKC.String(s)))
		if next == s {
			break
		}
		s = next
	}
	return s
}

// joiners are marks that belong to a word when they are inside it: file
// names, versions, options, identifiers, negations (don't).
const joiners = decoration + "#+%"

// decoration are those that mean nothing at the end of a word; C++, C# and
// 50% keep theirs.
const decoration = "._-/:@'*~"

func isInner(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) || unicode.IsSymbol(r) && r != '`' || strings.ContainsRune(joiners, r)
}

func wordSet(words []string) map[string]struct{} {
	set := make(map[string]struct{}, len(words))
	for _, w := range words {
		set[w] = struct{}{}
	}
	return set
}
