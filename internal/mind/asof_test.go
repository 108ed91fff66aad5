package mind

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestRecallAsOfATime(t *testing.T) {
	m, c := openTest(t)
	start := c.Now()
	first := remember(t, m, person, RememberInput{Content: "the release branch is called stable"})
	c.advance(day)
	beforeEdit := c.Now()
	c.advance(day)
	text := "the release branch is called production"
	if _, err := m.Update(t.Context(), person, UpdateInput{ID: first.ID, Content: &text}); err != nil {
		t.Fatal(err)
	}
	c.advance(day)
	beforeCorrection := c.Now()
	c.advance(day)
	fixed, err := m.Correct(t.Context(), person, CorrectInput{ID: first.ID, Content: "the release branch is called main"})
	if err != nil {
		t.Fatal(err)
	}
	c.advance(day)
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: fixed.ID}); err != nil {
		t.Fatal(err)
	}
	c.advance(day)
	at := func(when time.Time) []Result {
		out, err := m.Recall(t.Context(), person, RecallInput{Query: "what is the release branch called", AsOf: when.Format(time.RFC3339)})
		if err != nil {
			t.Fatal(err)
		}
		return out.Results
	}
	tests := []struct {
		name string
		when time.Time
		want string // the only text; "" for none
	}{
		{"before it was known", start.Add(-time.Hour), ""},
		{"as first said", beforeEdit, "the release branch is called stable"},
		{"as edited", beforeCorrection, "the release branch is called production"},
		{"as corrected", beforeCorrection.Add(day + time.Hour), "the release branch is called main"},
		{"after it was forgotten", c.Now(), ""},
	}
	for _, tt := range tests {
		got := at(tt.when)
		switch {
		case tt.want == "" && len(got) > 0:
			t.Errorf("%s: found %q", tt.name, got[0].Text)
		case tt.want != "" && (len(got) != 1 || got[0].Text != tt.want):
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// askPast asks as of a time.
func askPast(t *testing.T, m *Mind, query string, when time.Time) RecallOutput {
	t.Helper()
	out, err := m.Recall(t.Context(), person, RecallInput{Query: query, AsOf: when.Format(time.RFC3339)})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestThePastIsFoundByItsOwnWords edits a memory: a question about the time
// before is answered by what it said then, also in words it no longer has, and
// not by those that it has only now.
func TestThePastIsFoundByItsOwnWords(t *testing.T) {
	m, c := openTest(t)
	x := remember(t, m, person, RememberInput{Content: "we deploy with helm", Tags: []string{"ops"}})
	remember(t, m, person, RememberInput{Content: "the office has a green door"})
	c.advance(day)
	before := c.Now()
	c.advance(day)
	for _, text := range []string{"we deploy with kustomize", "we roll things out with kustomize"} {
		if _, err := m.Update(t.Context(), person, UpdateInput{ID: x.ID, Content: &text}); err != nil {
			t.Fatal(err)
		}
		c.advance(day)
	}
	tests := []struct {
		query string
		when  time.Time
		want  string // "" for nothing
	}{
		{"helm", before, "we deploy with helm"},
		{"deploying", before, "we deploy with helm"},
		{"kustomize", before, ""},
		{"helm", c.Now(), ""},
		{"kustomize", c.Now(), "we roll things out with kustomize"},
		{"deploy", before.Add(day + time.Hour), "we deploy with kustomize"},
		{"helm", before.Add(-2 * day), ""},
	}
	for _, tt := range tests {
		got := askPast(t, m, tt.query, tt.when).Results
		switch {
		case tt.want == "" && len(got) > 0:
			t.Errorf("%s at %v: found %q", tt.query, tt.when, got[0].Text)
		case tt.want != "" && (len(got) != 1 || got[0].Text != tt.want):
			t.Errorf("%s at %v: %+v, want %q", tt.query, tt.when, got, tt.want)
		}
	}
}

// TestThePastIsFoundByItsMeaning does the same with a model and in other words.
func TestThePastIsFoundByItsMeaning(t *testing.T) {
	m, c := openSemantic(t, semanticConfig(t))
	x := remember(t, m, person, RememberInput{Content: "Users cannot sign in when the session cookie has expired"})
	c.advance(day)
	before := c.Now()
	c.advance(day)
	text := "Tomatoes grow best beside the southern wall"
	if _, err := m.Update(t.Context(), person, UpdateInput{ID: x.ID, Content: &text}); err != nil {
		t.Fatal(err)
	}
	c.advance(day)
	if got := askPast(t, m, "authentication problem at login", before).Results; len(got) != 1 || !strings.HasPrefix(got[0].Text, "Users") {
		t.Errorf("as it was: %+v", got)
	}
	if got := askPast(t, m, "where should vegetables be planted", before).Results; len(got) > 0 {
		t.Errorf("found by what it says now: %+v", got)
	}
	if got := askPast(t, m, "authentication problem at login", c.Now()).Results; len(got) > 0 {
		t.Errorf("as it is: %+v", got)
	}
}

// TestMoreEditsThanAreLookedAt says so.
func TestMoreEditsThanAreLookedAt(t *testing.T) {
	m, c := openTest(t)
	const shelf = "shelf %s holds parts of kind %x"
	var ids []string
	for i := range pastEdits + 1 {
		ids = append(ids, remember(t, m, person, RememberInput{Content: fmt.Sprintf(shelf, "A", i*7919)}).ID)
	}
	c.advance(day)
	before := c.Now()
	c.advance(day)
	for i, id := range ids {
		text := fmt.Sprintf(shelf, "B", i*7919)
		if _, err := m.Update(t.Context(), person, UpdateInput{ID: id, Content: &text}); err != nil {
			t.Fatal(err)
		}
	}
	if out := askPast(t, m, "shelf", before); len(out.Degraded) != 1 || !strings.Contains(out.Degraded[0], "more than 200 memories were edited") {
		t.Errorf("%v", out.Degraded)
	}
	if out := askPast(t, m, "shelf", c.Now()); len(out.Degraded) > 0 {
		t.Errorf("%v", out.Degraded)
	}
}
