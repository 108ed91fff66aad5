package codebase

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

// TestHowManyParse: all workers while somebody waits for an index, one for what
// changes later.
func TestHowManyParse(t *testing.T) {
	needsParsers(t)
	var started atomic.Int32
	start := testWorker("slow")
	b, err := Open(t.Context(), Options{
		Path: filepath.Join(t.TempDir(), "code.db"), Workers: 3, Patience: 5 * time.Second,
		Worker: func() (*exec.Cmd, error) { started.Add(1); return start() },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	root := tempDir(t)
	files := map[string]string{}
	for i := range 60 { // more than one worker has before it
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package p\n\nfunc F%d() {}\n", i)
	}
	write(t, root, files)
	mustIndex(t, b, root)
	if n := started.Swap(0); n != 3 {
		t.Errorf("an index was made by %d workers, not 3", n)
	}
	for name, text := range files {
		files[name] = text + "\nvar changed = 1\n"
	}
	write(t, root, files)
	if err := b.Refresh(t.Context(), root, []string{"."}); err != nil {
		t.Fatal(err)
	}
	if n := started.Load(); n != 1 {
		t.Errorf("what changed was parsed by %d workers, not 1", n)
	}
}
