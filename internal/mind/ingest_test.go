package mind

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chitta/internal/past"
	"chitta/internal/recall"
)

func turnLines(format string, n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf(format, i)
	}
	return lines
}

func importTurns(t *testing.T, m *Mind, lines ...string) SessionImportOutput {
	t.Helper()
	out, err := m.SessionImport(t.Context(), person, SessionImportInput{Format: "turns", Lines: lines})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func said(t *testing.T, m *Mind, query string) []Result {
	t.Helper()
	out, err := m.Recall(t.Context(), person, RecallInput{Query: query, Scope: recall.TargetSessions})
	if err != nil {
		t.Fatal(err)
	}
	return out.Results
}

func sound(t *testing.T, m *Mind) {
	t.Helper()
	if out, err := checkAll(t.Context(), m); err != nil || !out.OK {
		t.Errorf("check: %+v %v", out.Problems, err)
	}
}

func TestImportedTurnsAreFound(t *testing.T) {
	m := plain(t)
	out := importTurns(t, m,
		`{"id":"1","session":"a","speaker":"Ann","time":"2024-05-01T10:00:00Z","text":"The deploy broke because the certificate had expired"}`,
		`{"id":"2","session":"a","speaker":"Bob","time":"2024-05-01T10:01:00Z","text":"I renewed it with certbot and it works again"}`,
		`{"id":"3","session":"b","speaker":"Ann","text":"Lunch is at noon"}`)
	if out.Added != 3 || out.Sessions != 2 || out.Known != 0 || len(out.Refused) != 0 {
		t.Fatalf("%+v", out)
	}
	got := said(t, m, "why did the deploy break: certificate")
	if len(got) == 0 || got[0].ID != "1" || got[0].Kind != KindPassage || got[0].Speaker != "Ann" || got[0].Provenance.Session != "a" {
		t.Fatalf("%+v", got)
	}
	if got[0].Created.Format("2006-01-02") != "2024-05-01" {
		t.Errorf("said at %v", got[0].Created)
	}
	sources := map[string]bool{}
	for _, e := range got[0].Evidence {
		sources[e.Source] = true
	}
	if !sources[recall.SourceKeyword] {
		t.Errorf("evidence: %+v", got[0].Evidence)
	}
	sound(t, m)
}

func TestTurnsAreTakenOnce(t *testing.T) {
	m := plain(t)
	lines := turnLines(`{"id":%d,"session":"s","role":"user","text":"turn number %[1]d speaks of subject%[1]d"}`, 30)
	importTurns(t, m, lines[:20]...)
	if out := importTurns(t, m, lines...); out.Added != 10 || out.Known != 20 || out.Sessions != 0 {
		t.Errorf("%+v", out)
	}
	if n, err := m.store.CountChunks(t.Context()); err != nil || n != 30 {
		t.Errorf("%d chunks %v", n, err)
	}
	if got := said(t, m, "subject25"); len(got) == 0 || got[0].ID != "25" {
		t.Errorf("%+v", got)
	}
	sound(t, m)
}

// TestCuttingInPiecesIsCuttingAtOnce imports the same conversation whole and
// line by line.
func TestCuttingInPiecesIsCuttingAtOnce(t *testing.T) {
	lines := []string{
		`{"id":"1","session":"s","role":"user","text":"` + strings.Repeat("A long story about the build. ", 150) + `"}`,
		`{"id":"2","session":"s","role":"assistant","text":"I see"}`,
		`{"id":"3","session":"s","role":"assistant","text":"` + strings.Repeat("It goes on and on without an end. ", 120) + `"}`,
		`{"id":"4","session":"s","role":"user","text":"thanks"}`,
	}
	chunks := func(batches [][]string) string {
		m := plain(t)
		for _, b := range batches {
			importTurns(t, m, b...)
		}
		sound(t, m)
		all, err := m.store.ChunksOf(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, c := range all {
			fmt.Fprintf(&b, "%d-%d.%d %s %s\n", c.First, c.Last, c.Part, c.Role, c.Hash)
		}
		return b.String()
	}
	whole := chunks([][]string{lines})
	single := chunks([][]string{lines[:1], lines[1:2], lines[2:3], lines[3:]})
	if whole != single || strings.Count(whole, "\n") < 5 {
		t.Errorf("whole:\n%s\nline by line:\n%s", whole, single)
	}
}

func TestSecretsAndEchoesDoNotEnterConversations(t *testing.T) {
	m := plain(t)
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	out := importTurns(t, m, `{"id":"1","session":"s","role":"user","text":"my token is `+secret+` and <private>my diary</private> stays"}`,
		`{"id":"2","session":"s","role":"assistant","text":"Noted. <chitta-memory>an old memory about zebras</chitta-memory> Go on."}`)
	if out.Redacted == 0 {
		t.Errorf("%+v", out)
	}
	messages, err := m.store.MessagesOf(t.Context(), 1)
	if err != nil || len(messages) != 2 {
		t.Fatalf("%d messages %v", len(messages), err)
	}
	for _, x := range messages {
		for _, bad := range []string{secret, "diary", "zebras"} {
			if strings.Contains(string(x.Raw), bad) {
				t.Errorf("%q is kept in %s", bad, x.Raw)
			}
		}
	}
}

func TestBadTurnsAreRefusedAndTheRestTaken(t *testing.T) {
	m := plain(t)
	out := importTurns(t, m, `{"id":"1","session":"s","text":"a good turn"}`, `{"id":"2"`, `[]`, `{"session":"s","text":"no id"}`, `{"id":"3","session":"s"}`, `"text"`)
	if out.Added != 1 || len(out.Refused) != 5 || out.Refused[0].Line != 2 || out.Refused[0].Why == "" {
		t.Errorf("%+v", out)
	}
	if _, err := m.SessionImport(t.Context(), person, SessionImportInput{Format: "novel"}); err == nil || !strings.Contains(err.Error(), "novel") {
		t.Errorf("%v", err)
	}
}

// TestConversationsOfOtherProjectsStayThere asks from another realm.
func TestConversationsOfOtherProjectsStayThere(t *testing.T) {
	m := plain(t)
	elsewhere := Caller{Actor: ActorCLI, Cwd: t.TempDir()}
	if _, err := m.SessionImport(t.Context(), elsewhere, SessionImportInput{Format: "turns", Lines: []string{`{"id":"1","session":"s","text":"the giraffe release went well"}`}}); err != nil {
		t.Fatal(err)
	}
	here := Caller{Actor: ActorCLI, Cwd: t.TempDir()}
	out, err := m.Recall(t.Context(), here, RecallInput{Query: "giraffe release"})
	if err != nil || len(out.Results) != 0 {
		t.Errorf("%+v %v", out.Results, err)
	}
	if out, err = m.Recall(t.Context(), elsewhere, RecallInput{Query: "giraffe release"}); err != nil || len(out.Results) != 1 {
		t.Errorf("%+v %v", out.Results, err)
	}
}

func TestChineseFindsChinese(t *testing.T) {
	m := plain(t)
	importTurns(t, m, `{"id":"1","session":"s","speaker":"王","text":"数据库连接超时的原因是防火墙规则"}`, `{"id":"2","session":"s","speaker":"李","text":"今天中午吃面条"}`)
	if got := said(t, m, "防火墙为什么导致数据库超时"); len(got) == 0 || got[0].ID != "1" {
		t.Errorf("%+v", got)
	}
	remember(t, m, person, RememberInput{Content: "部署之前必须先运行数据库迁移脚本"})
	if got := found(t, m, person, RecallInput{Query: "数据库迁移", Scope: recall.TargetMemories}); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// plain opens a mind that finds by words alone.
func plain(t *testing.T) *Mind {
	t.Helper()
	m, _ := openTest(t)
	return m
}

// TestForksDoNotBringBackWhatWasForgotten erases a session and then reads a
// fork that repeats its messages.
func TestForksDoNotBringBackWhatWasForgotten(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	first := conversation("44444444-4444-4444-8444-444444444444", dir)
	ingestAll(t, m, first.write(t, filepath.Join(dir, "a.jsonl")))
	if _, err := m.SessionForget(t.Context(), person, past.SessionInput{ID: "44444444"}); err != nil {
		t.Fatal(err)
	}
	fork := strings.ReplaceAll(first.text(), `"sessionId":"44444444-4444-4444-8444-444444444444"`, `"sessionId":"55555555-5555-4555-8555-555555555555"`)
	write(t, filepath.Join(dir, "b.jsonl"), fork)
	out := ingestAll(t, m, filepath.Join(dir, "b.jsonl"))
	if out.Added != 0 || out.Skipped["forgotten session"] == 0 {
		t.Errorf("%+v", out.LineCounts)
	}
	if found, err := m.Search(t.Context(), person, past.SearchInput{Query: "walrus", Realm: "all"}); err != nil || len(found.Sessions) > 0 {
		t.Errorf("%+v %v", found, err)
	}
	sound(t, m)
}

// TestTurnsWithoutASessionAreOnePerFile imports two files with the same ids.
func TestTurnsWithoutASessionAreOnePerFile(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	for name, text := range map[string]string{"one": "the heron stands in the pond", "two": "the badger sleeps in the barn"} {
		path := filepath.Join(dir, name+".jsonl")
		write(t, path, `{"id":"1","speaker":"Zoe","text":"`+text+`"}`+"\n")
		out, err := m.SessionIngest(t.Context(), person, SessionIngestInput{Path: path})
		if err != nil || out.Added != 1 {
			t.Fatalf("%+v %v", out, err)
		}
	}
	if got := said(t, m, "heron pond"); len(got) != 1 || got[0].Provenance.Session != "one" {
		t.Errorf("%+v", got)
	}
	if got := said(t, m, "badger barn"); len(got) != 1 || got[0].Provenance.Session != "two" {
		t.Errorf("%+v", got)
	}
}

// TestAFewStrangersAreFoundAmongMany has a talk of two people among many turns
// of a user and an agent.
func TestAFewStrangersAreFoundAmongMany(t *testing.T) {
	m := plain(t)
	var lines []string
	for i := range 120 {
		role := []string{"user", "assistant"}[i%2]
		lines = append(lines, fmt.Sprintf(`{"id":"%d","session":"s%d","role":%q,"text":"we spoke of the guitar and of the tank number %d on that floor"}`, i, i/10, role, i))
	}
	importTurns(t, m, lines...)
	importTurns(t, m, `{"id":"a","session":"z","speaker":"Ann","text":"The zebrafish tank is on the third floor"}`, `{"id":"b","session":"z","speaker":"Bob","text":"Good to know, thanks"}`)
	if got := said(t, m, "zebrafish tank floor"); len(got) == 0 || got[0].ID != "a" {
		t.Errorf("%+v", got)
	}
}

// TestAgentsStayInTheirProject asks for what was said elsewhere, as an agent.
func TestAgentsStayInTheirProject(t *testing.T) {
	m := plain(t)
	there, here := Caller{Actor: ActorCLI, Cwd: t.TempDir()}, Caller{Actor: actorMCP, Cwd: t.TempDir()}
	if _, err := m.SessionImport(t.Context(), there, SessionImportInput{Format: "turns", Lines: []string{`{"id":"7f3a9c11-aaaa-4bbb-8ccc-1234567890ab","session":"talk","text":"the giraffe release went well"}`}}); err != nil {
		t.Fatal(err)
	}
	if out, err := m.Recall(t.Context(), here, RecallInput{Query: "giraffe release", Realm: "all"}); err != nil || len(out.Results) > 0 {
		t.Errorf("recall: %+v %v", out.Results, err)
	}
	if out, err := m.Search(t.Context(), here, past.SearchInput{Query: "giraffe", Realm: "all"}); err == nil {
		t.Errorf("search: %+v", out.Sessions)
	}
	for _, id := range []string{"talk", "7f3a9c11-aaaa-4bbb-8ccc-1234567890ab"} {
		if out, err := m.SessionShow(t.Context(), here, past.ShowInput{ID: id}); err == nil {
			t.Errorf("show %s: %+v", id, out)
		}
	}
	if out, err := m.Explain(t.Context(), here, ExplainInput{Query: "7f3a9c11-aaaa-4bbb-8ccc-1234567890ab"}); err == nil && len(out.Chain) > 0 {
		t.Errorf("explain: %+v", out.Chain)
	}
	if out, err := m.Recall(t.Context(), there, RecallInput{Query: "giraffe release"}); err != nil || len(out.Results) != 1 {
		t.Errorf("at home: %+v %v", out.Results, err)
	}
}
