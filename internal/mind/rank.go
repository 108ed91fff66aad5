package mind

import (
	"context"
	"time"

	"chitta/internal/meaning"
	"chitta/internal/recall"
)

// RankInput asks for the order in which what was said answers a question.
type RankInput struct {
	Query  string
	At     time.Time      // when it is asked; zero is now
	Realm  string         // as in recall
	Recipe *recall.Recipe // nil is the default
	Limit  int            // most chunks
}

// RankOutput is messages and conversations by their ids, best first. A message
// may occur more than once when several of its chunks answer.
type RankOutput struct {
	Messages []string
	Sessions []string
	Stages   []recall.StageTime
}

// Rank answers with an order alone, without texts. It is what recall shows
// before it is cut to fit.
func (m *Mind) Rank(ctx context.Context, c Caller, in RankInput) (RankOutput, error) {
	q, err := m.recallQuery(ctx, c, RecallInput{Query: in.Query, Realm: in.Realm, Scope: recall.TargetSessions})
	if err != nil {
		return RankOutput{}, err
	}
	q.At, q.Recipe = in.At, in.Recipe
	r, err := m.conversations.Rank(ctx, q)
	if err != nil {
		return RankOutput{}, err
	}
	out := RankOutput{Stages: r.Stages}
	chunks := r.Chunks[:min(len(r.Chunks), in.Limit)]
	seqs := make([]int64, len(chunks))
	for i, x := range chunks {
		seqs[i] = x.Seq
	}
	ids, err := m.store.ChunkMessages(ctx, seqs)
	if err != nil {
		return RankOutput{}, err
	}
	for _, seq := range seqs {
		out.Messages = append(out.Messages, ids[seq]...)
	}
	var sessions []int64
	for _, s := range r.Sessions {
		sessions = append(sessions, s.Session)
	}
	byID, err := m.store.SessionsBySeq(ctx, sessions)
	for _, seq := range sessions {
		out.Sessions = append(out.Sessions, byID[seq].ID)
	}
	return out, err
}

// Embedded reports whether everything that should have a vector has one, or
// never will.
func (m *Mind) Embedded() bool {
	st := m.semantic.Status()
	return st.State == meaning.Ready || st.State == meaning.Off
}
