package mind

import (
	"context"
	"errors"

	"chitta/internal/causal"
	"chitta/internal/meaning"
	"chitta/internal/recall"
	"chitta/internal/store"
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

// rouse asks the model for something once, as soon as it can be asked: the first
// question of a process takes several times as long as the others, and a hook
// has no time for it. A model elsewhere is not asked for nothing.
func (m *Mind) rouse(ctx context.Context) error {
	if m.awake || m.semantic.Status().Kernel == "" {
		return nil
	}
	_, encoder, err := m.semantic.Ready(store.OwnerMemory)
	if err != nil {
		return nil // still loading, or off; the status says which
	}
	if _, err := encoder.Query(ctx, "how did things stand here"); err != nil {
		return err
	}
	m.awake = true
	return nil
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
