package codebase

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"chitta/internal/store"
)

// TestGaps: one is one, many are many, and what is cut says so.
func TestGaps(t *testing.T) {
	r := Report{Languages: map[string]int{}, Left: map[string]*LeftOut{}}
	files := map[string]*store.CodeFile{"a.go": {Errors: 1}, "gen.go": {Skipped: LeftGenerated}, "hang\n.go": {Skipped: LeftTimeout, Why: "took 10 s"}}
	r.count(files)
	want := []Gap{
		{"errors", "1 place in 1 file fits no rule of the language; what stands beside is indexed: a.go"},
		{"left out", "1 generated: gen.go"}, {"left out", "1 timeout: hang␊.go"}, {"skipped", "hang␊.go: took 10 s"},
	}
	if got := r.Gaps(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	r = Report{Errors: Errors{Files: 9, Places: 12, Examples: []string{"a.go", "b.go"}}}
	want = []Gap{{"errors", "12 places in 9 files fit no rule of the language; what stands beside is indexed: a.go, b.go, …"}}
	if got := r.Gaps(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := (*Report)(nil).Gaps(); got != nil {
		t.Errorf("of no report: %q", got)
	}
}

// TestBuiltIsNamed: where git does not say what belongs to a project, what is
// taken for built is named, so that nobody looks for it in vain.
func TestBuiltIsNamed(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"target", ".hidden"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "a.rs"), []byte("fn a() {}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := Walk(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if l := tree.Left[LeftBuilt]; len(tree.Left) != 1 || l == nil || !slices.Equal(l.Examples, []string{"target/"}) {
		t.Errorf("%+v", tree.Left)
	}
}
