//go:build unix

package quick

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestADaemonThatDies holds which calls are left to package hook when the daemon
// goes away with the request: the start of a session, which may start another,
// as long as nothing was answered.
func TestADaemonThatDies(t *testing.T) {
	silent := func(net.Conn) {}
	after := func(conn net.Conn) { _, _ = conn.Read(make([]byte, bufferBytes)) }
	halfway := func(conn net.Conn) { after(conn); _, _ = conn.Write([]byte("HTTP/1.0 200 OK\r\n\r\n{")) }
	tests := []struct {
		name, event string
		serve       func(net.Conn)
		over        bool
	}{
		{"before it reads a start", SessionStart, silent, false},
		{"after it read a start", SessionStart, after, false},
		{"while it answers a start", SessionStart, halfway, true},
		{"before it reads another", Stop, silent, true},
		{"after it read another", Stop, after, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home, err := os.MkdirTemp("", "ch-*") // short, for the socket's sake
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(home)
			l, err := net.Listen("unix", filepath.Join(home, "chitta.sock"))
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			go func() {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				tt.serve(conn)
				conn.Close()
			}()
			c := New([]string{tt.event, "--home", home}, time.Now())
			if over := c.finish(strings.NewReader(`{"session_id":"s"}`)); over != tt.over {
				t.Errorf("over: %v", over)
			}
			log, _ := os.ReadFile(filepath.Join(home, "logs", LogName)) // none is empty
			if strings.Contains(string(log), Unreadable) != tt.over {
				t.Errorf("the log: %q", log)
			}
		})
	}
}
