package past

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/memory"
	"chitta/internal/session"
)

// TestIDsMayLookLikePassages does not take the end of an id for a number.
func TestIDsMayLookLikePassages(t *testing.T) {
	m := open(t)
	m.turns(
		`{"id":"t","session":"one","role":"user","text":"the walrus dives at dawn"}`,
		`{"id":"t#2","session":"one","role":"user","text":"the seal swims at noon"}`,
	)
	for id, want := range map[string]string{"t#2": "at noon", "one:t#2": "at noon", "t#2#1": "at noon", "t#1": "at dawn"} {
		out, err := m.Show(t.Context(), person, ShowInput{ID: id})
		if err != nil || !strings.Contains(textOf(out), want) {
			t.Errorf("%s: %+v %v", id, out.Messages, err)
		}
	}
}

// TestFitsAreOfTheAgentsProject: which messages an id fits is told an agent of
// its own project only.
func TestFitsAreOfTheAgentsProject(t *testing.T) {
	m := open(t)
	for dir, id := range map[string]string{"/w/there": "elsewhere", "/w/here": "ours"} {
		m.take(session.Turns{}, dir, `{"id":"7","session":"`+id+`","text":"the giraffe release went well"}`)
	}
	out, err := m.Show(t.Context(), Reader{Dir: "/w/here"}, ShowInput{ID: "7"})
	if err != nil || out.Session.ID != "ours" {
		t.Errorf("%+v %v", out.Session, err)
	}
	var several *SeveralError
	if _, err := m.Show(t.Context(), person, ShowInput{ID: "7"}); !errors.As(err, &several) || len(several.Fits) != 2 || !strings.Contains(several.Hint(), "7 in session ours") {
		t.Errorf("a person: %v", err)
	}
}

// textOf returns what the messages shown say.
func textOf(out ShowOutput) (text string) {
	for _, m := range out.Messages {
		for _, p := range m.Parts {
			text += p.Text
		}
	}
	return text
}

func TestSessionIsShownToRead(t *testing.T) {
	m := open(t)
	m.log(loginTalk("5c0ffee0-aaaa")...)
	want := `u1 user: text[The login test fails since yesterday. Can you find out why?|]
u3 assistant: text[I'll run the test.|] tool_use[Bashgo test ./auth/... # Run the auth tests|(exit 1) --- FAIL: TestLogin (0.00s) login_test.go:42: token expired: got 401]
u5 assistant: tool_use[Editinternal/auth/token.go|]
u7 assistant: tool_use[TodoWritewrite the changelog|]
u8 assistant: text[The clock skew was subtracted twice; the login works now.|]
`
	if diff := cmp.Diff(want, brief(m.shown(ShowInput{ID: "5c0f"}))); diff != "" {
		t.Errorf("session:\n%s", diff)
	}
	// the results before it do not count
	if got := brief(m.shown(ShowInput{ID: "5c0f", Limit: 3, Page: 2})); !strings.HasPrefix(got, "u7 assistant") {
		t.Errorf("page 2:\n%s", got)
	}
	if got := brief(m.shown(ShowInput{ID: "5c0f", Thinking: true})); !strings.Contains(got, "thinking[Perhaps") {
		t.Errorf("thinking:\n%s", got)
	}
	if got := brief(m.shown(ShowInput{ID: "5c0f", Full: true})); !strings.Contains(got, "token   expired") || !strings.Contains(got, `"new_string":"getClockSkew()"`) {
		t.Errorf("full:\n%s", got)
	}
	out := m.shown(ShowInput{ID: "5c0f", Around: "u5", Context: 1})
	if got := brief(out); !strings.HasPrefix(got, "u3 ") || strings.Count(got, "\n") != 3 || out.Around != "u5" {
		t.Errorf("around:\n%s", got)
	}
	out = m.shown(ShowInput{ID: "u4"})
	if !out.Single || len(out.Messages) != 1 || !strings.Contains(out.Messages[0].Parts[0].Text, "token   expired") || out.Session.ID != "5c0ffee0-aaaa" {
		t.Errorf("message: %+v", out)
	}
	raw := m.shown(ShowInput{ID: "u4", Raw: true}).Messages[0]
	if raw.Raw != loginTalk("5c0ffee0-aaaa")[3] {
		t.Errorf("raw: %s", raw.Raw)
	}
	if got := m.shown(ShowInput{Hash: strings.ToUpper(raw.SHA256[:9])}); got.Messages[0].ID != "u4" {
		t.Errorf("by hash: %+v", got.Messages)
	}
}

