package mind

import (
	"context"
	"errors"
	"fmt"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// GraphParseInput is a text with notation in it.
type GraphParseInput struct {
	Text   string `json:"text" jsonschema:"lines of notation, such as nc.subshell -[causes]-> socket.failure"`
	Prose  bool   `json:"prose,omitempty" jsonschema:"the text is prose: take only what is plainly notation"`
	Apply  bool   `json:"apply,omitempty" jsonschema:"store the statements, all or none"`
	Source string `json:"source,omitempty" jsonschema:"where the text comes from, such as a file name"`
	Realm  string `json:"realm,omitempty" jsonschema:"project: id or name; default: that of the working directory"`
	Global bool   `json:"global,omitempty" jsonschema:"it concerns the user in every project"`
}

// StatementView is a statement that was read.
type StatementView struct {
	Line       int     `json:"line"`
	Subject    string  `json:"subject"`
	Predicate  string  `json:"predicate"`
	Object     string  `json:"object"`
	Confidence float64 `json:"confidence,omitempty"` // if the text says one
	ID         string  `json:"id,omitempty"`         // of the fact, once it is stored
	Action     string  `json:"action,omitempty"`     // inserted, strengthened or known
}

// ParseProblem is a place in a text that cannot be read.
type ParseProblem struct {
	Line   int    `json:"line"`
	Text   string `json:"text"`
	Reason string `json:"reason"`
}

// GraphParseOutput is what a text says.
type GraphParseOutput struct {
	Statements []StatementView `json:"statements"`
	Problems   []ParseProblem  `json:"problems"`
	Unread     []ParseProblem  `json:"unread,omitempty"` // of prose: looks like notation, and is only text
	Applied    bool            `json:"applied"`
}

const (
	// maxNotation is the longest text that is read at once: about 20,000
	// statements, a second or two of one transaction.
	maxNotation = 1 << 20
	// problemRunes is how much of a line is shown where it cannot be read.
	problemRunes = 120
)

// GraphParse reads notation and stores it if asked to. With a problem in it
// nothing is stored.
func (m *Mind) GraphParse(ctx context.Context, c Caller, in GraphParseInput) (GraphParseOutput, error) {
	if err := memory.CheckText("text", in.Text, maxNotation); err != nil {
		return GraphParseOutput{}, err
	}
	if err := memory.CheckText("source", in.Source, maxProvenanceBytes); err != nil {
		return GraphParseOutput{}, err
	}
	read := graph.ParseFile
	if in.Prose {
		read = graph.Parse
	}
	found, problems := read(in.Text)
	out := GraphParseOutput{Statements: []StatementView{}, Problems: []ParseProblem{}}
	for _, p := range problems {
		out.Problems = append(out.Problems, ParseProblem{p.Line, firstRunes(p.Text, problemRunes), p.Reason})
	}
	if in.Prose {
		for _, p := range graph.Passed(in.Text, found, problems) {
			out.Unread = append(out.Unread, ParseProblem{p.Line, firstRunes(p.Text, problemRunes), p.Reason})
		}
	}
	e := m.said(c)
	if in.Source != "" {
		e.Source, _ = m.redactor.Redact(fileSource(in.Source))
	}
	var list []claim
	for _, s := range found {
		cl, err := m.stated([]graph.Statement{s}, e)
		if err != nil {
			out.Problems = append(out.Problems, ParseProblem{s.Line, firstRunes(s.Text, problemRunes), inWords(err)})
			continue
		}
		list = append(list, cl...)
		out.Statements = append(out.Statements, StatementView{Line: s.Line, Subject: s.Subject, Predicate: s.Predicate, Object: s.Object, Confidence: s.Confidence})
	}
	if !in.Apply || len(out.Problems) > 0 || len(list) == 0 {
		return out, nil
	}
	return out, m.applyStatements(ctx, c, &in, list, &out)
}

func (m *Mind) applyStatements(ctx context.Context, c Caller, in *GraphParseInput, list []claim, out *GraphParseOutput) error {
	realm, err := m.factRealm(ctx, c, in.Realm, in.Global)
	if err != nil {
		return err
	}
	now := m.now()
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		for i := range list {
			list[i].from = now
			t, outcome, err := m.assert(tx, realm.ID, &list[i])
			if err != nil {
				return fmt.Errorf("line %d: %w", out.Statements[i].Line, err)
			}
			out.Statements[i].ID, out.Statements[i].Action = t.ID, string(outcome)
		}
		return nil
	})
	if err != nil {
		return factRefusal(err)
	}
	out.Applied = true
	m.net.Follow(ctx)
	return nil
}

// inWords says what is wrong and what to do in one line.
func inWords(err error) string {
	var input *memory.InputError
	var refused *memory.RefusedError
	words, hint := err.Error(), ""
	if errors.As(err, &input) {
		hint = input.Hint
	} else if errors.As(err, &refused) {
		hint = refused.Hint
	}
	if hint != "" {
		words += "; " + hint
	}
	return words
}

// GraphExportInput chooses facts to export.
type GraphExportInput struct {
	Realm  string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory and what concerns the user everywhere"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next of the page before"`
	Limit  int    `json:"limit,omitempty" jsonschema:"most facts a page; default 500"`
}

// GraphExportOutput is a page of facts.
type GraphExportOutput struct {
	Records []GraphRecord `json:"records"`
	Total   int           `json:"total,omitempty"` // on all pages; said on the first
	Next    string        `json:"next,omitempty"`
}

const graphPage = 500

// GraphExport returns all facts, ended ones too, in the order they were stored.
func (m *Mind) GraphExport(ctx context.Context, c Caller, in GraphExportInput) (GraphExportOutput, error) {
	limit, err := memory.CheckLimit(in.Limit, graphPage, factsMost, memory.PageOn)
	if err != nil {
		return GraphExportOutput{}, err
	}
	after, err := memory.DecodeCursor(in.Cursor)
	if err != nil {
		return GraphExportOutput{}, err
	}
	realms, err := m.factRealms(ctx, c, in.Realm)
	if err != nil {
		return GraphExportOutput{}, err
	}
	var n store.GraphCounts
	if in.Cursor == "" { // counting takes longer than a page
		if n, err = m.store.CountGraph(ctx, realms); err != nil {
			return GraphExportOutput{}, err
		}
	}
	list, err := m.store.Triples(ctx, store.TripleFilter{Realms: realms, After: after, Limit: limit})
	if err != nil {
		return GraphExportOutput{}, err
	}
	seqs := make([]int64, len(list))
	for i, t := range list {
		seqs[i] = t.Seq
	}
	evidence, err := m.store.EvidenceOf(ctx, seqs)
	if err != nil {
		return GraphExportOutput{}, err
	}
	var concepts []int64
	for _, t := range list {
		concepts = append(concepts, t.Subject, t.Object)
	}
	aliases, err := m.store.Aliases(ctx, concepts)
	out := GraphExportOutput{Records: []GraphRecord{}, Total: n.Triples}
	for _, t := range list {
		r := exportedFact(&t, evidence[t.Seq])
		r.SubjectAliases, r.ObjectAliases = aliases[t.Subject], aliases[t.Object]
		delete(aliases, t.Subject)
		delete(aliases, t.Object)
		out.Records = append(out.Records, r)
	}
	if len(list) == limit {
		out.Next = memory.EncodeCursor(list[len(list)-1].Seq)
	}
	return out, err
}
