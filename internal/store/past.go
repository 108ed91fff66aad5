package store

import (
	"context"
	"encoding/json"
	"time"
)

// EditedSince returns the rows of memories whose text was changed after a time,
// the last changed first, at most limit of them: those of a realm and those of
// others that may be seen from it, or all if realm is "".
func (s *Store) EditedSince(ctx context.Context, at time.Time, realm string, limit int) ([]int64, error) {
	return collect(ctx, s.reading, func(row scanner) (seq int64, err error) {
		return seq, row.Scan(&seq)
	}, `SELECT c.memory FROM memory_change c JOIN memory m ON m.seq = c.memory
		WHERE c.at > ?1 AND json_type(c.detail, '$.content') IS NOT NULL AND m.erased = 0
		AND (?2 = '' OR m.realm = ?2 OR m.visibility <> 'private' OR json_type(c.detail, '$.realm') IS NOT NULL)
		GROUP BY c.memory ORDER BY max(c.seq) DESC LIMIT ?3`, millis(at), realm, limit)
}

// SessionsSaying returns, for ids of messages, the sessions in which a message
// has that id: an id is unique in its session only.
func (s *Store) SessionsSaying(ctx context.Context, ids []string) (map[string][]string, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	type pair struct{ message, session string }
	pairs, err := collect(ctx, s.reading, func(row scanner) (p pair, err error) {
		return p, row.Scan(&p.message, &p.session)
	}, `SELECT DISTINCT m.id, s.id FROM json_each(?) wanted JOIN message m ON m.id = wanted.value
		JOIN session s ON s.seq = m.session WHERE s.forgotten = 0`, string(list))
	out := make(map[string][]string, len(pairs))
	for _, p := range pairs {
		out[p.message] = append(out[p.message], p.session)
	}
	return out, err
}
