package anchor

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chitta/internal/codebase"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// TestTreeOf: which of the folders of a project counts goes by where somebody is.
func TestTreeOf(t *testing.T) {
	t.Parallel()
	g := newGround(t, map[string]string{"config.go": configGo, "deep/x.go": "package deep\n"})
	clone := filepath.Join(t.TempDir(), "clone")
	g.git("clone", "-q", ".", clone)
	g.git("worktree", "add", "-q", clone+"-tree", "-b", "x")
	plain := t.TempDir() // no clone of anything
	other := t.TempDir()
	for _, dir := range []*string{&clone, &plain, &other} {
		real, err := filepath.EvalSymlinks(*dir)
		if err != nil {
			t.Fatal(err)
		}
		*dir = real
	}
	if out, err := exec.Command("git", "init", "-q", other).CombinedOutput(); err != nil {
		t.Fatal(string(out))
	}
	err := g.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.PutRealm(memory.Realm{ID: project, Name: "shop", Kind: memory.RealmProject, Visibility: memory.Private, Roots: []string{},
			Paths: []string{filepath.Join(plain, "gone"), g.dir, clone, plain}, Created: g.now, Updated: g.now})
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // before an index, and with one
		for _, c := range []struct{ name, cwd, want string }{
			{"at the top", g.dir, g.dir},
			{"within", filepath.Join(g.dir, "deep"), g.dir},
			{"in another clone", clone, clone},
			{"in a work tree", clone + "-tree", clone + "-tree"},
			{"in a folder without git", plain, plain},
			{"in another project", other, g.dir},
			{"nowhere", "", g.dir},
		} {
			tr, err := g.room.treeOf(t.Context(), project, c.cwd)
			if err != nil || tr.root != c.want || (tr.base != nil) != (g.base != nil && c.want == g.dir) {
				t.Errorf("%s: %q, %v %v", c.name, tr.root, tr.base != nil, err)
			}
		}
		g.index()
	}
	if tr, err := g.room.treeOf(t.Context(), "p_unknown", ""); err != nil || tr.root != "" {
		t.Errorf("of no known project: %+v %v", tr, err)
	}
	g.room.opts.Code = func(context.Context) (*codebase.Base, error) { return nil, errors.New("damaged") }
	if tr, err := g.room.treeOf(t.Context(), project, g.dir); err != nil || tr.root != g.dir || tr.base != nil {
		t.Errorf("without an index that can be opened: %+v %v", tr, err)
	}
}

// TestFileMoved: a file that is in one other place as it was is followed there.
func TestFileMoved(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo, "small.go": "package shop\n"})
	g.index()
	id, small := g.remember("what config.go reads are lines, nothing else"), g.remember("small.go has hardly a line in it")
	g.git("mv", "-k", "config.go", "settings.go") // another name is another file
	g.is(id, Stale, "`config.go` is gone")
	g.remove("settings.go")
	g.write("deep/config.go", configGo)
	g.remove("small.go")
	g.write("deep/small.go", "package shop\n")
	g.is(id, Fresh, "now `deep/config.go`")
	g.is(small, Stale, "`small.go` is gone") // too little to be known again
	if got := g.accept(id); !slices.Equal(got, []Taken{{File: "deep/config.go", Action: TakenFollowed, Note: "now `deep/config.go`"}}) {
		t.Errorf("%+v", got)
	}
	if got := g.anchors(id); !slices.Equal(got, []string{"deep/config.go"}) {
		t.Error(got)
	}
	g.is(id, Fresh, "")
}

// TestOfNoInterest: a file that the index does not want is not read again and
// again.
func TestOfNoInterest(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo, ".gitignore": "made.go\n"})
	g.index()
	g.write("made.go", "package shop\n\nfunc made() {}\n")
	tr, err := g.room.treeOf(t.Context(), project, g.dir)
	if err != nil {
		t.Fatal(err)
	}
	states, err := g.room.current(t.Context(), tr, []string{"made.go"}, Asked)
	if err != nil || states["made.go"] != behindDisk {
		t.Error(states, err)
	}
	g.room.opts.Beside = func(func(context.Context)) bool {
		t.Error("it is read once more")
		return false
	}
	if states, err = g.room.current(t.Context(), tr, []string{"made.go"}, Asked); err != nil || states["made.go"] != notIndexed {
		t.Error(states, err)
	}
}

// TestGitText: only what is named as git names it is asked for, and nothing that
// is too much.
func TestGitText(t *testing.T) {
	t.Parallel()
	g := newGround(t, map[string]string{"a.go": "package a\n", "big.txt": strings.Repeat("x", codebase.MaxFile+1)})
	head := g.git("rev-parse", "HEAD")
	for _, c := range []struct {
		object, want string
		ok           bool
	}{
		{head + ":a.go", "package a\n", true},
		{g.git("rev-parse", "HEAD:a.go"), "package a\n", true},
		{head + ":none.go", "", false},
		{head + ":big.txt", "", false},
		{"HEAD:a.go", "", false},
		{"--help", "", false},
		{head[:39], "", false},
		{strings.Repeat("0", 40), "", false},
		{"", "", false},
	} {
		if got, ok := gitText(t.Context(), g.dir, c.object); ok != c.ok || ok && string(got) != c.want {
			t.Errorf("%.50q: %.20q %v", c.object, got, ok)
		}
	}
	if _, ok := output(exec.Command(filepath.Join(g.dir, "none")), 1); ok {
		t.Error("what cannot be started says something")
	}
}
