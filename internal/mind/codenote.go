package mind

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"chitta/internal/anchor"
	"chitta/internal/codebase"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// CodeDescribeInput is a note to keep with a symbol.
type CodeDescribeInput struct {
	CodeSymbolInput
	Text string `json:"text" jsonschema:"what is worth knowing about the symbol"`
}

// CodeDescribeOutput says what became of a note.
type CodeDescribeOutput struct {
	CodeSeveral
	Symbol *codebase.Symbol `json:"symbol,omitempty"`
	Memory *RememberOutput  `json:"memory,omitempty"`
}

// tagSymbol marks memories that are notes on symbols.
const tagSymbol = "symbol"

// CodeDescribe keeps a note with a symbol: a memory that is anchored to it, so
// that recall finds it and it outlives the index.
func (m *Mind) CodeDescribe(ctx context.Context, c Caller, in CodeDescribeInput) (out CodeDescribeOutput, err error) {
	if err := memory.CheckText("text", in.Text, m.gate.MaxBytes); err != nil {
		return out, err
	}
	if strings.TrimSpace(in.Text) == "" {
		return out, &memory.InputError{Field: "text", Problem: "is empty", Hint: "say what is worth knowing about the symbol"}
	}
	ask, err := m.askCode(ctx, c, in.Project)
	if err != nil {
		return out, err
	}
	s, several, err := m.symbolMeant(ctx, c, ask, "symbol", in.Symbol, anyKind)
	if err != nil || s == nil {
		out.Several = several
		return out, err
	}
	if mine, err := m.ownCode(ctx, c, ask); err != nil {
		return out, err
	} else if !mine {
		return out, &memory.InputError{Field: "project", Problem: "is not that of this session", Hint: "describe symbols of the project you work in"}
	}
	here := Caller{Actor: c.Actor, Session: c.Session, Cwd: ask.Root()}
	made, err := m.Remember(ctx, here, RememberInput{
		Content: fmt.Sprintf("`%s` in %s: %s", s.Path, s.File, strings.TrimSpace(in.Text)),
		Kind:    memory.Symbol.String(), Tags: []string{tagSymbol}, Symbols: []string{s.File + ":" + s.Path},
	})
	if err != nil {
		return out, err
	}
	list := []codebase.Symbol{*s}
	if err := m.addNotes(ctx, c, ask, list); err != nil {
		return out, err
	}
	out.Symbol, out.Memory = &list[0], &made
	return out, nil
}

const (
	// notesRead bounds how many memories about the files of an answer are read.
	notesRead = 200
	// notesEach is how many notes are shown with a symbol.
	notesEach = 3
)

// addNotes puts what was noted with symbols to them.
func (m *Mind) addNotes(ctx context.Context, c Caller, ask *codebase.Ask, symbols []codebase.Symbol) error {
	notes, err := m.notesOn(ctx, c, ask, symbols)
	if err != nil {
		return err
	}
	for i := range symbols {
		symbols[i].Notes = notes[symbols[i].ID]
	}
	return nil
}

func (m *Mind) noteMatches(ctx context.Context, c Caller, ask *codebase.Ask, list []codebase.Match) error {
	symbols := make([]codebase.Symbol, len(list))
	for i := range list {
		symbols[i] = list[i].Symbol
	}
	notes, err := m.notesOn(ctx, c, ask, symbols)
	for i := range list {
		list[i].Notes = notes[list[i].ID]
	}
	return err
}

// ownCode reports whether what is remembered of a project is for who asks: an
// agent may look at the code of another, but not at what was learned there.
func (m *Mind) ownCode(ctx context.Context, c Caller, ask *codebase.Ask) (bool, error) {
	if c.Person() {
		return true, nil
	}
	here, err := m.RealmHere(ctx, c)
	return err == nil && here.ID == ask.Realm(), err
}

// notesOn returns what active memories say of symbols, by id.
func (m *Mind) notesOn(ctx context.Context, c Caller, ask *codebase.Ask, symbols []codebase.Symbol) (map[string][]codebase.Note, error) {
	if ask.Realm() == "" || len(symbols) == 0 {
		return nil, nil
	}
	if mine, err := m.ownCode(ctx, c, ask); err != nil || !mine {
		return nil, err
	}
	at := map[[2]string]string{} // path and symbol → id
	var paths []string
	for _, s := range symbols {
		named, err := m.anchors.Paths(ctx, ask.Realm(), ask.Root(), []string{s.File})
		if err != nil {
			return nil, err
		}
		if len(named) == 0 {
			continue
		}
		at[[2]string{named[0], s.Path}] = s.ID
		if !slices.Contains(paths, named[0]) {
			paths = append(paths, named[0])
		}
	}
	records, err := m.store.MemoriesAbout(ctx, ask.Realm(), paths, notesRead)
	if err != nil || len(records) == 0 {
		return nil, err
	}
	seqs := make([]int64, len(records))
	for i := range records {
		seqs[i] = records[i].Seq
	}
	anchors, err := m.store.AnchorsOf(ctx, seqs)
	if err != nil {
		return nil, err
	}
	out := map[string][]codebase.Note{}
	var shown []store.Record
	for i := range records {
		r := &records[i]
		for _, a := range anchors[r.Seq] {
			if id := at[[2]string{a.Path, a.Symbol}]; id != "" && len(out[id]) < notesEach {
				out[id] = append(out[id], codebase.Note{ID: r.ID, Text: r.Content})
				shown = append(shown, *r)
			}
		}
	}
	return out, m.markNotes(ctx, ask, out, shown, anchors)
}

// markNotes says of notes that are stale what changed. Code that cannot be read
// keeps nobody from an answer.
func (m *Mind) markNotes(ctx context.Context, ask *codebase.Ask, notes map[string][]codebase.Note, shown []store.Record, anchors map[int64][]store.Anchor) error {
	slices.SortFunc(shown, func(a, b store.Record) int { return cmp.Compare(a.Seq, b.Seq) })
	shown = slices.CompactFunc(shown, func(a, b store.Record) bool { return a.Seq == b.Seq })
	states, err := m.anchors.Check(ctx, ask.Root(), shown, anchors, anchor.Reading)
	if err != nil {
		if ctx.Err() == nil {
			m.opts.Log.Warn("notes were not held against code", "error", err)
		}
		return ctx.Err()
	}
	stale := map[string]string{} // by the memory's id
	for _, r := range shown {
		if f := states[r.Seq]; f.State == anchor.Stale {
			stale[r.ID] = cmp.Or(f.Note, "the code changed")
		}
	}
	for _, list := range notes {
		for i := range list {
			list[i].Stale = stale[list[i].ID]
		}
	}
	return nil
}
