package mind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/codebase"
	"chitta/internal/memory"
	"chitta/internal/recall"
	"chitta/internal/store"
	"chitta/internal/vector"
)

// CodeSearchInput says what the symbols that are looked for are about.
type CodeSearchInput struct {
	Query   string   `json:"query" jsonschema:"what the code does, in words: parse a config file"`
	Kinds   []string `json:"kinds,omitempty" jsonschema:"only these kinds of symbol: function, method, class, struct, interface, …"`
	Langs   []string `json:"langs,omitempty" jsonschema:"only these languages: go, python, typescript, …"`
	Limit   int      `json:"limit,omitempty" jsonschema:"most results; default 20"`
	Project string   `json:"project,omitempty" jsonschema:"a folder of the project; default: the directory of work"`
}

const (
	// codeProposed is how many symbols words propose, and meaning.
	codeProposed = 100
	// leastCodeCosine is below what a symbol that shares no word with a question
	// has nothing to do with it.
	leastCodeCosine = 0.25
)

// FoundMeaning says that a symbol was found by what it means: it shares no word
// with the question.
const FoundMeaning = "meaning"

// CodeSearch finds symbols by what they are about: by the words of names,
// signatures and comments, and by meaning.
func (m *Mind) CodeSearch(ctx context.Context, c Caller, in CodeSearchInput) (CodeSymbolsOutput, error) {
	if err := memory.CheckText("query", in.Query, memory.MaxQuery); err != nil {
		return CodeSymbolsOutput{}, err
	}
	if strings.TrimSpace(in.Query) == "" {
		return CodeSymbolsOutput{}, &memory.InputError{Field: "query", Problem: "is empty", Hint: "say what the code does"}
	}
	ask, filter, limit, err := m.codeQuery(ctx, c, in.Project, in.Kinds, in.Langs, in.Limit)
	if err != nil {
		return CodeSymbolsOutput{}, err
	}
	found, lacking, err := m.searchCode(ctx, ask, in.Query, filter, max(limit, codeProposed))
	if err != nil {
		return CodeSymbolsOutput{}, codeAnswer(err, in.Query)
	}
	out := CodeSymbolsOutput{Project: ask.Root(), Symbols: found[:min(len(found), limit)]}
	if lacking != "" {
		out.Degraded = append(out.Degraded, lacking)
	}
	out.Standing = ask.Standing()
	return out, m.noteMatches(ctx, c, ask, out.Symbols)
}

// searchCode finds symbols by words and by meaning, the best first. lacking says
// what of meaning could not take part, and why.
func (m *Mind) searchCode(ctx context.Context, ask *codebase.Ask, query string, f codebase.Filter, most int) (found []codebase.Match, lacking string, err error) {
	words, err := ask.Search(ctx, query, f, most)
	if err != nil {
		return nil, "", err
	}
	near, lacking, err := m.nearCode(ctx, ask, query, f, words, most)
	if err != nil {
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		return words, "by words alone: " + err.Error(), nil
	}
	found, err = m.fuseCode(ctx, ask, words, near)
	return found, lacking, err
}

// errUnmeant says that the symbols have no vectors of the model yet.
var errUnmeant = errors.New("the symbols are not embedded yet")

