package mind

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/store"
)

// checkAll checks to the end.
func checkAll(ctx context.Context, m *Mind) (CheckOutput, error) {
	return m.checkFor(ctx, person, time.Minute)
}

// TestCheckIsDoneInParts goes on from every place a check may stop at.
func TestCheckIsDoneInParts(t *testing.T) {
	m := plain(t)
	importTurns(t, m, turnLines(`{"id":%d,"session":"s","role":"user","text":"turn number %[1]d speaks of subject%[1]d"}`, 30)...)
	remember(t, m, person, RememberInput{Content: "the walrus module is built with make walrus"})
	whole, err := checkAll(t.Context(), m)
	if err != nil || !whole.OK || whole.Messages != 30 || whole.Memories != 1 || whole.Next != "" || whole.Step != whole.Steps {
		t.Fatalf("%+v %v", whole, err)
	}
	setHash := func(hash string) (before string) {
		t.Helper()
		list, err := m.store.List(t.Context(), store.Filter{})
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		before, list[0].Hash = list[0].Hash, hash
		if err := m.store.Write(t.Context(), func(tx *store.Tx) error { return tx.Update(&list[0]) }); err != nil {
			t.Fatal(err)
		}
		m.index.Follow(t.Context())
		return before
	}
	defer setHash(setHash("wrong"))
	for step := range whole.Steps {
		at := checking{Step: step, Of: whole.Steps, Memories: 7}
		out, err := m.Check(t.Context(), person, CheckInput{Cursor: at.String()})
		hashes := m.store.CheckSteps() // the step that looks at memories
		switch {
		case err != nil || !out.Done:
			t.Errorf("from step %d: %+v %v", step, out, err)
		case step <= hashes && (out.OK || len(out.Problems) != 1 || out.Memories != 8):
			t.Errorf("from step %d: %+v", step, out)
		case step > hashes && (!out.OK || len(out.Problems) != 0 || out.Memories != 7):
			t.Errorf("from step %d: %+v", step, out)
		}
	}
	// what was broken in an earlier part is not forgotten in the last
	broken := checking{Step: whole.Steps - 1, Of: whole.Steps, Problems: 1}
	if out, err := m.Check(t.Context(), person, CheckInput{Cursor: broken.String()}); err != nil || out.OK || !out.Done {
		t.Errorf("%+v %v", out, err)
	}
}

func TestCheckRefusesOtherCursors(t *testing.T) {
	m := plain(t)
	all := len(m.checkSteps())
	for _, cursor := range []string{
		"x", "\x00", "e30=", strings.Repeat("A", 1000),
		checking{Of: all, Step: all}.String(), checking{Of: all, Step: 1000}.String(), checking{Of: all, Step: -1}.String(),
		checking{Of: all, After: -1}.String(), checking{Of: all, Memories: -1}.String(), checking{Of: all, Messages: -1}.String(), checking{Of: all, Problems: -1}.String(),
		checking{Step: all - 1}.String(), checking{Of: all - 1, Step: 1}.String(), // of another list of steps, some of which would be skipped
	} {
		var refused *memory.InputError
		if _, err := m.Check(t.Context(), person, CheckInput{Cursor: cursor}); !errors.As(err, &refused) || refused.Field != "cursor" {
			t.Errorf("%q: %v", cursor, err)
		}
	}
}

// TestCheckCountsWhatIsThere forgets a session whose last message leaves an
// empty row.
func TestCheckCountsWhatIsThere(t *testing.T) {
	m := plain(t)
	importTurns(t, m, `{"id":"1","session":"a","role":"user","text":"the first session speaks of whales"}`, `{"id":"2","session":"b","role":"user","text":"the second session speaks of seals"}`)
	if _, err := m.SessionForget(t.Context(), person, past.SessionInput{ID: "b"}); err != nil {
		t.Fatal(err)
	}
	if out, err := checkAll(t.Context(), m); err != nil || !out.OK || out.Messages != 1 {
		t.Errorf("%+v %v", out, err)
	}
}
