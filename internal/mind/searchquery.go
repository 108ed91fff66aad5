package mind

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chitta/internal/keyword"
	"chitta/internal/memory"
)

// searchQuery is a verbatim search, understood: words that all have to occur,
// phrases and a regular expression that are verified on the text.
type searchQuery struct {
	words   []searchWord
	phrases []phrase
	re      *regexp.Regexp
	terms   []keyword.QueryTerm // to rank by
	must    []string            // terms that every match has
	strict  []string            // terms of the words as they were typed: names and paths whole
	literal string              // bytes that the record of every match holds, if known
}

// searchWord is one word of a query.
type searchWord struct {
	exact phrase          // as it was typed
	terms map[string]bool // what it becomes in the index
}

// How a query is understood.
const (
	searchWords  = "words"
	searchPhrase = "phrase"
	searchRegex  = "regex"
)

func (q *searchQuery) mode() string {
	switch {
	case q.re != nil:
		return searchRegex
	case len(q.phrases) > 0:
		return searchPhrase
	}
	return searchWords
}

// exact reports that matches have to be verified on the text.
func (q *searchQuery) exact() bool { return q.mode() != searchWords }

// parseSearch understands a query. "quoted parts" are phrases, /between
// slashes/ is a regular expression, everything else is words.
func parseSearch(a keyword.Analyzer, text string, regex, exact bool) (*searchQuery, error) {
	text = strings.TrimSpace(text)
	if err := checkText("query", text, maxQuery); err != nil {
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
	q := &searchQuery{}
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
func (q *searchQuery) addWords(a keyword.Analyzer, words []string) {
	all := a.QueryTerms(strings.Join(words, " "))
	telling := make(map[string]bool, len(all))
	for _, t := range all {
		telling[t.Term] = true
	}
	for _, w := range words {
		word := searchWord{exact: newPhrase(w), terms: map[string]bool{}}
		for _, t := range whole(a.QueryTerms(w)) {
			if telling[t] {
				word.terms[t] = true
			}
		}
		if len(word.terms) > 0 && !slices.ContainsFunc(q.words, func(x searchWord) bool { return x.exact.equal(&word.exact) }) {
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
func (q *searchQuery) rank(terms []keyword.QueryTerm) {
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
func (q *searchQuery) require(a keyword.Analyzer, text string) {
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

// parseExpression understands a regular expression.
func parseExpression(a keyword.Analyzer, expr string) (*searchQuery, error) {
	re, err := regexp.Compile(expr)
	if err != nil {
		why := err.Error()
		if e := (*syntax.Error)(nil); errors.As(err, &e) {
			why = fmt.Sprintf("%s: %s", e.Code, e.Expr)
		}
		return nil, &memory.InputError{Field: "query", Problem: "is not a regular expression: " + why, Hint: `write \( for a bracket that is meant as such; the syntax is RE2, see go doc regexp/syntax`}
	}
	if re.MatchString("") {
		return nil, &memory.InputError{Field: "query", Problem: fmt.Sprintf("/%s/ matches nothing at all, and so everything", expr), Hint: "let it ask for at least one character"}
	}
	q := &searchQuery{re: re}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	for _, l := range required(tree.Simplify()) {
		q.require(a, l.inner())
		if plain := l.transparent(); len(plain) > len(q.literal) {
			q.literal = plain
		}
	}
	return q, nil
}

// literal is a text that every match of an expression has in it.
type literal struct {
	text string
	fold bool // in upper or lower case
}

// required returns texts that every match has in it.
func required(re *syntax.Regexp) []literal {
	switch re.Op {
	case syntax.OpLiteral:
		return []literal{{text: string(re.Rune), fold: re.Flags&syntax.FoldCase != 0}}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var out []literal
		for _, sub := range re.Sub {
			out = append(out, required(sub)...)
		}
		return out
	}
	return nil
}

// inner is the part of the text that stands between spaces, and so consists
// of whole words whatever stands around the text.
func (l *literal) inner() string {
	first, last := strings.IndexFunc(l.text, unicode.IsSpace), strings.LastIndexFunc(l.text, unicode.IsSpace)
	if first == last {
		return ""
	}
	return l.text[first:last] + " "
}

// leastLiteral is how long a text has to be to be worth looking for first.
const leastLiteral = 3

// transparent returns the longest run of the text that stands in a record of
// JSON as it is, whoever wrote it.
func (l *literal) transparent() string {
	if l.fold {
		return ""
	}
	best := ""
	for _, run := range strings.FieldsFunc(l.text, func(r rune) bool {
		return !transparent(r)
	}) {
		if len(run) > len(best) {
			best = run
		}
	}
	if len(best) < leastLiteral {
		return ""
	}
	return best
}

// phrase is a text that is found whatever its case and however its words are
// spaced.
type phrase struct{ runes []rune } // lower case, one space between words

func newPhrase(text string) phrase {
	return phrase{[]rune(strings.Map(unicode.ToLower, strings.Join(strings.Fields(text), " ")))}
}

func (p *phrase) text() string             { return string(p.runes) }
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
	for i, c := range dst[at:] {
		if 'A' <= c && c <= 'Z' {
			dst[at+i] = c + 'a' - 'A'
		}
	}
	return dst
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
	words := bytes.Fields([]byte(p.text()))
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
		if fits {
			return true
		}
	}
}

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

// plain reports that a record which may match does so but for the bounds of
// words.
func (q *searchQuery) plain() bool {
	return q.re == nil && len(q.words) == 0 && !slices.ContainsFunc(q.phrases, func(p phrase) bool { return !p.plain() })
}

// mayMatch reports whether a record may match, without reading it. scratch is
// used again and returned.
func (q *searchQuery) mayMatch(raw, scratch []byte) (bool, []byte) {
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
