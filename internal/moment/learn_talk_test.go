package moment

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// talk is a session whose client writes a transcript.
type talk struct {
	h         *house
	id, agent string
	path      string
	n         int
}

func (h *house) talk(id string) *talk {
	h.t.Helper()
	dir := filepath.Join(h.home, "transcripts")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		h.t.Fatal(err)
	}
	return &talk{h: h, id: id, path: filepath.Join(dir, id+".jsonl")}
}

// event is one of the session.
func (s *talk) event(name string, fn ...func(*Event)) Answer {
	s.h.t.Helper()
	e := Event{Name: name, Session: s.id, Transcript: s.path}
	for _, f := range fn {
		f(&e)
	}
	return s.h.attend(e)
}

func (s *talk) write(line string) {
	s.h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		s.h.t.Fatal(err)
	}
	f, err := os.OpenFile(s.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(line + "\n")
		f.Close()
	}
	if err != nil {
		s.h.t.Fatal(err)
	}
}

// add writes a record a second after the one before.
func (s *talk) add(kind string, content any, more map[string]any) {
	s.h.t.Helper()
	s.n++
	s.h.wait(time.Second)
	record := map[string]any{
		"type": kind, "uuid": fmt.Sprintf("%s-%s-%d", s.id, s.agent, s.n), "sessionId": s.id,
		"cwd": filepath.Join(s.h.home, "project"), "timestamp": s.h.now().Format(time.RFC3339Nano),
		"message": map[string]any{"role": kind, "content": content},
	}
	if s.agent != "" {
		record["isSidechain"], record["agentId"] = true, s.agent
	}
	for k, v := range more {
		record[k] = v
	}
	line, err := json.Marshal(record)
	if err != nil {
		s.h.t.Fatal(err)
	}
	s.write(string(line))
}

func (s *talk) asks(text string) { s.h.t.Helper(); s.add("user", text, nil) }

func (s *talk) says(text string) {
	s.h.t.Helper()
	s.add("assistant", []any{map[string]any{"type": "text", "text": text}}, nil)
}

// ends says the last words of a turn, as the agent marks them.
func (s *talk) ends(text string) {
	s.h.t.Helper()
	message := map[string]any{"role": "assistant", "stop_reason": "end_turn", "content": []any{map[string]any{"type": "text", "text": text}}}
	s.add("assistant", nil, map[string]any{"message": message})
}

func (s *talk) calls(tool string, input map[string]any, result string, failed bool) {
	s.h.t.Helper()
	call := fmt.Sprintf("toolu_%s_%s_%d", s.id, s.agent, s.n)
	s.add("assistant", []any{map[string]any{"type": "tool_use", "id": call, "name": tool, "input": input}}, nil)
	more := map[string]any{}
	if tool == "Bash" && !failed {
		more["toolUseResult"] = map[string]any{"stdout": result, "stderr": ""}
	}
	s.add("user", []any{map[string]any{"type": "tool_result", "tool_use_id": call, "content": result, "is_error": failed}}, more)
}

func (s *talk) edits(file string) {
	s.h.t.Helper()
	s.calls("Edit", map[string]any{"file_path": filepath.Join(s.h.home, "project", file), "old_string": "a", "new_string": "b"}, "done", false)
}

func (s *talk) runs(command string) { s.calls("Bash", map[string]any{"command": command}, "ok", false) }
func (s *talk) fails(command string) {
	s.calls("Bash", map[string]any{"command": command}, "Exit code 1\nFAIL: expected 3, got 4", true)
}

// works is a turn in which something breaks and is put right.
func (s *talk) works(request, file string) {
	s.h.t.Helper()
	s.event(UserPromptSubmit, func(e *Event) { e.Prompt = request })
	s.asks(request)
	s.fails("go test ./...")
	s.edits(file)
	s.runs("go test ./...")
	s.says("The comparison in " + file + " was off by one; the tests pass now.")
}

// round does what the background does, and must succeed.
func (h *house) rounds() {
	h.t.Helper()
	if _, err := h.round(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

// memories lists what is known from a session, the oldest first.
func (h *house) memories(session string, sources ...memory.Source) []store.Record {
	h.t.Helper()
	list, err := h.store.List(h.t.Context(), store.Filter{Session: session, States: []memory.Status{memory.Active}, Sources: sources, Oldest: true})
	if err != nil {
		h.t.Fatal(err)
	}
	return list
}

// tagged returns those of a list that have a tag.
func tagged(list []store.Record, tag string) []store.Record {
	return slices.DeleteFunc(slices.Clone(list), func(r store.Record) bool { return !slices.Contains(r.Tags, tag) })
}

func (h *house) anchored(r store.Record) []string {
	h.t.Helper()
	anchors, err := h.store.AnchorsOf(h.t.Context(), []int64{r.Seq})
	if err != nil {
		h.t.Fatal(err)
	}
	var paths []string
	for _, a := range anchors[r.Seq] {
		paths = append(paths, a.Path)
	}
	return paths
}
