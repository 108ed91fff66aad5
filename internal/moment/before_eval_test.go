package moment

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"chitta/internal/evaldata"
	"chitta/internal/session"
)

// TestWarningsOnRecordedSessions counts how many tool calls of a real project's
// history would have got a line before them, from what was known then.
func TestWarningsOnRecordedSessions(t *testing.T) {
	if !*withRecorded {
		t.Skip("embedding 34 MB of sessions takes a minute or two; run with -recorded")
	}
	k, c, _ := recorded(t, homeOfRecorded(t))
	r, err := k.mind.RealmHere(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	roots, err := k.mind.Roots(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := k.store.Runs(t.Context(), r.ID, runsLooked)
	if err != nil {
		t.Fatal(err)
	}
	calls, warned := 0, 0
	var took []time.Duration
	for _, file := range evaldata.Files(t, "sessions", "claude", "projects", "*", "*.jsonl") {
		given := map[string]bool{}
		messages := readSession(t, file)
		known := runs
		for len(known) > 0 && !known[0].Time.Before(messages[0].Time) {
			known = known[1:]
		}
		k.commands.books = map[string]commandBook{r.ID: {notes: notesOf(known, roots)}}
		for _, m := range messages {
			for _, p := range m.Parts {
				u, ok := useOf(p.Tool, json.RawMessage(p.Input))
				if p.Kind != session.ToolUse || !ok {
					continue
				}
				calls++
				u.at = m.Time
				begun := time.Now()
				x, err := k.warning(t.Context(), r.ID, m.Session, u, func(id string) bool { return given[id] })
				took = append(took, time.Since(begun))
				if err != nil {
					t.Fatal(err)
				}
				text, ids := fence([]section{{title: "Before you do this", items: x}}, beforeMost)
				if text == "" {
					continue
				}
				warned++
				for _, id := range ids {
					given[id], given[beforeTool+id] = true, true
				}
				t.Logf("%s%s\n%s", u.file, u.command, text)
			}
		}
	}
	slices.Sort(took)
	t.Logf("%d of %d calls got a line; p50 %v, p99 %v, most %v", warned, calls, took[len(took)/2], took[len(took)*99/100], took[len(took)-1])
	if 100*warned > 3*calls {
		t.Errorf("%d of %d calls got a line, want fewer than 3 in 100", warned, calls)
	}
}
