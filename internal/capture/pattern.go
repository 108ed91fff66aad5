package capture

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// pattern is a rule given by a regular expression. Expressions are slow, so
// one is compiled only when a keyword of its rule was seen in a place where
// it could match at all, and run only around that place.
type pattern struct {
	source  string
	group   int // of the secret; 0: the first group that matched, else all
	entropy float64
	allow   allowances
	// mayBePlaceholder keeps secrets that look made up.
	mayBePlaceholder bool
	// weak marks a rule whose name is no proof: its values must not look
	// like anything harmless.
	weak bool
	// escapeEnds says that no secret has an escape in it, such as \n in a
	// string or %20 in a URL: it ends there, and another word begins, whatever
	// the last letter of the escape is.
	escapeEnds bool

	keywords []string // of its rule

	once    sync.Once
	shape   shape
	inside  bool      // some keyword may be in the value instead of the name
	least   int       // characters that a match (or the value) must have without a space
	letters [256]bool // what the bytes of a match are among, if its shape is a token
	re      *regexp.Regexp
	failure error
	reOnce  sync.Once
}

// shape is what can be told of an expression without running it.
type shape uint8

const (
	shapeAny   shape = iota
	shapeToken       // a match has no spaces: it lies within one word
	shapeValue       // a name, an operator, a value
)

const (
	// The end of a token, and the operator between name and value, as the
	// expressions of gitleaks write them.
	tokenEnd   = `(?:[\x60'"\s;]|\\[nr]|$)`
	assignment = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)`

	windowBack  = 128     // bytes before a keyword that may belong to a match
	windowAhead = 512     // bytes after it
	windowMost  = 4 << 10 // a word longer than this is cut
)

func newPattern(source string, entropy float64, group int, allow allowances) *pattern {
	return &pattern{source: source, entropy: entropy, group: group, allow: allow}
}

// prepare finds out what can be told without compiling.
func (p *pattern) prepare() {
	p.once.Do(func() {
		tree, err := syntax.Parse(strings.TrimSuffix(p.source, tokenEnd), syntax.Perl)
		if err != nil {
			p.failure = err
			return
		}
		if tree.Op == syntax.OpAlternate {
			return // each branch has a shape of its own
		}
		if strings.Contains(p.source, assignment) {
			p.shape = shapeValue
			name, _, _ := strings.Cut(strings.ToLower(p.source), strings.ToLower(assignment))
			p.inside = !p.weak && slices.ContainsFunc(p.keywords, func(k string) bool { return !strings.Contains(name, k) })
			if group := firstGroup(tree); group != nil {
				p.least = leastLength(group)
			}
		} else if spaceless(tree) {
			p.shape, p.least = shapeToken, leastLength(tree)
			p.addLetters(tree)
		}
	})
}

func (p *pattern) compile() error {
	p.reOnce.Do(func() {
		re, err := regexp.Compile(p.source)
		if err != nil {
			p.re, p.failure = nil, fmt.Errorf("pattern does not compile: %w", err)
			return
		}
		p.re = re
	})
	if p.re == nil {
		return p.failure
	}
	return nil
}

// window returns the part of the text around a keyword in which a match is
// possible, if there is one.
func (p *pattern) window(text string, start, end int) (from, to int, ok bool) {
	p.prepare()
	if p.failure != nil {
		return 0, 0, false
	}
	switch p.shape {
	case shapeToken:
		from, to = wordAround(text, start, end)
		return from, to, to-from >= p.least && p.mayMatch(text, from, to)
	case shapeValue:
		from, to, ok := valueAhead(text, end, p.least)
		if !ok && p.inside {
			from, to = wordAround(text, start, end)
			ok = to-from >= p.least
		}
		if !ok || p.weak && !p.plausible(text, from, to) {
			return 0, 0, false
		}
		return max(0, start-windowBack), min(len(text), to+2), true
	}
	from, _ = wordAround(text, max(0, start-windowBack), start)
	_, to = wordAround(text, end, min(len(text), end+windowAhead))
	return from, to, true
}

// addLetters notes which bytes matches consist of. Every one outside ASCII
// counts: folding of case leads there from some letters.
func (p *pattern) addLetters(re *syntax.Regexp) {
	add := func(from, to rune) {
		for r := from; r <= min(to, utf8.RuneSelf-1); r++ {
			p.letters[r] = true
		}
	}
	for i := utf8.RuneSelf; i < len(p.letters); i++ {
		p.letters[i] = true
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			add(r, r)
			if re.Flags&syntax.FoldCase != 0 {
				for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
					add(f, f)
				}
			}
		}
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			add(re.Rune[i], re.Rune[i+1])
		}
	}
	for _, sub := range re.Sub {
		p.addLetters(sub)
	}
}

// mayMatch reports whether a word has as many letters of a match in a row as the
// shortest one: words with a dot in them are many, and an expression takes a
// hundred times as long to see that they are none.
func (p *pattern) mayMatch(text string, from, to int) bool {
	if !utf8.RuneStart(text[from]) || to < len(text) && !utf8.RuneStart(text[to]) {
		return true // the word goes on
	}
	run := 0
	for i := from; i < to && run < p.least; i++ {
		if run++; !p.letters[text[i]] {
			run = 0
		}
	}
	return run >= p.least
}

// find appends the secrets in a window of the text.
func (p *pattern) find(id string, rank rank, text string, from, to int, spans []span) []span {
	if p.compile() != nil {
		return spans
	}
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	for p.escapeEnds {
		next := afterEscape(text, from, to)
		if next < 0 {
			break
		}
		spans = p.findIn(id, rank, text, from, next, spans)
		from = next
	}
	return p.findIn(id, rank, text, from, to, spans)
}

// afterEscape returns where the first escape in a part of a text ends, or -1.
func afterEscape(text string, from, to int) int {
	for i := from; i < to; i++ {
		rest := text[i:to]
		length := 0
		switch {
		case rest[0] == '\\' && len(rest) > 1 && strings.IndexByte("abfnrtv", rest[1]) >= 0:
			length = len(`\n`)
		case rest[0] == '\\' && len(rest) >= len(`\u0000`) && rest[1] == 'u' && isHex(rest[2:6]):
			length = len(`\u0000`)
		case rest[0] == '%' && len(rest) >= len("%20") && isHex(rest[1:3]):
			length = len("%20")
		}
		if length > 0 {
			return i + length
		}
	}
	return -1
}

// findIn appends the secrets in a part of the text that is looked at as if it
// stood alone.
func (p *pattern) findIn(id string, rank rank, text string, from, to int, spans []span) []span {
	for _, m := range p.re.FindAllStringSubmatchIndex(text[from:to], -1) {
		start, end := m[0], m[1]
		if 2*p.group+1 < len(m) && p.group > 0 {
			start, end = m[2*p.group], m[2*p.group+1]
		} else {
			for g := 1; g < len(m)/2; g++ {
				if m[2*g] >= 0 && m[2*g+1] > m[2*g] {
					start, end = m[2*g], m[2*g+1]
					break
				}
			}
		}
		start, end = start+from, end+from
		if start >= end || start < from || !p.isSecret(text, m[0]+from, m[1]+from, start, end) {
			continue
		}
		spans = append(spans, span{start: start, end: end, rule: id, rank: rank})
	}
	return spans
}

func (p *pattern) isSecret(text string, matchStart, matchEnd, start, end int) bool {
	secret := text[start:end]
	if p.entropy > 0 && shannon(secret) <= p.entropy {
		return false
	}
	if !p.mayBePlaceholder && isPlaceholder(secret) {
		return false
	}
	if p.allow.permit(text, matchStart, matchEnd, secret) {
		return false
	}
	// Some expressions accept any hash or UUID when a product is named
	// nearby. Without a name right in front that is no evidence.
	if bare := matchEnd-matchStart <= len(secret)+1; bare && (isHash(secret) || isUUID(secret)) {
		return false
	}
	return !p.weak || !isHarmless(text, start, end)
}

// wordAround returns the stretch without spaces around a part of the text.
func wordAround(text string, start, end int) (from, to int) {
	for from = start; from > 0 && start-from < windowBack && !isSpace(text[from-1]); {
		from--
	}
	for to = end; to < len(text) && to-end < windowMost && !isSpace(text[to]); {
		to++
	}
	return from, to
}

// valueAhead returns the value of at least the given length that follows a
// name and an operator, if there is one. It accepts everything the
// expressions with an assignment accept, and not much more.
func valueAhead(text string, at, least int) (from, to int, ok bool) {
	const nameRest = 80 // what may still belong to the name
	i := at
	for limit := min(len(text), at+nameRest); i < limit; i++ {
		if c := text[i]; !isWordByte(c) && !isSpace(c) && c != '.' && c != '-' && c != '\'' && c != '"' {
			break
		}
	}
	operator := i
	for i < len(text) && i-operator < 3 && strings.IndexByte("=>:|?,", text[i]) >= 0 {
		i++
	}
	if i == operator {
		return 0, 0, false
	}
	for skipped := 0; i < len(text) && skipped < 5; skipped++ {
		if c := text[i]; !isSpace(c) && c != '\'' && c != '"' && c != '`' && c != '=' {
			break
		}
		i++
	}
	for to = i; to < len(text) && to-i < windowAhead && !isSpace(text[to]); {
		to++
	}
	return i, to, to-i >= least
}

