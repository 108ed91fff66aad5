package mind

import (
	"context"
	"time"

	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

// Who forgets a conversation means what was learned from it too. What was kept
// on purpose while it went on stays: somebody wanted it kept.

// unlearned is what went with conversations that were forgotten.
type unlearned struct {
	memories []int64 // rows
	ledgers  int
}

// unlearn erases what was learned from a conversation and what was written down
// of how it stood. Something that another session taught as well becomes that
// one's.
func (m *Mind) unlearn(tx *store.Tx, c Caller, s *store.Session, out *unlearned) error {
	if s.Source != (session.ClaudeCode{}).Name() {
		return nil // only those are learned from
	}
	learned, err := tx.LearnedFrom(s.ID)
	if err != nil {
		return err
	}
	if err := m.unlearnAll(tx, c, learned, out); err != nil {
		return err
	}
	if err := tx.ForgetLessons(s.ID); err != nil {
		return err
	}
	n, err := tx.ForgetLedgers(s.ID, time.Time{})
	out.ledgers += n
	return err
}

// unlearnMigrated does so for what a migration brought to a conversation that
// stays, or has told of it since.
func (m *Mind) unlearnMigrated(tx *store.Tx, c Caller, s *store.Session, x *Migration, out *unlearned) error {
	if s.Source != (session.ClaudeCode{}).Name() {
		return nil
	}
	learned, err := tx.LearnedFromMigrated(s.ID, s.Seq, x.ID, x.Started)
	if err != nil {
		return err
	}
	if err := m.unlearnAll(tx, c, learned, out); err != nil {
		return err
	}
	for _, l := range learned {
		if err := tx.ForgetLessons(s.ID, l.ID); err != nil {
			return err
		}
	}
	n, err := tx.ForgetLedgers(s.ID, x.Started)
	out.ledgers += n
	return err
}

func (m *Mind) unlearnAll(tx *store.Tx, c Caller, learned []store.Learned, out *unlearned) error {
	for _, l := range learned {
		r, err := tx.Get(l.ID)
		if err != nil {
			return err
		}
		if l.Elsewhere != "" {
			r.Provenance.Session, r.Provenance.Message, r.Provenance.Messages = l.Elsewhere, "", nil
			if err := tx.Update(&r); err != nil {
				return err
			}
			continue
		}
		r.State, r.Pinned, r.Forgotten = memory.Forgotten, false, m.now()
		if err := tx.Update(&r); err != nil {
			return err
		}
		gone, err := m.eraseIn(tx, c, r.ID)
		if err != nil {
			return err
		}
		out.memories = append(out.memories, gone...)
	}
	return nil
}

// forgetUnlearned takes what was unlearned out of the indexes.
func (m *Mind) forgetUnlearned(ctx context.Context, u *unlearned) error {
	if len(u.memories) == 0 {
		return nil
	}
	return m.forgetErased(ctx, u.memories)
}

// learnable reports whether a session may be learned from: not when it was
// forgotten, also if its turns were read just before.
func learnable(tx *store.Tx, id string) (bool, error) {
	gone, err := tx.SessionForgotten(session.ClaudeCode{}.Name(), id)
	return !gone, err
}
