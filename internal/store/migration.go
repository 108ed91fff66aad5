package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
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

// NeededByForks returns the conversations of a migration whose messages another
// one goes on from that is not undone with it: messages that a fork repeats are
// stored once, so the fork would lose its beginning. A conversation that is
// needed is not undone either, so those it goes on from are needed as well. One
// that has gone on since the migration stays, without what that brought. A
// migration of before they were marked has the conversations behind one row and
// up to another.
func (t *Tx) NeededByForks(migration, after, upto int64) ([]int64, error) {
	return collect(t.ctx, t, func(row scanner) (seq int64, err error) { return seq, row.Scan(&seq) },
		`WITH RECURSIVE
		partly AS (SELECT g.session AS seq FROM migrated_session g JOIN session s ON s.seq = g.session
			WHERE ?1 <> 0 AND g.migration = ?1 AND g.before = '' AND (s.forked_from <> 0 OR s.seq IN (SELECT forked_from FROM session))
			AND EXISTS (SELECT 1 FROM message m WHERE m.session = g.session AND m.migration <> ?1)),
		goes AS (SELECT session AS seq FROM migrated_session WHERE ?1 <> 0 AND migration = ?1 AND before = '' AND session NOT IN (SELECT seq FROM partly)
			UNION SELECT seq FROM session WHERE ?1 = 0 AND seq > ?2 AND seq <= ?3),
		stays AS (SELECT seq, forked_from FROM session WHERE forgotten = 0 AND forked_from <> 0 AND seq NOT IN (SELECT seq FROM goes)
			UNION SELECT o.seq, o.forked_from FROM stays f JOIN session o ON o.seq = f.forked_from WHERE o.forgotten = 0),
		grew AS (SELECT g.session AS seq, (SELECT min(position) FROM message m WHERE m.session = g.session AND m.agent = '' AND m.migration = ?1) AS added
			FROM migrated_session g WHERE ?1 <> 0 AND g.migration = ?1 AND (g.before <> '' OR g.session IN (SELECT seq FROM partly)))
		SELECT seq FROM goes WHERE seq IN (SELECT forked_from FROM stays)
		UNION -- those that were there before, unless the forks go on from what was there
		SELECT o.seq FROM grew o JOIN stays f ON f.forked_from = o.seq WHERE o.added IS NOT NULL AND NOT EXISTS (
			SELECT 1 FROM message first JOIN message p ON p.session = o.seq AND p.id = first.parent AND p.position < o.added
			WHERE first.session = f.seq AND first.agent = '' AND first.position = (SELECT min(position) FROM message x WHERE x.session = f.seq AND x.agent = ''))
		AND NOT ( -- one that only repeats says when it was forked
			(SELECT ended FROM session WHERE seq = f.seq) < (SELECT at FROM message a WHERE a.session = o.seq AND a.agent = '' AND a.position = o.added)
			AND NOT EXISTS (SELECT 1 FROM message x WHERE x.session = f.seq AND x.agent = ''))
		ORDER BY 1`, migration, after, upto)
}

// KeepMigrated lets a conversation stand as if no migration had brought or
// changed it.
func (t *Tx) KeepMigrated(migration, session int64) error {
	if err := t.exec(`UPDATE message SET migration = 0 WHERE session = ? AND migration = ?`, session, migration); err != nil {
		return err
	}
	return t.DropMigrated(migration, session)
}

// CountMigrated counts the conversations that a migration brought, those that
// it changed, and the messages it brought.
func (t *Tx) CountMigrated(migration int64) (brought, changed, messages int, err error) {
	err = t.QueryRowContext(t.ctx, `SELECT count(*) FILTER (WHERE before = ''), count(*) FILTER (WHERE before <> ''),
		(SELECT count(*) FROM migrated_session g JOIN message m ON m.session = g.session WHERE g.migration = ?1 AND m.migration = ?1) FROM migrated_session WHERE migration = ?1`, migration).Scan(&brought, &changed, &messages)
	return brought, changed, messages, classify(err)
}

