package past

import (
	"fmt"
	"strings"
	"testing"
)

func TestSessionContextFitsAndKeepsWhatCounts(t *testing.T) {
	m := open(t)
	lines := []string{`{"id":"0","session":"s","role":"user","text":"first request: mend the parser"}`}
	for i := 1; i < 200; i++ {
		text := fmt.Sprintf("step %d: %s", i, strings.Repeat("nothing of note happened here today ", 6))
		if i == 40 {
			text = "the tokenizer dropped the last comma, that was the bug"
		}
		lines = append(lines, fmt.Sprintf(`{"id":"%d","session":"s","role":"assistant","text":%q}`, i, text))
	}
	lines = append(lines, `{"id":"200","session":"s","role":"user","text":"last request: write the changelog"}`)
	m.turns(lines...)
	in := ContextInput{ID: "s", Query: "tokenizer comma bug", Budget: contextReserve + 600}
	out, err := m.Context(t.Context(), person, in)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, x := range out.Messages {
		have[x.ID] = true
	}
	if !have["0"] || !have["40"] || !have["200"] || out.Tokens > 600 || out.Budget != 600 || out.LeftOut == 0 || out.Whole <= out.Tokens {
		t.Errorf("%d tokens, %d left out, carried %v", out.Tokens, out.LeftOut, have)
	}
	in.Strategy = "truncate"
	if out, err = m.Context(t.Context(), person, in); err != nil || out.Messages[0].ID != "0" || out.Messages[len(out.Messages)-1].ID != "200" || out.Tokens > 600 {
		t.Errorf("%+v %v", out, err)
	}
	for _, bad := range []ContextInput{
		{ID: "s", Budget: 1}, {ID: "s", Budget: contextReserve}, {ID: "s", Budget: contextReserve + contextLeast - 1}, {ID: "s", Budget: -1}, {ID: "s", Strategy: "magic"}, {ID: ""}, {ID: "nobody"},
	} {
		if _, err := m.Context(t.Context(), person, bad); err == nil {
			t.Errorf("%+v was answered", bad)
		}
	}
	if _, err := m.Context(t.Context(), person, ContextInput{ID: "s", Budget: contextReserve + contextLeast}); err != nil {
		t.Error(err)
	}
}
