package mind

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/recall"
)

// TestShowWithinASession names messages as SESSION:ID, either part shortened.
func TestShowWithinASession(t *testing.T) {
	m := plain(t)
	importTurns(t, m,
		`{"id":"4f51aaaa","session":"7505c804-0000","role":"user","text":"the walrus dives at dawn"}`,
		`{"id":"4f52bbbb","session":"7505c804-0000","role":"user","text":"the seal swims at noon"}`,
		`{"id":"4f51aaaa","session":"9bbbc804-0000","role":"user","text":"a fork that repeats the walrus"}`,
		`{"id":"x:1","session":"talk:a","role":"user","text":"colons on both sides"}`,
	)
	for name, want := range map[string]string{
		"7505c804:4f51": "dives at dawn", "7505:4f51aaaa": "dives at dawn", "7505c804-0000:4f52bbbb": "at noon",
		"9bbb:4f": "a fork", "talk:a:x:1": "both sides", "talk:a:x": "both sides", "talk:a:x:": "both sides",
	} {
		out, err := m.SessionShow(t.Context(), person, past.ShowInput{ID: name})
		if err != nil || len(out.Messages) != 1 || !strings.Contains(messageText(out), want) {
			t.Errorf("%s: %+v %v", name, out.Messages, err)
		}
	}
	var several *past.SeveralError
	if _, err := m.SessionShow(t.Context(), person, past.ShowInput{ID: "7505:4f5"}); !errors.As(err, &several) || len(several.Fits) != 2 {
		t.Errorf("several: %v", err)
	}
	for _, in := range []past.ShowInput{{ID: "7505c804:beef"}, {ID: "beef", Session: "7505c804"}} {
		var missing *memory.NotFoundError
		if _, err := m.SessionShow(t.Context(), person, in); !errors.As(err, &missing) || err.Error() != `session 7505c804-0000 has no message "beef"` {
			t.Errorf("%+v: %v", in, err)
		}
	}
	// agents do not learn what there is elsewhere
	elsewhere := Caller{Actor: "mcp", Cwd: t.TempDir()}
	for _, id := range []string{"7505c804:4f51", "7505c804:beef"} {
		if out, err := m.SessionShow(t.Context(), elsewhere, past.ShowInput{ID: id}); err == nil || strings.Contains(err.Error(), "has no message") {
			t.Errorf("%s: %+v %v", id, out.Messages, err)
		}
	}
	// what follows a colon in a question is not taken for the start of an id
	for query, isID := range map[string]bool{"talk:a:x": false, "7505c804:beef": false, "7505c804:4f51": true, "talk:a:x:1": true} {
		text, chunk, err := m.meant(t.Context(), person, &recall.Query{Text: query, Realm: memory.UserRealm})
		if err != nil || (chunk != 0) != isID || !isID && text != query {
			t.Errorf("%s: %q %d %v", query, text, chunk, err)
		}
	}
}

// messageText returns what the first message shown says.
func messageText(out past.ShowOutput) (text string) {
	for _, p := range out.Messages[0].Parts {
		text += p.Text
	}
	return text
}

