package moment

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// TestEditedSourceIsLookedAt: what a tool wrote is noted for who keeps the index
// of source code, after the tool and not before, and only where there is one.
func TestEditedSourceIsLookedAt(t *testing.T) {
	h := newHouse(t)
	edit := func(event, tool, input string) {
		h.attend(Event{Name: event, Session: "s1", Tool: tool, Input: json.RawMessage(input)})
	}
	edit(PostToolUse, "Edit", `{"file_path":"/src/before.go"}`) // nothing is indexed
	base, err := h.mind.Code(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	steps := []struct {
		name, event, tool, input string
		want                     int
	}{
		{"before", PreToolUse, "Edit", `{"file_path":"/src/a.go"}`, 0},
		{"edit", PostToolUse, "Edit", `{"file_path":"/src/a.go","old_string":"a","new_string":"b"}`, 1},
		{"again", PostToolUse, "Edit", `{"file_path":"/src/a.go"}`, 1},
		{"write", PostToolUse, "Write", `{"file_path":"/src/b.go","content":"x"}`, 2},
		{"several", PostToolUse, "MultiEdit", `{"file_path":"/src/c.go"}`, 3},
		{"failed", PostToolUseFailure, "Write", `{"file_path":"/src/d.go"}`, 4}, // half of it may be there
		{"relative", PostToolUse, "Write", `{"file_path":"e.go"}`, 5},
		{"reading", PostToolUse, "Read", `{"file_path":"/src/f.go"}`, 5},
		{"command", PostToolUse, "Bash", `{"command":"touch /src/g.go"}`, 5},
		{"nonsense", PostToolUse, "Write", `{"file_path":7}`, 5},
		{"nothing", PostToolUse, "Write", ``, 5},
	}
	for _, s := range steps {
		edit(s.event, s.tool, s.input)
		if got := base.WatchStatus().Waiting; got != s.want {
			t.Errorf("%s: %d files wait, want %d", s.name, got, s.want)
		}
	}
	if filepath.Dir(h.mind.Paths().Code()) != h.home {
		t.Errorf("%s is not in the data directory", h.mind.Paths().Code())
	}
}
