package ingest

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"chitta/internal/session"
	"chitta/internal/store"
)

// Chunks, facts and turns are derived from messages. [Ingester.DeriveAll] has them
// made again, in the background and in steps; how far that has come is written
// down, so that a restart goes on with the conversation it was at. A chunk
// that comes out as it was stays untouched.

const (
	// notedDerived is the key of the last conversation that was done.
	notedDerived = "derived"
	// deriveTime is how long one round goes on before other background work
	// gets its turn.
	deriveTime = 2 * time.Second
)

// DeriveAll begins to derive everything again.
func (m *Ingester) DeriveAll(ctx context.Context) error {
	err := m.store.Write(ctx, func(tx *store.Tx) error { return tx.SetNote(notedDerived, "0") })
	if err != nil {
		return err
	}
	_, left, err := m.store.NextSession(ctx, 0)
	m.deriving.Store(int64(left))
	return err
}

// Deriving returns how many conversations are still to be derived again.
func (m *Ingester) Deriving() int64 { return m.deriving.Load() }

// Derive goes on with deriving, if that was begun, for a while.
func (m *Ingester) Derive(ctx context.Context) error {
	note, err := m.store.Note(ctx, notedDerived)
	if err != nil || note == "" {
		return err
	}
	done, err := strconv.ParseInt(note, 10, 64)
	if err != nil {
		return fmt.Errorf("how far deriving has come is noted as %q: %w", note, err)
	}
	for begin := time.Now(); time.Since(begin) < deriveTime; {
		seq, left, err := m.store.NextSession(ctx, done)
		if err != nil {
			return err
		}
		m.deriving.Store(int64(left))
		if seq == 0 {
			note = ""
		} else if err := m.deriveSession(ctx, seq); err != nil {
			return fmt.Errorf("derive session %d: %w", seq, err)
		} else {
			note, done = strconv.FormatInt(seq, 10), seq
		}
		if err := m.store.Write(ctx, func(tx *store.Tx) error { return tx.SetNote(notedDerived, note) }); err != nil || note == "" {
			return err
		}
	}
	return nil
}

// deriveSession makes everything again that is derived from the messages of a
// conversation, a part at a time. The main thread comes first: subagents begin
// with its clock.
func (m *Ingester) deriveSession(ctx context.Context, seq int64) error {
	var sections []store.Section
	err := m.store.Write(ctx, func(tx *store.Tx) (err error) {
		sections, err = tx.Sections(seq)
		return err
	})
	if err != nil {
		return err
	}
	for _, s := range sections { // by agent, and the main thread has no name
		from, begun := store.Section{Session: seq, Agent: s.Agent, Call: s.Call, Parent: s.Parent}, false
		for more := true; more; {
			err := m.store.Write(ctx, func(tx *store.Tx) (err error) {
				if !begun {
					if from.Clock, err = startingClock(tx, from); err != nil {
						return err
					}
				}
				from, more, err = m.derivePart(tx, from)
				return err
			})
			if err != nil {
				return err
			}
			begun = true
		}
	}
	return nil
}

// TakeBack removes the messages that a migration added to a conversation that
// was there before, within the given transaction, and derives the rest again.
// It returns the rows of messages and chunks that are gone.
func (m *Ingester) TakeBack(tx *store.Tx, migration int64, x store.Migrated) (messages, chunks []int64, err error) {
	messages, chunks, err = tx.TakeBack(migration, x, m.now())
	if err != nil || len(messages) == 0 {
		return messages, chunks, err
	}
	sections, err := tx.Sections(x.Session)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range sections {
		from := store.Section{Session: x.Session, Agent: s.Agent, Call: s.Call, Parent: s.Parent}
		if from.Clock, err = startingClock(tx, from); err != nil {
			return nil, nil, err
		}
		for more := true; more; {
			if from, more, err = m.derivePart(tx, from); err != nil {
				return nil, nil, err
			}
		}
	}
	return messages, chunks, nil
}

// startingClock is what a thread begins with: a subagent with the clock of the
// main thread at that time.
func startingClock(tx *store.Tx, s store.Section) (session.Clock, error) {
	if s.Agent == "" {
		return nil, nil
	}
	var began time.Time
	err := tx.EachOfThread(s.Session, s.Agent, 0, func(m *store.Message) (bool, error) {
		began = m.Time
		return false, nil
	})
	if err != nil {
		return nil, err
	}
	return clockAtStart(tx, s.Session, s.Agent, began)
}

// derivePart derives the next sections of a thread and returns where the one
// behind them begins. It reads the messages within the transaction: the thread
// may grow meanwhile.
func (m *Ingester) derivePart(tx *store.Tx, from store.Section) (next store.Section, more bool, err error) {
	s, err := tx.SessionBySeq(from.Session)
	if err != nil || !s.Forgotten.IsZero() {
		return from, false, err
	}
	format, err := FormatNamed(s.Source)
	if err != nil {
		return from, false, err
	}
	in := ingesting{Ingester: m, target: target{format: format}, tx: tx}
	t := newThread(from, true)
	read := 0
	err = tx.EachOfThread(from.Session, from.Agent, from.First, func(row *store.Message) (bool, error) {
		if more = read >= batchBytes && t.last > 0; more {
			return false, nil
		}
		read += len(row.Raw)
		return true, t.again(format, row)
	})
	if err != nil || len(t.messages) == 0 {
		return from, false, err
	}
	t.old = len(t.messages)
	for i := range t.messages {
		if t.moved && err == nil {
			err = tx.SetTurn(t.messages[i].Seq, t.messages[i].Turn)
		}
	}
	if err == nil {
		err = in.cut(t, !more)
	}
	return t.Section, more, err
}
