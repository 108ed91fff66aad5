package mind

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"chitta/internal/follow"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// A migration takes over all transcripts there are, says what became of every
// line, proves what was stored, and can be rolled back: what it brought is
// erased, and stays away until somebody migrates again. Transcripts that one
// which was interrupted had not read are no different from others: the watch
// takes them over after the rollback.

// Migration is the last migration.
type Migration struct {
	// ID marks the messages it brings; 0 in a migration of before they were
	// marked, which goes by After and Upto.
	ID         int64     `json:"id,omitempty"`
	Started    time.Time `json:"started"`
	Finished   time.Time `json:"finished,omitzero"`
	RolledBack time.Time `json:"rolled_back,omitzero"`
	After      int64     `json:"after,omitempty"`  // sessions behind this row are its own
	Upto       int64     `json:"upto,omitempty"`   // up to this one
	Erased     []int64   `json:"erased,omitempty"` // sessions that the rollback emptied
	Taken      []int64   `json:"taken,omitempty"`  // messages that it took, as long as the index may still have them
	Files      []int64   `json:"files,omitempty"`  // transcripts they were read from
	Kept       []int64   `json:"kept,omitempty"`   // sessions that the rollback left, because forks need them
	// What a rollback before it had erased and it may bring: sessions whose ids
	// it freed, and how far transcripts had been read.
	Freed  []int64           `json:"freed,omitempty"`
	Reread []store.ReadState `json:"reread,omitempty"`
	Held   time.Time         `json:"held,omitzero"`    // until when the watch leaves the transcripts to it
	Before *Migration        `json:"before,omitempty"` // the one before, until this one has brought something
}

// interrupted reports whether it began and neither ended nor was undone.
func (x *Migration) interrupted() bool {
	return !x.Started.IsZero() && x.Finished.IsZero() && x.RolledBack.IsZero()
}

// MigrationOutput says how a migration stands.
type MigrationOutput struct {
	Started    time.Time `json:"started,omitzero"`
	Finished   time.Time `json:"finished,omitzero"`
	RolledBack time.Time `json:"rolled_back,omitzero"`
	Sessions   int       `json:"sessions"` // that it brought, or that were erased in this call
	Grown      int       `json:"grown"`    // that were there and to which it added, or that were cut back in this call
	Messages   int       `json:"messages"`
	Done       bool      `json:"done"` // of a rollback: nothing is left; otherwise call again
	// Kept are sessions that a rollback leaves, each named once: others that
	// came by other ways went on from them, and share their messages.
	Kept []string `json:"kept,omitempty"`
	// Watched says that a rollback undid one that was interrupted, and that the
	// daemon takes over what that had not read.
	Watched bool `json:"watched,omitempty"`
}

// migrationHold is for how long a migration keeps the transcripts to itself,
// should it bring nothing more and never finish. It is noted: a restart does not
// end it.
const migrationHold = 10 * time.Minute

// metaMigration is where the last migration is kept.
const metaMigration = "migration"

func (m *Mind) migration(ctx context.Context) (Migration, error) {
	var out Migration
	text, err := m.store.Note(ctx, metaMigration)
	if err != nil || text == "" {
		return out, err
	}
	return out, json.Unmarshal([]byte(text), &out)
}

func putMigration(tx *store.Tx, x Migration) error {
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return tx.SetNote(metaMigration, string(text))
}

// MigrationBegin notes where things stand before transcripts are taken over.
// What an earlier migration brought and a rollback erased may come back. After
// one that was interrupted it goes on with that: both are undone as one.
func (m *Mind) MigrationBegin(ctx context.Context, _ Caller, _ NoInput) (MigrationOutput, error) {
	before, err := m.migration(ctx)
	if err != nil {
		return MigrationOutput{}, err
	}
	x := Migration{ID: before.ID + 1, Started: m.now(), Held: m.now().Add(migrationHold)}
	switch {
	case before.interrupted() && before.ID != 0:
		x.ID, x.Before, x.Freed, x.Reread = before.ID, before.Before, before.Freed, before.Reread
	case before.RolledBack.IsZero() && !before.Started.IsZero():
		before.Before = nil
		x.Before = &before
	}
	m.ingest.HoldWatch(x.Held) // or it would take over a part unseen
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		for _, seq := range before.Erased {
			if err := tx.FreeSessionID(seq); err != nil {
				return err
			}
		}
		x.Freed = append(x.Freed, before.Erased...)
		was, err := tx.ReadAgain(before.Files)
		if err != nil {
			return err
		}
		x.Reread = append(x.Reread, was...)
		return putMigration(tx, x)
	})
	return MigrationOutput{Started: x.Started}, err
}

