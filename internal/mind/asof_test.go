package mind

import (
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
