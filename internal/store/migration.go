package store

import (
	"context"
	"fmt"
)

// LastSession returns the highest row number of a conversation.
func (t *Tx) LastSession() (seq int64, err error) {
	err = t.QueryRowContext(t.ctx, `SELECT coalesce(max(seq), 0) FROM session`).Scan(&seq)
	return seq, classify(err)
}

// LastSession returns the highest row number of a conversation.
func (s *Store) LastSession(ctx context.Context) (int64, error) {
	return s.lastRev(ctx, `SELECT max(seq) FROM session`)
}

// SessionsBetween returns row numbers of conversations behind one and up to
// another, erased ones left out.
func (s *Store) SessionsBetween(ctx context.Context, after, upto int64, limit int) ([]int64, error) {
	return collect(ctx, s.reading, func(row scanner) (seq int64, err error) { return seq, row.Scan(&seq) },
		`SELECT seq FROM session WHERE seq > ? AND seq <= ? AND forgotten = 0 ORDER BY seq LIMIT ?`, after, upto, limit)
}

// CountBetween counts conversations behind a row and up to another, and their
// messages.
func (s *Store) CountBetween(ctx context.Context, after, upto int64) (sessions, messages int, err error) {
	err = s.reading.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(messages), 0) FROM session WHERE seq > ? AND seq <= ? AND forgotten = 0`, after, upto).
		Scan(&sessions, &messages)
	return sessions, messages, classify(err)
}

// FreeSessionID gives an erased conversation another id, so that its own can
// be taken over again, and its files can be read from their beginning.
func (t *Tx) FreeSessionID(seq int64) error {
	var id string
	if err := t.QueryRowContext(t.ctx, `SELECT id FROM session WHERE seq = ? AND forgotten <> 0`, seq).Scan(&id); err != nil {
		return classify(err)
	}
	if err := t.exec(`UPDATE session SET id = ? WHERE seq = ?`, fmt.Sprintf("rolled back %d: %s", seq, id), seq); err != nil {
		return err
	}
	return t.exec(`UPDATE source_file SET offset = 0, size = 0, prefix = x'' WHERE path LIKE '%' || ? || '%'`, id)
}
