package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chitta/internal/codebase"
	"chitta/internal/mind"
	"chitta/internal/syntax"
)

// sourceProject makes a folder with two files that hang together.
func sourceProject(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeSource(t, dir, "go.mod", "module example.org/p\n")
	writeSource(t, dir, "a.go", "package p\n\nfunc Start() { serve() }\n")
	writeSource(t, dir, "b.go", "package p\n\nfunc serve() {}\n")
	return dir
}

func writeSource(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func codeStats(t *testing.T, home, dir string) mind.CodeStatsOutput {
	t.Helper()
	out, err := run(t, home, "code", "stats", "--json", dir)
	if err != nil {
		t.Fatal(err)
	}
	var st mind.CodeStatsOutput
	if err := json.Unmarshal([]byte(out), &st); err != nil {
		t.Fatal(err)
	}
	return st
}

// TestCodeIsIndexedAndKeptCurrent goes through the real binary: daemon, worker
// processes, watch, hook.
func TestCodeIsIndexedAndKeptCurrent(t *testing.T) {
	home := freshHome(t)
	dir := sourceProject(t)
	if !syntax.Available {
		if _, err := run(t, home, "code", "index", dir); err == nil || !strings.Contains(err.Error(), "compiled without cgo") {
			t.Errorf("index: %v", err)
		}
		if out, err := run(t, home, "doctor"); !strings.Contains(out, "source code: this build cannot") {
			t.Errorf("doctor: %s %v", out, err)
		}
		return
	}
	if _, err := run(t, home, "code", "stats", dir); err == nil || !strings.Contains(err.Error(), "chitta code index") {
		t.Errorf("before: %v", err)
	}
	out, err := run(t, home, "code", "index", "--json", dir)
	if err != nil {
		t.Fatal(err)
	}
	var r codebase.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || r.Files != 2 || r.Symbols != 2 || r.Calls.Edges != 1 || r.Root != dir {
		t.Fatalf("%s %v", out, err)
	}
	if out, err := run(t, home, "code", "index", dir); err != nil || !strings.Contains(out, "0 now, 2 as before") || !strings.Contains(out, "by meaning") {
		t.Errorf("again: %s %v", out, err)
	}
	if out, err := run(t, home, "doctor"); !strings.Contains(out, "source code: 1 project indexed") {
		t.Errorf("doctor: %s %v", out, err)
	}
	writeSource(t, dir, "c.go", "package p\n\nfunc more() { serve() }\n")
	cmd := command(t, home, "hook", "PostToolUse")
	cmd.Stdin = strings.NewReader(report("PostToolUse", fmt.Sprintf(`,"tool_name":"Write","tool_input":{"file_path":%q}`, filepath.Join(dir, "c.go"))))
	hooked(t, cmd)
	deadline := time.Now().Add(20 * time.Second)
	for codeStats(t, home, dir).Projects[0].Counts.Edges != 2 {
		if time.Now().After(deadline) {
			t.Fatalf("a new file is not indexed: %+v", codeStats(t, home, dir))
		}
		time.Sleep(50 * time.Millisecond)
	}
	if out, err := run(t, home, "status"); err != nil || !strings.Contains(out, "1 project indexed") || !strings.Contains(out, " source code, ") {
		t.Errorf("status: %s %v", out, err)
	}
	for _, verb := range []string{"clear", "stats"} {
		if out, err := run(t, home, "code", verb, filepath.Join(dir, "missing")); err == nil || !strings.Contains(err.Error(), "name a folder that exists") {
			t.Errorf("%s of what is not there: %s %v", verb, out, err)
		}
	}
	if out, err := run(t, home, "code", "clear", filepath.Join(dir, "a.go")); err == nil || !strings.Contains(err.Error(), "chitta code clear "+dir) {
		t.Errorf("clear of a file: %s %v", out, err)
	}
	if out, err := run(t, home, "code", "clear", dir); err != nil || !strings.Contains(out, dir) {
		t.Errorf("clear: %s %v", out, err)
	}
	if out, err := run(t, home, "code", "stats", "--all"); err != nil || !strings.Contains(out, "no project is indexed") {
		t.Errorf("after: %s %v", out, err)
	}
	if _, err := run(t, home, "code", "index", filepath.Join(dir, "missing")); err == nil || !strings.Contains(err.Error(), "name a folder that exists") {
		t.Errorf("a folder that is not there: %v", err)
	}
	if _, err := run(t, home, "code", "index", home); err == nil || !strings.Contains(err.Error(), "is no project") {
		t.Errorf("the home of everything: %v", err)
	}
}
