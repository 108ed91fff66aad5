package realm

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chitta/internal/memory"

	"github.com/google/go-cmp/cmp"
)

func TestDetect(t *testing.T) {
	isolate(t)
	repo, root := newRepo(t, "repo", "git@github.com:Owner/Repo.git")
	nested := filepath.Join(repo, "a", "b")
	mkdir(t, nested)
	odd, oddRoot := newRepo(t, "pröjekt mit 空白", "")
	bare := filepath.Join(tempDir(t), "bare.git")
	run(t, repo, "clone", "--quiet", "--bare", repo, bare)
	empty := filepath.Join(tempDir(t), "empty")
	mkdir(t, empty)
	run(t, empty, "init", "--quiet")
	plain := filepath.Join(tempDir(t), "plain")
	mkdir(t, plain)

	const remote = "github.com/owner/repo"
	in := func(path, top, name, remote string, roots ...string) memory.Identity {
		return memory.Identity{Git: true, Path: path, TopLevel: top, CommonDir: filepath.Join(top, ".git"), Remote: remote, Roots: roots, Name: name}
	}
	tests := []struct {
		name, dir string
		want      memory.Identity
	}{
		{"top level", repo, in(repo, repo, "repo", remote, root)},
		{"nested directory", nested, in(nested, repo, "repo", remote, root)},
		{"inside .git", filepath.Join(repo, ".git"), in(filepath.Join(repo, ".git"), repo, "repo", remote, root)},
		{"not clean", repo + "/./a/../a/b/", in(nested, repo, "repo", remote, root)},
		{"unicode and space", odd, in(odd, odd, "pröjekt mit 空白", "", oddRoot)},
		{"no commit yet", empty, in(empty, empty, "empty", "")},
		{"outside git", plain, memory.Identity{Path: plain, Name: "plain"}},
		{"bare", bare, memory.Identity{Git: true, Path: bare, CommonDir: bare, Name: "repo", Roots: []string{root},
			Remote: memory.NormalizeRemote(repo)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := mustDetect(t, tt.dir)
			if len(got.Roots) == 0 {
				got.Roots = nil
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("identity (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDetectErrors(t *testing.T) {
	dir := tempDir(t)
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Detect(t.Context(), filepath.Join(dir, "gone")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "gone") {
		t.Errorf("missing directory: %v", err)
	}
	if _, err := Detect(t.Context(), file); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("file: %v", err)
	}
	if _, err := Detect(t.Context(), ""); err == nil {
		t.Error("empty path: no error")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Detect(ended, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}

func TestDetectWithoutGit(t *testing.T) {
	dir := tempDir(t)
	t.Setenv("PATH", filepath.Join(dir, "no-such"))
	want := memory.Identity{Path: dir, Name: filepath.Base(dir), Note: NoteNoGit}
	if diff := cmp.Diff(want, mustDetect(t, dir)); diff != "" {
		t.Errorf("identity (-want +got):\n%s", diff)
	}
}

func TestDetectIgnoresGitVariables(t *testing.T) {
	isolate(t)
	repo, _ := newRepo(t, "repo", "")
	other, _ := newRepo(t, "other", "")
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	if got := mustDetect(t, repo); got.TopLevel != repo {
		t.Errorf("top level %q, want %q", got.TopLevel, repo)
	}
}

func TestDetectDamagedRepository(t *testing.T) {
	isolate(t)
	repo, _ := newRepo(t, "repo", "https://example.org/a/b")
	if err := os.RemoveAll(filepath.Join(repo, ".git", "objects")); err != nil {
		t.Fatal(err)
	}
	mkdir(t, filepath.Join(repo, ".git", "objects"))
	got := mustDetect(t, repo)
	if !got.Git || got.Remote != "example.org/a/b" || len(got.Roots) != 0 || got.Note == "" {
		t.Errorf("identity %+v", got)
	}
}

func TestDetectRoots(t *testing.T) {
	isolate(t)
	repo, root := newRepo(t, "repo", "")
	run(t, repo, "checkout", "--quiet", "--orphan", "pages")
	pages := commit(t, repo, "pages", 5)
	if diff := cmp.Diff([]string{root, pages}, mustDetect(t, repo).Roots); diff != "" {
		t.Errorf("orphan branch, oldest first (-want +got):\n%s", diff)
	}
	run(t, repo, "notes", "add", "-m", "a note")
	if err := os.WriteFile(filepath.Join(repo, "untracked"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, repo, "stash", "--quiet", "--include-untracked")
	if diff := cmp.Diff([]string{root, pages}, mustDetect(t, repo).Roots); diff != "" {
		t.Errorf("notes and stash counted (-want +got):\n%s", diff)
	}
	run(t, repo, "checkout", "--quiet", "--detach")
	if got := mustDetect(t, repo).Roots; len(got) != 2 {
		t.Errorf("detached: %v", got)
	}
}

// One project, however it is reached.
func TestSameProject(t *testing.T) {
	isolate(t)
	const ssh, https = "git@github.com:Owner/Repo.git", "https://user:tok@github.com/owner/repo"
	repo, root := newRepo(t, "repo", ssh)
	known, first := register(nil, mustDetect(t, repo))

	// Each step returns a directory that must be the same project.
	steps := []struct {
		name string
		make func(t *testing.T) string
	}{
		{"worktree", func(t *testing.T) string {
			dir := filepath.Join(tempDir(t), "tree")
			run(t, repo, "worktree", "add", "--quiet", dir)
			if got := mustDetect(t, dir); got.CommonDir != filepath.Join(repo, ".git") || got.TopLevel != dir {
				t.Errorf("identity %+v", got)
			}
			return dir
		}},
		{"clone by https", func(t *testing.T) string {
			dir := filepath.Join(tempDir(t), "clone")
			run(t, repo, "clone", "--quiet", repo, dir)
			run(t, dir, "remote", "set-url", "origin", https)
			if got, want := memory.ProjectID(mustDetect(t, dir)), known[first].ID; got != want {
				t.Errorf("a new machine would call it %s, want %s", got, want)
			}
			return dir
		}},
		{"clone of the folder", func(t *testing.T) string {
			dir := filepath.Join(tempDir(t), "local")
			run(t, repo, "clone", "--quiet", repo, dir)
			return dir
		}},
		{"shallow clone", func(t *testing.T) string {
			commit(t, repo, "second", 2)
			dir := filepath.Join(tempDir(t), "shallow")
			run(t, repo, "clone", "--quiet", "--depth=1", "file://"+repo, dir)
			run(t, dir, "remote", "set-url", "origin", https)
			if got := mustDetect(t, dir); len(got.Roots) != 0 || got.Note != NoteShallow {
				t.Errorf("identity %+v", got)
			}
			return dir
		}},
		{"orphan branch", func(t *testing.T) string {
			run(t, repo, "checkout", "--quiet", "--orphan", "pages")
			commit(t, repo, "pages", 5)
			return repo
		}},
		{"renamed folder", func(t *testing.T) string {
			to := filepath.Join(filepath.Dir(repo), "renamed")
			rename(t, repo, to)
			return to
		}},
	}
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) {
			var at int
			known, at = register(known, mustDetect(t, step.make(t)))
			if at != first || len(known) != 1 {
				t.Fatalf("became project %d of %d", at, len(known))
			}
		})
	}
	if known[0].Roots[0] != root {
		t.Errorf("roots %v, want %s first", known[0].Roots, root)
	}
}

func TestOtherProject(t *testing.T) {
	isolate(t)
	repo, _ := newRepo(t, "repo", "https://example.org/a/template")
	known, first := register(nil, mustDetect(t, repo))
	steps := []struct {
		name string
		make func(t *testing.T) string
	}{
		{"made from a template", func(t *testing.T) string {
			dir := filepath.Join(tempDir(t), "made")
			run(t, repo, "clone", "--quiet", repo, dir)
			run(t, dir, "remote", "set-url", "origin", "https://example.org/a/made")
			return dir
		}},
		{"submodule", func(t *testing.T) string {
			library, _ := newRepo(t, "library", "")
			run(t, repo, "submodule", "--quiet", "add", library, "lib")
			dir := filepath.Join(repo, "lib")
			if got := mustDetect(t, dir); got.TopLevel != dir || got.CommonDir != filepath.Join(repo, ".git", "modules", "lib") {
				t.Errorf("identity %+v", got)
			}
			return dir
		}},
		{"folder used again", func(t *testing.T) string {
			if err := os.RemoveAll(filepath.Join(repo, ".git")); err != nil {
				t.Fatal(err)
			}
			run(t, repo, "init", "--quiet")
			commit(t, repo, "something else", 9)
			return repo
		}},
		{"folder outside git", tempDir},
	}
	for i, step := range steps {
		t.Run(step.name, func(t *testing.T) {
			var at int
			known, at = register(known, mustDetect(t, step.make(t)))
			if at == first || len(known) != i+2 {
				t.Fatalf("became project %d of %d", at, len(known))
			}
		})
	}
}

func TestProjectGrowsUp(t *testing.T) {
	isolate(t)
	dir := filepath.Join(tempDir(t), "young")
	mkdir(t, dir)
	var known []memory.Realm
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"folder", func() {}},
		{"repository", func() { run(t, dir, "init", "--quiet") }},
		{"first commit", func() { commit(t, dir, "first", 1) }},
		{"remote", func() { run(t, dir, "remote", "add", "upstream", "https://example.org/a/b.git") }},
		{"git removed", func() { rename(t, filepath.Join(dir, ".git"), filepath.Join(dir, "not-git")) }},
	} {
		step.do()
		known, _ = register(known, mustDetect(t, dir))
		if len(known) != 1 {
			t.Fatalf("after %s there are %d projects", step.name, len(known))
		}
	}
	if r := known[0]; len(r.Roots) != 1 || len(r.Remotes) != 1 || r.Remotes[0] != "example.org/a/b" {
		t.Errorf("realm %+v", r)
	}
}

func TestDetectThroughLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need privileges on Windows")
	}
	isolate(t)
	repo, _ := newRepo(t, "repo", "")
	link := filepath.Join(tempDir(t), "link")
	if err := os.Symlink(repo, link); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(mustDetect(t, repo), mustDetect(t, link)); diff != "" {
		t.Errorf("a link is another project:\n%s", diff)
	}
}

