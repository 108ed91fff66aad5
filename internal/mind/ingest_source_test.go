package mind

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// longConversation is one whose middle is far from both ends.
func longConversation(id string) *script {
	k := &script{session: id, cwd: "/p"}
	for i := range 400 {
		k.user(fmt.Sprintf("question %04d about %s", i, strings.Repeat("whales ", 100)))
	}
	return k
}

// TestRewritingTheMiddleIsNoticed changes a line far from both ends of what was
// read without changing its length, and adds another at the end.
func TestRewritingTheMiddleIsNoticed(t *testing.T) {
	m := plain(t)
	k := longConversation("s1")
	path := k.write(t, filepath.Join(t.TempDir(), "s1.jsonl"))
	if out := ingestAll(t, m, path); out.Added != 400 {
		t.Fatalf("%+v", out)
	}
	k.lines[200] = strings.ReplaceAll(k.lines[200], "s1-0201", "s1-9999")
	k.user("and one more")
	k.write(t, path)
	if out := ingestAll(t, m, path); !out.Rewritten || out.Added != 2 || out.Known != 399 {
		t.Errorf("%v, %d added, %d known", out.Rewritten, out.Added, out.Known)
	}
	k.user("and another")
	extend(t, path, k.lines[len(k.lines)-1]+"\n")
	if out := ingestAll(t, m, path); out.Rewritten || out.Added != 1 || out.Lines != 1 {
		t.Errorf("%v, %d added, %d lines", out.Rewritten, out.Added, out.Lines)
	}
	sound(t, m)
}