func TestSubagentsHaveTheirOwnThread(t *testing.T) {
	m := open(t)
	side := func(s string) string {
		return strings.Replace(s, `"isSidechain":false`, `"isSidechain":true,"agentId":"a1"`, 1)
	}
	m.log(logged("user", "u1", "", "s-1", "find the bug"), side(logged("user", "u2", "", "s-1", "look for zebras in the code")), side(logged("assistant", "u3", "u2", "s-1", "no zebras")), logged("assistant", "u4", "u1", "s-1", "found it"))
	out := m.shown(ShowInput{ID: "s-1"})
	if got := brief(out); strings.Contains(got, "zebras") || len(out.Agents) != 1 || out.Agents[0] != (Thread{Agent: "a1", Messages: 2}) {
		t.Errorf("%+v\n%s", out.Agents, got)
	}
	if got := brief(m.shown(ShowInput{ID: "s-1", Agent: "a1"})); strings.Count(got, "zebras") != 2 {
		t.Errorf("\n%s", got)
	}
	if _, err := m.Show(t.Context(), person, ShowInput{ID: "s-1", Agent: "a2"}); err == nil || !strings.Contains(err.Error(), "a2") {
		t.Errorf("%v", err)
	}
	// what an agent tells another was not said by a person
	if got := m.search(SearchInput{Query: "zebras", Role: "user"}); got.Found != 0 {
		t.Errorf("%+v", got)
	}
}

func TestShowRefusesWhatItCannotFind(t *testing.T) {
	m := open(t)
	m.log(loginTalk("5c0ffee0-aaaa")...)
	m.turns(`{"id":"7","session":"a","text":"one"}`, `{"id":"7","session":"b","text":"two"}`)
	tests := []struct {
		name string
		in   ShowInput
		says string
		hint string
	}{
		{"nothing", ShowInput{}, "needed", "chitta sessions"},
		{"both", ShowInput{ID: "u1", Hash: "00000000"}, "only one", ""},
		{"an unknown id", ShowInput{ID: "5c0ffee1"}, "not found", "did you mean 5c0ffee0-aaaa"},
		{"a message of several sessions", ShowInput{ID: "7"}, "several messages", "7 in session a, 7 in session b"},
		{"a page too far", ShowInput{ID: "5c0f", Page: 9}, "page is 9", "1 pages"},
		{"a short hash", ShowInput{Hash: "00ff"}, "not the start", "8 to 64"},
		{"a hash that is none", ShowInput{Hash: "zzzzzzzzz"}, "not the start", "hexadecimal"},
		{"an unknown hash", ShowInput{Hash: "00000000000"}, "not found", ""},
		{"the records of a session", ShowInput{ID: "5c0f", Raw: true}, "raw", "chitta export --session"},
		{"around nothing", ShowInput{ID: "5c0f", Around: "nobody"}, "has no message", "chitta show 5c0ffee0-aaaa"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := m.Show(t.Context(), person, tt.in)
			hint := ""
			if e := (*memory.InputError)(nil); errors.As(err, &e) {
				hint = e.Hint
			}
			if e := (*memory.NotFoundError)(nil); errors.As(err, &e) {
				hint = e.Hint
			}
			if e := (*SeveralError)(nil); errors.As(err, &e) {
				hint = e.Hint()
			}
			if err == nil || !strings.Contains(err.Error(), tt.says) || !strings.Contains(hint, tt.hint) {
				t.Errorf("%v, hint %q", err, hint)
			}
		})
	}
	if out := m.shown(ShowInput{ID: "7", Session: "b"}); out.Messages[0].Parts[0].Text != "two" {
		t.Errorf("%+v", out)
	}
}
