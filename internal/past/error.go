package past

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Errors are compared by what tells them apart: without the numbers, places
// and moments that differ each time the same thing goes wrong.

// errorText is an error to be found again.
type errorText struct {
	plain string // without what differs each time
	words map[string]float64
	lines []string // that tell it apart by themselves
	rare  [][]byte // its longest telling words
}

const (
	// maxErrorText is how much of an error is looked at, in bytes. What tells
	// errors apart stands at their beginning or their end.
	maxErrorText = 8 << 10
	// rareWords is how many of an error's words are looked for before a text is
	// read.
	rareWords = 6
)

func newErrorText(text string) *errorText {
	if len(text) > maxErrorText {
		text = strings.ToValidUTF8(text[:maxErrorText/2], "") + "\n" + strings.ToValidUTF8(text[len(text)-maxErrorText/2:], "")
	}
	e := &errorText{plain: plainError(text), words: errorWeights(text), lines: tellingLines(text)}
	var telling []string
	for w, weight := range e.words {
		if weight == 1 {
			telling = append(telling, w)
		}
	}
	slices.SortFunc(telling, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	for _, w := range telling[:min(len(telling), rareWords)] {
		e.rare = append(e.rare, []byte(w))
	}
	return e
}

// likeness is how much of what tells the error apart a text has, from 0 to 1:
// the share of its words, and all of it if a whole telling line is there.
func (e *errorText) likeness(text string) float64 {
	have := map[string]bool{}
	plain := make([]string, 0, 64)
	for line := range strings.Lines(text) {
		words := errorWords(line)
		for _, w := range words {
			have[w] = true
		}
		plain = append(plain, strings.Join(words, " "))
	}
	total, found := 0.0, 0.0
	for w, weight := range e.words {
		total += weight
		if have[w] {
			found += weight
		}
	}
	if total == 0 {
		return 0
	}
	share := found / total
	for _, line := range e.lines {
		for _, p := range plain {
			if p == line {
				return max(share, wholeLine)
			}
		}
	}
	return share
}

// maybe says whether a record can hold the error, without reading it.
func (e *errorText) maybe(raw []byte) bool {
	lower := bytes.ToLower(raw)
	n := 0
	for _, w := range e.rare {
		if bytes.Contains(lower, w) {
			n++
		}
	}
	return 2*n >= len(e.rare)
}

var errorParts = sync.OnceValue(func() []rewriteRule {
	rule := func(expr, by string) rewriteRule { return rewriteRule{regexp.MustCompile(expr), by} }
	return []rewriteRule{
		rule(`\x1b\[[0-9;]*[A-Za-z]`, ""), // colours
		rule(`\b\d{4}[-/]\d{2}[-/]\d{2}[T ]?\d{0,2}:?\d{0,2}:?\d{0,2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?`, " "),
		rule(`\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?`, " "),
		rule(`\b0x[0-9a-fA-F]+\b`, " "),
		rule(`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F-]{9,}\b`, " "),
		rule(`(?:[A-Za-z]:)?(?:[\w.@~+-]*[/\\])+([\w.@+-]+)`, "$1"), // a path is its last name
		rule(`\b\d+(?:\.\d+)?(?:ms|s|m|h|kB|MB|GB|%)?\b`, " "),
		rule(`:\s*:`, ":"),
	}
})

// plainError is an error without what differs each time.
func plainError(text string) string {
	for _, r := range errorParts() {
		text = r.expr.ReplaceAllString(text, r.by)
	}
	return text
}

// everyError are words that say only that something went wrong.
var everyError = map[string]bool{
	"error": true, "errors": true, "failed": true, "fail": true, "failure": true, "exit": true, "status": true, "code": true,
	"exception": true, "traceback": true, "warning": true, "fatal": true, "panic": true, "line": true, "at": true, "in": true,
	"the": true, "a": true, "an": true, "is": true, "of": true, "to": true, "and": true, "for": true, "not": true, "no": true,
	"was": true, "with": true, "on": true, "from": true, "ok": true, "pass": true, "run": true, "make": true, "file": true,
}

// vagueShare is what such a word counts against one that tells.
const vagueShare = 0.15

// errorWeights are the words of an error with what each counts.
func errorWeights(text string) map[string]float64 {
	out := map[string]float64{}
	for _, w := range errorWords(text) {
		if everyError[w] {
			out[w] = vagueShare
		} else {
			out[w] = 1
		}
	}
	return out
}

// errorWords are the words of an error in order. Names keep their dots,
// dashes and underscores.
func errorWords(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(plainError(text)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '.'
	})
	out := words[:0]
	for _, w := range words {
		if w = strings.Trim(w, ".-_"); len(w) > 1 {
			out = append(out, w)
		}
	}
	return out
}

// wholeLine is the likeness of a text that has one of the error's telling lines
// whole.
const wholeLine = 0.9

// tellingWords is how many telling words a line needs to stand for an error by
// itself.
const tellingWords = 3

// tellingLines are the lines of an error that tell it apart by themselves.
func tellingLines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		words := errorWords(line)
		n := 0
		for _, w := range words {
			if !everyError[w] {
				n++
			}
		}
		if n >= tellingWords {
			out = append(out, strings.Join(words, " "))
		}
	}
	return out
}
