//go:build unix

package hook

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/hook/quick"
)

// patience is for a busy machine; a hook of its own has its event's time.
const patience = 10 * time.Second

// TestAStartThatMeetsADyingDaemonStartsOne: the daemon is killed with the
// request in its hands, and the program to start one notes that it was run.
func TestAStartThatMeetsADyingDaemonStartsOne(t *testing.T) {
	for _, event := range []string{quick.SessionStart, quick.Stop} {
		t.Run(event, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "ch-*") // short, for the socket's sake
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			paths := config.PathsFor(dir)
			l, err := net.Listen("unix", paths.Socket())
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = conn.Read(make([]byte, 1))
				l.Close()
				conn.Close()
			}()
			ran := filepath.Join(dir, "ran")
			exe := filepath.Join(dir, "daemon")
			if err := os.WriteFile(exe, []byte("#!/bin/sh\n: >"+ran+"\nexit 3\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			c := quick.New([]string{event, "--home", dir}, time.Now())
			if !c.Read(strings.NewReader(`{"session_id":"s"}`)) {
				t.Fatal("the report is not taken")
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			_, err = ask(ctx, c, paths, exe)
			if err == nil {
				t.Error("a daemon that is none answered")
			}
			if _, serr := os.Stat(ran); (serr == nil) != (event == quick.SessionStart) {
				t.Errorf("started: %v; the call says %v", serr == nil, err)
			}
		})
	}
}

// TestAHomeThatCannotBeUsedIsNoted: the reason is where somebody looks who does
// not have the variable that is wrong.
func TestAHomeThatCannotBeUsedIsNoted(t *testing.T) {
	for _, home := range []string{"relative/data", "/somewhere/.claude/data"} {
		t.Run(home, func(t *testing.T) {
			user := t.TempDir()
			usual := filepath.Join(user, ".chitta")
			if err := os.Mkdir(usual, 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv("HOME", user)
			t.Setenv("CHITTA_HOME", home)
			var out bytes.Buffer
			o := Options{Stdin: strings.NewReader(`{"session_id":"s"}`), Stdout: &out}
			run(t.Context(), quick.New([]string{quick.SessionStart}, time.Now()), o)
			s, err := Failures(config.PathsFor(usual))
			if err != nil || s.ByReason[quick.BadHome] != 1 || !strings.Contains(s.Last.Detail, home) || out.Len() > 0 {
				t.Errorf("the log says %+v, %v; printed %q", s, err, out.String())
			}
		})
	}
}
