package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Said is a message with what its conversation says of it.
type Said struct {
	Message
	Realm  string
	Source string // the format of Raw
}

// Gone reports that the message was erased; only its row number is left.
func (s *Said) Gone() bool { return len(s.Raw) == 0 }

const saidColumns = `m.seq, m.session, m.position, m.turn, m.id, m.role, m.at, m.hash, m.raw, m.parent, m.agent, m.file, m.at_offset, s.realm, s.source`

const saidFrom = ` FROM message m JOIN session s ON s.seq = m.session `

func scanSaid(row scanner) (Said, error) {
	var m Said
	var at int64
	var hash []byte
	err := row.Scan(&m.Seq, &m.Session, &m.Position, &m.Turn, &m.ID, &m.Role, &at, &hash, &m.Raw, &m.Parent, &m.Agent, &m.File, &m.Offset, &m.Realm, &m.Source)
	copy(m.Hash[:], hash)
	m.Time = fromMillis(at)
	return m, err
}

// LastMessageSeq returns the end of the sequence of messages.
func (s *Store) LastMessageSeq(ctx context.Context) (int64, error) {
	return s.lastRev(ctx, `SELECT max(seq) FROM message`)
}

// MessagesAfter returns the next messages in the sequence in which they were
// stored, at least one if there is any and no more than about maxBytes of them.
func (s *Store) MessagesAfter(ctx context.Context, seq int64, limit, maxBytes int) ([]Said, error) {
	var out []Said
	size := 0
	err := s.eachSaid(ctx, func(m *Said) (bool, error) {
		out = append(out, *m)
		size += len(m.Raw)
		return size < maxBytes, nil
	}, `SELECT `+saidColumns+saidFrom+`WHERE m.seq > ? ORDER BY m.seq LIMIT ?`, seq, limit)
	return out, err
}

// ReadMessagesAfter calls fn with the messages that [Store.MessagesAfter]
// returns, but of each only its number, conversation, time, realm, source and
// record. The record is valid during the call alone: it is not copied, and fn
// must not ask the store for more meanwhile.
func (s *Store) ReadMessagesAfter(ctx context.Context, seq int64, limit, maxBytes int, fn func(*Said)) error {
	rows, err := s.reading.QueryContext(ctx, `SELECT m.seq, m.session, m.at, m.raw, s.realm, s.source`+saidFrom+`WHERE m.seq > ? ORDER BY m.seq LIMIT 0 + ?`, seq, limit) // see fixedPlan
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	for size := 0; size < maxBytes && rows.Next(); {
		var m Said
		var at int64
		var raw sql.RawBytes
		if err := rows.Scan(&m.Seq, &m.Session, &at, &raw, &m.Realm, &m.Source); err != nil {
			return classify(err)
		}
		m.Time, m.Raw = fromMillis(at), raw
		fn(&m)
		size += len(raw)
	}
	return classify(rows.Err())
}

// MessageHead is a message without its record.
type MessageHead struct {
	Said
	Size int // of the record in bytes; 0 if it was erased
}

// MessageHeadsAfter returns of the messages that [Store.MessagesAfter] returns
// their number, conversation, time, hash, realm and source, and how long their
// records are.
func (s *Store) MessageHeadsAfter(ctx context.Context, seq int64, limit, maxBytes int) ([]MessageHead, error) {
	rows, err := s.reading.QueryContext(ctx, `SELECT m.seq, m.session, m.at, m.hash, length(m.raw), s.realm, s.source`+saidFrom+`WHERE m.seq > ? ORDER BY m.seq LIMIT 0 + ?`, seq, limit) // see fixedPlan
	if err != nil {
		return nil, classify(err)
	}
	defer rows.Close()
	var out []MessageHead
	for size := 0; size < maxBytes && rows.Next(); {
		var m MessageHead
		var at int64
		var hash sql.RawBytes
		if err := rows.Scan(&m.Seq, &m.Session, &at, &hash, &m.Size, &m.Realm, &m.Source); err != nil {
			return nil, classify(err)
		}
		copy(m.Hash[:], hash)
		m.Time = fromMillis(at)
		out = append(out, m)
		size += m.Size
	}
	return out, classify(rows.Err())
}

