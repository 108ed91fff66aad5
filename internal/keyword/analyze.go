package keyword

import (
	"strings"
)

const (
	// analysisVersion is part of the options hash: raise it whenever the same
	// text gives other terms, and every index is rebuilt.
	analysisVersion = 1

	// maxTermRunes bounds a term. Longer tokens (base64, minified code) are
	// cut: the start is enough to find the same blob again.
	maxTermRunes = 64

	// maxTokenTerms bounds what one token (an identifier, a path) expands to.
	maxTokenTerms = 24

	// maxQueryTerms bounds what is looked up for a query, so that a pasted log
	// of a megabyte costs no more than a page of it.
	maxQueryTerms = 512

	// partWeight is the weight in a query of the parts of an identifier or
	// path, against 1 for words and whole identifiers: several parts together
	// should not outweigh the name that was asked for.
	partWeight = 0.5
)

// Analyzer turns text into terms. The zero value is ready to use; one made by
// NewAnalyzer also remembers stems, which is several times faster on much text.
// Both may be used from many goroutines.
type Analyzer struct {
	stems *stemCache
}

// NewAnalyzer returns an Analyzer with a stem cache of bounded size.
func NewAnalyzer() Analyzer { return Analyzer{stems: newStemCache()} }

// QueryTerm is one term to look up.
type QueryTerm struct {
	Term    string  // as in the index
	Weight  float64 // factor on the term's score; zero means 1
	Surface string  // what the term was made from, for explanations
}

// Terms returns the terms of text in order, with duplicates.
func (a Analyzer) Terms(text string) []string {
	var terms []string
	t := tokenizer{stems: a.stems, emit: func(term []byte, _ termFlags, _ string) {
		terms = append(terms, string(term))
	}}
	t.text(text)
	return terms
}

// QueryTerms returns the distinct terms of a query. Stop words are left out
// unless there is nothing else.
func (a Analyzer) QueryTerms(text string) []QueryTerm {
	var terms, stops []QueryTerm
	at := make(map[string]int)
	t := tokenizer{stems: a.stems}
	t.emit = func(term []byte, flags termFlags, surface string) {
		weight := 1.0
		if flags&isPart != 0 {
			weight = partWeight
		}
		list := &terms
		if flags&isStop != 0 {
			list = &stops
		}
		if i, ok := at[string(term)]; ok {
			// A stem may come from a stop word and from another word
			// ("do", "doe"): then it counts as the other word.
			if i < 0 && flags&isStop == 0 {
				at[string(term)] = len(terms)
				terms = append(terms, QueryTerm{string(term), weight, strings.Clone(surface)})
			} else if i >= 0 && terms[i].Weight < weight {
				terms[i].Weight, terms[i].Surface = weight, strings.Clone(surface)
			}
			return
		}
		if len(at) >= maxQueryTerms {
			t.stop = true
			return
		}
		at[string(term)] = len(terms)
		if flags&isStop != 0 {
			at[string(term)] = -1
		}
		*list = append(*list, QueryTerm{string(term), weight, strings.Clone(surface)})
	}
	t.text(text)
	if len(terms) == 0 {
		return stops
	}
	return terms
}
