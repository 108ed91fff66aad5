package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
)

// Edge says how two chunks hang together.
type Edge struct {
	Source, Target int64 // chunks
	Kind           string
	Weight         float64
}

// PutEdge stores an edge between two chunks that are there; if one is gone by
// now, nothing is stored.
func (t *Tx) PutEdge(e Edge) error {
	return t.exec(`INSERT INTO edge (source, target, kind, weight) SELECT a.seq, b.seq, ?3, ?4 FROM chunk a, chunk b
		WHERE a.seq = ?1 AND b.seq = ?2 AND a.gone = 0 AND b.gone = 0 ON CONFLICT DO UPDATE SET weight = excluded.weight`,
		e.Source, e.Target, e.Kind, e.Weight)
}

// DropEdges removes all edges of a chunk, to it and from it.
func (t *Tx) DropEdges(chunk int64) error {
	if err := t.exec(`DELETE FROM edge WHERE source = ?`, chunk); err != nil {
		return err
	}
	return t.exec(`DELETE FROM edge WHERE target = ?`, chunk)
}

// DropEdgesFrom removes the edges of a kind that leave a chunk.
func (t *Tx) DropEdgesFrom(chunk int64, kind string) error {
	return t.exec(`DELETE FROM edge WHERE source = ? AND kind = ?`, chunk, kind)
}

// DropEdgesTo removes the edges of a kind that lead to a chunk.
func (t *Tx) DropEdgesTo(chunk int64, kind string) error {
	return t.exec(`DELETE FROM edge WHERE target = ? AND kind = ?`, chunk, kind)
}

// DropThreadEdges removes the edges of a kind that lead to a thread of a
// conversation, and those of another kind that leave it.
func (t *Tx) DropThreadEdges(session int64, agent, to, from string) error {
	const thread = `(SELECT seq FROM chunk WHERE session = ? AND agent = ? AND gone = 0)`
	if err := t.exec(`DELETE FROM edge WHERE kind = ? AND target IN `+thread, to, session, agent); err != nil {
		return err
	}
	return t.exec(`DELETE FROM edge WHERE kind = ? AND source IN `+thread, from, session, agent)
}

// ClearEdges removes all edges of some kinds, of all kinds if none is named.
func (t *Tx) ClearEdges(kinds ...string) error {
	if len(kinds) == 0 {
		return t.exec(`DELETE FROM edge`)
	}
	for _, k := range kinds {
		if err := t.exec(`DELETE FROM edge WHERE kind = ?`, k); err != nil {
			return err
		}
	}
	return nil
}

func scanEdge(row scanner) (e Edge, err error) {
	return e, row.Scan(&e.Source, &e.Target, &e.Kind, &e.Weight)
}

// EdgesFrom returns the strongest edges that leave chunks, at most so many of
// each kind for each.
func (s *Store) EdgesFrom(ctx context.Context, chunks []int64, most int) ([]Edge, error) {
	return s.edges(ctx, `SELECT source, target, kind, weight FROM (
		SELECT e.*, row_number() OVER (PARTITION BY e.source, e.kind ORDER BY e.weight DESC, e.target) AS place
		FROM json_each(?) wanted JOIN edge e ON e.source = wanted.value) WHERE place <= ? ORDER BY source, kind, place`, chunks, most)
}

// EdgesTo returns the strongest edges that lead to chunks, at most so many of
// each kind for each.
func (s *Store) EdgesTo(ctx context.Context, chunks []int64, most int) ([]Edge, error) {
	return s.edges(ctx, `SELECT source, target, kind, weight FROM (
		SELECT e.*, row_number() OVER (PARTITION BY e.target, e.kind ORDER BY e.weight DESC, e.source DESC) AS place
		FROM json_each(?) wanted JOIN edge e ON e.target = wanted.value) WHERE place <= ? ORDER BY target, kind, place`, chunks, most)
}

func (s *Store) edges(ctx context.Context, query string, chunks []int64, most int) ([]Edge, error) {
	list, err := json.Marshal(chunks)
	if err != nil || len(chunks) == 0 {
		return nil, err
	}
	return collect(ctx, s.reading, scanEdge, query, string(list), most)
}

// CountEdges returns how many edges there are by kind.
func (s *Store) CountEdges(ctx context.Context) (map[string]int, error) {
	type counted struct {
		kind string
		n    int
	}
	list, err := collect(ctx, s.reading, func(row scanner) (c counted, err error) {
		return c, row.Scan(&c.kind, &c.n)
	}, `SELECT kind, count(*) FROM edge GROUP BY kind`)
	out := make(map[string]int, len(list))
	for _, c := range list {
		out[c.kind] = c.n
	}
	return out, err
}

// Neighbours returns, by chunk, the chunk that stands before it in its thread,
// or the one after it. Those at the end of a thread are left out.
func (s *Store) Neighbours(ctx context.Context, chunks []int64, before bool) (map[int64]int64, error) {
	list, err := json.Marshal(chunks)
	if err != nil || len(chunks) == 0 {
		return nil, err
	}
	query := `SELECT c.seq, (SELECT n.seq FROM chunk n WHERE n.session = c.session AND n.agent = c.agent AND n.gone = 0
		AND (n.first, n.part, n.seq) > (c.first, c.part, c.seq) ORDER BY n.first, n.part, n.seq LIMIT 1)
		FROM json_each(?) wanted JOIN chunk c ON c.seq = wanted.value WHERE c.gone = 0`
	if before {
		query = `SELECT c.seq, (SELECT n.seq FROM chunk n WHERE n.session = c.session AND n.agent = c.agent AND n.gone = 0
		AND (n.first, n.part, n.seq) < (c.first, c.part, c.seq) ORDER BY n.first DESC, n.part DESC, n.seq DESC LIMIT 1)
		FROM json_each(?) wanted JOIN chunk c ON c.seq = wanted.value WHERE c.gone = 0`
	}
	type pair struct {
		chunk int64
		next  sql.NullInt64
	}
	pairs, err := collect(ctx, s.reading, func(row scanner) (p pair, err error) {
		return p, row.Scan(&p.chunk, &p.next)
	}, query, string(list))
	out := make(map[int64]int64, len(pairs))
	for _, p := range pairs {
		if p.next.Valid {
			out[p.chunk] = p.next.Int64
		}
	}
	return out, err
}

// Note returns what is written down in the database under a key, or "".
func (s *Store) Note(ctx context.Context, key string) (string, error) {
	var value string
	err := s.reading.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = ?`, key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, classify(err)
}

// Noted returns what [Tx.SetNoted] wrote down under a key. What cannot be read
// any more counts as nothing: it is written anew.
func Noted[T any](ctx context.Context, s *Store, key string) (value T, err error) {
	text, err := s.Note(ctx, key)
	if err != nil || text == "" {
		return value, err
	}
	if json.Unmarshal([]byte(text), &value) != nil {
		value = *new(T)
	}
	return value, nil
}

// SetNote writes something down under a key: how far something derived has
// come.
func (t *Tx) SetNote(key, value string) error {
	return t.exec(`INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`, key, value)
}

// SetNoted is [Tx.SetNote] for a value that is more than a text.
func (t *Tx) SetNoted(key string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return t.SetNote(key, string(text))
}
