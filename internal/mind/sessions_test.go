package mind

import (
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/session"
	"chitta/internal/store"
)

// go test ./internal/mind -run Markdown -update writes the golden file anew.
var update = flag.Bool("update", false, "write golden files")

func TestSessionsAreListedNewestFirst(t *testing.T) {
	m, c := openTest(t)
	importTurns(t, m, `{"id":"1","session":"old-talk","time":"2026-04-01T10:00:00Z","text":"an old talk"}`)
	importTurns(t, m, `{"id":"1","session":"new-talk","time":"2026-05-01T10:00:00Z","text":"a new talk"}`, `{"id":"2","session":"new-talk","time":"2026-05-02T10:00:00Z","text":"goes on"}`)
	c.advance(day)
	importTurns(t, m, `{"id":"1","session":"timeless","text":"no time is given"}`)
	talk(t, m, "5c0ffee0-aaaa", loginTalk("5c0ffee0-aaaa")...)
	list := func(in past.ListInput) []string {
		t.Helper()
		out, err := m.SessionList(t.Context(), person, in)
		if err != nil {
			t.Fatal(err)
		}
		ids := []string{}
		for _, s := range out.Sessions {
			ids = append(ids, s.ID)
		}
		return ids
	}
	all := []string{"timeless", "new-talk", "5c0ffee0-aaaa", "old-talk"}
	tests := []struct {
		name string
		in   past.ListInput
		want []string
	}{
		{"all", past.ListInput{}, all},
		{"since", past.ListInput{Since: "2026-04-20"}, []string{"timeless", "new-talk"}},
		{"until", past.ListInput{Until: "2026-04-20"}, []string{"5c0ffee0-aaaa", "old-talk"}},
		{"file", past.ListInput{File: "auth/token.go"}, []string{"5c0ffee0-aaaa"}},
		{"another file", past.ListInput{File: "oken.go"}, []string{}},
		{"realm", past.ListInput{Realm: "user"}, all},
	}
	for _, tt := range tests {
		if got := list(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	var paged []string
	in := past.ListInput{Limit: 1, Realm: "all"}
	for {
		out, err := m.SessionList(t.Context(), person, in)
		if err != nil || out.Total != len(all) {
			t.Fatalf("%d in all, %v", out.Total, err)
		}
		for _, s := range out.Sessions {
			paged = append(paged, s.ID)
		}
		if out.Next == "" {
			break
		}
		in.Cursor = out.Next
	}
	if !slices.Equal(paged, all) {
		t.Errorf("in pages: %v", paged)
	}
	if _, err := m.SessionList(t.Context(), person, past.ListInput{Cursor: "nonsense"}); err == nil {
		t.Error("a cursor from elsewhere is taken")
	}
}

// pageMost is the most messages that a page takes.
const pageMost = 500

func shown(t *testing.T, m *Mind, in past.ShowInput) past.ShowOutput {
	t.Helper()
	out, err := m.SessionShow(t.Context(), person, in)
	if err != nil {
		t.Fatalf("%+v: %v", in, err)
	}
	return out
}

// brief says a transcript in a few words.
func brief(out past.ShowOutput) string {
	var b strings.Builder
	for _, x := range out.Messages {
		fmt.Fprintf(&b, "%s %s:", x.ID, x.Role)
		for _, p := range x.Parts {
			fmt.Fprintf(&b, " %s[%s%s|%s]", p.Kind, p.Tool, p.Text, p.Outcome)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestSessionIsShownToRead(t *testing.T) {
	m := plain(t)
	talk(t, m, "5c0ffee0-aaaa", loginTalk("5c0ffee0-aaaa")...)
	want := `u1 user: text[The login test fails since yesterday. Can you find out why?|]
u3 assistant: text[I'll run the test.|] tool_use[Bashgo test ./auth/... # Run the auth tests|(exit 1) --- FAIL: TestLogin (0.00s) login_test.go:42: token expired: got 401]
u5 assistant: tool_use[Editinternal/auth/token.go|]
u7 assistant: tool_use[TodoWritewrite the changelog|]
u8 assistant: text[The clock skew was subtracted twice; the login works now.|]
`
	if diff := cmp.Diff(want, brief(shown(t, m, past.ShowInput{ID: "5c0f"}))); diff != "" {
		t.Errorf("session:\n%s", diff)
	}
	// the results before it do not count
	if got := brief(shown(t, m, past.ShowInput{ID: "5c0f", Limit: 3, Page: 2})); !strings.HasPrefix(got, "u7 assistant") {
		t.Errorf("page 2:\n%s", got)
	}
	if got := brief(shown(t, m, past.ShowInput{ID: "5c0f", Thinking: true})); !strings.Contains(got, "thinking[Perhaps") {
		t.Errorf("thinking:\n%s", got)
	}
	if got := brief(shown(t, m, past.ShowInput{ID: "5c0f", Full: true})); !strings.Contains(got, "token   expired") || !strings.Contains(got, `"new_string":"getClockSkew()"`) {
		t.Errorf("full:\n%s", got)
	}
	out := shown(t, m, past.ShowInput{ID: "5c0f", Around: "u5", Context: 1})
	if got := brief(out); !strings.HasPrefix(got, "u3 ") || strings.Count(got, "\n") != 3 || out.Around != "u5" {
		t.Errorf("around:\n%s", got)
	}
	out = shown(t, m, past.ShowInput{ID: "u4"})
	if !out.Single || len(out.Messages) != 1 || !strings.Contains(out.Messages[0].Parts[0].Text, "token   expired") || out.Session.ID != "5c0ffee0-aaaa" {
		t.Errorf("message: %+v", out)
	}
	raw := shown(t, m, past.ShowInput{ID: "u4", Raw: true}).Messages[0]
	if raw.Raw != loginTalk("5c0ffee0-aaaa")[3] {
		t.Errorf("raw: %s", raw.Raw)
	}
	if got := shown(t, m, past.ShowInput{Hash: strings.ToUpper(raw.SHA256[:9])}); got.Messages[0].ID != "u4" {
		t.Errorf("by hash: %+v", got.Messages)
	}
}

func TestSubagentsHaveTheirOwnThread(t *testing.T) {
	m := plain(t)
	side := func(s string) string {
		return strings.Replace(s, `"isSidechain":false`, `"isSidechain":true,"agentId":"a1"`, 1)
	}
	talk(t, m, "s-1", logged("user", "u1", "", "s-1", "find the bug"), side(logged("user", "u2", "", "s-1", "look for zebras in the code")), side(logged("assistant", "u3", "u2", "s-1", "no zebras")), logged("assistant", "u4", "u1", "s-1", "found it"))
	out := shown(t, m, past.ShowInput{ID: "s-1"})
	if got := brief(out); strings.Contains(got, "zebras") || len(out.Agents) != 1 || out.Agents[0] != (past.Thread{Agent: "a1", Messages: 2}) {
		t.Errorf("%+v\n%s", out.Agents, got)
	}
	if got := brief(shown(t, m, past.ShowInput{ID: "s-1", Agent: "a1"})); strings.Count(got, "zebras") != 2 {
		t.Errorf("\n%s", got)
	}
	if _, err := m.SessionShow(t.Context(), person, past.ShowInput{ID: "s-1", Agent: "a2"}); err == nil || !strings.Contains(err.Error(), "a2") {
		t.Errorf("%v", err)
	}
	// what an agent tells another was not said by a person
	if got := search(t, m, past.SearchInput{Query: "zebras", Role: "user"}); got.Found != 0 {
		t.Errorf("%+v", got)
	}
}

func TestShowRefusesWhatItCannotFind(t *testing.T) {
	m := plain(t)
	talk(t, m, "5c0ffee0-aaaa", loginTalk("5c0ffee0-aaaa")...)
	importTurns(t, m, `{"id":"7","session":"a","text":"one"}`, `{"id":"7","session":"b","text":"two"}`)
	tests := []struct {
		name string
		in   past.ShowInput
		says string
		hint string
	}{
		{"nothing", past.ShowInput{}, "needed", "chitta sessions"},
		{"both", past.ShowInput{ID: "u1", Hash: "00000000"}, "only one", ""},
		{"an unknown id", past.ShowInput{ID: "5c0ffee1"}, "not found", "did you mean 5c0ffee0-aaaa"},
		{"a message of several sessions", past.ShowInput{ID: "7"}, "several messages", "7 in session a, 7 in session b"},
		{"a page too far", past.ShowInput{ID: "5c0f", Page: 9}, "page is 9", "1 pages"},
		{"a short hash", past.ShowInput{Hash: "00ff"}, "not the start", "8 to 64"},
		{"a hash that is none", past.ShowInput{Hash: "zzzzzzzzz"}, "not the start", "hexadecimal"},
		{"an unknown hash", past.ShowInput{Hash: "00000000000"}, "not found", ""},
		{"the records of a session", past.ShowInput{ID: "5c0f", Raw: true}, "raw", "chitta export --session"},
		{"around nothing", past.ShowInput{ID: "5c0f", Around: "nobody"}, "has no message", "chitta show 5c0ffee0-aaaa"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := m.SessionShow(t.Context(), person, tt.in)
			hint := ""
			if e := (*memory.InputError)(nil); errors.As(err, &e) {
				hint = e.Hint
			}
			if e := (*memory.NotFoundError)(nil); errors.As(err, &e) {
				hint = e.Hint
			}
			if e := (*past.SeveralError)(nil); errors.As(err, &e) {
				hint = e.Hint()
			}
			if err == nil || !strings.Contains(err.Error(), tt.says) || !strings.Contains(hint, tt.hint) {
				t.Errorf("%v, hint %q", err, hint)
			}
		})
	}
	if out := shown(t, m, past.ShowInput{ID: "7", Session: "b"}); out.Messages[0].Parts[0].Text != "two" {
		t.Errorf("%+v", out)
	}
}

func TestResumeSaysWhatIsNeeded(t *testing.T) {
	m := plain(t)
	talk(t, m, "5c0ffee0-aaaa", loginTalk("5c0ffee0-aaaa")...)
	out, err := m.SessionResume(t.Context(), person, past.SessionInput{ID: "5c0f"})
	if err != nil {
		t.Fatal(err)
	}
	if out.Cwd != "/src/app" || out.Branch != "main" || out.Command != "cd /src/app && claude --resume 5c0ffee0-aaaa" {
		t.Errorf("%+v", out)
	}
	if out.LastRequest == nil || out.LastRequest.ID != "u1" || out.LastAnswer == nil || out.LastAnswer.ID != "u8" {
		t.Errorf("%+v %+v", out.LastRequest, out.LastAnswer)
	}
	if !slices.Equal(out.Todos, []past.Todo{{Content: "write the changelog", Status: "in_progress"}}) || !slices.Equal(out.Files, []past.TouchedFile{{Path: "/src/app/internal/auth/token.go", Action: "edit"}}) {
		t.Errorf("%+v %+v", out.Todos, out.Files)
	}
	importTurns(t, m, `{"id":"1","session":"talk","speaker":"Ann","text":"hello"}`)
	if out, err = m.SessionResume(t.Context(), person, past.SessionInput{ID: "talk"}); err != nil || out.Command != "" || out.LastRequest.Text != "hello" {
		t.Errorf("%+v %v", out, err)
	}
}

func TestForgottenSessionsAreGone(t *testing.T) {
	m, _ := openTest(t)
	importTurns(t, m, `{"id":"1","session":"kept","text":"the zebra stays"}`)
	secret := talk(t, m, "5c0ffee0-aaaa", loginTalk("5c0ffee0-aaaa")...)
	out, err := m.SessionForget(t.Context(), person, past.SessionInput{ID: "5c0f"})
	if err != nil || out.Messages != 8 || out.Chunks == 0 {
		t.Fatalf("%+v %v", out, err)
	}
	for _, query := range []string{"login", `"clock skew"`, "/Test[A-Z]ogin/"} {
		if got := search(t, m, past.SearchInput{Query: query}); got.Found != 0 {
			t.Errorf("%s: %+v", query, got)
		}
	}
	if got := said(t, m, "why does the login test fail"); len(got) != 0 {
		t.Errorf("recalled: %+v", got)
	}
	if _, err := m.SessionShow(t.Context(), person, past.ShowInput{ID: "5c0f"}); !errors.As(err, new(*memory.NotFoundError)) {
		t.Errorf("%v", err)
	}
	sound(t, m)
	// its id is a tombstone that an import can see
	err = m.store.Write(t.Context(), func(tx *store.Tx) error {
		s, err := tx.Session(secret.Realm, secret.Source, secret.ID)
		if err == nil && (s.Forgotten.IsZero() || s.Title != "" || s.Cwd != "") {
			t.Errorf("%+v", s)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	// what is said afterwards is found
	importTurns(t, m, `{"id":"2","session":"kept","text":"a giraffe came later"}`)
	for _, query := range []string{"giraffe", "zebra"} {
		if got := search(t, m, past.SearchInput{Query: query}); got.Found != 1 {
			t.Errorf("%s: %+v", query, got)
		}
	}
	noText(t, m.opts.Config.Paths().Home(), "getClockSkew")
}

// noText proves that no file holds a text any more.
func noText(t *testing.T, dir, text string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		for _, form := range []string{text, strings.ToLower(text)} {
			if strings.Contains(string(b), form) {
				t.Errorf("%s still holds %q", filepath.Base(path), form)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestForgettingIsFinishedAtTheNextStart erases in the store alone, as when
// the process ends right after.
func TestForgettingIsFinishedAtTheNextStart(t *testing.T) {
	m, _ := openTest(t)
	s := talk(t, m, "5c0ffee0-aaaa", loginTalk("5c0ffee0-aaaa")...)
	err := m.store.Write(t.Context(), func(tx *store.Tx) error {
		_, _, err := tx.ForgetSession(s.Seq, m.now(), true)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	again, _ := openAt(t, m.opts.Config)
	if n := again.messages.Status().Docs; n != 0 {
		t.Errorf("%d messages are left in the index", n)
	}
	sound(t, again)
}

func exportPieces(t *testing.T, m *Mind, in past.ExportInput) (pieces []string) {
	t.Helper()
	for {
		out, err := m.SessionExport(t.Context(), person, in)
		if err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, out.Pieces...)
		if out.Next == "" {
			return pieces
		}
		in.Cursor = out.Next
	}
}

func TestMarkdownGolden(t *testing.T) {
	m := plain(t)
	records := append(loginTalk("5c0ffee0-aaaa"),
		logged("user", "u9", "u8", "5c0ffee0-aaaa", "What is\n```go\nfunc f() { // ``` never closed\n"),
		logged("assistant", "u10", "u9", "5c0ffee0-aaaa", `[{"type":"tool_use","id":"t4","name":"Bash","input":{"command":"cat README.md"}}]`),
		logged("user", "u11", "u10", "5c0ffee0-aaaa", "[{\"type\":\"tool_result\",\"tool_use_id\":\"t4\",\"content\":\"# App\\n```sh\\nmake\\n```\\n````\\ndeeper\\n````\"}]"),
		logged("user", "u12", "u11", "5c0ffee0-aaaa", "This session is being continued.", `,"isCompactSummary":true`),
		logged("user", "u13", "u12", "5c0ffee0-aaaa", "<system-reminder>be brief</system-reminder>\nThanks `you`!"))
	talk(t, m, "5c0ffee0-aaaa", records...)
	got := strings.Join(exportPieces(t, m, past.ExportInput{ID: "5c0f", Format: past.FormatMarkdown}), "\n")
	golden := filepath.Join("testdata", "session.md")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is out of date; if the change is meant, run: go test ./internal/mind -run Markdown -update\n%s", golden, diff)
	}
}

func TestJSONExportHasEverything(t *testing.T) {
	m := plain(t)
	talk(t, m, "5c0ffee0-aaaa", loginTalk("5c0ffee0-aaaa")...)
	pieces := exportPieces(t, m, past.ExportInput{ID: "5c0f", Format: past.FormatJSON})
	if len(pieces) != 8 || !strings.Contains(pieces[1], "clockwork") || !strings.Contains(pieces[3], `"exit":1`) || !strings.Contains(pieces[4], `"input":{"file_path":`) {
		t.Errorf("%s", strings.Join(pieces, "\n"))
	}
}

// TestExportComesBack exports turns and imports them elsewhere: the records,
// their ids and hashes are the same.
func TestExportComesBack(t *testing.T) {
	m, other, n := plain(t), plain(t), 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		texts := rapid.SliceOfN(rapid.StringMatching(`[a-z "\\\n<>&/é数\x{2028}\x{1F600}]{0,40}`), 1, 20).Draw(r, "texts")
		var lines []string
		for i, text := range texts {
			lines = append(lines, fmt.Sprintf(`{"id":%d,"session":"talk-%d","extra":[1, 2.50],"text":%s}`, i, n, quoteJSON(text, i%2 == 0)))
		}
		comesBack(t, m, other, lines)
	})
}

// quoteJSON writes a string as JSON, with or without escapes that need not be.
func quoteJSON(s string, escape bool) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		case escape && c > '~' && c < 0x10000:
			fmt.Fprintf(&b, `\u%04X`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// comesBack imports lines, exports their sessions, imports that elsewhere and
// compares.
func comesBack(t *testing.T, m, other *Mind, lines []string) {
	t.Helper()
	if _, err := m.SessionImport(t.Context(), person, SessionImportInput{Format: "turns", Lines: lines}); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{"": true} // a session without a name cannot be asked for
	for _, line := range lines {
		record, err := session.Turns{}.Line([]byte(line))
		if err != nil || seen[record.Message.Session] {
			continue
		}
		id := record.Message.Session
		seen[id] = true
		if _, err := m.SessionNamed(t.Context(), person, id); err != nil {
			continue // all of its lines were refused, or the name was not as it seemed
		}
		pieces := exportPieces(t, m, past.ExportInput{ID: id})
		back, err := other.SessionImport(t.Context(), person, SessionImportInput{Format: "turns", Lines: pieces})
		if err != nil || len(back.Refused) > 0 || back.Added != len(pieces) {
			t.Fatalf("%+v %v", back, err)
		}
		if got, want := hashes(t, other, id), hashes(t, m, id); !slices.Equal(got, want) {
			t.Fatalf("%v came back as %v", want, got)
		}
	}
}

func hashes(t *testing.T, m *Mind, id string) (out []string) {
	t.Helper()
	s, err := m.SessionNamed(t.Context(), person, id)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := m.store.MessagesOf(t.Context(), s.Seq)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range rows {
		out = append(out, x.ID+" "+hex.EncodeToString(x.Hash[:]))
	}
	return out
}

// TestRecordsOfAClientComeBack exports a session of Claude Code and reads it
// again: the same messages, byte for byte.
func TestRecordsOfAClientComeBack(t *testing.T) {
	m := plain(t)
	records := loginTalk("5c0ffee0-aaaa")
	talk(t, m, "5c0ffee0-aaaa", records...)
	pieces := exportPieces(t, m, past.ExportInput{ID: "5c0f", Format: past.FormatJSONL})
	if !slices.Equal(pieces, records) {
		t.Errorf("%v", pieces)
	}
	lines := make([][]byte, len(pieces))
	for i, p := range pieces {
		lines[i] = []byte(p)
	}
	if format, ok := session.Detect(lines); !ok || format.Name() != "claude-code" {
		t.Errorf("the client's format is not recognised")
	}
}

// TestTitlesComeBack exports a session whose title its messages do not tell, and
// imports it elsewhere.
func TestTitlesComeBack(t *testing.T) {
	m, other := plain(t), plain(t)
	dir := t.TempDir()
	k := conversation("s1", "/p")
	k.lines = append(k.lines, `{"type":"summary","summary":"Tusks & <whales>, \"all\" of them","leafUuid":"`+k.parent+`"}`)
	ingestAll(t, m, k.write(t, filepath.Join(dir, "s1.jsonl")))
	want := sessionOf(t, m, "s1").Title
	if !strings.HasPrefix(want, "Tusks") {
		t.Fatal(want)
	}
	pieces := exportPieces(t, m, past.ExportInput{ID: "s1"})
	path := filepath.Join(dir, "exported", "anything.jsonl")
	write(t, path, strings.Join(pieces, "\n")+"\n")
	ingestAll(t, other, path)
	if got := sessionOf(t, other, "s1").Title; got != want {
		t.Errorf("%q came back as %q", want, got)
	}
	if again := exportPieces(t, other, past.ExportInput{ID: "s1"}); !slices.Equal(again, pieces) {
		t.Errorf("exported again: %v", again)
	}
}

// TestForgettingTellsOfForks erases a session from which another was forked.
func TestForgettingTellsOfForks(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	k := conversation("orig", "/p")
	fork := &script{session: "fork", cwd: "/p", n: 100}
	for _, line := range k.lines[:7] {
		fork.lines = append(fork.lines, strings.ReplaceAll(line, `"sessionId":"orig"`, `"sessionId":"fork"`))
	}
	fork.parent = "orig-0007"
	fork.user("and now something about the ostrich")
	ingestAll(t, m, k.write(t, filepath.Join(dir, "orig.jsonl")))
	ingestAll(t, m, fork.write(t, filepath.Join(dir, "fork.jsonl")))
	if v := shown(t, m, past.ShowInput{ID: "fork"}).Session; v.Fork != "orig" || v.BeginningForgotten {
		t.Errorf("%+v", v)
	}
	if v := shown(t, m, past.ShowInput{ID: "orig"}).Session; !slices.Equal(v.Forks, []string{"fork"}) {
		t.Errorf("%+v", v)
	}
	out, err := m.SessionForget(t.Context(), person, past.SessionInput{ID: "orig"})
	if err != nil || !slices.Equal(out.Forks, []string{"fork"}) || out.Shared != 7 || out.Messages != 9 {
		t.Errorf("%+v %v", out, err)
	}
	list, err := m.SessionList(t.Context(), person, past.ListInput{Realm: "all"})
	if err != nil || len(list.Sessions) != 1 || !list.Sessions[0].BeginningForgotten {
		t.Errorf("%+v %v", list, err)
	}
	sound(t, m)
}

// TestForkThatOnlyRepeats: when the session that a fork repeats is forgotten,
// nothing of the fork tells of it any more, also when its file is read again.
func TestForkThatOnlyRepeats(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	k := conversation("orig", "/p")
	fork := &script{session: "fork", cwd: "/p", n: 100}
	for _, line := range k.lines[:7] {
		fork.lines = append(fork.lines, strings.ReplaceAll(line, `"sessionId":"orig"`, `"sessionId":"fork"`))
	}
	ingestAll(t, m, k.write(t, filepath.Join(dir, "orig.jsonl")))
	ingestAll(t, m, fork.write(t, filepath.Join(dir, "fork.jsonl")))
	own := &script{session: "own", cwd: "/p", n: 200, parent: "orig-0007", lines: slices.Clone(k.lines[:7])}
	for i := range own.lines {
		own.lines[i] = strings.ReplaceAll(own.lines[i], `"sessionId":"orig"`, `"sessionId":"own"`)
	}
	own.user("and now something about the ostrich")
	ingestAll(t, m, own.write(t, filepath.Join(dir, "own.jsonl")))
	if v := shown(t, m, past.ShowInput{ID: "fork"}).Session; v.Title == "" {
		t.Fatalf("the fork has no title to lose: %+v", v)
	}
	realm := shown(t, m, past.ShowInput{ID: "fork"}).Session.Realm
	err := m.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.PutLedger(&store.Ledger{ID: "l_1", Session: "fork", Realm: realm, Kind: "checkpoint", State: `{"summary":"Last asked: walrus"}`, Created: m.now(), Updated: m.now()})
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.SessionForget(t.Context(), person, past.SessionInput{ID: "orig"})
	if err != nil || out.Ledgers != 1 {
		t.Errorf("%+v %v", out, err)
	}
	titles := func() map[string]string {
		list, err := m.SessionList(t.Context(), person, past.ListInput{Realm: "all"})
		if err != nil {
			t.Fatal(err)
		}
		by := map[string]string{}
		for _, s := range list.Sessions {
			by[s.ID] = s.Title
		}
		return by
	}
	want := map[string]string{"fork": "", "own": "and now something about the ostrich"}
	if diff := cmp.Diff(want, titles()); diff != "" {
		t.Error(diff)
	}
	for _, line := range []string{
		`{"type":"summary","summary":"All about the walrus","leafUuid":"orig-0007"}`,
		`{"type":"custom-title","customTitle":"The walrus","sessionId":"fork"}`,
	} {
		fork.lines = append(fork.lines, line)
		ingestAll(t, m, fork.write(t, filepath.Join(dir, "fork.jsonl")))
		if diff := cmp.Diff(want, titles()); diff != "" {
			t.Errorf("after %s: %s", line, diff)
		}
	}
	sound(t, m)
}

func FuzzExportComesBack(f *testing.F) {
	f.Add(`{"id":"1","session":"s","text":"hello"}`, `{"id":2,"session":"s","text":"a\u0000b","x":1e5}`)
	f.Add(`{ "text" : "spaces" , "id" : "a b" , "session" : 7 }`, `{"id":"1","session":"../x","text":""}`)
	f.Add(`{"id":"1","session":"s","text":"ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2"}`, "\xff")
	f.Fuzz(func(t *testing.T, a, b string) { comesBack(t, plain(t), plain(t), []string{a, b}) })
}

// TestSuggestionsAreOfTheCallersProject: an id that is nearly that of a session
// elsewhere tells nothing of it, unless a person asks everywhere.
func TestSuggestionsAreOfTheCallersProject(t *testing.T) {
	m := plain(t)
	there, here := t.TempDir(), t.TempDir()
	for dir, id := range map[string]string{there: "5c0ffee0-aaaa-4bbb-8ccc-1234567890ab", here: "77777777-aaaa-4bbb-8ccc-1234567890ab"} {
		line := fmt.Sprintf(`{"id":"%s","session":"%s","text":"the giraffe release went well"}`, strings.Replace(id, "-a", "-b", 1), id)
		if _, err := m.SessionImport(t.Context(), Caller{Actor: ActorCLI, Cwd: dir}, SessionImportInput{Format: "turns", Lines: []string{line, line}}); err != nil {
			t.Fatal(err)
		}
	}
	const foreign, own = "5c0ffee1", "77777778"
	for _, c := range []Caller{{Actor: ActorCLI, Cwd: here}, {Actor: actorMCP, Cwd: here}} {
		for name, ask := range map[string]func(id string) error{
			"show": func(id string) error {
				_, err := m.SessionShow(t.Context(), c, past.ShowInput{ID: id})
				return err
			},
			"resume": func(id string) error {
				_, err := m.SessionResume(t.Context(), c, past.SessionInput{ID: id})
				return err
			},
			"export": func(id string) error {
				_, err := m.SessionExport(t.Context(), c, past.ExportInput{ID: id})
				return err
			},
			"search": func(id string) error {
				_, err := m.Search(t.Context(), c, past.SearchInput{Query: "giraffe", Session: id})
				return err
			},
			"explain": func(id string) error {
				_, err := m.Explain(t.Context(), c, ExplainInput{Query: id + "-baaa-4bbb-8ccc-1234567890ab"})
				return err
			},
		} {
			if hint := hintOf(ask(foreign)); strings.Contains(hint, "5c0ffee0") || hint == "" {
				t.Errorf("%s as %s tells of another project: %q", name, c.Actor, hint)
			}
			if hint := hintOf(ask(own)); !strings.Contains(hint, "did you mean 77777777") {
				t.Errorf("%s as %s: %q", name, c.Actor, hint)
			}
		}
	}
	_, err := m.Search(t.Context(), Caller{Actor: ActorCLI, Cwd: here}, past.SearchInput{Query: "giraffe", Session: foreign, Realm: "all"})
	if hint := hintOf(err); !strings.Contains(hint, "did you mean 5c0ffee0") {
		t.Errorf("a person who asks everywhere: %q", hint)
	}
	// somebody whose directory is gone finds sessions all the same
	if _, err := m.SessionShow(t.Context(), Caller{Actor: ActorCLI, Cwd: filepath.Join(here, "gone")}, past.ShowInput{ID: "5c0ffee0"}); err != nil {
		t.Error(err)
	}
}

// hintOf is what an error says to do.
func hintOf(err error) string {
	var missing *memory.NotFoundError
	var several *past.SeveralError
	switch {
	case errors.As(err, &missing):
		return missing.Hint
	case errors.As(err, &several):
		return several.Hint()
	}
	return ""
}
