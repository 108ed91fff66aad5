package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"chitta/internal/moment"
)

// hookSession stands for a client's session: it runs hooks and writes a
// transcript as the client does.
type hookSession struct {
	daemon     *hookDaemon
	id         string
	cwd        string
	transcript string
	records    int // written
	turns      int // ended
}

func newHookSession(d *hookDaemon, id string) (*hookSession, error) {
	cwd := filepath.Join(filepath.Dir(d.home), "project")
	folder := filepath.Join(d.claude, "projects", "bench")
	err := errors.Join(os.MkdirAll(cwd, 0o700), os.MkdirAll(folder, 0o700))
	return &hookSession{daemon: d, id: id, cwd: cwd, transcript: filepath.Join(folder, id+".jsonl")}, err
}

// hookPrompts are what people ask: about code, about other things, short and
// long.
var hookPrompts = []string{
	"why does the login flow fail after a token is refreshed?", "add a flag to print the result as JSON", "thanks!", "go on",
	"what did we decide about the format of the index?", "the test for concurrent writers is flaky, find out why",
	"rename Store.Open to Store.New everywhere", "write a migration that adds a column for the last visit",
	"how do I run only the tests of one package?", "explain how the ranking combines words and meaning",
	"no, use a mutex instead of a channel", "always run gofmt before you commit", "make the error message say what to do",
	"what is the capital of Peru?", "the build fails on arm64 with an undefined symbol", "please review the last change for races",
	"summarise what is left to do", "revert that, it did not help", "update the changelog and the documentation of the hooks",
	"the daemon uses 300 MB after a day, look for a leak in the cache of vectors " + strings.Repeat("and in whatever else holds on to memory ", 20),
}

// hookInputs are inputs of tools.
var hookInputs = []struct{ tool, input string }{
	{"Bash", `{"command":"go test ./...","description":"run the tests"}`},
	{"Edit", `{"file_path":"/src/store/open.go","old_string":"a","new_string":"b"}`},
	{"Write", `{"file_path":"/src/new.go","content":"` + strings.Repeat(`package x\n`, 400) + `"}`},
	{"Bash", `{"command":"git log --oneline -5"}`},
	{"Read", `{"file_path":"/src/README.md"}`},
}

// run runs the hook of an event, as the client would in the nth turn.
func (s *hookSession) run(ctx context.Context, event string, n int) (time.Duration, error) {
	r := map[string]any{"session_id": s.id, "transcript_path": s.transcript, "cwd": s.cwd, "hook_event_name": event, "permission_mode": "default"}
	call := hookInputs[n%len(hookInputs)]
	switch event {
	case moment.SessionStart:
		r["source"] = "startup"
	case moment.UserPromptSubmit:
		r["prompt"] = hookPrompts[n%len(hookPrompts)]
	case moment.PreToolUse, moment.PostToolUse, moment.PostToolUseFailure:
		r["tool_name"], r["tool_input"], r["tool_use_id"] = call.tool, json.RawMessage(call.input), fmt.Sprintf("toolu_%d", n)
		if event == moment.PostToolUse {
			r["tool_response"] = map[string]any{"stdout": strings.Repeat("ok\n", 500)}
		} else if event == moment.PostToolUseFailure {
			r["error"] = "exit status 1"
		}
	case moment.Stop:
		if err := s.endTurn(n); err != nil {
			return 0, err
		}
		r["last_assistant_message"] = answerOf(n)
	case moment.SubagentStart, moment.SubagentStop:
		r["agent_id"], r["agent_type"] = fmt.Sprintf("agent%d", n), "Explore"
	case moment.PreCompact:
		r["trigger"] = "auto"
	case moment.SessionEnd:
		r["reason"] = "other"
	}
	in, err := json.Marshal(r)
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, s.daemon.exe, "hook", event)
	cmd.Env, cmd.Dir, cmd.Stdin = s.daemon.env(), s.cwd, strings.NewReader(string(in))
	return timed(cmd)
}

func answerOf(n int) string { return fmt.Sprintf("Done with step %d; the tests pass.", n) }

// endTurn writes the records of a turn: a request, a call with its result, an
// answer.
func (s *hookSession) endTurn(n int) error {
	f, err := os.OpenFile(s.transcript, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	call := hookInputs[n%len(hookInputs)]
	id := fmt.Sprintf("toolu_%s_%d", s.id, s.turns)
	// what is asked differs from turn to turn: equal records are not stored twice
	prompt := fmt.Sprintf("%s (request %d)", hookPrompts[n%len(hookPrompts)], s.turns)
	block := func(b map[string]any) []any { return []any{b} }
	for _, r := range []struct {
		role    string
		content any
	}{
		{"user", prompt},
		{"assistant", block(map[string]any{"type": "tool_use", "id": id, "name": call.tool, "input": json.RawMessage(call.input)})},
		{"user", block(map[string]any{"type": "tool_result", "tool_use_id": id, "content": "ok"})},
		{"assistant", block(map[string]any{"type": "text", "text": answerOf(n)})},
	} {
		record := map[string]any{
			"type": r.role, "uuid": s.uuid(s.records + 1), "parentUuid": nil, "sessionId": s.id, "cwd": s.cwd, "version": "2.1.0",
			"timestamp": time.Now().UTC().Format(time.RFC3339Nano), "isSidechain": false, "userType": "external",
			"message": map[string]any{"role": r.role, "content": r.content, "id": fmt.Sprintf("msg_%s_%d", s.id, s.records)},
		}
		if s.records > 0 {
			record["parentUuid"] = s.uuid(s.records)
		}
		line, err := json.Marshal(record)
		if err != nil {
			return err
		}
		if _, err := f.Write(append(line, '\n')); err != nil {
			return err
		}
		s.records++
	}
	s.turns++
	return nil
}

func (s *hookSession) uuid(n int) string { return fmt.Sprintf("%s-%d", s.id, n) }
