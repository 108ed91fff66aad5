package mind

import (
	"context"
	"errors"
	"slices"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// StatedFact is a fact that the text of a memory states in notation.
type StatedFact struct {
	ID       string `json:"id"`
	Sentence string `json:"sentence"`
	Action   string `json:"action"` // inserted, strengthened or known
}

// stateFacts makes the graph hold what an active memory states in notation. It
// is part of the transaction that stores the memory.
func (m *Mind) stateFacts(tx *store.Tx, r *store.Record) ([]StatedFact, error) {
	if r.State != memory.Active || !r.Erased.IsZero() {
		return nil, nil
	}
	found, _ := graph.Parse(r.Content)
	var out []StatedFact
	for _, c := range m.remembered(found, r) {
		t, outcome, err := m.assert(tx, r.Realm, &c)
		var refused *store.FactError
		if errors.As(err, &refused) {
			continue // two names of one concept, say; the memory is as good without it
		}
		if err != nil {
			return nil, err
		}
		out = append(out, StatedFact{ID: t.ID, Action: string(outcome),
			Sentence: graph.Sentence(graph.Fact{Subject: t.SubjectName, Predicate: t.Predicate, Object: t.ObjectName})})
	}
	return out, nil
}

// restateFacts does so for a memory that has changed, and takes back what it
// states no more: nothing stays of one that is not active. Facts that it states
// still are left as they are.
func (m *Mind) restateFacts(ctx context.Context, tx *store.Tx, r *store.Record) error {
	now, err := m.stateFacts(tx, r)
	if err != nil {
		return err
	}
	// those of before, as they were when the transaction began
	before, err := m.store.Triples(ctx, store.TripleFilter{Evidence: store.EvidenceFilter{Memory: r.ID}})
	if err != nil {
		return err
	}
	for _, t := range before {
		if slices.ContainsFunc(now, func(f StatedFact) bool { return f.ID == t.ID }) {
			continue
		}
		if _, err := tx.EraseEvidence(store.EvidenceFilter{Memory: r.ID, Triple: t.ID}); err != nil {
			return err
		}
	}
	return nil
}

// remembered turns the statements of a memory into claims; what cannot be one
// stays text. A fact is as sure as the memory that states it.
func (m *Mind) remembered(found []graph.Statement, r *store.Record) []claim {
	e := store.Evidence{Source: sourceMemory, Memory: r.ID, Confidence: r.Confidence.Mean, At: m.now()}
	var list []claim
	for _, s := range found {
		more, err := m.stated([]graph.Statement{s}, e)
		if err != nil {
			continue
		}
		more[0].from = r.Created
		list = append(list, more...)
	}
	return list
}

// statesOtherwise reports that a change of a memory may change what it states.
func statesOtherwise(before, after *store.Record) bool {
	return before.Content != after.Content || before.State != after.State || before.Realm != after.Realm
}
