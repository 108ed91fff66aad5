package evaldata

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// told is a test that notes why it was skipped.
type told struct {
	testing.TB
	why string
}

func (t *told) Helper() {}

func (t *told) Skipf(format string, args ...any) {
	t.why = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestDataBesideTheRepository(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	data, inside := filepath.Join(top, "shared", "bench", "sessions"), filepath.Join(top, "repository", "internal", "x")
	for _, dir := range []string{filepath.Join(data, "sub"), inside} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{filepath.Join(data, "a.jsonl"), filepath.Join(data, "sub", "b.jsonl")}
	for _, name := range append(want, filepath.Join(data, "notes.md")) {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(inside)
	if got := Folder(t, "sessions"); got != data {
		t.Errorf("the folder is %s", got)
	}
	if got := Transcripts(t, "sessions"); !slices.Equal(got, want) {
		t.Errorf("transcripts %v", got)
	}
	if got := Files(t, "sessions", "*.jsonl"); !slices.Equal(got, want[:1]) {
		t.Errorf("files %v", got)
	}
	absent := &told{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		Transcripts(absent, "of", "another world")
		t.Error("a test without data goes on")
	}()
	<-done
	if !strings.Contains(absent.why, "shared/bench/of/another world is not beside the repository") {
		t.Errorf("skipped because %q", absent.why)
	}
}
