package capture

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NearDuplicate reports whether two texts say the same in the same words. Case,
// punctuation, Markdown, articles, fillers such as "please" or "just", and the
// spelling of contractions (don't, do not) may differ; every other word, and
// the order, must be equal. What is taken for a duplicate is lost, so a doubt
// counts as a difference: singular and plural are different words too, because
// in code user and users are two names.
func NearDuplicate(a, b string) bool {
	if slices.Equal(tokens(a), tokens(b)) {
		return true
	}
	wa, wb := tellingWords(a), tellingWords(b)
	return len(wa) > 0 && slices.Equal(wa, wb)
}

// tellingWords returns the normalised words of a text without those that
// change nothing, with contractions written out.
func tellingWords(content string) []string {
	type word struct {
		text string
		name bool // written as code or as an option, such as `just` or --now
	}
	var words []word
	raw := strings.FieldsFuncSeq(writeNot(fold(content)), func(r rune) bool { return !isInner(r) && r != '`' })
	for w := range raw {
		code := strings.Contains(w, "`")
		for part := range strings.SplitSeq(w, "`") {
			bare := bareWord(part)
			if bare == "" {
				continue
			}
			marked := strings.IndexByte("-./:@#+%~", part[0]) >= 0
			words = append(words, word{bare, code || marked})
		}
	}
	var kept []string
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1].text
		}
		before := ""
		if len(kept) > 0 {
			before = kept[len(kept)-1]
		}
		switch {
		case w.name:
			kept = append(kept, w.text)
		case isArticle(w.text, before, next):
		case isFiller(w.text) && !isNegation(before):
			// After a negation it decides: "not just for reads" is the
			// opposite of "not for reads".
		default:
			kept = writtenOut(kept, w.text)
		}
	}
	return kept
}

// isArticle reports whether a word is an article. Beside other single
// characters, and at the end, "a" is the name of something.
func isArticle(w, before, next string) bool {
	switch w {
	case "the":
		return true
	case "a", "an":
		return utf8.RuneCountInString(next) > 1 && utf8.RuneCountInString(before) != 1
	}
	return false
}

// isFiller reports whether a word says nothing where it stands. Prepositions,
// conjunctions, modal verbs and quantities all say something.
func isFiller(w string) bool {
	switch w {
	case "please", "just", "very", "really", "that", "also", "then", "so", "now", "actually", "basically", "simply", "indeed", "quite":
		return true
	}
	return false
}

func isNegation(w string) bool {
	switch w {
	case "not", "no", "never", "none", "without", "neither", "nor", "cannot", "hardly", "nicht", "kein", "keine", "nie", "ohne",
		"pas", "jamais", "sans", "sin", "nunca", "nunquam", "不", "没", "無", "无", "未", "非", "勿", "别":
		return true
	}
	return strings.HasSuffix(w, "n't")
}

// writtenOut appends a word, or the two words that it is short for.
func writtenOut(words []string, w string) []string {
	switch w {
	case "cannot", "can't":
		return append(words, "can", "not")
	case "won't":
		return append(words, "will", "not")
	case "shan't":
		return append(words, "shall", "not")
	}
	for _, short := range [...][2]string{{"n't", "not"}, {"'re", "are"}, {"'ve", "have"}, {"'ll", "will"}, {"'m", "am"}} {
		if stem, ok := strings.CutSuffix(w, short[0]); ok && stem != "" {
			return append(words, stem, short[1])
		}
	}
	return append(words, w)
}

// SameParticulars reports whether two texts that mean nearly the same agree in
// what turns a statement into another one:
//
//   - numbers, identifiers, negations and limits: each as often in both;
//   - names: what is written as one in either text is in both;
//   - opposites: where both texts speak of increasing or decreasing, of client
//     or server, they do so in the same order;
//   - roles: the words that both have come in the same order, but for a clause
//     that may have moved from one end of a sentence to the other.
//
// Texts that differ there say different things, however alike they are.
func SameParticulars(a, b string) bool {
	wa, wb := tellingWords(a), tellingWords(b)
	if !sameDecisive(wa, wb) || !sameNames(a, b) {
		return false
	}
	sa, sb := stems(wa), stems(wb)
	if opposed(sa, sb) {
		return false
	}
	return sameOrder(sa, sb) || isOneSentence(a) && isOneSentence(b) && clauseMoved(sa, sb)
}

