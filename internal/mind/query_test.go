package mind

import (
	"errors"
	"strings"
	"testing"

	"chitta/internal/memory"
)

// TestOddQueries puts questions that are hardly any: each gets an answer or a
// clear refusal.
func TestOddQueries(t *testing.T) {
	m := plain(t)
	remember(t, m, person, RememberInput{Content: "the rocket 🚀 goes to the launch pad, смотри журнал 数据库"})
	importTurns(t, m, `{"id":"1","session":"s","text":"to be or not to be 🚀 журнал 数据库"}`)
	tests := []struct {
		name, query string
		refused     string // part of the refusal; "" if it is answered
		finds       bool
	}{
		{"empty", "", "query", false},
		{"blank", " \t\n", "query", false},
		{"a megabyte", strings.Repeat("rocket ", 150_000), "query", false},
		{"as long as allowed", strings.Repeat("rocket ", 1000), "", true},
		{"binary", "\x00\x01\xfe\xff", "query", false},
		{"a NUL in the middle", "rocket\x00pad", "query", false},
		{"only stop words", "to be or not to be", "", true},
		{"only an emoji", "🚀", "", false}, // not a word: found by meaning if at all
		{"only punctuation", "?!… --", "", false},
		{"one letter", "x", "", false},
		{"mixed scripts", "rocket журнал 数据库", "", true},
		{"Cyrillic", "журнал", "", true},
		{"Chinese", "数据库", "", true},
		{"a very long word", strings.Repeat("abcdefghij", 300), "", false},
		{"combining marks", strings.Repeat("e\u0301", 500), "", false},
		{"right to left", "\u202erocket", "", true},
		{"looks like a filter", `realm=all AND kind:"x" OR 1=1; DROP TABLE memory`, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := m.Recall(t.Context(), person, RecallInput{Query: tt.query})
			var bad *memory.InputError
			switch {
			case tt.refused != "":
				if !errors.As(err, &bad) || bad.Field != tt.refused || bad.Hint == "" {
					t.Errorf("%v", err)
				}
			case err != nil:
				t.Error(err)
			case tt.finds && len(out.Results) == 0:
				t.Error("found nothing")
			}
		})
	}
}
