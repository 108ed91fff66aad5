package mind

import (
	"context"
	"errors"
	"strconv"

	"chitta/internal/keyword"
	"chitta/internal/past"
	"chitta/internal/store"
)

// SessionForgetOutput says what was erased.
type SessionForgetOutput struct {
	ID       string `json:"id"`
	Project  string `json:"project"`
	Messages int    `json:"messages"`
	Chunks   int    `json:"chunks"`
	// Forks are sessions that went on from it, and have lost their beginning:
	// Shared of its messages, which are kept once.
	Forks  []string `json:"forks,omitempty"`
	Shared int      `json:"shared,omitempty"`
	// Memories were learned from it alone, and Ledgers told how it stood.
	Memories int `json:"memories,omitempty"`
	Ledgers  int `json:"ledgers,omitempty"`
}

// SessionForget erases a session for good: messages, chunks, what was learned
// from both, index entries and vectors. What was remembered in it on purpose
// stays. Its id stays too, so that neither a later import brings it back nor is
// anything learned from it again. Messages that it shares with sessions forked from it
// are kept once, with it, and go as well; of a fork that has no others, title,
// ledger and what was learned go too.
func (m *Mind) SessionForget(ctx context.Context, c Caller, in past.SessionInput) (SessionForgetOutput, error) {
	s, err := m.past.Find(ctx, c.reader(), "id", in.ID)
	if err != nil {
		return SessionForgetOutput{}, err
	}
	names, err := m.store.RealmNames(ctx)
	if err != nil {
		return SessionForgetOutput{}, err
	}
	forks, err := m.store.Forks(ctx, []int64{s.Seq})
	if err != nil {
		return SessionForgetOutput{}, err
	}
	out := SessionForgetOutput{ID: s.ID, Project: names[s.Realm], Forks: forks[s.Seq]}
	if out.Shared, err = m.store.SharedWithForks(ctx, s.Seq); err != nil {
		return SessionForgetOutput{}, err
	}
	var chunks []int64
	var with unlearned
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		if err := m.unlearn(tx, c, &s, &with); err != nil {
			return err
		}
		empty, err := tx.EmptyForks(s.Seq)
		if err != nil {
			return err
		}
		for i := range empty { // what was written down of them is of what was said in this one
			if err := m.unlearn(tx, c, &empty[i], &with); err != nil {
				return err
			}
		}
		chunks, out.Messages, err = tx.ForgetSession(s.Seq, m.now(), true)
		return err
	})
	if err != nil {
		return SessionForgetOutput{}, err
	}
	out.Chunks, out.Memories, out.Ledgers = len(chunks), len(with.memories), with.ledgers
	// from here on it is gone for everyone; the rest takes away what was
	// derived, and is done again at the next start should it fail
	return out, errors.Join(m.forgetUnlearned(ctx, &with), m.forgetDerived(ctx, []int64{s.Seq}, chunks, true))
}

// dropForgotten takes what is left of everything erased out of the indexes,
// should an end of the process have come between.
func (m *Mind) dropForgotten(ctx context.Context) error {
	sessions, err := m.store.ForgottenSessions(ctx)
	if err != nil {
		return err
	}
	return errors.Join(m.dropSessions(ctx, sessions), m.dropTaken(ctx))
}

// dropSessions takes erased sessions out of the indexes of messages and chunks.
// Rows of messages are gone, so the feed cannot tell.
func (m *Mind) dropSessions(ctx context.Context, sessions []int64) error {
	if len(sessions) == 0 {
		return nil
	}
	labels := make([]string, len(sessions))
	for i, seq := range sessions {
		labels[i] = "session=" + strconv.FormatInt(seq, 10)
	}
	bearing := keyword.Filter{All: [][]string{labels}}
	return errors.Join(m.messages.RemoveAll(ctx, bearing), m.chunks.RemoveAll(ctx, bearing))
}