// TestPassagesOfALongMessage leads from what recall prints to the very passage,
// also when the message's id stands for messages of several sessions.
func TestPassagesOfALongMessage(t *testing.T) {
	m := plain(t)
	long := func(animals ...string) string {
		var text strings.Builder
		for _, a := range animals {
			text.WriteString(strings.Repeat("The keeper of the harbour wrote down what the weather was like. ", 40))
			text.WriteString("Then the " + a + " came by.\n\n")
		}
		return text.String()
	}
	var lines []string
	for session, animals := range map[string][]string{"a1b2c3d4-0000": {"walrus", "narwhal", "puffin"}, "e5f6a7b8-0000": {"otter", "heron", "lynx"}} {
		line, err := json.Marshal(map[string]string{"id": "D1:3", "session": session, "role": "user", "text": long(animals...)})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	importTurns(t, m, lines...)
	ids := map[string]bool{}
	for _, animal := range []string{"walrus", "narwhal", "puffin", "heron", "lynx"} {
		out, err := m.Recall(t.Context(), person, RecallInput{Query: animal, Scope: recall.TargetSessions, Budget: 20_000})
		if err != nil || len(out.Results) == 0 || !strings.Contains(out.Results[0].Text, animal) {
			t.Fatalf("%s: %+v %v", animal, out.Results, err)
		}
		id := out.Results[0].ID
		if ids[id] {
			t.Errorf("%s has the id of another: %s", animal, id)
		}
		ids[id] = true
		shown, err := m.SessionShow(t.Context(), person, past.ShowInput{ID: id})
		if err != nil || !strings.Contains(messageText(shown), animal) || strings.Contains(id, "#") != (messageText(shown) == out.Results[0].Text) {
			t.Errorf("show %s: %v, without %s: %.200s", id, err, animal, messageText(shown))
		}
		explained, err := m.Explain(t.Context(), person, ExplainInput{Query: id, Budget: 20_000})
		if n := len(explained.Chain); err != nil || n == 0 || explained.Chain[n-1].ID != id || !strings.Contains(explained.Chain[n-1].Text, animal) {
			t.Errorf("explain %s: %+v %v", id, explained.Chain, err)
		}
		if _, err := m.SessionShow(t.Context(), person, past.ShowInput{ID: "a1b2c3d4", Around: "D1:3#2"}); err != nil {
			t.Errorf("around: %v", err)
		}
	}
	for _, id := range []string{"a1b2c3d4:D1:3#99", "a1b2c3d4:D1:3#0", "a1b2c3d4:D1:3#+2", "D1:3#", "#2", "a1b2c3d4#2"} {
		if out, err := m.SessionShow(t.Context(), person, past.ShowInput{ID: id}); !errors.As(err, new(*memory.NotFoundError)) {
			t.Errorf("%s: %+v %v", id, out.Messages, err)
		}
	}
	if _, err := m.Explain(t.Context(), person, ExplainInput{Query: "a1b2c3d4:D1:3#99"}); !errors.As(err, new(*memory.NotFoundError)) {
		t.Errorf("explain a passage that is not there: %v", err)
	}
}

// TestPredictedIDsCanBeShown predicts from conversations that number their turns
// alike.
func TestPredictedIDsCanBeShown(t *testing.T) {
	m := plain(t)
	var lines []string
	for session, next := range map[string]string{"a1b2c3d4-0000": "please run the database migration now", "e5f6a7b8-0000": "please tell the walrus about it"} {
		for i, text := range []string{"rename the column of the invoices table", "done, it is called total now", next} {
			role := []string{"user", "assistant"}[i%2]
			lines = append(lines, fmt.Sprintf(`{"id":"D1:%d","session":%q,"role":%q,"time":"2026-03-01T10:0%d:00Z","text":%q}`, i+1, session, role, i, text))
		}
	}
	importTurns(t, m, lines...)
	maintain(t, m)
	out, err := m.Predict(t.Context(), person, PredictInput{Query: "rename a column of the invoices table"})
	if err != nil || len(out.Requests) < 2 || len(out.Similar) < 2 {
		t.Fatalf("%+v %v", out, err)
	}
	for _, r := range out.Requests {
		out.Similar = append(out.Similar, r.Passage)
	}
	for _, p := range out.Similar {
		shown, err := m.SessionShow(t.Context(), person, past.ShowInput{ID: p.ID})
		if err != nil || shown.Session.ID != p.Session || messageText(shown) != p.Text {
			t.Errorf("%s leads to %q in %s, want %q: %v", p.ID, messageText(shown), shown.Session.ID, p.Text, err)
		}
	}
}

// TestEvidenceIsToldApart keeps messages apart that have the same id.
func TestEvidenceIsToldApart(t *testing.T) {
	m := plain(t)
	importTurns(t, m,
		`{"id":"D1:1","session":"a1b2c3d4-0000","role":"user","text":"the walrus dives at dawn"}`,
		`{"id":"D1:1","session":"e5f6a7b8-0000","role":"user","text":"the seal swims at noon"}`,
	)
	var f PredictedFile
	for _, session := range []int64{1, 2, 1} {
		f.Evidence, f.in = evidenceIn(f.Evidence, f.in, "D1:1", session)
	}
	out := PredictOutput{Files: []PredictedFile{f}}
	if err := m.tellPredictedApart(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(out.Files[0].Evidence, " "); got != "a1b2c3d4:D1:1 e5f6a7b8:D1:1" {
		t.Errorf("seen in %s", got)
	}
}
