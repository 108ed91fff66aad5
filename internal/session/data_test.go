package session

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

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
