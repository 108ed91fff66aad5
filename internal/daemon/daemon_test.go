package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"chitta/internal/config"
	"chitta/internal/mind"
	"chitta/internal/rpc"
)

func TestMain(m *testing.M) {
	// whoever runs the tests has transcripts of their own, which are not ours
	os.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(os.TempDir(), "chitta-no-such-directory"))
	goleak.VerifyTestMain(m,
		// the log rotation keeps one goroutine per file for the life of the process
		goleak.IgnoreAnyFunction("gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun"))
}

// serving runs a daemon in a fresh home; stop ends it and returns its error.
func serving(t *testing.T) (cfg config.Config, client *rpc.Client, stop func() error) {
	t.Helper()
	home, err := os.MkdirTemp("", "ch-*") // short, for the socket's sake
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	cfg = config.Default()
	cfg.Model.Use = "none"
	cfg.Home = filepath.Join(home, "home")
	client, stop = servingAt(t, cfg)
	return cfg, client, stop
}

func servingAt(t *testing.T, cfg config.Config) (*rpc.Client, func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, cfg) }()
	client := rpc.New(rpc.ClientOptions{Socket: cfg.Paths().Socket(), Lock: cfg.Paths().Lock(), Name: "test"})
	t.Cleanup(func() { client.Close() })
	for {
		if _, err := client.Health(t.Context()); err == nil {
			break
		}
		select {
		case err := <-ended:
			cancel()
			t.Fatalf("the daemon ended: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	var once sync.Once
	var result error
	stop := func() error {
		once.Do(func() {
			cancel()
			result = <-ended
		})
		return result
	}
	t.Cleanup(func() { stop() })
	return client, stop
}

func TestServesAndStops(t *testing.T) {
	cfg, client, stop := serving(t)
	var out mind.RememberOutput
	if err := client.Call(t.Context(), "remember", mind.RememberInput{Content: "the daemon answers"}, &out); err != nil {
		t.Fatal(err)
	}
	health, err := client.Health(t.Context())
	if err != nil || health.PID != os.Getpid() || health.Version != config.Version || health.Fields["home"] == nil {
		t.Errorf("%+v %v", health, err)
	}
	if err := stop(); err != nil {
		t.Errorf("stopped with %v", err)
	}
	if err := client.Call(t.Context(), "status", nil, nil); !errors.Is(err, rpc.ErrNotRunning) {
		t.Errorf("after the stop: %v", err)
	}
	client, _ = servingAt(t, cfg)
	var v mind.View
	if err := client.Call(t.Context(), "get", mind.GetInput{ID: out.ID}, &v); err != nil || v.Content != "the daemon answers" {
		t.Errorf("after a restart: %+v %v", v, err)
	}
}

func TestFilesAreForTheOwnerOnly(t *testing.T) {
	cfg, client, stop := serving(t)
	if err := client.Call(t.Context(), "remember", mind.RememberInput{Content: "written to disk"}, nil); err != nil {
		t.Fatal(err)
	}
	look := func() {
		err := filepath.WalkDir(cfg.Home, func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			fi, err := d.Info()
			if err != nil {
				return err
			}
			if fi.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s has mode %v", path, fi.Mode())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	look()
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	look()
}

func TestTheLogKeepsQuietAboutContent(t *testing.T) {
	cfg, client, stop := serving(t)
	const word = "xylophonequartz"
	for _, call := range []struct {
		method string
		in     any
	}{
		{"remember", mind.RememberInput{Content: "something about a " + word}},
		{"recall", mind.RecallInput{Query: word}},
		{"remember", map[string]any{"content": word, "kind": word}},
		{"get", mind.GetInput{ID: "m_" + word}},
	} {
		client.Call(t.Context(), call.method, call.in, nil) // errors are part of what may be logged
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(cfg.Paths().LogFile())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), word) {
		t.Errorf("the log repeats what was said:\n%s", b)
	}
}

func TestAskedToLeave(t *testing.T) {
	_, client, stop := serving(t)
	if err := client.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestSecondDaemonIsRefused(t *testing.T) {
	cfg, _, _ := serving(t)
	var locked *rpc.LockedError
	if err := Run(t.Context(), cfg); !errors.As(err, &locked) || locked.Holder.PID != os.Getpid() {
		t.Errorf("%v", err)
	}
}

func TestDrainLosesNoRequest(t *testing.T) {
	cfg, client, stop := serving(t)
	const clients = 8
	var wg sync.WaitGroup
	stored := make([]int, clients)
	for c := range clients {
		wg.Go(func() {
			for i := 0; ; i++ {
				err := client.Call(context.Background(), "remember", mind.RememberInput{Content: fmt.Sprintf("client%d writes item%d while the daemon leaves", c, i)}, nil)
				if errors.Is(err, rpc.ErrNotRunning) {
					return // refused before anything was sent
				}
				if err != nil {
					t.Errorf("a request was accepted and not answered: %v", err)
					return
				}
				stored[c]++
			}
		})
	}
	time.Sleep(50 * time.Millisecond)
	if err := stop(); err != nil {
		t.Error(err)
	}
	wg.Wait()
	want := 0
	for _, n := range stored {
		want += n
	}
	client, _ = servingAt(t, cfg)
	var st mind.StatusOutput
	if err := client.Call(t.Context(), "status", nil, &st); err != nil || st.Memories.Active != want {
		t.Errorf("%d acknowledged, %d stored, %v", want, st.Memories.Active, err)
	}
}

func TestMetricsTellWhatIsStored(t *testing.T) {
	_, client, _ := serving(t)
	if err := client.Call(t.Context(), "remember", mind.RememberInput{Content: "counted in the metrics"}, nil); err != nil {
		t.Fatal(err)
	}
	// the handler is the server's; here only what the daemon adds matters
	cfg := config.Default()
	cfg.Model.Use = "none"
	cfg.Home = t.TempDir()
	m, err := mind.Open(t.Context(), mind.Options{Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Remember(t.Context(), mind.Caller{}, mind.RememberInput{Content: "counted in the metrics"}); err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, s := range samples(m) {
		values[s.Name] = s.Value
	}
	if values["chitta_memories"] != 1 || values["chitta_index_documents"] != 1 || values["chitta_index_behind"] != 0 {
		t.Errorf("%v", values)
	}
}

func TestRestoreNeedsTheDirectoryToItself(t *testing.T) {
	cfg, client, stop := serving(t)
	copyTo := filepath.Join(t.TempDir(), "copy.db")
	if err := client.Call(t.Context(), "backup", mind.BackupInput{File: copyTo}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), cfg, copyTo); !errors.Is(err, rpc.ErrLocked) {
		t.Errorf("restored under a running daemon: %v", err)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), cfg, copyTo); err != nil {
		t.Error(err)
	}
}

func TestCannotStart(t *testing.T) {
	home, err := os.MkdirTemp("", "ch-*")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(home)
	cfg := config.Default()
	cfg.Model.Use = "none"
	cfg.Home = home
	if err := os.WriteFile(cfg.Paths().DB(), []byte(strings.Repeat("not a database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), cfg); rpc.CodeOf(err) != rpc.CodeDamaged {
		t.Errorf("%v", err)
	}
}

// TestTranscriptsAreReadAsTheyGrow has the daemon notice a file by itself, and
// stop while it watches.
func TestTranscriptsAreReadAsTheyGrow(t *testing.T) {
	cfg, _, stop := serving(t)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	cfg.Sessions.Dir = filepath.Join(t.TempDir(), "projects")
	file := filepath.Join(cfg.Sessions.Dir, "-p", "s1.jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	const record = `{"type":"user","uuid":"%d","sessionId":"s1","cwd":"/gone/p","timestamp":"2026-03-01T10:00:00Z","message":{"role":"user","content":"message number %d"}}` + "\n"
	if err := os.WriteFile(file, fmt.Appendf(nil, record, 1, 1), 0o600); err != nil {
		t.Fatal(err)
	}
	client, stop := servingAt(t, cfg)
	await := func(want int) {
		t.Helper()
		var st mind.StatusOutput
		for deadline := time.Now().Add(20 * time.Second); st.Messages != want; time.Sleep(20 * time.Millisecond) {
			if err := client.Call(t.Context(), "status", nil, &st); err != nil || time.Now().After(deadline) {
				t.Fatalf("%d messages, want %d: %v", st.Messages, want, err)
			}
		}
	}
	await(1)
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(f, record, 2, 2)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	await(2)
	if err := stop(); err != nil {
		t.Error(err)
	}
}
