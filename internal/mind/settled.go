package mind

import (
	"context"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// Settled says that a memory stands no longer, or stands again, or says
// something else: what was summed up from it is to be summed up anew.
type Settled struct {
	Session string // the client's session it was learned in
	Kind    memory.Kind
	Erased  bool // for good
}

// OnSettled has fn called whenever a memory of a session is settled otherwise.
// It is set before anything runs.
func (m *Mind) OnSettled(fn func(context.Context, Settled)) { m.onSettled = fn }

// settledOtherwise tells whoever sums up.
func (m *Mind) settledOtherwise(ctx context.Context, session string, kind memory.Kind, erased bool) {
	if m.onSettled != nil && session != "" {
		m.onSettled(ctx, Settled{session, kind, erased})
	}
}

// EraseSummary erases what a session was summed up to, so that it can be summed
// up anew without what was erased from it.
func (m *Mind) EraseSummary(ctx context.Context, c Caller, session string) error {
	lessons, err := m.store.Lessons(ctx, session)
	if err != nil {
		return err
	}
	had, ok := lessons[summaryKey]
	if !ok {
		return nil
	}
	var gone []int64
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.DropLesson(session, summaryKey); err != nil || had.Memory == "" {
			return err
		}
		r, err := tx.Get(had.Memory)
		if err != nil || !r.Erased.IsZero() || r.State != memory.Active {
			return err
		}
		r.State, r.Forgotten = memory.Forgotten, m.now()
		if err := tx.Update(&r); err != nil {
			return err
		}
		gone, err = m.eraseIn(tx, c, r.ID)
		return err
	})
	if err != nil {
		return err
	}
	return m.forgetErased(ctx, gone)
}
