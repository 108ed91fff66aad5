package codebase

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/syntax"
)

func paths(tree *Tree) []string {
	out := []string{}
	for _, f := range tree.Files {
		out = append(out, f.Path)
	}
	return out
}

func reasons(tree *Tree) map[string]int {
	out := map[string]int{}
	for reason, l := range tree.Left {
		out[reason] = l.Files
	}
	return out
}

// project is a tree with one of everything that is left out by its name.
func mixed() map[string]string {
	return map[string]string{
		"main.go": "package main\n", "go.mod": "module x\n", "web/tsconfig.json": "{}", "web/app.ts": "", "README.md": "",
		"vendor/v.go": "package v\n", "web/node_modules/m/m.js": "", "third_party/t.c": "", "py/site-packages/s.py": "", ".venv/lib/x.py": "",
		"api/api.pb.go": "package api\n", "web/app.min.js": "", "py/x_pb2.py": "", "py/__pycache__/x.py": "",
		".hidden/h.py": "", "dist/d.js": "", "node_modules/package.json": "{}",
	}
}

func TestWalkInGit(t *testing.T) {
	root := gitRepo(t, mixed())
	write(t, root, map[string]string{
		".gitignore": "ignored/\n*.gen.go\n", "ignored/i.go": "package i\n", "x.gen.go": "package x\n",
		"untracked.py": "", "other/repo.go": "package other\n",
	})
	gitIn(t, filepath.Join(root, "other"), "init", "-q")
	if err := os.Remove(filepath.Join(root, "web", "app.ts")); err != nil { // tracked and gone
		t.Fatal(err)
	}
	tree, err := Walk(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{".hidden/h.py", "dist/d.js", "main.go", "untracked.py"}, paths(tree)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"go.mod", "web/tsconfig.json"}, tree.Manifests); diff != "" {
		t.Error(diff)
	}
	want := map[string]int{LeftVendored: 6, LeftGenerated: 2, LeftMinified: 1, LeftNested: 1}
	if diff := cmp.Diff(want, reasons(tree)); diff != "" || !tree.Git {
		t.Errorf("git %v %s", tree.Git, diff)
	}
}

func TestWalkWithoutGit(t *testing.T) {
	root := tempDir(t)
	write(t, root, mixed())
	write(t, root, map[string]string{"nested/.git/HEAD": "x", "nested/n.go": "package n\n"})
	tree, err := Walk(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"main.go", "web/app.ts"}, paths(tree)); diff != "" {
		t.Error(diff)
	}
	want := map[string]int{LeftVendored: 7, LeftGenerated: 2, LeftMinified: 1, LeftNested: 1}
	if diff := cmp.Diff(want, reasons(tree)); diff != "" || tree.Git {
		t.Errorf("git %v %s", tree.Git, diff)
	}
}

// TestWalkWhenGitFails: a repository that git refuses is walked without it, and
// that is said.
func TestWalkWhenGitFails(t *testing.T) {
	root := tempDir(t)
	write(t, root, map[string]string{"main.go": "package main\n", ".git/HEAD": "nonsense"})
	tree, err := Walk(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(paths(tree), []string{"main.go"}) || tree.Git || tree.Problem == "" {
		t.Errorf("%+v", tree)
	}
}

func TestWalkSubmodules(t *testing.T) {
	inner := gitRepo(t, map[string]string{"inner.go": "package inner\n", "vendor/v.go": "package v\n"})
	root := gitRepo(t, map[string]string{"main.go": "package main\n"})
	gitIn(t, root, "submodule", "--quiet", "add", inner, "sub/module")
	gitIn(t, root, "commit", "-q", "-m", "module")
	write(t, root, map[string]string{"sub/module/new.go": "package inner\n"})
	tree, err := Walk(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"main.go", "sub/module/inner.go", "sub/module/new.go"}, paths(tree)); diff != "" {
		t.Error(diff)
	}
	if syntax.Available {
		b := openBase(t, "good")
		mustIndex(t, b, root)
		write(t, root, map[string]string{"sub/module/new.go": "package inner\n\nfunc within() {}\n", "ignored.go": "package main\n\nfunc no() {}\n", ".gitignore": "ignored.go\n"})
		if err := b.Refresh(t.Context(), root, []string{"sub/module/new.go", "ignored.go"}); err != nil {
			t.Fatal(err)
		}
		if got := symbolNames(t, b); !slices.Equal(got, []string{"sub/module/new.go:within"}) {
			t.Errorf("symbols %q", got)
		}
	}
	clone := tempDir(t)
	gitIn(t, clone, "clone", "-q", root, "c") // modules are not checked out
	tree, err = Walk(t.Context(), filepath.Join(clone, "c"))
	if err != nil || !slices.Equal(paths(tree), []string{"main.go"}) {
		t.Errorf("%v %v", paths(tree), err)
	}
}

