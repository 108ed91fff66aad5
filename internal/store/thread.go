package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"chitta/internal/session"
)

// SourceSession returns the conversation that a source calls by an id, in
// whatever realm.
func (t *Tx) SourceSession(source, id string) (Session, error) {
	s, err := scanSession(t.QueryRowContext(t.ctx, `SELECT `+sessionColumns+` FROM session WHERE id = ? AND source = ('' || ?) ORDER BY seq LIMIT 1`, id, source)) // see fixedPlan
	if errors.Is(err, sql.ErrNoRows) {
		return s, fmt.Errorf("session %q: %w", id, ErrNotFound)
	}
	return s, classify(err)
}

// KnownMessages returns which conversations of a source have messages of the
// given ids.
func (t *Tx) KnownMessages(source string, ids []string) (map[string][]int64, error) {
	list, err := json.Marshal(ids)
	if err != nil || len(ids) == 0 {
		return map[string][]int64{}, err
	}
	type place struct {
		id      string
		session int64
	}
	found, err := collect(t.ctx, t, func(row scanner) (p place, err error) {
		return p, row.Scan(&p.id, &p.session)
	}, `SELECT m.id, m.session FROM json_each(?) wanted CROSS JOIN message m ON m.id = wanted.value JOIN session s ON s.seq = m.session WHERE s.source = ('' || ?)`, string(list), source) // see fixedPlan
	known := make(map[string][]int64, len(found))
	for _, p := range found {
		known[p.id] = append(known[p.id], p.session)
	}
	return known, err
}

// Section is where the last part of a thread begins, the one that is cut into
// chunks again when the thread grows, and how things stood before it.
type Section struct {
	Session int64
	Agent   string // "" is the main thread
	Call    string // id of the call that started the thread, if known
	Parent  string // id of the message with that call
	Turn    int64  // how often a person had spoken
	First   int64  // position of its first message
	Clock   session.Clock
}

func scanSection(row scanner) (Section, error) {
	var s Section
	var clock string
	err := row.Scan(&s.Session, &s.Agent, &s.Call, &s.Parent, &s.Turn, &s.First, &clock)
	if err == nil {
		err = json.Unmarshal([]byte(clock), &s.Clock)
	}
	return s, err
}

const sectionColumns = `session, agent, call, parent, turn, first, clock`

// Section returns the last section of a thread, false if there is no such
// thread.
func (t *Tx) Section(session int64, agent string) (Section, bool, error) {
	s, err := scanSection(t.QueryRowContext(t.ctx, `SELECT `+sectionColumns+` FROM thread WHERE session = ? AND agent = ?`, session, agent))
	if errors.Is(err, sql.ErrNoRows) {
		return Section{Session: session, Agent: agent}, false, nil
	}
	return s, err == nil, classify(err)
}

// Sections returns the last section of every thread of a conversation.
func (t *Tx) Sections(session int64) ([]Section, error) {
	return collect(t.ctx, t, scanSection, `SELECT `+sectionColumns+` FROM thread WHERE session = ? ORDER BY agent`, session)
}

// PutSection stores the last section of a thread.
func (t *Tx) PutSection(s *Section) error {
	clock, err := clockText(s.Clock)
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO thread (session, agent, call, parent, turn, first, clock) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET call = excluded.call, parent = excluded.parent, turn = excluded.turn, first = excluded.first, clock = excluded.clock`,
		s.Session, s.Agent, s.Call, s.Parent, s.Turn, s.First, clock)
}

// EachOfThread calls fn with the messages of a thread from a position on, in
// order, as this transaction sees them, until it returns false.
func (t *Tx) EachOfThread(session int64, agent string, from int64, fn func(*Message) (bool, error)) error {
	rows, err := t.QueryContext(t.ctx, `SELECT `+messageColumns+` FROM message WHERE session = ? AND agent = ? AND position >= ? ORDER BY position`, session, agent, from)
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		m, err := scanMessage(rows)
		if err != nil {
			return classify(err)
		}
		if more, err := fn(&m); err != nil || !more {
			return err
		}
	}
	return classify(rows.Err())
}

// MessageWith returns the first message of a conversation, outside a thread
// and within a span of time, whose record holds a text.
func (t *Tx) MessageWith(session int64, outside, role string, since, until time.Time, text string) (Message, bool, error) {
	m, err := scanMessage(t.QueryRowContext(t.ctx, `SELECT `+messageColumns+` FROM message
		WHERE session = ? AND role = ? AND at BETWEEN ? AND ? AND agent <> ? AND instr(raw, CAST(? AS BLOB)) > 0 ORDER BY position LIMIT 1`,
		session, role, millis(since), millis(until), outside, text))
	if errors.Is(err, sql.ErrNoRows) {
		return Message{}, false, nil
	}
	return m, err == nil, classify(err)
}

// SetTurn stores which turn a message belongs to.
func (t *Tx) SetTurn(message, turn int64) error {
	return t.exec(`UPDATE message SET turn = ? WHERE seq = ?`, turn, message)
}

// UpdateChunk replaces what a chunk says and moves it to the end of the
// sequence of changes.
func (t *Tx) UpdateChunk(c *Chunk) error {
	clock, err := clockText(c.Clock)
	if err != nil {
		return err
	}
	return t.QueryRowContext(t.ctx, `UPDATE chunk SET rev = (SELECT max(rev) + 1 FROM chunk), last = ?, role = ?, speaker = ?, at = ?, turn = ?, summary = ?, asks = ?, clock = ?, hash = ?, text = ?
		WHERE seq = ? RETURNING rev`,
		c.Last, c.Role, c.Speaker, millis(c.Time), c.Turn, c.Summary, c.Asks, clock, c.Hash, c.Text, c.Seq).Scan(&c.Rev)
}

// ClockAt returns the clock of the last chunk of a thread that had begun at a
// moment.
func (t *Tx) ClockAt(conversation int64, agent string, at time.Time) (session.Clock, error) {
	var text string
	err := t.QueryRowContext(t.ctx, `SELECT clock FROM chunk WHERE session = ? AND agent = ? AND gone = 0 AND at <= ? ORDER BY first DESC, part DESC LIMIT 1`,
		conversation, agent, millis(at)).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, classify(err)
	}
	var clock session.Clock
	return clock, json.Unmarshal([]byte(text), &clock)
}

// NextSession returns the first conversation behind a row number, 0 if there
// is none, and how many there are from there on. Erased ones are passed over.
func (s *Store) NextSession(ctx context.Context, after int64) (seq int64, left int, err error) {
	var first sql.NullInt64
	err = s.reading.QueryRowContext(ctx, `SELECT min(seq), count(*) FROM session WHERE forgotten = 0 AND seq > ?`, after).Scan(&first, &left)
	return first.Int64, left, classify(err)
}

// SessionBySeq returns a conversation as this transaction sees it.
func (t *Tx) SessionBySeq(seq int64) (Session, error) {
	s, err := scanSession(t.QueryRowContext(t.ctx, `SELECT `+sessionColumns+` FROM session WHERE seq = ?`, seq))
	if errors.Is(err, sql.ErrNoRows) {
		return s, fmt.Errorf("session %d: %w", seq, ErrNotFound)
	}
	return s, classify(err)
}

func clockText(c session.Clock) (string, error) {
	if len(c) == 0 {
		return "{}", nil
	}
	text, err := json.Marshal(c)
	return string(text), err
}
