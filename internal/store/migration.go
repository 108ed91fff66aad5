package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// SessionsBetween returns row numbers of conversations behind one and up to
// another, erased ones left out.
func (s *Store) SessionsBetween(ctx context.Context, after, upto int64, limit int) ([]int64, error) {
	return collect(ctx, s.reading, func(row scanner) (seq int64, err error) { return seq, row.Scan(&seq) },
		`SELECT seq FROM session WHERE seq > ? AND seq <= ? AND forgotten = 0 ORDER BY seq LIMIT ?`, after, upto, limit)
}

// Migrated is a conversation that a migration brought or changed.
type Migrated struct {
	Session int64
	Before  *Session // as it was, nil if it was not there
}

// NoteMigrated notes how a conversation was before a migration; only the first
// time for each, because later it is not as it was.
func (t *Tx) NoteMigrated(migration int64, m Migrated) error {
	before := ""
	if m.Before != nil {
		text, err := json.Marshal(m.Before)
		if err != nil {
			return err
		}
		before = string(text)
	}
	return t.exec(`INSERT OR IGNORE INTO migrated_session (migration, session, before) VALUES (?, ?, ?)`, migration, m.Session, before)
}

// DropMigrated lets go of what [Tx.NoteMigrated] noted of a conversation.
func (t *Tx) DropMigrated(migration, session int64) error {
	return t.exec(`DELETE FROM migrated_session WHERE migration = ? AND session = ?`, migration, session)
}

// Migrated returns conversations that a migration brought or changed.
func (s *Store) Migrated(ctx context.Context, migration int64, limit int) ([]Migrated, error) {
	return collect(ctx, s.reading, func(row scanner) (m Migrated, err error) {
		var before string
		if err := row.Scan(&m.Session, &before); err != nil || before == "" {
			return m, err
		}
		return m, json.Unmarshal([]byte(before), &m.Before)
	}, `SELECT session, before FROM migrated_session WHERE migration = ? ORDER BY session LIMIT ?`, migration, limit)
}

// CountMigrated counts the conversations that a migration brought, those that
// it changed, and the messages it brought.
func (t *Tx) CountMigrated(migration int64) (brought, changed, messages int, err error) {
	err = t.QueryRowContext(t.ctx, `SELECT count(*) FILTER (WHERE before = ''), count(*) FILTER (WHERE before <> ''),
		(SELECT count(*) FROM migrated_session g JOIN message m ON m.session = g.session WHERE g.migration = ?1 AND m.migration = ?1) FROM migrated_session WHERE migration = ?1`, migration).Scan(&brought, &changed, &messages)
	return brought, changed, messages, classify(err)
}

// TakeBack removes the messages that a migration added to a conversation which
// was there before, and what was derived from them or from what stood beside
// them; that is to be derived again. It returns the rows that are gone.
func (t *Tx) TakeBack(migration int64, m Migrated, at time.Time) (messages, chunks []int64, err error) {
	number := func(row scanner) (n int64, err error) { return n, row.Scan(&n) }
	const ours = `SELECT seq FROM message WHERE session = ?1 AND migration = ?2 AND migration <> 0`
	if messages, err = collect(t.ctx, t, number, ours+` ORDER BY seq`, m.Session, migration); err != nil {
		return nil, nil, err
	}
	chunks, err = collect(t.ctx, t, number, `SELECT seq FROM chunk WHERE session = ?1 AND gone = 0
		AND last >= (SELECT min(position) FROM message WHERE seq IN (`+ours+`))`, m.Session, migration)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range chunks {
		if err := t.DropEdges(c); err != nil {
			return nil, nil, err
		}
		if err := t.DropChunk(c); err != nil {
			return nil, nil, err
		}
	}
	if err := t.DropFacts(messages); err != nil {
		return nil, nil, err
	}
	if err := t.keepLastRow(m.Session, migration, at); err != nil {
		return nil, nil, err
	}
	if err := t.exec(`DELETE FROM message WHERE session = ? AND migration = ? AND migration <> 0`, m.Session, migration); err != nil {
		return nil, nil, err
	}
	if err := t.closeRanks(m.Session); err != nil {
		return nil, nil, err
	}
	return messages, chunks, t.asBefore(m, messages)
}