// RecordAt returns the record of a message by row number, nothing if it was
// erased.
func (s *Store) RecordAt(ctx context.Context, seq int64) ([]byte, error) {
	var raw []byte
	err := s.reading.QueryRowContext(ctx, `SELECT raw FROM message WHERE seq = ?`, seq).Scan(&raw)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return raw, classify(err)
}

// eachSaid calls fn with the rows of a query until it returns false.
func (s *Store) eachSaid(ctx context.Context, fn func(*Said) (bool, error), query string, args ...any) error {
	rows, err := s.reading.QueryContext(ctx, query, args...)
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		m, err := scanSaid(rows)
		if err != nil {
			return classify(err)
		}
		if more, err := fn(&m); err != nil || !more {
			return err
		}
	}
	return classify(rows.Err())
}

// MessagesBySeq returns messages by row number. Erased ones are left out.
func (s *Store) MessagesBySeq(ctx context.Context, seqs []int64) (map[int64]Said, error) {
	list, err := json.Marshal(seqs)
	if err != nil || len(seqs) == 0 {
		return nil, err
	}
	out := make(map[int64]Said, len(seqs))
	err = s.eachSaid(ctx, func(m *Said) (bool, error) {
		out[m.Seq] = *m
		return true, nil
	}, `SELECT `+saidColumns+saidFrom+`WHERE m.seq IN (SELECT value FROM json_each(?)) AND s.forgotten = 0`, string(list))
	return out, err
}

// EachBySeq calls fn with messages by row number, in that order, until it
// returns false. Erased ones are left out. The record is not copied: it holds
// until fn returns.
func (s *Store) EachBySeq(ctx context.Context, seqs []int64, fn func(*Said) (bool, error)) error {
	list, err := json.Marshal(seqs)
	if err != nil || len(seqs) == 0 {
		return err
	}
	rows, err := s.reading.QueryContext(ctx, `SELECT `+saidColumns+` FROM json_each(?) wanted CROSS JOIN message m ON m.seq = wanted.value
		CROSS JOIN session s ON s.seq = m.session WHERE s.forgotten = 0`, string(list))
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		m, err := scanSaid(uncopied{rows})
		if err != nil {
			return classify(err)
		}
		if more, err := fn(&m); err != nil || !more {
			return err
		}
	}
	return classify(rows.Err())
}

// uncopied scans bytes as they lie in memory, valid until the next row.
type uncopied struct{ scanner }

func (u uncopied) Scan(dest ...any) error {
	for i, d := range dest {
		if b, ok := d.(*[]byte); ok {
			dest[i] = (*sql.RawBytes)(b)
		}
	}
	return u.scanner.Scan(dest...)
}

// MessageFilter chooses messages.
type MessageFilter struct {
	Realm        string // "" is every one
	Session      int64  // 0 is every one
	Since, Until time.Time
}

// ScanMessages calls fn with messages, the last stored first, until it returns
// false.
func (s *Store) ScanMessages(ctx context.Context, f MessageFilter, fn func(*Said) (bool, error)) error {
	where := []string{"s.forgotten = 0"}
	var args []any
	add := func(cond string, arg any) {
		where = append(where, cond)
		args = append(args, arg)
	}
	if f.Realm != "" {
		add("s.realm = ?", f.Realm)
	}
	if f.Session != 0 {
		add("m.session = ?", f.Session)
	}
	if !f.Since.IsZero() {
		add("m.at >= ?", millis(f.Since))
	}
	if !f.Until.IsZero() {
		add("m.at < ?", millis(f.Until))
	}
	// CROSS JOIN: read the messages in their order and look the sessions up
	return s.eachSaid(ctx, fn, `SELECT `+saidColumns+` FROM message m CROSS JOIN session s ON s.seq = m.session WHERE `+strings.Join(where, " AND ")+` ORDER BY m.seq DESC`, args...)
}

