package codebase

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"chitta/internal/code"
)

// textWords are the words of a text, names taken apart, without endings.
func textWords(text string) []string {
	var out []string
	for _, part := range nameParts(text) {
		if w := stem(part); !noise[w] {
			out = append(out, w)
		}
	}
	return out
}

// noise are words that say nothing about what code does.
var noise = map[string]bool{
	"a": true, "an": true, "the": true, "of": true, "to": true, "in": true, "is": true, "and": true, "or": true, "for": true,
	"it": true, "that": true, "with": true, "by": true, "be": true, "where": true, "what": true, "which": true, "how": true, "do": true, "doe": true,
}

// stem takes the most usual endings of English off, so that "parses" and
// "parsing" find "parse".
func stem(w string) string {
	const least = 3 // what is left must still be a word
	for _, end := range []string{"ing", "ed", "es", "s", "e"} {
		cut, ok := strings.CutSuffix(w, end)
		if !ok || len(cut) < least || strings.HasSuffix(w, "ss") {
			continue
		}
		if n := len(cut); n > least && (end == "ing" || end == "ed") && cut[n-1] == cut[n-2] && strings.IndexByte("bdgmnprt", cut[n-1]) >= 0 {
			cut = cut[:n-1] // putting, stopped
		}
		return cut
	}
	return w
}

// Weights of where a word stands.
const (
	inName, inText = 1.0, 0.5
	// dataShare is what a symbol counts that does nothing itself: who searches
	// for what code is about means what does it.
	dataShare = 0.5
	// partShare is what the part of the words that a symbol has counts beside
	// their rarity: all of two words are more than one rare one.
	partShare = 0.5
	// longName is what each word of a name takes off: a little, so that it only
	// decides between those that are else alike.
	longName = 0.05
)

// Search returns symbols whose names, signatures or comments have the words of a
// text, the best first.
func (a *Ask) Search(ctx context.Context, text string, f Filter, limit int) ([]Match, error) {
	c, err := a.catalogue(ctx, true)
	if err != nil {
		return nil, err
	}
	asked := c.numbers(text)
	if len(asked) == 0 {
		return []Match{}, nil
	}
	hits := c.hits(asked, &f)
	slices.SortStableFunc(hits, func(a, b *wordHit) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.e.name, b.e.name), cmp.Compare(a.e.id, b.e.id))
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
		if s, ok := found[h.e.id]; ok {
			out = append(out, Match{Symbol: symbolOf(&s), How: FoundText, Score: h.rank})
		}
	}
	return out, nil
}

// numbers are those of the words of a text, each once; 0 for what nothing has.
func (v *view) numbers(text string) []uint32 {
	v.of.mu.Lock()
	defer v.of.mu.Unlock()
	var out []uint32
	for _, w := range textWords(text) {
		if n, ok := v.of.words[w]; !ok || !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// wordHit is a symbol that has words of a text, each with what it counts where
// it stands.
type wordHit struct {
	e    *entry
	at   []float64
	rank float64
}

// hits returns the entries that have some of the words, ranked.
func (v *view) hits(asked []uint32, f *Filter) []*wordHit {
	var hits []*wordHit
	have := make([]float64, len(asked))
	total := 0
	v.each(func(e *entry) {
		total++
		var h *wordHit
		for i, w := range asked {
			at := e.standing(w)
			if at == 0 {
				continue
			}
			have[i]++
			if h == nil {
				h = &wordHit{e: e, at: make([]float64, len(asked))}
			}
			h.at[i] = at
		}
		if h != nil && f.lets(e.kind, e.lang) {
			hits = append(hits, h)
		}
	})
	rarity, best := have, 0.0
	for i, n := range have {
		rarity[i] = math.Log(1 + float64(total)/(1+n))
		best += rarity[i]
	}
	for _, h := range hits {
		h.weigh(rarity, best)
	}
	return hits
}

// standing says what a word counts where it stands in a symbol.
func (e *entry) standing(w uint32) float64 {
	switch {
	case w == 0:
		return 0
	case slices.Contains(e.words, w):
		return inName
	case slices.Contains(e.text, w):
		return inText
	}
	return 0
}

// weigh ranks a hit: rare words count more, and so does having all of them.
func (h *wordHit) weigh(rarity []float64, best float64) {
	sum, part := 0.0, 0.0
	for i, at := range h.at {
		sum += at * rarity[i]
		if at > 0 {
			part++
		}
	}
	// a short name that is all about the words is more than a long one
	share := 1 / (1 + longName*float64(len(h.e.words)))
	if k := code.Kind(h.e.kind); !k.Callable() && !k.Type() && k != code.Module {
		share *= dataShare
	}
	h.rank = sum / best * (1 - partShare + partShare*part/float64(len(h.at))) * share
}
