package past

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// Fit is a message that a shortened or shared id may mean.
type Fit struct{ ID, Session string }

// SeveralError is returned when an id fits several messages: they begin alike,
// or are the same in sessions that were forked.
type SeveralError struct {
	Field string
	ID    string
	Fits  []Fit // the first of them
}

func (e *SeveralError) Error() string {
	return fmt.Sprintf("%s %q fits several messages", e.Field, e.ID)
}

// Hint says what to do.
func (e *SeveralError) Hint() string {
	fits := make([]string, len(e.Fits))
	for i, f := range e.Fits {
		fits[i] = f.ID + " in session " + f.Session
	}
	return "give more of it, or the session; these fit: " + strings.Join(fits, ", ")
}

// messageNamed finds a message by its id or the unique start of it, in one
// session or in all. Which others fit is told an agent of its own project only.
func (a *Archive) messageNamed(ctx context.Context, who Reader, field, id string, in *store.Session) (*store.Said, error) {
	if err := checkID(field, id); err != nil {
		return nil, err
	}
	var seq int64
	if in != nil {
		seq = in.Seq
	}
	found, err := a.store.MessageByID(ctx, id, seq, maxFits+1)
	if err != nil {
		return nil, err
	}
	if in != nil && len(found) == 0 {
		return nil, noMessageIn(in, id)
	}
	if len(found) > 1 && !who.Person {
		here, err := a.here(ctx, who.Dir)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(found, func(x store.Said) bool { return x.Realm != here.ID })
	}
	return a.oneMessage(ctx, field, id, found)
}

// mayRead lets an agent read what was said in its own project.
func (a *Archive) mayRead(ctx context.Context, who Reader, row *store.Said) error {
	if who.Person {
		return nil
	}
	here, err := a.here(ctx, who.Dir)
	if err == nil && row.Realm != here.ID {
		err = &memory.NotFoundError{What: "message", ID: row.ID, Hint: "it was said in another project; the user can show it"}
	}
	return err
}

func (a *Archive) messageByHash(ctx context.Context, digits string) (*store.Said, error) {
	digits = strings.ToLower(strings.TrimSpace(digits))
	if _, err := hex.DecodeString(digits + strings.Repeat("0", len(digits)%2)); err != nil || len(digits) < leastHash || len(digits) > 64 {
		return nil, &memory.InputError{Field: "hash", Problem: fmt.Sprintf("%q is not the start of a SHA-256", clip(digits, 80)), Hint: fmt.Sprintf("give %d to 64 hexadecimal digits", leastHash)}
	}
	found, err := a.store.MessageByHash(ctx, digits, maxFits+1)
	if err != nil {
		return nil, err
	}
	if len(found) > 1 && !slices.ContainsFunc(found, func(x store.Said) bool { return x.Hash != found[0].Hash }) {
		found = found[:1] // the same record in several sessions
	}
	return a.oneMessage(ctx, "hash", digits, found)
}

func (a *Archive) oneMessage(ctx context.Context, field, id string, found []store.Said) (*store.Said, error) {
	switch len(found) {
	case 0:
		return nil, &memory.NotFoundError{What: "message", ID: id, Hint: "chitta search finds messages and shows their ids"}
	case 1:
		return &found[0], nil
	}
	var sessions []int64
	for _, x := range found {
		sessions = append(sessions, x.Session)
	}
	bySeq, err := a.store.SessionsBySeq(ctx, sessions)
	if err != nil {
		return nil, err
	}
	e := &SeveralError{Field: field, ID: id}
	for _, x := range found[:min(len(found), maxFits)] {
		e.Fits = append(e.Fits, Fit{ID: x.ID, Session: bySeq[x.Session].ID})
	}
	return nil, e
}

// messageIn finds a message of a session by its id or the unique start of it,
// in a fork also one that it shares.
func (a *Archive) messageIn(ctx context.Context, who Reader, field, id string, s store.Session) (*store.Said, error) {
	row, missing := a.messageNamed(ctx, who, field, id, &s)
	if s.ForkedFrom == 0 || !errors.As(missing, new(*memory.NotFoundError)) {
		return row, missing
	}
	t, err := a.threadOf(ctx, who, s, "")
	if err != nil {
		return nil, err
	}
	var fits []int64
	for _, p := range t.places {
		if p.ID == id {
			fits = []int64{p.Seq}
			break
		}
		if strings.HasPrefix(p.ID, id) && len(fits) <= maxFits {
			fits = append(fits, p.Seq)
		}
	}
	found, err := a.store.MessagesBySeq(ctx, fits)
	if err != nil {
		return nil, err
	}
	var rows []store.Said
	for _, seq := range fits {
		if x, ok := found[seq]; ok {
			rows = append(rows, x)
		}
	}
	if len(rows) == 0 {
		return nil, missing
	}
	return a.oneMessage(ctx, field, id, rows)
}

// noMessageIn says that a session has no such message.
func noMessageIn(s *store.Session, id string) error {
	return &memory.NotFoundError{What: "message", ID: id, Session: s.ID, Hint: "chitta show " + s.ID + " shows its messages"}
}
