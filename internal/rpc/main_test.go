package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// The test binary plays other processes when this variable is set.
const roleEnv = "CHITTA_RPC_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleEnv) {
	case "":
		goleak.VerifyTestMain(m)
	case "daemon":
		os.Exit(fakeDaemon(os.Args[1:]))
	case "client":
		os.Exit(fakeClient(os.Args[1]))
	case "holder":
		os.Exit(fakeHolder(os.Args[1:]))
	}
}

// home is a data directory for tests with the paths a daemon uses.
type home string

// newHome makes one with a short path: socket paths are limited.
func newHome(t testing.TB) home {
	t.Helper()
	dir, err := os.MkdirTemp("", "rpc")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return home(dir)
}

func (h home) in(name string) string { return filepath.Join(string(h), name) }
func (h home) socket() string        { return h.in("chitta.sock") }

func (h home) launcher(t testing.TB, args ...string) *Launcher {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &Launcher{
		Exe: exe, Args: append([]string{string(h)}, args...),
		Env:       append(os.Environ(), roleEnv+"=daemon", "GORACE=atexit_sleep_ms=0"),
		StartLock: h.in("start.lock"), StartLog: h.in("logs/start.log"),
	}
}

// client makes a client of the daemon in h that is closed with the test.
func (h home) client(t testing.TB, version string, l *Launcher) *Client {
	t.Helper()
	c := New(ClientOptions{Socket: h.socket(), Lock: h.in("daemon.lock"), Version: version, Name: "test", Launcher: l, Timeout: 20 * time.Second})
	t.Cleanup(func() { c.Close() })
	return c
}

// stopDaemon ends a real daemon that a test has started.
func (h home) stopDaemon(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	c := New(ClientOptions{Socket: h.socket(), Lock: h.in("daemon.lock")})
	defer c.Close()
	if err := c.Stop(ctx); err != nil && !errors.Is(err, ErrNotRunning) {
		t.Errorf("stop the daemon: %v", err)
	}
}

// fakeDaemon is a real process with a real socket: DIR [version] [mode].
func fakeDaemon(args []string) int {
	h, version, mode := home(args[0]), "1.0.0", ""
	if len(args) > 1 {
		version = args[1]
	}
	if len(args) > 2 {
		mode = args[2]
	}
	appendLine(h.in("spawned"), strconv.Itoa(os.Getpid()))
	switch mode {
	case "damaged":
		fmt.Fprintln(os.Stderr, "chitta: database is damaged (run: chitta restore)")
		return 3
	case "coded":
		if os.Getenv(LaunchedEnv) == "" {
			return 1
		}
		fmt.Fprintln(os.Stderr, `{"error":{"message":"printed by the command line","hint":"other","exit":6}}`)
		e := Errorf(CodeDamaged, "the database is damaged").WithHint("restore a backup")
		if err := WriteStartFailure(os.Stderr, e); err != nil {
			return 1
		}
		fmt.Fprintln(os.Stderr, "chitta: the database is damaged\n  hint: restore a backup")
		return 6
	case "mute":
		time.Sleep(time.Minute)
		return 0
	case "slow":
		time.Sleep(300 * time.Millisecond)
	}
	lock, err := AcquireLock(h.in("daemon.lock"), LockInfo{PID: os.Getpid(), Version: version, Started: time.Now()})
	if err != nil {
		fmt.Fprintln(os.Stderr, "chitta:", err)
		return 1
	}
	defer lock.Release()
	appendLine(h.in("started"), strconv.Itoa(os.Getpid()))
	ln, err := Listen(h.socket())
	if err != nil {
		fmt.Fprintln(os.Stderr, "chitta:", err)
		return 1
	}
	leave := make(chan struct{})
	s := NewServer(ServerOptions{
		Handler: recorder(h, version), Version: version,
		OnShutdown: func(string) { close(leave) },
	})
	served := make(chan error, 1)
	go func() { served <- s.Serve(ln) }()
	select {
	case <-leave:
	case <-time.After(time.Minute): // never outlive a broken test for long
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := errors.Join(s.Shutdown(ctx), <-served); err != nil {
		fmt.Fprintln(os.Stderr, "chitta:", err)
		return 1
	}
	return 0
}

// fakeClient is a process that calls the daemon once, starting it if needed.
func fakeClient(dir string) int {
	h := home(dir)
	exe, err := os.Executable()
	if err != nil {
		return 1
	}
	c := New(ClientOptions{Socket: h.socket(), Lock: h.in("daemon.lock"), Version: "1.0.0", Name: "process", Launcher: &Launcher{
		Exe: exe, Args: []string{dir, "1.0.0", "slow"}, Env: append(os.Environ(), roleEnv+"=daemon", "GORACE=atexit_sleep_ms=0"),
		StartLock: h.in("start.lock"), StartLog: h.in("logs/start.log"),
	}})
	if err := c.Call(context.Background(), "record", map[string]string{"key": "p" + strconv.Itoa(os.Getpid())}, nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// fakeHolder takes a lock, says so and waits to be killed: PATH [state].
func fakeHolder(args []string) int {
	info := LockInfo{PID: os.Getpid(), Version: "9.9.9", Started: time.Now()}
	if len(args) > 1 {
		info.State = args[1]
	}
	if _, err := AcquireLock(args[0], info); err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("held")
	time.Sleep(time.Minute)
	return 0
}

// recorder notes every carried-out request in a file, so that lost and doubled
// ones show.
func recorder(h home, version string) Handler {
	return HandlerFunc(func(_ context.Context, method string, params json.RawMessage) (any, error) {
		if method != "record" {
			return nil, Errorf(CodeMethodNotFound, "unknown method %s", method)
		}
		var in struct{ Key string }
		if err := json.Unmarshal(params, &in); err != nil {
			return nil, err
		}
		appendLine(h.in("records"), in.Key)
		return map[string]string{"version": version}, nil
	})
}

// appendLine appends in one write, which is atomic for O_APPEND.
func appendLine(path, line string) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := f.WriteString(line + "\n"); err != nil {
		panic(err)
	}
}

func readLines(t testing.TB, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range bytes.Lines(data) {
		out = append(out, string(bytes.TrimSpace(line)))
	}
	return out
}

// serve runs a server in this process for the length of a test.
func serve(t testing.TB, path string, opts ServerOptions, tweak ...func(*Server)) *Server {
	t.Helper()
	ln, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	return serveOn(t, ln, opts, tweak...)
}

func serveOn(t testing.TB, ln net.Listener, opts ServerOptions, tweak ...func(*Server)) *Server {
	t.Helper()
	if opts.Version == "" {
		opts.Version = "1.0.0"
	}
	s := NewServer(opts)
	for _, f := range tweak {
		f(s)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(ln) }()
	t.Cleanup(func() {
		_ = s.Close()
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return s
}

// logBuffer collects log lines of several goroutines.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func (b *logBuffer) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// eventually waits for a condition that other goroutines or processes bring
// about.
func eventually(t testing.TB, what string, cond func() bool) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !cond() {
		if time.Now().After(deadline) {
			t.Fatalf("never happened: %s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}
