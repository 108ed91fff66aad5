package daemon

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/hook"
	"chitta/internal/hook/quick"
	"chitta/internal/moment"
	"chitta/internal/rpc"
)

// slack is what a busy machine may add to a limit; a post that is not bounded
// takes seconds.
const slack = 700 * time.Millisecond

// stalled begins a post and never ends it.
func stalled(t *testing.T, address, event, begin string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := fmt.Fprintf(conn, "POST /hook/%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: 1000\r\n\r\n%s", event, testToken, begin); err != nil {
		t.Fatal(err)
	}
	return conn
}

// answered reads an answer and returns its body.
func answered(t *testing.T, conn net.Conn) string {
	t.Helper()
	if err := conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s, %v", res.Status, err)
	}
	return string(text)
}

// TestAStalledPostIsAnsweredInTime: what came by half of the event's time
// counts, and the rest is not waited for.
func TestAStalledPostIsAnsweredInTime(t *testing.T) {
	tests := []struct {
		name, begin   string
		asked, missed string
	}{
		{"at once", "", "", quick.SlowInput},
		{"within the report", `{"prompt":"how`, "", quick.SlowInput},
		{"after the session", `{"session_id":"s","prompt":"how`, `"session":"s"`, ""},
		{"after the report", `{"session_id":"s","prompt":"how?"}`, `"prompt":"how?"`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asked := make(chan string, 1)
			home, url := posting(t, func(_ context.Context, _ string, params json.RawMessage) (any, error) {
				asked <- string(params)
				return moment.Answer{}, nil
			})
			begun := time.Now()
			conn := stalled(t, strings.TrimPrefix(url, "http://"), quick.UserPromptSubmit, tt.begin)
			got, took := answered(t, conn), time.Since(begun)
			if rule, _ := quick.RuleOf(quick.UserPromptSubmit); got != "{}" || took > rule.Limit+slack {
				t.Errorf("%q after %v", got, took)
			}
			params := ""
			select {
			case params = <-asked:
			default:
			}
			if !strings.Contains(params, tt.asked) || tt.asked == "" && params != "" {
				t.Errorf("asked %q", params)
			}
			s, err := hook.Failures(config.PathsFor(home))
			if err != nil || tt.missed == "" && s.Count > 0 || tt.missed != "" && s.ByReason[tt.missed] != 1 {
				t.Errorf("the log says %v, %v", s.ByReason, err)
			}
		})
	}
}

// TestStalledPostsHoldNoSlots: as many as there are slots, and one that is whole
// is answered all the same.
func TestStalledPostsHoldNoSlots(t *testing.T) {
	const fenced = "<chitta-memory note=\"x\">\nuse tabs\n</chitta-memory>"
	_, url := posting(t, func(context.Context, string, json.RawMessage) (any, error) {
		return moment.Answer{Context: fenced}, nil
	})
	for range maxPosts {
		stalled(t, strings.TrimPrefix(url, "http://"), quick.SessionStart, "{")
	}
	if got := post(t, url, quick.SessionStart, `{"session_id":"s"}`); !strings.Contains(got, "use tabs") {
		t.Errorf("answered %q", got)
	}
}

// TestAnOperationHasItsEventsTime: its context ends within the limit of each
// event, and one that does not care is not waited for.
func TestAnOperationHasItsEventsTime(t *testing.T) {
	for _, event := range moment.Events() {
		t.Run(event, func(t *testing.T) {
			until, hold := make(chan time.Duration, 1), make(chan struct{})
			home, url := posting(t, func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
				deadline, _ := ctx.Deadline()
				until <- time.Until(deadline)
				<-hold
				return moment.Answer{}, nil
			})
			defer close(hold)
			begun := time.Now()
			got, took := post(t, url, event, `{"session_id":"s"}`), time.Since(begun)
			rule, _ := quick.RuleOf(event)
			if got != "{}" || took > rule.Limit+slack {
				t.Errorf("%q after %v", got, took)
			}
			if left := <-until; left > rule.Limit || left < rule.Limit-slack {
				t.Errorf("it has %v of %v", left, rule.Limit)
			}
			if s, err := hook.Failures(config.PathsFor(home)); err != nil || s.ByReason[quick.NoAnswer] != 1 {
				t.Errorf("the log says %v, %v", s.ByReason, err)
			}
		})
	}
}

// TestAnOperationThatBreaks ends neither the daemon nor what comes after.
func TestAnOperationThatBreaks(t *testing.T) {
	home, url := posting(t, func(context.Context, string, json.RawMessage) (any, error) { panic("broken") })
	for range maxPosts + 1 {
		if got := post(t, url, quick.Stop, `{"session_id":"s"}`); got != "{}" {
			t.Errorf("answered %q", got)
		}
	}
	if s, err := hook.Failures(config.PathsFor(home)); err != nil || s.ByReason[quick.Panicked] != maxPosts+1 {
		t.Errorf("the log says %v, %v", s.ByReason, err)
	}
}

