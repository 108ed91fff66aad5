package moment

import (
	"context"
	"errors"
	"strconv"
	"time"

	"chitta/internal/store"
)

const (
	// missedNote is where it is written down up to which change of conversations
	// it was looked for sessions that no event told of.
	missedNote = "lessons"
	// missedBatch is how many are looked at in one go.
	missedBatch = 200
	// missedWithin is how old the last word of a session may be that no event
	// ever told of: what is older was imported, and is history.
	missedWithin = 24 * time.Hour
	// hookedWithin is how long ago the last hook in a project may have been
	// called for its sessions to be learned from without one: a daemon may be
	// down over a weekend, and hooks that were taken out are to be believed.
	hookedWithin = 7 * 24 * time.Hour
)

// missed finds sessions that went on without an event: the daemon was down, or
// the client did not call. Their transcripts are read all the same, by whoever
// watches them; here they are taken note of, to be learned from and summed up
// when nothing more comes.
func (k *Keeper) missed(ctx context.Context) error {
	last, err := k.store.LastSessionRev(ctx)
	if err != nil {
		return err
	}
	text, err := k.store.Note(ctx, missedNote)
	if err != nil {
		return err
	}
	from, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		from = last // the first time: what was there before is history
	}
	if from == last && text != "" {
		return nil
	}
	for from < last && ctx.Err() == nil {
		changed, err := k.store.SessionsAfter(ctx, from, missedBatch)
		if err != nil {
			return err
		}
		if len(changed) == 0 {
			from = last
			break
		}
		for i := range changed {
			if err := k.notice(ctx, &changed[i]); err != nil {
				return err
			}
			from = changed[i].Rev
		}
	}
	return k.store.Write(ctx, func(tx *store.Tx) error { return tx.SetNote(missedNote, strconv.FormatInt(from, 10)) })
}

// notice takes note of a conversation that has changed, if no event did.
func (k *Keeper) notice(ctx context.Context, s *store.Session) error {
	if s.Source != claudeCode || !s.Forgotten.IsZero() {
		return nil
	}
	if hooked, err := k.hooked(ctx, s.Realm); err != nil || !hooked {
		return err
	}
	v, err := k.store.Visit(ctx, s.ID)
	if errors.Is(err, store.ErrNotFound) {
		return k.meet(ctx, s)
	}
	if err != nil || v.Sunset.Before(v.Seen) {
		return err // it is under way
	}
	turns, err := k.store.TurnsAfter(ctx, s.Seq, v.Learned)
	if err != nil || len(turns) == 0 {
		return err
	}
	now := k.mind.Now()
	return k.change(ctx, s.ID, func(v *store.Visit) {
		if v.Seen = now; !v.Sunset.Before(now) {
			v.Seen = v.Sunset.Add(time.Millisecond)
		}
	})
}

// hooked says whether hooks are at work in a project: one was called there not
// long ago. Where they never were, or are not any more, nobody asks for it.
func (k *Keeper) hooked(ctx context.Context, realm string) (bool, error) {
	if err := k.saveCalls(ctx); err != nil {
		return false, err
	}
	calls, err := k.store.HookCalls(ctx, store.HookCallFilter{Realm: realm, Since: k.mind.Now().Add(-hookedWithin), Limit: 1})
	return len(calls) > 0, err
}

// meet begins the visit of a session that no event ever told of.
func (k *Keeper) meet(ctx context.Context, s *store.Session) error {
	now := k.mind.Now()
	if s.Ended.IsZero() || now.Sub(s.Ended) > missedWithin {
		return nil
	}
	began := s.Started
	if began.IsZero() {
		began = now
	}
	return k.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Visit(s.ID); err == nil {
			return nil // an event came first
		}
		return tx.PutVisit(&store.Visit{Session: s.ID, Realm: s.Realm, Cwd: s.Cwd, Began: began, Seen: now})
	})
}
