package past

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chitta/internal/keyword"
	"chitta/internal/memory"
)

// query is a verbatim search, understood: words that all have to occur,
// phrases and a regular expression that are verified on the text.
type query struct {
	words   []queryWord
	phrases []phrase
	re      *regexp.Regexp
	terms   []keyword.QueryTerm // to rank by
	must    []string            // terms that every match has
	strict  []string            // terms of the words as they were typed: names and paths whole
	literal string              // bytes that the record of every match holds, if known
}

// queryWord is one word of a query.
type queryWord struct {
	exact phrase          // as it was typed
	terms map[string]bool // what it becomes in the index
}

// How a query is understood.
const (
	modeWords  = "words"
	modePhrase = "phrase"
	modeRegex  = "regex"
)

func (q *query) mode() string {
	switch {
	case q.re != nil:
		return modeRegex
	case len(q.phrases) > 0:
		return modePhrase
	}
	return modeWords
}

// exact reports that matches have to be verified on the text.
func (q *query) exact() bool { return q.mode() != modeWords }

// parseQuery understands a query. "quoted parts" are phrases, /between
// slashes/ is a regular expression, everything else is words.
func parseQuery(a keyword.Analyzer, text string, regex, exact bool) (*query, error) {
	text = strings.TrimSpace(text)
	if err := memory.CheckText("query", text, memory.MaxQuery); err != nil {
		return nil, err
	}
	if text == "" {
		return nil, &memory.InputError{Field: "query", Problem: "is empty", Hint: `give words, "a phrase" or /an expression/; to see everything use session_list`}
	}
	if regex && exact {
		return nil, &memory.InputError{Field: "exact", Problem: "does not go with regex", Hint: "leave one of them out"}
	}
	if regex {
		return parseExpression(a, text)
	}
	if expr, ok := slashed(text); ok && !exact {
		return parseExpression(a, expr)
	}
	q := &query{}
	var words []string
	if exact {
		q.phrases = []phrase{newPhrase(text)}
	} else {
		var quoted []string
		words, quoted = splitQuoted(text)
		for _, p := range quoted {
			q.phrases = append(q.phrases, newPhrase(p))
		}
	}
	q.addWords(a, words)
	for i := range q.phrases {
		q.require(a, q.phrases[i].text())
	}
	if len(q.words) == 0 && len(q.phrases) == 0 {
		q.phrases = []phrase{newPhrase(text)} // punctuation alone
	}
	return q, nil
}

// splitQuoted takes the quoted parts out of a query. A quote without an end is
// a character like others.
func splitQuoted(text string) (words, quoted []string) {
	rest := strings.NewReplacer("“", `"`, "”", `"`).Replace(text)
	for {
		before, after, found := strings.Cut(rest, `"`)
		inside, behind, closed := cutQuoted(after)
		if !found || !closed {
			return append(words, strings.Fields(rest)...), quoted
		}
		words = append(words, strings.Fields(before)...)
		if strings.TrimSpace(inside) != "" {
			quoted = append(quoted, inside)
		}
		rest = behind
	}
}

// cutQuoted returns what stands before the next quote that is not escaped, and
// what stands behind it.
func cutQuoted(s string) (inside, behind string, ok bool) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return strings.ReplaceAll(s[:i], `\"`, `"`), s[i+1:], true
		}
	}
	return "", "", false
}

// slashed returns the expression of a query such as /re/ or /re/i. A path such
// as /usr/lib/ is none: a slash inside an expression is written \/.
func slashed(text string) (string, bool) {
	body, ok := strings.CutPrefix(text, "/")
	flags := ""
	if b, ok := strings.CutSuffix(body, "/i"); ok {
		body, flags = b+"/", "(?i)"
	}
	if body, found := strings.CutSuffix(body, "/"); ok && found && body != "" {
		for i := 0; i < len(body); i++ {
			switch body[i] {
			case '\\':
				i++
			case '/':
				return "", false
			}
		}
		return flags + strings.ReplaceAll(body, `\/`, "/"), true
	}
	return "", false
}

