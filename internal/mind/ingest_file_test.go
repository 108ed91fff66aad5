package mind

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"chitta/internal/config"
	"chitta/internal/follow"
	"chitta/internal/ingest"
	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/session"
	"chitta/internal/store"
)

// script writes records as the client does, one after the other.
type script struct {
	session, cwd, agent string
	n                   int
	parent              string
	lines               []string
}

func (k *script) record(typ string, message any, extra map[string]any) string {
	k.n++
	id := fmt.Sprintf("%s%s-%04d", k.session, k.agent, k.n)
	rec := map[string]any{
		"type": typ, "uuid": id, "parentUuid": nil, "sessionId": k.session, "cwd": k.cwd, "version": "2.0.1", "gitBranch": "main",
		"timestamp": fmt.Sprintf("2026-03-01T10:%02d:%02d.000Z", k.n/60, k.n%60), "message": message,
	}
	if k.parent != "" {
		rec["parentUuid"] = k.parent
	}
	if k.agent != "" {
		rec["agentId"], rec["isSidechain"] = k.agent, true
	}
	for name, v := range extra {
		rec[name] = v
	}
	b, err := json.Marshal(rec)
	if err != nil {
		panic(err)
	}
	k.parent = id
	k.lines = append(k.lines, string(b))
	return id
}

func (k *script) user(text string) string {
	return k.record("user", map[string]any{"role": "user", "content": text}, nil)
}

func (k *script) assistant(text string) string {
	return k.record("assistant", map[string]any{"role": "assistant", "model": "claude-x", "content": []any{map[string]any{"type": "text", "text": text}}}, nil)
}

func (k *script) call(id, tool string, input map[string]any) string {
	return k.record("assistant", map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input}}}, nil)
}

func (k *script) result(call, text string, note map[string]any) string {
	return k.record("user", map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": call, "content": text}}},
		map[string]any{"toolUseResult": note, "sourceToolAssistantUUID": k.parent})
}

// conversation is a small session with work in it.
func conversation(id, cwd string) *script {
	k := &script{session: id, cwd: cwd}
	k.user("Why does the walrus build fail?")
	k.assistant("I look at the log.")
	k.call("toolu_1", "Bash", map[string]any{"command": "make walrus"})
	k.result("toolu_1", "Exit code 2\nundefined: tusk", map[string]any{"stdout": "", "exitCode": 2})
	k.call("toolu_2", "Edit", map[string]any{"file_path": cwd + "/walrus.go"})
	k.result("toolu_2", "done", nil)
	k.assistant("A tusk was missing. Shall I add a test?")
	k.user("Yes, and describe the penguin module")
	k.assistant("The penguin module slides on ice.")
	return k
}

func (k *script) text() string { return strings.Join(k.lines, "\n") + "\n" }

