package past

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
	"chitta/internal/session"
)

// work is a session of a client in the making.
type work struct {
	id, dir string
	lines   []string
}

func (w *work) add(kind string, content any, more ...any) string {
	n := len(w.lines) + 1
	id, parent := fmt.Sprintf("%s-%d", w.id, n), ""
	if n > 1 {
		parent = fmt.Sprintf("%s-%d", w.id, n-1)
	}
	record := map[string]any{
		"type": kind, "uuid": id, "parentUuid": parent, "sessionId": w.id, "cwd": w.dir, "gitBranch": "main",
		"timestamp": time.Date(2026, 4, 1, 10, n, 0, 0, time.UTC).Format(time.RFC3339),
		"message":   map[string]any{"role": kind, "content": content},
	}
	for _, result := range more {
		record["toolUseResult"] = result
	}
	line, _ := json.Marshal(record)
	w.lines = append(w.lines, string(line))
	return id
}

// calls adds a call of a tool and its result; it returns the id of the call.
func (w *work) calls(tool string, input map[string]any, result string, failed bool) string {
	call := fmt.Sprint("call-", len(w.lines))
	id := w.add("assistant", []any{map[string]any{"type": "tool_use", "id": call, "name": tool, "input": input}})
	var more []any
	if tool == "Bash" && !failed {
		more = append(more, map[string]any{"stdout": result, "stderr": ""})
	}
	w.add("user", []any{map[string]any{"type": "tool_result", "tool_use_id": call, "content": result, "is_error": failed}}, more...)
	return id
}

func (w *work) runs(command, output string) string {
	return w.calls("Bash", map[string]any{"command": command}, output, false)
}

func (w *work) fails(command, output string) string {
	return w.calls("Bash", map[string]any{"command": command}, "Exit code 1\n"+output, true)
}

func (w *work) edits(file string) string {
	return w.calls("Edit", map[string]any{"file_path": file, "old_string": "a", "new_string": "b"}, "done", false)
}

const parserError = "parser_test.go:41: parser returned 17 tokens, want 16: the comma was dropped"

// mended is a session in which a parser is mended.
func mended() (w *work, asked, edited, passed string) {
	w = &work{id: "5c0ffee0-aaaa", dir: "/w/app"}
	asked = w.add("user", "Mend the parser so that it keeps commas")
	w.fails("cd /w/app && go test ./parser", parserError)
	edited = w.edits("/w/app/parser/scan.go")
	passed = w.runs("go test ./parser", "ok  app/parser 0.1s")
	w.add("assistant", []any{map[string]any{"type": "text", "text": "The scanner keeps the comma now."}})
	return w, asked, edited, passed
}

// TestArchive reads one session in every way there is.
func TestArchive(t *testing.T) {
	h := open(t)
	w, asked, edited, passed := mended()
	h.take(session.ClaudeCode{}, w.dir, w.lines...)
	ctx, agent := t.Context(), Reader{Dir: w.dir}

	listed, err := h.List(ctx, agent, ListInput{File: "scan.go"})
	if err != nil || listed.Total != 1 || listed.Sessions[0].Short != "5c0ffee0" || listed.Sessions[0].Project != "app" || listed.Sessions[0].When().IsZero() {
		t.Errorf("list: %+v %v", listed, err)
	}
	shown, err := h.Show(ctx, agent, ShowInput{ID: "5c0f"})
	if err != nil || shown.Total != 8 || len(shown.Messages) != 5 || !strings.Contains(textOf(shown), "go test ./parser") {
		t.Errorf("show: %+v %v", shown, err)
	}
	found, err := h.Search(ctx, agent, SearchInput{Query: `"comma was dropped"`})
	if err != nil || found.Found != 1 || found.Sessions[0].Hits[0].Tool != "Bash" {
		t.Errorf("search: %+v %v", found, err)
	}
	resumed, err := h.Resume(ctx, agent, SessionInput{ID: "5c0f"})
	if err != nil || resumed.LastRequest.ID != asked || resumed.Command != "cd /w/app && claude --resume 5c0ffee0-aaaa" ||
		!slices.Equal(resumed.Files, []TouchedFile{{"/w/app/parser/scan.go", "edit"}}) {
		t.Errorf("resume: %+v %v", resumed, err)
	}
	carried, err := h.Context(ctx, agent, ContextInput{ID: "5c0f", Query: "comma"})
	if err != nil || len(carried.Messages) == 0 || carried.Messages[0].ID != asked || carried.Degraded == "" {
		t.Errorf("context: %+v %v", carried, err)
	}
	exported, err := h.Export(ctx, agent, ExportInput{ID: "5c0f"})
	if err != nil || !slices.Equal(exported.Pieces, w.lines) {
		t.Errorf("export: %v %v", exported.Pieces, err)
	}
	blamed, err := h.Blame(ctx, agent, BlameInput{File: "parser/scan.go"})
	if err != nil || blamed.Changed != 1 || blamed.Sessions[0].Turns[0].ID != edited || blamed.Sessions[0].Turns[0].WhyID != asked ||
		blamed.Sessions[0].Turns[0].Decided != "The scanner keeps the comma now." {
		t.Errorf("blame: %+v %v", blamed, err)
	}
	fixed, err := h.Fix(ctx, agent, FixInput{Error: strings.ReplaceAll(parserError, "17", "20")})
	if err != nil || len(fixed.Occurrences) != 1 || fixed.Occurrences[0].Verdict != VerdictFixed || fixed.Occurrences[0].FixedBy != passed || fixed.Occurrences[0].Steps[0].What != "parser/scan.go" {
		t.Errorf("fix: %+v %v", fixed, err)
	}
	how, err := h.How(ctx, agent, HowInput{Task: "test the parser"})
	if err != nil || len(how.Commands) != 1 || how.Commands[0].Command != "go test ./parser" || how.Commands[0].Count != 2 || !slices.Equal(how.Commands[0].Evidence, []string{passed}) {
		t.Errorf("how: %+v %v", how, err)
	}
}

