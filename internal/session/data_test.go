package session

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// benchFiles lists the transcripts of the evaluation data that lies beside the
// repository, and skips the test if there is none.
func benchFiles(t testing.TB, folder string) []string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		root := filepath.Join(dir, "shared", "bench", folder)
		if _, err := os.Stat(root); err == nil {
			return transcripts(t, root)
		}
		if dir == filepath.Dir(dir) {
			t.Skipf("no evaluation data: shared/bench/%s is not beside the repository", folder)
		}
	}
}

func transcripts(t testing.TB, root string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
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

// readLines returns the lines of a file, without blank ones.
func readLines(t testing.TB, path string) [][]byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all [][]byte
	lines := NewLines(f, 0, 0)
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(strings.TrimSpace(string(line.Bytes))) > 0 {
			all = append(all, append([]byte(nil), line.Bytes...))
		}
	}
}

// readMessages returns the messages of a transcript.
func readMessages(t testing.TB, f Format, path string) []Message {
	t.Helper()
	var all []Message
	for _, line := range readLines(t, path) {
		if rec, err := f.Line(line); err == nil && rec.Message != nil {
			all = append(all, *rec.Message)
		}
	}
	return all
}
