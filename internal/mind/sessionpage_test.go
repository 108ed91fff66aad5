package mind

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"chitta/internal/past"
)

// busy is a session in which most records have nothing to show by themselves:
// results, thoughts, and one result that comes long after its call.
func busy(dir string) *script {
	k := &script{session: oldSession, cwd: dir}
	k.user("Please look at the walrus")
	k.call("late", "Bash", map[string]any{"command": "make walrus"})
	for i := range 30 {
		id := fmt.Sprintf("call-%d", i)
		k.call(id, "Bash", map[string]any{"command": "ls " + id})
		k.result(id, "nothing there", nil)
		k.record("assistant", map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "thinking", "thinking": "hm"}}}, nil)
	}
	k.result("late", "the late result", nil)
	k.assistant("The walrus is well.")
	return k
}

// TestPagesCountWhatIsShown goes through a session page by page.
func TestPagesCountWhatIsShown(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	ingestAll(t, m, busy(dir).write(t, filepath.Join(dir, oldSession+".jsonl")))
	for _, c := range []struct {
		name  string
		in    past.ShowInput
		shown int
	}{
		{"as it is", past.ShowInput{}, 2 + 30 + 2},
		{"thoughts", past.ShowInput{Thinking: true}, 2 + 2*30 + 2},
		{"results", past.ShowInput{Full: true}, 2 + 2*30 + 2},
		{"everything", past.ShowInput{Full: true, Thinking: true}, 2 + 3*30 + 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.in.ID, c.in.Limit = oldSession, pageMost
			var want []string
			for _, x := range shown(t, m, c.in).Messages {
				want = append(want, x.ID)
			}
			if len(want) != c.shown {
				t.Fatalf("%d messages are shown, want %d", len(want), c.shown)
			}
			c.in.Limit = 7
			var got []string
			for page, pages := 1, 1; page <= pages; page++ {
				c.in.Page = page
				out := shown(t, m, c.in)
				if pages = out.Pages; page < pages && len(out.Messages) != c.in.Limit {
					t.Errorf("page %d has %d messages", page, len(out.Messages))
				}
				for _, x := range out.Messages {
					got = append(got, x.ID)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("page by page: %v, want %v", got, want)
			}
		})
	}
	out := shown(t, m, past.ShowInput{ID: oldSession, Around: shown(t, m, past.ShowInput{ID: oldSession, Full: true, Limit: pageMost}).Messages[21].ID, Context: 3})
	if len(out.Messages) != 7 {
		t.Errorf("around a result stand %d messages", len(out.Messages))
	}
}
