package store

import (
	"fmt"
	"time"

	"chitta/internal/memory"
)

// Learned is a memory that nobody meant to keep: it was learned from a session.
type Learned struct {
	ID string
	// Elsewhere is another session that taught the same, "" if none did.
	Elsewhere string
}

// learnedFrom chooses memories that were learned from a session, but for those
// said on purpose.
var learnedFrom = fmt.Sprintf(`erased = 0 AND source IN ('%s', '%s') AND %s = ?1`, memory.Subconscious, memory.Consolidated, sessionOf)

const learnedColumns = `id, coalesce((SELECT min(l.session) FROM lesson l WHERE l.memory = memory.id AND l.session <> ?1), '')`

func scanLearned(row scanner) (l Learned, err error) { return l, row.Scan(&l.ID, &l.Elsewhere) }

// LearnedFrom returns what was learned from a session, in order.
func (t *Tx) LearnedFrom(session string) ([]Learned, error) {
	return collect(t.ctx, t, scanLearned, `SELECT `+learnedColumns+` FROM memory WHERE `+learnedFrom+` ORDER BY seq`, session)
}

// LearnedFromMigrated returns what was learned from the messages that a
// migration brought to a conversation, and accounts of the whole of it that were
// changed since it began, in order. What says not where it was learned is such
// an account.
func (t *Tx) LearnedFromMigrated(session string, seq, migration int64, since time.Time) ([]Learned, error) {
	return collect(t.ctx, t, scanLearned, `SELECT `+learnedColumns+` FROM memory WHERE `+learnedFrom+` AND (
		EXISTS (SELECT 1 FROM message m WHERE m.session = ?2 AND m.migration = ?3 AND (m.id = json_extract(provenance, '$.message')
			OR m.id IN (SELECT value FROM json_each(provenance, '$.messages'))))
		OR coalesce(json_extract(provenance, '$.message'), '') = '' AND updated >= ?4) ORDER BY seq`, session, seq, migration, millis(since))
}

// ForgetLessons lets go of what is noted of a session's lessons: of all, or of
// those that became a memory.
func (t *Tx) ForgetLessons(session string, memories ...string) error {
	if len(memories) == 0 {
		return t.exec(`DELETE FROM lesson WHERE session = ?`, session)
	}
	for _, id := range memories {
		if err := t.exec(`DELETE FROM lesson WHERE session = ? AND memory = ?`, session, id); err != nil {
			return err
		}
	}
	return nil
}

// ForgetLedgers takes the entries of a session out that were changed at a time
// or later, and returns how many there were.
func (t *Tx) ForgetLedgers(session string, since time.Time) (n int, err error) {
	const of = ` FROM ledger WHERE session = ? AND session <> '' AND max(created, updated) >= ?`
	if err := t.QueryRowContext(t.ctx, `SELECT count(*)`+of, session, millis(since)).Scan(&n); err != nil || n == 0 {
		return n, classify(err)
	}
	return n, t.exec(`DELETE`+of, session, millis(since))
}

// DropPointers lets go of the files and concepts that a memory speaks of.
func (t *Tx) DropPointers(memory int64) error {
	if err := t.exec(`DELETE FROM anchor WHERE memory = ?`, memory); err != nil {
		return err
	}
	return t.SetMentions(OwnerMemory, memory, nil)
}

// SessionForgotten reports whether a conversation that a source calls by an id
// was erased and is not to come back.
func (t *Tx) SessionForgotten(source, id string) (bool, error) {
	var gone bool
	err := t.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM session WHERE id = ? AND source = ('' || ?) AND forgotten <> 0)`, id, source).Scan(&gone) // see fixedPlan
	return gone, classify(err)
}

// ComesFromElsewhere reports whether a conversation has messages that a
// migration did not bring.
func (t *Tx) ComesFromElsewhere(session, migration int64) (bool, error) {
	var others bool
	err := t.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM message WHERE session = ? AND migration <> ?)`, session, migration).Scan(&others)
	return others, classify(err)
}