// addWords makes every word a condition. Stop words are none, unless there is
// nothing else.
func (q *query) addWords(a keyword.Analyzer, words []string) {
	all := a.QueryTerms(strings.Join(words, " "))
	telling := make(map[string]bool, len(all))
	for _, t := range all {
		telling[t.Term] = true
	}
	for _, w := range words {
		word := queryWord{exact: newPhrase(w), terms: map[string]bool{}}
		for _, t := range whole(a.QueryTerms(w)) {
			if telling[t] {
				word.terms[t] = true
			}
		}
		if len(word.terms) > 0 && !slices.ContainsFunc(q.words, func(x queryWord) bool { return x.exact.equal(&word.exact) }) {
			q.words = append(q.words, word)
			terms := a.QueryTerms(w)
			q.rank(terms)
			for _, t := range terms {
				if t.Weight == 1 && !slices.Contains(q.strict, t.Term) {
					q.strict = append(q.strict, t.Term)
				}
			}
			for _, t := range whole(terms) {
				if !slices.Contains(q.must, t) {
					q.must = append(q.must, t)
				}
			}
		}
	}
}

// rank adds the terms of a text to those that order what is found.
func (q *query) rank(terms []keyword.QueryTerm) {
	for _, t := range terms {
		if !slices.ContainsFunc(q.terms, func(x keyword.QueryTerm) bool { return x.Term == t.Term }) {
			q.terms = append(q.terms, t)
		}
	}
}

// require makes those terms conditions that a message has in the index
// whenever the text stands in it as words of its own. What may be indexed
// otherwise is no condition: single letters, numbers, which may be part of a
// version, short names that may end in ++ or #, what stands beside an
// apostrophe, and the scheme of a URL.
func (q *query) require(a keyword.Analyzer, text string) {
	telling := map[string]bool{}
	for _, t := range a.QueryTerms(text) {
		telling[t.Term] = true
	}
	var must, stops []keyword.QueryTerm
	for from := 0; from < len(text); {
		start := strings.IndexFunc(text[from:], inWord)
		if start < 0 {
			break
		}
		start += from
		end := wordEnd(text, start)
		from = end
		word := text[start:end]
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		behind, _ := utf8.DecodeRuneInString(text[end:])
		if isApostrophe(before) || isApostrophe(behind) || strings.HasPrefix(text[end:], "://") || isNumber(word) || len(word) <= 2 && end == len(text) {
			continue
		}
		for _, t := range a.QueryTerms(word) {
			switch {
			case t.Weight < 1 || utf8.RuneCountInString(t.Term) < 2:
			case telling[t.Term]:
				must = append(must, t)
			default:
				stops = append(stops, t)
			}
		}
	}
	if len(must) == 0 {
		must = stops
	}
	q.rank(must)
	for _, t := range must {
		if !slices.Contains(q.must, t.Term) {
			q.must = append(q.must, t.Term)
		}
	}
}

// inWord reports characters of words, in any script.
func inWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// wordEnd returns where a word ends, or a run of characters of a script
// without spaces.
func wordEnd(text string, start int) int {
	first, _ := utf8.DecodeRuneInString(text[start:])
	n := strings.IndexFunc(text[start:], func(r rune) bool { return !inWord(r) || joins(r) != joins(first) })
	if n < 0 {
		return len(text)
	}
	return start + n
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

// isNumber reports numbers and parts of versions such as v2.
func isNumber(word string) bool {
	return strings.Trim(strings.TrimLeft(word, "vV"), "0123456789_") == ""
}

// whole returns the terms that a text has wherever the query's text stands in
// it: of a name or a path its words, because it may be part of a longer one,
// of anything else the term itself.
func whole(terms []keyword.QueryTerm) []string {
	isPart := func(t keyword.QueryTerm) bool { return t.Weight < 1 && !strings.ContainsAny(t.Term, "./-:@ ") }
	inParts := map[string]bool{} // by surface
	for _, t := range terms {
		inParts[t.Surface] = inParts[t.Surface] || isPart(t)
	}
	var out []string
	for _, t := range terms {
		if isPart(t) || !inParts[t.Surface] && !strings.Contains(t.Term, " ") {
			out = append(out, t.Term)
		}
	}
	return out
}

// plain reports that a record which may match does so but for the bounds of
// words.
func (q *query) plain() bool {
	return q.re == nil && len(q.words) == 0 && !slices.ContainsFunc(q.phrases, func(p phrase) bool { return !p.plain() })
}

// mayMatch reports whether a record may match, without reading it. scratch is
// used again and returned.
func (q *query) mayMatch(raw, scratch []byte) (bool, []byte) {
	if q.re != nil {
		return bytes.Contains(raw, []byte(q.literal)), scratch
	}
	scratch = appendLower(scratch[:0], raw)
	for i := range q.phrases {
		if q.phrases[i].plain() && !q.phrases[i].inRecord(scratch) {
			return false, scratch
		}
	}
	return true, scratch
}

// all is the set of conditions that a match meets.
func (q *query) all() uint64 {
	n := len(q.phrases) + len(q.words)
	if q.re != nil {
		n = 1
	}
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}
