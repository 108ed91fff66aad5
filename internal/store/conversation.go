package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"chitta/internal/session"
)

// Session is a conversation as stored.
type Session struct {
	Seq, Rev       int64
	ID             string // as its source names it
	Source         string // the format it came in
	Realm          string
	Title          string
	Started, Ended time.Time // of its messages; zero if they do not say
	Messages       int
	Created        time.Time // when it was first seen
	Updated        time.Time
	Cwd            string // where it began
	Branch         string
	Client         string // version of the client
	Model          string
	ForkedFrom     int64     // the session whose messages it repeats, or 0
	Forgotten      time.Time // when it was erased for good; it is not to come back
}

// Message is one record of a conversation, whole.
type Message struct {
	Seq      int64
	Session  int64
	Position int64 // within the session, from 0
	Turn     int64 // how often a person has spoken up to here
	ID       string
	Role     string
	Time     time.Time
	Parent   string            // id of the message before
	Agent    string            // the subagent whose thread this is; "" is the main one
	File     int64             // where it was read, or 0
	Offset   int64             // and where in it
	Hash     [sha256.Size]byte // of Raw
	Raw      []byte            // the record as its source wrote it

	Migration int64 // that brought it, or 0; only stored, not read
}

// Chunk is a piece of a conversation that is found as one.
type Chunk struct {
	Seq, Rev             int64
	Session              int64
	First, Last          int64 // positions of its messages
	Part                 int   // which piece of a long message
	Role, Speaker, Agent string
	Time                 time.Time
	Gone                 bool
	Turn                 int64         // how often a person had spoken in its stream
	Summary              bool          // the client's summary of a compacted conversation
	Asks                 bool          // it ends with a question to whoever speaks next
	Clock                session.Clock // what had happened before, by stream
	Hash                 string        // of what is embedded
	Text                 string
	Realm                string // of its session
	Source               string // of its session; set where places are asked for
}

const sessionColumns = `seq, rev, id, source, realm, title, started, ended, messages, created, updated, cwd, branch, client, model, forked_from, forgotten`

func scanSession(row scanner) (Session, error) {
	var s Session
	var started, ended, created, updated, forgotten int64
	err := row.Scan(&s.Seq, &s.Rev, &s.ID, &s.Source, &s.Realm, &s.Title, &started, &ended, &s.Messages, &created, &updated, &s.Cwd, &s.Branch, &s.Client, &s.Model, &s.ForkedFrom, &forgotten)
	s.Started, s.Ended, s.Created, s.Updated = fromMillis(started), fromMillis(ended), fromMillis(created), fromMillis(updated)
	s.Forgotten = fromMillis(forgotten)
	return s, err
}

// collect reads all rows of a query.
func collect[T any](ctx context.Context, q querier, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, classify(err)
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, classify(err)
		}
		out = append(out, v)
	}
	return out, classify(rows.Err())
}

// Session returns the conversation a source calls by an id in a realm.
func (t *Tx) Session(realm, source, id string) (Session, error) {
	s, err := scanSession(t.QueryRowContext(t.ctx, `SELECT `+sessionColumns+` FROM session WHERE realm = ? AND source = ? AND id = ?`, realm, source, id))
	if errors.Is(err, sql.ErrNoRows) {
		return s, fmt.Errorf("session %q: %w", id, ErrNotFound)
	}
	return s, classify(err)
}

// PutSession stores a conversation, a new one if its Seq is 0, and moves it to
// the end of the sequence of changes.
func (t *Tx) PutSession(s *Session) error {
	if s.Seq == 0 {
		return t.QueryRowContext(t.ctx, `INSERT INTO session (rev, id, source, realm, title, started, ended, messages, created, updated, cwd, branch, client, model, forked_from)
			VALUES ((SELECT coalesce(max(rev), 0) + 1 FROM session), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq, rev`,
			s.ID, s.Source, s.Realm, s.Title, millis(s.Started), millis(s.Ended), s.Messages, millis(s.Created), millis(s.Updated),
			s.Cwd, s.Branch, s.Client, s.Model, s.ForkedFrom).Scan(&s.Seq, &s.Rev)
	}
	return t.QueryRowContext(t.ctx, `UPDATE session SET rev = (SELECT max(rev) + 1 FROM session), title = ?, started = ?, ended = ?, messages = ?, updated = ?,
		cwd = ?, branch = ?, client = ?, model = ?, forked_from = ? WHERE seq = ? RETURNING rev`,
		s.Title, millis(s.Started), millis(s.Ended), s.Messages, millis(s.Updated), s.Cwd, s.Branch, s.Client, s.Model, s.ForkedFrom, s.Seq).Scan(&s.Rev)
}

