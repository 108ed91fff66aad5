package codebase

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// asNobody runs fn with the rights that someone without any special ones has to
// files: root, as whom tests may run, reads everything. What lies below root is
// made nobody's.
func asNobody(t *testing.T, root string, fn func()) {
	t.Helper()
	if os.Getuid() != 0 {
		fn()
		return
	}
	const nobody = 65534
	_ = filepath.WalkDir(root, func(path string, _ os.DirEntry, _ error) error { return os.Lchown(path, nobody, nobody) })
	for dir := filepath.Dir(root); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	runtime.LockOSThread() // the rights are those of a thread
	defer runtime.UnlockOSThread()
	if err := syscall.Setfsuid(nobody); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Setfsuid(0) }()
	fn()
}
