package moment

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// onBranch makes a directory look like a checkout of a branch.
func onBranch(t *testing.T, dir, head string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte(head), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestProhibitionOfABranch: what is forbidden on a branch is told of before a
// command that names none, if that branch is checked out, and otherwise not.
func TestProhibitionOfABranch(t *testing.T) {
	root := t.TempDir()
	top, topic, detached, tree := filepath.Join(root, "main"), filepath.Join(root, "topic"), filepath.Join(root, "detached"), filepath.Join(root, "tree")
	onBranch(t, top, "ref: refs/heads/main\n")
	onBranch(t, topic, "ref: refs/heads/fix/main\n")
	onBranch(t, detached, "0123456789012345678901234567890123456789\n")
	for _, dir := range []string{filepath.Join(top, "a b", "c"), tree, filepath.Join(root, "none")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(tree, ".git"), []byte("gitdir: ../main/.git\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const commit, push = "Never commit to main.", "Never push to main without a review"
	for _, tt := range []struct {
		wish, command, dir string
		want               bool
	}{
		{commit, "git commit -m x", top, true},
		{commit, `git add . && git commit -m "a; b" && git push`, top, true},
		{commit, "git commit --amend --no-edit", filepath.Join(top, "a b", "c"), true},
		{commit, "git commit -m x", tree, true},
		{commit, `cd "` + filepath.Join(top, "a b") + `" && git commit -m x`, topic, true},
		{commit, "cd ../main; git commit -m x", topic, true},
		{"Don't ever commit directly on main or master", "git commit -m x", top, true},
		{push, "git push", top, true},
		{push, "git push origin", top, true},
		{push, "git push -u origin HEAD", top, true},
		{push, "git push --force-with-lease", top, true},

		{commit, "git commit -m x", topic, false},
		{commit, "git commit -m x", detached, false},
		{commit, "git commit -m x", filepath.Join(root, "none"), false},
		{commit, "git commit -m x", "", false},
		{commit, "git commit -m x", "relative", false},
		{commit, "git checkout -b topic && git commit -m x", top, false},
		{commit, "git switch -c topic && git commit -m x", top, false},
		{commit, "git -C ../topic commit -m x", top, false},
		{commit, "cd ../topic && git commit -m x", top, false},
		{commit, "cd $SOMEWHERE && git commit -m x", top, false},
		{commit, "cd ~/other && git commit -m x", top, false},
		{commit, "git status", top, false},
		{commit, "git push", top, false},
		{commit, `echo "git commit"`, top, false},
		{push, "git push", topic, false},
		{push, "git push origin topic", top, false},
		{push, "git push --tags", top, false},
		{push, "git push --dry-run", top, false},
		{push, "git push -d origin old", top, false},
		{"Never commit secrets.", "git commit -m x", top, false},
		{"Never push to release", "git push", top, false},
	} {
		if got := forbids(prohibitions(tt.wish), use{command: tt.command, dir: tt.dir}, nil); got != tt.want {
			t.Errorf("%q against %q in %s: %v", tt.wish, tt.command, tt.dir, got)
		}
	}

	h := newHouse(t)
	dir := h.project("project").Cwd
	id := h.knows("preference", commit)
	h.wait(time.Minute)
	onBranch(t, dir, "ref: refs/heads/topic\n")
	if a := h.uses("s1", "Bash", "command", "git commit -m x"); a.Context != "" {
		t.Errorf("on a topic branch:\n%s", a.Context)
	}
	onBranch(t, dir, "ref: refs/heads/main\n")
	holds(t, h.uses("s1", "Bash", "command", "git commit -m x"), []string{id, "Never commit to main"})
}

// TestOddHeads: whatever a repository's files hold, nothing is read out of them
// but a name.
func TestOddHeads(t *testing.T) {
	dir := t.TempDir()
	for _, head := range []string{"", "\n", "ref: ", "ref: refs/tags/x", "ref: refs/heads/", "\x00\xff", string(make([]byte, headBytes+1))} {
		onBranch(t, dir, head)
		if got := checkedOut(dir); got != "" {
			t.Errorf("%.20q: %q", head, got)
		}
		if forbids(prohibitions("Never commit to main"), use{command: "git commit", dir: dir}, nil) {
			t.Errorf("%.20q is taken for main", head)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+dir), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := checkedOut(dir); got != "" {
		t.Errorf("a repository that is its own: %q", got)
	}
}
