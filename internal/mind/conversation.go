package mind

import (
	"context"
	"errors"

	"chitta/internal/causal"
	"chitta/internal/meaning"
	"chitta/internal/recall"
)

// warm prepares the search of conversations once everything is embedded and
// something changed since the last time.
func (m *Mind) warm(ctx context.Context) error {
	rev := m.timeline.Rev()
	if rev == m.warmed || m.semantic.Status().State != meaning.Ready {
		return nil
	}
	err := m.conversations.Warm(ctx)
	if errors.Is(err, meaning.ErrPart) {
		return nil // more came meanwhile; the next time will do
	}
	if err == nil {
		m.warmed = rev
	}
	return err
}

// passages loads chunks with the conversations they stand in.
func (m *Mind) passages(ctx context.Context, seqs []int64) (map[int64]recall.Passage, error) {
	places, err := m.store.ChunkPlaces(ctx, seqs)
	out := make(map[int64]recall.Passage, len(places))
	for seq, p := range places {
		out[seq] = recall.Passage(p)
	}
	return out, err
}

// reach finds what led to passages or followed from them.
func (m *Mind) reach(ctx context.Context, q *recall.Query, from []recall.Ranked) ([]recall.Ranked, error) {
	reached, err := m.Reached(ctx, q.Text, from, causal.Options{})
	out := make([]recall.Ranked, len(reached))
	for i, r := range reached {
		out[i] = recall.Ranked{Seq: r.Chunk, Score: r.Score}
	}
	return out, err
}
