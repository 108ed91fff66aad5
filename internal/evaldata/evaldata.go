// Package evaldata finds the evaluation data that lies beside the repository, in
// shared/bench, for the tests that measure with it. It is no part of the
// program: only tests import it, and it imports nothing of chitta's.
//
// Where there is no such data, a test that asks for it is skipped and says so.
// Start with [Transcripts] or [Files].
package evaldata

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Folder returns a folder of the data, named from its top.
func Folder(t testing.TB, name ...string) string {
	t.Helper()
	return Files(t, name...)[0]
}

// Files lists what fits a pattern of [filepath.Glob], given in parts from the
// top of the data; there is at least one.
func Files(t testing.TB, pattern ...string) []string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(pattern...)
	for ; ; dir = filepath.Dir(dir) {
		files, err := filepath.Glob(filepath.Join(dir, "shared", "bench", name))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) > 0 {
			return files
		}
		if dir == filepath.Dir(dir) {
			t.Skipf("no evaluation data: shared/bench/%s is not beside the repository", filepath.ToSlash(name))
		}
	}
}

// Transcripts lists the .jsonl files in a folder of the data and below it.
func Transcripts(t testing.TB, folder ...string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(Folder(t, folder...), func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".jsonl") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
