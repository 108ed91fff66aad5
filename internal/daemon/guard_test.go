//go:build !windows

package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/mind"
	"chitta/internal/rpc"
)

// noticed is the longest a loss may go unnoticed, with room for a busy machine.
const noticed = 5 * guardEvery

// ends waits until the daemon ends by itself and returns its error.
func ends(t *testing.T, cfg config.Config, stop func() error) error {
	t.Helper()
	for deadline := time.Now().Add(noticed); ; time.Sleep(5 * time.Millisecond) {
		b, err := os.ReadFile(cfg.Paths().LogFile())
		if err == nil && strings.Contains(string(b), "msg=stopped") {
			return stop()
		}
		if time.Now().After(deadline) {
			t.Fatalf("the daemon is still there: %v\n%s", err, b)
		}
	}
}

func remember(t *testing.T, client *rpc.Client, content string) error {
	t.Helper()
	return client.Call(t.Context(), "remember", mind.RememberInput{Content: content}, nil)
}

func logOf(t *testing.T, cfg config.Config) string {
	t.Helper()
	b, err := os.ReadFile(cfg.Paths().LogFile())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestListensAgainWhenTheSocketIsRemoved(t *testing.T) {
	cfg, client, stop := serving(t)
	holder, held, err := rpc.LockHolder(cfg.Paths().Lock())
	if err != nil || !held || holder.State != rpc.LockServing {
		t.Errorf("the lock says %+v %v %v", holder, held, err)
	}
	for range 2 { // the new one is looked after like the first
		if err := os.Remove(cfg.Paths().Socket()); err != nil {
			t.Fatal(err)
		}
		// Health waits for it; a single look would fail.
		health, err := client.Health(t.Context())
		if err != nil || health.PID != os.Getpid() || health.Status != rpc.StatusOK {
			t.Fatalf("%+v %v", health, err)
		}
		if err := remember(t, client, "the socket was removed and came back"); err != nil {
			t.Error(err)
		}
	}
	if err := client.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if err := stop(); err != nil {
		t.Errorf("ended with %v", err)
	}
	if n := strings.Count(logOf(t, cfg), "listening again"); n != 2 {
		t.Errorf("it listened again %d times:\n%s", n, logOf(t, cfg))
	}
	if _, err := os.Lstat(cfg.Paths().Socket()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket stays: %v", err)
	}
}

// Stop reaches a daemon whose socket was just removed.
func TestStopWithoutSocket(t *testing.T) {
	cfg, client, stop := serving(t)
	if err := os.Remove(cfg.Paths().Socket()); err != nil {
		t.Fatal(err)
	}
	if err := client.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if err := stop(); err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestLeavesWhenTheLockIsRemoved(t *testing.T) {
	cfg, client, stop := serving(t)
	if err := remember(t, client, "stored before the lock went"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(cfg.Paths().Lock()); err != nil {
		t.Fatal(err)
	}
	if err := ends(t, cfg, stop); rpc.CodeOf(err) != rpc.CodeUnavailable {
		t.Errorf("ended with %v", err)
	}
	if l := logOf(t, cfg); !strings.Contains(l, "level=ERROR") || !strings.Contains(l, "lock file") {
		t.Errorf("log:\n%s", l)
	}
	client, _ = servingAt(t, cfg)
	var st mind.StatusOutput
	if err := client.Call(t.Context(), "status", nil, &st); err != nil || st.Memories.Active != 1 {
		t.Errorf("the next daemon has %d memories, %v", st.Memories.Active, err)
	}
}

// With the whole directory gone, what comes up in its place is left alone.
func TestLeavesWhenTheHomeIsRemoved(t *testing.T) {
	cfg, _, stop := serving(t)
	aside := cfg.Home + "-aside" // a rename is a removal that loses nothing to look at
	if err := os.Rename(cfg.Home, aside); err != nil {
		t.Fatal(err)
	}
	next, stopNext := servingAt(t, cfg)
	if err := remember(t, next, "stored by the next daemon"); err != nil {
		t.Fatal(err)
	}
	moved := cfg
	moved.Home = aside
	if err := ends(t, moved, stop); rpc.CodeOf(err) != rpc.CodeUnavailable {
		t.Errorf("ended with %v", err)
	}
	if _, err := next.Health(t.Context()); err != nil {
		t.Errorf("the next daemon has lost its socket: %v", err)
	}
	if err := stopNext(); err != nil {
		t.Errorf("the next daemon ended with %v", err)
	}
	next, _ = servingAt(t, cfg)
	var st mind.StatusOutput
	if err := next.Call(t.Context(), "status", nil, &st); err != nil || st.Memories.Active != 1 {
		t.Errorf("of what the next daemon stored %d is left, %v", st.Memories.Active, err)
	}
}

// Nothing is acknowledged that went into a database which is not there.
func TestNothingIsStoredInARemovedDatabase(t *testing.T) {
	cfg, client, stop := serving(t)
	if err := remember(t, client, "stored before the database went"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(cfg.Paths().DB()); err != nil {
		t.Fatal(err)
	}
	if err := remember(t, client, "stored into nothing"); rpc.CodeOf(err) != rpc.CodeStorage {
		t.Errorf("acknowledged: %v", err)
	}
	if err := ends(t, cfg, stop); rpc.CodeOf(err) != rpc.CodeStorage {
		t.Errorf("ended with %v", err)
	}
	if l := logOf(t, cfg); strings.Count(l, "level=ERROR") != 1 || !strings.Contains(l, "was removed or replaced under the daemon") {
		t.Errorf("log:\n%s", l)
	}
}

func TestLeavesWhenTheDatabaseIsReplaced(t *testing.T) {
	cfg, client, stop := serving(t)
	other := filepath.Join(cfg.Home, "other.db")
	if err := client.Call(t.Context(), "backup", mind.BackupInput{File: other}, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, cfg.Paths().DB()); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := ends(t, cfg, stop); rpc.CodeOf(err) != rpc.CodeStorage { // nobody has asked for anything
		t.Errorf("ended with %v", err)
	}
	t.Logf("noticed after %v", time.Since(began))
}

func TestAskedToLeaveIsLoggedOnce(t *testing.T) {
	cfg, client, stop := serving(t)
	if err := client.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if l := logOf(t, cfg); strings.Count(l, "msg=\"asked to") != 1 {
		t.Errorf("log:\n%s", l)
	}
}

// stderrOf returns what f writes to the standard error of the process.
func stderrOf(t *testing.T, f func()) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	old := os.Stderr
	os.Stderr = file
	defer func() { os.Stderr = old }()
	f()
	b, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestStartFailureIsReportedToTheLauncher(t *testing.T) {
	cfg := config.Default()
	cfg.Model.Use = "none"
	cfg.Home = t.TempDir()
	if err := os.WriteFile(cfg.Paths().DB(), []byte(strings.Repeat("not a database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func() {
		if err := Run(t.Context(), cfg); err == nil {
			t.Error("it started")
		}
	}
	if got := stderrOf(t, run); got != "" {
		t.Errorf("without a launcher: %q", got)
	}
	t.Setenv(rpc.LaunchedEnv, "1")
	got := stderrOf(t, run)
	if !strings.HasPrefix(got, `{"error":{"code":-32006,"message":"`) || !strings.Contains(got, `"hint":"restore`) || strings.Count(got, "\n") != 1 {
		t.Errorf("with a launcher: %q", got)
	}
}

func TestStartFailure(t *testing.T) {
	coded := rpc.Errorf(rpc.CodeDamaged, "damaged")
	for name, tt := range map[string]struct {
		err  error
		code int
		hint string
	}{
		"coded":  {errors.Join(coded, errors.New("and more")), rpc.CodeDamaged, ""},
		"home":   {&config.HomeError{Path: "/x", Err: os.ErrPermission, Hint: "set another"}, rpc.CodeStorage, "set another"},
		"locked": {&rpc.LockedError{Path: "/x"}, rpc.CodeUnavailable, "the daemon's log says more: chitta daemon logs"},
	} {
		if e := startFailure(tt.err); e.Code != tt.code || e.Hint() != tt.hint || e.Message == "" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}
