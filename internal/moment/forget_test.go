package moment

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chitta/internal/mind"
	"chitta/internal/past"
	"chitta/internal/store"
)

// TestForgottenSessionIsUnlearned forgets a session after it was learned from
// and summed up. Nothing of it is left, and nothing of it comes back: not by
// its hooks, which go on, nor by its transcript, which is still there.
func TestForgottenSessionIsUnlearned(t *testing.T) {
	h := newHouse(t)
	other, s := h.talk("s0"), h.talk("s1")
	for _, x := range []*talk{other, s} {
		x.event(SessionStart)
	}
	other.works("The border of the table is too thin, please make it thicker", "table.go")
	s.works("The zeppelin total is wrong when the list is empty, please repair it", "zeppelin.go")
	s.asks("We'll go with one zeppelin rule everywhere. I still need to tell the zeppelin pilots.")
	s.says("Noted.\n\nNext steps:\n- write the zeppelin rule down in docs/zeppelin.md")
	caller := mind.Caller{Actor: "cli", Session: "s1", Cwd: filepath.Join(h.home, "project")}
	said, err := h.mind.Remember(t.Context(), caller, mind.RememberInput{Content: "Airships are moored at the mast behind the hangar"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.LedgerSave(t.Context(), caller, LedgerSaveInput{LedgerState: LedgerState{Decisions: []string{"ship the zeppelin on Friday"}}}); err != nil {
		t.Fatal(err)
	}
	for _, x := range []*talk{other, s} {
		x.event(Stop)
		x.event(SessionEnd)
	}
	h.rounds()
	if _, ok := h.sunsetState("s1"); !ok || len(h.memories("s1")) < 3 || len(h.summaries("s1")) != 1 {
		t.Fatalf("too little was learned: %+v", h.memories("s1"))
	}
	before := len(h.memories("s0"))

	out, err := h.mind.SessionForget(t.Context(), caller, past.SessionInput{ID: "s1"})
	if err != nil || out.Memories < 2 || out.Ledgers != 2 {
		t.Fatalf("%+v %v", out, err)
	}
	unlearned := func(when string) {
		t.Helper()
		if left := h.memories("s1"); len(left) != 1 || left[0].ID != said.ID {
			t.Errorf("%s: %+v", when, left)
		}
		if rows, err := h.store.Ledgers(t.Context(), store.LedgerFilter{Session: "s1", Limit: 5}); err != nil || len(rows) != 0 {
			t.Errorf("%s: %+v %v", when, rows, err)
		}
		if lessons, err := h.store.Lessons(t.Context(), "s1"); err != nil || len(lessons) != 0 {
			t.Errorf("%s: %+v %v", when, lessons, err)
		}
		if n := len(h.memories("s0")); n != before {
			t.Errorf("%s: another session has %d memories, it had %d", when, n, before)
		}
		holdsNone(t, h.mind, h.home, "zeppelin")
	}
	unlearned("at once")

	s.event(UserPromptSubmit, func(e *Event) { e.Prompt = "go on" })
	s.asks("And now the tail of the zeppelin, which drags on the ground")
	s.edits("zeppelin.go")
	s.says("The zeppelin is trimmed.")
	s.event(PreCompact)
	s.event(Stop)
	h.rounds()
	s.event(SessionEnd)
	h.rounds()
	unlearned("when it goes on")
	if _, err := h.mind.SessionIngest(t.Context(), caller, mind.SessionIngestInput{Path: s.path}); err != nil {
		t.Fatal(err)
	}
	h.rounds()
	unlearned("after an import")
	h.again()
	h.rounds()
	unlearned("after a start")
}

// holdsNone proves that no file of the data directory holds a text; what the
// client wrote is its own.
func holdsNone(t *testing.T, m *mind.Mind, home, text string) {
	t.Helper()
	if err := m.Maintain(t.Context()); err != nil {
		t.Error(err)
	}
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.Contains(path, "transcripts") {
			return err
		}
		b, err := os.ReadFile(path)
		if at := strings.Index(strings.ToLower(string(b)), text); at >= 0 {
			t.Errorf("%s still holds it: %.120q", path, b[max(0, at-60):])
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
