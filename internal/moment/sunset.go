package moment

import (
	"context"
	"encoding/json"
	"errors"
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
// next event says so.
func (k *Keeper) ended(ctx context.Context, _ mind.Caller, e *Event) (Answer, error) {
	k.learning.note(e.Session, func(l *ending) { l.due, l.stopped = true, k.mind.Now() })
	err := k.change(ctx, e.Session, func(v *store.Visit) { v.Ended = v.Seen })
	return Answer{Outcome: Noted}, err
}

// sunsets sums up the sessions that are over or idle, and says when the next may
// be.
func (k *Keeper) sunsets(ctx context.Context) (time.Duration, error) {
	due, err := k.store.VisitsDue(ctx, k.mind.Now().Add(-idleAfter), sunsetsAtOnce)
	if err != nil {
		return lookAgain, err
	}
	var errs []error
	for i := range due {
		if ctx.Err() != nil {
			return lookAgain, ctx.Err()
		}
		if err := k.sunset(ctx, &due[i]); err != nil {
			errs = append(errs, fmt.Errorf("sum up session %s: %w", due[i].Session, err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return lookAgain, err
	}
	return k.nextSunset(ctx)
}

// nextSunset is how long it takes until a session may be idle.
func (k *Keeper) nextSunset(ctx context.Context) (time.Duration, error) {
	open, err := k.store.VisitsOpen(ctx, openAtStart)
	next := lookAgain
	now := k.mind.Now()
	for i := range open {
		wait := open[i].Seen.Add(idleAfter).Sub(now) + time.Millisecond
		if open[i].Ended.Equal(open[i].Seen) {
			wait = 0
		}
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
		if err := k.sumUp(ctx, v, &s); err != nil {
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

// sumUp keeps what a session came to, if it came to anything.
func (k *Keeper) sumUp(ctx context.Context, v *store.Visit, s *store.Session) error {
	account, err := k.account(ctx, v, s)
	if err != nil {
		return err
	}
	sum, ok := account.Summary()
	if !ok {
		return nil
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
		return err
	}
	if err := k.sunsetLedger(ctx, v, &sum); err != nil {
		return err
	}
	if id == "" {
		return nil
	}
	_, err = k.mind.AbsorbEpisodes(ctx, c, v.Session)
	return err
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
	a := &distil.Account{}
	for _, t := range turns {
		messages, err := k.mind.ReadTurn(ctx, s, t)
		if err != nil {
			return nil, err
		}
		if t.Agent != "" {
			a.AddHelp(messages, capture.StripEcho)
			continue
		}
		lessons := slices.DeleteFunc(distil.Turn(messages, capture.StripEcho), func(l distil.Lesson) bool { return !kept(&l) })
		a.Add(messages, lessons, capture.StripEcho)
	}
	return a, nil
}

// sunsetLedger writes down how things stand at the end of a session: what the
// agent or a person saved on the way, then what the session shows.
func (k *Keeper) sunsetLedger(ctx context.Context, v *store.Visit, sum *distil.Summary) error {
	saved, err := k.savedState(ctx, v.Session)
	if err != nil {
		return err
	}
	files, err := k.mind.AnchorPaths(ctx, v.Realm, v.Cwd, sum.Files)
	if err != nil {
		return err
	}
	shown := LedgerState{Todos: []string{}}
	r, err := k.mind.SessionResume(ctx, hookCaller(v), mind.SessionInput{ID: v.Session})
	switch {
	case err == nil:
		shown = stateOf(&r)
	case !isMissing(err):
		return err
	}
	_, err = k.writeLedger(ctx, v.Realm, v.Session, LedgerSunset, func(s *LedgerState) {
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
