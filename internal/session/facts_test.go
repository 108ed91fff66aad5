package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFactsOfASession(t *testing.T) {
	messages := readMessages(t, ClaudeCode{}, "testdata/session.jsonl")
	one, zero := 1, 0
	runs := []CommandRun{
		{Command: "go test ./auth/...", ExitCode: &one, Failed: true, Message: "u03", Result: "u04"},
		{Command: "go test ./auth/...", ExitCode: &zero, Message: "u13", Result: "u14"},
	}
	if diff := cmp.Diff(runs, CommandRuns(messages)); diff != "" {
		t.Error(diff)
	}
	files := []FileTouch{
		{Path: "/src/app/auth/token.go", Tool: "Read", Action: Read, Message: "u05"},
		{Path: "/src/app/auth", Tool: "Grep", Action: Search, Message: "u05"},
		{Path: "/src/app/auth/token.go", Tool: "Edit", Action: Edit, Failed: true, Message: "u07"},
		{Path: "/src/app/auth/token.go", Tool: "Edit", Action: Edit, Message: "u09"},
		{Path: "/src/app/auth/token.go", Tool: "Edit", Action: Edit, Message: "u11"},
	}
	if diff := cmp.Diff(files, FileTouches(messages)); diff != "" {
		t.Error(diff)
	}
}

func TestActionOfTools(t *testing.T) {
	for tool, want := range map[string]Action{
		"Read": Read, "NotebookRead": Read, "Edit": Edit, "MultiEdit": Edit, "NotebookEdit": Edit, "Write": Write,
		"Grep": Search, "Glob": Search, "LS": Search, "LSP": Read,
		"mcp__files__read_file": Read, "mcp__files__write_file": Write, "mcp__search__edit_lines": Edit,
	} {
		if got := actionOf(tool); got != want {
			t.Errorf("%s: %s, want %s", tool, got, want)
		}
	}
}
