package recall

import (
	"cmp"
	"slices"
	"strings"

	"chitta/internal/keyword"
)

// pastWord is what a word that a question and a text of the past share counts,
// on the scale of BM25: an index knows how rare its words are now, and nothing
// of the past.
const pastWord = 3.0

// withPast makes what a finder found as things are what it would have found as
// they were: of memories that were edited since, the text of then counts and
// not that of now.
func (q *Query) withPast(found, past []Found) []Found {
	if len(q.Past) == 0 {
		return found
	}
	found = slices.DeleteFunc(found, func(f Found) bool {
		_, edited := q.Past[f.Seq]
		return edited
	})
	found = append(found, past...)
	slices.SortStableFunc(found, func(a, b Found) int { return cmp.Compare(b.Score, a.Score) })
	return found
}

// PastByWords returns the texts of the past that share words with the query,
// the best first.
func (q *Query) PastByWords() []Found {
	if len(q.Past) == 0 {
		return nil
	}
	asked := map[string]keyword.QueryTerm{}
	for _, t := range (keyword.Analyzer{}).QueryTerms(q.Text) {
		asked[t.Term] = t
	}
	var out []Found
	for seq, text := range q.Past {
		f := Found{Seq: seq}
		var words []string
		seen := map[string]bool{}
		for _, term := range (keyword.Analyzer{}).Terms(text) {
			if t, ok := asked[term]; ok && !seen[term] {
				seen[term] = true
				f.Score += pastWord * t.Weight
				words = append(words, term)
			}
		}
		if f.Detail = strings.Join(words, " "); f.Score > 0 {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b Found) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Seq, a.Seq)) })
	return out
}

// PastByMeaning makes of the cosines of texts of the past, by row, what a
// finder proposes.
func (q *Query) PastByMeaning(cosines map[int64]float64) []Found {
	var out []Found
	for seq, cosine := range cosines {
		if cosine >= minCosine {
			out = append(out, Found{Seq: seq, Score: cosine})
		}
	}
	return out
}
