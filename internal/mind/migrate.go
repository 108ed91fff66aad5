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
// erased, and stays away until somebody migrates again.

// Migration is the last migration.
type Migration struct {
	Started    time.Time  `json:"started"`
	Finished   time.Time  `json:"finished,omitzero"`
	RolledBack time.Time  `json:"rolled_back,omitzero"`
	After      int64      `json:"after"`            // sessions behind this row are its own
	Upto       int64      `json:"upto,omitempty"`   // up to this one
	Erased     []int64    `json:"erased,omitempty"` // rows that the rollback emptied
	Files      []int64    `json:"files,omitempty"`  // transcripts they were read from
	Before     *Migration `json:"before,omitempty"` // the one before, until this one has brought something
}

// MigrationOutput says how a migration stands.
type MigrationOutput struct {
	Started    time.Time `json:"started,omitzero"`
	Finished   time.Time `json:"finished,omitzero"`
	RolledBack time.Time `json:"rolled_back,omitzero"`
	Sessions   int       `json:"sessions"` // that it brought, or that were erased in this call
	Messages   int       `json:"messages"`
	Done       bool      `json:"done"` // of a rollback: nothing is left; otherwise call again
}

// migrationHold is for how long a migration keeps the transcripts to itself,
// should it never finish.
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
// What an earlier migration brought and a rollback erased may come back.
func (m *Mind) MigrationBegin(ctx context.Context, _ Caller, _ NoInput) (MigrationOutput, error) {
	before, err := m.migration(ctx)
	if err != nil {
		return MigrationOutput{}, err
	}
	x := Migration{Started: m.now()}
	if before.RolledBack.IsZero() && !before.Started.IsZero() {
		before.Before = nil
		x.Before = &before
	}
	m.ingest.HoldWatch(m.opts.Now().Add(migrationHold)) // or it would take over a part unseen
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		for _, seq := range before.Erased {
			if err := tx.FreeSessionID(seq); err != nil {
				return err
			}
		}
		if err := tx.ReadAgain(before.Files); err != nil {
			return err
		}
		if x.After, err = tx.LastSession(); err != nil {
			return err
		}
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
	if x.Started.IsZero() {
		return MigrationOutput{}, &memory.RefusedError{Reason: "no migration has begun", Hint: "chitta migrate begins one"}
	}
	m.ingest.HoldWatch(time.Time{})
	x.Finished = m.now()
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		if x.Upto, err = tx.LastSession(); err != nil {
			return err
		}
		if x.Upto == x.After && x.Before != nil {
			return putMigration(tx, *x.Before) // nothing new: the one before can still be undone
		}
		x.Before = nil
		return putMigration(tx, x)
	})
	if err != nil {
		return MigrationOutput{}, err
	}
	out := MigrationOutput{Started: x.Started, Finished: x.Finished, Done: true}
	out.Sessions, out.Messages, err = m.store.CountBetween(ctx, x.After, x.Upto)
	return out, err
}

// rollbackAtOnce is how many sessions one call erases.
const rollbackAtOnce = 20

// MigrationRollback erases what the last migration brought, a part at a time.
func (m *Mind) MigrationRollback(ctx context.Context, _ Caller, _ NoInput) (MigrationOutput, error) {
	x, err := m.migration(ctx)
	if err != nil {
		return MigrationOutput{}, err
	}
	if x.Started.IsZero() {
		return MigrationOutput{}, &memory.RefusedError{Reason: "there is no migration to roll back", Hint: "chitta session forget erases a single session"}
	}
	if x.Upto == 0 { // it was interrupted
		if x.Upto, err = m.store.LastSession(ctx); err != nil {
			return MigrationOutput{}, err
		}
	}
	sessions, err := m.store.SessionsBetween(ctx, x.After, x.Upto, rollbackAtOnce)
	if err != nil {
		return MigrationOutput{}, err
	}
	out := MigrationOutput{Started: x.Started, Finished: x.Finished, Sessions: len(sessions)}
	var chunks []int64
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		for _, seq := range sessions {
			files, err := tx.FilesOf(seq)
			if err != nil {
				return err
			}
			for _, f := range files {
				if !slices.Contains(x.Files, f) {
					x.Files = append(x.Files, f)
				}
			}
			gone, messages, err := tx.ForgetSession(seq, m.now(), false)
			if err != nil {
				return err
			}
			chunks = append(chunks, gone...)
			out.Messages += messages
		}
		x.Erased = append(x.Erased, sessions...)
		if out.Done = len(sessions) < rollbackAtOnce; out.Done {
			x.RolledBack = m.now()
		}
		return putMigration(tx, x)
	})
	if err != nil {
		return MigrationOutput{}, err
	}
	out.RolledBack = x.RolledBack
	return out, m.forgetDerived(ctx, sessions, chunks, out.Done)
}

// forgetDerived takes what was derived from erased sessions away; to the end,
// when nothing more is to follow.
func (m *Mind) forgetDerived(ctx context.Context, sessions, chunks []int64, end bool) error {
	rows := make([]uint64, len(sessions))
	for i, seq := range sessions {
		rows[i] = uint64(seq)
	}
	errs := []error{
		m.dropForgotten(ctx), m.sessions.Remove(rows), m.timeline.Follow(ctx),
		m.semantic.Erase(ctx, store.OwnerChunk, chunks),
	}
	for _, x := range []*follow.Indexer{m.messages, m.chunks, m.sessions} {
		x.Follow(ctx)
		if end {
			errs = append(errs, x.Expunge(ctx))
		}
	}
	if end {
		errs = append(errs, m.store.Compact(ctx))
	}
	return errors.Join(errs...)
}
