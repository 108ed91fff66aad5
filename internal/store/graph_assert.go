package store

import (
	"fmt"
	"slices"
	"time"
)

// sound refuses an assertion that makes no sense, and returns its realm.
func (t *Tx) sound(a *Assertion) (realm string, err error) {
	switch {
	case a.ID == "":
		return "", refuse("a triple needs an id")
	case soundName(a.Predicate, a.Predicate) != nil:
		return "", refuse("a fact needs a predicate")
	case !(a.Confidence >= 0 && a.Confidence <= 1):
		return "", refuse("confidence %v is not between 0 and 1", a.Confidence)
	case !a.ValidUntil.IsZero() && millis(a.ValidUntil) < millis(a.ValidFrom):
		return "", refuse("the fact would end (%s) before it begins (%s); swap the two times", a.ValidUntil.UTC().Format(time.RFC3339), a.ValidFrom.UTC().Format(time.RFC3339))
	}
	if a.Realm != "" && a.Subject != a.Object {
		return a.Realm, nil
	}
	subject, err := t.standing(a.Subject)
	if err != nil {
		return "", fmt.Errorf("subject: %w", err)
	}
	object, err := t.standing(a.Object)
	if err != nil {
		return "", fmt.Errorf("object: %w", err)
	}
	switch {
	case subject.Seq == object.Seq:
		return "", refuse("%s %s itself says nothing; name two different concepts (or two that are not aliases of one)", subject.Name, a.Predicate)
	case subject.Realm != object.Realm:
		return "", refuse("%s and %s belong to different realms; store both in one", subject.Name, object.Name)
	}
	return subject.Realm, nil
}

// Assert stores a fact. One that is open already is strengthened by the new
// evidence instead, begins no later than that says, and ends where that says;
// the same evidence twice counts once.
func (t *Tx) Assert(a Assertion) (Triple, Outcome, error) {
	realm, err := t.sound(&a)
	if err != nil {
		return Triple{}, "", err
	}
	var known, past Triple
	if !a.Fresh {
		if known, err = t.same(&a); err != nil {
			return Triple{}, "", err
		}
	}
	outcome, seq := Strengthened, known.Seq
	if known.Seq == 0 && !a.Fresh {
		if past, err = t.overruled(&a); err != nil {
			return Triple{}, "", err
		}
		if past.Seq != 0 {
			return past, StaysEnded, nil
		}
		if past, err = t.toldBefore(&a); err != nil {
			return Triple{}, "", err
		}
	}
	switch {
	case past.Seq != 0 && (a.Memory == "" || past.ClosedBy != a.Memory):
		return past, StaysEnded, nil
	case past.Seq != 0:
		outcome, seq = Resumed, past.Seq
		err = t.resume(past.Seq)
	case known.Seq == 0:
		outcome = Inserted
		seq, err = t.insertTriple(realm, &a)
	case known.ID == a.ID:
		return known, Known, nil
	default:
		var again bool
		if again, err = t.heard(known.Seq, &a.Evidence); again || err != nil {
			return known, Known, err
		}
		if a.Functional && a.ValidFrom.Before(known.ValidFrom) {
			a.ValidFrom = known.ValidFrom // before that, something else may have been so
		}
		err = t.strengthen(known, &a)
	}
	if err == nil {
		err = t.endOthers(seq, &a)
	}
	if err != nil {
		return Triple{}, "", err
	}
	stored, err := t.tripleAt(seq)
	return stored, outcome, err
}

// same finds the triple that an assertion is about: the one with its id, one
// that it overlaps and that still held when it was made, or one with the same
// end.
func (t *Tx) same(a *Assertion) (Triple, error) {
	versions, err := t.allVersions(a)
	if err != nil {
		return Triple{}, err
	}
	until := ended(a.ValidUntil)
	alike := func(v Triple) bool { return v.ID == a.ID }
	overlapping := func(v Triple) bool {
		if a.AsIs && v.ValidUntil.IsZero() != a.ValidUntil.IsZero() {
			return false
		}
		return v.ValidUntil.IsZero() && (!until.Valid || until.Int64 > millis(v.ValidFrom)) ||
			!a.AsIs && v.holdsAfter(a.At) && v.holdsAfter(a.ValidFrom) && (!until.Valid || until.Int64 > max(millis(a.At), millis(v.ValidFrom)))
	}
	sameEnd := func(v Triple) bool {
		return until.Valid && ended(v.ValidUntil) == until && (!a.AsIs || millis(v.ValidFrom) == millis(a.ValidFrom))
	}
	for _, ok := range []func(Triple) bool{alike, overlapping, sameEnd} {
		if i := slices.IndexFunc(versions, ok); i >= 0 {
			return versions[i], nil
		}
	}
	return Triple{}, nil
}

