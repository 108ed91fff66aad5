package mind

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chitta/internal/past"
)

// forked is a fork as the client writes it: the first n records of another
// session under its own id, and then its own.
func forked(k *script, id string, n int) *script {
	fork := &script{session: id, cwd: k.cwd}
	for _, line := range k.lines[:n] {
		fork.lines = append(fork.lines, strings.ReplaceAll(line, `"sessionId":"`+k.session+`"`, `"sessionId":"`+id+`"`))
	}
	_, rest, _ := strings.Cut(k.lines[n-1], `"uuid":"`)
	fork.parent, _, _ = strings.Cut(rest, `"`)
	fork.n = n // later than what it repeats
	return fork
}

func ingestScripts(t *testing.T, m *Mind, scripts ...*script) {
	t.Helper()
	for _, k := range scripts {
		ingestAll(t, m, k.write(t, filepath.Join(t.TempDir(), k.session+".jsonl")))
	}
}

// recordsOf exports a session without the title that may come last.
func recordsOf(t *testing.T, m *Mind, id string) []string {
	t.Helper()
	return slices.DeleteFunc(exportPieces(t, m, past.ExportInput{ID: id}), func(line string) bool { return strings.HasPrefix(line, `{"type":"summary"`) })
}

func wholeText(t *testing.T, m *Mind, id string) (texts string) {
	t.Helper()
	for _, v := range shown(t, m, past.ShowInput{ID: id, Full: true, Limit: pageMost}).Messages {
		for _, p := range v.Parts {
			texts += v.ID + " " + p.Text + "\n"
		}
	}
	return texts
}

// TestForksAreExportedWhole exports forks: what comes out is what the client
// wrote, and elsewhere it is all there.
func TestForksAreExportedWhole(t *testing.T) {
	orig := conversation("orig", "/p")
	end := forked(orig, "end", 9)
	end.user("and now the ostrich")
	end.assistant("It runs.")
	middle := forked(orig, "middle", 7)
	middle.user("no, the emu instead")
	again := forked(end, "again", 11)
	again.user("and the rhea?")
	short := forked(end, "short", 3) // in what its origin shares itself
	short.user("never mind")
	cut := forked(end, "cut", 10)
	cut.user("or the kiwi")
	orig.user("later") // so that each has something of its own, in whatever order they come
	end.user("later")
	for i, order := range [][]*script{{orig, end, middle, again, short, cut}, {cut, short, again, middle, end, orig}, {end, orig, again, cut, middle, short}} {
		m := plain(t)
		ingestScripts(t, m, order...)
		for _, k := range order {
			got := recordsOf(t, m, k.session)
			if !slices.Equal(got, k.lines) {
				t.Errorf("%s first, %s:\n%s\nis exported as\n%s", order[0].session, k.session, k.text(), strings.Join(got, "\n"))
			}
			if i > 0 {
				continue // the same again
			}
			other := plain(t)
			path := filepath.Join(t.TempDir(), "x.jsonl")
			write(t, path, strings.Join(exportPieces(t, m, past.ExportInput{ID: k.session}), "\n")+"\n")
			ingestAll(t, other, path)
			was, is := sessionOf(t, m, k.session), sessionOf(t, other, k.session)
			if is.Messages != len(k.lines) || is.ForkedFrom != 0 || is.Title != was.Title {
				t.Errorf("%s elsewhere: %+v", k.session, is)
			}
			if got, want := wholeText(t, other, k.session), wholeText(t, m, k.session); got != want || got == "" {
				t.Errorf("%s elsewhere:\n%s\nwant\n%s", k.session, got, want)
			}
		}
		sound(t, m)
	}
}