// MessagesBetween returns the messages of a conversation from one position to
// another, both included, in order.
func (s *Store) MessagesBetween(ctx context.Context, session, first, last int64) ([]Message, error) {
	return collect(ctx, s.reading, scanMessage, `SELECT `+messageColumns+` FROM message WHERE session = ? AND position BETWEEN ? AND ? ORDER BY position`, session, first, last)
}

// Position is where a message stands, what it follows and how long it is.
type Position struct {
	Seq      int64
	Session  int64
	Position int64
	ID       string
	Parent   string
	Time     time.Time
	Bytes    int
}

// Positions returns where the messages of a thread of a conversation stand, in
// order: of the main thread if agent is "".
func (s *Store) Positions(ctx context.Context, session int64, agent string) ([]Position, error) {
	return collect(ctx, s.reading, func(row scanner) (p Position, err error) {
		var at int64
		err = row.Scan(&p.Seq, &p.Session, &p.Position, &p.ID, &p.Parent, &at, &p.Bytes)
		p.Time = fromMillis(at)
		return p, err
	}, `SELECT seq, session, position, id, parent, at, length(raw) FROM message WHERE session = ? AND agent = ? ORDER BY position`, session, agent)
}

// Thread is one line of work in a conversation.
type Thread struct {
	Agent    string // "" is the main one
	Messages int
}

// Threads returns the threads of a conversation in the order they began.
func (s *Store) Threads(ctx context.Context, session int64) ([]Thread, error) {
	return collect(ctx, s.reading, func(row scanner) (t Thread, err error) {
		return t, row.Scan(&t.Agent, &t.Messages)
	}, `SELECT agent, count(*) FROM message WHERE session = ? GROUP BY agent ORDER BY min(position)`, session)
}

// SessionByID returns the conversations that have an id, or if none has it
// those whose id begins with it, at most limit of them. Erased ones are left
// out.
func (s *Store) SessionByID(ctx context.Context, id string, limit int) ([]Session, error) {
	found, err := collect(ctx, s.reading, scanSession, `SELECT `+sessionColumns+` FROM session WHERE id = ? AND forgotten = 0 LIMIT 0 + ?`, id, limit)
	if err != nil || len(found) > 0 || id == "" {
		return found, err
	}
	return collect(ctx, s.reading, scanSession, `SELECT `+sessionColumns+` FROM session WHERE id >= ? AND id < ? AND forgotten = 0 ORDER BY id LIMIT 0 + ?`, id, after(id), limit)
}

// after is behind every text that begins with prefix.
func after(prefix string) string { return prefix + "\U0010ffff" }

// Record returns the record of a message of a conversation, nil if there is
// none.
func (s *Store) Record(ctx context.Context, session int64, id string) ([]byte, error) {
	var raw []byte
	err := s.reading.QueryRowContext(ctx, `SELECT raw FROM message WHERE session = ? AND id = ?`, session, id).Scan(&raw)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return raw, classify(err)
}

// Kept returns the record of a message of a conversation and the transcript it
// was read from, "" if it came with a call.
func (t *Tx) Kept(session int64, id string) (raw []byte, path string, err error) {
	err = t.QueryRowContext(t.ctx, `SELECT m.raw, coalesce(f.path, '') FROM message m LEFT JOIN source_file f ON f.id = m.file WHERE m.session = ? AND m.id = ?`, session, id).
		Scan(&raw, &path)
	return raw, path, classify(err)
}

// MessageByID returns the messages that have an id, or if none has it those
// whose id begins with it, at most limit of them. A session other than 0 is
// the only one looked at.
func (s *Store) MessageByID(ctx context.Context, id string, session int64, limit int) ([]Said, error) {
	var found []Said
	keep := func(m *Said) (bool, error) {
		found = append(found, *m)
		return true, nil
	}
	const here = ` AND (?2 = 0 OR m.session = ?2) AND s.forgotten = 0 `
	err := s.eachSaid(ctx, keep, `SELECT `+saidColumns+saidFrom+`WHERE m.id = ?1`+here+`LIMIT ?3`, id, session, limit)
	if err != nil || len(found) > 0 || id == "" {
		return found, err
	}
	err = s.eachSaid(ctx, keep, `SELECT `+saidColumns+saidFrom+`WHERE m.id >= ?1 AND m.id < ?4`+here+`ORDER BY m.id LIMIT ?3`, id, session, limit, after(id))
	return found, err
}

