package mind

import (
	"fmt"
	"strings"
	"testing"

	"chitta/internal/past"
	"chitta/internal/recall"
)

// TestFoundByMeaningAtOnce: what was just remembered or changed is found by
// meaning before the background has done anything.
func TestFoundByMeaningAtOnce(t *testing.T) {
	m, _ := openSemantic(t, semanticConfig(t))
	x := remember(t, m, person, RememberInput{Content: "Users cannot sign in when the session cookie has expired"})
	recalled := func(query, want string) {
		t.Helper()
		out, err := m.Recall(t.Context(), person, RecallInput{Query: query})
		if err != nil || len(out.Degraded) > 0 || len(out.Results) != 1 || out.Results[0].Text != want {
			t.Errorf("%s: %+v, notes %v, %v", query, out.Results, out.Degraded, err)
		}
	}
	recalled("authentication problem at login", "Users cannot sign in when the session cookie has expired")
	text := "Tomatoes grow best beside the southern wall"
	if _, err := m.Update(t.Context(), person, UpdateInput{ID: x.ID, Content: &text}); err != nil {
		t.Fatal(err)
	}
	recalled("where should vegetables be planted", text)
	if todo := m.semantic.Behind(); todo != 0 {
		t.Errorf("%d texts wait for the background", todo)
	}
}

// TestSaysWhatIsNotEmbeddedYet: an endpoint is not waited for when a memory
// changes, and the answer says what is missing.
func TestSaysWhatIsNotEmbeddedYet(t *testing.T) {
	e := newEndpoint(t)
	m := openWith(t, t.TempDir(), e.setting())
	settle(t, m)
	x := remember(t, m, person, RememberInput{Content: "note 1 about subject1 and the like"})
	if n, notes := byMeaning(t, m, "note 1 about subject1"); n != 1 || notes != "" {
		t.Errorf("%d found by meaning; %s", n, notes)
	}
	text := "note 2 about subject2 and more of it"
	if _, err := m.Update(t.Context(), person, UpdateInput{ID: x.ID, Content: &text}); err != nil {
		t.Fatal(err)
	}
	if _, notes := byMeaning(t, m, "note 2 about subject2"); !strings.Contains(notes, "1 of 1 memories can be found by words only so far") {
		t.Errorf("notes: %s", notes)
	}
	settle(t, m)
	if n, notes := byMeaning(t, m, "note 2 about subject2"); n != 1 || notes != "" {
		t.Errorf("%d found by meaning; %s", n, notes)
	}
}

// TestNotesRightAfterAnImport: as soon as a conversation is stored, answers say
// what of it can be found by words only, to those whom it concerns.
func TestNotesRightAfterAnImport(t *testing.T) {
	m, _ := openSemantic(t, semanticConfig(t))
	ask := func(scope string) string {
		t.Helper()
		out, err := m.Recall(t.Context(), person, RecallInput{Query: "why does the login test fail", Scope: scope})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(out.Degraded, "; ")
	}
	if notes := ask(""); notes != "" {
		t.Errorf("before anything is stored: %s", notes)
	}
	records := loginTalk("s1")
	talk(t, m, "s1", records...)
	want := fmt.Sprintf("vector: %d of %d passages can be found by words only so far", len(records), len(records))
	for _, scope := range []string{"", recall.TargetSessions} {
		if notes := ask(scope); notes != want {
			t.Errorf("scope %q: %q, want %q", scope, notes, want)
		}
	}
	if notes := ask(recall.TargetMemories); notes != "" {
		t.Errorf("a question to memories: %s", notes)
	}
	settle(t, m)
	if notes := ask(""); notes != "" {
		t.Errorf("when all is embedded: %s", notes)
	}
}

// TestNotesOfIndexesThatCatchUp: each question is told of the indexes it asks.
func TestNotesOfIndexesThatCatchUp(t *testing.T) {
	m, _ := openTest(t)
	remember(t, m, person, RememberInput{Content: "the login page has a logo"})
	talk(t, m, "s1", loginTalk("s1")...)
	ask := func(scope string) string {
		t.Helper()
		out, err := m.Recall(t.Context(), person, RecallInput{Query: "login", Scope: scope})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(out.Degraded, "; ")
	}
	for _, x := range m.indexers() {
		if err := x.Rebuild(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		scope           string
		memories, talks bool
	}{{"", true, true}, {recall.TargetMemories, true, false}, {recall.TargetSessions, false, true}}
	for _, tt := range tests {
		notes := ask(tt.scope)
		for name, want := range map[string]bool{"memories": tt.memories, "chunks": tt.talks, "sessions": tt.talks} {
			if got := strings.Contains(notes, "the index of "+name+" is catching up"); got != want {
				t.Errorf("scope %q, %s: %q", tt.scope, name, notes)
			}
		}
	}
	if out := search(t, m, past.SearchInput{Query: "login"}); len(out.Degraded) != 1 || !strings.Contains(out.Degraded[0], "the index of messages is catching up") {
		t.Errorf("search: %v", out.Degraded)
	}
	why, err := m.Explain(t.Context(), person, ExplainInput{Query: "login test"})
	if notes := strings.Join(why.Degraded, "; "); err != nil || !strings.Contains(notes, "the index of chunks") || strings.Contains(notes, "memories") {
		t.Errorf("explain: %s %v", notes, err)
	}
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if notes := ask(""); notes != "" {
		t.Errorf("when all have caught up: %s", notes)
	}
}
