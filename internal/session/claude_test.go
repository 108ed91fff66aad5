package session

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestClaudeCodeReadsARecord(t *testing.T) {
	rec, err := ClaudeCode{}.Line([]byte(`{"parentUuid":"p1","isSidechain":false,"cwd":"/src/app","sessionId":"s1",` +
		`"version":"2.1.0","gitBranch":"main","type":"assistant","message":{"model":"m","id":"msg_1","role":"assistant",` +
		`"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"I look.\nNow."},` +
		`{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test ./...", "description":"Run tests"}}],` +
		`"usage":{"input_tokens":3,"output_tokens":5,"cache_read_input_tokens":7,"cache_creation_input_tokens":11}},` +
		`"uuid":"u1","timestamp":"2026-01-15T10:00:00.500Z"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Record{Type: "assistant", Message: &Message{
		ID: "u1", Parent: "p1", Session: "s1", Role: Assistant, Response: "msg_1", Model: "m",
		Time: time.Date(2026, 1, 15, 10, 0, 0, 5e8, time.UTC),
		Cwd:  "/src/app", Branch: "main", Version: "2.1.0",
		Usage: &Usage{Input: 3, Output: 5, CacheRead: 7, CacheCreation: 11},
		Parts: []Part{
			{Kind: Thinking, Text: "hm"},
			{Kind: Text, Text: "I look.\nNow."},
			{Kind: ToolUse, Tool: "Bash", ToolID: "t1", Command: "go test ./...",
				Input: `{"command":"go test ./...","description":"Run tests"}`},
		},
	}}
	if diff := cmp.Diff(want, rec, cmp.AllowUnexported(Record{})); diff != "" {
		t.Error(diff)
	}
	if got, want := rec.Message.Text(), "I look.\nNow.\n\n[Bash] go test ./... # Run tests"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}

// record makes a line of the given type around a message's content.
func record(typ, content string, more ...string) string {
	return `{"type":"` + typ + `","uuid":"u","sessionId":"s","timestamp":"2026-01-15T10:00:00Z",` +
		strings.Join(more, "") + `"message":{"content":` + content + `}}`
}

func TestClaudeCodeSaysWhenAnAgentIsDone(t *testing.T) {
	for reason, want := range map[string]bool{`"end_turn"`: true, `"tool_use"`: false, `null`: false, `7`: false, `{"a":[1]}`: false} {
		rec, err := ClaudeCode{}.Line([]byte(`{"type":"assistant","uuid":"u","sessionId":"s","timestamp":"2026-01-15T10:00:00Z","message":{"stop_reason":` + reason + `,"content":"x"}}`))
		if err != nil || rec.Message.Done != want {
			t.Errorf("%s: %+v %v", reason, rec.Message, err)
		}
	}
}

func TestClaudeCodeParts(t *testing.T) {
	one := 1
	zero := 0
	for _, tt := range []struct {
		name, line string
		want       []Part
		meta       bool
	}{
		{"plain text", record("user", `"hello"`), []Part{{Kind: Text, Text: "hello"}}, false},
		{"image", record("user", `[{"type":"image","source":{"data":"AAAA"}},{"type":"text","text":"see"}]`),
			[]Part{{Kind: Text, Text: "[image]", Meta: true}, {Kind: Text, Text: "see"}}, false},
		{"result as blocks", record("user", `[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"},{"type":"image"}]}]`),
			[]Part{{Kind: ToolResult, ToolID: "t", Text: "a\n[image]"}}, false},
		{"failed command", record("user", `[{"type":"tool_result","tool_use_id":"t","content":"Exit code 1\nboom","is_error":true}]`, `"toolUseResult":"Error: Exit code 1\nboom",`),
			[]Part{{Kind: ToolResult, ToolID: "t", Text: "Exit code 1\nboom", Failed: true, ExitCode: &one}}, false},
		{"command that ended well", record("user", `[{"type":"tool_result","tool_use_id":"t","content":"ok"}]`, `"toolUseResult":{"stdout":"ok","stderr":"","interrupted":false},`),
			[]Part{{Kind: ToolResult, ToolID: "t", Text: "ok", ExitCode: &zero}}, false},
		{"interrupted command", record("user", `[{"type":"tool_result","tool_use_id":"t","content":""}]`, `"toolUseResult":{"stdout":"","interrupted":true},`),
			[]Part{{Kind: ToolResult, ToolID: "t", Failed: true}}, false},
		{"command left running", record("user", `[{"type":"tool_result","tool_use_id":"t","content":"started"}]`, `"toolUseResult":{"stdout":"","backgroundTaskId":"b1"},`),
			[]Part{{Kind: ToolResult, ToolID: "t", Text: "started"}}, false},
		{"stated exit code", record("user", `[{"type":"tool_result","tool_use_id":"t","content":"x"}]`, `"toolUseResult":{"exitCode":1},`),
			[]Part{{Kind: ToolResult, ToolID: "t", Text: "x", Failed: true, ExitCode: &one}}, false},
		{"file that was read", record("user", `[{"type":"tool_result","tool_use_id":"t","content":"1 x"}]`, `"toolUseResult":{"type":"text","file":{"content":"x","filePath":"/a.go"}},`),
			[]Part{{Kind: ToolResult, ToolID: "t", Text: "1 x", Files: []string{"/a.go"}}}, false},
		{"subagent's report", record("user", `[{"type":"tool_result","tool_use_id":"t","content":"done"}]`, `"toolUseResult":{"agentId":"a7"},`),
			[]Part{{Kind: ToolResult, ToolID: "t", Text: "done", Agent: "a7"}}, false},
		{"refused with a reason", record("user", `[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse a branch"}]`),
			[]Part{{Kind: ToolResult, ToolID: "t", Failed: true, Text: "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:"}, {Kind: Text, Text: "use a branch"}}, false},
		{"bare slash command", record("user", `"<command-name>/exit</command-name>\n<command-message>exit</command-message>\n<command-args></command-args>"`),
			[]Part{{Kind: Text, Text: "/exit", Meta: true}}, true},
		{"slash command with words", record("user", `"<command-message>plan</command-message>\n<command-name>/plan</command-name>\n<command-args>add a flag</command-args>"`),
			[]Part{{Kind: Text, Text: "/plan add a flag"}}, false},
		{"output of a local command", record("user", `"<local-command-stdout>Bye</local-command-stdout>"`),
			[]Part{{Kind: Text, Text: "<local-command-stdout>Bye</local-command-stdout>", Meta: true}}, true},
		{"reminder before the words", record("user", `"<system-reminder>x</system-reminder>\nfix it"`),
			[]Part{{Kind: Text, Text: "<system-reminder>x</system-reminder>", Meta: true}, {Kind: Text, Text: "\nfix it"}}, false},
		{"tag that a person typed", record("user", `"<system-reminder> is never closed"`),
			[]Part{{Kind: Text, Text: "<system-reminder> is never closed"}}, false},
		{"compact summary", record("user", `"This session is being continued"`, `"isCompactSummary":true,`),
			[]Part{{Kind: Summary, Text: "This session is being continued"}}, false},
		{"failed request", record("assistant", `[{"type":"text","text":"API Error"}]`, `"isApiErrorMessage":true,`),
			[]Part{{Kind: Text, Text: "API Error"}}, true},
		{"escaped NUL", record("user", `"a\u0000b"`), []Part{{Kind: Text, Text: "a\uFFFDb"}}, false},
		{"surrogate pair", record("user", `"\ud83d\ude00"`), []Part{{Kind: Text, Text: "😀"}}, false},
		{"half of one", record("user", `"a\ud83db"`), []Part{{Kind: Text, Text: "a\ufffdb"}}, false},
		{"empty", record("user", `""`), []Part{{Kind: Text}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec, err := ClaudeCode{}.Line([]byte(tt.line))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, rec.Message.Parts); diff != "" {
				t.Error(diff)
			}
			if rec.Message.Meta != tt.meta {
				t.Errorf("meta is %v", rec.Message.Meta)
			}
		})
	}
}

