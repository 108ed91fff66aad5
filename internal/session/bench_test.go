package session

import (
	"bytes"
	"os"
	"testing"

	"chitta/internal/evaldata"
)

// benchData is all real sessions, one file after the other.
func benchData(b *testing.B) [][]byte {
	b.Helper()
	var all [][]byte
	total := 0
	for _, path := range evaldata.Transcripts(b, "sessions") {
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, data)
		total += len(data)
	}
	b.SetBytes(int64(total))
	b.ReportAllocs()
	return all
}

func eachLine(b *testing.B, data []byte, fn func([]byte)) {
	b.Helper()
	lines := NewLines(bytes.NewReader(data), 0, 0)
	for {
		line, err := lines.Next()
		if err != nil {
			return
		}
		fn(line.Bytes)
	}
}

// BenchmarkImport reads, parses and chunks. Target: 60 MB/s on one core, so
// that an import of 20 MB/s is not held up here.
func BenchmarkImport(b *testing.B) {
	data := benchData(b)
	for b.Loop() {
		chunks := 0
		for _, file := range data {
			var messages []Message
			eachLine(b, file, func(line []byte) {
				if rec, err := (ClaudeCode{}).Line(line); err == nil && rec.Message != nil {
					messages = append(messages, *rec.Message)
				}
			})
			chunks += len(Chunks(messages, ChunkOptions{}))
		}
		if chunks == 0 {
			b.Fatal("no chunks")
		}
	}
}

func BenchmarkParse(b *testing.B) {
	data := benchData(b)
	for b.Loop() {
		for _, file := range data {
			eachLine(b, file, func(line []byte) { _, _ = (ClaudeCode{}).Line(line) })
		}
	}
}

func BenchmarkLines(b *testing.B) {
	data := benchData(b)
	for b.Loop() {
		for _, file := range data {
			eachLine(b, file, func([]byte) {})
		}
	}
}

// BenchmarkRewriteStrings changes nothing. Target: 100 MB/s.
func BenchmarkRewriteStrings(b *testing.B) {
	data := benchData(b)
	for b.Loop() {
		for _, file := range data {
			eachLine(b, file, func(line []byte) {
				_, _ = RewriteStrings(line, func(s string) string { return s })
			})
		}
	}
}

// BenchmarkSkip passes over a large record that is no part of the
// conversation.
func BenchmarkSkip(b *testing.B) {
	blob := []byte(`{"type":"api-request-blob","sessionId":"s","data":"` + string(bytes.Repeat([]byte("x"), 300<<10)) + `"}`)
	b.SetBytes(int64(len(blob)))
	for b.Loop() {
		_, _ = ClaudeCode{}.Line(blob)
	}
}
