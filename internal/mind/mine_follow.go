package mind

import (
	"context"

	"chitta/internal/graph"
	"chitta/internal/session"
	"chitta/internal/store"
)

// Evidence of what was found in a conversation names the message that says so.
// When a passage is cut anew its messages are still there, in other passages;
// what none of them states any more is not known any more either.

// movedEvidence is evidence of a passage that is gone.
type movedEvidence struct {
	row     int64
	message string // that states it still, empty if none does
}

func (x movedEvidence) store(tx *store.Tx) error {
	if x.message != "" {
		moved, err := tx.MoveEvidence(x.row, x.message)
		if moved || err != nil {
			return err
		}
	}
	_, err := tx.EraseEvidence(store.EvidenceFilter{Row: x.row})
	return err
}

// followPassages finds what becomes of the evidence of passages that are gone.
func (m *Mind) followPassages(ctx context.Context, b *batch, job *mining) (out []movedEvidence, err error) {
	if !job.on() {
		return nil, nil // nothing was ever found, or all of it was taken back
	}
	for i := range b.chunks {
		c := &b.chunks[i]
		if !c.Gone {
			continue
		}
		found, err := m.store.FoundIn(ctx, c)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			continue
		}
		stated, begins, err := m.statedNow(ctx, b, c, b.dirs[c.Session])
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			x := movedEvidence{row: f.Row}
			if f.Source == sourceLink && begins[f.Message] {
				continue
			}
			key := [3]string{f.Subject, f.Predicate, f.Object}
			if messages := stated[key]; len(messages) > 0 && f.Source != sourceLink {
				if messages[f.Message] {
					continue
				}
				for id := range messages {
					x.message = max(x.message, id)
				}
			}
			out = append(out, x)
		}
	}
	return out, nil
}

// statedNow returns which messages state what in the passages that stand where
// one stood that is gone, and which messages those begin with.
func (m *Mind) statedNow(ctx context.Context, b *batch, gone *store.Chunk, of store.Session) (stated map[[3]string]map[string]bool, begins map[string]bool, err error) {
	places, err := m.store.ChunksAt(ctx, gone)
	if err != nil {
		return nil, nil, err
	}
	stated, begins = map[[3]string]map[string]bool{}, map[string]bool{}
	for i := range places {
		c := &places[i].Chunk
		begins[places[i].Message] = true
		if c.Role != string(session.Assistant) || len(b.statements(c)) == 0 {
			continue
		}
		said, err := m.saidIn(ctx, c, of)
		if err != nil {
			return nil, nil, err
		}
		for _, x := range said {
			for _, f := range m.findings(c.Realm, x.text, c.Seq, store.Evidence{}, x.at) {
				key := [3]string{graph.Key(f.subject), f.predicate.Name, graph.Key(f.object)}
				if stated[key] == nil {
					stated[key] = map[string]bool{}
				}
				stated[key][x.id] = true
			}
		}
	}
	return stated, begins, nil
}
