package ranking

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// benchData returns a folder of the evaluation data that may lie beside the
// repository, and skips the test when it does not.
func benchData(t *testing.T, folder string) string {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(root)
		if parent == root {
			t.Skip("not in a repository: cannot look for evaluation data beside it")
		}
		root = parent
	}
	dir := filepath.Join(root, "..", "shared", "bench", folder)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no evaluation data beside the repository (../shared/bench/%s)", folder)
	}
	return dir
}

func TestLoCoMoData(t *testing.T) {
	set, err := LoCoMo(filepath.Join(benchData(t, "locomo"), "locomo-dev5.json"))
	if err != nil {
		t.Fatal(err)
	}
	r := newReport(set)
	if r.Corpora != 5 || r.Turns != 2760 || r.Questions != 997 || r.Skipped != 2 || r.Unparsed != 2 {
		t.Errorf("%s", r.Summary())
	}
	for _, c := range set.Corpora {
		for i, turn := range c.Turns {
			if turn.Time.IsZero() || turn.Speaker == "" || turn.Text == "" {
				t.Errorf("%s: %+v is not complete", c.Name, turn)
			}
			if i > 0 && !turn.Time.After(c.Turns[i-1].Time) {
				t.Errorf("%s: %s is not after %s", c.Name, turn.ID, c.Turns[i-1].ID)
			}
		}
	}
}

func TestSciFactData(t *testing.T) {
	set, err := SciFact(benchData(t, "scifact"))
	if err != nil {
		t.Fatal(err)
	}
	r := newReport(set)
	labels := 0
	for _, q := range set.Corpora[0].Questions {
		labels += len(q.Relevant)
	}
	if r.Turns != 5183 || r.Questions != 300 || labels != 339 || r.Skipped != 0 || r.Unparsed != 0 {
		t.Errorf("%s, labels %d", r.Summary(), labels)
	}
	// A text that is short or goes over several lines was not read to its end.
	for _, turn := range set.Corpora[0].Turns {
		if strings.Contains(turn.Text, "\n") || len(turn.Text) < 100 {
			t.Errorf("%s: %.100q", turn.ID, turn.Text)
		}
	}
}