// TestAFileInThePlaceOfAnotherIsRead puts another file of the same size and
// time under the name of one that was read.
func TestAFileInThePlaceOfAnotherIsRead(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	path := conversation("s1", "/p").write(t, filepath.Join(dir, "s1.jsonl"))
	when := time.Now().Add(-time.Hour).Truncate(time.Second)
	chtimes := func(path string) {
		t.Helper()
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	chtimes(path)
	ingestAll(t, m, path)
	if out := ingestAll(t, m, path); !out.Unchanged {
		t.Errorf("%+v", out)
	}
	other := conversation("s2", "/p").write(t, filepath.Join(dir, "other"))
	chtimes(other)
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	if out := ingestAll(t, m, path); out.Unchanged || !out.Rewritten || out.Added != 9 {
		t.Errorf("%+v", out)
	}
}

// TestTitlesGoWhereTheyBelong reads titles that stand in the file of another
// session, before the message they name, and without a name.
func TestTitlesGoWhereTheyBelong(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	first := conversation("s1", "/p")
	ingestAll(t, m, first.write(t, filepath.Join(dir, "s1.jsonl")))
	second := conversation("s2", "/p")
	leaf := second.parent
	second.lines = append([]string{
		`{"type":"summary","summary":"Walrus builds","leafUuid":"` + first.parent + `"}`,
		`{"type":"summary","summary":"Penguins on ice","leafUuid":"` + leaf + `"}`,
	}, second.lines...)
	ingestAll(t, m, second.write(t, filepath.Join(dir, "s2.jsonl")))
	third := conversation("s3", "/p")
	third.lines = append(third.lines, `{"type":"custom-title","customTitle":"Named by hand","sessionId":"s3"}`)
	ingestAll(t, m, third.write(t, filepath.Join(dir, "s3.jsonl")))
	for id, want := range map[string]string{"s1": "Walrus builds", "s2": "Penguins on ice", "s3": "Named by hand"} {
		if got := sessionOf(t, m, id).Title; got != want {
			t.Errorf("%s is called %q, not %q", id, got, want)
		}
	}
}

// TestSecretsInNamesAndDamagedLines hides secrets where texts are not: in the
// name of a member, and escaped on a line that cannot be read.
func TestSecretsInNamesAndDamagedLines(t *testing.T) {
	m := plain(t)
	secret := "ghp_" + "x7Kq2LmP9vRt4WzY8bNc" + "3DfG6hJs1AeU5oIi"
	k := &script{session: "s1", cwd: "/p"}
	k.call("toolu_1", "Bash", map[string]any{"command": "env", "env": map[string]any{secret: "yes", "an ordinary long name": 1}})
	damaged := `{"type":"user","text":"` + strings.Replace(secret, "g", `\u0067`, 1) + `"`
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	write(t, path, k.text()+damaged+"\n")
	out := ingestAll(t, m, path)
	if out.Added != 1 || out.Redacted != 1 || out.Quarantined != 1 {
		t.Fatalf("%+v", out)
	}
	messages, err := m.store.MessagesOf(t.Context(), 1)
	if err != nil || len(messages) != 1 {
		t.Fatal(err)
	}
	raw := string(messages[0].Raw)
	if strings.Contains(raw, secret) || !strings.Contains(raw, "[redacted:") || !strings.Contains(raw, "an ordinary long name") {
		t.Errorf("kept as %s", raw)
	}
	aside, err := m.store.Quarantined(t.Context(), 10)
	if err != nil || len(aside) != 1 {
		t.Fatal(aside, err)
	}
	if text := string(aside[0].Raw); strings.Contains(text, "x7Kq2LmP9v") || !strings.Contains(text, "[redacted:") {
		t.Errorf("put aside as %s", text)
	}
}

// TestTwoLogsWithTheSameNames imports two different logs that give the same
// names to their sessions and turns.
func TestTwoLogsWithTheSameNames(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first.jsonl"), filepath.Join(dir, "second.jsonl")
	write(t, first, `{"id":"1","session":"talk","role":"user","text":"the seal swims"}`+"\n"+`{"id":"2","session":"talk","role":"user","text":"and dives"}`+"\n")
	write(t, second, `{"id":"1","session":"talk","role":"user","text":"the owl flies"}`+"\n"+`{"id":"2","session":"talk","role":"user","text":"and dives"}`+"\n"+`{"id":"3","session":"talk","role":"user","text":"at night"}`+"\n")
	if out := ingestAll(t, m, first); out.Added != 2 || out.Conflicts != 0 {
		t.Errorf("%+v", out)
	}
	out := ingestAll(t, m, second)
	if out.Added != 1 || out.Known != 2 || out.Conflicts != 1 || len(out.Problems) != 1 {
		t.Fatalf("%+v", out)
	}
	if p := out.Problems[0]; p.Line != 1 || !strings.Contains(p.Why, first) || !strings.Contains(p.Why, "another name") {
		t.Errorf("%+v", p)
	}
	sound(t, m)
}

// TestTheSameIDIsNotTheSameMessage imports records of two sessions that share
// an id and nothing else, and a session whose record was rewritten.
func TestTheSameIDIsNotTheSameMessage(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	record := func(session, text string) string {
		return `{"type":"user","uuid":"msg-001","parentUuid":null,"sessionId":"` + session + `","cwd":"/p","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"` + text + `"}}` + "\n"
	}
	one, two := filepath.Join(dir, "one.jsonl"), filepath.Join(dir, "two.jsonl")
	write(t, one, record("one", "the seal swims"))
	write(t, two, record("two", "the owl flies"))
	ingestAll(t, m, one)
	if out := ingestAll(t, m, two); out.Added != 1 || out.Known != 0 || out.Conflicts != 0 {
		t.Errorf("another session: %+v", out)
	}
	if s := sessionOf(t, m, "two"); s.ForkedFrom != 0 || s.Messages != 1 {
		t.Errorf("%+v", s)
	}
	write(t, one, record("one", "the seal dives deep"))
	out := ingestAll(t, m, one)
	if out.Added != 0 || out.Known != 1 || out.Conflicts != 1 || len(out.Problems) != 1 || !strings.Contains(out.Problems[0].Why, "other words") {
		t.Errorf("rewritten: %+v", out)
	}
	sound(t, m)
}
