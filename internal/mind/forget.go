package mind

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// ForgetInput names what to forget.
type ForgetInput struct {
	ID     string `json:"id" jsonschema:"the memory: its id or the unique start of it"`
	Reason string `json:"reason,omitempty" jsonschema:"why, for the history"`
	Now    bool   `json:"now,omitempty" jsonschema:"erase the text at once and for good; cannot be undone"`
}

// ForgetOutput says how far the forgetting went.
type ForgetOutput struct {
	ID        string    `json:"id"`
	Erased    bool      `json:"erased"`
	UndoUntil time.Time `json:"undo_until,omitzero"`
}

// Forget hides a memory; it can be brought back until the undo period ends,
// unless it is erased at once.
func (m *Mind) Forget(ctx context.Context, c Caller, in ForgetInput) (ForgetOutput, error) {
	v, err := m.change(ctx, c, in.ID, opForget, in.Reason, func(_ *store.Tx, r *store.Record) error {
		if r.State == memory.Forgotten && !in.Now {
			return &memory.RefusedError{Reason: r.ID + " is forgotten already", Hint: "erase it for good with now, or bring it back with unforget"}
		}
		r.State, r.Pinned = memory.Forgotten, false
		if r.Forgotten.IsZero() {
			r.Forgotten = m.now()
		}
		return nil
	})
	if err != nil {
		return ForgetOutput{}, err
	}
	if !in.Now {
		return ForgetOutput{ID: v.ID, UndoUntil: v.Forgotten.Add(m.undoPeriod())}, nil
	}
	if err := m.erase(ctx, c, v.ID); err != nil {
		return ForgetOutput{}, err
	}
	if kind, err := memory.ParseKind(v.Kind); err == nil {
		m.settledOtherwise(ctx, v.Provenance.Session, kind, true)
	}
	return ForgetOutput{ID: v.ID, Erased: true}, m.store.Compact(ctx)
}

func (m *Mind) undoPeriod() time.Duration {
	return time.Duration(m.opts.Config.Memory.UndoDays) * 24 * time.Hour
}

// erase empties forgotten memories: text, tags, where they came from, what they
// speak of, and what the history says of their text. The ids stay as tombstones.
func (m *Mind) erase(ctx context.Context, c Caller, ids ...string) error {
	var gone []int64
	err := m.store.Write(ctx, func(tx *store.Tx) (err error) {
		gone, err = m.eraseIn(tx, c, ids...)
		return err
	})
	if err != nil {
		return err
	}
	return m.forgetErased(ctx, gone)
}

// eraseIn does so within a transaction, and returns the rows that
// [Mind.forgetErased] is to take out of the indexes.
func (m *Mind) eraseIn(tx *store.Tx, c Caller, ids ...string) (gone []int64, err error) {
	for _, id := range ids {
		r, err := tx.Get(id)
		if err != nil {
			return nil, err
		}
		r.Content, r.Hash, r.Tags, r.Provenance = "", "", nil, memory.Provenance{}
		r.Erased, r.Updated = m.now(), m.now()
		if err := tx.Update(&r); err != nil {
			return nil, err
		}
		if err := tx.EraseHistory(r.ID); err != nil {
			return nil, err
		}
		if _, err := tx.EraseEvidence(store.EvidenceFilter{Memory: r.ID}); err != nil {
			return nil, err
		}
		if err := tx.DropPointers(r.Seq); err != nil {
			return nil, err
		}
		if err := tx.AddChange(m.accountFor(c, &r, "erase", nil)); err != nil {
			return nil, err
		}
		gone = append(gone, r.Seq)
	}
	return gone, nil
}

// forgetErased takes erased memories out of the indexes.
func (m *Mind) forgetErased(ctx context.Context, gone []int64) error {
	m.followMemories(ctx, false)
	return errors.Join(m.index.Expunge(ctx), m.semantic.Erase(ctx, store.OwnerMemory, gone))
}

// Unforget brings back a memory that was forgotten or rejected, or one whose
// correction is gone. What a person rejected only a person brings back.
func (m *Mind) Unforget(ctx context.Context, c Caller, in IDInput) (View, error) {
	return m.change(ctx, c, in.ID, opUnforget, "", func(tx *store.Tx, r *store.Record) error {
		switch r.State {
		case memory.Active:
			return &memory.RefusedError{Reason: r.ID + " is active, not forgotten", Hint: "nothing to undo"}
		case memory.Rejected:
			if c.Actor != ActorCLI {
				return settled(r)
			}
		case memory.Superseded:
			return m.uncorrect(tx, r)
		}
		r.State, r.Forgotten = memory.Active, time.Time{}
		if r.SupersededBy != "" {
			r.State = memory.Superseded
		}
		return nil
	})
}

// uncorrect makes a corrected memory stand again when its correction does not
// stand any more.
func (m *Mind) uncorrect(tx *store.Tx, r *store.Record) error {
	by, err := tx.ByID(r.SupersededBy)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if err == nil {
		if by.State != memory.Forgotten && by.State != memory.Rejected {
			return &memory.RefusedError{Reason: fmt.Sprintf("%s is superseded by %s, which stands", r.ID, by.ID), Hint: "correct or reject that one first"}
		}
		by.Supersedes = ""
		if err := tx.Update(&by); err != nil {
			return err
		}
	}
	r.State, r.SupersededBy = memory.Active, ""
	return nil
}

// purgeBatch bounds how long one round of purging holds the writer.
const purgeBatch = 100

// purge erases what was forgotten longer ago than can be undone.
func (m *Mind) purge(ctx context.Context) error {
	before := m.now().Add(-m.undoPeriod())
	old, err := m.store.List(ctx, store.Filter{States: []memory.Status{memory.Forgotten}, ForgottenBefore: before, Limit: purgeBatch})
	if err != nil || len(old) == 0 {
		return err
	}
	ids := make([]string, len(old))
	for i, r := range old {
		ids[i] = r.ID
	}
	m.opts.Log.Info("erasing what was forgotten", "memories", len(ids))
	return errors.Join(m.erase(ctx, Caller{Actor: "purge"}, ids...), m.store.Compact(ctx))
}
