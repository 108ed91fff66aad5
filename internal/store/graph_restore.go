package store

import (
	"time"
)

// Restored is a fact as it was recorded elsewhere, with all it rested on there.
type Restored struct {
	Assertion            // with its times; its own evidence is not looked at
	Said      []Evidence // at least one, oldest first
	Recorded  time.Time
	ClosedBy  string // leads nowhere until [Tx.SettleRestored] has been called
}

// Restore stores a fact as it was elsewhere. Nothing is ended on its behalf. One
// that is known gains the evidence that it does not have.
func (t *Tx) Restore(r *Restored) (Outcome, error) {
	r.AsIs = true
	r.Evidence = r.Said[0]
	realm, err := t.sound(&r.Assertion)
	if err != nil {
		return "", err
	}
	if !r.Fresh {
		known, err := t.same(&r.Assertion)
		if err != nil {
			return "", err
		}
		if known.Seq != 0 {
			return t.gain(known, r)
		}
	}
	said := make([]float64, len(r.Said))
	for i, e := range r.Said {
		if !(e.Confidence >= 0 && e.Confidence <= 1) {
			return "", refuse("confidence %v is not between 0 and 1", e.Confidence)
		}
		said[i] = e.Confidence
	}
	_, err = t.putTriple(realm, &r.Assertion, r.Said, addUp(said), r.Recorded, r.ClosedBy)
	return Inserted, err
}

// gain adds to a triple the evidence that it does not have. One of the very id
// was stored before and is left as it is.
func (t *Tx) gain(known Triple, r *Restored) (Outcome, error) {
	if known.ID == r.ID {
		return Known, nil
	}
	outcome := Known
	for i := range r.Said {
		heard, err := t.heard(known.Seq, &r.Said[i])
		if err != nil {
			return "", err
		}
		if heard {
			continue
		}
		outcome = Strengthened
		if err := t.addEvidence(known.Seq, &r.Said[i]); err != nil {
			return "", err
		}
	}
	if outcome == Known {
		return Known, nil
	}
	_, err := t.weigh(known.Seq)
	return outcome, err
}

// restoredSlice is how many restored facts are settled at once.
const restoredSlice = 1000

// Unsettled is a fact that ended by something which is not here.
type Unsettled struct {
	Triple int64
	By     string // id of the fact, or of the memory, that ended it elsewhere
}

// SettleRestored lets restored facts behind a row be ended by what ended them:
// by the fact of that id or, where facts got other ids, by that which instead
// names. What ended by something that is not here just ended, and is returned:
// that may come later, see [Tx.SettleLate].
func (t *Tx) SettleRestored(after int64, instead func(id string) string) (late []Unsettled, err error) {
	for {
		list, err := collect(t.ctx, t, func(row scanner) (e Unsettled, err error) { return e, row.Scan(&e.Triple, &e.By) },
			`SELECT seq, closed_by FROM triple WHERE seq > ? AND closed_by <> '' AND gone = 0 ORDER BY seq LIMIT 0 + ?`, after, restoredSlice)
		if err != nil || len(list) == 0 {
			return late, err
		}
		for _, e := range list {
			after = e.Triple
			found, err := t.settle(e, instead)
			if err != nil {
				return nil, err
			}
			if !found {
				late = append(late, e)
			}
		}
	}
}

// settle says by what a fact ended, and whether that is here.
func (t *Tx) settle(e Unsettled, instead func(id string) string) (found bool, err error) {
	list, err := collect(t.ctx, t, func(row scanner) (found bool, err error) { return found, row.Scan(&found) },
		`UPDATE triple SET closed_by = coalesce(
		(SELECT id FROM triple b WHERE b.id = ?2 AND b.gone = 0 AND b.seq <> ?1),
		(SELECT id FROM triple b WHERE b.id = ?3 AND b.gone = 0 AND b.seq <> ?1),
		(SELECT memory FROM triple_evidence WHERE triple = ?1 AND memory = ?3 LIMIT 1), '') WHERE seq = ?1 RETURNING closed_by <> ''`, e.Triple, instead(e.By), e.By)
	return len(list) > 0 && list[0], err
}

// SettleLate does the same for facts that [Tx.SettleRestored] returned before,
// as far as they are still ended and nobody said why.
func (t *Tx) SettleLate(list []Unsettled, instead func(id string) string) error {
	for _, e := range list {
		x, err := t.tripleAt(e.Triple)
		if err != nil {
			return err
		}
		if x.Gone || x.ValidUntil.IsZero() || x.ClosedBy != "" {
			continue
		}
		if found, err := t.settle(e, instead); err != nil {
			return err
		} else if found {
			if err := t.touchTriple(e.Triple); err != nil {
				return err
			}
		}
	}
	return nil
}

// LastTripleRow returns the row of the triple stored last.
func (t *Tx) LastTripleRow() (seq int64, err error) {
	err = t.QueryRowContext(t.ctx, `SELECT coalesce(max(seq), 0) FROM triple`).Scan(&seq)
	return seq, classify(err)
}
