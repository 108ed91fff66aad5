package realm

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
)

// isolate keeps the machine's git configuration out of the test.
func isolate(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
		"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
	} {
		t.Setenv(name, value)
	}
}

// run executes git in dir and returns its trimmed output.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit makes an empty commit at a fixed time and returns its hash.
func commit(t *testing.T, dir, message string, day int) string {
	t.Helper()
	when := time.Date(2024, 1, day, 12, 0, 0, 0, time.UTC).Format(time.RFC3339)
	t.Setenv("GIT_AUTHOR_DATE", when)
	t.Setenv("GIT_COMMITTER_DATE", when)
	run(t, dir, "commit", "--quiet", "--allow-empty", "-m", message)
	return run(t, dir, "rev-parse", "HEAD")
}

// newRepo creates a repository with one commit and returns its path and root.
func newRepo(t *testing.T, name, remote string) (dir, root string) {
	t.Helper()
	dir = filepath.Join(tempDir(t), name)
	mkdir(t, dir)
	run(t, dir, "init", "--quiet")
	if remote != "" {
		run(t, dir, "remote", "add", "origin", remote)
	}
	return dir, commit(t, dir, "first of "+t.Name()+name, 1)
}

// tempDir returns a temporary directory without links in its path, so that
// paths can be compared.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func mkdir(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func mustDetect(t *testing.T, dir string) memory.Identity {
	t.Helper()
	id, err := Detect(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// register plays the store: it matches the identity and merges it in.
func register(known []memory.Realm, id memory.Identity) ([]memory.Realm, int) {
	i, ok := memory.Match(known, id)
	if !ok {
		return append(known, memory.NewProject(id, time.Time{})), len(known)
	}
	known[i] = memory.Merge(known[i], id)
	return known, i
}
