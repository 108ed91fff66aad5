//go:build !windows

package rpc

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestListen(t *testing.T) {
	// Under any umask the socket is for its owner only.
	for _, umask := range []int{0, 0o022, 0o777} {
		h := newHome(t)
		old := syscall.Umask(umask)
		ln, err := Listen(h.socket())
		syscall.Umask(old)
		if err != nil {
			t.Fatalf("umask %o: %v", umask, err)
		}
		info, err := os.Lstat(h.socket())
		if err != nil || info.Mode() != os.ModeSocket|0o600 {
			t.Errorf("umask %o: %v, %v", umask, info.Mode(), err)
		}
		ln.Close()
		if _, err := os.Lstat(h.socket()); err != nil {
			t.Errorf("closing the listener must leave the file: %v", err)
		}
	}
}

func TestListenReplacesStale(t *testing.T) {
	h := newHome(t)
	for range 3 {
		ln, err := Listen(h.socket())
		if err != nil {
			t.Fatal(err)
		}
		ln.Close()
	}
	entries, err := os.ReadDir(string(h))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	other := h.in("other.sock")
	if err := os.WriteFile(other, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(other); err == nil || !strings.Contains(err.Error(), "not a socket") {
		t.Errorf("a file was replaced: %v", err)
	}
	if _, err := Listen(h.in("none/a.sock")); err == nil {
		t.Error("listening in a missing directory")
	}
}

// The longest path a socket can have can be listened on.
func TestListenLongestPath(t *testing.T) {
	h := newHome(t)
	const sunPath = 103 // what every supported Unix can do
	dir := h.in(strings.Repeat("d", sunPath-len(h.in(""))-len("//chitta.sock")))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "chitta.sock")
	serve(t, path, ServerOptions{Handler: testHandler()})
	c := New(ClientOptions{Socket: path})
	defer c.Close()
	if err := c.Call(t.Context(), "nothing", nil, nil); err != nil {
		t.Errorf("path of %d bytes: %v", len(path), err)
	}
}

func TestBacklog(t *testing.T) {
	h := newHome(t)
	ln, err := Listen(h.socket())
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	ul := ln.(*Listener).UnixListener
	if hasBacklog(ul) {
		t.Error("a backlog before anybody connected")
	}
	conn, err := net.Dial("unix", h.socket())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if !hasBacklog(ul) {
		t.Error("the waiting connection is not seen")
	}
	accepted, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()
	if hasBacklog(ul) {
		t.Error("the accepted connection is still seen")
	}
}

// A server removes only the socket it made, not the one of its successor.
func TestUnlinkOnlyOwn(t *testing.T) {
	h := newHome(t)
	first := serve(t, h.socket(), ServerOptions{Handler: testHandler()})
	serve(t, h.socket(), ServerOptions{Handler: testHandler()})
	if err := first.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.client(t, "1.0.0", nil).Call(t.Context(), "nothing", nil, nil); err != nil {
		t.Errorf("the second server lost its socket: %v", err)
	}
}