func (k *script) write(t testing.TB, path string) string {
	t.Helper()
	write(t, path, k.text())
	return path
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func extend(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// all describes everything stored of all conversations, without times and row
// numbers.
func all(t testing.TB, m *Mind) string {
	t.Helper()
	var b strings.Builder
	sessions, err := m.store.SessionsAfter(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]store.Session{}
	var ids []string
	for _, s := range sessions {
		byID[s.ID] = s
		ids = append(ids, s.ID)
	}
	for _, id := range sorted(ids) {
		s := byID[id]
		fmt.Fprintf(&b, "session %s %q %d messages, %s %s %s\n", s.ID, s.Title, s.Messages, s.Branch, s.Client, s.Model)
		messages, err := m.store.MessagesOf(t.Context(), s.Seq)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range messages {
			fmt.Fprintf(&b, "  %d.%d %s %s %s %x\n", x.Position, x.Turn, x.ID, x.Role, x.Agent, x.Hash[:4])
		}
		chunks, err := m.store.ChunksOf(t.Context(), s.Seq)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range chunks {
			fmt.Fprintf(&b, "  %d-%d.%d %s%s turn %d %v %v %v %s\n", c.First, c.Last, c.Part, c.Role, c.Agent, c.Turn, c.Summary, c.Asks, c.Clock, c.Hash)
		}
		files, err := m.store.RecentFiles(t.Context(), s.Seq, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			fmt.Fprintf(&b, "  %s %s\n", f.Action, f.Path)
		}
	}
	return b.String()
}

func sorted(list []string) []string {
	out := append([]string(nil), list...)
	for i := range out {
		for j := i; j > 0 && out[j] < out[j-1]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

// sessionOf returns a conversation by id.
func sessionOf(t testing.TB, m *Mind, id string) store.Session {
	t.Helper()
	found, err := m.store.SessionByID(t.Context(), id, 2)
	if err != nil || len(found) != 1 {
		t.Fatalf("%d sessions %q, %v", len(found), id, err)
	}
	return found[0]
}

// deriveAgain makes everything again that is derived from conversations.
func deriveAgain(t *testing.T, m *Mind) {
	t.Helper()
	if err := m.ingest.DeriveAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	for m.ingest.Deriving() > 0 {
		if err := m.ingest.Derive(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTranscriptIsTakenOver(t *testing.T) {
	m := plain(t)
	cwd := t.TempDir()
	k := conversation("s1", cwd)
	k.lines = append(k.lines, `{"type":"progress","sessionId":"s1","uuid":"p"}`, `{"type":"custom-title","sessionId":"s1","customTitle":"The walrus session"}`, ``)
	path := k.write(t, filepath.Join(t.TempDir(), "s1.jsonl"))
	out := ingestAll(t, m, path)
	balanced(t, path, out.LineCounts)
	if out.Added != 9 || out.Sessions != 1 || out.Skipped["progress"] != 1 || out.Skipped["custom-title"] != 1 || out.Skipped["blank line"] != 1 || out.Lines != 12 || out.Offset != out.Size {
		t.Fatalf("%+v", out)
	}
	s := sessionOf(t, m, "s1")
	if s.Title != "The walrus session" || s.Cwd != cwd || s.Branch != "main" || s.Client != "2.0.1" || s.Model != "claude-x" || s.Messages != 9 ||
		s.Started.Format("15:04:05") != "10:00:01" || s.Ended.Format("15:04:05") != "10:00:09" {
		t.Errorf("%+v", s)
	}
	chunks, err := m.store.ChunksOf(t.Context(), s.Seq)
	if err != nil || len(chunks) != 4 {
		t.Fatalf("%d chunks %v", len(chunks), err)
	}
	for i, want := range []struct {
		turn  int64
		asks  bool
		clock session.Clock
	}{
		{1, true, session.Clock{"human": 1}},
		{1, true, session.Clock{"human": 1, "main": 1}},
		{2, false, session.Clock{"human": 2, "main": 1}},
		{2, false, session.Clock{"human": 2, "main": 2}},
	} {
		if c := chunks[i]; c.Turn != want.turn || c.Asks != want.asks || c.Clock.Compare(want.clock) != session.Equal {
			t.Errorf("chunk %d: turn %d asks %v clock %v: %s", i, c.Turn, c.Asks, c.Clock, c.Text)
		}
	}
	c := Caller{Actor: ActorCLI, Cwd: cwd}
	if got, err := m.Recall(t.Context(), c, RecallInput{Query: "missing tusk"}); err != nil || len(got.Results) == 0 {
		t.Errorf("%+v %v", got, err)
	}
	if out := ingestAll(t, m, path); !out.Unchanged || out.Lines != 0 {
		t.Errorf("the second time: %+v", out)
	}
}

// TestGrowingIsReadingAtOnce reads a file after every line that is added.
func TestGrowingIsReadingAtOnce(t *testing.T) {
	k := conversation("s1", "/gone/project")
	k.call("toolu_9", "Bash", map[string]any{"command": "sleep 1"})
	k.user("stop it") // the result comes late
	k.result("toolu_9", "ok", map[string]any{"stdout": "ok"})
	whole := plain(t)
	ingestAll(t, whole, k.write(t, filepath.Join(t.TempDir(), "s1.jsonl")))
	m := plain(t)
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	write(t, path, "")
	for i, line := range k.lines {
		extend(t, path, line+"\n")
		if out := ingestAll(t, m, path); out.Added != 1 || out.Known != 0 || out.Lines != 1 {
			t.Fatalf("line %d: %+v", i+1, out)
		}
	}
	if got, want := all(t, m), all(t, whole); got != want {
		t.Errorf("line by line:\n%s\nat once:\n%s", got, want)
	}
	sound(t, m)
}

func TestRewrittenFilesAreReadAgain(t *testing.T) {
	m := plain(t)
	path := conversation("s1", "/p").write(t, filepath.Join(t.TempDir(), "s1.jsonl"))
	ingestAll(t, m, path)
	before := all(t, m)

	k := conversation("s1", "/p")
	k.lines = append([]string{`{"type":"summary","summary":"put before","leafUuid":"x"}`}, k.lines...)
	k.user("one more thing about the octopus")
	k.write(t, path)
	if out := ingestAll(t, m, path); !out.Rewritten || out.Added != 1 || out.Known != 9 {
		t.Errorf("rewritten: %+v", out)
	}
	write(t, path, strings.Join(k.lines[:3], "\n")+"\n")
	if out := ingestAll(t, m, path); !out.Rewritten || out.Added != 0 || out.Known != 2 {
		t.Errorf("truncated: %+v", out)
	}
	if after := all(t, m); !strings.Contains(after, "10 messages") || before == after {
		t.Errorf("%s", after)
	}
}

func TestLastLineWithoutEnd(t *testing.T) {
	m := plain(t)
	k := conversation("s1", "/p")
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	last := k.lines[8]
	write(t, path, strings.Join(k.lines[:8], "\n")+"\n"+last[:40])
	for range 2 { // it is not put aside, and said again
		out := ingestAll(t, m, path)
		balanced(t, path, out.LineCounts)
		if out.Quarantined != 1 || out.Incomplete != 1 || len(out.Problems) != 1 || out.Problems[0].Line != 9 || !out.Done {
			t.Fatalf("%+v", out)
		}
	}
	extend(t, path, last[40:])
	if out := ingestAll(t, m, path); out.Added != 1 || out.Offset == out.Size {
		t.Errorf("complete but for the newline: %+v", out)
	}
	if out := ingestAll(t, m, path); !out.Unchanged {
		t.Errorf("read again without need: %+v", out)
	}
	extend(t, path, "\n")
	if out := ingestAll(t, m, path); out.Added != 0 || out.Known != 1 || out.Offset != out.Size {
		t.Errorf("with the newline: %+v", out)
	}
	if bad, err := m.store.Quarantined(t.Context(), 10); err != nil || len(bad) != 0 {
		t.Errorf("quarantine: %+v %v", bad, err)
	}
}

func TestForksRepeatMessages(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	k := conversation("orig", "/p")
	ingestAll(t, m, k.write(t, filepath.Join(dir, "orig.jsonl")))
	fork := &script{session: "fork", cwd: "/p", parent: k.parent}
	for _, line := range k.lines {
		fork.lines = append(fork.lines, strings.ReplaceAll(line, `"sessionId":"orig"`, `"sessionId":"fork"`))
	}
	copied := filepath.Join(dir, "fork.jsonl")
	fork.write(t, copied)
	if out := ingestAll(t, m, copied); out.Added != 0 || out.Known != 9 || out.Sessions != 1 {
		t.Errorf("a copy: %+v", out)
	}
	fork.user("and now something about the ostrich")
	fork.write(t, copied)
	if out := ingestAll(t, m, copied); out.Added != 1 || out.Sessions != 0 {
		t.Errorf("%+v", out)
	}
	if s := sessionOf(t, m, "fork"); s.Messages != 1 || s.ForkedFrom != sessionOf(t, m, "orig").Seq {
		t.Errorf("%+v", s)
	}
}

func TestSubagents(t *testing.T) {
	main := &script{session: "s1", cwd: "/p"}
	main.user("Look into both modules")
	spawn := main.call("toolu_task", "Task", map[string]any{"prompt": "look at the walrus"})
	agent := &script{session: "s1", cwd: "/p", agent: "a1", n: 2}
	agent.user("look at the walrus")
	agent.assistant("The walrus has tusks.")
	main.n = 10
	main.result("toolu_task", "The walrus has tusks.", map[string]any{"agentId": "a1", "content": []any{}})
	main.assistant("Both are fine.")

	dir := t.TempDir()
	mainFile, agentFile := filepath.Join(dir, "s1.jsonl"), filepath.Join(dir, "s1", "subagents", "agent-a1.jsonl")
	main.write(t, mainFile)
	agent.write(t, agentFile)
	for _, tt := range []struct {
		name  string
		meta  bool
		files []string
	}{
		{"main first", true, []string{mainFile, agentFile}},
		{"subagent first", true, []string{agentFile, mainFile}},
		{"without the note", false, []string{mainFile, agentFile}},
		{"subagent first without the note", false, []string{agentFile, mainFile}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			meta := strings.TrimSuffix(agentFile, ".jsonl") + ".meta.json"
			os.Remove(meta)
			if tt.meta {
				write(t, meta, `{"agentType":"general","toolUseId":"toolu_task"}`)
			}
			m := plain(t)
			for _, f := range tt.files {
				ingestAll(t, m, f)
			}
			s := sessionOf(t, m, "s1")
			if s.Messages != 6 {
				t.Errorf("%d messages", s.Messages)
			}
			var section store.Section
			err := m.store.Write(t.Context(), func(tx *store.Tx) (err error) {
				section, _, err = tx.Section(s.Seq, "a1")
				return err
			})
			if err != nil || section.Call != "toolu_task" || section.Parent != spawn {
				t.Errorf("%+v %v", section, err)
			}
			deriveAgain(t, m) // makes up for the order
			chunks, err := m.store.ChunksOf(t.Context(), s.Seq)
			if err != nil {
				t.Fatal(err)
			}
			clocks := map[string]session.Clock{}
			for _, c := range chunks {
				clocks[c.Agent+c.Role+fmt.Sprint(c.Turn)] = c.Clock
			}
			if c := clocks["a1assistant1"]; c.Compare(session.Clock{"human": 1, "main": 1, "a1": 1}) != session.Equal {
				t.Errorf("the subagent's clock: %v", c)
			}
			if c := clocks["assistant1"]; c.Compare(session.Clock{"human": 1, "main": 1, "a1": 1}) != session.Equal {
				t.Errorf("the main clock after the result: %v", c)
			}
			sound(t, m)
		})
	}
}

func TestProjectIsWhereItTookPlace(t *testing.T) {
	m := plain(t)
	here, gone := t.TempDir(), filepath.Join(t.TempDir(), "was here once")
	for id, cwd := range map[string]string{"a": here, "b": gone, "c": `C:\Users\ada\shop`, "d": ""} {
		conversation(id, cwd).write(t, filepath.Join(t.TempDir(), "-misleading-folder", id+".jsonl"))
		ingestAll(t, m, conversation(id, cwd).write(t, filepath.Join(t.TempDir(), "-misleading-folder", id+".jsonl")))
	}
	realms := map[string]memory.Realm{}
	known, err := m.store.Realms(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range known {
		realms[r.ID] = r
	}
	current, _, err := m.currentRealm(t.Context(), Caller{Cwd: here})
	if err != nil || sessionOf(t, m, "a").Realm != current.ID {
		t.Errorf("a session of a directory that is there: %v %v", sessionOf(t, m, "a").Realm, err)
	}
	if r := realms[sessionOf(t, m, "b").Realm]; r.Name != "was here once" || len(r.Paths) != 1 || r.Paths[0] != gone {
		t.Errorf("a session of a directory that is gone: %+v", r)
	}
	if r := realms[sessionOf(t, m, "c").Realm]; r.Name != "shop" {
		t.Errorf("a session of another machine: %+v", r)
	}
	if r := sessionOf(t, m, "d").Realm; r != memory.UserRealm {
		t.Errorf("a session that does not say: %s", r)
	}
	// the directory comes back: it is the same project
	if err := os.MkdirAll(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	if r, isNew, err := m.currentRealm(t.Context(), Caller{Cwd: gone}); err != nil || isNew || r.ID != sessionOf(t, m, "b").Realm {
		t.Errorf("%+v %v %v", r, isNew, err)
	}
}

func TestSecretsAreTakenOutOfRecords(t *testing.T) {
	m := plain(t)
	secret := "ghp_" + "x7Kq2LmP9vRt4WzY8bNc" + "3DfG6hJs1AeU5oIi"
	image := strings.Repeat("iVBORw0KGgoAAAANSUhEUgAA", 300)
	k := &script{session: "s1", cwd: "/p"}
	k.user("use the token " + secret + " and <private>my diary</private>")
	k.record("assistant", map[string]any{"role": "assistant", "id": "msg_01AbCdEfGhIjKlMnOpQrStUv", "content": []any{
		map[string]any{"type": "thinking", "thinking": "hm, " + secret, "signature": "EqQBCkYIBRgCKkDq3x9ZmB7WlT0kR5u8hY2nPcVfJw=="},
		map[string]any{"type": "tool_use", "id": "toolu_01XyZaBcDeFgHiJkLmNoPqRs", "name": "Bash", "input": map[string]any{"command": "export TOKEN=" + secret, "id": secret}},
	}}, map[string]any{"requestId": "req_011CQabcdefGHIJKLMNOpqrs"})
	k.result("toolu_01XyZaBcDeFgHiJkLmNoPqRs", "done with "+secret, map[string]any{"stdout": "line\n" + secret, "toolUseId": "toolu_01XyZaBcDeFgHiJkLmNoPqRs", "base64": image})
	path := k.write(t, filepath.Join(t.TempDir(), "s1.jsonl"))
	if out := ingestAll(t, m, path); out.Added != 3 || out.Redacted < 5 {
		t.Errorf("%+v", out)
	}
	messages, err := m.store.MessagesOf(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, x := range messages {
		if !json.Valid(x.Raw) {
			t.Errorf("not JSON: %s", x.Raw)
		}
		text.Write(x.Raw)
	}
	for _, bad := range []string{secret, "diary"} {
		if strings.Contains(text.String(), bad) {
			t.Errorf("%q is kept", bad)
		}
	}
	for _, good := range []string{"msg_01AbCdEfGhIjKlMnOpQrStUv", "EqQBCkYIBRgCKkDq3x9ZmB7WlT0kR5u8hY2nPcVfJw==", "req_011CQabcdefGHIJKLMNOpqrs", image} {
		if !strings.Contains(text.String(), good) {
			t.Errorf("%.60q is damaged", good)
		}
	}
	if n := strings.Count(text.String(), "toolu_01XyZaBcDeFgHiJkLmNoPqRs"); n != 3 {
		t.Errorf("the id of the call is there %d times", n)
	}
}

// TestOwnWordsAreNotTakenOver leaves out what chitta said itself, even when a
// call and its answer are read at different times.
func TestOwnWordsAreNotTakenOver(t *testing.T) {
	m := plain(t)
	k := &script{session: "s1", cwd: "/p"}
	k.user("what do we know? <chitta-memory note=\"x\">a memory about zebras</chitta-memory> go on")
	k.call("toolu_1", "mcp__chitta__recall", map[string]any{"query": "zoo"})
	path := k.write(t, filepath.Join(t.TempDir(), "s1.jsonl"))
	ingestAll(t, m, path)
	k.result("toolu_1", "a memory about giraffes", map[string]any{"content": "giraffes again"})
	k.call("toolu_2", "mcp__plugin_chitta_chitta__search", map[string]any{"query": "zoo"})
	k.result("toolu_2", "a memory about gnus", nil)
	k.call("toolu_3", "Read", map[string]any{"file_path": "/p/zoo.txt"})
	k.result("toolu_3", "hippos live here", nil)
	k.write(t, path)
	k.lines = append(k.lines, `{"type":"attachment","uuid":"at1","sessionId":"s1","attachment":{"type":"hook_additional_context","content":"lions"}}`)
	ingestAll(t, m, k.write(t, path))
	messages, err := m.store.MessagesOf(t.Context(), 1)
	if err != nil || len(messages) != 7 {
		t.Fatalf("%d messages %v", len(messages), err)
	}
	var text strings.Builder
	for _, x := range messages {
		text.Write(x.Raw)
	}
	for _, bad := range []string{"zebras", "giraffes", "gnus", "lions"} {
		if strings.Contains(text.String(), bad) {
			t.Errorf("%q came back", bad)
		}
	}
	for _, good := range []string{"hippos", `"tool_use_id":"toolu_1"`, "zoo"} {
		if !strings.Contains(text.String(), good) {
			t.Errorf("%q is lost", good)
		}
	}
}

func TestDamagedLinesAreKeptApart(t *testing.T) {
	m := plain(t)
	k := conversation("s1", "/p")
	secret := "ghp_" + "x7Kq2LmP9vRt4WzY8bNc" + "3DfG6hJs1AeU5oIi"
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	text := "\uFEFF" + strings.Join(k.lines[:3], "\r\n") + "\r\n" + `{"type":"user","broken ` + secret + "\n" + strings.Repeat("\x00", 500) + "\n" +
		k.lines[3] + k.lines[4] + "\n" + strings.Join(k.lines[5:], "\n") + "\n"
	write(t, path, text)
	out := ingestAll(t, m, path)
	balanced(t, path, out.LineCounts)
	if out.Added != 9 || out.Quarantined != 2 || out.Lines != 11 {
		t.Errorf("%+v", out)
	}
	bad, err := m.store.Quarantined(t.Context(), 10)
	if err != nil || len(bad) != 2 || bad[1].Line != 4 || bad[0].Line != 5 || bad[1].Path != path || bad[1].Reason == "" {
		t.Fatalf("%+v %v", bad, err)
	}
	if bytes.Contains(bad[1].Raw, []byte(secret)) || !bytes.Contains(bad[1].Raw, []byte("broken")) {
		t.Errorf("kept: %s", bad[1].Raw)
	}
	if at := text[bad[1].Offset:]; !strings.HasPrefix(at, `{"type":"user","broken`) {
		t.Errorf("offset %d is at %.30q", bad[1].Offset, at)
	}
}

func TestOverlongLine(t *testing.T) {
	m := plain(t)
	k := conversation("s1", "/p")
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	write(t, path, k.lines[0]+"\n")
	long := `{"type":"user","message":"` + strings.Repeat("x", 32<<20) + `"}`
	extend(t, path, long+"\n"+k.lines[1]+"\n")
	out := ingestAll(t, m, path)
	balanced(t, path, out.LineCounts)
	if out.Added != 2 || out.Quarantined != 1 || out.Problems[0].Line != 2 || !strings.Contains(out.Problems[0].Why, "longer than 32 MiB") {
		t.Fatalf("%+v", out)
	}
	bad, err := m.store.Quarantined(t.Context(), 10)
	if err != nil || len(bad) != 1 || bad[0].Length != int64(len(long)+1) || len(bad[0].Raw) != 8<<10 || !bytes.HasPrefix(bad[0].Raw, []byte(`{"type":"user"`)) {
		t.Errorf("%d kept, %v", len(bad), err)
	}
}

func TestTwoImportsAtOnce(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	var files []string
	for i := range 6 {
		files = append(files, conversation(fmt.Sprintf("s%d", i), "/p").write(t, filepath.Join(dir, fmt.Sprintf("s%d.jsonl", i))))
	}
	var wg sync.WaitGroup
	counts := make([]ingest.LineCounts, 4)
	for w := range counts {
		wg.Go(func() {
			for _, f := range files {
				counts[w].Add(ingestAll(t, m, f).LineCounts)
			}
		})
	}
	wg.Wait()
	added := 0
	for _, c := range counts {
		added += c.Added
	}
	if added != 9*len(files) {
		t.Errorf("%d messages were added", added)
	}
	sound(t, m)
}

func TestFilesThatCannotBeRead(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	other := filepath.Join(dir, "other.jsonl")
	write(t, other, `{"some":"thing"}`+"\n")
	if out := ingestAll(t, m, other); out.Format != "" || out.Lines != 0 || !out.Done {
		t.Errorf("no conversation: %+v", out)
	}
	empty := filepath.Join(dir, "empty.jsonl")
	write(t, empty, "")
	if out := ingestAll(t, m, empty); out.Lines != 0 || !out.Done {
		t.Errorf("empty: %+v", out)
	}
	var input *memory.InputError
	for _, path := range []string{filepath.Join(dir, "gone.jsonl"), dir, ""} {
		if _, err := m.SessionIngest(t.Context(), person, SessionIngestInput{Path: path}); !errors.As(err, &input) || input.Field != "path" {
			t.Errorf("%q: %v", path, err)
		}
	}
	if os.Geteuid() != 0 {
		locked := conversation("s1", "/p").write(t, filepath.Join(dir, "locked.jsonl"))
		if err := os.Chmod(locked, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := m.SessionIngest(t.Context(), person, SessionIngestInput{Path: locked}); !errors.As(err, &input) {
			t.Errorf("locked: %v", err)
		}
	}
}

func TestForgottenSessionsStayForgotten(t *testing.T) {
	m := plain(t)
	k := conversation("s1", "/p")
	path := k.write(t, filepath.Join(t.TempDir(), "s1.jsonl"))
	ingestAll(t, m, path)
	if _, err := m.SessionForget(t.Context(), person, past.SessionInput{ID: "s1"}); err != nil {
		t.Fatal(err)
	}
	k.user("more of it")
	k.lines = append(k.lines, `{"type":"custom-title","sessionId":"s1","customTitle":"walrus"}`)
	out := ingestAll(t, m, k.write(t, path))
	balanced(t, path, out.LineCounts)
	if out.Added != 0 || out.Skipped["forgotten session"] != 1 {
		t.Errorf("%+v", out)
	}
	sound(t, m)
}

// TestLongWorkIsCutInSections has an agent work on one request for long. What
// comes out must not depend on how the file was read.
func TestLongWorkIsCutInSections(t *testing.T) {
	k := &script{session: "s1", cwd: "/p"}
	k.user("Do everything")
	for i := range 120 {
		id := fmt.Sprintf("toolu_%d", i)
		k.call(id, "Bash", map[string]any{"command": fmt.Sprintf("make part%d", i)})
		k.result(id, strings.Repeat(fmt.Sprintf("output %d of the build\n", i), 3000), map[string]any{"stdout": ""})
	}
	k.assistant("All done.")
	m := plain(t)
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	ingestAll(t, m, k.write(t, path))
	var section store.Section
	err := m.store.Write(t.Context(), func(tx *store.Tx) (err error) {
		section, _, err = tx.Section(1, "")
		return err
	})
	if err != nil || section.First < 100 || section.Turn != 1 || section.Clock[session.MainStream] != 1 {
		t.Fatalf("%+v %v", section, err)
	}
	pieces := plain(t)
	write(t, path, "")
	for i := 0; i < len(k.lines); i += 7 {
		extend(t, path, strings.Join(k.lines[i:min(i+7, len(k.lines))], "\n")+"\n")
		ingestAll(t, pieces, path)
	}
	if got, want := all(t, pieces), all(t, m); got != want {
		t.Errorf("in pieces:\n%s\nat once:\n%s", got, want)
	}
	deriveAgain(t, m)
	if got, want := all(t, m), all(t, pieces); got != want {
		t.Errorf("derived again:\n%s\nbefore:\n%s", got, want)
	}
}

// TestRebuildDerivesConversations damages what is derived and has it made
// again.
func TestRebuildDerivesConversations(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	for i := range 3 {
		ingestAll(t, m, conversation(fmt.Sprintf("s%d", i), "/p").write(t, filepath.Join(dir, fmt.Sprintf("s%d.jsonl", i))))
	}
	want := all(t, m)
	err := m.store.Write(t.Context(), func(tx *store.Tx) error {
		chunks, err := tx.ChunksFrom(2, "", 0)
		if err != nil {
			return err
		}
		if err := tx.SetTurn(1, 7); err != nil {
			return err
		}
		return errors.Join(tx.DropChunk(chunks[0].Seq), tx.DropChunk(chunks[2].Seq), tx.DropFacts([]int64{3, 5, 12}))
	})
	if err != nil || all(t, m) == want {
		t.Fatalf("nothing was damaged: %v", err)
	}
	if _, err := m.Rebuild(t.Context(), person, NoInput{}); err != nil {
		t.Fatal(err)
	}
	if st := m.indexStatus(); st.State != follow.IndexCatchingUp {
		t.Errorf("%+v", st)
	}
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := all(t, m); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if st := m.indexStatus(); st.State != follow.IndexReady {
		t.Errorf("%+v", st)
	}
}

// FuzzIngest reads arbitrary bytes as a transcript.
func FuzzIngest(f *testing.F) {
	k := conversation("s1", "/p")
	f.Add([]byte(k.text()))
	f.Add([]byte(k.lines[0] + k.lines[1] + "\n{\"type\":\"user\"\n\x00\xff\n"))
	f.Add([]byte(`{"id":"1","session":"s","speaker":"Ann","text":"hello"}` + "\n" + `{"id":"1","text":"` + "\n"))
	f.Add([]byte(`{"type":"user","uuid":"a","sessionId":"","timestamp":"2026-01-01T00:00:00Z","message":{"content":[{"type":"tool_result","tool_use_id":"x","content":[]}]},"toolUseResult":{"agentId":"b"}}` + "\n"))
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = f.TempDir(), "none"
	m, err := Open(f.Context(), Options{Config: cfg})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { m.Close() })
	path := filepath.Join(f.TempDir(), "s1.jsonl")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"", "claude-code", "turns"} {
			out, err := m.SessionIngest(t.Context(), Caller{Actor: ActorCLI}, SessionIngestInput{Path: path, Format: format})
			if err != nil {
				t.Fatal(err)
			}
			balanced(t, "arbitrary bytes", out.LineCounts)
		}
		sound(t, m)
	})
}
