package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// ledger counts how often each key was carried out.
type ledger struct {
	mu   sync.Mutex
	seen map[string]int
}

func (l *ledger) handler(server int) Handler {
	return HandlerFunc(func(_ context.Context, _ string, params json.RawMessage) (any, error) {
		var in struct{ Key string }
		if err := json.Unmarshal(params, &in); err != nil {
			return nil, err
		}
		time.Sleep(time.Millisecond) // so that some are always under way
		l.mu.Lock()
		defer l.mu.Unlock()
		l.seen[in.Key]++
		return server, nil
	})
}

// Clients hammer away while one server after another takes over the path:
// nothing is lost, nothing is done twice.
func TestHandOverLosesNothing(t *testing.T) {
	const clients, servers = 16, 6
	h := newHome(t)
	l := &ledger{seen: make(map[string]int)}
	opts := func(n int) ServerOptions { return ServerOptions{Handler: l.handler(n), QueueLimit: 1000} }
	current := serve(t, h.socket(), opts(0))

	var wg sync.WaitGroup
	var stop atomic.Bool
	var sent atomic.Int64
	for i := range clients {
		c := h.client(t, "1.0.0", nil)
		wg.Go(func() {
			for n := 0; !stop.Load(); n++ {
				key := fmt.Sprintf("%d/%d", i, n)
				for {
					err := c.Call(t.Context(), "x", map[string]string{"key": key}, nil)
					if err == nil {
						break
					}
					// The gap between two servers. Nothing was sent, so it is
					// safe to try again; any other error is a lost request.
					if !errors.Is(err, ErrNotRunning) {
						t.Errorf("%s: %v", key, err)
						return
					}
					time.Sleep(time.Millisecond)
				}
				sent.Add(1)
			}
		})
	}
	for n := 1; n < servers; n++ {
		time.Sleep(60 * time.Millisecond)
		drained := make(chan error, 1)
		old := current
		go func() { drained <- old.Shutdown(context.Background()) }()
		// Half of the time the next one comes up while the old one drains.
		if n%2 == 0 {
			eventually(t, "the socket file is gone", func() bool {
				_, err := os.Lstat(h.socket())
				return errors.Is(err, fs.ErrNotExist)
			})
			current = serve(t, h.socket(), opts(n))
		}
		if err := <-drained; err != nil {
			t.Errorf("shutdown %d: %v", n, err)
		}
		if n%2 == 1 {
			current = serve(t, h.socket(), opts(n))
		}
	}
	time.Sleep(60 * time.Millisecond)
	stop.Store(true)
	wg.Wait()

	l.mu.Lock()
	defer l.mu.Unlock()
	if int64(len(l.seen)) != sent.Load() || len(l.seen) == 0 {
		t.Errorf("%d requests were answered, %d carried out", sent.Load(), len(l.seen))
	}
	for key, n := range l.seen {
		if n != 1 {
			t.Errorf("%s was carried out %d times", key, n)
		}
	}
}

func TestShutdownFinishesWhatWasAccepted(t *testing.T) {
	h := newHome(t)
	started, release := make(chan struct{}), make(chan struct{})
	s := serve(t, h.socket(), ServerOptions{Handler: HandlerFunc(func(context.Context, string, json.RawMessage) (any, error) {
		close(started)
		<-release
		return "finished", nil
	})})
	c := h.client(t, "1.0.0", nil)
	type outcome struct {
		text string
		err  error
	}
	result := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = c.Call(context.Background(), "x", nil, &o.text)
		result <- o
	}()
	<-started
	drained := make(chan error, 1)
	go func() { drained <- s.Shutdown(context.Background()) }()
	eventually(t, "new clients are turned away", func() bool {
		_, err := c.Health(t.Context())
		return errors.Is(err, ErrNotRunning)
	})
	select {
	case err := <-drained:
		t.Fatalf("shutdown did not wait: %v", err)
	case <-time.After(2 * acceptGrace):
	}
	close(release)
	if got := <-result; got.err != nil || got.text != "finished" {
		t.Errorf("got %+v", got)
	}
	if err := <-drained; err != nil {
		t.Error(err)
	}
}