// TestForksAreReadWhole shows, carries over and resumes a fork.
func TestForksAreReadWhole(t *testing.T) {
	m := plain(t)
	orig := conversation("orig", "/p")
	fork := forked(orig, "fork", 7)
	fork.user("and now the ostrich")
	again := forked(fork, "again", 8)
	again.assistant("It runs.")
	ingestScripts(t, m, orig, fork, again)

	var marks []string
	for page := 1; page <= 3; page++ {
		out := shown(t, m, past.ShowInput{ID: "again", Page: page, Limit: 3, Full: true})
		if out.Total != 9 || out.Pages != 3 {
			t.Errorf("%d messages on %d pages", out.Total, out.Pages)
		}
		for _, v := range out.Messages {
			marks = append(marks, v.ID+" "+v.Shared)
		}
	}
	want := []string{"orig-0001 orig", "orig-0002 orig", "orig-0003 orig", "orig-0004 orig", "orig-0005 orig", "orig-0006 orig", "orig-0007 orig", "fork-0008 fork", "again-0009 "}
	if !slices.Equal(marks, want) {
		t.Errorf("%v", marks)
	}
	if out := shown(t, m, past.ShowInput{ID: "again", Around: "orig-0007", Context: 1}); out.Around != "orig-0007" || out.Messages[len(out.Messages)-1].ID != "fork-0008" {
		t.Errorf("around: %s", brief(out))
	}
	if out := shown(t, m, past.ShowInput{ID: "orig-0002", Session: "again"}); !out.Single || out.Session.ID != "orig" {
		t.Errorf("one: %s", brief(out))
	}
	for _, id := range []string{"orig-0008", "orig-000", "nothing"} {
		if out, err := m.SessionShow(t.Context(), person, past.ShowInput{ID: id, Session: "again"}); err == nil {
			t.Errorf("%s: %s", id, brief(out))
		}
	}
	carried, err := m.SessionContext(t.Context(), person, past.ContextInput{ID: "again", Query: "walrus tusk"})
	if err != nil || len(carried.Messages)+carried.LeftOut != 9 || carried.Messages[0].ID != "orig-0001" {
		t.Errorf("%+v %v", carried, err)
	}
	resume, err := m.SessionResume(t.Context(), person, past.SessionInput{ID: "again"})
	if err != nil || resume.LastRequest == nil || resume.LastRequest.ID != "fork-0008" || resume.LastAnswer.ID != "again-0009" ||
		len(resume.Files) != 1 || resume.Files[0].Path != "/p/walrus.go" {
		t.Errorf("%+v %v", resume, err)
	}
	md := strings.Join(exportPieces(t, m, past.ExportInput{ID: "again", Format: past.FormatMarkdown}), "\n")
	if !strings.Contains(md, "walrus build") || !strings.Contains(md, "ostrich") || strings.Contains(md, "penguin") {
		t.Error(md)
	}
	if js := exportPieces(t, m, past.ExportInput{ID: "again", Format: past.FormatJSON}); len(js) != 9 || !strings.Contains(js[0], `"shared":"orig"`) || strings.Contains(js[8], "shared") {
		t.Errorf("%v", js)
	}
	if out := shown(t, m, past.ShowInput{ID: "orig"}); out.Total != 9 || out.Messages[0].Shared != "" {
		t.Errorf("the origin: %s", brief(out))
	}
}

// TestForksOfForgottenSessions have their own messages, and those of the
// sessions between that are still there.
func TestForksOfForgottenSessions(t *testing.T) {
	m := plain(t)
	orig := conversation("orig", "/p")
	fork := forked(orig, "fork", 7)
	fork.user("and now the ostrich")
	again := forked(fork, "again", 8)
	again.assistant("It runs.")
	ingestScripts(t, m, orig, fork, again)
	if _, err := m.SessionForget(t.Context(), person, past.SessionInput{ID: "orig"}); err != nil {
		t.Fatal(err)
	}
	if got := recordsOf(t, m, "fork"); !slices.Equal(got, fork.lines[7:]) {
		t.Errorf("%v", got)
	}
	if got := recordsOf(t, m, "again"); !slices.Equal(got, again.lines[7:]) {
		t.Errorf("%v", got)
	}
	if out := shown(t, m, past.ShowInput{ID: "fork"}); !out.Session.BeginningForgotten || out.Total != 1 {
		t.Errorf("%+v", out)
	}
	sound(t, m)
}

