package store

import (
	"fmt"
	"time"
)

// endOthers ends what an asserted triple replaces.
func (t *Tx) endOthers(seq int64, a *Assertion) error {
	if a.Supersedes != "" {
		if err := t.supersede(seq, a); err != nil {
			return err
		}
	}
	if !a.Functional || a.AsIs {
		return nil
	}
	self, err := t.tripleAt(seq)
	if err != nil {
		return err
	}
	others, err := collect(t.ctx, t, scanTriple, `SELECT `+tripleColumns+tripleTables+`WHERE t.subject = ? AND t.predicate = ? AND t.object <> ? AND t.gone = 0
		ORDER BY t.valid_from, t.seq`, self.Subject, self.Predicate, self.Object)
	if err != nil {
		return err
	}
	for _, o := range others {
		begins, later := millis(self.ValidFrom), millis(o.ValidFrom)
		last, at, by := o, begins, self
		switch {
		case !a.ValidUntil.IsZero() && o.ClosedBy == "" && !o.holdsAfter(a.At):
			continue // both ends were said, so that both stay as they were said
		case later <= begins && o.holdsAfter(self.ValidFrom):
		case later > begins && self.ValidUntil.IsZero() && o.holdsAfter(o.ValidFrom):
			last, at, by = self, later, o
		default:
			continue
		}
		may, err := t.mayEnd(by, last)
		if err == nil && may {
			err = t.end(last, at, by.Seq)
			if last.Seq == seq {
				self.ValidUntil = o.ValidFrom
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// supersede ends the triple that an assertion names as the one it replaces.
func (t *Tx) supersede(seq int64, a *Assertion) error {
	old, err := t.Triple(a.Supersedes)
	if err != nil {
		return fmt.Errorf("superseded %w", err)
	}
	self, err := t.tripleAt(seq)
	switch {
	case err != nil:
		return err
	case old.Seq == seq:
		return refuse("a fact cannot supersede itself")
	case old.ClosedBy == self.ID:
		return nil
	case !old.holdsAfter(a.At) || !old.holdsAfter(a.ValidFrom):
		return refuse("%s ended already, at %s; there is nothing to supersede, leave that out", old.ID, old.ValidUntil.Format(time.RFC3339))
	}
	return t.end(old, max(millis(a.ValidFrom), millis(old.ValidFrom)), seq)
}

// endingShare is the part of another's confidence that a fact needs to take its
// place: with less, a guess would end what is all but certain.
const endingShare = 0.5

// mayEnd says whether a fact is sure enough to end another on its own: not one
// that is much less sure, and none that was only mined if somebody stated the
// other. Then both stand, for a person to decide.
func (t *Tx) mayEnd(by, last Triple) (bool, error) {
	if by.Confidence < last.Confidence*endingShare {
		return false, nil
	}
	var mined, stated bool
	err := t.QueryRowContext(t.ctx, `SELECT NOT EXISTS (SELECT 1 FROM triple_evidence WHERE triple = ?1 AND job = ''),
		EXISTS (SELECT 1 FROM triple_evidence WHERE triple = ?2 AND job = '')`, by.Seq, last.Seq).Scan(&mined, &stated)
	return !mined || !stated, classify(err)
}

// end closes a triple's interval, on behalf of another triple.
func (t *Tx) end(x Triple, at, by int64) error {
	return t.exec(`UPDATE triple SET rev = (SELECT max(rev) + 1 FROM triple), valid_until = ?, closed_by = (SELECT id FROM triple WHERE seq = ?) WHERE seq = ?`, at, by, x.Seq)
}

// CloseTriple says when a fact ceased to hold, before the end it has if any.
func (t *Tx) CloseTriple(id string, at time.Time) error {
	x, err := t.Triple(id)
	if err != nil {
		return err
	}
	switch {
	case at.IsZero():
		return refuse("say when %s ended", id)
	case !x.holdsAfter(at):
		return refuse("%s ended already, at %s", id, x.ValidUntil.Format(time.RFC3339))
	case millis(at) < millis(x.ValidFrom):
		return refuse("%s begins at %s and cannot end before; leave out when it ends, and it never holds if it has not begun", id, x.ValidFrom.Format(time.RFC3339))
	}
	return t.exec(`UPDATE triple SET rev = (SELECT max(rev) + 1 FROM triple), valid_until = ?, closed_by = '' WHERE seq = ?`, ended(at), x.Seq)
}
