package codebase

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"chitta/internal/code"
	"chitta/internal/store"
)

// The catalogue of a project is what is looked through for names that are spelt
// alike and for words. It is made when it is first asked for and kept while it is
// used; afterwards only files that changed are read again.

// entry is a symbol in a catalogue.
type entry struct {
	id           int64
	name, folded string
	kind, lang   string
	words        []uint32 // of the name
	text         []uint32 // of signature, path and comment, each once
}

type catalogue struct {
	mu      sync.Mutex
	changed time.Time // of the project, when it was last brought up to date
	marks   map[int64]int64
	files   map[int64][]entry
	words   map[string]uint32
	rest    *time.Timer // drops it
}

// catalogues are those of all projects, by number.
type catalogues struct {
	mu   sync.Mutex
	list map[int64]*catalogue
}

// catalogueRest is how long a catalogue is kept that nobody asks for.
const catalogueRest = 10 * time.Minute

// of returns the catalogue of a project.
func (x *catalogues) of(project int64) *catalogue {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.list == nil {
		x.list = map[int64]*catalogue{}
	}
	c := x.list[project]
	if c == nil {
		c = &catalogue{marks: map[int64]int64{}, files: map[int64][]entry{}, words: map[string]uint32{}}
		c.rest = time.AfterFunc(catalogueRest, func() {
			x.mu.Lock()
			defer x.mu.Unlock()
			delete(x.list, project)
		})
		x.list[project] = c
	}
	c.rest.Reset(catalogueRest)
	return c
}

// view is a catalogue as it was when asked for: files are replaced, not changed.
type view struct {
	files [][]entry
	of    *catalogue
}

// each calls fn with all entries.
func (v *view) each(fn func(*entry)) {
	for _, list := range v.files {
		for i := range list {
			fn(&list[i])
		}
	}
}

// catalogue returns the catalogue of the project, up to date.
func (a *Ask) catalogue(ctx context.Context) (*view, error) {
	c := a.base.catalogues.of(a.project.ID)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.changed.Equal(a.project.Changed) || c.changed.IsZero() {
		if err := c.read(ctx, a.base.db, a.project.ID); err != nil {
			return nil, fmt.Errorf("read symbols: %w", err)
		}
		c.changed = a.project.Changed
	}
	v := &view{of: c, files: make([][]entry, 0, len(c.files))}
	for _, list := range c.files {
		v.files = append(v.files, list)
	}
	return v, nil
}

// readAtOnce is how many files are read with one question.
const readAtOnce = 500

func (c *catalogue) read(ctx context.Context, db *store.Code, project int64) error {
	marks, err := db.CodeMarks(ctx, project)
	if err != nil {
		return err
	}
	for id := range c.files {
		if _, ok := marks[id]; !ok {
			delete(c.files, id)
			delete(c.marks, id)
		}
	}
	var todo []int64
	for id, made := range marks {
		if have, ok := c.marks[id]; !ok || have != made {
			todo = append(todo, id)
		}
	}
	for part := range slices.Chunk(todo, readAtOnce) {
		found, err := db.SymbolsOfFiles(ctx, part)
		if err != nil {
			return err
		}
		fresh := map[int64][]entry{}
		for i := range found {
			fresh[found[i].File] = append(fresh[found[i].File], c.entry(&found[i]))
		}
		for _, id := range part {
			c.files[id], c.marks[id] = fresh[id], marks[id]
		}
	}
	return nil
}

// docRunes is how much of a comment is looked through: what it is about is said
// first.
const docRunes = 400

func (c *catalogue) entry(f *store.CodeFound) entry {
	e := entry{id: f.ID, name: f.Name, folded: f.Folded, kind: f.Kind, lang: f.Lang}
	for _, w := range textWords(f.Name) {
		e.words = append(e.words, c.word(w))
	}
	doc := f.Doc
	if utf8.RuneCountInString(doc) > docRunes {
		doc = string([]rune(doc)[:docRunes])
	}
	for _, text := range []string{f.Signature, f.Path, doc} {
		for _, w := range textWords(text) {
			if n := c.word(w); !slices.Contains(e.words, n) && !slices.Contains(e.text, n) {
				e.text = append(e.text, n)
			}
		}
	}
	return e
}

// word numbers a word.
func (c *catalogue) word(w string) uint32 {
	n, ok := c.words[w]
	if !ok {
		n = uint32(len(c.words) + 1)
		c.words[w] = n
	}
	return n
}

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
	c, err := a.catalogue(ctx)
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
			out = append(out, Match{symbolOf(&s), FoundText, h.rank})
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
