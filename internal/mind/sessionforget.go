package mind

import (
	"context"
	"errors"
	"strconv"

	"chitta/internal/keyword"
	"chitta/internal/store"
)

// SessionForgetOutput says what was erased.
type SessionForgetOutput struct {
	ID       string `json:"id"`
	Project  string `json:"project"`
	Messages int    `json:"messages"`
	Chunks   int    `json:"chunks"`
}

// SessionForget erases a session for good: messages, chunks, what was learned
// from both, index entries and vectors. Its id stays, so that a later import
// does not bring it back.
func (m *Mind) SessionForget(ctx context.Context, c Caller, in SessionInput) (SessionForgetOutput, error) {
	s, err := m.sessionNamed(ctx, c, "id", in.ID)
	if err != nil {
		return SessionForgetOutput{}, err
	}
	names, err := m.realmNames(ctx)
	if err != nil {
		return SessionForgetOutput{}, err
	}
	out := SessionForgetOutput{ID: s.ID, Project: names[s.Realm]}
	var chunks []int64
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		chunks, out.Messages, err = tx.ForgetSession(s.Seq, m.now(), true)
		return err
	})
	if err != nil {
		return SessionForgetOutput{}, err
	}
	out.Chunks = len(chunks)
	// from here on it is gone for everyone; the rest takes away what was
	// derived, and is done again at the next start should it fail
	return out, m.forgetDerived(ctx, []int64{s.Seq}, chunks, true)
}

// dropForgotten takes what is left of erased sessions out of the indexes of
// messages and chunks. Rows of messages are gone, so the feed cannot tell.
func (m *Mind) dropForgotten(ctx context.Context) error {
	sessions, err := m.store.ForgottenSessions(ctx)
	if err != nil || len(sessions) == 0 {
		return err
	}
	labels := make([]string, len(sessions))
	for i, seq := range sessions {
		labels[i] = "session=" + strconv.FormatInt(seq, 10)
	}
	bearing := keyword.Filter{All: [][]string{labels}}
	return errors.Join(m.messages.RemoveAll(ctx, bearing), m.chunks.RemoveAll(ctx, bearing))
}
