package moment

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/evaldata"
	"chitta/internal/mind"
)

// TestRecordedHistory learns from all recorded sessions as chitta import --learn
// does, without a model, and says what came of it and how long it took.
func TestRecordedHistory(t *testing.T) {
	if !*withRecorded {
		t.Skip("skipped: takes a minute; -recorded runs it")
	}
	files := evaldata.Files(t, "sessions", "claude", "projects", "*", "*.jsonl")
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = t.TempDir(), "none"
	m, err := mind.Open(t.Context(), mind.Options{Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	c := mind.Caller{Actor: mind.ActorCLI, Cwd: filepath.Clean(cfg.Home)}
	for _, file := range files {
		for done := false; !done; {
			out, err := m.SessionIngest(t.Context(), c, mind.SessionIngestInput{Path: file})
			if err != nil {
				t.Fatal(err)
			}
			done = out.Done
		}
	}
	k := New(Options{Mind: m})
	in, all, begun := HistoryInput{Realm: allRealms}, HistoryOutput{Memories: map[string]int{}}, time.Now()
	slowest := time.Duration(0)
	for {
		call := time.Now()
		out, err := k.LearnHistory(t.Context(), c, in)
		if err != nil || len(out.Problems) > 0 {
			t.Fatalf("%+v %v", out, err)
		}
		slowest = max(slowest, time.Since(call))
		all.Sessions += out.Sessions
		all.Summaries += out.Summaries
		for kind, n := range out.Memories {
			all.Memories[kind] += n
		}
		if in.Cursor = out.Next; out.Next == "" {
			break
		}
	}
	t.Logf("%d sessions in %v, the longest call %v: %d summaries", all.Sessions, time.Since(begun), slowest, all.Summaries)
	for _, kind := range slices.Sorted(maps.Keys(all.Memories)) {
		t.Logf("%-12s %d", kind, all.Memories[kind])
	}
	if all.Sessions < len(files)/2 || all.Summaries == 0 || all.Memories["episode"] == 0 {
		t.Errorf("%+v of %d files", all, len(files))
	}
	if problems, err := m.Store().Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("%+v %v", problems, err)
	}
}