// plausible does for the rule that nearly every assignment is a case of what
// its expression would do, faster: the value must be of certain characters,
// up to a quote or a space, not all letters, and of enough entropy.
func (p *pattern) plausible(text string, from, to int) bool {
	end, letters := from, 0
	for end < to && (isTokenByte(text[end]) || text[end] == '.' || text[end] == '=') {
		if c := text[end]; isLetter(c) || c == '_' || c == '.' || c == '-' {
			letters++
		}
		end++
	}
	if end < len(text) && !isSpace(text[end]) && strings.IndexByte("`'\";\\", text[end]) < 0 {
		return false
	}
	return end-from >= p.least && letters < end-from && shannon(text[from:end]) > p.entropy
}

func firstGroup(re *syntax.Regexp) *syntax.Regexp {
	if re.Op == syntax.OpCapture {
		return re
	}
	for _, sub := range re.Sub {
		if g := firstGroup(sub); g != nil {
			return g
		}
	}
	return nil
}

// leastLength returns the length of the shortest text that can match.
func leastLength(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return leastLength(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * leastLength(re.Sub[0])
	case syntax.OpConcat:
		sum := 0
		for _, sub := range re.Sub {
			sum += leastLength(sub)
		}
		return sum
	case syntax.OpAlternate:
		least := math.MaxInt
		for _, sub := range re.Sub {
			least = min(least, leastLength(sub))
		}
		return least
	}
	return 0
}

// spaceless reports whether no match can have a space in it.
func spaceless(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return false
	case syntax.OpLiteral, syntax.OpCharClass:
		for _, space := range " \t\n\r\v\f" {
			if re.Op == syntax.OpLiteral && strings.ContainsRune(string(re.Rune), space) {
				return false
			}
			for i := 0; re.Op == syntax.OpCharClass && i+1 < len(re.Rune); i += 2 {
				if re.Rune[i] <= space && space <= re.Rune[i+1] {
					return false
				}
			}
		}
	}
	for _, sub := range re.Sub {
		if !spaceless(sub) {
			return false
		}
	}
	return true
}
