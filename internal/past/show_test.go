package past

import (
	"errors"
	"strings"
	"testing"

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
