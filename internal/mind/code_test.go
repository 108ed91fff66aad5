package mind

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"chitta/internal/codebase"
	"chitta/internal/memory"
	"chitta/internal/syntax"
)

// What an index does is tested where real workers can be started: in codebase,
// and with the whole program in cli.

func TestCodeOfNothing(t *testing.T) {
	m, _ := openTest(t)
	ctx := t.Context()
	c := Caller{Actor: ActorCLI, Cwd: t.TempDir()}
	var missing *memory.NotFoundError
	if _, err := m.CodeStats(ctx, c, CodeStatsInput{}); !errors.As(err, &missing) {
		t.Error(err)
	}
	if out, err := m.CodeStats(ctx, c, CodeStatsInput{All: true}); err != nil || len(out.Projects) != 0 {
		t.Error(out, err)
	}
	if _, err := m.CodeClear(ctx, c, CodeClearInput{}); !errors.As(err, &missing) {
		t.Error(err)
	}
	if _, err := os.Stat(m.Paths().Code()); err == nil {
		t.Error("asking made a database")
	}
	m.CodeTouched("/", "x.go") // no harm
	if _, err := m.Code(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := m.CodeStats(ctx, c, CodeStatsInput{}); !errors.As(err, &missing) {
		t.Error(err)
	}
	if f := m.doctorCode(ctx); syntax.Available != (f.Status == FindingOK) {
		t.Errorf("%+v", f)
	}
}

func TestCodeIndexInput(t *testing.T) {
	m, _ := openTest(t)
	ctx := t.Context()
	if !syntax.Available {
		var refused *memory.RefusedError
		if _, err := m.CodeIndex(ctx, person, CodeIndexInput{Path: t.TempDir()}); !errors.As(err, &refused) {
			t.Error(err)
		}
		return
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	var input *memory.InputError
	for _, path := range []string{"relative", "/nonexistent/folder", "/", home, "bad\xff", string(make([]byte, 10_000))} {
		if _, err := m.CodeIndex(ctx, person, CodeIndexInput{Path: path}); !errors.As(err, &input) || input.Field != "path" {
			t.Errorf("%.20q: %v", path, err)
		}
	}
	var missing *memory.NotFoundError
	if _, err := m.CodeIndex(ctx, person, CodeIndexInput{Job: "x_none"}); !errors.As(err, &missing) {
		t.Error(err)
	}
}

// TestWatchCodeWaits: without an index there is nothing to watch, and nothing
// is opened; once there is one it is watched.
func TestWatchCodeWaits(t *testing.T) {
	m, _ := openTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); m.WatchCode(ctx) }()
	time.Sleep(20 * time.Millisecond)
	if m.code.there.Load() != nil {
		t.Error("opened for nothing")
	}
	if _, err := m.Code(ctx); err != nil {
		t.Fatal(err)
	}
	m.CodeTouched("", filepath.Join(t.TempDir(), "x.go"))
	if syntax.Available {
		deadline := time.Now().Add(10 * time.Second)
		for m.code.there.Load().WatchStatus().Waiting > 0 && time.Now().Before(deadline) {
			time.Sleep(5 * time.Millisecond)
		}
		if st := m.code.there.Load().WatchStatus(); st != (codebase.WatchStatus{}) {
			t.Errorf("%+v", st)
		}
	}
	cancel()
	<-ended
}
