package codebase

import (
	"context"
	"fmt"
	"slices"

	"chitta/internal/code"
	"chitta/internal/store"
)

// Whoever keeps what symbols mean asks here which ones are worth it, and which
// files are others than before.

// Number is the symbol's id as a number.
func (s *Symbol) Number() int64 { return s.id }

// Meant is a symbol whose meaning is worth keeping.
type Meant struct {
	Symbol
	Rank int // the lower, the sooner: see the ranks below
}

// Ranks of symbols by how likely they are meant by who asks for what code does.
const (
	rankTold  = iota // others can use it, and a comment tells what it is for
	rankOpen         // one of both
	rankInner        // neither
	rankData         // fields, constants and variables without a comment
	rankTest         // in tests
)

// MeantFile is a file whose symbols are others than before.
type MeantFile struct {
	Path    string
	Made    int64
	Symbols []Meant
}

// meantAtOnce is how many files are read at a time.
const meantAtOnce = 100

// EachMeant calls fn with the files of the project, some at a time, that are
// others than marks says, with all of their symbols that are worth it: not
// functions without a name, and of what stands within functions only functions.
// It returns the files of marks that are gone.
func (a *Ask) EachMeant(ctx context.Context, marks map[string]int64, fn func([]MeantFile) error) (gone []string, err error) {
	files, err := a.base.db.CodeListing(ctx, a.project.ID)
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	there := make(map[string]bool, len(files))
	var todo []store.CodeListed
	for _, f := range files {
		there[f.Path] = true
		if made, ok := marks[f.Path]; !ok || made != f.Made {
			todo = append(todo, f)
		}
	}
	for path := range marks {
		if !there[path] {
			gone = append(gone, path)
		}
	}
	for part := range slices.Chunk(todo, meantAtOnce) {
		out := make([]MeantFile, len(part))
		ids := make([]int64, len(part))
		at := map[int64]int{}
		for i, f := range part {
			out[i], ids[i], at[f.ID] = MeantFile{Path: f.Path, Made: f.Made}, f.ID, i
		}
		found, err := a.base.db.SymbolsOfFiles(ctx, ids)
		if err != nil {
			return nil, fmt.Errorf("symbols: %w", err)
		}
		inner := make(map[int64]bool, len(found)) // what stands within functions; what encloses comes first
		for i := range found {
			s := &found[i]
			k, local := code.Kind(s.Kind), inner[s.Parent]
			inner[s.ID] = local || k.Callable()
			if k == code.Lambda || local && !k.Callable() {
				continue
			}
			rank := rankOf(s)
			if local {
				rank = max(rank, rankInner)
			}
			f := &out[at[s.File]]
			f.Symbols = append(f.Symbols, Meant{symbolOf(s), rank})
		}
		if err := fn(out); err != nil {
			return nil, err
		}
	}
	return gone, nil
}

// rankOf says how likely a symbol is meant.
func rankOf(s *store.CodeFound) int {
	k := code.Kind(s.Kind)
	switch told := s.Doc != ""; {
	case isTest(s.FilePath):
		return rankTest
	case told && s.Exported:
		return rankTold
	case told:
		return rankOpen
	case !k.Callable() && !k.Type() && k != code.Module && k != code.Macro:
		return rankData
	case s.Exported:
		return rankOpen
	}
	return rankInner
}

// Numbered returns symbols of the project by their numbers; those that are gone
// are left out.
func (a *Ask) Numbered(ctx context.Context, ids []int64) ([]Symbol, error) {
	found, err := a.base.db.SymbolsByID(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("load symbols: %w", err)
	}
	out := make([]Symbol, 0, len(ids))
	for _, id := range ids {
		if f, ok := found[id]; ok {
			out = append(out, symbolOf(&f))
		}
	}
	return out, nil
}
