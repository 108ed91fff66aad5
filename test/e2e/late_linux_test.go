package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Hooks have limits of some tens of milliseconds, and keep to them: on a machine
// that is busy with other things they give up in silence. That is what they are
// for, and says nothing about what these tests are about. So they look into the
// log of hooks for those that were late, and do again what depended on them, in
// another project, where nothing is known of the first time.

// tries is how often something is done so that no hook is late.
const tries = 4

// late lists the events of hooks that gave up for want of time.
func (h *home) late() (events []string) {
	h.t.Helper()
	b, err := os.ReadFile(h.path("home", ".chitta", "logs", "hook.log"))
	if err != nil {
		return nil // none ever gave up
	}
	for line := range strings.Lines(string(b)) {
		var failed struct{ Event, Reason string }
		if json.Unmarshal([]byte(line), &failed) == nil && (failed.Reason == "the time was up" || failed.Reason == "the daemon is busy") {
			events = append(events, failed.Event)
		}
	}
	return events
}

// inTime does something, and does it again if a hook was late in it. What it
// relies on, it has to bring about itself.
func (h *home) inTime(do func()) {
	h.t.Helper()
	for n := 1; ; n++ {
		before := len(h.late())
		do()
		late := h.late()[before:]
		if len(late) == 0 || n == tries {
			return
		}
		h.t.Logf("hooks were late (%s): once more", strings.Join(late, ", "))
		h.begin(fmt.Sprintf("shop-%d", n+1))
	}
}

// again reports the end of a session to chitta once more if that was missed for
// want of time. Otherwise chitta would wait until the session has been idle for
// long enough.
func (h *home) again(session string, late []string) {
	h.t.Helper()
	if !slices.Contains(late, "SessionEnd") {
		return
	}
	transcripts, err := filepath.Glob(h.path("home", ".claude", "projects", "*", session+".jsonl"))
	if err != nil || len(transcripts) != 1 {
		h.t.Fatalf("transcripts of session %s: %v, %v", session, transcripts, err)
	}
	report, err := json.Marshal(map[string]string{
		"hook_event_name": "SessionEnd", "session_id": session, "transcript_path": transcripts[0], "cwd": h.project, "reason": "other",
	})
	if err != nil {
		h.t.Fatal(err)
	}
	for range tries {
		before := len(h.late())
		ctx, cancel := context.WithTimeout(h.t.Context(), commandTimeout)
		cmd := h.command(ctx, h.binary(), "hook", "SessionEnd")
		cmd.Stdin = bytes.NewReader(report)
		if err = start(cmd); err == nil {
			err = cmd.Wait()
		}
		cancel()
		if err != nil {
			h.t.Fatal(err)
		}
		if len(h.late()) == before {
			return
		}
	}
}
