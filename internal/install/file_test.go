package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAFileThatChangedMeanwhileIsLeft is about a writer that takes no lock.
func TestAFileThatChangedMeanwhileIsLeft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := writeFile(path, []byte("ours"), []byte("before"), ownFile)
	if err == nil || !strings.Contains(err.Error(), "try again") {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "theirs" {
		t.Errorf("it holds %q, %v", text, err)
	}
	if rest, err := os.ReadDir(dir); err != nil || len(rest) != 1 {
		t.Errorf("left behind: %v, %v", rest, err)
	}
}

func TestDestination(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for link, target := range map[string]string{"a": "b", "b": in("c"), "loop": "loop"} {
		if err := os.Symlink(target, in(link)); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := destination(in("a")); err != nil || got != in("c") {
		t.Errorf("a leads to %q, %v", got, err)
	}
	if got, err := destination(in("loop")); err == nil {
		t.Errorf("a loop leads to %q", got)
	}
	if err := writeFile(in("a"), []byte("x"), nil, ownFile); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(in("c")); err != nil || string(text) != "x" {
		t.Errorf("written through links that led nowhere: %q, %v", text, err)
	}
}
