package mind

import (
	"errors"
	"strings"
	"testing"

	"chitta/internal/memory"
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
		out, err := m.SessionShow(t.Context(), person, SessionShowInput{ID: name})
		if err != nil || len(out.Messages) != 1 || !strings.Contains(messageText(out), want) {
			t.Errorf("%s: %+v %v", name, out.Messages, err)
		}
	}
	var several *SeveralError
	if _, err := m.SessionShow(t.Context(), person, SessionShowInput{ID: "7505:4f5"}); !errors.As(err, &several) || len(several.Fits) != 2 {
		t.Errorf("several: %v", err)
	}
	for _, in := range []SessionShowInput{{ID: "7505c804:beef"}, {ID: "beef", Session: "7505c804"}} {
		var missing *NotFoundError
		if _, err := m.SessionShow(t.Context(), person, in); !errors.As(err, &missing) || err.Error() != `session 7505c804-0000 has no message "beef"` {
			t.Errorf("%+v: %v", in, err)
		}
	}
	// agents do not learn what there is elsewhere
	elsewhere := Caller{Actor: "mcp", Cwd: t.TempDir()}
	for _, id := range []string{"7505c804:4f51", "7505c804:beef"} {
		if out, err := m.SessionShow(t.Context(), elsewhere, SessionShowInput{ID: id}); err == nil || strings.Contains(err.Error(), "has no message") {
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
func messageText(out SessionShowOutput) (text string) {
	for _, p := range out.Messages[0].Parts {
		text += p.Text
	}
	return text
}
