package capture

import "strings"

// rule finds one sort of secret. It has either a pattern or a function that
// looks at the text around each keyword.
type rule struct {
	id       string
	rank     rank
	keywords []string // in lower case
	pattern  *pattern
	at       func(text string, start, end int) (span, bool)
}

// ruleSet is a list of rules ready to be searched for.
type ruleSet struct {
	rules    []rule
	always   []int // rules without keywords
	keywords *automaton
	lengths  []int   // of the keywords
	users    [][]int // by keyword: the rules that asked for it
}

func newRuleSet(rules []rule) *ruleSet {
	s := &ruleSet{rules: rules}
	var words []string
	index := map[string]int{}
	for i, r := range rules {
		if len(r.keywords) == 0 {
			s.always = append(s.always, i)
		}
		if r.pattern != nil {
			r.pattern.keywords = r.keywords
		}
		for _, k := range r.keywords {
			k = strings.ToLower(k)
			if k == "" {
				continue
			}
			at, known := index[k]
			if !known {
				at = len(words)
				index[k] = at
				words = append(words, k)
				s.lengths = append(s.lengths, len(k))
				s.users = append(s.users, nil)
			}
			s.users[at] = append(s.users[at], i)
		}
	}
	s.keywords = newAutomaton(words)
	return s
}

// window is a stretch of a text that a pattern has to be tried on.
type window struct{ from, to int }

// holds reports whether a match whose keyword ends at an offset lies inside: a
// long word was cut where the window ends, and what goes on behind the cut
// must be looked at as well.
func (w window) holds(text string, end int) bool {
	wordEnds := w.to >= len(text) || isSpace(text[w.to])
	return end <= w.to && (wordEnds || w.to-end >= windowMost/2)
}

// scan appends what the rules find in a text. Windows of one pattern that
// touch are joined before it is tried, so that no pattern reads any part of
// the text twice.
func (s *ruleSet) scan(text string, spans []span) []span {
	windows := map[int][]window{}
	refused := map[int]window{} // the last word that cannot hold a match; long ones have many keywords
	s.keywords.each(text, func(keyword, end int) {
		start := end - s.lengths[keyword]
		for _, i := range s.users[keyword] {
			r := &s.rules[i]
			if r.pattern == nil {
				if found, ok := r.at(text, start, end); ok {
					found.rule, found.rank = r.id, r.rank
					spans = append(spans, found)
				}
				continue
			}
			if n := len(windows[i]); n > 0 && r.pattern.shape == shapeToken && windows[i][n-1].holds(text, end) {
				continue // in a word that will be tried anyway
			}
			if w, ok := refused[i]; ok && w.holds(text, end) {
				continue
			}
			from, to, ok := r.pattern.window(text, start, end)
			switch {
			case ok:
				windows[i] = addWindow(windows[i], window{from, to})
			case r.pattern.shape == shapeToken && from < to:
				refused[i] = window{from, to}
			}
		}
	})
	for _, i := range s.always {
		windows[i] = []window{{0, len(text)}}
	}
	for i, at := range windows {
		r := &s.rules[i]
		for _, w := range at {
			spans = r.pattern.find(r.id, r.rank, text, w.from, w.to, spans)
		}
	}
	return spans
}

// addWindow adds a window that ends at or after those before it.
func addWindow(at []window, w window) []window {
	if n := len(at); n > 0 && w.from <= at[n-1].to {
		last := &at[n-1]
		last.from, last.to = min(last.from, w.from), max(last.to, w.to)
		return at
	}
	return append(at, w)
}