func TestShutdownCutsWhenOutOfTime(t *testing.T) {
	h := newHome(t)
	started := make(chan struct{})
	s := serve(t, h.socket(), ServerOptions{Handler: HandlerFunc(func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
		close(started)
		<-ctx.Done() // ends only by the cut
		return nil, ctx.Err()
	})})
	result := make(chan error, 1)
	c := h.client(t, "1.0.0", nil)
	go func() { result <- c.Call(context.Background(), "x", nil, nil) }()
	<-started
	ctx, cancel := context.WithTimeout(t.Context(), 2*acceptGrace)
	defer cancel()
	if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("shutdown: %v", err)
	}
	if err := <-result; !errors.Is(err, ErrLost) {
		t.Errorf("client got %v, want ErrLost", err)
	}
}

func TestCloseDoesNotWaitForStubbornHandlers(t *testing.T) {
	h := newHome(t)
	started, release := make(chan struct{}), make(chan struct{})
	s := serve(t, h.socket(), ServerOptions{Handler: HandlerFunc(func(context.Context, string, json.RawMessage) (any, error) {
		close(started)
		<-release
		return nil, nil
	})})
	defer close(release)
	result := make(chan error, 1)
	c := h.client(t, "1.0.0", nil)
	go func() { result <- c.Call(context.Background(), "x", nil, nil) }()
	<-started
	begun := time.Now()
	if err := s.Close(); err == nil || time.Since(begun) > cutGrace+2*time.Second {
		t.Errorf("close: %v after %v", err, time.Since(begun))
	}
	if err := <-result; !errors.Is(err, ErrLost) {
		t.Errorf("client got %v, want ErrLost", err)
	}
}

func TestShutdownOnRequest(t *testing.T) {
	h := newHome(t)
	reasons := make(chan string, 5)
	s := serve(t, h.socket(), ServerOptions{Handler: testHandler(), OnShutdown: func(reason string) { reasons <- reason }})
	c := h.client(t, "1.0.0", nil)
	c.opts.Lock = "" // this process holds none: go by the socket
	stopped := make(chan error, 2)
	for range 2 {
		go func() { stopped <- c.Stop(t.Context()) }()
	}
	if got := <-reasons; got != "stop" {
		t.Errorf("reason = %q", got)
	}
	if err := s.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := <-stopped; err != nil && !errors.Is(err, ErrNotRunning) {
			t.Error(err)
		}
	}
	if len(reasons) != 0 {
		t.Error("OnShutdown was called twice")
	}
}

func TestShutdownBeforeServe(t *testing.T) {
	h := newHome(t)
	ln, err := Listen(h.socket())
	if err != nil {
		t.Fatal(err)
	}
	s := NewServer(ServerOptions{Handler: testHandler()})
	if err := s.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Serve(ln); err != nil {
		t.Error(err)
	}
	if err := h.client(t, "1.0.0", nil).Call(t.Context(), "nothing", nil, nil); !errors.Is(err, ErrNotRunning) {
		t.Errorf("error = %v", err)
	}
	if _, err := os.Lstat(h.socket()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket file is left: %v", err)
	}
}

// The second signal: a drain is under way and is cut.
func TestCloseDuringShutdown(t *testing.T) {
	h := newHome(t)
	started := make(chan struct{})
	s := serve(t, h.socket(), ServerOptions{Handler: HandlerFunc(func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
		close(started)
		<-ctx.Done()
		return nil, ctx.Err()
	})})
	result := make(chan error, 1)
	c := h.client(t, "1.0.0", nil)
	go func() { result <- c.Call(context.Background(), "x", nil, nil) }()
	<-started
	drained := make(chan error, 1)
	go func() { drained <- s.Shutdown(context.Background()) }()
	time.Sleep(2 * acceptGrace)
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if err := <-drained; err != nil {
		t.Errorf("shutdown: %v", err)
	}
	if err := <-result; !errors.Is(err, ErrLost) {
		t.Errorf("client got %v, want ErrLost", err)
	}
}
