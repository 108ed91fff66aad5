package moment

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"chitta/internal/capture"
	"chitta/internal/distil"
	"chitta/internal/mind"
	"chitta/internal/store"
)

const (
	// idleAfter is how long nothing must come from a session to sum it up:
	// clients do not always say that it is over.
	idleAfter = 10 * time.Minute
	// sunsetTime bounds one summing up; what was begun is done again the next
	// time.
	sunsetTime = 30 * time.Second
	// sunsetsAtOnce is how many sessions are summed up before others have their
	// turn.
	sunsetsAtOnce = 20
	// lookAgain is the longest time until it is looked again for sessions that
	// no event tells of.
	lookAgain = 5 * time.Minute
)

// ended notes that the client says a session is over. It may go on: then the
// next event says so. It is written down with the next round, at most a second
// later; if the process ends before, the session counts as idle soon enough.
func (k *Keeper) ended(ctx context.Context, _ mind.Caller, e *Event) (Answer, error) {
	k.learning.note(e.Session, func(l *ending) { l.due, l.stopped = true, k.mind.Now() })
	over := func(v *store.Visit) { v.Ended = v.Seen }
	if k.alter(e.Session, over) {
		return Answer{Outcome: Noted}, nil
	}
	return Answer{Outcome: Noted}, k.change(ctx, e.Session, over)
}

// sunsets sums up the sessions that are over or idle, and says when the next may
// be.
func (k *Keeper) sunsets(ctx context.Context) (time.Duration, error) {
	due, err := k.store.VisitsDue(ctx, k.mind.Now().Add(-idleAfter), sunsetsAtOnce+k.retries.waiting())
	if err != nil {
		return lookAgain, err
	}
	for i := range due {
		if ctx.Err() != nil {
			return lookAgain, ctx.Err()
		}
		id := due[i].Session
		if k.retries.wait(id, k.mind.Now()) > 0 {
			continue
		}
		if err := k.sunset(ctx, &due[i]); err != nil {
			k.later(ctx, id, fmt.Errorf("sum it up: %w", err))
			continue
		}
		k.retries.worked(id)
	}
	return k.nextSunset(ctx)
}

// nextSunset is how long it takes until a session may be idle, or is tried
// again.
func (k *Keeper) nextSunset(ctx context.Context) (time.Duration, error) {
	open, err := k.store.VisitsOpen(ctx, openAtStart)
	next := lookAgain
	now := k.mind.Now()
	for i := range open {
		wait := open[i].Seen.Add(idleAfter).Sub(now) + time.Millisecond
		if open[i].Ended.Equal(open[i].Seen) {
			wait = 0
		}
		wait = max(wait, k.retries.wait(open[i].Session, now))
		next = min(next, max(wait, settle))
	}
	return next, err
}

// sunset sums a session up: what is left to learn from it, what it came to, how
// things stand, and what its conversation leads to. That it was done is written
// down at the end, so what is interrupted is done again; and all of it can be
// done again.
func (k *Keeper) sunset(ctx context.Context, v *store.Visit) error {
	ctx, cancel := context.WithTimeout(ctx, sunsetTime)
	defer cancel()
	s, err := k.learnFrom(ctx, v.Session, true)
	if err != nil {
		return err
	}
	if s.Seq != 0 {
		if _, err := k.sumUp(ctx, v, &s); err != nil {
			return err
		}
		if err := k.mind.LinkSessions(ctx); err != nil {
			return err
		}
	}
	upto := v.Seen
	if err := k.change(ctx, v.Session, func(v *store.Visit) { v.Sunset = upto }); err != nil {
		return err
	}
	k.learning.drop(v.Session)
	return nil
}