// keepLastRow keeps the last row number of all messages taken, should it be one
// that goes: numbers are not used twice, so that what comes after it is still
// new to the index. It then belongs to an erased conversation.
func (t *Tx) keepLastRow(session, migration int64, at time.Time) error {
	const last = `seq = (SELECT max(seq) FROM message) AND session = ? AND migration = ? AND migration <> 0`
	var seq int64
	if err := t.QueryRowContext(t.ctx, `SELECT coalesce(max(seq), 0) FROM message WHERE `+last, session, migration).Scan(&seq); err != nil || seq == 0 {
		return classify(err)
	}
	s, err := t.SessionBySeq(session)
	if err != nil {
		return err
	}
	grave := Session{ID: fmt.Sprintf("rolled back message %d", seq), Source: s.Source, Realm: s.Realm, Messages: 1, Created: at, Updated: at}
	if err := t.PutSession(&grave); err != nil {
		return err
	}
	if err := t.exec(`UPDATE session SET forgotten = ? WHERE seq = ?`, millis(at), grave.Seq); err != nil {
		return err
	}
	return t.exec(`UPDATE message SET session = ?, `+emptied+` WHERE seq = ?`, grave.Seq, seq)
}

// closeRanks numbers the messages of a conversation in a row again, and lets go
// of threads without any.
func (t *Tx) closeRanks(session int64) error {
	seqs, err := collect(t.ctx, t, func(row scanner) (n int64, err error) { return n, row.Scan(&n) },
		`SELECT seq FROM message WHERE session = ? ORDER BY position`, session)
	if err != nil {
		return err
	}
	for i, seq := range seqs { // none moves to a place that is taken: they only move forward, in order
		if err := t.exec(`UPDATE message SET position = ?1 WHERE seq = ?2 AND position <> ?1`, i, seq); err != nil {
			return err
		}
	}
	return t.exec(`DELETE FROM thread WHERE session = ?1 AND agent NOT IN (SELECT agent FROM message WHERE session = ?1)`, session)
}

// asBefore sets what a conversation says of itself to how it was before
// messages were added that are gone. If others came after them, what those said
// stands.
func (t *Tx) asBefore(m Migrated, gone []int64) error {
	s, err := t.SessionBySeq(m.Session)
	if err != nil {
		return err
	}
	var began, ended, last int64
	err = t.QueryRowContext(t.ctx, `SELECT count(*), coalesce(min(CASE at WHEN 0 THEN NULL ELSE at END), 0), coalesce(max(at), 0), coalesce(max(seq), 0) FROM message WHERE session = ?`, m.Session).
		Scan(&s.Messages, &began, &ended, &last)
	if err != nil {
		return classify(err)
	}
	s.Started, s.Ended = fromMillis(began), fromMillis(ended)
	if len(gone) == 0 || last < gone[0] {
		b := m.Before
		s.Title, s.Cwd, s.Branch, s.Client, s.Model, s.ForkedFrom, s.Updated = b.Title, b.Cwd, b.Branch, b.Client, b.Model, b.ForkedFrom, b.Updated
	}
	return t.PutSession(&s)
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

// FilesOf returns the transcripts that a conversation was read from, by one
// migration if that is not 0.
func (t *Tx) FilesOf(session, migration int64) ([]int64, error) {
	return collect(t.ctx, t, func(row scanner) (id int64, err error) { return id, row.Scan(&id) },
		`SELECT DISTINCT file FROM message WHERE session = ?1 AND file <> 0 AND ?2 IN (0, migration)`, session, migration)
}

// ReadAgain lets transcripts be read from their beginning.
func (t *Tx) ReadAgain(files []int64) error {
	for _, f := range files {
		if err := t.exec(`UPDATE source_file SET offset = 0, lines = 0, size = -1, whole = x'', prefix = x'' WHERE id = ?`, f); err != nil {
			return err
		}
	}
	return nil
}