func TestClaudeCodeSkips(t *testing.T) {
	for _, tt := range []struct{ line, typ, title string }{
		{`{"type":"summary","summary":"Fix \"auth\"","leafUuid":"x"}`, "summary", `Fix "auth"`},
		{`{"type":"custom-title","customTitle":"Auth","sessionId":"s"}`, "custom-title", "Auth"},
		{`{"type":"file-history-snapshot","snapshot":{}}`, "file-history-snapshot", ""},
		{`{"data":{"type":"user"},"type":"progress","uuid":"u"}`, "progress", ""},
		{`{"type":"system","subtype":"turn_duration"}`, "system/turn_duration", ""},
		{`{"type":"api-request-blob","data":` + "\x00 not even read", "api-request-blob", ""},
		{`{"type":"progress","data":"ends with }{"}`, "progress", ""},
	} {
		rec, err := ClaudeCode{}.Line([]byte(tt.line))
		if err != nil || rec.Message != nil || rec.Skip == "" || rec.Type != tt.typ || rec.Title != tt.title {
			t.Errorf("%s: %+v, %v", tt.line, rec, err)
		}
	}
}

// A title says whose it is.
func TestTitlesNameTheirSession(t *testing.T) {
	for _, tt := range []struct {
		line string
		want Record
	}{
		{`{"type":"summary","summary":"Fix auth","leafUuid":"u-17"}`, Record{Title: "Fix auth", Leaf: "u-17"}},
		{`{"leafUuid":"u-17","summary":"Fix auth","type":"summary"}`, Record{Title: "Fix auth", Leaf: "u-17"}},
		{`{"type":"summary","summary":"Fix auth"}`, Record{Title: "Fix auth"}},
		{`{"type":"summary","summary":"Fix auth","leafUuid":17}`, Record{Title: "Fix auth"}},
		{`{"type":"custom-title","customTitle":"Auth","sessionId":"s-1"}`, Record{Title: "Auth", Session: "s-1"}},
		{`{"type":"mode","sessionId":"s-1"}`, Record{}},
	} {
		rec, err := ClaudeCode{}.Line([]byte(tt.line))
		if err != nil || rec.Title != tt.want.Title || rec.Leaf != tt.want.Leaf || rec.Session != tt.want.Session {
			t.Errorf("%s: %+v, %v", tt.line, rec, err)
		}
	}
}

