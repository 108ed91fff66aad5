package past

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/session"
)

// go test ./internal/past -run Markdown -update writes the golden file anew.
var update = flag.Bool("update", false, "write golden files")

func TestMarkdownGolden(t *testing.T) {
	m := open(t)
	records := append(loginTalk("5c0ffee0-aaaa"),
		logged("user", "u9", "u8", "5c0ffee0-aaaa", "What is\n```go\nfunc f() { // ``` never closed\n"),
		logged("assistant", "u10", "u9", "5c0ffee0-aaaa", `[{"type":"tool_use","id":"t4","name":"Bash","input":{"command":"cat README.md"}}]`),
		logged("user", "u11", "u10", "5c0ffee0-aaaa", "[{\"type\":\"tool_result\",\"tool_use_id\":\"t4\",\"content\":\"# App\\n```sh\\nmake\\n```\\n````\\ndeeper\\n````\"}]"),
		logged("user", "u12", "u11", "5c0ffee0-aaaa", "This session is being continued.", `,"isCompactSummary":true`),
		logged("user", "u13", "u12", "5c0ffee0-aaaa", "<system-reminder>be brief</system-reminder>\nThanks `you`!"))
	m.log(records...)
	got := strings.Join(m.pieces(ExportInput{ID: "5c0f", Format: FormatMarkdown}), "\n")
	golden := filepath.Join("testdata", "session.md")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is out of date; if the change is meant, run: go test ./internal/past -run Markdown -update\n%s", golden, diff)
	}
}

func TestJSONExportHasEverything(t *testing.T) {
	m := open(t)
	m.log(loginTalk("5c0ffee0-aaaa")...)
	pieces := m.pieces(ExportInput{ID: "5c0f", Format: FormatJSON})
	if len(pieces) != 8 || !strings.Contains(pieces[1], "clockwork") || !strings.Contains(pieces[3], `"exit":1`) || !strings.Contains(pieces[4], `"input":{"file_path":`) {
		t.Errorf("%s", strings.Join(pieces, "\n"))
	}
}

// TestRecordsOfAClientComeBack exports a session of Claude Code and reads it
// again: the same messages, byte for byte.
func TestRecordsOfAClientComeBack(t *testing.T) {
	m := open(t)
	records := loginTalk("5c0ffee0-aaaa")
	m.log(records...)
	pieces := m.pieces(ExportInput{ID: "5c0f", Format: FormatJSONL})
	if !slices.Equal(pieces, records) {
		t.Errorf("%v", pieces)
	}
	lines := make([][]byte, len(pieces))
	for i, p := range pieces {
		lines[i] = []byte(p)
	}
	if format, ok := session.Detect(lines); !ok || format.Name() != "claude-code" {
		t.Errorf("the client's format is not recognised")
	}
}
