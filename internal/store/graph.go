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