// TestAgentsSeeWhatAForkSharesInTheirProject asks as an agent for a fork of a
// session in another project.
func TestAgentsSeeWhatAForkSharesInTheirProject(t *testing.T) {
	m := plain(t)
	there, here := t.TempDir(), t.TempDir()
	orig := conversation("orig", there)
	fork := forked(orig, "fork", 9)
	fork.cwd = here
	for i, line := range fork.lines { // the client names the directory it works in
		fork.lines[i] = strings.ReplaceAll(line, `"cwd":"`+there+`"`, `"cwd":"`+here+`"`)
	}
	fork.user("and now the ostrich")
	again := forked(fork, "again", 10)
	again.user("and the rhea")
	ingestScripts(t, m, orig, fork, again)
	agent := Caller{Actor: actorMCP, Cwd: here}
	for _, id := range []string{"fork", "again"} {
		show, err := m.SessionShow(t.Context(), agent, past.ShowInput{ID: id})
		if err != nil || strings.Contains(brief(show), "walrus") || !strings.Contains(brief(show), "ostrich") {
			t.Errorf("show %s: %s %v", id, brief(show), err)
		}
		export, err := m.SessionExport(t.Context(), agent, past.ExportInput{ID: id})
		if err != nil || strings.Contains(fmt.Sprint(export.Pieces), "walrus") {
			t.Errorf("export %s: %v %v", id, export.Pieces, err)
		}
		carried, err := m.SessionContext(t.Context(), agent, past.ContextInput{ID: id, Query: "walrus"})
		if err != nil || strings.Contains(fmt.Sprint(carried), "walrus") {
			t.Errorf("context %s: %+v %v", id, carried, err)
		}
		resume, err := m.SessionResume(t.Context(), agent, past.SessionInput{ID: id})
		if err != nil || resume.LastAnswer != nil || len(resume.Files) > 0 {
			t.Errorf("resume %s: %+v %v", id, resume, err)
		}
		if out, err := m.SessionShow(t.Context(), agent, past.ShowInput{ID: "orig-0001", Session: id}); err == nil {
			t.Errorf("message: %s", brief(out))
		}
	}
	realm := shown(t, m, past.ShowInput{ID: "orig"}).Session.Realm
	if out, err := m.SessionExport(t.Context(), agent, past.ExportInput{ID: "orig", Realm: realm}); err == nil {
		t.Errorf("another project: %v", out.Pieces)
	}
	if got := recordsOf(t, m, "fork"); len(got) != 10 {
		t.Errorf("a person gets %v", got)
	}
}