// sameDecisive reports whether both texts have the same decisive words, each
// as often.
func sameDecisive(a, b []string) bool {
	count := map[string]int{}
	for _, w := range a {
		if isDecisive(w) {
			count[w]++
		}
	}
	for _, w := range b {
		if isDecisive(w) {
			count[w]--
		}
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// isDecisive reports whether a normalised word decides what a text says.
func isDecisive(w string) bool {
	if isNegation(w) {
		return true
	}
	switch w {
	case "except", "unless", "only", "always", "all", "any", "before", "after", "until", "true", "false", "on", "off",
		"enable", "disable", "enabled", "disabled", "must", "may", "should":
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

// sameNames reports whether every name in one text is somewhere in the other.
func sameNames(a, b string) bool {
	return hasNamesOf(a, wordSet(tokens(b))) && hasNamesOf(b, wordSet(tokens(a)))
}

// hasNamesOf reports whether a set of words has every name in a text: words
// with a capital that does not come from the start of a sentence.
func hasNamesOf(text string, words map[string]struct{}) bool {
	starts := true
	for w := range strings.FieldsSeq(text) {
		bare := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		first, size := utf8.DecodeRuneInString(bare)
		name := strings.ContainsFunc(bare[size:], unicode.IsUpper) || unicode.IsUpper(first) && !starts && len(bare) > 1
		starts = bare == "" || strings.ContainsAny(w[len(w)-1:], ".!?:")
		if !name {
			continue
		}
		for _, t := range tokens(bare) {
			if _, ok := words[t]; !ok {
				return false
			}
		}
	}
	return true
}

// sameOrder reports whether the words that both texts have equally often come
// in the same order.
func sameOrder(a, b []string) bool {
	_, places := sharedWords(a, b, len(a))
	return slices.IsSorted(places)
}

// clauseMoved reports whether the words that both texts have once come in the
// same order but for a clause or a phrase, known by its first word, that moved
// from one end to the other: "before the release, run the tests" is "run the
// tests before the release". Names that change places around a verb do not
// leave two parts whole, or take no such word along.
func clauseMoved(a, b []string) bool {
	words, places := sharedWords(a, b, 1)
	at := 0 // where the second part begins
	for i := 1; i < len(places); i++ {
		if places[i] > places[i-1] {
			continue
		}
		if at > 0 {
			return false // more than two parts
		}
		at = i
	}
	if at == 0 || places[len(places)-1] > places[0] {
		return false
	}
	const leastClause = 2 // the word that opens it, and what it is about
	return opensClause(words[0]) && at >= leastClause || opensClause(words[at]) && len(words)-at >= leastClause
}

// sharedWords returns the words of a that are in b as often, and their places
// there. Words that occur more than most times are left out.
func sharedWords(a, b []string, most int) (words []string, places []int) {
	at := map[string][]int{}
	for i, w := range b {
		at[w] = append(at[w], i)
	}
	count := map[string]int{}
	for _, w := range a {
		count[w]++
	}
	seen := map[string]int{}
	for _, w := range a {
		if count[w] != len(at[w]) || count[w] > most {
			continue
		}
		words = append(words, w)
		places = append(places, at[w][seen[w]])
		seen[w]++
	}
	return words, places
}

func opensClause(stemmed string) bool {
	for _, w := range [...]string{
		"before", "after", "when", "whenever", "if", "unless", "because", "while", "until", "once", "since", "although", "for",
		"in", "on", "at", "with", "without", "during", "to", "from", "by", "under", "inside", "within",
	} {
		if stem(w) == stemmed {
			return true
		}
	}
	return false
}

// isOneSentence reports whether a text is a single sentence. The order of
// sentences may be the order of steps.
func isOneSentence(text string) bool {
	text = strings.TrimSpace(text)
	return !strings.ContainsAny(text, "\n;") && !strings.Contains(text, ". ") && !strings.Contains(text, "! ") && !strings.Contains(text, "? ")
}
