package mind

import (
	"context"
	"errors"
	"slices"
	"time"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// StatedFact is a fact that the text of a memory states in notation.
type StatedFact struct {
	ID       string `json:"id"`
	Sentence string `json:"sentence"`
	Action   string `json:"action"` // inserted, strengthened, known, resumed or ended
}

// Stated is what became of the notation in the text of a memory.
type Stated struct {
	Facts  []StatedFact   `json:"facts,omitempty"`
	Unread []ParseProblem `json:"unread,omitempty"` // looks like notation, and is only text
}

// stateFacts makes the graph hold what an active memory states in notation,
// from a time on. It is part of the transaction that stores the memory.
func (m *Mind) stateFacts(tx *store.Tx, r *store.Record, from time.Time) (Stated, error) {
	var out Stated
	if r.State != memory.Active || !r.Erased.IsZero() {
		return out, nil
	}
	found, problems := graph.Parse(r.Content)
	for _, p := range append(problems, graph.Passed(r.Content, found, problems)...) {
		out.unread(p.Line, p.Text, p.Reason)
	}
	e := store.Evidence{Source: sourceMemory, Memory: r.ID, Confidence: r.Confidence.Mean, At: m.now()}
	for _, s := range found {
		list, err := m.stated([]graph.Statement{s}, e)
		if err != nil {
			out.unread(s.Line, s.Text, inWords(err)) // what cannot be a fact stays text
			continue
		}
		list[0].from = from
		t, outcome, err := m.assert(tx, r.Realm, &list[0])
		var refused *store.FactError
		if errors.As(err, &refused) { // two names of one concept, say; the memory is as good without it
			out.unread(s.Line, s.Text, refused.Reason)
			continue
		}
		if err == nil && outcome != store.Inserted {
			err = tx.Reassess(t.Seq, r.ID, list[0].evidence.Confidence)
		}
		if err != nil {
			return out, err
		}
		out.fact(&t, string(outcome))
	}
	return out, nil
}

// reassessFacts makes the facts that a memory states as sure as the memory is by
// now.
func (m *Mind) reassessFacts(tx *store.Tx, r *store.Record) error {
	if found, _ := graph.Parse(r.Content); len(found) == 0 {
		return nil
	}
	_, err := m.stateFacts(tx, r, r.Created)
	return err
}

func (s *Stated) unread(line int, text, reason string) {
	s.Unread = append(s.Unread, ParseProblem{line, firstRunes(text, problemRunes), reason})
}

func (s *Stated) fact(t *store.Triple, action string) {
	s.Facts = append(s.Facts, StatedFact{ID: t.ID, Action: action,
		Sentence: graph.Sentence(graph.Fact{Subject: t.SubjectName, Predicate: t.Predicate, Object: t.ObjectName})})
}

// restateFacts does so for a memory that has changed, and ends what it states no
// more: all of it if the memory is not active. Facts that it states still are
// left as they are, those that somebody ended since too.
func (m *Mind) restateFacts(ctx context.Context, tx *store.Tx, r *store.Record) (Stated, error) {
	// those of before, as they were when the transaction began; links that others
	// have with it stay as long as it is there
	before, err := m.store.Triples(ctx, store.TripleFilter{Evidence: store.EvidenceFilter{Memory: r.ID, Own: r.State == memory.Active}})
	if err != nil {
		return Stated{}, err
	}
	moved := slices.ContainsFunc(before, func(t store.Triple) bool { return t.Realm != r.Realm })
	from := r.Updated
	if moved {
		from = r.Created // what it says is no newer than before
	}
	out, err := m.stateFacts(tx, r, from)
	if err != nil {
		return Stated{}, err
	}
	stated := len(out.Facts)
	for _, t := range before {
		if slices.ContainsFunc(out.Facts[:stated], func(f StatedFact) bool { return f.ID == t.ID }) {
			continue
		}
		if t.Realm != r.Realm { // it is a fact of another project now
			_, err = tx.EraseEvidence(store.EvidenceFilter{Memory: r.ID, Triple: t.ID})
		} else {
			err = tx.Withdraw(t.ID, r.ID, m.now())
		}
		if err != nil {
			return Stated{}, err
		}
		after, err := tx.Triple(t.ID)
		if ifMissing(err) != nil {
			return Stated{}, err
		}
		if err != nil || after.ValidUntil != t.ValidUntil {
			out.fact(&t, string(store.StaysEnded))
		}
	}
	return out, nil
}

// statesOtherwise reports that a change of a memory may change what it states,
// or how surely.
func statesOtherwise(before, after *store.Record) bool {
	return before.Content != after.Content || before.State != after.State || before.Realm != after.Realm ||
		before.Confidence.Mean != after.Confidence.Mean
}
