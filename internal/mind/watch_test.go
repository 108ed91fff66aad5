package mind

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// watching runs the watch of a folder with short times until the test ends.
func watching(t *testing.T, m *Mind, dir string) {
	t.Helper()
	w := newWatch(m, dir)
	w.quiet, w.scanEvery = 20*time.Millisecond, 200*time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { w.run(ctx) })
	t.Cleanup(func() { stop(); wg.Wait() })
}

// messagesBecome waits until a session has so many messages.
func messagesBecome(t *testing.T, m *Mind, id string, want int) {
	t.Helper()
	have := -1
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		found, err := m.store.SessionByID(t.Context(), id, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 1 && found[0].ID == id {
			if have = found[0].Messages; have == want {
				return
			}
		}
	}
	t.Fatalf("session %s has %d messages, want %d", id, have, want)
}

func TestWatchFollowsTranscripts(t *testing.T) {
	m := plain(t)
	dir := filepath.Join(t.TempDir(), "projects") // not there yet
	watching(t, m, dir)
	if f := m.doctorTranscripts(t.Context()); f.Status != FindingOK {
		t.Errorf("%+v", f)
	}
	k := conversation("s1", "/p")
	path := k.write(t, filepath.Join(dir, "-p", "s1.jsonl"))
	messagesBecome(t, m, "s1", 9)

	k.user("and one more")
	extend(t, path, k.lines[9]+"\n")
	messagesBecome(t, m, "s1", 10)

	conversation("s2", "/q").write(t, filepath.Join(dir, "-q", "s2.jsonl"))
	messagesBecome(t, m, "s2", 9)
	agent := &script{session: "s1", cwd: "/p", agent: "a1"}
	agent.user("look at this")
	agent.assistant("nothing to see")
	agent.write(t, filepath.Join(dir, "-p", "s1", "subagents", "agent-a1.jsonl"))
	messagesBecome(t, m, "s1", 12)

	write(t, filepath.Join(dir, "-p", "s1", "tool-results", "x.jsonl"), conversation("s3", "/p").text())
	write(t, filepath.Join(dir, "-p", "notes.txt"), "nothing of ours")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	messagesBecome(t, m, "s1", 12) // what was read stays
	if found, err := m.store.SessionByID(t.Context(), "s3", 1); err != nil || len(found) > 0 {
		t.Errorf("a tool's output was read: %+v %v", found, err)
	}
	if f := m.doctorTranscripts(t.Context()); f.Status != FindingOK || !strings.Contains(f.Detail, "3 files read") {
		t.Errorf("%+v", f)
	}
}

// TestWatchWithoutEvents goes by scanning alone.
func TestWatchWithoutEvents(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	w := newWatch(m, dir)
	w.fallBack(os.ErrPermission)
	k := conversation("s1", "/p")
	path := k.write(t, filepath.Join(dir, "-p", "s1.jsonl"))
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
	messagesBecome(t, m, "s1", 9)
	round()
	if len(w.due) > 0 {
		t.Errorf("due without a change: %v", w.due)
	}
	k.user("more")
	extend(t, path, k.lines[9]+"\n")
	round()
	messagesBecome(t, m, "s1", 10)
	if f := m.doctorTranscripts(t.Context()); f.Status != FindingWarn || !strings.Contains(f.Detail, "scanning") {
		t.Errorf("%+v", f)
	}
}

func TestWalkFindsTranscripts(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"-p/b.jsonl", "-p/b/subagents/agent-1.jsonl", "-p/b/tool-results/1.jsonl", "-p/memory/x.jsonl", "-p/x.txt", "-q/dir.jsonl/c.jsonl"} {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), "{}\n")
	}
	var got []string
	err := WalkTranscripts(dir, func(path string, fi fs.FileInfo) error {
		if !fi.IsDir() {
			rel, err := filepath.Rel(dir, path)
			got = append(got, filepath.ToSlash(rel))
			return err
		}
		return nil
	})
	if want := "-p/b.jsonl -q/dir.jsonl/c.jsonl -p/b/subagents/agent-1.jsonl"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("%v %v", got, err)
	}
}
