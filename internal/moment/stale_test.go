package moment

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chitta/internal/mind"
	"chitta/internal/syntax"
)

const parseGo = `package shop

import "strings"

func parse(line string) (string, string) {
	name, value, _ := strings.Cut(line, "=")
	return name, value
}
`

// TestStaleIsSaid: a memory about a function is told as it is while the function
// is what it was. When it changed, the next session is told so with the memory:
// at its start, when it asks, and before it edits the file.
func TestStaleIsSaid(t *testing.T) {
	h := newHouse(t)
	dir := filepath.Join(h.home, "project")
	person := mind.Caller{Actor: mind.ActorCLI, Cwd: dir}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "config.go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if !syntax.Available {
			return
		}
		for in := (mind.CodeIndexInput{Path: dir}); ; {
			out, err := h.mind.CodeIndex(t.Context(), person, in)
			if err != nil {
				t.Fatal(err)
			}
			if out.Done {
				return
			}
			in.Job = out.Job
		}
	}
	write(parseGo)
	_, err := h.mind.Remember(t.Context(), person, mind.RememberInput{
		Content: "`parse` in config.go mangles lines with two equals signs", Kind: "failure",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "stale: `parse` changed since 2026-03-04"
	if !syntax.Available {
		want = "stale: `config.go` changed since 2026-03-04"
	}
	told := func(session string) map[string]string {
		h.wait(24 * time.Hour)
		edit, err := json.Marshal(map[string]string{"file_path": filepath.Join(dir, "config.go"), "old_string": "lines", "new_string": "equals signs mangles"})
		if err != nil {
			t.Fatal(err)
		}
		return map[string]string{
			"start":  h.attend(Event{Name: SessionStart, Session: session, Source: "startup"}).Context,
			"prompt": h.attend(Event{Name: UserPromptSubmit, Session: session + " asks", Prompt: "why does parse mangle lines with two equals signs?"}).Context,
			"before": h.attend(Event{Name: PreToolUse, Session: session + " edits", Tool: "Edit", Input: edit}).Context,
		}
	}
	for when, text := range told("s1") {
		if !strings.Contains(text, "mangles lines") || strings.Contains(text, "stale") {
			t.Errorf("%s: %s", when, text)
		}
	}
	write(strings.Replace(parseGo, "strings.Cut(line", "strings.Cut(strings.TrimSpace(line)", 1))
	for when, text := range told("s2") {
		if !strings.Contains(text, "mangles lines") || !strings.Contains(text, want+"]") {
			t.Errorf("%s: %s", when, text)
		}
	}
	write(parseGo)
	for when, text := range told("s3") {
		if !strings.Contains(text, "mangles lines") || strings.Contains(text, "stale") {
			t.Errorf("%s again: %s", when, text)
		}
	}
}
