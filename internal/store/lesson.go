package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Lesson ties something that a session taught to the memory it became, so that
// it counts once however often the session is read.
type Lesson struct {
	Session string // the client's id
	Key     string // what makes it this one
	Memory  string // id of what it became or spoke for, "" if it was refused
	Text    string // hash of the text it was kept with
}

// sessionOf is the client's session that a memory was made in, as the index on
// it has it.
const sessionOf = `iif(json_valid(provenance), json_extract(provenance, '$.session'), '')`

// Lesson returns what became of a lesson, false if it is new.
func (t *Tx) Lesson(session, key string) (Lesson, bool, error) {
	l := Lesson{Session: session, Key: key}
	err := t.QueryRowContext(t.ctx, `SELECT memory, text FROM lesson WHERE session = ? AND key = ?`, session, key).Scan(&l.Memory, &l.Text)
	if errors.Is(err, sql.ErrNoRows) {
		return l, false, nil
	}
	return l, err == nil, classify(err)
}

// PutLesson notes what became of a lesson.
func (t *Tx) PutLesson(l Lesson) error {
	return t.exec(`INSERT INTO lesson (session, key, memory, text) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET memory = excluded.memory, text = excluded.text`, l.Session, l.Key, l.Memory, l.Text)
}

// DropLesson forgets that there was a lesson.
func (t *Tx) DropLesson(session, key string) error {
	return t.exec(`DELETE FROM lesson WHERE session = ? AND key = ?`, session, key)
}

// Lessons returns what a session taught, by key.
func (s *Store) Lessons(ctx context.Context, session string) (map[string]Lesson, error) {
	list, err := collect(ctx, s.reading, func(row scanner) (Lesson, error) {
		l := Lesson{Session: session}
		return l, row.Scan(&l.Key, &l.Memory, &l.Text)
	}, `SELECT key, memory, text FROM lesson WHERE session = ?`, session)
	out := make(map[string]Lesson, len(list))
	for _, l := range list {
		out[l.Key] = l
	}
	return out, err
}

// SessionCalled returns the conversation that a source calls by an id.
func (s *Store) SessionCalled(ctx context.Context, source, id string) (Session, error) {
	x, err := scanSession(s.reading.QueryRowContext(ctx, `SELECT `+sessionColumns+` FROM session WHERE id = ? AND source = ? ORDER BY seq LIMIT 1`, id, source))
	if errors.Is(err, sql.ErrNoRows) {
		return x, fmt.Errorf("session %q: %w", id, ErrNotFound)
	}
	return x, classify(err)
}

// TurnSpan is where a turn of a thread stands.
type TurnSpan struct {
	Agent           string // "" is the main thread
	Turn            int64  // 0 is what was before a person spoke
	First, Last     int64  // positions of its messages
	FirstSeq        int64  // row number of the first
	LastSeq         int64  // and of the last that was stored
	Began           time.Time
	Before, Through int64 // positions of the turn before it, Before = -1 if there is none
}

// TurnsAfter returns the turns of a conversation that have messages stored after
// a row number, in the order they began. It reads what is new and little more:
// within a conversation row numbers and positions grow together.
func (s *Store) TurnsAfter(ctx context.Context, session, seq int64) ([]TurnSpan, error) {
	var read sql.NullInt64
	err := s.reading.QueryRowContext(ctx, `SELECT position FROM message WHERE session = ? AND seq <= ? ORDER BY position DESC LIMIT 1`, session, seq).Scan(&read)
	if errors.Is(err, sql.ErrNoRows) {
		read.Int64, err = -1, nil
	}
	if err != nil {
		return nil, classify(err)
	}
	type thread struct {
		agent string
		turn  int64 // the first that has something new
	}
	threads, err := collect(ctx, s.reading, func(row scanner) (t thread, err error) { return t, row.Scan(&t.agent, &t.turn) },
		`SELECT agent, min(turn) FROM message WHERE session = ? AND position > ? GROUP BY agent`, session, read.Int64)
	if err != nil {
		return nil, err
	}
	var out []TurnSpan
	for _, t := range threads {
		spans, err := s.turnsFrom(ctx, session, t.agent, t.turn)
		if err != nil {
			return nil, err
		}
		out = append(out, spans...)
	}
	slices.SortFunc(out, func(a, b TurnSpan) int { return cmp.Compare(a.First, b.First) })
	return out, nil
}

// turnsFrom returns the turns of a thread from one on. It reads from the end, so
// that the length of what was before does not matter.
func (s *Store) turnsFrom(ctx context.Context, session int64, agent string, turn int64) ([]TurnSpan, error) {
	rows, err := s.reading.QueryContext(ctx, `SELECT position, turn, seq, at FROM message WHERE session = ? AND agent = ? ORDER BY position DESC`, session, agent)
	if err != nil {
		return nil, classify(err)
	}
	defer rows.Close()
	var spans []TurnSpan // the last first
	for rows.Next() {
		var position, of, seq, at int64
		if err := rows.Scan(&position, &of, &seq, &at); err != nil {
			return nil, classify(err)
		}
		n := len(spans)
		switch {
		case n > 0 && spans[n-1].Turn == of:
		case n > 0 && spans[n-1].Turn < turn:
			return spans[:n-1], nil // the one before it has been read, too
		default:
			spans = append(spans, TurnSpan{Agent: agent, Turn: of, Last: position, LastSeq: seq, Before: -1, Through: -1})
			n++
		}
		x := &spans[n-1]
		x.First, x.FirstSeq, x.Began = position, seq, fromMillis(at)
		if n > 1 {
			spans[n-2].Before, spans[n-2].Through = x.First, x.Last
		}
	}
	if n := len(spans); n > 0 && spans[n-1].Turn < turn {
		spans = spans[:n-1]
	}
	return spans, classify(rows.Err())
}

// MessageTimes returns when messages of a conversation were said, by id.
func (s *Store) MessageTimes(ctx context.Context, session int64, ids []string) (map[string]time.Time, error) {
	in, args, err := lists(ids)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	type said struct {
		id string
		at int64
	}
	list, err := collect(ctx, s.reading, func(row scanner) (x said, err error) { return x, row.Scan(&x.id, &x.at) },
		`SELECT id, at FROM message WHERE session = ? AND id IN `+in, append([]any{session}, args...)...)
	out := make(map[string]time.Time, len(list))
	for _, x := range list {
		out[x.id] = fromMillis(x.at)
	}
	return out, err
}

// ThreadBetween returns messages of a thread from one position through another,
// in order, no more than about maxBytes of them.
func (s *Store) ThreadBetween(ctx context.Context, session int64, agent string, first, last int64, maxBytes int) ([]Message, error) {
	rows, err := s.reading.QueryContext(ctx, `SELECT `+messageColumns+` FROM message
		WHERE session = ? AND agent = ? AND position BETWEEN ? AND ? ORDER BY position`, session, agent, first, last)
	if err != nil {
		return nil, classify(err)
	}
	defer rows.Close()
	var out []Message
	for size := 0; size < maxBytes && rows.Next(); {
		m, err := scanMessage(rows)
		if err != nil {
			return nil, classify(err)
		}
		size += len(m.Raw)
		out = append(out, m)
	}
	return out, classify(rows.Err())
}
