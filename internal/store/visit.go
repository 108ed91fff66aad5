package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Visit is a session that the client's hooks told of.
type Visit struct {
	Session    string // the client's id
	Realm      string
	Cwd        string
	Transcript string    // file in which the client writes it down, or ""
	Began      time.Time // first event
	Seen       time.Time // last event
	Ended      time.Time // when the client said it was over
	Sunset     time.Time // the event up to which it was summed up
	Learned    int64     // number of the last message whose turn was learned from
}

const visitColumns = `session, realm, cwd, transcript, began, seen, ended, sunset, learned`

func scanVisit(row scanner) (Visit, error) {
	var v Visit
	var began, seen, ended, sunset int64
	err := row.Scan(&v.Session, &v.Realm, &v.Cwd, &v.Transcript, &began, &seen, &ended, &sunset, &v.Learned)
	v.Began, v.Seen, v.Ended, v.Sunset = fromMillis(began), fromMillis(seen), fromMillis(ended), fromMillis(sunset)
	return v, err
}

// PutVisit stores a visit, in the place of one of the same session.
func (t *Tx) PutVisit(v *Visit) error {
	return t.exec(`INSERT INTO visit (`+visitColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (session) DO UPDATE SET realm = excluded.realm, cwd = excluded.cwd, transcript = excluded.transcript,
			seen = excluded.seen, ended = excluded.ended, sunset = excluded.sunset, learned = excluded.learned`,
		v.Session, v.Realm, v.Cwd, v.Transcript, millis(v.Began), millis(v.Seen), millis(v.Ended), millis(v.Sunset), v.Learned)
}

// Visit returns the visit of a session, as this transaction sees it.
func (t *Tx) Visit(session string) (Visit, error) { return visit(t.ctx, t, session) }

// Visit returns the visit of a session.
func (s *Store) Visit(ctx context.Context, session string) (Visit, error) {
	return visit(ctx, s.reading, session)
}

func visit(ctx context.Context, q querier, session string) (Visit, error) {
	v, err := scanVisit(q.QueryRowContext(ctx, `SELECT `+visitColumns+` FROM visit WHERE session = ?`, session))
	if errors.Is(err, sql.ErrNoRows) {
		return v, fmt.Errorf("visit of session %q: %w", session, ErrNotFound)
	}
	return v, classify(err)
}

// VisitsDue returns visits that were not summed up since their last event and
// either ended or were last heard of before idle; the longest waiting first.
func (s *Store) VisitsDue(ctx context.Context, idle time.Time, limit int) ([]Visit, error) {
	return collect(ctx, s.reading, scanVisit, `SELECT `+visitColumns+` FROM visit
		WHERE sunset < seen AND (ended >= seen OR seen < ?) ORDER BY seen LIMIT ?`, millis(idle), limit)
}

// VisitsOpen returns visits that were not summed up since their last event, the
// one heard of last first.
func (s *Store) VisitsOpen(ctx context.Context, limit int) ([]Visit, error) {
	return collect(ctx, s.reading, scanVisit, `SELECT `+visitColumns+` FROM visit WHERE sunset < seen ORDER BY seen DESC LIMIT ?`, limit)
}

// VisitsIn returns the visits of a realm, the one heard of last first.
func (s *Store) VisitsIn(ctx context.Context, realm string, limit int) ([]Visit, error) {
	return collect(ctx, s.reading, scanVisit, `SELECT `+visitColumns+` FROM visit WHERE realm = ? ORDER BY seen DESC LIMIT ?`, realm, limit)
}