// MigrationFinish notes that a migration is complete and counts what it
// brought.
func (m *Mind) MigrationFinish(ctx context.Context, _ Caller, _ NoInput) (MigrationOutput, error) {
	x, err := m.migration(ctx)
	if err != nil {
		return MigrationOutput{}, err
	}
	if !x.interrupted() {
		return MigrationOutput{}, noMigration
	}
	m.ingest.HoldWatch(time.Time{})
	x.Finished = m.now()
	out := MigrationOutput{Started: x.Started, Finished: x.Finished, Done: true}
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		if out.Sessions, out.Grown, out.Messages, err = tx.CountMigrated(x.ID); err != nil {
			return err
		}
		if out.Sessions+out.Grown == 0 && x.Before != nil {
			return putMigration(tx, *x.Before) // nothing new: the one before can still be undone
		}
		x.Before = nil
		return putMigration(tx, x)
	})
	return out, err
}

var noMigration = &memory.RefusedError{Reason: "no migration has begun", Hint: "chitta migrate begins one"}

// markOf returns the number of the migration that has begun, 0 if the caller
// does not ask for it.
func (m *Mind) markOf(ctx context.Context, asked bool) (int64, error) {
	if !asked {
		return 0, nil
	}
	x, err := m.migration(ctx)
	if err == nil && (!x.interrupted() || x.ID == 0) {
		err = noMigration
	}
	if err == nil && x.Held.Sub(m.now()) < migrationHold/2 { // each file would be a write too many
		err = m.holdOn(ctx)
	}
	return x.ID, err
}

// holdOn keeps the transcripts for the migration that goes on.
func (m *Mind) holdOn(ctx context.Context) error {
	return m.store.Write(ctx, func(tx *store.Tx) error {
		x, err := m.migration(ctx)
		if err != nil || !x.interrupted() { // it ended meanwhile
			return err
		}
		x.Held = m.now().Add(migrationHold)
		m.ingest.HoldWatch(x.Held)
		return putMigration(tx, x)
	})
}

// holdAgain keeps the watch from the transcripts of a migration that had not
// ended when the process did.
func (m *Mind) holdAgain(ctx context.Context) error {
	x, err := m.migration(ctx)
	if err == nil && x.interrupted() {
		m.ingest.HoldWatch(x.Held)
	}
	return err
}

// rollbackAtOnce is how many sessions one call erases.
const rollbackAtOnce = 20

// MigrationRollback erases what the last migration that brought something
// brought, a part at a time: whole sessions, and what it added to those that
// were there before. What came by other ways stays, and so does what that needs.
func (m *Mind) MigrationRollback(ctx context.Context, c Caller, _ NoInput) (MigrationOutput, error) {
	x, err := m.migration(ctx)
	if err != nil {
		return MigrationOutput{}, err
	}
	if x.Started.IsZero() {
		return MigrationOutput{}, &memory.RefusedError{Reason: "there is no migration to roll back", Hint: "chitta session forget erases a single session"}
	}
	unread := x.Finished.IsZero()
	brought, err := m.broughtBy(ctx, &x)
	if err == nil && len(brought) == 0 && x.Before != nil && len(x.Erased)+len(x.Files) == 0 {
		x = *x.Before
		brought, err = m.broughtBy(ctx, &x)
	}
	if err != nil {
		return MigrationOutput{}, err
	}
	m.ingest.HoldWatch(time.Time{})
	out := MigrationOutput{Started: x.Started, Finished: x.Finished, Watched: unread && m.opts.Config.Sessions.Watch}
	var erased, chunks []int64
	var with unlearned
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		with = unlearned{}
		erased, chunks, err = m.undo(tx, c, &x, brought, &out, &with)
		if err != nil {
			return err
		}
		if len(brought) > 0 {
			x.Before = nil
		}
		if out.Done = len(brought) < rollbackAtOnce; out.Done {
			x.RolledBack = m.now()
			if err := shutAgain(tx, &x); err != nil {
				return err
			}
		}
		return putMigration(tx, x)
	})
	if err != nil {
		return MigrationOutput{}, err
	}
	out.RolledBack = x.RolledBack
	return out, errors.Join(m.forgetUnlearned(ctx, &with), m.forgetDerived(ctx, erased, chunks, out.Done))
}

// shutAgain keeps away what an earlier rollback had erased and this migration
// let in again without bringing it.
func shutAgain(tx *store.Tx, x *Migration) error {
	for _, seq := range x.Freed {
		barred, err := tx.BarSessionID(seq)
		if err != nil {
			return err
		}
		if barred {
			x.Erased = append(x.Erased, seq)
		}
	}
	if err := tx.StayRead(x.Reread); err != nil {
		return err
	}
	for _, r := range x.Reread {
		if !slices.Contains(x.Files, r.File) {
			x.Files = append(x.Files, r.File)
		}
	}
	x.Freed, x.Reread = nil, nil
	return nil
}