// hashIndexed is how many bytes of a message's SHA-256 the index has.
const hashIndexed = 8

// MessageByHash returns the messages whose SHA-256 begins with the given
// hexadecimal digits, at most limit of them.
func (s *Store) MessageByHash(ctx context.Context, digits string, limit int) ([]Said, error) {
	const most = 2 * hashIndexed
	begin := digits[:min(len(digits), most)]
	from, err := hex.DecodeString(begin + strings.Repeat("0", most-len(begin)))
	if err != nil {
		return nil, nil // nothing begins with what is no number
	}
	upto, err := hex.DecodeString(begin + strings.Repeat("f", most-len(begin)))
	if err != nil {
		return nil, nil
	}
	var found []Said
	err = s.eachSaid(ctx, func(m *Said) (bool, error) {
		found = append(found, *m)
		return true, nil
	}, `SELECT `+saidColumns+saidFrom+`WHERE substr(m.hash, 1, 8) BETWEEN ?4 AND ?5 AND substr(hex(m.hash), 1, ?2) = ?1 AND s.forgotten = 0 LIMIT ?3`,
		strings.ToUpper(digits), len(digits), limit, from, upto)
	return found, err
}

// SessionFilter chooses conversations to list, the last active first.
type SessionFilter struct {
	Realm        string // "" is every one
	Since, Until time.Time
	File         string // touched in it: the end of a path, whole segments
	Before       SessionPlace
	Limit        int
}

// SessionPlace is where a conversation stands in a listing.
type SessionPlace struct{ Active, Seq int64 }

// Active is when something last happened in a conversation, as far as known.
func (s *Session) Active() time.Time {
	if s.Ended.IsZero() {
		return s.Updated
	}
	return s.Ended
}

// Place returns where a conversation stands in a listing.
func (s *Session) Place() SessionPlace { return SessionPlace{millis(s.Active()), s.Seq} }

const sessionActive = `(CASE ended WHEN 0 THEN updated ELSE ended END)`

// where returns the conditions of a filter but for the place.
func (f *SessionFilter) where() (string, []any) {
	where := []string{"forgotten = 0"}
	var args []any
	add := func(cond string, values ...any) {
		where = append(where, cond)
		args = append(args, values...)
	}
	if f.Realm != "" {
		add("realm = ?", f.Realm)
	}
	if !f.Since.IsZero() {
		add(sessionActive+" >= ?", millis(f.Since))
	}
	if !f.Until.IsZero() {
		add("(CASE started WHEN 0 THEN created ELSE started END) < ?", millis(f.Until))
	}
	if f.File != "" {
		suffix := "/" + strings.TrimPrefix(f.File, "/")
		add(`EXISTS (SELECT 1 FROM file_touch t WHERE t.session = session.seq AND (t.path = ? OR substr(t.path, -?) = ?))`, f.File, len([]rune(suffix)), suffix)
	}
	return strings.Join(where, " AND "), args
}

// ListSessions returns a page of conversations and how many there are in all.
func (s *Store) ListSessions(ctx context.Context, f SessionFilter) (page []Session, total int, err error) {
	where, args := f.where()
	if err := s.reading.QueryRowContext(ctx, `SELECT count(*) FROM session WHERE `+where, args...).Scan(&total); err != nil {
		return nil, 0, classify(err)
	}
	if f.Before != (SessionPlace{}) {
		where += fmt.Sprintf(` AND (%s, seq) < (?, ?)`, sessionActive)
		args = append(args, f.Before.Active, f.Before.Seq)
	}
	page, err = collect(ctx, s.reading, scanSession, `SELECT `+sessionColumns+` FROM session WHERE `+where+` ORDER BY `+sessionActive+` DESC, seq DESC LIMIT ?`, append(args, f.Limit)...)
	return page, total, err
}

