package moment

import (
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
	"chitta/internal/mind"
)

// TestStandingWishesDoNotFade: what a person wants is told eight months later as
// on the first day, unless something else than time spoke against it.
func TestStandingWishesDoNotFade(t *testing.T) {
	const months8 = 8 * 30 * 24 * time.Hour
	h := newHouse(t)
	c := h.project("project")
	kept := h.knows("preference", "Never push to main; open a pull request")
	h.knows("correction", "Amounts are in cents, not in euros")
	rejected := h.knows("preference", "Always write the changelog in French")
	corrected := h.knows("preference", "Use tabs of width eight in reports")
	weakened := h.knows("preference", "Greet everybody in comments")
	h.knows("preference", "Quoted by an agent: name branches after birds", func(in *mind.RememberInput) { in.Trust = string(memory.TrustAgent) })
	h.knows("intention", "Paint the dashboard green")
	h.wait(months8)
	for i := range mostLearned { // newer ones do not crowd it out by being new
		h.knows("insight", "The "+strings.Repeat("very ", i+1)+"new parser is slow on line ends")
	}
	if _, err := h.mind.Reject(t.Context(), c, mind.ReasonInput{ID: rejected}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.mind.Correct(t.Context(), c, mind.CorrectInput{ID: corrected, Content: "Use spaces in reports"}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.mind.Weaken(t.Context(), c, mind.ReasonInput{ID: weakened}); err != nil {
		t.Fatal(err)
	}
	h.wait(time.Hour)
	holds(t, h.starts("s1", "startup"), []string{"Never push to main", kept, "Use spaces in reports", "Amounts are in cents"},
		"French", "width eight", "Greet everybody", "birds", "dashboard")
	holds(t, h.attend(Event{Name: SubagentStart, Session: "s1"}), []string{"Never push to main"}, "birds")
	holds(t, h.uses("s1", "Bash", "command", "git push origin main"), []string{"Never push to main"})
}
