package mind

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// taking stores imported facts in one transaction.
type taking struct {
	*Mind
	tx    *store.Tx
	out   *GraphImportOutput
	after int64 // the last row of a fact before

	concepts map[[2]string]int64 // that were met, by realm and key
}

// takenMost bounds how many concepts are known by heart while facts are taken
// over: about 20 MB.
const takenMost = 100_000

func (m *Mind) newTaking(tx *store.Tx, out *GraphImportOutput) (*taking, error) {
	after, err := tx.LastTripleRow()
	return &taking{Mind: m, tx: tx, out: out, after: after, concepts: map[[2]string]int64{}}, err
}

// concept returns the concept of a name, and whether it is new.
func (t *taking) concept(realm, name string, confidence float64) (seq int64, fresh bool, err error) {
	c := store.Concept{Realm: realm, Name: name, Key: graph.Key(name), Confidence: confidence, Created: t.now()}
	at := [2]string{realm, c.Key}
	if seq := t.concepts[at]; seq != 0 {
		return seq, false, nil
	}
	if fresh, err = t.tx.EnsureConcept(&c); err != nil {
		return 0, false, err
	}
	if len(t.concepts) >= takenMost {
		clear(t.concepts)
	}
	t.concepts[at] = c.Seq
	return c.Seq, fresh, nil
}

// take stores an imported fact. An id that something else has is replaced.
func (t *taking) take(realm string, c *claim) error {
	a := store.Assertion{
		ID: c.id, Predicate: c.predicate.Name, ValidUntil: c.until, Evidence: c.evidence,
		Functional: c.predicate.Functional, Symmetric: c.predicate.Symmetric, Realm: realm,
	}
	a.ValidFrom = c.from
	var newSubject, newObject bool
	var err error
	if a.Subject, newSubject, err = t.concept(realm, c.subject, c.evidence.Confidence); err != nil {
		return err
	}
	if a.Object, newObject, err = t.concept(realm, c.object, c.evidence.Confidence); err != nil {
		return err
	}
	a.Fresh = newSubject || newObject
	known, err := t.identify(realm, &a)
	if err != nil {
		return err
	}
	outcome := store.Known
	switch {
	case known:
	case c.asIs:
		r := store.Restored{Assertion: a, Said: c.said, Recorded: c.evidence.At, ClosedBy: c.closedBy}
		if len(r.Said) == 0 {
			e := c.evidence
			e.ValidFrom, e.ValidUntil = c.from, c.until
			r.Said = []store.Evidence{e}
		}
		outcome, err = t.tx.Restore(&r)
	default:
		_, outcome, err = t.tx.Assert(a)
	}
	if err != nil {
		return err
	}
	switch outcome {
	case store.Inserted:
		t.out.Added++
	case store.Strengthened:
		t.out.Strengthened++
	default:
		t.out.Known++
	}
	return t.takeAliases(realm, c.aliases)
}

// identify makes sure that the id of an assertion is free, and says so if the
// fact that has it is this very one. One that another fact has, or had, is
// replaced, always by the same: importing it again then adds nothing.
func (t *taking) identify(realm string, a *store.Assertion) (known bool, err error) {
	was := a.ID
	for _, id := range []string{was, foreignID(was)} {
		a.ID = id
		taken, err := t.tx.TripleIDTaken(id)
		if err != nil || !taken {
			return false, t.renamed(was, id, err)
		}
		have, err := t.tx.Triple(id)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return false, err
		}
		straight := have.Subject == a.Subject && have.Object == a.Object
		turned := a.Symmetric && have.Subject == a.Object && have.Object == a.Subject
		if err == nil && have.Realm == realm && have.Predicate == a.Predicate && (straight || turned) {
			return true, nil
		}
	}
	if a.ID, err = memory.NewID("t_", t.opts.Random); err != nil {
		return false, fmt.Errorf("make an id: %w", err)
	}
	return false, t.renamed(was, a.ID, nil)
}

// renamed notes that a fact got another id.
func (t *taking) renamed(was, is string, err error) error {
	if was == is || err != nil {
		return err
	}
	t.out.Renamed++
	if len(t.out.NewIDs) < reportMost {
		t.out.NewIDs = append(t.out.NewIDs, NewID{was, is})
	}
	return nil
}

// foreignID is the id of a fact from elsewhere whose own is taken here.
func foreignID(id string) string {
	sum := sha256.Sum256([]byte("foreign " + id))
	return fmt.Sprintf("t_%x", sum[:derivedBytes])
}

// takeAliases gives concepts the names they have elsewhere, but for those that
// another concept has here.
func (t *taking) takeAliases(realm string, list []alias) error {
	for _, a := range list {
		canonical, err := graph.CanonicalName(a.concept)
		if err != nil {
			return err
		}
		c, err := t.tx.Concept(realm, graph.Key(canonical))
		if err != nil {
			return err
		}
		known, err := t.tx.Concept(realm, graph.Key(a.name))
		switch {
		case err == nil && known.Seq == c.Seq:
			continue
		case err == nil:
			if len(t.out.Taken) < reportMost {
				t.out.Taken = append(t.out.Taken, a.name)
			}
			continue
		case errors.Is(err, store.ErrNotFound):
			err = t.tx.AddAlias(c.Seq, a.name, graph.Key(a.name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// settle lets facts be ended by those that ended them elsewhere, and returns
// those whose end is not explained by anything here.
func (t *taking) settle() ([]store.Unsettled, error) {
	return t.tx.SettleRestored(t.after, foreignID)
}

// ifMissing lets what is not found pass.
func ifMissing(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
