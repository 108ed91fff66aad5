package mind

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"chitta/internal/ingest"
)

// watching runs the watch of a folder with short times until the test ends.
func watching(t *testing.T, m *Mind, dir string) {
	t.Helper()
	w := m.ingest.Watch(dir)
	w.Quiet, w.ScanEvery = 20*time.Millisecond, 200*time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { w.Run(ctx) })
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
	for problem, st := range map[string]ingest.WatchStatus{"scanning once a minute: the limit": {Dir: dir, Problem: "the limit"}, "last problem: no access": {Dir: dir, Failed: "no access"}} {
		if f := watchFinding(st, 3); f.Status != FindingWarn || !strings.Contains(f.Detail, problem) {
			t.Errorf("%+v", f)
		}
	}
}
