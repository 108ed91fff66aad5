package moment

import (
	"slices"
	"testing"
	"time"

	"chitta/internal/evaldata"
)

// TestReplayOnRecordedSessions goes through every session of a real project and
// counts how often it would have been spoken to.
func TestReplayOnRecordedSessions(t *testing.T) {
	if !*withRecorded {
		t.Skip("embedding 34 MB of sessions takes a minute or two; run with -recorded")
	}
	k, c, _ := recorded(t, homeOfRecorded(t))
	prompts, injected, why := 0, []int{}, map[string]int{}
	begun := time.Now()
	for _, file := range evaldata.Files(t, "sessions", "claude", "projects", "*", "*.jsonl") {
		in := ReplayInput{Session: readSession(t, file)[0].Session}
		for more := true; more; more = in.Cursor != "" {
			out, err := k.Replay(t.Context(), c, in)
			if err != nil {
				t.Fatalf("%s: %v", in.Session, err)
			}
			for _, p := range out.Prompts {
				prompts++
				why[p.Outcome]++
				if p.Outcome == Injected {
					injected = append(injected, p.Tokens)
					t.Logf("%.2f %s\n%s", p.Best, p.Prompt, p.Text)
				}
			}
			in.Cursor = out.Next
		}
	}
	slices.Sort(injected)
	t.Logf("%d of %d prompts get something, median %d tokens; %v; took %v", len(injected), prompts, injected[len(injected)/2], why, time.Since(begun))
	if 4*len(injected) > prompts {
		t.Errorf("%d of %d prompts get something: too talkative", len(injected), prompts)
	}
}
