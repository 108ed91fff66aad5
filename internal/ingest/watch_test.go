package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"chitta/internal/capture"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// openIngester opens an ingester with an empty store, in which every project is
// known by its path and what says no place is the user's.
func openIngester(t *testing.T) (*Ingester, *store.Store) {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(dir, "chitta.db"), BackupDir: filepath.Join(dir, "backups")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	redactor, err := capture.New()
	if err != nil {
		t.Fatal(err)
	}
	made := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	return New(Options{
		Store: s, Redactor: redactor,
		Identify: func(context.Context, string) (memory.Identity, error) {
			return memory.Identity{}, errors.New("no such directory")
		},
		Recognise: func(_ []memory.Realm, id memory.Identity) (memory.Realm, bool) {
			return memory.NewProject(id, made), true
		},
		Here:  func(context.Context) (memory.Realm, error) { return memory.Realm{ID: memory.UserRealm}, nil },
		After: func(context.Context) error { return nil },
		Now:   func() time.Time { return made },
		Log:   slog.New(slog.DiscardHandler),
	}), s
}

// turns are lines of a conversation.
func turns(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","sessionId":"s1","cwd":"/p","timestamp":"2026-03-01T10:00:%02d.000Z","message":{"role":"user","content":"request %d"}}`+"\n", i, i, i)
	}
	return b.String()
}

// holds fails unless so many messages are stored.
func holds(t *testing.T, s *store.Store, want int) {
	t.Helper()
	if n, err := s.CountMessages(t.Context()); err != nil || n != want {
		t.Fatalf("%d messages, want %d, %v", n, want, err)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestWatchWithoutEvents goes by scanning alone.
func TestWatchWithoutEvents(t *testing.T) {
	m, s := openIngester(t)
	dir := t.TempDir()
	w := m.Watch(dir)
	w.fallBack(os.ErrPermission)
	path := filepath.Join(dir, "-p", "s1.jsonl")
	writeFile(t, path, turns(9))
	round := func() {
		w.scan()
		for path := range w.due {
			w.due[path] = changed{}
		}
		for p := w.next(); p != ""; p = w.next() {
			w.readFile(t.Context(), p)
		}
	}
	round()
	holds(t, s, 9)
	round()
	if len(w.due) > 0 {
		t.Errorf("due without a change: %v", w.due)
	}
	writeFile(t, path, turns(10))
	round()
	holds(t, s, 10)
	if st := m.WatchStatus(); st.Dir != dir || !strings.Contains(st.Problem, "permission") || st.Failed != "" {
		t.Errorf("%+v", st)
	}
}

func TestWalkFindsTranscripts(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"-p/b.jsonl", "-p/b/subagents/agent-1.jsonl", "-p/b/tool-results/1.jsonl", "-p/memory/x.jsonl", "-p/x.txt", "-q/dir.jsonl/c.jsonl"} {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), "{}\n")
	}
	var got []string
	err := Walk(dir, func(path string, fi fs.FileInfo) error {
		if !fi.IsDir() {
			rel, err := filepath.Rel(dir, path)
			got = append(got, filepath.ToSlash(rel))
			return err
		}
		return nil
	}, func(path string, err error) { t.Errorf("%s: %v", path, err) })
	if want := "-p/b.jsonl -q/dir.jsonl/c.jsonl -p/b/subagents/agent-1.jsonl"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("%v %v", got, err)
	}
}

// TestWalkTellsOfClosedFolders cannot look into one folder and goes on with the
// others.
func TestWalkTellsOfClosedFolders(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/1.jsonl", "b/2.jsonl", "c/3.jsonl"} {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), "{}\n")
	}
	for _, tt := range []struct {
		why  error
		want string
	}{{fs.ErrPermission, "closed b"}, {fs.ErrNotExist, ""}} {
		read := func(root string, fn fs.WalkDirFunc) error {
			return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
				if path == filepath.Join(dir, "b") {
					if err := fn(path, d, tt.why); err != nil {
						return err
					}
					return filepath.SkipDir
				}
				return fn(path, d, err)
			})
		}
		files, told := 0, ""
		err := walk(read, dir, func(_ string, fi fs.FileInfo) error {
			if !fi.IsDir() {
				files++
			}
			return nil
		}, func(path string, err error) { told = "closed " + filepath.Base(path) })
		if err != nil || files != 2 || told != tt.want {
			t.Errorf("%v: %d files, %q, %v", tt.why, files, told, err)
		}
	}
}

// TestWatchForgetsWhatIsMended meets a file that cannot be read, first gone
// again, then mended without its size and time telling so.
func TestWatchForgetsWhatIsMended(t *testing.T) {
	m, s := openIngester(t)
	dir := t.TempDir()
	w := m.Watch(dir)
	path := filepath.Join(dir, "-p", "s1.jsonl")
	fail := func() {
		t.Helper()
		if err := os.MkdirAll(path, 0o700); err != nil { // a folder where a file should be
			t.Fatal(err)
		}
		w.readFile(t.Context(), path)
		if st := m.WatchStatus(); !strings.Contains(st.Failed, "not a file") {
			t.Fatalf("%+v", st)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	fail()
	w.scan()
	if st := m.WatchStatus(); st.Failed != "" {
		t.Errorf("after it went: %+v", st)
	}
	fail()
	writeFile(t, path, turns(3))
	fi, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	w.seen[path] = fileMark{fi.Size(), fi.ModTime()}
	w.scan()
	if st := m.WatchStatus(); st.Failed == "" {
		t.Error("said to be mended before it was read")
	}
	w.due[path] = changed{}
	w.readFile(t.Context(), w.next())
	holds(t, s, 3)
	if st := m.WatchStatus(); st.Failed != "" {
		t.Errorf("after it was read: %+v", st)
	}
}

// TestWatchTellsOfTheLimitOnlyWhileItHolds falls back to scanning and finds, at
// a later scan, that all folders can be watched.
func TestWatchTellsOfTheLimitOnlyWhileItHolds(t *testing.T) {
	m, _ := openIngester(t)
	w := m.Watch(t.TempDir())
	w.subscribe()
	if w.events == nil {
		t.Fatal("no events to be had")
	}
	defer w.events.Close()
	w.fallBack(syscall.ENOSPC)
	if st := m.WatchStatus(); !strings.Contains(st.Problem, "limit") {
		t.Fatalf("%+v", st)
	}
	w.scan()
	if st := m.WatchStatus(); st.Problem != "" {
		t.Errorf("%+v", st)
	}
}