// TakeBack removes the messages that a migration added to a conversation which
// was there before or has gone on since, and what was derived from them or from what stood beside
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
	if err := t.eraseMinedIn(m.Session, chunks); err != nil {
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

// eraseMinedIn takes back the facts that were found in chunks of a
// conversation. Evidence names the message that a chunk begins with, or began
// with before it was cut anew; what is still stated when the rest is derived
// again is found again.
func (t *Tx) eraseMinedIn(session int64, chunks []int64) error {
	s, err := t.SessionBySeq(session)
	in, args, listed := lists(chunks)
	if err = errors.Join(err, listed); err != nil || s.ID == "" || len(chunks) == 0 {
		return err
	}
	messages, err := collect(t.ctx, t, func(row scanner) (id string, err error) { return id, row.Scan(&id) },
		`SELECT DISTINCT e.message FROM triple_evidence e JOIN message m ON m.session = ? AND m.id = e.message
		WHERE e.session = ? AND e.session <> '' AND e.job <> '' AND e.message <> ''
		AND EXISTS (SELECT 1 FROM chunk c WHERE c.seq IN `+in+` AND c.agent = m.agent AND m.position BETWEEN c.first AND c.last)`,
		append([]any{session, s.ID}, args...)...)
	if err != nil {
		return err
	}
	for _, id := range messages {
		if _, err := t.EraseEvidence(EvidenceFilter{Realm: s.Realm, Session: s.ID, Message: id, Mined: true}); err != nil {
			return err
		}
	}
	return nil
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
// stands, and so it does if it was not there before.
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
	if b := m.Before; b != nil && (len(gone) == 0 || last < gone[0]) {
		s.Title, s.Cwd, s.Branch, s.Client, s.Model, s.ForkedFrom, s.Updated = b.Title, b.Cwd, b.Branch, b.Client, b.Model, b.ForkedFrom, b.Updated
	}
	return t.PutSession(&s)
}

// freedMark is what the id of an erased conversation begins with whose own can
// be taken over again.
func freedMark(seq int64) string { return fmt.Sprintf("rolled back %d: ", seq) }

// FreeSessionID gives an erased conversation another id, so that its own can
// be taken over again.
func (t *Tx) FreeSessionID(seq int64) error {
	return t.exec(`UPDATE session SET id = ? || id WHERE seq = ? AND forgotten <> 0`, freedMark(seq), seq)
}

// BarSessionID undoes [Tx.FreeSessionID], unless the conversation is here again,
// and reports whether it did.
func (t *Tx) BarSessionID(seq int64) (bool, error) {
	var was string
	if err := t.QueryRowContext(t.ctx, `SELECT id FROM session WHERE seq = ?`, seq).Scan(&was); err != nil {
		return false, classify(err)
	}
	id, freed := strings.CutPrefix(was, freedMark(seq))
	if !freed {
		return false, nil
	}
	var here bool
	err := t.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM session WHERE id = ? AND source = (SELECT source FROM session WHERE seq = ?))`, id, seq).Scan(&here)
	if err != nil || here {
		return false, classify(err)
	}
	return true, t.exec(`UPDATE session SET id = ? WHERE seq = ?`, id, seq)
}

// FilesOf returns the transcripts that a conversation was read from, by one
// migration if that is not 0.
func (t *Tx) FilesOf(session, migration int64) ([]int64, error) {
	return collect(t.ctx, t, func(row scanner) (id int64, err error) { return id, row.Scan(&id) },
		`SELECT DISTINCT file FROM message WHERE session = ?1 AND file <> 0 AND ?2 IN (0, migration)`, session, migration)
}

// ReadState is how far a transcript has been read.
type ReadState struct {
	File          int64
	Offset, Lines int64
	Size          int64
	Whole, Prefix []byte
}

// ReadAgain lets transcripts be read from their beginning, and returns how far
// they had been read.
func (t *Tx) ReadAgain(files []int64) ([]ReadState, error) {
	in, args, err := lists(files)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	was, err := collect(t.ctx, t, func(row scanner) (r ReadState, err error) {
		return r, row.Scan(&r.File, &r.Offset, &r.Lines, &r.Size, &r.Whole, &r.Prefix)
	}, `SELECT id, offset, lines, size, whole, prefix FROM source_file WHERE id IN `+in, args...)
	if err != nil {
		return nil, err
	}
	return was, t.exec(`UPDATE source_file SET offset = 0, lines = 0, size = -1, whole = x'', prefix = x'' WHERE id IN `+in, args...)
}

// StayRead undoes [Tx.ReadAgain] for transcripts that nobody has read since.
func (t *Tx) StayRead(was []ReadState) error {
	for _, r := range was {
		err := t.exec(`UPDATE source_file SET offset = ?, lines = ?, size = ?, whole = coalesce(?, x''), prefix = coalesce(?, x'') WHERE id = ? AND offset = 0 AND size = -1`,
			r.Offset, r.Lines, r.Size, r.Whole, r.Prefix, r.File)
		if err != nil {
			return err
		}
	}
	return nil
}