// TestForksOfOddSessions forks sessions whose messages are not in one line.
func TestForksOfOddSessions(t *testing.T) {
	calls := func(k *script, id string) string {
		return k.record("assistant", map[string]any{"id": "response", "role": "assistant", "content": []any{map[string]any{"type": "tool_use", "id": id, "name": "Bash", "input": map[string]any{}}}}, nil)
	}
	note := func(k *script) { k.record("attachment", nil, nil) }
	for name, test := range map[string]struct {
		talk func(k *script)
		want string // numbers of the messages that a fork of all of it has
	}{
		"notes between": {func(k *script) { k.user("a"); note(k); k.assistant("b"); note(k) }, "1 3"},
		"calls at once": {func(k *script) {
			k.user("a")
			first, second := calls(k, "t1"), calls(k, "t2")
			k.parent = first
			k.result("t1", "one", nil)
			k.parent = second
			k.result("t2", "two", nil)
			k.assistant("b")
		}, "1 2 3 4 5 6"},
		"answered in another order": {func(k *script) {
			k.user("a")
			first := calls(k, "t1")
			calls(k, "t2")
			k.result("t2", "two", nil)
			k.parent = first
			k.result("t1", "one", nil)
			k.assistant("b")
		}, "1 2 3 4 5 6"},
		"taken back": {func(k *script) {
			k.user("a")
			back := k.assistant("b")
			k.user("abandoned")
			k.assistant("abandoned too")
			k.parent = back
			k.user("c")
		}, "1 2 5"},
		"compacted": {func(k *script) {
			k.user("a")
			before := k.assistant("b")
			k.parent = ""
			k.record("system", map[string]any{"content": ""}, map[string]any{"subtype": "compact_boundary", "content": "compacted", "logicalParentUuid": before})
			k.user("c")
		}, "1 2 3 4"},
		"begun twice": {func(k *script) { k.user("a"); k.parent = ""; k.user("b") }, "2"},
		"in a circle": {func(k *script) { k.parent = "orig-0002"; k.user("a"); k.user("b") }, "1 2"},
	} {
		m := plain(t)
		orig := &script{session: "orig", cwd: "/p"}
		test.talk(orig)
		fork := forked(orig, "fork", len(orig.lines))
		fork.user("mine")
		last := fmt.Sprintf("fork-%04d", fork.n)
		orig.n += 10
		orig.user("later")
		ingestScripts(t, m, orig, fork)
		var want []string
		for _, n := range strings.Fields(test.want) {
			want = append(want, "orig-000"+n)
		}
		want = append(want, last)
		var got []string
		for _, piece := range exportPieces(t, m, past.ExportInput{ID: "fork", Format: past.FormatJSON}) {
			var x past.ExportedMessage
			if err := json.Unmarshal([]byte(piece), &x); err != nil {
				t.Fatal(err)
			}
			got = append(got, x.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestForksWithoutOwnMessages: a fork is there though it only repeats, says where
// it comes from, and shows what it repeats; when it goes on, it is as if it had
// been read at once.
func TestForksWithoutOwnMessages(t *testing.T) {
	m := plain(t)
	orig := conversation("orig", "/p")
	fork := forked(orig, "fork", 7)
	ingestScripts(t, m, orig)
	path := fork.write(t, filepath.Join(t.TempDir(), "fork.jsonl"))
	ingestAll(t, m, path)

	was := sessionOf(t, m, "orig")
	if s := sessionOf(t, m, "fork"); s.Messages != 0 || s.ForkedFrom != was.Seq || s.Title != was.Title || s.Realm != was.Realm || s.Ended.IsZero() {
		t.Errorf("%+v", s)
	}
	views := shown(t, m, past.ShowInput{ID: "fork", Limit: pageMost})
	if got := views.Total; got != 7 || len(views.Messages) == 0 || views.Session.Inherited != 7 || views.Session.Fork != "orig" {
		t.Errorf("%d messages, session %+v", got, views.Session)
	}
	if got := recordsOf(t, m, "fork"); !slices.Equal(got, fork.lines) {
		t.Errorf("exported:\n%s", strings.Join(got, "\n"))
	}
	listed, err := m.SessionList(t.Context(), person, past.ListInput{Realm: "all"})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]string{}
	for _, s := range listed.Sessions {
		counts[s.ID] = fmt.Sprint(s.Inherited, "+", s.Messages)
	}
	if counts["orig"] != "0+9" || counts["fork"] != "7+0" {
		t.Errorf("listed with %v messages", counts)
	}
	sound(t, m)

	fork.user("and now the ostrich")
	fork.write(t, path)
	ingestAll(t, m, path)
	at := plain(t)
	ingestScripts(t, at, orig, fork)
	got, want := sessionOf(t, m, "fork"), sessionOf(t, at, "fork")
	if got.Title != want.Title || !got.Started.Equal(want.Started) || !got.Ended.Equal(want.Ended) || got.Messages != 1 {
		t.Errorf("grown: %+v\nat once: %+v", got, want)
	}
	if got := recordsOf(t, m, "fork"); !slices.Equal(got, fork.lines) {
		t.Errorf("exported after it grew:\n%s", strings.Join(got, "\n"))
	}
	sound(t, m)
}