// nearCode returns how near symbols are to a question: those of the project that
// are nearest, and those that words found.
func (m *Mind) nearCode(ctx context.Context, ask *codebase.Ask, query string, f codebase.Filter, words []codebase.Match, most int) (map[int64]float64, string, error) {
	_, encoder, err := m.semantic.Ready(store.OwnerMemory)
	if err != nil {
		return nil, "", err
	}
	e, ok := encoder.(codeEncoder)
	if !ok {
		return nil, "", recall.ErrOff
	}
	asked, err := e.Query(ctx, query)
	if err != nil {
		return nil, "", err
	}
	index, count, err := m.meantIndex(ctx, ask.Root(), e, len(asked))
	if err != nil {
		return nil, "", err
	}
	q := vector.Query{Vector: asked, K: most}
	for label, list := range map[string][]string{kindLabel: f.Kinds, langLabel: f.Langs} {
		if len(list) == 0 {
			continue
		}
		group := make([]string, len(list))
		for i, x := range list {
			group[i] = label + x
		}
		q.Filter.All = append(q.Filter.All, group)
	}
	hits, err := index.Search(ctx, q)
	if err != nil {
		return nil, "", err
	}
	near := make(map[int64]float64, len(hits)+len(words))
	for _, h := range hits {
		if h.Score >= leastCodeCosine {
			near[int64(h.ID)] = float64(h.Score)
		}
	}
	ids := make([]uint64, len(words))
	for i := range words {
		ids[i] = uint64(words[i].Number())
	}
	cosines, err := index.Cosines(asked, ids)
	if err != nil {
		return nil, "", err
	}
	for i, x := range cosines {
		if !math.IsNaN(float64(x)) {
			near[int64(ids[i])] = float64(x)
		}
	}
	if count.Have < count.Want || count.Beyond > 0 {
		return near, "by meaning: " + count.String(), nil
	}
	return near, "", nil
}

// meantIndex returns the vectors of a project, and how many of its symbols have
// one.
func (m *Mind) meantIndex(ctx context.Context, root string, e codeEncoder, dims int) (*vector.Index, CodeMeaning, error) {
	r := &m.senses
	r.mu.Lock()
	defer r.mu.Unlock()
	db, err := m.openMeant(ctx)
	if err != nil {
		return nil, CodeMeaning{}, err
	}
	key, err := db.Model(ctx)
	if err != nil {
		return nil, CodeMeaning{}, err
	}
	count, err := r.count(ctx, root)
	if err != nil {
		return nil, count, err
	}
	if key != modelKey(e) || count.Have == 0 {
		return nil, count, errUnmeant
	}
	index, err := r.shelf(ctx, root, dims)
	return index, count, err
}

// dataShare is what the nearness of a symbol counts that does nothing itself:
// names of fields are short, and near to much. (Words have a share of their own.)
const dataShare = 0.85

// wordScale makes of what words count, at most one, what the fusion takes for
// the weight of a few words of a question.
const wordScale = 8

// fuseCode puts what words and meaning found in one order, as recall does with
// memories.
func (m *Mind) fuseCode(ctx context.Context, ask *codebase.Ask, words []codebase.Match, near map[int64]float64) ([]codebase.Match, error) {
	all := slices.Clone(words)
	known := make(map[int64]bool, len(words))
	for i := range words {
		known[words[i].Number()] = true
	}
	var more []int64
	for id := range near {
		if !known[id] {
			more = append(more, id)
		}
	}
	slices.Sort(more)
	symbols, err := ask.Numbered(ctx, more)
	if err != nil {
		return nil, err
	}
	for _, s := range symbols {
		all = append(all, codebase.Match{Symbol: s, How: FoundMeaning})
	}
	answer := &recall.Answer{Candidates: make([]recall.Candidate, len(all))}
	for i := range all {
		s := &all[i]
		c := &answer.Candidates[i]
		if s.How != FoundMeaning {
			c.Evidence = append(c.Evidence, recall.Evidence{Source: recall.SourceKeyword, Score: wordScale * s.Score})
			s.Evidence = append(s.Evidence, codebase.Evidence{Source: recall.SourceKeyword, Score: s.Score})
		}
		if cosine, ok := near[s.Number()]; ok {
			if k := code.Kind(s.Kind); !k.Callable() && !k.Type() {
				cosine *= dataShare
			}
			c.Evidence = append(c.Evidence, recall.Evidence{Source: recall.SourceVector, Score: cosine})
			s.Evidence = append(s.Evidence, codebase.Evidence{Source: recall.SourceVector, Score: cosine})
		}
	}
	if err := (recall.Fuse{}).Refine(ctx, nil, answer); err != nil {
		return nil, fmt.Errorf("fuse: %w", err)
	}
	for i := range all {
		all[i].Score = answer.Candidates[i].Score
	}
	slices.SortStableFunc(all, func(a, b codebase.Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return all, nil
}