// toldBefore finds an ended triple that rests on the very text an assertion was
// read in: reading it again is no news, so that it does not make the fact hold.
func (t *Tx) toldBefore(a *Assertion) (Triple, error) {
	if a.AsIs || a.Memory == "" && a.Message == "" {
		return Triple{}, nil
	}
	versions, err := t.allVersions(a)
	for _, v := range slices.Backward(versions) {
		heard, err := t.heard(v.Seq, &a.Evidence)
		if heard || err != nil {
			return v, err
		}
	}
	return Triple{}, err
}

// allVersions returns the standing triples that say what an assertion says.
func (t *Tx) allVersions(a *Assertion) ([]Triple, error) {
	versions, err := t.versions(a.Subject, a.Predicate, a.Object)
	if err == nil && a.Symmetric {
		var turned []Triple
		turned, err = t.versions(a.Object, a.Predicate, a.Subject)
		versions = append(versions, turned...)
	}
	return versions, err
}

// holdsAfter says that a triple has not ended at a moment: an end may be known
// before it comes.
func (x *Triple) holdsAfter(at time.Time) bool {
	return x.ValidUntil.IsZero() || millis(x.ValidUntil) > millis(at)
}

// heard says whether a triple has this evidence. What comes from nowhere in
// particular, such as a person saying it again, always counts.
func (t *Tx) heard(triple int64, e *Evidence) (bool, error) {
	if e.Memory == "" && e.Session == "" && e.Message == "" {
		return false, nil
	}
	var n int
	err := t.QueryRowContext(t.ctx, `SELECT count(*) FROM triple_evidence WHERE triple = ? AND memory = ? AND session = ? AND message = ?`,
		triple, e.Memory, e.Session, e.Message).Scan(&n)
	return n > 0, classify(err)
}

func (t *Tx) insertTriple(realm string, a *Assertion) (int64, error) {
	e := a.Evidence
	e.ValidUntil = a.ValidUntil
	return t.putTriple(realm, a, []Evidence{e}, a.Confidence, a.At, "")
}

// putTriple stores a new triple with what it rests on.
func (t *Tx) putTriple(realm string, a *Assertion, said []Evidence, confidence float64, recorded time.Time, closedBy string) (int64, error) {
	seq, err := t.insert(`INSERT INTO triple (id, rev, realm, subject, predicate, object, confidence, valid_from, valid_until, recorded, strengthened, closed_by, gone)
		VALUES (?, (SELECT coalesce(max(rev), 0) + 1 FROM triple), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
		a.ID, realm, a.Subject, a.Predicate, a.Object, confidence, millis(a.ValidFrom), ended(a.ValidUntil), millis(recorded), len(said)-1, closedBy)
	if err != nil {
		return 0, fmt.Errorf("store triple %s: %w", a.ID, err)
	}
	for i := range said {
		if err := t.addEvidence(seq, &said[i]); err != nil {
			return 0, err
		}
	}
	return seq, nil
}

func (t *Tx) addEvidence(triple int64, e *Evidence) error {
	return t.exec(`INSERT INTO triple_evidence (triple, confidence, source, memory, session, message, job, valid_from, valid_until, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		triple, e.Confidence, e.Source, e.Memory, e.Session, e.Message, e.Job, millis(e.ValidFrom), ended(e.ValidUntil), millis(e.At))
}

func (t *Tx) strengthen(known Triple, a *Assertion) error {
	e := a.Evidence
	e.ValidUntil = a.ValidUntil
	if err := t.addEvidence(known.Seq, &e); err != nil {
		return err
	}
	if !a.ValidUntil.IsZero() && !known.ValidUntil.Equal(a.ValidUntil) {
		if err := t.exec(`UPDATE triple SET valid_until = ?, closed_by = '' WHERE seq = ?`, ended(a.ValidUntil), known.Seq); err != nil {
			return err
		}
	}
	_, err := t.weigh(known.Seq)
	return err
}

// weigh makes what a triple says follow from its evidence again, and reports
// whether any is left. With evidence taken back it may begin later, but not
// after it ended.
func (t *Tx) weigh(triple int64) (left bool, err error) {
	type said struct {
		confidence float64
		from       int64
	}
	list, err := collect(t.ctx, t, func(row scanner) (s said, err error) { return s, row.Scan(&s.confidence, &s.from) },
		`SELECT confidence, valid_from FROM triple_evidence WHERE triple = ? ORDER BY seq`, triple)
	if err != nil || len(list) == 0 {
		return false, err
	}
	confidence, from := make([]float64, len(list)), list[0].from
	for i, s := range list {
		confidence[i], from = s.confidence, min(from, s.from)
	}
	return true, t.exec(`UPDATE triple SET rev = (SELECT max(rev) + 1 FROM triple), confidence = ?1, valid_from = min(?2, coalesce(valid_until, ?2)), strengthened = ?3 WHERE seq = ?4`,
		addUp(confidence), from, len(list)-1, triple)
}
