package graph

import (
	"errors"
	"strings"
	"unicode"
)

// errDoubt says why an explicit statement in a sentence is not read.
var errDoubt = errors.New("the sentence denies it, doubts it, asks for it or gives it as an example; if it is meant, write the statement on a line of its own")

// A statement is not meant where the words before it deny it, doubt it, ask for
// it or call it an example, or the words behind it take it back.
var (
	doubtBefore = wordSet(`not no never neither nor without cannot none hardly nobody nothing unlikely
		if whether unless maybe perhaps possibly supposedly allegedly apparently presumably might may could would should shall
		suppose supposing imagine assume assuming hypothesis hypothetical hypothetically theory theoretically
		unsure uncertain unclear doubt doubtful doubts suspect wonder guess guessing believed thought claimed claims
		wrong false untrue incorrect disproved disproven refuted debunked denied rejected invalid contrary myth formerly
		example examples e.g eg i.e instance sample syntax notation format template placeholder dummy
		nicht kein keine nie niemals ob vielleicht vermutlich angeblich falsch beispiel
		pas jamais peut-être exemple faux quizás ejemplo falso talvez exemplo`)
	doubtBehind = wordSet(`not never wrong false untrue incorrect disproved disproven refuted debunked invalid would might may could
		maybe perhaps possibly if unless example nicht falsch`)
)

// maxAside is how much text around a statement is looked at for what it says of
// it, in bytes: more than a sentence has, and a bound on the work on a line.
const maxAside = 512

// sentenceEnds are the signs that end a sentence when a blank follows.
const sentenceEnds = ".!?;"

// doubted reports whether the words around a statement say that it is not
// meant: lead is what its sentence begins with on the lines before, left what
// stands before its subject, and right what stands behind its object.
func doubted(lead, left, right string) bool {
	for _, s := range []string{lead, left} {
		s = s[max(0, len(s)-maxAside):]
		if hasWord(lastSentence(s), doubtBefore) {
			return true
		}
	}
	rest, ended := firstSentence(right[:min(len(right), maxAside)])
	if ended == '?' {
		return true
	}
	clause, _, _ := strings.Cut(rest, ",")
	for _, cut := range []string{" so ", " because "} {
		clause, _, _ = strings.Cut(clause, cut)
	}
	return hasWord(clause, doubtBehind)
}

// hasWord reports whether a text has one of the given words in it, or a short
// form such as isn't.
func hasWord(text string, words map[string]bool) bool {
	for w := range strings.FieldsSeq(text) {
		w = strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
		w = strings.ReplaceAll(w, "’", "'")
		if words[w] || strings.HasSuffix(w, "n't") {
			return true
		}
	}
	return false
}

// lastSentence returns what stands behind the last end of a sentence.
func lastSentence(s string) string {
	for i := len(s) - 2; i >= 0; i-- {
		if strings.IndexByte(sentenceEnds, s[i]) >= 0 && isBlank(s[i+1]) && !abbreviated(s[:i+1]) {
			return s[i+2:]
		}
	}
	return s
}

// abbreviated reports whether the dot at the end of s belongs to a word that
// announces an example.
func abbreviated(s string) bool {
	s = strings.ToLower(s)
	return strings.HasSuffix(s, "e.g.") || strings.HasSuffix(s, "i.e.")
}

// firstSentence returns what stands before the first end of a sentence, and the
// sign that ends it.
func firstSentence(s string) (sentence string, end byte) {
	for i := range len(s) {
		if strings.IndexByte(sentenceEnds, s[i]) >= 0 && (i+1 == len(s) || isBlank(s[i+1])) {
			return s[:i], s[i]
		}
	}
	return s, 0
}

// leading returns what the line before says of the one at hand: it announces
// it, or the sentence runs on.
func (r *reader) leading(text string) string {
	lead := r.lead
	switch {
	case strings.HasSuffix(lead, ":"):
		return lead
	case lead == "" || r.apart || len(trimBullet(text)) < len(text) || strings.IndexByte(sentenceEnds, lead[len(lead)-1]) >= 0:
		return ""
	}
	return lead
}
