//go:build !windows

package rpc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestCallStartsDaemon(t *testing.T) {
	h := newHome(t)
	defer h.stopDaemon(t)
	c := h.client(t, "1.0.0", h.launcher(t))
	var out struct{ Version string }
	if err := c.Call(t.Context(), "record", map[string]string{"key": "a"}, &out); err != nil {
		t.Fatal(err)
	}
	if out.Version != "1.0.0" {
		t.Errorf("version = %q", out.Version)
	}
	health, err := c.Health(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if health.Status != StatusOK || health.PID == os.Getpid() || health.PID == 0 {
		t.Errorf("health = %+v", health)
	}
	info, err := os.Stat(h.in("logs/start.log"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("start log: %v, %v", info, err)
	}
	// Seen ready, it is not noted for the next start to wait for.
	if noted := readLockInfo(h.in("start.lock")); noted != (LockInfo{}) {
		t.Errorf("the start lock still names %+v", noted)
	}
	// The daemon leads a session of its own: a signal to our group or the end
	// of our terminal does not reach it.
	if sid, err := sessionOf(health.PID); err != nil || sid != health.PID {
		t.Errorf("session of the daemon = %d, %v; want its own, %d", sid, err, health.PID)
	}
}

// Fifty clients at once, ten of them processes of their own, start one daemon.
func TestManyClientsStartOneDaemon(t *testing.T) {
	const processes, goroutines = 10, 40
	h := newHome(t)
	defer h.stopDaemon(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range processes {
		wg.Go(func() {
			cmd := exec.Command(exe, string(h))
			cmd.Env = append(os.Environ(), roleEnv+"=client", "GORACE=atexit_sleep_ms=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("client process: %v: %s", err, out)
			}
		})
	}
	for i := range goroutines {
		c := h.client(t, "1.0.0", h.launcher(t, "1.0.0", "slow"))
		wg.Go(func() {
			if err := c.Call(t.Context(), "record", map[string]string{"key": strconv.Itoa(i)}, nil); err != nil {
				t.Errorf("client %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	if got := readLines(t, h.in("spawned")); len(got) != 1 {
		t.Errorf("spawned %d daemons, want 1", len(got))
	}
	if got := readLines(t, h.in("records")); len(got) != processes+goroutines {
		t.Errorf("%d requests carried out, want %d", len(got), processes+goroutines)
	}
}

func TestStartFailureCarriesOutput(t *testing.T) {
	h := newHome(t)
	c := h.client(t, "1.0.0", h.launcher(t, "1.0.0", "damaged"))
	err := c.Call(t.Context(), "record", nil, nil)
	var se *StartError
	if !errors.As(err, &se) {
		t.Fatalf("error = %v, want a StartError", err)
	}
	if se.ExitCode != 3 || !strings.Contains(se.Output, "database is damaged (run: chitta restore)") {
		t.Errorf("error = %+v", se)
	}
	if !strings.Contains(err.Error(), "damaged") {
		t.Errorf("message = %q", err)
	}
}

// A daemon that says why it cannot start is heard: its error comes through as
// if it had answered.
func TestStartFailureIsTheDaemonsOwn(t *testing.T) {
	h := newHome(t)
	err := h.client(t, "1.0.0", h.launcher(t, "1.0.0", "coded")).Call(t.Context(), "record", nil, nil)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("error = %v, want an Error", err)
	}
	if e.Code != CodeDamaged || e.Message != "the database is damaged" || e.Hint() != "restore a backup" {
		t.Errorf("error = %+v", e)
	}
	if err.Error() != e.Message {
		t.Errorf("message = %q", err)
	}
}

func TestReason(t *testing.T) {
	tests := []struct {
		name   string
		output string
		code   int // 0 when the output has no error of the daemon
	}{
		{name: "nothing"},
		{name: "words", output: "chitta: no\n  hint: yes"},
		{name: "last of two", output: `{"error":{"code":-32005,"message":"a"}}` + "\n" + `{"error":{"code":-32006,"message":"b"}}` + "\nchitta: b", code: CodeDamaged},
		{name: "other JSON", output: `{"error":{"code":-32006,"message":"b","exit":6}}`},
		{name: "without code", output: `{"error":{"message":"b"}}`},
		{name: "cut", output: `32006,"message":"b"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := &StartError{Output: tt.output}
			got := reason(start)
			if CodeOf(got) != tt.code || (tt.code == 0 && got != error(start)) {
				t.Errorf("reason = %v", got)
			}
		})
	}
}

func TestStartTimeout(t *testing.T) {
	h := newHome(t)
	l := h.launcher(t, "1.0.0", "mute")
	l.ReadyTimeout = 200 * time.Millisecond
	c := h.client(t, "1.0.0", l)
	err := c.Call(t.Context(), "record", nil, nil)
	var se *StartError
	if !errors.As(err, &se) || !se.Timeout {
		t.Fatalf("error = %v, want a StartError with Timeout", err)
	}
	pid, err := strconv.Atoi(readLines(t, h.in("spawned"))[0])
	if err != nil {
		t.Fatal(err)
	}
	kill(t, pid)
}

func TestStartOfMissingProgram(t *testing.T) {
	h := newHome(t)
	l := h.launcher(t)
	l.Exe = h.in("nothing-here")
	err := h.client(t, "1.0.0", l).Call(t.Context(), "record", nil, nil)
	if !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("error = %v, want not exist", err)
	}
}

// A hook leaves before the daemon it started is ready; the next client waits
// for that daemon instead of starting another.
func TestImpatientStarter(t *testing.T) {
	h := newHome(t)
	defer h.stopDaemon(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	hook := h.client(t, "1.0.0", h.launcher(t, "1.0.0", "slow"))
	err := hook.Call(ctx, "record", map[string]string{"key": "hook"}, nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("error = %v, want deadline exceeded", err)
	}
	next := h.client(t, "1.0.0", h.launcher(t, "1.0.0", "slow"))
	if err := next.Call(t.Context(), "record", map[string]string{"key": "next"}, nil); err != nil {
		t.Fatal(err)
	}
	if got := readLines(t, h.in("spawned")); len(got) != 1 {
		t.Errorf("spawned %d daemons, want 1", len(got))
	}
}

func TestStopWaitsUntilGone(t *testing.T) {
	h := newHome(t)
	c := h.client(t, "1.0.0", h.launcher(t))
	if err := c.Call(t.Context(), "record", map[string]string{"key": "a"}, nil); err != nil {
		t.Fatal(err)
	}
	pid := c.holder().PID
	if err := c.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if holder := c.holder(); holder.PID != 0 {
		t.Errorf("lock still held by %+v", holder)
	}
	if err := c.Stop(t.Context()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("second stop: %v, want not running", err)
	}
	// This process has started the daemon and lives on: no zombie stays.
	eventually(t, "the ended daemon is reaped", func() bool { return !pidAlive(pid) })
	// And it can start another.
	if err := c.Call(t.Context(), "record", map[string]string{"key": "b"}, nil); err != nil {
		t.Fatal(err)
	}
	h.stopDaemon(t)
}

func TestUpgrade(t *testing.T) {
	h := newHome(t)
	defer h.stopDaemon(t)
	old := h.client(t, "1.0.0", h.launcher(t, "1.0.0"))
	if err := old.Call(t.Context(), "record", map[string]string{"key": "first"}, nil); err != nil {
		t.Fatal(err)
	}

	// Without a launcher the newer client is told and nothing happens.
	alone := h.client(t, "1.1.0", nil)
	if err := alone.Call(t.Context(), "record", map[string]string{"key": "refused"}, nil); CodeOf(err) != CodeUpgrade {
		t.Fatalf("error = %v, want CodeUpgrade", err)
	}

	// Many newer and older clients at once: one hand-over, nothing lost or
	// doubled, and whoever asks is served.
	const each = 10
	var wg sync.WaitGroup
	var want []string
	for i := range each {
		for _, version := range []string{"1.0.0", "1.1.0"} {
			key := fmt.Sprintf("%s/%d", version, i)
			want = append(want, key)
			c := h.client(t, version, h.launcher(t, "1.1.0"))
			wg.Go(func() {
				var out struct{ Version string }
				if err := c.Call(t.Context(), "record", map[string]string{"key": key}, &out); err != nil {
					t.Errorf("%s: %v", key, err)
				}
				if version == "1.1.0" && out.Version != "1.1.0" {
					t.Errorf("%s was served by %s", key, out.Version)
				}
			})
		}
	}
	wg.Wait()
	got := readLines(t, h.in("records"))
	want = append(want, "first")
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("carried out %d requests %v, want %d", len(got), got, len(want))
	}
	if n := len(readLines(t, h.in("started"))); n != 2 {
		t.Errorf("%d daemons held the lock, want 2", n)
	}
}

func TestUpgradeByRawFrame(t *testing.T) {
	h := newHome(t)
	defer h.stopDaemon(t)
	if err := h.client(t, "1.0.0", h.launcher(t, "1.0.0")).Call(t.Context(), "record", map[string]string{"key": "a"}, nil); err != nil {
		t.Fatal(err)
	}
	out, err := h.client(t, "2.0.0", h.launcher(t, "2.0.0")).Raw(t.Context(),
		[]byte(`{"jsonrpc":"2.0","id":"x","method":"record","params":{"key":"b"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"jsonrpc":"2.0","id":"x","result":{"version":"2.0.0"}}`; strings.TrimSpace(string(out)) != want {
		t.Errorf("answer = %s, want %s", out, want)
	}
}

func TestStuckDaemon(t *testing.T) {
	// A daemon that holds its lock but has lost its socket: the client must not
	// start a second one, and says what is wrong when it runs out of time.
	h := newHome(t)
	lock, err := AcquireLock(h.in("daemon.lock"), LockInfo{PID: 4242, Version: "1.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	err = h.client(t, "1.0.0", h.launcher(t)).Call(ctx, "record", nil, nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v", err)
	}
	if _, err := os.Stat(h.in("spawned")); !errors.Is(err, os.ErrNotExist) {
		t.Error("a second daemon was started")
	}
	stuck := &StuckError{Holder: LockInfo{PID: 4242, Version: "1.0.0"}, Waited: 15 * time.Second}
	if !strings.Contains(stuck.Error(), "process 4242, version 1.0.0") {
		t.Errorf("message = %q", stuck)
	}
}

// A descriptor this process has inherited must not reach the daemon, or who
// waits for the end of that pipe waits as long as the daemon lives.
func TestDaemonInheritsNothing(t *testing.T) {
	h := newHome(t)
	defer h.stopDaemon(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command(exe, string(h))
	cmd.Env = append(os.Environ(), roleEnv+"=client", "GORACE=atexit_sleep_ms=0")
	cmd.ExtraFiles = []*os.File{w}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("client process: %v: %s", err, out)
	}
	w.Close()
	if err := r.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the pipe is still open in the daemon: %v", err)
	}
}
