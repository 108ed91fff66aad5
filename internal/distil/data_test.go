package distil

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"chitta/internal/evaldata"
	"chitta/internal/session"
)

// label says which rules a turn of the evaluation data should set off, as a
// reader judged it. Lines with an even number (from 0) are those the rules were
// made with, the others are held out.
type label struct {
	Session string   `json:"session"`
	Turn    string   `json:"turn"` // id of the message that begins it
	Kinds   []string `json:"kinds"`
}

func readLabels(t testing.TB) []label { return readLabelsOf(t, "labels.jsonl") }

func readLabelsOf(t testing.TB, name string) []label {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []label
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var l label
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// benchTurns reads the sessions of the evaluation data that lies beside the
// repository. Each turn comes with everything before it in its session, under
// the id of the message that begins it; ids has them in the order of the files.
// It skips the test if there is no data.
func benchTurns(t testing.TB) (turns map[string][]session.Message, ids []string) {
	t.Helper()
	turns = map[string][]session.Message{}
	for _, file := range evaldata.Files(t, "sessions", "claude", "projects", "*", "*.jsonl") {
		ids = append(ids, cutTurns(readSession(t, file), turns)...)
	}
	return turns, ids
}

// cutTurns adds the turns of a session that are not there yet, and returns
// their ids: forks of a session repeat its messages.
func cutTurns(messages []session.Message, turns map[string][]session.Message) []string {
	var ids []string
	for end := len(messages); end > 0; {
		first, _ := session.LastTurn(messages[:end])
		id := messages[first].ID
		if _, there := turns[id]; !there && messages[first].Human() != "" {
			turns[id] = messages[:end]
			ids = append(ids, id)
		}
		end = first
	}
	slices.Reverse(ids)
	return ids
}

func readSession(t testing.TB, path string) []session.Message {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []session.Message
	lines := session.NewLines(f, 0, 0)
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec, err := (session.ClaudeCode{}).Line(line.Bytes); err == nil && rec.Message != nil {
			all = append(all, *rec.Message)
		}
	}
}
