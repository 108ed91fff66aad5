package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// nearDuplicate is the share of words two texts must have in common to be
// taken for the same thing said twice: one word in twenty may differ on each
// side. Words that change the meaning may never differ.
const nearDuplicate = 0.9

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

// tokens returns the normalised words of a text.
func tokens(content string) []string {
	words := strings.FieldsFunc(fold(content), func(r rune) bool { return !isInner(r) })
	kept := words[:0]
	for _, w := range words {
		// What holds a word together in the middle only decorates it at
		// the ends: quotes, full stops, stars. A sign or a path's slash
		// in front stays.
		w = strings.TrimRight(w, decoration)
		sign := len(w) > 1 && strings.IndexByte("-+", w[0]) >= 0 && isDigit(w[1])
		if bare := strings.TrimLeft(w, joiners); !sign {
			w = bare
		}
		if w != "" {
			kept = append(kept, w)
		}
	}
	return kept
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

// Overlap returns how much two texts have in common, as the share of words of
// either that both have (Jaccard index of their normalised words). Two texts
// without words have everything in common.
func Overlap(a, b string) float64 {
	return jaccard(wordSet(tokens(a)), wordSet(tokens(b)))
}

// NearDuplicate reports whether two texts say the same: at least nine tenths
// of their words are shared, and no word that differs is a number, an
// identifier, a negation or a limit. "port 8080" and "port 8081" differ.
func NearDuplicate(a, b string) bool {
	ta, tb := tokens(a), tokens(b)
	sa, sb := wordSet(ta), wordSet(tb)
	if len(sa) == 0 || len(sb) == 0 {
		return len(sa) == len(sb)
	}
	if jaccard(sa, sb) < nearDuplicate {
		return false
	}
	ca, cb := decisiveCounts(ta), decisiveCounts(tb)
	if len(ca) != len(cb) {
		return false
	}
	for w, n := range ca {
		if cb[w] != n {
			return false
		}
	}
	return sameOrder(ta, tb)
}

// decisiveCounts counts the words that decide what a text says.
func decisiveCounts(words []string) map[string]int {
	count := map[string]int{}
	for _, w := range words {
		if isDecisive(w) {
			count[w]++
		}
	}
	return count
}

// sameOrder reports whether the decisive words come in the same order: "a.go
// imports b.go" is not "b.go imports a.go".
func sameOrder(a, b []string) bool {
	i := 0
	for _, w := range a {
		if !isDecisive(w) {
			continue
		}
		for i < len(b) && !isDecisive(b[i]) {
			i++
		}
		if i == len(b) || b[i] != w {
			return false
		}
		i++
	}
	return true
}

// isDecisive reports whether a normalised word may not differ between
// duplicates.
func isDecisive(w string) bool {
	switch w {
	case "not", "no", "never", "none", "without", "neither", "nor", "cannot", "except", "unless", "only", "always", "all", "any",
		"before", "after", "true", "false", "on", "off", "enable", "disable", "enabled", "disabled", "must", "may", "should",
		"nicht", "kein", "keine", "nie", "ohne", "pas", "jamais", "sans", "sin", "nunca", "nunquam",
		"不", "没", "無", "无", "未", "非", "勿", "别":
		return true
	}
	if strings.HasSuffix(w, "n't") {
		return true
	}
	for _, r := range w {
		if unicode.IsNumber(r) || strings.ContainsRune("._-/:@#+", r) {
			return true // a number, a version, a path, an identifier
		}
		// A script without spaces between words: one character decides.
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			return true
		}
	}
	return false
}

func wordSet(words []string) map[string]struct{} {
	set := make(map[string]struct{}, len(words))
	for _, w := range words {
		set[w] = struct{}{}
	}
	return set
}

func jaccard(a, b map[string]struct{}) float64 {
	if len(a) == 0 && len(b) == 0 {
		return 1
	}
	shared := 0
	for w := range a {
		if _, both := b[w]; both {
			shared++
		}
	}
	return float64(shared) / float64(len(a)+len(b)-shared)
}
