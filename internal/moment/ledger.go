package moment

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/store"
)

// Kinds of ledger entries.
const (
	LedgerSunset     = "sunset"     // summed up when a session was over
	LedgerCheckpoint = "checkpoint" // on the way, such as before a compaction
	LedgerSaved      = "saved"      // by an agent or a person
)

// Ledger is an entry as operations show it.
type Ledger struct {
	ID      string      `json:"id"`
	Kind    string      `json:"kind"`
	Session string      `json:"session,omitempty"`
	Realm   string      `json:"realm"`
	Created time.Time   `json:"created"`
	Updated time.Time   `json:"updated"`
	State   LedgerState `json:"state"`
}

const (
	ledgerDefault = 20 // entries of a list
	ledgerMost    = 200
)

// LedgerSaveInput is a state to write down.
type LedgerSaveInput struct {
	LedgerState
	Session string `json:"session,omitempty" jsonschema:"the client's session; default: the caller's"`
	Realm   string `json:"realm,omitempty" jsonschema:"project: id or name; default: that of the working directory"`
}

// LedgerSave writes down how things stand. Within a session what is given
// replaces what was saved before, field by field, so that it can be kept up to
// date in parts.
func (k *Keeper) LedgerSave(ctx context.Context, c mind.Caller, in LedgerSaveInput) (Ledger, error) {
	if err := in.LedgerState.check(); err != nil {
		return Ledger{}, err
	}
	if in.LedgerState.empty() {
		return Ledger{}, &memory.InputError{Field: "state", Problem: "says nothing", Hint: "give at least one of mood, summary, todos, decisions, next_steps, blockers, files, snapshot"}
	}
	realm, err := k.realmNamed(ctx, c, in.Realm)
	if err != nil {
		return Ledger{}, err
	}
	session := in.Session
	if session == "" {
		session = c.Session
	}
	return k.writeLedger(ctx, realm, session, LedgerSaved, func(s *LedgerState) { s.take(in.LedgerState) })
}

// realmNamed returns the id of a realm by name, or of the one of the caller's
// directory. Agents stay in their own: a ledger says what was asked there.
func (k *Keeper) realmNamed(ctx context.Context, c mind.Caller, name string) (string, error) {
	if name == "" {
		r, err := k.mind.RealmHere(ctx, c)
		return r.ID, err
	}
	r, err := k.mind.RealmGet(ctx, c, mind.RealmInput{Realm: name})
	if err != nil {
		return "", err
	}
	return r.ID, k.readable(ctx, c, r.ID)
}

// readable refuses an agent what is another project's.
func (k *Keeper) readable(ctx context.Context, c mind.Caller, realm string) error {
	if c.Person() {
		return nil
	}
	here, err := k.mind.RealmHere(ctx, c)
	if err == nil && here.ID != realm {
		err = &memory.RefusedError{Reason: "how another project stands is for people to read", Hint: "leave the realm out"}
	}
	return err
}

// writeLedger changes the entry of a kind that a session has, or makes one.
// Without a session there is always a new one.
func (k *Keeper) writeLedger(ctx context.Context, realm, session, kind string, fn func(*LedgerState)) (Ledger, error) {
	return k.writeLedgerAt(ctx, k.mind.Now(), realm, session, kind, fn)
}

// writeLedgerAt is writeLedger for how things stood at a time.
func (k *Keeper) writeLedgerAt(ctx context.Context, at time.Time, realm, session, kind string, fn func(*LedgerState)) (Ledger, error) {
	var out Ledger
	err := k.store.Write(ctx, func(tx *store.Tx) error {
		now := k.mind.Now()
		row := store.Ledger{Realm: realm, Session: session, Kind: kind, Created: now}
		var state LedgerState
		if kind != LedgerSaved && session != "" { // what nobody asked for is not told of a session that was forgotten
			gone, err := tx.SessionForgotten(claudeCode, session)
			if err == nil && gone {
				err = fmt.Errorf("session %q was forgotten: %w", session, store.ErrNotFound)
			}
			if err != nil {
				return err
			}
		}
		if session != "" {
			known, err := tx.LedgerOf(session, kind)
			switch {
			case errors.Is(err, store.ErrNotFound):
			case err != nil:
				return err
			default:
				row = known
				if err := json.Unmarshal([]byte(known.State), &state); err != nil {
					return fmt.Errorf("ledger %s: %w", known.ID, err)
				}
			}
		}
		if row.ID == "" {
			id, err := k.mind.NewID(ledgerPrefix)
			if err != nil {
				return err
			}
			row.ID = id
		}
		fn(&state)
		k.clean(&state)
		text, err := json.Marshal(state)
		if err != nil {
			return err
		}
		row.State, row.Updated = string(text), at
		if err := tx.PutLedger(&row); err != nil {
			return err
		}
		out = Ledger{row.ID, row.Kind, row.Session, row.Realm, row.Created, row.Updated, state}
		return nil
	})
	return out, err
}

// ledgerPrefix begins the ids of entries.
const ledgerPrefix = "l_"

// LedgerInput names an entry.
type LedgerInput struct {
	ID string `json:"id" jsonschema:"the entry: its id or the unique start of it"`
}

