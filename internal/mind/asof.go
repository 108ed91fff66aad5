package mind

import (
	"context"
	"fmt"
	"slices"
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

// pastEdits is how many memories that were edited since are read as they were.
const pastEdits = 200

// remembersPast gives a question about the past the texts as they were of
// memories that were edited since: the indexes know what they say now. It
// returns a note if there are more than are looked at.
func (m *Mind) remembersPast(ctx context.Context, q *recall.Query) (note string, err error) {
	if q.AsOf.IsZero() || len(q.Targets) > 0 && !slices.Contains(q.Targets, recall.TargetMemories) {
		return "", nil
	}
	seqs, err := m.store.EditedSince(ctx, q.AsOf, q.Realm, pastEdits+1)
	if err != nil || len(seqs) == 0 {
		return "", err
	}
	if len(seqs) > pastEdits {
		seqs = seqs[:pastEdits]
		note = fmt.Sprintf("history: more than %d memories were edited since; those edited first are found by what they say now", pastEdits)
	}
	records, err := m.recalled(ctx, q, seqs)
	q.Past = make(map[int64]string, len(records))
	for seq, r := range records {
		q.Past[seq] = r.Content
	}
	return note, err
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
