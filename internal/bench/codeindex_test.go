package bench

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chitta/internal/codebase"
	"chitta/internal/syntax"
)

func tinyCodeIndex(t *testing.T, dirs ...string) (Report, error) {
	t.Helper()
	steps := map[string]bool{}
	r, err := CodeIndex(t.Context(), CodeIndexOptions{
		Dirs: dirs, Note: func(text string) { t.Log(text) },
		Progress: func(step string, done, total int64) {
			if done > total {
				t.Errorf("%s: %d of %d", step, done, total)
			}
			steps[step] = true
		},
		runs: codeIndexRuns{rounds: 2, sample: 1 << 20, questions: 10, checks: 3, files: 45, saves: 3},
	})
	if err == nil && len(steps) < 5 {
		t.Errorf("steps %v", steps)
	}
	return r, err
}

func TestCodeIndexReportsEveryFigure(t *testing.T) {
	dir := t.TempDir()
	if err := newTree(dir, 60).write(); err != nil {
		t.Fatal(err)
	}
	r, err := tinyCodeIndex(t, dir)
	if !syntax.Available {
		if !errors.Is(err, codebase.ErrOff) {
			t.Error(err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var out struct {
		Set    string
		Groups []struct {
			Name    string
			Figures []struct {
				Name, Unit string
				Value      float64
				Target     float64
				AtMost     bool `json:"at_most"`
				Met        *bool
			}
		}
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	if out.Set != "code index" || len(out.Groups) != 2 || !strings.Contains(out.Groups[0].Name, "60 files") || !strings.Contains(out.Groups[1].Name, "of 45") {
		t.Fatalf("%s", text)
	}
	targets := map[string]float64{
		"parse against the C library alone, rate": parseRate, "whole index against parsing, CPU": wholeCost,
		"look up a name p50": lookupMedian, "callers, 3 deep p50": callersMedian, "whether ten are fresh p50": freshnessOfTen,
		"body changed, p50": saveMedian, "signature changed, p50": saveMedian,
	}
	for _, g := range out.Groups {
		for _, f := range g.Figures {
			if f.Value <= 0 && !strings.HasSuffix(f.Name, "CPU") && !strings.HasSuffix(f.Name, "wall") { // some are below what the system counts
				t.Errorf("%s: %s is %v", g.Name, f.Name, f.Value)
			}
			if f.Name == "memories held against code" && f.Value != 10 {
				t.Errorf("%v of 10 memories are fresh", f.Value)
			}
			if want, ok := targets[f.Name]; ok {
				if f.Target != want || f.Met == nil || f.AtMost != (f.Name != "parse against the C library alone, rate") {
					t.Errorf("%+v", f)
				}
				delete(targets, f.Name)
			}
		}
	}
	if len(targets) > 0 {
		t.Errorf("figures that are missing: %v", targets)
	}
}

func TestCodeIndexOfNothing(t *testing.T) {
	if !syntax.Available {
		t.Skip("this build has no parsers")
	}
	if _, err := tinyCodeIndex(t, t.TempDir()); err == nil || !strings.Contains(err.Error(), "no source files") {
		t.Error(err)
	}
	if _, err := tinyCodeIndex(t, filepath.Join(t.TempDir(), "not there")); err == nil {
		t.Error("a folder that is not there was measured")
	}
}

// TestUsualDirs: what is not there is said, and the rest measured.
func TestUsualDirs(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("PATH", t.TempDir()) // neither git nor go
	var notes []string
	o := CodeIndexOptions{Note: func(text string) { notes = append(notes, text) }}
	if dirs := o.usual(t.Context()); len(dirs) != 0 || len(notes) != 2 || !strings.Contains(notes[1], "Go is not installed") {
		t.Errorf("%v %v", dirs, notes)
	}
}

// TestGeneratedTree is code that fits its language, with calls across packages.
func TestGeneratedTree(t *testing.T) {
	if !syntax.Available {
		t.Skip("this build has no parsers")
	}
	tree := newTree(t.TempDir(), 65)
	if err := tree.write(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(tree.root, "pkg2", "file41.go"))
	if err != nil {
		t.Fatal(err)
	}
	p := syntax.New()
	defer p.Close()
	seen := []string{string(before)}
	for _, save := range []func(int) (string, error){tree.saveBody, tree.saveSignature} {
		for n := range 3 {
			file, err := save(n)
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := p.Parse(syntax.Go, text)
			if err != nil {
				t.Fatal(err)
			}
			if lines, bad := parsed.Errors(5); bad > 0 {
				t.Errorf("errors in lines %v of\n%s", lines, text)
			}
			if slices.Contains(seen, string(text)) {
				t.Errorf("%s was saved as it was", file)
			}
			seen = append(seen, string(text))
		}
	}
	if !strings.Contains(seen[0], "example.org/tree/pkg") || !strings.Contains(seen[0], ".Run") {
		t.Errorf("no calls across packages:\n%s", seen[0])
	}
}
