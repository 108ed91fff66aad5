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
// be taken over again.
func (t *Tx) FreeSessionID(seq int64) error {
	var id string
	if err := t.QueryRowContext(t.ctx, `SELECT id FROM session WHERE seq = ? AND forgotten <> 0`, seq).Scan(&id); err != nil {
		return classify(err)
	}
	return t.exec(`UPDATE session SET id = ? WHERE seq = ?`, fmt.Sprintf("rolled back %d: %s", seq, id), seq)
}

// FilesOf returns the transcripts that a conversation was read from.
func (t *Tx) FilesOf(session int64) ([]int64, error) {
	return collect(t.ctx, t, func(row scanner) (id int64, err error) { return id, row.Scan(&id) },
		`SELECT DISTINCT file FROM message WHERE session = ? AND file <> 0`, session)
}

// ReadAgain lets transcripts be read from their beginning.
func (t *Tx) ReadAgain(files []int64) error {
	for _, f := range files {
		if err := t.exec(`UPDATE source_file SET offset = 0, lines = 0, size = -1, prefix = x'' WHERE id = ?`, f); err != nil {
			return err
		}
	}
	return nil
}