func TestParseRemote(t *testing.T) {
	tests := []struct {
		name, config, want string
	}{
		{"none", "[core]\n\tbare = false\n", ""},
		{"origin", "[remote \"origin\"]\n\turl = git@h:p\n\tfetch = x\n", "git@h:p"},
		{"origin after another", "[remote \"a\"]\nurl = first\n[remote \"origin\"]\nurl = second\n", "second"},
		{"first of others", "[remote \"a\"]\nurl = first\n[remote \"b\"]\nurl = second\n", "first"},
		{"url of something else", "[url \"x\"]\n\turl = no\n[branch \"remote\"]\n\turl = no\n", ""},
		{"quoted with comment", "[Remote \"origin\"]\n URL = \"https://h/a b;c\" ; note\n", "https://h/a b;c"},
		{"comment", "[remote \"origin\"]\n# url = no\nurl = yes # note\n", "yes"},
		{"escaped backslash", "[remote \"origin\"]\nurl = C:\\\\work\\\\repo\n", `C:\work\repo`},
		{"windows line ends", "[remote \"origin\"]\r\n\turl = yes\r\n", "yes"},
		{"odd section", "[remote]\nurl = no\n[remote \"\"]\nurl = no\n[", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := parseRemote(bufio.NewScanner(strings.NewReader(tt.config))); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestReadRemoteRelative(t *testing.T) {
	isolate(t)
	repo, _ := newRepo(t, "repo", "../library")
	want := memory.NormalizeRemote(filepath.Join(filepath.Dir(repo), "library"))
	if got := mustDetect(t, repo).Remote; got != want {
		t.Errorf("remote %q, want %q", got, want)
	}
}
