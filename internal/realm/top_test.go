package realm

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestTop: the top around a path is found without git, also that of a work tree
// within another, which shares its clone.
func TestTop(t *testing.T) {
	dir := canonical(t.TempDir())
	git := func(in string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		cmd.Dir = in
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	clone, other := filepath.Join(dir, "clone"), filepath.Join(dir, "clone", "other")
	tree := filepath.Join(clone, ".trees", "x")
	for _, d := range []string{clone, other, filepath.Join(clone, "a", "b"), filepath.Join(dir, "fake", ".git")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	git(clone, "init", "-q")
	git(clone, "commit", "-q", "--allow-empty", "-m", "first")
	git(clone, "worktree", "add", "-q", tree)
	git(other, "init", "-q")
	for path, want := range map[string]string{
		dir: "", "": "", "relative/path": "", filepath.Join(dir, "fake"): "",
		clone: clone, filepath.Join(clone, "a", "b"): clone, filepath.Join(clone, "not", "there.go"): clone,
		tree: tree, filepath.Join(tree, "x.go"): tree, other: other,
	} {
		if got := Top(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if common := CommonDir(clone); common == "" || CommonDir(tree) != common || CommonDir(other) == common || CommonDir(dir) != "" {
		t.Errorf("%q %q %q %q", common, CommonDir(tree), CommonDir(other), CommonDir(dir))
	}
}