// listening serves posts as a daemon does.
func listening(t *testing.T) (p *posts, home string) {
	t.Helper()
	cfg := freshConfig(t)
	cfg.HTTP.Listen = "127.0.0.1:0"
	if err := os.MkdirAll(cfg.Home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cfg.Paths().HTTPToken(), []byte(testToken), tokenMode); err != nil {
		t.Fatal(err)
	}
	op := rpc.HandlerFunc(func(context.Context, string, json.RawMessage) (any, error) { return moment.Answer{}, nil })
	p = openPosts(cfg, op, slog.New(slog.DiscardHandler))
	if p.problem != "" {
		t.Fatal(p.problem)
	}
	go p.serve()
	t.Cleanup(p.close)
	return p, cfg.Home
}

// TestConnectionsAreFew: beyond the limit they are closed at once, and those
// that say nothing make place for others.
func TestConnectionsAreFew(t *testing.T) {
	p, home := listening(t)
	address := p.listener.Addr().String()
	var all []net.Conn
	for range maxConns + 20 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		all = append(all, conn)
	}
	last := all[len(all)-1]
	begun := time.Now()
	if err := last.SetReadDeadline(begun.Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := last.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) || time.Since(begun) > postHeaderTimeout/2 {
		t.Errorf("one beyond the limit: %v after %v", err, time.Since(begun))
	}
	if n := len(p.listener.(*fewConns).open); n != maxConns {
		t.Errorf("%d are open", n)
	}
	first := all[0]
	if err := first.SetReadDeadline(begun.Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) || time.Since(begun) > postHeaderTimeout+slack {
		t.Errorf("one that says nothing: %v after %v", err, time.Since(begun))
	}
	for range 100 { // the server ends the others in its own time
		if len(p.listener.(*fewConns).open) == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if got := post(t, "http://"+address, quick.Stop, `{"session_id":"s"}`); got != "{}" {
		t.Errorf("answered %q afterwards", got)
	}
	if s, err := hook.Failures(config.PathsFor(home)); err != nil || s.ByReason[quick.TooManyConns] != 1 {
		t.Errorf("the log says %v, %v", s.ByReason, err)
	}
}

// TestRefusalsAreNotedAndHoldNothing: each reason is in the log, once for many,
// and the connection is closed.
func TestRefusalsAreNotedAndHoldNothing(t *testing.T) {
	p, home := listening(t)
	address := p.listener.Addr().String()
	for reason, header := range map[string]string{
		quick.OtherToken: "Host: localhost\r\n",
		quick.OtherHost:  "Host: evil.example\r\n",
		quick.FromPage:   "Host: localhost\r\nOrigin: http://page.example\r\n",
	} {
		for range 5 {
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, "POST /hook/Secret HTTP/1.1\r\n%sContent-Length: 0\r\n\r\n", header)
			if err := conn.SetReadDeadline(time.Now().Add(3 * time.Second)); err != nil {
				t.Fatal(err)
			}
			if all, err := io.ReadAll(conn); err != nil || !bytes.Contains(all, []byte("Connection: close")) {
				t.Errorf("%s: %q, %v", reason, all, err)
			}
		}
	}
	s, err := hook.Failures(config.PathsFor(home))
	if err != nil || s.Count != 3 || s.ByReason[quick.OtherToken] != 1 || s.ByReason[quick.OtherHost] != 1 || s.ByReason[quick.FromPage] != 1 {
		t.Errorf("the log says %v, %v", s.ByReason, err)
	}
	if log, err := os.ReadFile(filepath.Join(home, "logs", quick.LogName)); err != nil || bytes.Contains(log, []byte("Secret")) || bytes.Contains(log, []byte("evil")) {
		t.Errorf("the log holds what was sent: %s, %v", log, err)
	}
}

func TestRefusalsAreDue(t *testing.T) {
	var r refusals
	begun := time.Now()
	for _, step := range []struct {
		reason string
		after  time.Duration
		more   int
		due    bool
	}{
		{"a", 0, 0, true},
		{"a", time.Second, 0, false},
		{"b", time.Second, 0, true},
		{"a", refusedEvery - 1, 0, false},
		{"a", refusedEvery, 2, true},
		{"b", 2 * refusedEvery, 0, true},
		{"a", refusedEvery + 1, 0, false},
	} {
		if more, due := r.due(step.reason, begun.Add(step.after)); more != step.more || due != step.due {
			t.Errorf("%s after %v: %d, %v", step.reason, step.after, more, due)
		}
	}
}

// TestATokenThatOthersCanRead is taken from them, and the log says that they
// could.
func TestATokenThatOthersCanRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing here")
	}
	cfg := freshConfig(t)
	cfg.HTTP.Listen = "127.0.0.1:0"
	path := cfg.Paths().HTTPToken()
	if err := errors.Join(os.MkdirAll(cfg.Home, 0o700), os.WriteFile(path, []byte(testToken), 0o600), os.Chmod(path, 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, warned := range []bool{true, false} {
		var log bytes.Buffer
		p := openPosts(cfg, nil, slog.New(slog.NewTextHandler(&log, nil)))
		p.close()
		if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != tokenMode {
			t.Errorf("%v, %v", fi.Mode(), err)
		}
		if p.problem != "" || strings.Contains(log.String(), "other users") != warned || strings.Contains(log.String(), testToken) {
			t.Errorf("%q; the log: %s", p.problem, &log)
		}
	}
}
