package ranking

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFilesAreBounded(t *testing.T) {
	f, err := openBounded(write(t, t.TempDir(), "long", "0123456789"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.left = 9
	if _, err := fmt.Fscan(f, new(string)); err == nil || !strings.Contains(err.Error(), "larger than 1024 MiB") {
		t.Errorf("%v", err)
	}
}

// write puts a file into a folder of the test and returns its path.
func write(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v, want %q in it", err, part)
		}
	}
}