func TestWalkLinks(t *testing.T) {
	outside := tempDir(t)
	write(t, outside, map[string]string{"out.go": "package out\n"})
	for _, git := range []bool{true, false} {
		t.Run(fmt.Sprintf("git %v", git), func(t *testing.T) {
			root := tempDir(t)
			if git {
				gitIn(t, root, "init", "-q")
			}
			write(t, root, map[string]string{"a/real.go": "package a\n", "build/hidden.py": "x = 1\n", ".gitignore": "build/\n"})
			for name, to := range map[string]string{
				"again.go": "a/real.go", "loop1.go": "loop2.go", "loop2.go": "loop1.go", "out.go": filepath.Join(outside, "out.go"),
				"nowhere.go": "missing.go", "up": "..", "a/self": ".", "twice1.py": "build/hidden.py", "twice2.py": "build/hidden.py",
			} {
				if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
					t.Fatal(err)
				}
			}
			tree, err := Walk(t.Context(), root)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"a/real.go", "twice1.py"}, paths(tree)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(map[string]int{LeftLink: 6}, reasons(tree)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestWalkFolderThatBecameALink: git still names the files that were in it.
func TestWalkFolderThatBecameALink(t *testing.T) {
	outside := tempDir(t)
	write(t, outside, map[string]string{"x.go": "package secret\n", "deep/y.go": "package secret\n"})
	root := gitRepo(t, map[string]string{"ok.go": "package p\n", "lib/x.go": "package lib\n", "lib/deep/y.go": "package deep\n"})
	if err := os.RemoveAll(filepath.Join(root, "lib")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, "lib")); err != nil {
		t.Fatal(err)
	}
	tree, err := Walk(t.Context(), root)
	if err != nil || !slices.Equal(paths(tree), []string{"ok.go"}) || reasons(tree)[LeftLink] != 2 {
		t.Errorf("%+v %v", tree, err)
	}
}

// TestWalkOddEntries: what bears the name of a source file and is none.
func TestWalkOddEntries(t *testing.T) {
	root := tempDir(t)
	write(t, root, map[string]string{"ok.go": "package p\n"})
	if err := os.MkdirAll(filepath.Join(root, "folder.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	makeFIFO(t, filepath.Join(root, "pipe.go"))
	tree, err := Walk(t.Context(), root)
	if err != nil || !slices.Equal(paths(tree), []string{"ok.go"}) || reasons(tree)[LeftUnreadable] != 1 {
		t.Errorf("%+v %v", tree, err)
	}
}

// TestWalkUnreadable: a closed folder is told of, and the rest is listed.
func TestWalkUnreadable(t *testing.T) {
	for _, git := range []bool{false, true} {
		root := tempDir(t)
		write(t, root, map[string]string{"ok.go": "package p\n", "closed/x.go": "package c\n"})
		if git {
			gitIn(t, root, "init", "-q")
		}
		closed := filepath.Join(root, "closed")
		if err := os.Chmod(closed, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(closed, 0o755) })
		asNobody(t, root, func() {
			tree, err := Walk(t.Context(), root)
			if err != nil || !slices.Equal(paths(tree), []string{"ok.go"}) || reasons(tree)[LeftUnreadable] != 1 {
				t.Errorf("git %v: %+v %v", git, tree, err)
			}
		})
	}
}

func TestClosedFolders(t *testing.T) {
	said := "warning: unable to access '/x/ignore': Permission denied\nwarning: could not open directory 'closed/': Permission denied\n" +
		"warning: could not open directory 'it's: odd/': Permission denied\nwarning: could not open directory 'cut"
	if got := closedFolders(said); !slices.Equal(got, []string{"closed/", "it's: odd/"}) {
		t.Errorf("%q", got)
	}
}

func TestWalkErrors(t *testing.T) {
	root := tempDir(t)
	write(t, root, map[string]string{"f.go": ""})
	if _, err := Walk(t.Context(), filepath.Join(root, "missing")); err == nil {
		t.Error("a folder that is not there")
	}
	if _, err := Walk(t.Context(), filepath.Join(root, "f.go")); err == nil {
		t.Error("a file")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Walk(ctx, root); err == nil {
		t.Error("cut off, and no error")
	}
}

// TestWalkNames: names that are odd to a shell, to git or to UTF-8.
func TestWalkNames(t *testing.T) {
	odd := []string{"with space.go", "tab\tname.go", "new\nline.go", "quote\".go", "-dash.go", ":(glob)x.go", "*.go", "ünï.go", "\u202Ertl.go", "😀.go"}
	root := tempDir(t)
	gitIn(t, root, "init", "-q")
	for _, name := range odd {
		write(t, root, map[string]string{name: "package p\n"})
	}
	tree, err := Walk(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(odd)
	if diff := cmp.Diff(odd, paths(tree)); diff != "" {
		t.Error(diff)
	}
	for _, name := range odd { // each by itself
		tree, err := walkSome(t.Context(), root, []string{name})
		if err != nil || !slices.Equal(paths(tree), []string{name}) {
			t.Errorf("%q: %q %v", name, paths(tree), err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "bad\xff.go"), nil, 0o644); err != nil {
		t.Skip("this system has no such names")
	}
	if tree, err := Walk(t.Context(), root); err != nil || reasons(tree)[LeftName] != 1 {
		t.Errorf("%v %v", reasons(tree), err)
	}
}

func TestRootOf(t *testing.T) {
	root := gitRepo(t, map[string]string{"a/b/c.go": "package b\n"})
	plain := tempDir(t)
	write(t, plain, map[string]string{"x/y.go": ""})
	link := filepath.Join(tempDir(t), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ path, want string }{
		{root, root}, {filepath.Join(root, "a", "b"), root}, {filepath.Join(root, "a", "b", "c.go"), root},
		{filepath.Join(link, "a"), root}, {plain, plain}, {filepath.Join(plain, "x", "y.go"), filepath.Join(plain, "x")},
	}
	for _, tt := range tests {
		if got, err := RootOf(t.Context(), tt.path); err != nil || got != tt.want {
			t.Errorf("%s: %s %v, want %s", tt.path, got, err, tt.want)
		}
	}
	if _, err := RootOf(t.Context(), filepath.Join(plain, "missing")); err == nil {
		t.Error("a path that is not there")
	}
}

func TestLeftByText(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"code", "package p\n", ""},
		{"empty", "", ""},
		{"nul", "abc\x00", LeftBinary},
		{"nul late", strings.Repeat("a\n", binaryHead) + "\x00", ""},
		{"go", "// Code generated by x. DO NOT EDIT.\n", LeftGenerated},
		{"after a license", strings.Repeat("// license\n", 15) + "# @generated by y\n", LeftGenerated},
		{"csharp", "// <auto-generated />\n", LeftGenerated},
		{"block", "/**\n * @generated\n */\n", LeftGenerated},
		{"too late", strings.Repeat("\n", generatedLines) + "// @generated\n", ""},
		{"in a string", "x := \"@generated\"\n", ""},
		{"a mail address", "// me@generatedmail.org\n", ""},
		{"long line", strings.Repeat("a", maxLine+1), LeftMinified},
		{"not quite", strings.Repeat("a", maxLine) + "\n" + strings.Repeat("b", maxLine), ""},
	}
	for _, tt := range tests {
		if got := leftByText([]byte(tt.text)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestWalkRunsNothingOfTheRepository: a repository may name programs that git
// runs; whose it is, is not known.
func TestWalkRunsNothingOfTheRepository(t *testing.T) {
	root := gitRepo(t, map[string]string{"main.go": "package main\n"})
	trace := filepath.Join(tempDir(t), "ran")
	script := filepath.Join(tempDir(t), "monitor")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch '"+trace+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	gitIn(t, root, "config", "core.fsmonitor", script)
	if tree, err := Walk(t.Context(), root); err != nil || len(tree.Files) != 1 {
		t.Fatalf("%+v %v", tree, err)
	}
	if _, err := os.Stat(trace); err == nil {
		t.Error("a program of the repository was run")
	}
}

// TestGitThatWaits: a pipe in the place of a .gitignore has git wait for ever, and
// nobody else.
func TestGitThatWaits(t *testing.T) {
	root := gitRepo(t, map[string]string{"a.go": "package a\n", "x/b.go": "package x\n"})
	makeFIFO(t, filepath.Join(root, "x", ".gitignore"))
	w := walker{Tree: &Tree{Root: root, Left: map[string]*LeftOut{}}, ctx: t.Context(), links: map[string]string{}, patience: 200 * time.Millisecond}
	err := w.gitTree(root, "", nil, 0)
	if err == nil || !strings.Contains(err.Error(), "git did not answer in 200ms") {
		t.Errorf("error %v", err)
	}
}

// TestRepositoryOfAnother: git refuses it, which is said with what to do, and the
// files are found without git.
func TestRepositoryOfAnother(t *testing.T) {
	root := gitRepo(t, map[string]string{"a.go": "package a\n", "x/b.go": "package x\n"})
	if os.Getuid() == 0 {
		const nobody = 65534
		if err := errors.Join(os.Lchown(root, nobody, nobody), os.Lchown(filepath.Join(root, ".git"), nobody, nobody)); err != nil {
			t.Fatal(err)
		}
	} else { // others cannot give files away: a git that says what it would
		bin := tempDir(t)
		write(t, bin, map[string]string{"git": "#!/bin/sh\necho \"fatal: detected dubious ownership in repository at '" + root + "'\" >&2\nexit 128\n"})
		if err := os.Chmod(filepath.Join(bin, "git"), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	if top, err := RootOf(t.Context(), filepath.Join(root, "x")); err != nil || top != root {
		t.Errorf("the root is %s, not %s, %v", top, root, err)
	}
	tree, err := Walk(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Files) != 2 || !strings.Contains(tree.Problem, "another user") || !strings.Contains(tree.Problem, "safe.directory '"+root+"'") {
		t.Errorf("%d files, %q", len(tree.Files), tree.Problem)
	}
}