// LedgerGet returns one entry.
func (k *Keeper) LedgerGet(ctx context.Context, c mind.Caller, in LedgerInput) (Ledger, error) {
	row, err := k.ledgerNamed(ctx, in.ID)
	if err != nil {
		return Ledger{}, err
	}
	if k.readable(ctx, c, row.Realm) != nil { // to an agent it is not there
		return Ledger{}, noLedger(in.ID)
	}
	return viewLedger(&row)
}

func noLedger(id string) error {
	return &memory.NotFoundError{What: "ledger entry", ID: clip(id, 80), Hint: "chitta ledger list shows what there is"}
}

func (k *Keeper) ledgerNamed(ctx context.Context, id string) (store.Ledger, error) {
	if len(id) <= len(ledgerPrefix) || !strings.HasPrefix(id, ledgerPrefix) {
		return store.Ledger{}, &memory.InputError{Field: "id", Problem: fmt.Sprintf("%q is no ledger entry's", clip(id, 80)), Hint: "ids begin with " + ledgerPrefix + "; chitta ledger list shows them"}
	}
	found, err := k.store.Ledgers(ctx, store.LedgerFilter{ID: id, Limit: 2})
	switch {
	case err != nil:
		return store.Ledger{}, err
	case len(found) == 0:
		return store.Ledger{}, noLedger(id)
	case len(found) > 1 && found[0].ID != id:
		return store.Ledger{}, &memory.InputError{Field: "id", Problem: fmt.Sprintf("%q begins more than one", id), Hint: "give more of it"}
	}
	return found[0], nil
}

func viewLedger(row *store.Ledger) (Ledger, error) {
	out := Ledger{ID: row.ID, Kind: row.Kind, Session: row.Session, Realm: row.Realm, Created: row.Created, Updated: row.Updated}
	if err := json.Unmarshal([]byte(row.State), &out.State); err != nil {
		return out, fmt.Errorf("ledger %s: %w", row.ID, err)
	}
	return out, nil
}

// LedgerListInput chooses entries.
type LedgerListInput struct {
	Session string `json:"session,omitempty" jsonschema:"only of this client session"`
	Realm   string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory"`
	Kind    string `json:"kind,omitempty" jsonschema:"only sunset, checkpoint or saved ones"`
	Limit   int    `json:"limit,omitempty" jsonschema:"most to return, 1 to 200; default 20"`
}

// LedgerListOutput is what was found, the last changed first.
type LedgerListOutput struct {
	Ledgers []Ledger `json:"ledgers"`
}

// LedgerList returns entries, the last changed first.
func (k *Keeper) LedgerList(ctx context.Context, c mind.Caller, in LedgerListInput) (LedgerListOutput, error) {
	f := store.LedgerFilter{Session: in.Session, Limit: in.Limit}
	switch {
	case in.Limit == 0:
		f.Limit = ledgerDefault
	case in.Limit < 0 || in.Limit > ledgerMost:
		return LedgerListOutput{}, &memory.InputError{Field: "limit", Problem: fmt.Sprintf("%d is out of range", in.Limit), Hint: fmt.Sprintf("use 1 to %d", ledgerMost)}
	}
	if in.Kind != "" {
		kind, err := memory.ParseOneOf("kind", in.Kind, []string{LedgerSunset, LedgerCheckpoint, LedgerSaved})
		if err != nil {
			return LedgerListOutput{}, err
		}
		f.Kinds = []string{kind}
	}
	if in.Realm != allRealms || !c.Person() {
		realm, err := k.realmNamed(ctx, c, in.Realm)
		if err != nil {
			return LedgerListOutput{}, err
		}
		f.Realm = realm
	}
	rows, err := k.store.Ledgers(ctx, f)
	out := LedgerListOutput{Ledgers: make([]Ledger, 0, len(rows))}
	for i := range rows {
		l, err := viewLedger(&rows[i])
		if err != nil {
			return out, err
		}
		out.Ledgers = append(out.Ledgers, l)
	}
	return out, err
}

// allRealms stands for every project.
const allRealms = "all"

// LedgerLoadInput says whose state to load.
type LedgerLoadInput struct {
	Session string `json:"session,omitempty" jsonschema:"the client's session; default: the last one of the project"`
	Realm   string `json:"realm,omitempty" jsonschema:"project: id or name; default: that of the working directory"`
}

// LedgerLoad returns how things stood last.
func (k *Keeper) LedgerLoad(ctx context.Context, c mind.Caller, in LedgerLoadInput) (Ledger, error) {
	found, err := k.LedgerList(ctx, c, LedgerListInput{Session: in.Session, Realm: in.Realm, Limit: 1})
	if err != nil {
		return Ledger{}, err
	}
	if len(found.Ledgers) == 0 {
		return Ledger{}, &memory.NotFoundError{What: "ledger of", ID: cmp.Or(in.Session, in.Realm, c.Cwd), Hint: "chitta ledger save writes down how things stand; at the end of a session that happens by itself"}
	}
	return found.Ledgers[0], nil
}

// LedgerDelete takes an entry out for good and returns it.
func (k *Keeper) LedgerDelete(ctx context.Context, _ mind.Caller, in LedgerInput) (Ledger, error) {
	row, err := k.ledgerNamed(ctx, in.ID)
	if err != nil {
		return Ledger{}, err
	}
	if err := k.store.Write(ctx, func(tx *store.Tx) error { return tx.DeleteLedger(row.Seq) }); err != nil {
		return Ledger{}, err
	}
	return viewLedger(&row)
}
