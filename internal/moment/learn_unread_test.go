package moment

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chitta/internal/mind"
)

// TestUnreadableTranscript: one that cannot be read is not one without
// anything in it. It is tried again, the log and the doctor tell of it, and what
// it holds is learned as soon as it can be read.
func TestUnreadableTranscript(t *testing.T) {
	for _, tt := range []struct {
		name   string
		broken func(s *talk) string // which file cannot be read
	}{
		{"the session's own", func(s *talk) string { return s.path }},
		{"a subagent's", func(s *talk) string {
			return filepath.Join(strings.TrimSuffix(s.path, ".jsonl"), "subagents", "agent-a1.jsonl")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t)
			var log strings.Builder
			h.Keeper = New(Options{Mind: h.mind, Log: slog.New(slog.NewTextHandler(&log, nil))})
			s := h.talk("s1")
			s.event(SessionStart)
			s.works("The total is wrong when the list is empty, please repair it", "total.go")
			broken := tt.broken(s)
			aside := filepath.Join(t.TempDir(), "aside")
			if err := os.MkdirAll(filepath.Dir(broken), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(broken, aside); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			// a link that leads to itself can be read by nobody, not even by root
			if err := os.Symlink(broken, broken); err != nil {
				t.Fatal(err)
			}
			s.event(Stop)
			s.event(SessionEnd)
			h.rounds()
			if v := h.visit("s1"); !v.Sunset.IsZero() {
				t.Errorf("it counts as read and was summed up: %+v", v)
			}
			if n := strings.Count(log.String(), filepath.Base(broken)); n != 1 {
				t.Errorf("the log names the file %d times:\n%s", n, log.String())
			}
			if f := h.doctorLearning(); f.Status != mind.FindingWarn || !strings.Contains(f.Detail, broken) || !strings.Contains(f.Detail, "s1") {
				t.Errorf("the doctor says %+v", f)
			}
			if err := os.Remove(broken); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(aside, broken); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			h.wait(h.retries.wait("s1", h.now()))
			h.rounds()
			if v := h.visit("s1"); v.Sunset.IsZero() || len(tagged(h.memories("s1"), "edit")) != 1 {
				t.Errorf("it was not learned from once it could be read: %+v %+v", v, h.memories("s1"))
			}
			out, err := h.Doctor(t.Context(), h.project("project"), mind.NoInput{})
			if last := out.Findings[len(out.Findings)-1]; err != nil || last.Name != "learning" || last.Status != mind.FindingOK {
				t.Errorf("the doctor says %+v, %v", last, err)
			}
		})
	}
}
