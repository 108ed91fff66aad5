package mind

import (
	"context"

	"chitta/internal/follow"
	"chitta/internal/session"
	"chitta/internal/store"
)

const (
	// turnBytes bounds what is read of one turn: one that is longer is learned
	// from as far as that.
	turnBytes = 32 << 20
	// contextTurnBytes bounds what is read of the turn before it, of which only
	// the agent's last words count.
	contextTurnBytes = 8 << 20
)

// ReadTurn returns the messages of a turn, behind those of the turn before it:
// what a person says refers to what the agent said last.
func (m *Mind) ReadTurn(ctx context.Context, s *store.Session, t store.TurnSpan) ([]session.Message, error) {
	var said []session.Message
	if t.Before >= 0 {
		before, err := m.store.ThreadBetween(ctx, s.Seq, t.Agent, t.Before, t.Through, contextTurnBytes)
		if err != nil {
			return nil, err
		}
		said = readMessages(s.Source, before)
	}
	rows, err := m.store.ThreadBetween(ctx, s.Seq, t.Agent, t.First, t.Last, turnBytes)
	if err != nil {
		return nil, err
	}
	return append(said, readMessages(s.Source, rows)...), nil
}

// TurnDone reports whether a turn ends with an agent that had nothing more to
// do, by its own account.
func (m *Mind) TurnDone(ctx context.Context, s *store.Session, t store.TurnSpan) (bool, error) {
	rows, err := m.store.ThreadBetween(ctx, s.Seq, t.Agent, t.Last, t.Last, turnBytes)
	if err != nil {
		return false, err
	}
	said := readMessages(s.Source, rows)
	return len(said) > 0 && said[len(said)-1].Done, nil
}

// readMessages reads stored records again; what cannot be read is passed over,
// as it was erased or put aside.
func readMessages(source string, rows []store.Message) []session.Message {
	var said []session.Message
	for i := range rows {
		if x, err := follow.ReadMessage(source, rows[i].Raw); err == nil {
			said = append(said, *x)
		}
	}
	return said
}

// LinkSessions makes the edges between what was said in the conversations that
// are stored, which the background would make a little later.
func (m *Mind) LinkSessions(ctx context.Context) error {
	if err := m.followConversations(ctx); err != nil {
		return err
	}
	return m.linker.Maintain(ctx)
}
