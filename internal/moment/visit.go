package moment

import (
	"context"
	"errors"
	"time"

	"chitta/internal/mind"
	"chitta/internal/store"
)

// visit is a session under way.
type visit struct {
	store.Visit
	unsaved bool            // differs from what is stored
	given   map[string]bool // ids of what its agent has been handed since it started or was compacted
}

// maxVisits bounds how many sessions are kept in memory. One that is dropped is
// read from the store again at its next event.
const maxVisits = 500

// seen notes that something happened in a session. That a session is new, or
// goes on after it was summed up, is written down before this returns, so that
// whenever the process ends, what is still to be learned from it is known. The
// time of later events may wait.
func (k *Keeper) seen(ctx context.Context, c mind.Caller, e *Event) error {
	v, err := k.visiting(ctx, c, e)
	if err != nil {
		return err
	}
	k.mu.Lock()
	settled := v.Began.IsZero() || !v.Sunset.Before(v.Seen)
	now := k.mind.Now()
	if v.Began.IsZero() {
		v.Began = now
	}
	if !now.After(v.Seen) { // clocks go backwards; the order of events does not
		now = v.Seen.Add(time.Millisecond)
	}
	v.Seen, v.Ended, v.unsaved = now, time.Time{}, true
	if e.Cwd != "" {
		v.Cwd = e.Cwd
	}
	if e.Transcript != "" {
		v.Transcript = e.Transcript
	}
	k.mu.Unlock()
	if !settled {
		return nil
	}
	return k.saveVisits(ctx, e.Session)
}

// visiting returns the visit of an event's session: the one in memory, the one
// stored, or a new one.
func (k *Keeper) visiting(ctx context.Context, c mind.Caller, e *Event) (*visit, error) {
	k.mu.Lock()
	v := k.visits[e.Session]
	k.mu.Unlock()
	if v != nil {
		return v, nil
	}
	stored, err := k.store.Visit(ctx, e.Session)
	if errors.Is(err, store.ErrNotFound) {
		stored = store.Visit{Session: e.Session}
		r, realmErr := k.mind.RealmHere(ctx, c)
		stored.Realm, err = r.ID, realmErr
	}
	if err != nil {
		return nil, err
	}
	given, err := k.givenBefore(ctx, e.Session)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if v := k.visits[e.Session]; v != nil { // somebody else was faster
		return v, nil
	}
	if len(k.visits) >= maxVisits {
		for id, old := range k.visits {
			if !old.unsaved {
				delete(k.visits, id)
			}
		}
	}
	v = &visit{Visit: stored, given: given}
	k.visits[e.Session] = v
	return v, nil
}

// givenBefore returns what a session's agent was handed before this process
// began to attend to it.
func (k *Keeper) givenBefore(ctx context.Context, session string) (map[string]bool, error) {
	calls, err := k.store.HookCalls(ctx, store.HookCallFilter{Session: session, Limit: maxGivenCalls})
	if err != nil {
		return nil, err
	}
	given := map[string]bool{}
	for _, c := range calls {
		for _, id := range c.Items {
			given[id] = true
		}
		if c.Event == PreCompact {
			break // what was before is gone from its context
		}
	}
	return given, nil
}

// maxGivenCalls is how many calls are looked through for what was handed over.
const maxGivenCalls = 1000

// realmOf returns the realm of a session in memory, or "".
func (k *Keeper) realmOf(session string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if v := k.visits[session]; v != nil {
		return v.Realm
	}
	return ""
}

// wasGiven reports whether a session's agent has something before it already.
func (k *Keeper) wasGiven(session, id string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	v := k.visits[session]
	return v != nil && v.given[id]
}

// give notes what a session's agent is handed; anew says that it has nothing of
// what was before.
func (k *Keeper) give(session string, ids []string, anew bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	v := k.visits[session]
	if v == nil {
		return
	}
	if anew {
		v.given = map[string]bool{}
	}
	for _, id := range ids {
		v.given[id] = true
	}
}

// change alters a visit and writes it down at once.
func (k *Keeper) change(ctx context.Context, session string, fn func(*store.Visit)) error {
	k.mu.Lock()
	if v := k.visits[session]; v != nil {
		fn(&v.Visit)
		v.unsaved = true
		k.mu.Unlock()
		return k.saveVisits(ctx, session)
	}
	k.mu.Unlock()
	return k.store.Write(ctx, func(tx *store.Tx) error {
		v, err := tx.Visit(session)
		if err != nil {
			return err
		}
		fn(&v)
		return tx.PutVisit(&v)
	})
}

// saveVisits writes down visits that changed: those of the sessions named, or
// all.
func (k *Keeper) saveVisits(ctx context.Context, sessions ...string) error {
	k.mu.Lock()
	if len(sessions) == 0 {
		for id := range k.visits {
			sessions = append(sessions, id)
		}
	}
	var changed []store.Visit
	for _, id := range sessions {
		if v := k.visits[id]; v != nil && v.unsaved {
			changed = append(changed, v.Visit)
		}
	}
	k.mu.Unlock()
	if len(changed) == 0 {
		return nil
	}
	err := k.store.Write(ctx, func(tx *store.Tx) error {
		for i := range changed {
			if err := tx.PutVisit(&changed[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range changed {
		if v := k.visits[changed[i].Session]; v != nil && v.Visit == changed[i] {
			v.unsaved = false
		}
	}
	return nil
}
