package codebase

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chitta/internal/code"
)

// How a symbol was found.
const (
	FoundExact  = "exact"  // it has the name, or the path ends so
	FoundPrefix = "prefix" // its name begins so
	FoundFuzzy  = "fuzzy"  // its name is spelt alike
	FoundText   = "text"   // name, signature or comment has the words
)

// Match is a symbol that was found, and how.
type Match struct {
	Symbol
	How   string  `json:"how"`
	Score float64 `json:"score"` // 0 to 1
	// Evidence says what found it, where several look: keyword, vector.
	Evidence []Evidence `json:"evidence,omitempty"`
}

// Evidence is what one way of looking says of a symbol.
type Evidence struct {
	Source string  `json:"source"`
	Score  float64 `json:"score"` // as that way counts
}

// Filter narrows what is found. Empty lists let everything through.
type Filter struct {
	Kinds []string
	Langs []string
}

func (f *Filter) lets(kind, lang string) bool {
	return (len(f.Kinds) == 0 || slices.Contains(f.Kinds, kind)) && (len(f.Langs) == 0 || slices.Contains(f.Langs, lang))
}

// Kinds lists the kinds of symbols.
func Kinds() []string {
	list := []code.Kind{
		code.Function, code.Method, code.Constructor, code.Lambda, code.Class, code.Struct, code.Interface, code.Trait, code.Enum,
		code.Module, code.TypeAlias, code.Constant, code.Variable, code.Field, code.EnumMember, code.Macro,
	}
	out := make([]string, len(list))
	for i, k := range list {
		out[i] = string(k)
	}
	return out
}

const (
	// prefixRead is how many symbols of a prefix are read to choose from.
	prefixRead = 200
	// scores of what is found by its name; those of fuzzy ones lie below.
	scoreExact, scoreFolded, scorePrefix = 1.0, 0.95, 0.85
)

// Find returns symbols by name: first those that have it, then those whose names
// begin so; if there are none, those spelt alike. What a path says before the
// name holds for those that begin so as well, and for those spelt alike if any
// is there.
func (a *Ask) Find(ctx context.Context, name string, f Filter, limit int) ([]Match, error) {
	exact, err := a.spelt(ctx, name)
	if err != nil {
		return nil, err
	}
	parts := segments(name)
	if len(parts) == 0 {
		return []Match{}, nil
	}
	last := parts[len(parts)-1]
	out := []Match{}
	seen := map[int64]bool{}
	add := func(s Symbol, how string, score float64) {
		if len(out) < limit && !seen[s.id] && f.lets(s.Kind, s.Lang) {
			seen[s.id] = true
			out = append(out, Match{Symbol: s, How: how, Score: score})
		}
	}
	for _, s := range exact {
		score := scoreExact
		if s.Name != last {
			score = scoreFolded
		}
		add(s, FoundExact, score)
	}
	if len(parts) > 1 && len(out) > 0 {
		return out, nil // a path says which one is meant
	}
	began, err := a.base.db.SymbolsBeginning(ctx, a.project.ID, strings.ToLower(last), prefixRead)
	if err != nil {
		return nil, fmt.Errorf("find by prefix: %w", err)
	}
	within := func(s *Symbol) bool {
		full := segments(s.Qualified)
		own := segments(s.Path)
		return endsWith(full[:max(len(full)-1, 0)], parts[:len(parts)-1], true) || endsWith(own[:max(len(own)-1, 0)], parts[:len(parts)-1], true)
	}
	list := slices.DeleteFunc(symbolsOf(began), func(s Symbol) bool { return !within(&s) })
	slices.SortStableFunc(list, func(a, b Symbol) int {
		return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), byStanding(a, b))
	})
	for _, s := range list {
		add(s, FoundPrefix, scorePrefix)
	}
	if len(out) > 0 {
		return out, nil
	}
	alike, err := a.fuzzy(ctx, last, func(e *entry) bool { return f.lets(e.kind, e.lang) }, max(limit, prefixRead))
	if err != nil {
		return nil, err
	}
	if fits := slices.DeleteFunc(slices.Clone(alike), func(m Match) bool { return !within(&m.Symbol) }); len(fits) > 0 {
		alike = fits
	}
	return alike[:min(len(alike), limit)], nil
}

const (
	// leastFuzzy is how many letters a text must have to look for names that are
	// spelt alike: a few letters are in every name.
	leastFuzzy = 3
	// mostOther is how many letters of a name may differ, lettersPerOther about
	// how many it must have for each.
	mostOther, lettersPerOther = 2, 3
	// leastInOrder is how many letters a text must have to look for names that
	// have them in this order: fewer are in too many.
	leastInOrder = 4
	// farBehind is how much less alike than the best others may be.
	farBehind = 0.25
	// leastAlike is below what nothing is offered.
	leastAlike = 0.3
)

