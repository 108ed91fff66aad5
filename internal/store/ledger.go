package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Ledger is how things stood at a time, written down for later.
type Ledger struct {
	Seq     int64
	ID      string
	Realm   string
	Session string // the client's id, or ""
	Kind    string // who wrote it down, see package moment
	State   string // JSON
	Created time.Time
	Updated time.Time
}

const ledgerColumns = `seq, id, realm, session, kind, state, created, updated`

func scanLedger(row scanner) (Ledger, error) {
	var l Ledger
	var created, updated int64
	err := row.Scan(&l.Seq, &l.ID, &l.Realm, &l.Session, &l.Kind, &l.State, &created, &updated)
	l.Created, l.Updated = fromMillis(created), fromMillis(updated)
	return l, err
}

// PutLedger stores an entry, a new one if its Seq is 0.
func (t *Tx) PutLedger(l *Ledger) (err error) {
	if l.Seq == 0 {
		l.Seq, err = t.insert(`INSERT INTO ledger (id, realm, session, kind, state, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			l.ID, l.Realm, l.Session, l.Kind, l.State, millis(l.Created), millis(l.Updated))
		return err
	}
	return t.exec(`UPDATE ledger SET realm = ?, session = ?, kind = ?, state = ?, updated = ? WHERE seq = ?`,
		l.Realm, l.Session, l.Kind, l.State, millis(l.Updated), l.Seq)
}

// DeleteLedger takes an entry out for good.
func (t *Tx) DeleteLedger(seq int64) error { return t.exec(`DELETE FROM ledger WHERE seq = ?`, seq) }

// LedgerOf returns the entry of a kind that a session has, as this transaction
// sees it.
func (t *Tx) LedgerOf(session, kind string) (Ledger, error) {
	l, err := scanLedger(t.QueryRowContext(t.ctx, `SELECT `+ledgerColumns+` FROM ledger WHERE session = ? AND kind = ? ORDER BY seq DESC LIMIT 1`, session, kind))
	if errors.Is(err, sql.ErrNoRows) {
		return l, fmt.Errorf("ledger of session %q: %w", session, ErrNotFound)
	}
	return l, classify(err)
}

// LedgerFilter chooses entries; zero values do not limit.
type LedgerFilter struct {
	Realm   string
	Session string
	Kinds   []string
	ID      string // or the start of it
	Limit   int    // required
}

// Ledgers returns entries, the last changed first.
func (s *Store) Ledgers(ctx context.Context, f LedgerFilter) ([]Ledger, error) {
	where, args := "1", []any{}
	if f.Realm != "" {
		where, args = where+" AND realm = ?", append(args, f.Realm)
	}
	if f.Session != "" {
		where, args = where+" AND session = ?", append(args, f.Session)
	}
	if f.ID != "" {
		where, args = where+" AND substr(id, 1, length(?)) = ?", append(args, f.ID, f.ID)
	}
	if len(f.Kinds) > 0 {
		in, list, err := lists(f.Kinds)
		if err != nil {
			return nil, err
		}
		where, args = where+" AND kind IN "+in, append(args, list...)
	}
	return collect(ctx, s.reading, scanLedger, `SELECT `+ledgerColumns+` FROM ledger WHERE `+where+` ORDER BY updated DESC, seq DESC LIMIT ?`, append(args, f.Limit)...)
}
