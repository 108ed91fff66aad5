package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// HookCall is what became of one event of the client.
type HookCall struct {
	At      time.Time
	Session string
	Realm   string
	Event   string
	Took    time.Duration // from the start of the hook's process to its answer
	Outcome string
	Tokens  int      // handed over, estimated
	Items   []string // ids of what was handed over
}

func scanHookCall(row scanner) (HookCall, error) {
	var c HookCall
	var at, micros int64
	var items string
	err := row.Scan(&at, &c.Session, &c.Realm, &c.Event, &micros, &c.Outcome, &c.Tokens, &items)
	if err != nil {
		return c, err
	}
	c.At, c.Took = fromMillis(at), time.Duration(micros)*time.Microsecond
	if err := json.Unmarshal([]byte(items), &c.Items); err != nil {
		return c, fmt.Errorf("items of a hook call: %w", err)
	}
	return c, nil
}

// AddHookCalls notes what hooks did.
func (t *Tx) AddHookCalls(calls []HookCall) error {
	for i := range calls {
		c := &calls[i]
		items, err := json.Marshal(append([]string{}, c.Items...))
		if err != nil {
			return err
		}
		if err := t.exec(`INSERT INTO hook_call (at, session, realm, event, micros, outcome, tokens, items) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			millis(c.At), c.Session, c.Realm, c.Event, c.Took.Microseconds(), c.Outcome, c.Tokens, string(items)); err != nil {
			return err
		}
	}
	return nil
}

// DropHookCalls forgets what hooks did before a time.
func (t *Tx) DropHookCalls(before time.Time) error {
	return t.exec(`DELETE FROM hook_call WHERE at < ?`, millis(before))
}

// HookCallFilter chooses calls; zero values do not limit.
type HookCallFilter struct {
	Session string
	Realm   string
	Since   time.Time
	Limit   int // required
}

// HookCalls returns what hooks did, the last first.
func (s *Store) HookCalls(ctx context.Context, f HookCallFilter) ([]HookCall, error) {
	where, args := "at >= ?", []any{millis(f.Since)}
	if f.Session != "" {
		where, args = where+" AND session = ?", append(args, f.Session)
	}
	if f.Realm != "" {
		where, args = where+" AND realm = ?", append(args, f.Realm)
	}
	return collect(ctx, s.reading, scanHookCall, `SELECT at, session, realm, event, micros, outcome, tokens, items FROM hook_call
		WHERE `+where+` ORDER BY seq DESC LIMIT ?`, append(args, f.Limit)...)
}