// sumUp keeps what a session came to, and reports whether it came to anything.
func (k *Keeper) sumUp(ctx context.Context, v *store.Visit, s *store.Session) (bool, error) {
	account, err := k.account(ctx, v, s)
	if err != nil {
		return false, err
	}
	sum, ok := account.Summary()
	if !ok {
		return false, nil
	}
	if sum.Text, err = k.mind.WithoutEchoes(ctx, v.Realm, v.Session, sum.Text); err != nil {
		return false, err
	}
	c := hookCaller(v)
	at := s.Ended
	if at.IsZero() {
		at = v.Seen
	}
	id, err := k.mind.KeepSummary(ctx, c, mind.SessionSummary{
		Session: v.Session, Realm: v.Realm, Cwd: v.Cwd, Text: sum.Text, Files: sum.Files, At: at,
	})
	if err != nil {
		return false, err
	}
	if err := k.sunsetLedger(ctx, v, s, &sum, at); err != nil {
		return false, err
	}
	if id == "" {
		return false, nil
	}
	_, err = k.mind.AbsorbEpisodes(ctx, c, v.Session)
	return err == nil, err
}

// account goes through the turns of a session, with the work of its subagents.
func (k *Keeper) account(ctx context.Context, v *store.Visit, s *store.Session) (*distil.Account, error) {
	turns, err := k.store.TurnsAfter(ctx, s.Seq, 0)
	if err != nil {
		return nil, err
	}
	kept, err := k.mind.KeptLessons(ctx, v.Session)
	if err != nil {
		return nil, err
	}
	root, err := k.mind.ProjectRoot(ctx, s, v.Realm)
	if err != nil {
		return nil, err
	}
	a := &distil.Account{Root: root}
	for _, t := range turns {
		messages, err := k.mind.ReadTurn(ctx, s, t)
		if err != nil {
			return nil, err
		}
		if t.Agent != "" {
			a.AddHelp(messages, capture.StripTold)
			continue
		}
		lessons := slices.DeleteFunc(distil.Turn(root, messages, capture.StripTold), func(l distil.Lesson) bool { return !kept(&l) })
		a.Add(messages, lessons, capture.StripTold)
	}
	return a, nil
}

// sunsetLedger writes down how things stood at the end of a session: what the
// agent or a person saved on the way, then what the session shows. It counts
// from when the session was last heard of, however late that is done.
func (k *Keeper) sunsetLedger(ctx context.Context, v *store.Visit, from *store.Session, sum *distil.Summary, at time.Time) error {
	saved, err := k.savedState(ctx, v.Session)
	if err != nil {
		return err
	}
	files, err := k.mind.Anchors().Paths(ctx, v.Realm, v.Cwd, sum.Files)
	if err != nil {
		return err
	}
	shown := LedgerState{Todos: []string{}}
	r, err := k.mind.ResumeOf(ctx, mind.Caller{Session: v.Session}, *from) // its directory may be gone
	switch {
	case err == nil:
		shown = stateOf(&r)
	case !isMissing(err):
		return err
	}
	_, err = k.writeLedgerAt(ctx, at, v.Realm, v.Session, LedgerSunset, func(s *LedgerState) {
		*s = saved
		s.Summary = sum.Text
		if s.Snapshot == "" {
			s.Snapshot = shown.Snapshot
		}
		if len(s.Todos) == 0 {
			s.Todos = shown.Todos
		}
		s.Decisions = append(s.Decisions, sum.Decided...)
		s.NextSteps = append(s.NextSteps, sum.Open...)
		s.Files = append(s.Files, files...)
	})
	return err
}

// savedState is what was saved in a session on purpose.
func (k *Keeper) savedState(ctx context.Context, session string) (LedgerState, error) {
	var state LedgerState
	rows, err := k.store.Ledgers(ctx, store.LedgerFilter{Session: session, Kinds: []string{LedgerSaved}, Limit: 1})
	if err != nil || len(rows) == 0 {
		return state, err
	}
	if err := json.Unmarshal([]byte(rows[0].State), &state); err != nil {
		return state, fmt.Errorf("ledger %s: %w", rows[0].ID, err)
	}
	return state, nil
}
