package mind

import (
	"context"
	"time"

	"chitta/internal/memory"
	"chitta/internal/recall"
	"chitta/internal/store"
)

// recalled loads memories for an answer: as they are, or as they were at the
// time the query asks about.
func (m *Mind) recalled(ctx context.Context, q *recall.Query, seqs []int64) (map[int64]store.Record, error) {
	records, err := m.store.BySeq(ctx, seqs)
	if err != nil || q.AsOf.IsZero() {
		return records, err
	}
	ids := make([]string, 0, len(records))
	for _, r := range records {
		ids = append(ids, r.ID)
	}
	histories, err := m.store.Changes(ctx, ids...)
	if err != nil {
		return nil, err
	}
	for seq, r := range records {
		rewind(&r, histories[r.ID], q.AsOf)
		records[seq] = r
	}
	return records, nil
}

// rewind takes back all changes of a memory after a time, newest first.
func rewind(r *store.Record, history []store.Change, to time.Time) {
	for i := len(history) - 1; i >= 0 && history[i].At.After(to); i-- {
		for field, pair := range history[i].Detail {
			undo(r, field, pair[0])
		}
	}
}

// undo gives a field its old value as the history has it. Fields that do not
// bear on an answer are left alone.
func undo(r *store.Record, field string, old any) {
	text, _ := old.(string)
	number, _ := old.(float64)
	switch field {
	case "content":
		r.Content = text
	case "kind":
		if k, err := memory.ParseKind(text); err == nil {
			r.Kind = k
		}
	case "tags":
		r.Tags = nil
		list, _ := old.([]any)
		for _, t := range list {
			if tag, ok := t.(string); ok {
				r.Tags = append(r.Tags, tag)
			}
		}
	case "realm":
		r.Realm = text
	case "visibility":
		r.Visibility = memory.Visibility(text)
	case "state":
		r.State = memory.Status(text)
	case "confidence":
		r.Confidence.Mean = number
	case "trust":
		r.Trust = memory.Trust(text)
	case "supersedes":
		r.Supersedes = text
	case "superseded_by":
		r.SupersededBy = text
	}
}
