package moment

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/store"
)

const (
	// historyTime is how long one call goes on beginning with another session:
	// a caller wants to see how far it is.
	historyTime = 2 * time.Second
	// historySession bounds one session, so that a call ends before its caller
	// gives up.
	historySession = 20 * time.Second
	// historyPage is how many sessions are looked up at once.
	historyPage = 50
)

// HistoryInput says which sessions to learn from.
type HistoryInput struct {
	Session string   `json:"session,omitempty" jsonschema:"only this session: its id or the unique start of it"`
	Realm   string   `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory"`
	Paths   []string `json:"paths,omitempty" jsonschema:"only sessions that were read from these files, or from files in these folders; absolute, without symbolic links"`
	Since   string   `json:"since,omitempty" jsonschema:"only sessions that went on after this time: a date, a time or a span such as 30d"`
	Cursor  string   `json:"cursor,omitempty" jsonschema:"next of the call before"`
}

// HistoryOutput is what a call learned.
type HistoryOutput struct {
	Sessions  int              `json:"sessions"`  // learned from in this call
	Left      int              `json:"left"`      // not learned from yet
	Memories  map[string]int   `json:"memories"`  // new ones by kind, without summaries
	Summaries int              `json:"summaries"` // sessions that came to something
	Problems  []HistoryProblem `json:"problems"`
	Next      string           `json:"next,omitempty"` // pass on as cursor until it is empty
}

// HistoryProblem is a session that could not be learned from. Another run tries
// again.
type HistoryProblem struct {
	Session string `json:"session"`
	Why     string `json:"why"`
}

// LearnHistory learns from sessions that no hook told of, as if it had been
// there: what their turns teach and what they came to, with the times of then.
// The oldest come first, so that what was said later has the last word. Each
// counts once, however often this is called, and what was forgotten since does
// not come back. It returns after a while with how far it has come.
func (k *Keeper) LearnHistory(ctx context.Context, c mind.Caller, in HistoryInput) (HistoryOutput, error) {
	out := HistoryOutput{Memories: map[string]int{}, Problems: []HistoryProblem{}}
	f, err := k.historyFilter(ctx, c, in)
	if err != nil {
		return out, err
	}
	if !k.history.TryLock() {
		return out, &memory.RefusedError{Reason: "history is being learned from already", Hint: "let that end first"}
	}
	defer k.history.Unlock()
	for begun := time.Now(); ; {
		page, left, err := k.store.History(ctx, f)
		if err != nil {
			return out, err
		}
		out.Left, out.Next = left, ""
		if len(page) == 0 {
			return out, nil
		}
		for i := range page {
			if time.Since(begun) > historyTime && i+out.Sessions+len(out.Problems) > 0 {
				out.Next = encodeHistory(f.After)
				return out, nil
			}
			s := &page[i]
			if err := k.learnPast(ctx, s, &out); err != nil {
				if ctx.Err() != nil {
					return out, ctx.Err()
				}
				out.Problems = append(out.Problems, HistoryProblem{s.ID, err.Error()})
			} else {
				out.Sessions++
			}
			f.After = s.Place()
			out.Left--
		}
	}
}

func (k *Keeper) historyFilter(ctx context.Context, c mind.Caller, in HistoryInput) (store.HistoryFilter, error) {
	f := store.HistoryFilter{Source: claudeCode, Limit: historyPage}
	var err error
	if f.Since, err = k.mind.TimeNamed("since", in.Since); err != nil {
		return f, err
	}
	if f.After, err = decodeHistory(in.Cursor); err != nil {
		return f, err
	}
	for _, p := range in.Paths {
		if !filepath.IsAbs(p) {
			return f, &memory.InputError{Field: "paths", Problem: fmt.Sprintf("%q is not absolute", clip(p, 80)), Hint: "give whole paths"}
		}
		f.Paths = append(f.Paths, filepath.Clean(p))
	}
	switch {
	case in.Session != "":
		s, err := k.mind.SessionNamed(ctx, c, in.Session)
		if err == nil && s.Source != claudeCode {
			err = &memory.InputError{Field: "session", Problem: fmt.Sprintf("%s is no conversation of a coding agent", s.ID), Hint: "only those teach something; chitta sessions lists them"}
		}
		f.ID = s.ID
		return f, err
	case in.Realm != allRealms:
		f.Realm, err = k.realmNamed(ctx, c, in.Realm)
	}
	return f, err
}

// learnPast learns from a session that is stored and sums it up. That it was
// done is written down at the end: what is interrupted is done again, and what
// was kept by then counts once.
func (k *Keeper) learnPast(ctx context.Context, s *store.Session, out *HistoryOutput) error {
	ctx, cancel := context.WithTimeout(ctx, historySession)
	defer cancel()
	v, err := k.recall(ctx, s)
	if err != nil {
		return err
	}
	turns, err := k.store.TurnsAfter(ctx, s.Seq, v.Learned)
	if err != nil {
		return err
	}
	upto, err := k.learnTurns(ctx, &v, s, turns, func(int) (bool, error) { return true, nil }, out.Memories)
	if err != nil {
		return err
	}
	summed, err := k.sumUp(ctx, &v, s)
	if err != nil {
		return err
	}
	if summed {
		out.Summaries++
	}
	return k.change(ctx, v.Session, func(v *store.Visit) { v.Learned = max(v.Learned, upto) })
}

// recall returns the visit of a session that is over; if there was none, one
// that nothing is left to do for but to learn from it.
func (k *Keeper) recall(ctx context.Context, s *store.Session) (store.Visit, error) {
	var v store.Visit
	err := k.store.Write(ctx, func(tx *store.Tx) error {
		var err error
		v, err = tx.Visit(s.ID)
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
		last := s.Active()
		v = store.Visit{Session: s.ID, Realm: s.Realm, Cwd: s.Cwd, Began: s.Started, Seen: last, Ended: last, Sunset: last}
		if v.Began.IsZero() {
			v.Began = last
		}
		return tx.PutVisit(&v)
	})
	return v, err
}

func encodeHistory(p store.SessionPlace) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "h%d.%d", p.Active, p.Seq))
}

func decodeHistory(cursor string) (p store.SessionPlace, err error) {
	if cursor == "" {
		return p, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		_, err = fmt.Sscanf(string(b), "h%d.%d", &p.Active, &p.Seq)
	}
	if err != nil || p.Seq < 0 {
		return store.SessionPlace{}, &memory.InputError{Field: "cursor", Problem: fmt.Sprintf("%q is not one that a call gave", clip(cursor, 80)), Hint: "pass on the next of the call before, or leave it out"}
	}
	return p, nil
}
