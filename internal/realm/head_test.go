package realm

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestHead(t *testing.T) {
	dir := t.TempDir()
	git := func(in string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		cmd.Dir = in
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if got := Head(dir); got != "" {
		t.Errorf("without git: %q", got)
	}
	git(dir, "init", "-q")
	if got := Head(dir); got != "" {
		t.Errorf("before the first commit: %q", got)
	}
	git(dir, "commit", "-q", "--allow-empty", "-m", "first")
	want := git(dir, "rev-parse", "HEAD")
	check := func(what, in, want string) {
		t.Helper()
		if got := Head(in); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	check("a branch", dir, want)
	git(dir, "pack-refs", "--all")
	check("packed", dir, want)
	git(dir, "checkout", "-q", "-b", "a/branch/of/several")
	git(dir, "commit", "-q", "--allow-empty", "-m", "second")
	check("another branch", dir, git(dir, "rev-parse", "HEAD"))
	git(dir, "checkout", "-q", "--detach", want)
	check("detached", dir, want)
	tree := filepath.Join(t.TempDir(), "tree")
	git(dir, "worktree", "add", "-q", tree, "-b", "elsewhere")
	git(tree, "commit", "-q", "--allow-empty", "-m", "third")
	check("a further work tree", tree, git(tree, "rev-parse", "HEAD"))
	check("a folder below", filepath.Join(dir, ".git"), "")
}

func TestHeadOfNonsense(t *testing.T) {
	for name, head := range map[string]string{
		"empty": "", "words": "hello there", "outside": "ref: ../../../etc/passwd", "short": "ref:", "missing": "ref: refs/heads/none",
		"binary": "\x00\xff\x00", "long": strings.Repeat("a", 1<<16), "capitals": strings.Repeat("A", 40),
	} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte(head), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := Head(dir); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}