// LastSessionRev returns the end of the sequence of changes of conversations.
func (s *Store) LastSessionRev(ctx context.Context) (int64, error) {
	return s.lastRev(ctx, `SELECT max(rev) FROM session`)
}

func (s *Store) lastRev(ctx context.Context, query string) (int64, error) {
	var rev sql.NullInt64
	err := s.reading.QueryRowContext(ctx, query).Scan(&rev)
	return rev.Int64, classify(err)
}

// SessionsAfter returns the next changed conversations in the sequence of
// changes.
func (s *Store) SessionsAfter(ctx context.Context, rev int64, limit int) ([]Session, error) {
	return collect(ctx, s.reading, scanSession, `SELECT `+sessionColumns+` FROM session WHERE rev > ? ORDER BY rev LIMIT 0 + ?`, rev, limit) // see fixedPlan
}

// SessionsBySeq returns conversations by row number.
func (s *Store) SessionsBySeq(ctx context.Context, seqs []int64) (map[int64]Session, error) {
	list, err := json.Marshal(seqs)
	if err != nil || len(seqs) == 0 {
		return nil, err
	}
	sessions, err := collect(ctx, s.reading, scanSession, `SELECT `+sessionColumns+` FROM session WHERE seq IN (SELECT value FROM json_each(?))`, string(list))
	out := make(map[int64]Session, len(sessions))
	for _, x := range sessions {
		out[x.Seq] = x
	}
	return out, err
}

// AddMessage stores a message and sets its Seq and Hash.
func (t *Tx) AddMessage(m *Message) error {
	m.Hash = sha256.Sum256(m.Raw)
	var err error
	m.Seq, err = t.insert(`INSERT INTO message (session, position, turn, id, role, at, hash, raw, parent, agent, file, at_offset, migration) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		m.Session, m.Position, m.Turn, m.ID, m.Role, millis(m.Time), m.Hash[:], m.Raw, m.Parent, m.Agent, m.File, m.Offset, m.Migration)
	return err
}

const messageColumns = `seq, session, position, turn, id, role, at, hash, raw, parent, agent, file, at_offset`

func scanMessage(row scanner) (Message, error) {
	var m Message
	var at int64
	var hash []byte
	err := row.Scan(&m.Seq, &m.Session, &m.Position, &m.Turn, &m.ID, &m.Role, &at, &hash, &m.Raw, &m.Parent, &m.Agent, &m.File, &m.Offset)
	copy(m.Hash[:], hash)
	m.Time = fromMillis(at)
	return m, err
}

// MessagesOf returns all messages of a conversation in order.
func (s *Store) MessagesOf(ctx context.Context, session int64) ([]Message, error) {
	return collect(ctx, s.reading, scanMessage, `SELECT `+messageColumns+` FROM message WHERE session = ? ORDER BY position`, session)
}

// EachMessage calls fn with every message.
func (s *Store) EachMessage(ctx context.Context, fn func(*Message) error) error {
	rows, err := s.reading.QueryContext(ctx, `SELECT `+messageColumns+` FROM message ORDER BY seq`)
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		m, err := scanMessage(rows)
		if err != nil {
			return classify(err)
		}
		if err := fn(&m); err != nil {
			return err
		}
	}
	return classify(rows.Err())
}

// CountSessions returns how many conversations there are.
func (s *Store) CountSessions(ctx context.Context) (int, error) {
	return s.count(ctx, `SELECT count(*) FROM session WHERE forgotten = 0`)
}

// CountMessages returns how many messages there are.
func (s *Store) CountMessages(ctx context.Context) (int, error) {
	return s.count(ctx, `SELECT coalesce(sum(messages), 0) FROM session WHERE forgotten = 0`)
}

func (s *Store) count(ctx context.Context, query string) (n int, err error) {
	err = s.reading.QueryRowContext(ctx, query).Scan(&n)
	return n, classify(err)
}
