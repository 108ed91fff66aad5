package rpc

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestNotRunning(t *testing.T) {
	h := newHome(t)
	c := h.client(t, "1.0.0", nil)
	if err := c.Call(t.Context(), "x", nil, nil); !errors.Is(err, ErrNotRunning) {
		t.Errorf("no socket: %v", err)
	}
	// A socket left by a daemon that was killed.
	ln, err := Listen(h.socket())
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	if err := c.Call(t.Context(), "x", nil, nil); !errors.Is(err, ErrNotRunning) {
		t.Errorf("stale socket: %v", err)
	}
	if _, err := c.Health(t.Context()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("health: %v", err)
	}
	if err := c.Stop(t.Context()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("stop: %v", err)
	}
}

// rogue is a server that answers with fixed bytes after reading the request.
func rogue(t *testing.T, path, response string) *atomic.Int64 {
	t.Helper()
	ln, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	var requests atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			if req, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
				req.Body.Close()
				requests.Add(1)
			}
			_, _ = conn.Write([]byte(response))
			conn.Close()
		}
	}()
	t.Cleanup(func() { ln.Close(); <-done })
	return &requests
}

func TestStrangeAnswers(t *testing.T) {
	tests := []struct {
		name     string
		response string
		want     string
		is       error
	}{
		{name: "nothing", response: "", is: ErrLost},
		{name: "cut header", response: "HTTP/1.1 200", is: ErrLost},
		{name: "cut body", response: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", is: ErrLost},
		{name: "not HTTP", response: "hello\r\n\r\n", is: ErrLost},
		{name: "not JSON", response: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", want: "unexpected answer"},
		{name: "neither result nor error", response: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", want: "unexpected answer"},
		{name: "no content", response: "HTTP/1.1 204 No Content\r\n\r\n", want: "unexpected answer"},
		{name: "too much", response: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + strings.Repeat(" ", maxResponseBytes+1), want: "larger than"},
		{name: "wrong type", response: "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{\"result\":1}", want: "decode the result"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHome(t)
			requests := rogue(t, h.socket(), tt.response)
			var out struct{ A string }
			err := h.client(t, "1.0.0", nil).Call(t.Context(), "x", map[string]int{"a": 1}, &out)
			if err == nil || !strings.Contains(err.Error(), tt.want) || (tt.is != nil && !errors.Is(err, tt.is)) {
				t.Errorf("error = %v", err)
			}
			if n := requests.Load(); n != 1 {
				t.Errorf("the request was sent %d times", n)
			}
		})
	}
}

func TestClientTimeout(t *testing.T) {
	h := newHome(t)
	ln, err := net.Listen("unix", h.socket()) // accepts nothing
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	c := New(ClientOptions{Socket: h.socket(), Timeout: 50 * time.Millisecond})
	defer c.Close()
	if err := c.Call(t.Context(), "x", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Call(ctx, "x", nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v", err)
	}
}

func TestLargeRequestAndAnswer(t *testing.T) {
	h := newHome(t)
	serve(t, h.socket(), ServerOptions{Handler: testHandler()})
	in := map[string]string{"text": strings.Repeat("é", 2<<20)}
	var out map[string]string
	c := h.client(t, "1.0.0", nil)
	if err := c.Call(t.Context(), "echo", in, &out); err != nil {
		t.Fatal(err)
	}
	if out["text"] != in["text"] {
		t.Error("the text did not survive")
	}
	in["text"] = strings.Repeat("x", 20<<20)
	if err := c.Call(t.Context(), "echo", in, nil); CodeOf(err) != CodeTooLarge {
		t.Errorf("error = %v", err)
	}
	if err := c.Call(t.Context(), "echo", func() {}, nil); err == nil {
		t.Error("parameters that cannot be encoded were sent")
	}
}

func TestRaw(t *testing.T) {
	h := newHome(t)
	serve(t, h.socket(), ServerOptions{Handler: testHandler()})
	c := h.client(t, "1.0.0", nil)
	out, err := c.Raw(t.Context(), []byte(`{"jsonrpc":"2.0","method":"echo"}`))
	if err != nil || out != nil {
		t.Errorf("notification: %q, %v", out, err)
	}
	out, err = c.Raw(t.Context(), []byte(`nonsense`))
	if err != nil || !strings.Contains(string(out), "-32700") {
		t.Errorf("nonsense: %q, %v", out, err)
	}
}

func TestNewer(t *testing.T) {
	tests := []struct {
		name string
		a, b string
		want bool
	}{
		{name: "patch", a: "1.0.1", b: "1.0.0", want: true},
		{name: "numbers, not text", a: "1.10.0", b: "1.9.0", want: true},
		{name: "same", a: "1.0.0", b: "1.0.0"},
		{name: "older", a: "1.0.0", b: "1.0.1"},
		{name: "release after pre-release", a: "1.0.0", b: "1.0.0-dev", want: true},
		{name: "build is ignored", a: "1.0.0+b", b: "1.0.0+a"},
		{name: "not a version", a: "devel", b: "1.0.0"},
		{name: "against none", a: "1.0.0", b: ""},
		{name: "with v", a: "v2.0.0", b: "1.0.0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Newer(tt.a, tt.b); got != tt.want {
				t.Errorf("Newer(%q, %q) = %v", tt.a, tt.b, got)
			}
		})
	}
}
