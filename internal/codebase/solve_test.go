package codebase

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSolverThatFails: a process that ends, hangs or says something else costs
// the pass, and the next pass makes up for it.
func TestSolverThatFails(t *testing.T) {
	needsParsers(t)
	for name, command := range map[string][]string{
		"ends":           {"true"},
		"says nonsense":  {"sh", "-c", "echo nonsense; sleep 60"},
		"ends in orders": {"sh", "-c", `printf '\000\000\000\002\002\000'; exec sleep 0.05`},
		"is not there":   {filepath.Join(t.TempDir(), "none")},
	} {
		t.Run(name, func(t *testing.T) {
			b := openBase(t, "good")
			right := b.opts.Solver
			b.opts.Solver = func(string) (*exec.Cmd, error) { return exec.Command(command[0], command[1:]...), nil }
			root := gitRepo(t, twoFiles)
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			if _, err := b.Index(ctx, root, "", nil); err == nil {
				t.Fatal("nothing failed")
			}
			b.opts.Solver = right
			mustIndex(t, b, root)
			settledRows(t, b, root)
		})
	}
}

// TestSolverEndsWithTheBase: no process is left when the base is closed.
func TestSolverEndsWithTheBase(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, twoFiles)
	mustIndex(t, b, root)
	hot := b.projects[root].hot
	if hot == nil {
		t.Fatal("nothing is kept for the next change")
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-hot.ended:
	default:
		t.Error("the process goes on")
	}
}

// TestManifestThatIsEmpty is there, unlike one that is gone.
func TestManifestThatIsEmpty(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, map[string]string{"go.mod": "module example.com/m\n", "a/a.go": "package a\n\nfunc F() {}\n"})
	mustIndex(t, b, root)
	if got := strings.Join(queryStrings(t, b, `SELECT qualified FROM symbol`), " "); got != "example.com/m/a.F" {
		t.Fatal(got)
	}
	if err := os.WriteFile(filepath.Join(root, "go.mod"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	mustIndex(t, b, root)
	settledRows(t, b, root)
}