// TestAgentsReadTheirOwnProject: what was said elsewhere is not there for an
// agent; a person finds it from anywhere, also where the directory is gone.
func TestAgentsReadTheirOwnProject(t *testing.T) {
	h := open(t)
	w, asked, _, _ := mended()
	h.take(session.ClaudeCode{}, w.dir, w.lines...)
	h.take(session.Turns{}, "/w/other", `{"id":"1","session":"talk","text":"hello there"}`)
	ctx := t.Context()
	ways := map[string]func(who Reader) error{
		"show":           func(who Reader) error { _, err := h.Show(ctx, who, ShowInput{ID: w.id}); return err },
		"show a message": func(who Reader) error { _, err := h.Show(ctx, who, ShowInput{ID: asked}); return err },
		"show within":    func(who Reader) error { _, err := h.Show(ctx, who, ShowInput{ID: w.id + ":" + asked}); return err },
		"resume":         func(who Reader) error { _, err := h.Resume(ctx, who, SessionInput{ID: w.id}); return err },
		"context":        func(who Reader) error { _, err := h.Context(ctx, who, ContextInput{ID: w.id}); return err },
		"export":         func(who Reader) error { _, err := h.Export(ctx, who, ExportInput{ID: w.id}); return err },
		"export there":   func(who Reader) error { _, err := h.Export(ctx, who, ExportInput{ID: w.id, Realm: "app"}); return err },
		"find":           func(who Reader) error { _, err := h.Find(ctx, who, "id", w.id); return err },
	}
	for name, ask := range ways {
		if err := ask(Reader{Dir: w.dir}); err != nil {
			t.Errorf("%s, in the project: %v", name, err)
		}
		var missing *memory.NotFoundError
		if err := ask(Reader{Dir: "/w/other"}); !errors.As(err, &missing) || strings.Contains(missing.Hint, w.id) {
			t.Errorf("%s, an agent elsewhere: %v", name, err)
		}
		for _, dir := range []string{"/w/other", "/w/gone"} {
			if err := ask(Reader{Person: true, Dir: dir}); err != nil {
				t.Errorf("%s, a person in %s: %v", name, dir, err)
			}
		}
	}
	if b, err := h.Blame(ctx, Reader{Dir: "/w/other"}, BlameInput{File: "scan.go", Realm: All}); err == nil {
		t.Errorf("an agent asks everywhere: %+v", b)
	}
	if b, err := h.Blame(ctx, Reader{Person: true, Dir: "/w/other"}, BlameInput{File: "scan.go", Realm: All}); err != nil || b.Realm != "" || b.Changed != 1 {
		t.Errorf("a person asks everywhere: %+v %v", b, err)
	}
}
