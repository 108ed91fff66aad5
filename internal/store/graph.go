package store

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Triple is a fact about two concepts of a realm, and when it held.
type Triple struct {
	Seq, Rev        int64
	ID              string
	Realm           string
	Subject, Object int64 // concepts
	Predicate       string
	Confidence      float64
	ValidFrom       time.Time
	ValidUntil      time.Time // zero: it still holds
	Recorded        time.Time // when it was first asserted
	Strengthened    int       // how often it was asserted again
	ClosedBy        string    // id of the triple whose assertion ended it, or of the memory that states it no more
	Gone            bool
	// Names and keys of the two concepts as they are now.
	SubjectName, SubjectKey, ObjectName, ObjectKey string
}

// Evidence is one assertion of a fact: who says so.
type Evidence struct {
	Confidence               float64
	Source                   string // such as user, notation, import
	Memory, Session, Message string // where it was read, as far as known; of a link see [LinkSource]
	Job                      string // the run that found it, to be taken back as one
	ValidFrom                time.Time
	ValidUntil               time.Time // zero: it says of no end; of an [Assertion] its own counts
	At                       time.Time
}

// LinkSource is the source of facts that follow from two texts hanging together.
// Such evidence falls with either text: Memory and Session name one each. Of two
// memories, Session has the id of the second; of two conversations, Memory has
// the id of the one that Session is linked with.
const LinkSource = "link"

// Assertion is a fact to be stored.
type Assertion struct {
	ID              string // for the triple if it is new; one that exists is left as it is
	Subject, Object int64  // standing concepts of one realm, which is the triple's
	Predicate       string
	ValidUntil      time.Time // zero: it still holds
	Evidence

	// Functional says that a subject has one object at a time: the new one ends
	// what held when it begins, and is itself ended by one that began later.
	// What is much less sure ends nothing, see [Tx.mayEnd].
	Functional bool
	// AsIs says that the times are those of a record of another place: nothing
	// is ended on its behalf, and it gets no other end than it has.
	AsIs bool
	// Realm is that of both concepts, from a caller who knows that they stand;
	// empty: it is looked up.
	Realm string
	// Fresh says that one of the concepts was made for this assertion, so that
	// nothing is known of both: there is nothing to look for.
	Fresh bool
	// Symmetric says that the fact is the same read from its other end.
	Symmetric bool
	// Supersedes is the id of a triple that this one replaces: it ends when
	// this one begins. A triple with the predicate "supersedes" says something
	// about concepts and ends nothing: what is known of the older concept
	// stays true of it.
	Supersedes string
}

// Outcome says what an assertion did.
type Outcome string

// What an assertion did.
const (
	Inserted     Outcome = "inserted"     // a new triple
	Strengthened Outcome = "strengthened" // one that holds gained evidence
	Known        Outcome = "known"        // this very evidence was there already
	Resumed      Outcome = "resumed"      // it had ended because its memory said so no more, and holds again
	StaysEnded   Outcome = "ended"        // the fact was ended, and this is no news, or not enough to say otherwise
)

// How assertions add up: every further one closes half of its own confidence
// of what is missing to certainty, and certainty is never reached.
const (
	strengthenRate = 0.5
	confidenceCap  = 0.99
)

// addUp returns the confidence that assertions give together, in order.
func addUp(said []float64) float64 {
	c := said[0]
	for _, next := range said[1:] {
		c = max(c, min(confidenceCap, c+(1-c)*next*strengthenRate))
	}
	return c
}

const tripleColumns = `t.seq, t.rev, t.id, t.realm, t.subject, t.object, t.predicate, t.confidence, t.valid_from, t.valid_until, t.recorded, t.strengthened, t.closed_by, t.gone,
	(SELECT name FROM concept c WHERE c.seq = t.subject), (SELECT key FROM concept c WHERE c.seq = t.subject),
	(SELECT name FROM concept c WHERE c.seq = t.object), (SELECT key FROM concept c WHERE c.seq = t.object)`

// tripleTables is no join on purpose: a join is planned anew for every value it
// is asked with, which takes longer than the four lookups.
const tripleTables = ` FROM triple t `

func scanTriple(row scanner) (Triple, error) {
	var t Triple
	var from, recorded int64
	var until sql.NullInt64
	err := row.Scan(&t.Seq, &t.Rev, &t.ID, &t.Realm, &t.Subject, &t.Object, &t.Predicate, &t.Confidence, &from, &until, &recorded,
		&t.Strengthened, &t.ClosedBy, &t.Gone, &t.SubjectName, &t.SubjectKey, &t.ObjectName, &t.ObjectKey)
	t.ValidFrom, t.Recorded = fromMillis(from), fromMillis(recorded)
	if until.Valid {
		t.ValidUntil = time.UnixMilli(until.Int64).UTC()
	}
	return t, err
}

// ended returns a time as it is stored: NULL while something has no end.
func ended(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMilli(), Valid: !t.IsZero()}
}

// Triple returns the standing triple with the given id.
func (t *Tx) Triple(id string) (Triple, error) {
	x, err := scanTriple(t.QueryRowContext(t.ctx, `SELECT `+tripleColumns+tripleTables+`WHERE t.id = ? AND t.gone = 0`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return x, fmt.Errorf("triple %q: %w", id, ErrNotFound)
	}
	return x, classify(err)
}

// TripleIDTaken says whether an id was ever given to a triple, one that is gone
// included: it cannot be given again.
func (t *Tx) TripleIDTaken(id string) (bool, error) {
	var n int
	err := t.QueryRowContext(t.ctx, `SELECT count(*) FROM triple WHERE id = ?`, id).Scan(&n)
	return n > 0, classify(err)
}

func (t *Tx) tripleAt(seq int64) (Triple, error) {
	x, err := scanTriple(t.QueryRowContext(t.ctx, `SELECT `+tripleColumns+tripleTables+`WHERE t.seq = ?`, seq))
	return x, classify(err)
}

// versions returns the standing triples that say the same thing, each for
// another time, oldest first.
func (t *Tx) versions(subject int64, predicate string, object int64) ([]Triple, error) {
	seqs, err := collect(t.ctx, t, scanSeq, `SELECT seq FROM triple WHERE subject = ? AND predicate = ? AND object = ? AND gone = 0`, subject, predicate, object)
	if err != nil {
		return nil, err
	}
	out := make([]Triple, len(seqs)) // mostly none or one
	for i, seq := range seqs {
		if out[i], err = t.tripleAt(seq); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b Triple) int {
		return cmp.Or(a.ValidFrom.Compare(b.ValidFrom), cmp.Compare(a.Seq, b.Seq))
	})
	return out, nil
}

// touchTriple moves a triple to the end of the sequence of changes.
func (t *Tx) touchTriple(seq int64) error {
	return t.exec(`UPDATE triple SET rev = (SELECT max(rev) + 1 FROM triple) WHERE seq = ?`, seq)
}

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