// LatestSessions returns the conversations of a realm in which something
// happened last, the latest first. It does not go through all of them, as a
// listing that counts them does.
func (s *Store) LatestSessions(ctx context.Context, realm string, limit int) ([]Session, error) {
	const from = ` FROM session WHERE forgotten = 0 AND realm = ? AND `
	found, err := collect(ctx, s.reading, scanSession, `SELECT `+sessionColumns+from+`ended > 0 ORDER BY ended DESC, seq DESC LIMIT ?`, realm, limit)
	if err != nil {
		return nil, err
	}
	undated, err := collect(ctx, s.reading, scanSession, `SELECT `+sessionColumns+from+`ended = 0 ORDER BY updated DESC, seq DESC LIMIT ?`, realm, limit)
	if err != nil {
		return nil, err
	}
	found = append(found, undated...)
	slices.SortStableFunc(found, func(a, b Session) int {
		return cmp.Or(b.Active().Compare(a.Active()), cmp.Compare(b.Seq, a.Seq))
	})
	return found[:min(limit, len(found))], nil
}

// RecentFiles returns the files that a conversation touched last, the latest
// first.
func (s *Store) RecentFiles(ctx context.Context, session int64, limit int) ([]FileTouch, error) {
	return collect(ctx, s.reading, func(row scanner) (f FileTouch, err error) {
		return f, row.Scan(&f.Path, &f.Action, &f.Message)
	}, `SELECT path, action, max(message) AS latest FROM file_touch WHERE session = ? GROUP BY path ORDER BY latest DESC LIMIT ?`, session, limit)
}

// Forks returns the ids of conversations that repeat messages of others, by the
// row number of those.
func (s *Store) Forks(ctx context.Context, of []int64) (map[int64][]string, error) {
	list, err := json.Marshal(of)
	if err != nil || len(of) == 0 {
		return nil, err
	}
	out := map[int64][]string{}
	_, err = collect(ctx, s.reading, func(row scanner) (id string, err error) {
		var from int64
		if err = row.Scan(&from, &id); err == nil {
			out[from] = append(out[from], id)
		}
		return id, err
	}, `SELECT forked_from, id FROM session WHERE forked_from IN (SELECT value FROM json_each(?)) AND forgotten = 0 ORDER BY seq`, string(list))
	return out, err
}

// IDsBeside returns, for each id of a conversation, the ids before and after
// it in their order, "" where there is none: what a shortened id has to be told
// from.
func (s *Store) IDsBeside(ctx context.Context, ids []string) (map[string][2]string, error) {
	list, err := json.Marshal(ids)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	type neighbours struct {
		id     string
		around [2]string
	}
	found, err := collect(ctx, s.reading, func(row scanner) (n neighbours, err error) {
		return n, row.Scan(&n.id, &n.around[0], &n.around[1])
	}, `SELECT value, coalesce((SELECT max(id) FROM session WHERE id < value), ''), coalesce((SELECT min(id) FROM session WHERE id > value), '') FROM json_each(?)`, string(list))
	out := make(map[string][2]string, len(found))
	for _, n := range found {
		out[n.id] = n.around
	}
	return out, err
}

// idHash is what an erased message is known by.
func idHash(id string) []byte {
	sum := sha256.Sum256([]byte(id))
	return sum[:16]
}

// Barred returns which of the given ids belong to messages that were erased for
// good.
func (t *Tx) Barred(ids []string) (map[string]bool, error) {
	barred := map[string]bool{}
	var any bool
	if err := t.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM forgotten_message)`).Scan(&any); err != nil || !any {
		return barred, classify(err)
	}
	for _, id := range ids {
		var is bool
		if err := t.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM forgotten_message WHERE id = ?)`, idHash(id)).Scan(&is); err != nil {
			return nil, classify(err)
		}
		if is {
			barred[id] = true
		}
	}
	return barred, nil
}
