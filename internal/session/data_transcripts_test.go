package session

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"chitta/internal/evaldata"
)

// TestEveryLineIsAccountedFor reads the fixtures of other projects, with their
// damaged lines: each line is a message, is skipped for a reason, or is an
// error that says what is wrong.
func TestEveryLineIsAccountedFor(t *testing.T) {
	for _, folder := range []string{"transcripts", "sessions"} {
		t.Run(folder, func(t *testing.T) {
			var messages, skipped, bad, foreign int
			for _, path := range evaldata.Transcripts(t, folder) {
				lines := readLines(t, path)
				format, ok := Detect(lines[:min(20, len(lines))])
				notClaude := strings.Contains(path, "not-jsonl")
				if ok == notClaude {
					t.Errorf("%s: recognised as a transcript: %v", filepath.Base(path), ok)
				}
				if !ok {
					foreign++
					continue
				}
				for i, line := range lines {
					rec, err := format.Line(line)
					switch {
					case err != nil:
						bad++
						if err.Error() == "" {
							t.Errorf("%s:%d: an error that says nothing", path, i+1)
						}
						t.Logf("%s:%d: %v", filepath.Base(path), i+1, err)
					case rec.Message != nil:
						messages++
						checkMessage(t, path, i, rec.Message)
					case rec.Skip != "":
						skipped++
					default:
						t.Errorf("%s:%d: neither message, nor skipped, nor error", path, i+1)
					}
				}
			}
			t.Logf("%d messages, %d skipped, %d errors, %d files of other formats", messages, skipped, bad, foreign)
		})
	}
}

func checkMessage(t *testing.T, path string, i int, m *Message) {
	t.Helper()
	if m.ID == "" || m.Time.IsZero() || len(m.Parts) == 0 && m.Role == System {
		t.Errorf("%s:%d: incomplete: %+v", path, i+1, m)
	}
}

// TestTwoRecordsOnOneLine takes such lines apart; there is one in the data.
func TestTwoRecordsOnOneLine(t *testing.T) {
	found := 0
	for _, path := range evaldata.Transcripts(t, "sessions") {
		for _, line := range readLines(t, path) {
			var trailing *TrailingError
			if _, err := (ClaudeCode{}).Line(line); !errors.As(err, &trailing) {
				continue
			}
			found++
			for _, piece := range Split(line) {
				if _, err := (ClaudeCode{}).Line(piece); err != nil {
					t.Errorf("a piece of a split line: %v", err)
				}
			}
		}
	}
	if found != 1 {
		t.Errorf("%d lines with two records, want 1", found)
	}
}

// TestChunksOfRealSessions holds the promises of the chunker on real sessions.
func TestChunksOfRealSessions(t *testing.T) {
	var chunks, tokens, largest, human, runsFound, known int
	for _, path := range evaldata.Transcripts(t, "sessions") {
		messages := readMessages(t, ClaudeCode{}, path)
		got := Chunks(messages, ChunkOptions{})
		checkHumanText(t, messages, got)
		for i := range got {
			n := EstimateTokens(got[i].Text)
			tokens += n
			largest = max(largest, n)
			if got[i].Role == User && !got[i].Summary {
				human++
			}
			if strings.TrimSpace(got[i].Text) == "" {
				t.Errorf("%s: chunk %d is empty", path, i)
			}
		}
		chunks += len(got)
		for _, r := range CommandRuns(messages) {
			runsFound++
			if r.ExitCode != nil {
				known++
			}
		}
	}
	// the size counts pieces without what joins them
	if largest > DefaultChunkSize+DefaultChunkSize/4 {
		t.Errorf("largest chunk has %d tokens", largest)
	}
	t.Logf("%d chunks (%d human), %d tokens on average, largest %d; %d of %d exit codes known",
		chunks, human, tokens/max(1, chunks), largest, known, runsFound)
}
