package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestDeadline(t *testing.T) {
	h := newHome(t)
	var log logBuffer
	release := make(chan struct{})
	s := serve(t, h.socket(), ServerOptions{
		RequestTimeout: 200 * time.Millisecond, SlowRequest: 50 * time.Millisecond, Logger: log.logger(), Known: known,
		Handler: HandlerFunc(func(ctx context.Context, method string, _ json.RawMessage) (any, error) {
			switch method {
			case "stubborn": // ignores its context
				<-release
			case "polite":
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return "done", nil
		}),
	})
	defer close(release)
	call := func(method string, headers ...string) (string, time.Duration) {
		started := time.Now()
		_, out := post(t, h.socket(), "/rpc", strings.NewReader(`{"jsonrpc":"2.0","id":5,"method":"`+method+`","params":{"secret":"s3cret"}}`), headers...)
		return out, time.Since(started)
	}
	out, took := call("stubborn")
	if !strings.Contains(out, `"id":5`) || !strings.Contains(out, "-32004") || took < 190*time.Millisecond || took > 5*time.Second {
		t.Errorf("after %v: %s", took, out)
	}
	out, _ = call("polite")
	if !strings.Contains(out, "-32004") {
		t.Errorf("polite: %s", out)
	}
	out, took = call("stubborn", headerTimeout, "20")
	if !strings.Contains(out, "-32004") || took > 190*time.Millisecond {
		t.Errorf("with a shorter deadline, after %v: %s", took, out)
	}
	// Nobody can ask for more than the server allows.
	out, took = call("polite", headerTimeout, "60000")
	if !strings.Contains(out, "-32004") || took > 5*time.Second {
		t.Errorf("with a longer deadline, after %v: %s", took, out)
	}
	eventually(t, "the watchdog reports all four", func() bool { return s.pool.slow.Load() == 4 })
	eventually(t, "only the two stubborn ones occupy a worker", func() bool { return s.pool.running.Load() == 2 })
	if l := log.String(); !strings.Contains(l, "request is slow") || !strings.Contains(l, "method=stubborn") || strings.Contains(l, "s3cret") {
		t.Errorf("log: %s", l)
	}
}

func TestBatchPastDeadline(t *testing.T) {
	h := newHome(t)
	var late atomic.Int64
	serve(t, h.socket(), ServerOptions{
		RequestTimeout: 100 * time.Millisecond,
		Handler: HandlerFunc(func(ctx context.Context, method string, _ json.RawMessage) (any, error) {
			switch method {
			case "wait":
				<-ctx.Done()
			case "late":
				late.Add(1)
			}
			return method, nil
		}),
	})
	_, out := post(t, h.socket(), "/rpc", strings.NewReader(
		`[{"jsonrpc":"2.0","id":1,"method":"quick"},{"jsonrpc":"2.0","id":2,"method":"wait"},{"jsonrpc":"2.0","id":3,"method":"late"}]`))
	var answers []answer
	if err := json.Unmarshal([]byte(out), &answers); err != nil || len(answers) != 3 {
		t.Fatalf("%v: %s", err, out)
	}
	if string(answers[0].Result) != `"quick"` {
		t.Errorf("what was done in time is lost: %s", out)
	}
	if answers[2].Error == nil || answers[2].Error.Code != CodeTimeout {
		t.Errorf("what was not begun: %s", out)
	}
	if late.Load() != 0 {
		t.Error("an entry was begun after the deadline")
	}
}

func TestClientGone(t *testing.T) {
	h := newHome(t)
	started, ended := make(chan struct{}), make(chan error, 1)
	serve(t, h.socket(), ServerOptions{Handler: HandlerFunc(func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
		close(started)
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	})})
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	c := h.client(t, "1.0.0", nil)
	go func() { result <- c.Call(ctx, "x", nil, nil) }()
	<-started
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("client got %v", err)
	}
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("handler's context ended with %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("the handler did not learn that its client is gone")
	}
}

func TestBusy(t *testing.T) {
	h := newHome(t)
	release := make(chan struct{})
	s := serve(t, h.socket(), ServerOptions{
		MinWorkers: 1, MaxWorkers: 2, QueueLimit: 1,
		Handler: HandlerFunc(func(context.Context, string, json.RawMessage) (any, error) { <-release; return nil, nil }),
	})
	c := h.client(t, "1.0.0", nil)
	results := make(chan error, 3)
	for range 3 {
		go func() { results <- c.Call(t.Context(), "x", nil, nil) }()
	}
	eventually(t, "two run, one waits", func() bool { return s.pool.running.Load() == 2 && s.pool.queued() == 1 })
	err := c.Call(t.Context(), "x", nil, nil)
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeUnavailable || e.Hint() == "" {
		t.Errorf("error = %v", err)
	}
	if _, err := c.Health(t.Context()); err != nil {
		t.Errorf("a busy daemon must still say how it is: %v", err)
	}
	close(release)
	for range 3 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}
