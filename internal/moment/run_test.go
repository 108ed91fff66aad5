package moment

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chitta/internal/store"
)

// TestRunIsNotPutOffByEvents: however fast events come, what they leave is
// written down.
func TestRunIsNotPutOffByEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { h.Run(ctx) })
		for range 40 {
			h.attend(Event{Name: PostToolUse, Session: "s1"})
			time.Sleep(settle / 10)
		}
		calls, err := h.store.HookCalls(t.Context(), store.HookCallFilter{Limit: 100})
		if err != nil || len(calls) < 20 {
			t.Errorf("%d of 40 calls were written down while events came, %v", len(calls), err)
		}
		stop()
		running.Wait()
		if calls, err := h.store.HookCalls(t.Context(), store.HookCallFilter{Limit: 100}); err != nil || len(calls) != 40 {
			t.Errorf("%d of 40 calls were written down at the end, %v", len(calls), err)
		}
	})
}
