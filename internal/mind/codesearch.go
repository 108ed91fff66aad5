package mind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	// byWords is how many symbols words propose.
	byWords = 200
	// embeddedAtOnce is how many of them are compared by meaning. Symbols are not
	// embedded ahead, there are too many of which nobody ever asks; a batch takes
	// a moment the first time, and its vectors are kept for the next question.
	embeddedAtOnce = 48
	// meaningShare is what meaning counts beside words.
	meaningShare = 0.5
	// symbolRunes is how much of a symbol's text is embedded.
	symbolRunes = 300
)

// FoundMeaning says that a symbol was found by words and meaning.
const FoundMeaning = "meaning"

// CodeSearch finds symbols by what they are about: the words of names,
// signatures and comments propose, meaning puts them in order.
func (m *Mind) CodeSearch(ctx context.Context, c Caller, in CodeSearchInput) (CodeSymbolsOutput, error) {
	if err := checkText("query", in.Query, maxQuery); err != nil {
		return CodeSymbolsOutput{}, err
	}
	if strings.TrimSpace(in.Query) == "" {
		return CodeSymbolsOutput{}, &memory.InputError{Field: "query", Problem: "is empty", Hint: "say what the code does"}
	}
	ask, filter, limit, err := m.codeQuery(ctx, c, in.Project, in.Kinds, in.Langs, in.Limit)
	if err != nil {
		return CodeSymbolsOutput{}, err
	}
	found, err := ask.Search(ctx, in.Query, filter, byWords)
	if err != nil {
		return CodeSymbolsOutput{}, codeAnswer(err, in.Query)
	}
	out := CodeSymbolsOutput{Project: ask.Root()}
	if err := m.orderByMeaning(ctx, in.Query, found); err != nil {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if !errors.Is(err, recall.ErrOff) {
			out.Degraded = append(out.Degraded, "by words only: "+err.Error())
		}
	}
	out.Symbols = found[:min(len(found), limit)]
	out.Standing = ask.Standing()
	return out, m.noteMatches(ctx, c, ask, out.Symbols)
}

// orderByMeaning puts the best of what words found in the order of words and meaning.
func (m *Mind) orderByMeaning(ctx context.Context, query string, found []codebase.Match) error {
	if len(found) == 0 {
		return nil
	}
	_, encoder, err := m.semantic.Ready(store.OwnerMemory)
	if err != nil {
		return err
	}
	embedder, ok := encoder.(interface {
		Embed(context.Context, []string) ([][]float32, error)
	})
	if !ok {
		return fmt.Errorf("symbols cannot be embedded: %w", recall.ErrOff)
	}
	asked, err := encoder.Query(ctx, query)
	if err != nil {
		return err
	}
	part := found[:min(len(found), embeddedAtOnce)]
	texts := make([]string, len(part))
	for i := range part {
		texts[i] = symbolText(&part[i].Symbol)
	}
	made, err := embedder.Embed(ctx, texts)
	if err != nil {
		return err
	}
	best := part[0].Score
	for i := range part {
		words := part[i].Score / max(best, 1e-9)
		part[i].Score = (1-meaningShare)*words + meaningShare*max(0, float64(vector.Dot(made[i], asked)))
		part[i].How = FoundMeaning
	}
	slices.SortStableFunc(part, func(a, b codebase.Match) int { return cmp.Compare(b.Score, a.Score) })
	least := part[len(part)-1].Score
	for i := len(part); i < len(found); i++ { // behind them, in their order
		found[i].Score = least * found[i].Score / max(best, 1e-9)
	}
	return nil
}

// symbolText is what of a symbol has a meaning: its name in words, its comment,
// its signature.
func symbolText(s *codebase.Symbol) string {
	text := strings.Join(codebase.NameWords(s.Path), " ")
	if s.Doc != "" {
		text += ". " + firstRunes(s.Doc, symbolRunes)
	}
	return text + "\n" + firstRunes(s.Signature, symbolRunes)
}