// What a source calls its records is foreign text: it is shown only if it is a
// plain name.
func TestTypesAreShownAsNames(t *testing.T) {
	for typ, want := range map[string]string{
		"file-history-snapshot": "file-history-snapshot", "New_type-2": "New_type-2",
		strings.Repeat("a", 40): strings.Repeat("a", 40), strings.Repeat("a", 41): "other",
		"": "other", "a b": "other", "a/b": "other", `\u001b[31m`: "other", "é": "other", `a\nb`: "other", `\u202e`: "other",
	} {
		rec, err := ClaudeCode{}.Line([]byte(`{"type":"` + typ + `"}`))
		if err != nil || rec.Type != want {
			t.Errorf("%q is shown as %q, %v", typ, rec.Type, err)
		}
		rec, err = ClaudeCode{}.Line([]byte(`{"type":"system","subtype":"` + typ + `"}`))
		if err != nil || typ != "" && rec.Type != "system/"+want {
			t.Errorf("%q is shown as %q, %v", typ, rec.Type, err)
		}
	}
	name := strings.Repeat("k", 60)
	_, err := ClaudeCode{}.Line([]byte(record("user", `"x"`, `"`+name+`":1,"`+name+`":2,`)))
	if err == nil || err.Error() != "other is there twice" {
		t.Errorf("%v", err)
	}
}

func TestClaudeCodeBoundary(t *testing.T) {
	rec, err := ClaudeCode{}.Line([]byte(`{"parentUuid":null,"logicalParentUuid":"before","type":"system","subtype":"compact_boundary",` +
		`"content":"Conversation compacted","uuid":"u","sessionId":"s","timestamp":"2026-01-15T10:00:00Z"}`))
	if err != nil {
		t.Fatal(err)
	}
	m := rec.Message
	if m.Role != System || m.LogicalParent != "before" || m.Parent != "" || m.Parts[0].Kind != Boundary {
		t.Errorf("%+v", m)
	}
}

func TestClaudeCodeWithoutUUID(t *testing.T) {
	line := []byte(`{"type":"user","sessionId":"s","timestamp":"2026-01-15T10:00:00Z","message":{"content":"hi"}}`)
	first, err := ClaudeCode{}.Line(line)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := ClaudeCode{}.Line(line)
	if first.Message.ID == "" || first.Message.ID != again.Message.ID {
		t.Errorf("ids %q and %q", first.Message.ID, again.Message.ID)
	}
}

