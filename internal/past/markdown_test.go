package past

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFencesHold proves that no text gets out of its code block.
func TestFencesHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"`", "``", "```", "````", "~~~", "\n", "a", " ", "```go\n", "> "})).Draw(t, "text"), "")
		lines := strings.Split(fenced(text, "x"), "\n")
		fence := strings.TrimSuffix(lines[0], "x")
		for _, l := range lines[1 : len(lines)-1] {
			if strings.HasPrefix(strings.TrimSpace(l), fence) {
				t.Fatalf("%q ends the block in %q", l, text)
			}
		}
		if closed(closed(text)) != closed(text) {
			t.Fatalf("%q stays open", text)
		}
		if s := codeSpan(text); strings.Contains(s, "\n") {
			t.Fatalf("%q", s)
		}
	})
}
