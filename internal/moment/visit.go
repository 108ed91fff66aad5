package moment

import (
	"cmp"
	"context"
	"errors"
	"time"

	"chitta/internal/mind"
	"chitta/internal/store"
)

// visit is a session under way.
type visit struct {
	store.Visit
	unsaved bool   // differs from what is stored
	here    string // realm of the directory of work, which may leave that of the session
	handed
}

// handed is what earlier calls of a session tell of what its agent has before it.
type handed struct {
	given     map[string]bool // ids of what it has been handed since it started or was compacted
	compacted time.Time       // when that last happened
}

// maxVisits bounds how many sessions are kept in memory. One that is dropped is
// read from the store again at its next event.
const maxVisits = 500

// inUse is how long after an event its visit stays in memory in any case: the
// event may still be worked on.
const inUse = time.Minute

// clockTrust is how far a clock may have gone back for the time before to be
// believed.
const clockTrust = time.Hour

// seen notes that something happened in a session. That a session is new, or
// goes on after it was summed up, is written down before this returns, so that
// whenever the process ends, what is still to be learned from it is known. The
// time of later events may wait.
func (k *Keeper) seen(ctx context.Context, c mind.Caller, e *Event) error {
	v, err := k.visiting(ctx, c, e)
	if err != nil {
		return err
	}
	here := k.whereabouts(ctx, c, v)
	k.mu.Lock()
	e.realm, v.here = here, here
	settled := v.Began.IsZero() || !v.Sunset.Before(v.Seen)
	now := k.mind.Now()
	if v.Began.IsZero() {
		v.Began = now
	}
	if e.Name == PreCompact {
		v.compacted = now
	}
	if ahead := v.Seen.Sub(now); ahead >= 0 && ahead < clockTrust { // clocks go backwards a little; the order of events does not
		now = v.Seen.Add(time.Millisecond)
	} else if ahead >= clockTrust { // it was wrong before
		v.Sunset = time.Time{}
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

// whereabouts returns the realm of an event's directory of work. A directory
// that is gone belongs to the session's.
func (k *Keeper) whereabouts(ctx context.Context, c mind.Caller, v *visit) string {
	k.mu.Lock()
	realm, cwd, here := v.Realm, v.Cwd, v.here
	k.mu.Unlock()
	if c.Cwd == "" || c.Cwd == cwd && here != "" {
		return cmp.Or(here, realm)
	}
	r, err := k.mind.RealmHere(ctx, c)
	if err != nil {
		return realm
	}
	return r.ID
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
	before := handed{given: map[string]bool{}}
	stored, err := k.store.Visit(ctx, e.Session)
	switch {
	case errors.Is(err, store.ErrNotFound): // nothing was handed over either
		stored = store.Visit{Session: e.Session}
		r, realmErr := k.mind.RealmHere(ctx, c)
		stored.Realm, err = r.ID, realmErr
	case err == nil:
		before, err = k.handedOf(ctx, e.Session, time.Time{})
	}
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
			if !old.unsaved && k.mind.Now().Sub(old.Seen) > inUse {
				delete(k.visits, id)
			}
		}
	}
	v = &visit{Visit: stored, handed: before}
	k.visits[e.Session] = v
	return v, nil
}

// handedOf reads what a session's agent was handed, and when it was compacted,
// before a time; zero is now, and stands for what happened before this process
// began to attend to it.
func (k *Keeper) handedOf(ctx context.Context, session string, at time.Time) (handed, error) {
	p := handed{given: map[string]bool{}}
	calls, err := k.store.HookCalls(ctx, store.HookCallFilter{Session: session, Limit: maxGivenCalls})
	gone := false // from its context, what was before
	for _, c := range calls {
		if !at.IsZero() && !c.At.Before(at) {
			continue
		}
		for _, id := range c.Items {
			if !gone {
				p.given[id] = true
			}
		}
		if c.Event == PreCompact && !gone {
			p.compacted, gone = c.At, true
		}
	}
	return p, err
}

// maxGivenCalls is how many calls are looked through for what was handed over.
const maxGivenCalls = 1000

// compactedAt says when a session was last compacted, before a time; zero is
// now.
func (k *Keeper) compactedAt(ctx context.Context, session string, at time.Time) (time.Time, error) {
	k.mu.Lock()
	v := k.visits[session]
	k.mu.Unlock()
	if v == nil || !at.IsZero() {
		p, err := k.handedOf(ctx, session, at)
		return p.compacted, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return v.compacted, nil
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

// alter changes a visit that is in memory, to be written down with the next
// round, and reports whether it is.
func (k *Keeper) alter(session string, fn func(*store.Visit)) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	v := k.visits[session]
	if v == nil {
		return false
	}
	fn(&v.Visit)
	v.unsaved = true
	return true
}

// change alters a visit and writes it down at once.
func (k *Keeper) change(ctx context.Context, session string, fn func(*store.Visit)) error {
	if k.alter(session, fn) {
		return k.saveVisits(ctx, session)
	}
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
