package capture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Finding says where a secret or a private passage is. It never holds the
// text itself.
type Finding struct {
	Rule  string `json:"rule"`
	Start int    `json:"start"` // byte offsets in the text as given
	End   int    `json:"end"`
}

// Rule is a pattern of the user's own for [New].
type Rule struct {
	ID       string   // in lower case: letters, digits and dashes
	Pattern  string   // its first group is the secret, or all of it
	Keywords []string // one of them must be near; none: every text is searched
	Entropy  float64  // least Shannon entropy of the secret, in bits; 0: any
}

// Redactor removes secrets from text. The zero value uses the standard rules.
// It is safe for concurrent use.
type Redactor struct {
	base  *ruleSet // nil: the standard rules
	extra *ruleSet
}

// New returns a redactor with the given rules beside the standard ones.
func New(extra ...Rule) (*Redactor, error) {
	if len(extra) == 0 {
		return &Redactor{}, nil
	}
	rules := make([]rule, 0, len(extra))
	for _, r := range extra {
		if !isRuleID(r.ID) {
			return nil, fmt.Errorf("rule id %q: use lower-case letters, digits and dashes, at most %d", r.ID, maxRuleID)
		}
		p := newPattern(r.Pattern, r.Entropy, 0, allowances{})
		if err := p.compile(); err != nil {
			return nil, fmt.Errorf("rule %q: %w", r.ID, err)
		}
		p.mayBePlaceholder = true // the user knows what the pattern is for
		rules = append(rules, rule{id: r.ID, rank: rankProvider, keywords: r.Keywords, pattern: p})
	}
	return &Redactor{extra: newRuleSet(rules)}, nil
}

// maxRounds bounds how often a text is searched again after a replacement.
// Two rounds are the rule: the second finds nothing.
const maxRounds = 12

// Redact returns the text without private passages and with every secret
// replaced by [redacted:RULE], and what was found, in order. Redacting the
// result again changes nothing.
func (r *Redactor) Redact(text string) (clean string, found []Finding) {
	all, absorbed := r.edits(text)
	for _, e := range slices.Concat(all, absorbed) {
		found = append(found, Finding{Rule: e.rule, Start: e.start, End: e.end})
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return a.Start - b.Start })
	return all.apply(text), found
}

// Findings returns what [Redactor.Redact] would remove.
func (r *Redactor) Findings(text string) []Finding {
	_, found := r.Redact(text)
	return found
}

func (r *Redactor) edits(text string) (all, absorbed edits) {
	all, absorbed = dropPrivate(text)
	for range maxRounds {
		current := all.apply(text)
		spans := r.spans(current)
		if len(spans) == 0 {
			break
		}
		more := make(edits, len(spans))
		for i, s := range spans {
			more[i] = edit{start: s.start, end: s.end, text: placeholderFor(s.rule), rule: s.rule}
		}
		var lost edits
		all, lost = all.add(more)
		absorbed = append(absorbed, lost...)
	}
	return all, absorbed
}

// rulePrivate is the tag around passages the user wants to keep out, and the
// rule they are counted under.
const rulePrivate = "private"

// maxPrivateRounds bounds how often dropping a block may join its surroundings
// into a new tag. Nobody writes that; a text that still has one is cut there.
const maxPrivateRounds = 8

// dropPrivate returns the changes that remove all private passages.
func dropPrivate(text string) (all, absorbed edits) {
	if !strings.Contains(text, "<") {
		return nil, nil
	}
	for round := range maxPrivateRounds {
		current := all.apply(text)
		var more edits
		for from := 0; ; {
			start, end, ok := tagBlock(current, rulePrivate, from)
			if !ok {
				break
			}
			if round == maxPrivateRounds-1 {
				end = len(current)
			}
			e := edit{start: start, end: end, rule: rulePrivate}
			if joinsWords(current[:start], current[end:]) {
				e.text = " "
			}
			more = append(more, e)
			from = end
		}
		if len(more) == 0 {
			break
		}
		var lost edits
		all, lost = all.add(more)
		absorbed = append(absorbed, lost...)
	}
	return all, absorbed
}

func joinsWords(before, after string) bool {
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return isWord(last) && isWord(first)
}

// spans searches a text once and returns what to replace, in order, without
// overlaps. Where rules disagree the widest reach is taken, under the name of
// the most specific rule.
func (r *Redactor) spans(text string) []span {
	base := r.base
	if base == nil {
		base = standardRules()
	}
	spans := base.scan(text, nil)
	if r.extra != nil {
		spans = r.extra.scan(text, spans)
	}
	spans = highEntropy(text, spans)
	if len(spans) == 0 {
		return nil
	}
	spans = keepPlaceholders(text, spans)
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(a.start-b.start, int(a.rank)-int(b.rank), strings.Compare(a.rule, b.rule))
	})
	merged := spans[:0]
	for _, s := range spans {
		if n := len(merged); n > 0 && s.start < merged[n-1].end {
			last := &merged[n-1]
			last.end = max(last.end, s.end)
			if s.rank < last.rank {
				last.rule, last.rank = s.rule, s.rank
			}
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// span is a part of a text to be replaced.
type span struct {
	start, end int
	rule       string
	rank       rank
}

// rank orders rules from specific to general.
type rank uint8

const (
	rankProvider rank = iota // the shape of one provider's secret
	rankFormat               // a key block, a header, a URL
	rankGitleaks
	rankAssignment
	rankGeneric // any value beside a telling name
	rankEntropy
)

const (
	placeholderOpen  = "[redacted:"
	placeholderClose = ']'
	maxRuleID        = 64
)

func placeholderFor(rule string) string { return placeholderOpen + rule + string(placeholderClose) }

// placeholderAt returns the end of the placeholder that begins at an offset,
// or 0.
func placeholderAt(text string, at int) int {
	if !strings.HasPrefix(text[at:], placeholderOpen) {
		return 0
	}
	from := at + len(placeholderOpen)
	rest := text[from:min(len(text), from+maxRuleID+1)]
	if end := strings.IndexByte(rest, placeholderClose); end > 0 && isRuleID(rest[:end]) {
		return from + end + 1
	}
	return 0
}

// isRuleID reports whether a text can stand in a placeholder.
func isRuleID(s string) bool {
	for i := range len(s) {
		if c := s[i]; !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-') {
			return false
		}
	}
	return s != "" && len(s) <= maxRuleID
}

// keepPlaceholders drops spans inside earlier placeholders and widens those
// that cut into one. So every span kept takes away something not yet
// redacted, and searching again comes to an end.
func keepPlaceholders(text string, spans []span) []span {
	type stretch struct{ start, end int }
	var there []stretch
	for i := 0; ; {
		at := strings.Index(text[i:], placeholderOpen)
		if at < 0 {
			break
		}
		i += at
		if end := placeholderAt(text, i); end > 0 {
			there = append(there, stretch{i, end})
			i = end
		} else {
			i += len(placeholderOpen)
		}
	}
	if len(there) == 0 {
		return spans
	}
	kept := spans[:0]
	for _, s := range spans {
		covered := 0
		for _, p := range there {
			if s.start < p.end && p.start < s.end {
				s.start, s.end = min(s.start, p.start), max(s.end, p.end)
				covered += p.end - p.start
			}
		}
		if s.end-s.start > covered {
			kept = append(kept, s)
		}
	}
	return kept
}