// undo undoes what a migration did to some sessions, but for those that are
// needed, and counts it. What was learned from them goes with them. It returns
// the sessions and the chunks that are gone.
func (m *Mind) undo(tx *store.Tx, c Caller, x *Migration, brought []store.Migrated, out *MigrationOutput, with *unlearned) (erased, chunks []int64, err error) {
	needed, err := tx.NeededByForks(x.ID, x.After, x.Upto)
	if err != nil {
		return nil, nil, err
	}
	for _, b := range brought {
		s, err := tx.SessionBySeq(b.Session)
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(needed, b.Session) {
			x.Kept, out.Kept = append(x.Kept, b.Session), append(out.Kept, s.ID)
			if err := tx.KeepMigrated(x.ID, b.Session); err != nil {
				return nil, nil, err
			}
			continue
		}
		whole, err := broughtWhole(tx, x, b)
		if err != nil {
			return nil, nil, err
		}
		if whole {
			err = m.unlearn(tx, c, &s, with)
		} else {
			err = m.unlearnMigrated(tx, c, &s, x, with)
		}
		if err != nil {
			return nil, nil, err
		}
		gone, messages, err := m.takeBack(tx, x, b, whole)
		if err != nil {
			return nil, nil, err
		}
		chunks = append(chunks, gone...)
		out.Messages += messages
		if whole {
			erased = append(erased, b.Session)
			out.Sessions++
		} else {
			out.Grown++
		}
	}
	return erased, chunks, nil
}

// broughtWhole reports whether all of a session came with a migration: it was
// not there before, and has not gone on since. One of before messages were
// marked brought all of its sessions, as far as can be told.
func broughtWhole(tx *store.Tx, x *Migration, b store.Migrated) (bool, error) {
	if b.Before != nil || x.ID == 0 {
		return b.Before == nil, nil
	}
	others, err := tx.ComesFromElsewhere(b.Session, x.ID)
	return !others, err
}

// broughtBy returns the next sessions that a migration brought or changed.
func (m *Mind) broughtBy(ctx context.Context, x *Migration) ([]store.Migrated, error) {
	if x.ID != 0 {
		return m.store.Migrated(ctx, x.ID, rollbackAtOnce)
	}
	if x.Upto == 0 {
		return nil, &memory.RefusedError{
			Reason: "the migration was interrupted, by a version that did not mark what it brought: it cannot be told from what came later",
			Hint:   "chitta sessions lists what is there, chitta session forget erases single sessions",
		}
	}
	sessions, err := m.store.SessionsBetween(ctx, x.After, x.Upto, rollbackAtOnce+len(x.Kept))
	var out []store.Migrated
	for _, seq := range sessions {
		if !slices.Contains(x.Kept, seq) && len(out) < rollbackAtOnce {
			out = append(out, store.Migrated{Session: seq})
		}
	}
	return out, err
}

// takeBack undoes what a migration did to one session, of which it brought the
// whole or a part, and notes what is needed to do it again. It returns the
// chunks that are gone and how many messages.
func (m *Mind) takeBack(tx *store.Tx, x *Migration, b store.Migrated, whole bool) (chunks []int64, messages int, err error) {
	of := int64(0)
	if !whole {
		of = x.ID
	}
	files, err := tx.FilesOf(b.Session, of)
	if err != nil {
		return nil, 0, err
	}
	for _, f := range files {
		if !slices.Contains(x.Files, f) {
			x.Files = append(x.Files, f)
		}
	}
	if whole {
		x.Erased = append(x.Erased, b.Session)
		return tx.ForgetSession(b.Session, m.now(), false)
	}
	taken, chunks, err := m.ingest.TakeBack(tx, x.ID, b)
	if err != nil {
		return nil, 0, err
	}
	x.Taken = append(x.Taken, taken...)
	return chunks, len(taken), tx.DropMigrated(x.ID, b.Session)
}

// dropTaken takes messages out of the index that a rollback took from sessions
// which are still there. Their rows are gone, so the feed cannot tell.
func (m *Mind) dropTaken(ctx context.Context) error {
	x, err := m.migration(ctx)
	if err != nil || len(x.Taken) == 0 {
		return err
	}
	rows := make([]uint64, len(x.Taken))
	for i, seq := range x.Taken {
		rows[i] = uint64(seq)
	}
	return m.messages.Remove(rows)
}

// forgetTaken lets go of the messages that the index has lost for good.
func (m *Mind) forgetTaken(ctx context.Context) error {
	return m.store.Write(ctx, func(tx *store.Tx) error {
		x, err := m.migration(ctx)
		if err != nil || len(x.Taken) == 0 {
			return err
		}
		x.Taken = nil
		return putMigration(tx, x)
	})
}

// forgetDerived takes what was derived from erased sessions away; to the end,
// when nothing more is to follow.
func (m *Mind) forgetDerived(ctx context.Context, sessions, chunks []int64, end bool) error {
	rows := make([]uint64, len(sessions))
	for i, seq := range sessions {
		rows[i] = uint64(seq)
	}
	errs := []error{
		m.dropSessions(ctx, sessions), m.dropTaken(ctx), m.sessions.Remove(rows), m.timeline.Follow(ctx),
		m.semantic.Erase(ctx, store.OwnerChunk, chunks),
	}
	m.net.Follow(ctx)
	for _, x := range []*follow.Indexer{m.messages, m.chunks, m.sessions} {
		x.Follow(ctx)
		if end {
			errs = append(errs, x.Expunge(ctx))
		}
	}
	if end {
		errs = append(errs, m.store.Compact(ctx))
	}
	if err := errors.Join(errs...); err != nil || !end {
		return err
	}
	return m.forgetTaken(ctx)
}