func TestClaudeCodeErrors(t *testing.T) {
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	for _, tt := range []struct{ name, line, want string }{
		{"no JSON", `hello`, "byte 0"},
		{"no object", `[1]`, "is not an object"},
		{"empty object", `{}`, `has no "type"`},
		{"type is a number", `{"type":5}`, "type is not a string"},
		{"truncated", `{"type":"user","message":{"content":"abc`, "ends inside a string"},
		{"no message", `{"type":"user","timestamp":"2026-01-15T10:00:00Z"}`, "message is missing"},
		{"no time", `{"type":"user","message":{"content":"x"}}`, "timestamp is missing"},
		{"no such time", `{"type":"user","timestamp":"noon","message":{"content":"x"}}`, "timestamp is not a time"},
		{"id is a number", record("user", `"x"`, `"agentId":5,`), "agentId is a number, not a string"},
		{"flag is a string", record("user", `"x"`, `"isMeta":"yes",`), "isMeta is a string, not true or false"},
		{"content is null", record("user", `null`), "message.content is null"},
		{"block is a string", record("user", `["x"]`), "message.content[0] is a string, not an object"},
		{"block without a type", record("user", `[{"text":"x"}]`), "message.content[0].type is missing"},
		{"text is a number", record("user", `[{"type":"text","text":5}]`), "message.content[0].text is a number"},
		{"twice the same member", record("user", `"x"`, `"cwd":"a","cwd":"b",`), "cwd is there twice"},
		{"too deep", record("user", `"x"`, `"extra":`+deep+`,`), "nested more than"},
		{"NUL byte", record("user", "\"a\x00b\""), "control character"},
		{"not UTF-8", record("user", "\"a\xffb\""), "not valid UTF-8"},
		{"bad escape", record("user", `"\x"`), "bad escape"},
		{"bad number", record("user", `"x"`, `"n":01,`), "not valid JSON"},
		{"two records", record("user", `"x"`) + record("user", `"y"`), "more than one record"},
		{"record behind a skipped one", `{"type":"summary","summary":"s"}` + record("user", `"y"`), "more than one record"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec, err := ClaudeCode{}.Line([]byte(tt.line))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if rec.Message != nil {
				t.Error("a message in spite of the error")
			}
		})
	}
}

func TestSplit(t *testing.T) {
	line := []byte(`{"a":1} {"b":"}{"}`)
	var trailing *TrailingError
	_, err := ClaudeCode{}.Line(append([]byte(record("user", `"x"`)), line...))
	if !errors.As(err, &trailing) {
		t.Fatal(err)
	}
	if got := Split(line); len(got) != 2 || string(got[1]) != `{"b":"}{"}` {
		t.Errorf("%q", got)
	}
	for _, whole := range []string{`{}`, ``, `{}{`} {
		if got := Split([]byte(whole)); got != nil {
			t.Errorf("%s: %q", whole, got)
		}
	}
}

func FuzzClaudeCode(f *testing.F) {
	f.Add([]byte(record("user", `[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"}],"is_error":true}]`, `"toolUseResult":{"exitCode":1},`)))
	f.Add([]byte(record("assistant", `[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]`)))
	f.Add([]byte(record("user", `"\ud83d\ude00 <command-name>/x</command-name>"`)))
	f.Add([]byte(`{"type":"system","subtype":"compact_boundary","timestamp":"2026-01-15T10:00:00Z"}`))
	f.Add([]byte(`{"type":"summary","summary":"\u00`))
	f.Fuzz(func(t *testing.T, line []byte) {
		rec, err := ClaudeCode{}.Line(line)
		if err == nil && rec.Message == nil && rec.Skip == "" {
			t.Fatalf("neither message, nor skipped, nor error: %+v", rec)
		}
		if err != nil || rec.Message == nil {
			return
		}
		if rec.Message.ID == "" {
			t.Fatal("no id")
		}
		Chunks([]Message{*rec.Message}, ChunkOptions{Size: 10})
		Detect([][]byte{line})
	})
}
