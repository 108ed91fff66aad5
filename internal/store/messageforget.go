package store

import (
	"context"
	"time"
)

// SharedWithForks returns how many messages of a conversation its forks repeat:
// those up to the last one that a fork goes on from, or had been said when one
// was forked that has none of its own.
func (s *Store) SharedWithForks(ctx context.Context, session int64) (n int, err error) {
	err = s.reading.QueryRowContext(ctx, `SELECT count(*) FROM message m WHERE m.session = ?1 AND m.agent = '' AND m.position <= (SELECT max(position) FROM (
		SELECT p.position AS position FROM session f JOIN message first ON first.session = f.seq AND first.agent = ''
			AND first.position = (SELECT min(position) FROM message x WHERE x.session = f.seq AND x.agent = '')
		JOIN message p ON p.session = ?1 AND p.id = first.parent WHERE f.forked_from = ?1 AND f.forgotten = 0
		UNION ALL
		SELECT p.position FROM message p WHERE p.session = ?1 AND p.agent = '' AND p.at <= (SELECT max(f.ended) FROM session f
			WHERE f.forked_from = ?1 AND f.forgotten = 0 AND NOT EXISTS (SELECT 1 FROM message x WHERE x.session = f.seq AND x.agent = ''))))`, session).Scan(&n)
	return n, classify(err)
}

// ForgottenSessions returns the row numbers of erased conversations.
func (s *Store) ForgottenSessions(ctx context.Context) ([]int64, error) {
	return collect(ctx, s.reading, func(row scanner) (seq int64, err error) {
		return seq, row.Scan(&seq)
	}, `SELECT seq FROM session WHERE forgotten <> 0`)
}

// emptied is what a message becomes of which only the row number is left.
const emptied = `position = 0, turn = 0, id = '', role = '', at = 0, raw = x'', parent = '', agent = '', file = 0, at_offset = 0, migration = 0,
	hash = x'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'`

// ForgetSession erases a conversation for good: its messages, its chunks, what
// was learned from both, and lines of its files that could not be read. Its id
// stays, and keeps a later import from bringing it back. It returns the chunks
// and how many messages there were. Forks that only repeat it lose their titles:
// those tell of what was said in it.
//
// bar keeps its messages from coming back with a fork that repeats them.
func (t *Tx) ForgetSession(seq int64, at time.Time, bar bool) (chunks []int64, messages int, err error) {
	if bar {
		ids, err := collect(t.ctx, t, func(row scanner) (id string, err error) { return id, row.Scan(&id) }, `SELECT id FROM message WHERE session = ? AND id <> ''`, seq)
		if err != nil {
			return nil, 0, err
		}
		for _, id := range ids {
			if err := t.exec(`INSERT OR IGNORE INTO forgotten_message (id) VALUES (?)`, idHash(id)); err != nil {
				return nil, 0, err
			}
		}
	}
	number := func(row scanner) (n int64, err error) { return n, row.Scan(&n) }
	if chunks, err = collect(t.ctx, t, number, `SELECT seq FROM chunk WHERE session = ? AND gone = 0`, seq); err != nil {
		return nil, 0, err
	}
	if err := t.QueryRowContext(t.ctx, `SELECT count(*) FROM message WHERE session = ?`, seq).Scan(&messages); err != nil {
		return nil, 0, classify(err)
	}
	for _, c := range chunks {
		if err := t.DropChunk(c); err != nil {
			return nil, 0, err
		}
	}
	if err := t.eraseMined(seq); err != nil {
		return nil, 0, err
	}
	for _, query := range []string{
		`DELETE FROM edge WHERE source IN (SELECT seq FROM chunk WHERE session = ?1) OR target IN (SELECT seq FROM chunk WHERE session = ?1)`,
		`DELETE FROM file_touch WHERE session = ?1`,
		`DELETE FROM command_run WHERE session = ?1`,
		`DELETE FROM thread WHERE session = ?1`,
		`DELETE FROM migrated_session WHERE session = ?1`,
		`DELETE FROM quarantine WHERE file IN (SELECT file FROM message WHERE session = ?1)
			AND NOT EXISTS (SELECT 1 FROM message m WHERE m.file = quarantine.file AND m.session <> ?1)`,
		// row numbers are not used twice: the last one stays taken, so that
		// what comes after it is still new to the index
		`DELETE FROM message WHERE session = ?1 AND seq <> (SELECT max(seq) FROM message)`,
		`UPDATE message SET ` + emptied + ` WHERE session = ?1`,
	} {
		if err := t.exec(query, seq); err != nil {
			return nil, 0, err
		}
	}
	forks, err := t.EmptyForks(seq)
	for i := range forks {
		if err == nil && forks[i].Title != "" {
			forks[i].Title, forks[i].Updated = "", at
			err = t.PutSession(&forks[i])
		}
	}
	if err != nil {
		return nil, 0, err
	}
	return chunks, messages, t.exec(`UPDATE session SET rev = (SELECT max(rev) + 1 FROM session), title = '', started = 0, ended = 0, cwd = '', branch = '', client = '', model = '',
		forked_from = 0, messages = (SELECT count(*) FROM message WHERE session = ?1), updated = ?2, forgotten = ?2 WHERE seq = ?1`, seq, millis(at))
}

// EmptyForks returns the forks of a conversation that have no messages of their
// own: they only repeat it.
func (t *Tx) EmptyForks(of int64) ([]Session, error) {
	return collect(t.ctx, t, scanSession, `SELECT `+sessionColumns+` FROM session s WHERE forked_from = ? AND forgotten = 0
		AND NOT EXISTS (SELECT 1 FROM message m WHERE m.session = s.seq) ORDER BY seq`, of)
}
