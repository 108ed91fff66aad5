package rpc

import (
	"bufio"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"sync/atomic"
	"testing"
)

// dying is a daemon that takes requests and is gone before it answers; with the
// first if it dies for good.
func dying(t *testing.T, h home, forGood bool) *atomic.Int64 {
	t.Helper()
	ln, err := Listen(h.socket())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	var asked atomic.Int64
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			// a look whether somebody listens sends nothing
			if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
				asked.Add(1)
				if forGood {
					ln.Close()
				}
			}
			conn.Close()
		}
	}()
	return &asked
}

// TestReadOnlyIsAskedAgain loses the daemon between request and answer.
func TestReadOnlyIsAskedAgain(t *testing.T) {
	reads := func(method string) bool { return method == "record" }
	for _, c := range []struct {
		name     string
		readOnly func(string) bool
		method   string
		spawned  bool
	}{
		{"changes nothing", reads, "record", true},
		{"may change something", reads, "write", false},
		{"nobody says", nil, "record", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHome(t)
			asked := dying(t, h, true)
			client := h.client(t, "1.0.0", h.launcher(t))
			client.opts.ReadOnly = c.readOnly
			defer h.stopDaemon(t)
			err := client.Call(t.Context(), c.method, map[string]string{"key": "k"}, nil)
			if c.spawned != (err == nil) || err != nil && !errors.Is(err, ErrLost) {
				t.Errorf("the answer is %v", err)
			}
			if _, err := os.Stat(h.in("spawned")); c.spawned == errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a fresh daemon: %v", err)
			}
			if asked.Load() != 1 {
				t.Errorf("the one that died was asked %d times", asked.Load())
			}
			if c.spawned {
				if got := readLines(t, h.in("records")); len(got) != 1 {
					t.Errorf("the fresh one recorded %v", got)
				}
			}
		})
	}
}

// TestReadOnlyIsAskedAgainOnce does not go on against daemons that die of it.
func TestReadOnlyIsAskedAgainOnce(t *testing.T) {
	h := newHome(t)
	asked := dying(t, h, false)
	client := h.client(t, "1.0.0", h.launcher(t))
	client.opts.ReadOnly = func(string) bool { return true }
	if err := client.Call(t.Context(), "record", nil, nil); !errors.Is(err, ErrLost) {
		t.Errorf("the answer is %v", err)
	}
	if asked.Load() != 2 {
		t.Errorf("asked %d times", asked.Load())
	}
}
