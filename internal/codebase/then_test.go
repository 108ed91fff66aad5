package codebase

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestFactsOfText: a text that is no file of a project is read as one.
func TestFactsOfText(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	f, err := b.FactsOf(t.Context(), "deep/down/b.go", []byte(twoFiles["b/b.go"]))
	if err != nil || len(f.Symbols) != 2 || f.Symbols[0].Path != "Serve" || f.Symbols[0].Body == 0 {
		t.Fatalf("%+v %v", f, err)
	}
	for name, text := range map[string]string{"notes.txt": "words", "": "", "a.go": "package a\x00", "large.go": string(make([]byte, MaxFile+1))} {
		if f, err := b.FactsOf(t.Context(), name, []byte(text)); err == nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// TestWorkTreesAreProjects: a work tree within an indexed one is not it.
func TestWorkTreesAreProjects(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, twoFiles)
	mustIndex(t, b, root)
	tree := filepath.Join(root, ".trees", "x")
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-q", "--allow-empty", "-m", "first"}, {"worktree", "add", "-q", tree}} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	file := filepath.Join(tree, "a", "a.go")
	if got, err := b.ProjectOf(t.Context(), file); err != ErrUnknown {
		t.Errorf("before: %q %v", got, err)
	}
	mustIndex(t, b, tree)
	for path, want := range map[string]string{file: tree, filepath.Join(root, "a", "a.go"): root, filepath.Join(root, "not", "there.go"): root} {
		if got, err := b.ProjectOf(t.Context(), path); err != nil || got != want {
			t.Errorf("%s: %q %v", path, got, err)
		}
	}
}
