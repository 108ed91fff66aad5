package rpc

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func testTask(run func()) *task {
	return &task{run: run, describe: func() []any { return []any{keyMethod, "m"} }}
}

func TestPoolGrowsAndShrinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(2, 5, 3, time.Hour, quiet())
		p.start()
		if got := p.workerCount(); got != 2 {
			t.Fatalf("%d workers at the start", got)
		}
		release := make(chan struct{})
		for i := range 8 {
			if err := p.submit(testTask(func() { <-release })); err != nil {
				t.Fatalf("task %d: %v", i, err)
			}
		}
		synctest.Wait()
		if w, r, q := p.workerCount(), p.running.Load(), p.queued(); w != 5 || r != 5 || q != 3 {
			t.Errorf("%d workers, %d running, %d waiting; want 5, 5, 3", w, r, q)
		}
		if err := p.submit(testTask(func() {})); !errors.Is(err, errQueueFull) {
			t.Errorf("beyond the queue: %v", err)
		}
		close(release)
		synctest.Wait()
		if r, q := p.running.Load(), p.queued(); r != 0 || q != 0 {
			t.Errorf("%d running, %d waiting after the release", r, q)
		}
		time.Sleep(workerIdle - time.Second)
		if got := p.workerCount(); got != 5 {
			t.Errorf("%d workers before they are idle long enough", got)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := p.workerCount(); got != 2 {
			t.Errorf("%d workers after a rest, want 2", got)
		}
		if err := p.close(t.Context()); err != nil {
			t.Error(err)
		}
		if err := p.submit(testTask(func() {})); !errors.Is(err, errPoolClosed) {
			t.Errorf("after close: %v", err)
		}
	})
}

// Work that comes one by one is done without further workers.
func TestPoolDoesNotGrowNeedlessly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(1, 8, 8, time.Hour, quiet())
		p.start()
		for range 100 {
			done := make(chan struct{})
			if err := p.submit(testTask(func() { close(done) })); err != nil {
				t.Fatal(err)
			}
			<-done
			synctest.Wait()
		}
		if got := p.workerCount(); got != 1 {
			t.Errorf("%d workers, want 1", got)
		}
		if err := p.close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestPoolKeepsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(1, 1, 100, time.Hour, quiet())
		p.start()
		var got []int
		for i := range 50 {
			if err := p.submit(testTask(func() { got = append(got, i) })); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		for i, v := range got {
			if i != v {
				t.Fatalf("order %v", got)
			}
		}
		if err := p.close(t.Context()); err != nil || len(got) != 50 {
			t.Errorf("%d done, %v", len(got), err)
		}
	})
}

func TestWatchdogReportsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log logBuffer
		p := newPool(1, 2, 1, time.Second, log.logger())
		p.start()
		if err := p.submit(testTask(func() { time.Sleep(time.Minute) })); err != nil {
			t.Fatal(err)
		}
		if err := p.submit(testTask(func() { time.Sleep(900 * time.Millisecond) })); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second - time.Nanosecond)
		synctest.Wait()
		if got := p.slow.Load(); got != 0 {
			t.Errorf("%d reported too early", got)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if got := p.slow.Load(); got != 1 {
			t.Errorf("%d reported, want 1", got)
		}
		if l := log.String(); strings.Count(l, "request is slow") != 1 || !strings.Contains(l, "method=m") || !strings.Contains(l, "age=1s") {
			t.Errorf("log: %s", l)
		}
		if err := p.close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestPoolCloseWaitsAndGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(1, 1, 5, time.Hour, quiet())
		p.start()
		ran := 0
		for range 3 {
			if err := p.submit(testTask(func() { ran++; time.Sleep(time.Minute) })); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := p.close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("close with little time: %v", err)
		}
		if err := p.close(t.Context()); err != nil {
			t.Errorf("close with time: %v", err)
		}
		if ran != 1 {
			t.Errorf("%d tasks were begun, want only the one that ran", ran)
		}
	})
}

func TestPoolSurvivesPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(1, 1, 1, time.Hour, quiet())
		p.start()
		if err := p.submit(testTask(func() { panic("boom") })); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		done := false
		if err := p.submit(testTask(func() { done = true })); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if !done || p.panics.Load() != 1 {
			t.Errorf("done %v, panics %d", done, p.panics.Load())
		}
		if err := p.close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
