package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Change is one entry of a memory's history.
type Change struct {
	Memory string            `json:"memory,omitempty"`
	At     time.Time         `json:"at"`
	Actor  string            `json:"actor"`
	Op     string            `json:"op"`
	Detail map[string][2]any `json:"detail,omitempty"` // field -> [old, new]
}

// AddChange appends to a memory's history.
func (t *Tx) AddChange(c Change) error {
	detail := []byte("{}")
	if len(c.Detail) > 0 {
		var err error
		if detail, err = json.Marshal(c.Detail); err != nil {
			return fmt.Errorf("change of %s: %w", c.Memory, err)
		}
	}
	return t.exec(`INSERT INTO memory_change (memory, at, actor, op, detail) VALUES ((SELECT seq FROM memory WHERE id = ?), ?, ?, ?, ?)`,
		c.Memory, millis(c.At), c.Actor, c.Op, string(detail))
}

// DropHistory removes the history of a memory whose newer copy, with its own
// history, takes its place.
func (t *Tx) DropHistory(id string) error {
	return t.exec(`DELETE FROM memory_change WHERE memory = (SELECT seq FROM memory WHERE id = ?)`, id)
}

// Changes returns the history of the given memories, oldest first, keyed by
// memory.
func (s *Store) Changes(ctx context.Context, ids ...string) (map[string][]Change, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	rows, err := s.reading.QueryContext(ctx, `SELECT m.id, c.at, c.actor, c.op, c.detail
		FROM json_each(?) wanted JOIN memory m ON m.id = wanted.value JOIN memory_change c ON c.memory = m.seq ORDER BY c.seq`, string(list))
	if err != nil {
		return nil, classify(err)
	}
	defer rows.Close()
	out := make(map[string][]Change, len(ids))
	for rows.Next() {
		var c Change
		var at int64
		var detail string
		if err := rows.Scan(&c.Memory, &at, &c.Actor, &c.Op, &detail); err != nil {
			return nil, classify(err)
		}
		c.At = fromMillis(at)
		if err := json.Unmarshal([]byte(detail), &c.Detail); err != nil {
			return nil, fmt.Errorf("history of %s: %w", c.Memory, err)
		}
		if len(c.Detail) == 0 {
			c.Detail = nil
		}
		out[c.Memory] = append(out[c.Memory], c)
	}
	return out, classify(rows.Err())
}
