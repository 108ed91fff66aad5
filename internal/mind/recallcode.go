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
	"chitta/internal/syntax"
)

// KindSymbol is the kind of a result that is a symbol of source code, as of
// notes on one.
const KindSymbol = "symbol"

const (
	// recallSymbolsMost is how many symbols one question finds.
	recallSymbolsMost = 8
	// recallSymbolsOnly is the same where nothing else is asked.
	recallSymbolsOnly = 50
	// textMatch is what one counts at most that only its words found, and
	// leastText what it must reach: most of the words in its name.
	textMatch, leastText = 0.6, 0.3
	// symbolLineRunes is how much of a comment is told.
	symbolLineRunes = 200
)

// recallSymbols finds symbols of the project of work for a question.
func (m *Mind) recallSymbols(ctx context.Context, q *recall.Query, names []string, only bool) ([]recall.Symbol, error) {
	ask, err := m.askRecalled(ctx, q, only)
	if err != nil {
		return nil, err
	}
	most := recallSymbolsMost
	if only {
		most = max(recallSymbolsOnly, q.Limit)
	}
	var found []codebase.Match
	take := func(list []codebase.Match, least, share float64) {
		for _, f := range list {
			if f.Score *= share; f.Score >= least && !slices.ContainsFunc(found, func(o codebase.Match) bool { return o.ID == f.ID }) {
				found = append(found, f)
			}
		}
	}
	for _, name := range names {
		list, err := ask.Find(ctx, name, codebase.Filter{}, most)
		if err != nil {
			return nil, err
		}
		if !only { // what is only spelt alike is for who looks for code
			list = slices.DeleteFunc(list, func(f codebase.Match) bool { return f.How == codebase.FoundFuzzy })
		}
		take(list, 0, 1)
	}
	if only || len(names) == 1 && strings.TrimSpace(q.Text) == names[0] { // a signature is asked for by its words
		list, least, err := m.recallBySense(ctx, ask, q.Text, most, only)
		if err != nil {
			return nil, err
		}
		take(list, least, textMatch)
	}
	slices.SortStableFunc(found, func(a, b codebase.Match) int { return cmp.Compare(b.Score, a.Score) })
	found = found[:min(len(found), most)]
	out := make([]recall.Symbol, len(found))
	for i := range found {
		f := &found[i]
		out[i] = recall.Symbol{
			ID: f.ID, Kind: f.Kind, Name: f.Path, Place: fmt.Sprintf("%s:%d", f.File, f.Line), Text: symbolTold(&f.Symbol), Match: f.Score,
			Detail: f.How + ": " + f.Path,
		}
	}
	return out, nil
}

// recallBySense finds symbols by words, and by meaning as well where code alone is
// asked for, with what one must count at least.
func (m *Mind) recallBySense(ctx context.Context, ask *codebase.Ask, text string, most int, only bool) ([]codebase.Match, float64, error) {
	if !only {
		list, err := ask.Search(ctx, text, codebase.Filter{}, most)
		return list, leastText, err
	}
	list, _, err := m.searchCode(ctx, ask, text, codebase.Filter{}, most)
	return list[:min(len(list), most)], 0, err
}

// askRecalled returns who answers about the project of work. That it is not
// indexed, or cannot be, is only an error where code alone is asked for.
func (m *Mind) askRecalled(ctx context.Context, q *recall.Query, only bool) (*codebase.Ask, error) {
	c := Caller{Cwd: q.Cwd}
	if only {
		return m.askCode(ctx, c, "")
	}
	if !syntax.Available {
		return nil, fmt.Errorf("%w: %w", recall.ErrOff, codebase.ErrOff)
	}
	base, err := m.codeIfThere(ctx)
	if err != nil {
		return nil, err
	}
	if base == nil || q.Cwd == "" {
		return nil, fmt.Errorf("%w: %w", recall.ErrOff, codebase.ErrUnknown)
	}
	ask, err := base.Ask(ctx, q.Cwd)
	if errors.Is(err, codebase.ErrUnknown) || errors.Is(err, codebase.ErrOff) {
		err = fmt.Errorf("%w: %w", recall.ErrOff, err)
	}
	return ask, err
}

// symbolTold is a symbol as an answer tells it: its place, its signature, what
// its comment begins with.
func symbolTold(s *codebase.Symbol) string {
	text := fmt.Sprintf("%s:%d  %s  %s", s.File, s.Line, s.Kind, s.Title(symbolLineRunes))
	if s.Doc != "" {
		doc, _, _ := strings.Cut(s.Doc, "\n\n")
		text += "\n" + firstRunes(strings.Join(strings.Fields(doc), " "), symbolLineRunes)
	}
	return text
}

func symbolResult(s *recall.Symbol, realm string) Result {
	return Result{
		ID: s.ID, Kind: KindSymbol, Realm: realm, Tags: []string{}, State: string(memory.Active),
		Confidence: 1, Trust: string(memory.TrustTool), Place: s.Place,
	}
}
