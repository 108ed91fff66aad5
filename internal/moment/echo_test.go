package moment

import (
	"strings"
	"testing"

	"chitta/internal/mind"
)

// told returns the lines that an answer handed over.
func told(a Answer) []string {
	var lines []string
	for line := range strings.SplitSeq(a.Context, "\n") {
		if strings.HasPrefix(line, "- ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestEchoesAreNotLearned: what a session was handed over comes back in the
// mouths of its agent and its user, word for word and line by line.
func TestEchoesAreNotLearned(t *testing.T) {
	h := newHouse(t)
	h.knows("approach", "Let's use advisory locks for the scheduler. We decided: no Redis locks, because they were lost on failover.")
	h.knows("wisdom", "The payment service retries failed webhooks three times with exponential backoff and then parks them in the dead letter table")
	s := h.talk("s1")
	lines := told(s.event(SessionStart))
	if len(lines) != 2 || !strings.Contains(strings.Join(lines, ""), "advisory locks") {
		t.Fatalf("handed over: %q", lines)
	}
	s.asks("What do you know of these?\n" + strings.Join(lines, "\n"))
	s.says("[DECISION] " + strings.TrimPrefix(lines[0], "- ") + "\n[LEARNED] " + strings.TrimPrefix(lines[1], "- "))
	s.event(Stop)
	s.asks("Run the tests of the payment service once more")
	s.runs("go test ./...")
	s.says("The payment service retries failed webhooks three times with exponential backoff and then parks them in the dead letter table.\n\n" +
		"Next steps:\n- parks them in the dead letter table\n" + strings.Join(lines, "\n"))
	s.event(Stop)
	s.event(SessionEnd)
	h.rounds()
	echo := []string{"advisory locks", "Redis", "dead letter", "exponential"}
	for _, r := range h.memories("s1") {
		for _, e := range echo {
			if strings.Contains(r.Content, e) {
				t.Errorf("learned from an echo: %s %q", r.Kind, r.Content)
			}
		}
	}
	state, ok := h.sunsetState("s1")
	if !ok || len(h.summaries("s1")) != 1 || state.Summary != h.summaries("s1")[0].Content || !strings.Contains(state.Summary, "Run the tests") || len(state.Decisions)+len(state.NextSteps) > 0 {
		t.Errorf("%+v", state)
	}
}

// TestOwnWordsAreLearned: the same moments with something new in them.
func TestOwnWordsAreLearned(t *testing.T) {
	h := newHouse(t)
	h.knows("wisdom", "The payment service retries failed webhooks three times with exponential backoff and then parks them in the dead letter table")
	s := h.talk("s1")
	lines := told(s.event(SessionStart))
	s.asks("We'll go with five retries. This is what we had:\n" + strings.Join(lines, "\n"))
	s.runs("go test ./...")
	s.says("Webhooks get five retries now.\n\n[LEARNED] The dead letter table is emptied on Mondays\n\nNext steps:\n- tell the accountants about the new limit")
	s.event(Stop)
	s.event(SessionEnd)
	h.rounds()
	var all string
	for _, r := range append(h.memories("s1"), h.summaries("s1")...) {
		all += r.Content + "\n"
	}
	for _, want := range []string{"go with five retries", "emptied on Mondays", "tell the accountants", "Webhooks get five retries now"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not learned:\n%s", want, all)
		}
	}
	if sums := tagged(h.memories("s1"), mind.TagSummary); len(sums) != 1 {
		t.Errorf("%d summaries", len(sums))
	}
}
