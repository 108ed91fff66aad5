package mind

import (
	"slices"
	"testing"
)

func TestWordsOfAText(t *testing.T) {
	m, _ := openTest(t)
	var surfaces []string
	for _, w := range m.Words("Why does parseHeader retry the retries?") {
		surfaces = append(surfaces, w.Surface)
		if len(w.Terms) == 0 {
			t.Errorf("%s is found by nothing", w.Surface)
		}
	}
	if !slices.Equal(surfaces, []string{"parseHeader", "retry"}) && !slices.Equal(surfaces, []string{"parseHeader", "parse", "Header", "retry"}) {
		t.Errorf("%q", surfaces)
	}
	terms := m.Terms("the header is parsed with retries")
	for _, w := range m.Words("retry") {
		if !terms[w.Terms[0]] {
			t.Errorf("%q is not among %v", w.Terms[0], terms)
		}
	}
	if len(m.Words("")) != 0 || len(m.Terms("\xff\x00")) > 1 {
		t.Error("nothing has words")
	}
}

// TestRareWord: a word in common counts about the same in a small store and in
// a large one.
func TestRareWord(t *testing.T) {
	m, _ := openTest(t)
	empty, passages, err := m.RareWord(t.Context())
	if err != nil || empty <= 0 || passages <= 0 {
		t.Fatal(empty, passages, err)
	}
	remember(t, m, person, RememberInput{Content: "the first memory of this store"})
	remember(t, m, person, RememberInput{Content: "another one about something else"})
	if more, _, err := m.RareWord(t.Context()); err != nil || more <= empty {
		t.Errorf("%v after %v, %v", more, empty, err)
	}
	if ratio := rareWord(100_000) / rareWord(100); ratio < 2 || ratio > 3 {
		t.Errorf("a thousand times as much counts %.1f times", ratio)
	}
}

// TestQuietRecall: looking is not using.
func TestQuietRecall(t *testing.T) {
	m, _ := openTest(t)
	out := remember(t, m, person, RememberInput{Content: "the lease of the queue expires at midnight"})
	for i, quiet := range []bool{true, false} {
		if got := found(t, m, person, RecallInput{Query: "lease of the queue", Quiet: quiet}); len(got) != 1 {
			t.Fatal(got)
		}
		if err := m.flushAccess(t.Context()); err != nil {
			t.Fatal(err)
		}
		if v, err := m.Get(t.Context(), person, GetInput{ID: out.ID}); err != nil || v.AccessCount != i {
			t.Errorf("quiet %v: %d uses, %v", quiet, v.AccessCount, err)
		}
	}
}
