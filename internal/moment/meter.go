package moment

import (
	"context"
	"sync"
	"time"

	"chitta/internal/store"
)

// meter collects what hooks did, to be written down now and then: a hook waits
// for no disk.
type meter struct {
	mu      sync.Mutex
	calls   []store.HookCall
	dropped int // calls that were lost because they could not be written for long
}

const (
	// maxUnwritten bounds what waits to be written down.
	maxUnwritten = 10_000
	// keepCalls is how long it stays known what hooks did.
	keepCalls = 90 * 24 * time.Hour
	// charsPerToken is the estimate used everywhere where tokens are not counted
	// by the client.
	charsPerToken = 4
)

func (m *meter) note(now time.Time, took time.Duration, realm string, e *Event, a *Answer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.calls) >= maxUnwritten {
		m.dropped++
		return
	}
	m.calls = append(m.calls, store.HookCall{
		At: now, Session: e.Session, Realm: realm, Event: e.Name, Took: took + time.Duration(e.Micros)*time.Microsecond,
		Outcome: a.Outcome, Tokens: (len([]rune(a.Context)) + charsPerToken - 1) / charsPerToken, Items: a.Items,
	})
}

// take returns what waits, and forgets it.
func (m *meter) take() []store.HookCall {
	m.mu.Lock()
	defer m.mu.Unlock()
	calls := m.calls
	m.calls = nil
	return calls
}

// giveBack keeps calls that could not be written for the next time.
func (m *meter) giveBack(calls []store.HookCall) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(calls, m.calls...)
	if over := len(m.calls) - maxUnwritten; over > 0 {
		m.calls = m.calls[over:]
		m.dropped += over
	}
}

// saveCalls writes down what hooks did.
func (k *Keeper) saveCalls(ctx context.Context) error {
	calls := k.meter.take()
	if len(calls) == 0 {
		return nil
	}
	err := k.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.DropHookCalls(k.mind.Now().Add(-keepCalls)); err != nil {
			return err
		}
		return tx.AddHookCalls(calls)
	})
	if err != nil {
		k.meter.giveBack(calls)
	}
	return err
}