// fuzzy returns symbols whose names are spelt like a text, the most alike first.
func (a *Ask) fuzzy(ctx context.Context, name string, want func(*entry) bool, limit int) ([]Match, error) {
	parts := segments(name)
	if len(parts) == 0 || limit <= 0 {
		return nil, nil
	}
	c, err := a.catalogue(ctx, false)
	if err != nil {
		return nil, err
	}
	l := newLikeness(parts[len(parts)-1])
	type hit struct {
		e     *entry
		score float64
	}
	var hits []hit
	c.each(func(e *entry) {
		if !want(e) {
			return
		}
		if s := l.of(e.name, e.folded); s >= leastAlike {
			hits = append(hits, hit{e, s})
		}
	})
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.e.name), len(b.e.name)), cmp.Compare(a.e.name, b.e.name), cmp.Compare(a.e.id, b.e.id))
	})
	hits = hits[:min(len(hits), limit)]
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.e.id
	}
	found, err := a.base.db.SymbolsByID(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("load symbols: %w", err)
	}
	out := []Match{}
	for _, h := range hits {
		if h.score < hits[0].score-farBehind {
			break
		}
		if f, ok := found[h.e.id]; ok {
			out = append(out, Match{Symbol: symbolOf(&f), How: FoundFuzzy, Score: h.score})
		}
	}
	return out, nil
}

// likeness says how much names are spelt like one text.
type likeness struct {
	text  []rune
	plain string // in lower case
	most  int    // letters that may differ
	rows  [3][]int
}

func newLikeness(text string) *likeness {
	plain := strings.ToLower(text)
	l := &likeness{text: []rune(plain), plain: plain}
	l.most = min(mostOther, (len(l.text)+1)/lettersPerOther)
	return l
}

// of compares with a name: a few letters that differ, parts of the name, its
// initials, or its letters in this order.
func (l *likeness) of(name, folded string) float64 {
	best := 0.0
	n, m := len(l.text), utf8.RuneCountInString(folded)
	if n == 0 || m == 0 {
		return 0
	}
	if d := n - m; n >= leastFuzzy && d <= l.most && -d <= l.most {
		if d := l.distance([]rune(folded)); d <= l.most {
			best = 0.8 - 0.3*float64(d)/float64(n) + 0.05*float64(common(l.plain, folded))/float64(n)
		}
	}
	if n < leastFuzzy && best == 0 {
		return 0
	}
	if strings.Contains(folded, l.plain) {
		return max(best, 0.55+0.25*float64(n)/float64(m))
	}
	if beginsAlike(folded, l.text[0]) && initials(name) == l.plain {
		return max(best, 0.7)
	}
	if span := spanOf(l.text, folded); span > 0 && n >= leastInOrder {
		best = max(best, 0.2+0.2*float64(n)/float64(span)+0.15*float64(n)/float64(m))
	}
	return best
}

// common counts the bytes that two texts begin with alike: what is mistyped is
// seldom the beginning.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// distance counts letters to change, add, drop or swap.
func (l *likeness) distance(b []rune) int {
	a := l.text
	for i := range l.rows {
		l.rows[i] = slices.Grow(l.rows[i][:0], len(b)+1)[:len(b)+1]
	}
	before, last, row := l.rows[0], l.rows[1], l.rows[2]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least > l.most {
			return least
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// beginsAlike reports whether the first letter of a name is r: only then its
// initials can begin so, and to take a name apart is dear.
func beginsAlike(folded string, r rune) bool {
	for _, first := range folded {
		if unicode.IsLetter(first) || unicode.IsDigit(first) {
			return first == r
		}
	}
	return false
}

// initials are the first letters of a name's parts: gun for getUserName.
func initials(name string) string {
	var b strings.Builder
	for _, part := range nameParts(name) {
		r, _ := utf8.DecodeRuneInString(part)
		b.WriteRune(r)
	}
	return b.String()
}

// spanOf is over how many letters of a name the letters of a text lie, in this
// order; 0 if they do not.
func spanOf(text []rune, name string) int {
	i, from, at := 0, 0, 0
	for _, r := range name {
		if i < len(text) && r == text[i] {
			if i == 0 {
				from = at
			}
			if i++; i == len(text) {
				return at - from + 1
			}
		}
		at++
	}
	return 0
}

// nameParts takes a name apart in lower case: at capitals, digits and signs.
func nameParts(name string) []string {
	var out []string
	runes := []rune(name)
	start := -1
	flush := func(end int) {
		if start >= 0 && end > start {
			out = append(out, strings.ToLower(string(runes[start:end])))
		}
		start = -1
	}
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			flush(i)
			continue
		}
		if start >= 0 {
			prev := runes[i-1]
			hump := unicode.IsUpper(r) && (!unicode.IsUpper(prev) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
			if hump || unicode.IsDigit(r) != unicode.IsDigit(prev) {
				flush(i)
			}
		}
		if start < 0 {
			start = i
		}
	}
	flush(len(runes))
	return out
}

// NameWords takes a name apart into words in lower case: get, user, name for
// getUserName.
func NameWords(name string) []string { return nameParts(name) }
