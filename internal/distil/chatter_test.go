package distil

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"chitta/internal/evaldata"
)

// maxChatter is the share of lines of everyday talk that may be taken for a
// lesson: nearly none of it is about how to work.
const maxChatter = 0.01

// TestChatterTeachesLittle holds the rules for a person's words against talk
// between friends, as if each line were the answer to an agent.
func TestChatterTeachesLittle(t *testing.T) {
	raw, err := os.ReadFile(evaldata.Files(t, "locomo", "locomo-dev5.json")[0])
	if err != nil {
		t.Fatal(err)
	}
	var talks []struct {
		Conversation map[string]json.RawMessage
	}
	if err := json.Unmarshal(raw, &talks); err != nil {
		t.Fatal(err)
	}
	lines, taken := 0, 0
	for _, talk := range talks {
		for name, value := range talk.Conversation {
			var said []struct{ Text string }
			if !strings.HasPrefix(name, "session_") || json.Unmarshal(value, &said) != nil {
				continue // dates and names stand beside the sessions
			}
			for _, s := range said {
				lines++
				if len(Turn("", messagesOf(agent("I changed the order of the columns in the report."), user(s.Text)), nil)) > 0 {
					taken++
				}
			}
		}
	}
	t.Logf("%d of %d lines taken for a lesson", taken, lines)
	if lines == 0 || float64(taken) > maxChatter*float64(lines) {
		t.Errorf("%d of %d lines taken for a lesson, want at most %v of them", taken, lines, maxChatter)
	}
}
