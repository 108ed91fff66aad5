package quick

import (
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestReadTakesWhatIsOfUse(t *testing.T) {
	long := strings.Repeat("é", maxText)
	tests := []struct {
		name, in string
		want     Report
	}{
		{"nothing known", `{"a":1,"b":[{"c":"}"}],"d":null}`, Report{}},
		{"an empty object", " {} ", Report{}},
		{"a byte order mark", "\ufeff" + `{"session_id":"s"}`, Report{Session: "s"}},
		{"a start", `{"session_id":"s","transcript_path":"/t.jsonl","cwd":"/w","hook_event_name":"SessionStart","source":"startup"}`,
			Report{Event: "SessionStart", Session: "s", Transcript: "/t.jsonl", Cwd: "/w", Source: "startup"}},
		{"fields of other types", `{"session_id":7,"cwd":["/w"],"prompt":{"a":"b"},"is_interrupt":"yes","tool_input":"x","source":"resume"}`, Report{Source: "resume"}},
		{"the last of two", `{"session_id":"a","session_id":"b"}`, Report{Session: "b"}},
		{"escapes", `{"prompt":"\u00e9\n\"\\\/\ud83d\ude00 \ud83d x \u0000end"}`, Report{Prompt: "é\n\"\\/😀 \uFFFD x end"}},
		{"bytes that are no text", "{\"prompt\":\"a\xff\x00b\"}", Report{Prompt: "a\uFFFDb"}},
		{"right to left", `{"prompt":"שלום عالم"}`, Report{Prompt: "שלום عالم"}},
		{"a long prompt is cut at a letter", `{"prompt":"` + long + `"}`, Report{Prompt: long[:maxText]}},
		{"a long path is dropped", `{"cwd":"/` + strings.Repeat("d", maxPath) + `"}`, Report{}},
		{"ids and paths with NUL are dropped", `{"session_id":"a\u0000b","cwd":"/a\u0000","transcript_path":"\u0000/t","agent_id":"x` + "\x00" + `y","prompt":"p\u0000q"}`, Report{Prompt: "pq"}},
		{"a failure", `{"error":"exit 1","is_interrupt":true,"tool_use_id":"t"}`, Report{Error: "exit 1", Interrupt: true, ToolID: "t"}},
		{"a subagent", `{"agent_id":"a","agent_type":"Explore","agent_transcript_path":"/a.jsonl","last_assistant_message":"done"}`,
			Report{Agent: "a", AgentType: "Explore", AgentTranscript: "/a.jsonl", Message: "done"}},
		{"a tool's input", `{"tool_name":"Bash","tool_input":{ "command" : "ls", "n": -1.5e3, "deep":[1,{"a":[]},"x"], "t":true }}`,
			Report{Tool: "Bash", Input: []byte(`{"command":"ls","n":-1.5e3,"deep":[1,{"a":[]},"x"],"t":true}`)}},
		{"numbers that are none", `{"tool_input":{"a":01,"b":1.,"c":nul,"d":2}}`, Report{Input: []byte(`{"a":null,"b":null,"c":null,"d":2}`)}},
		{"what a tool answered", `{"tool_response":{"originalFile":"` + strings.Repeat(`x\n`, 100_000) + `"},"tool_use_id":"t"}`, Report{ToolID: "t"}},
		{"what follows", `{"session_id":"s"} and more`, Report{Session: "s"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, from := range []io.Reader{strings.NewReader(tt.in), iotest.HalfReader(strings.NewReader(tt.in)), slowly(tt.in)} {
				got, err := Read(from, time.Time{})
				if err != nil || !same(got, tt.want) {
					t.Errorf("got %.300v, %v\nwant %.300v", got, err, tt.want)
				}
			}
		})
	}
}

// slowly reads byte by byte, where that does not take for ever.
func slowly(in string) io.Reader {
	if len(in) > 10_000 {
		return iotest.DataErrReader(strings.NewReader(in))
	}
	return iotest.OneByteReader(strings.NewReader(in))
}

func same(a, b Report) bool {
	x, y := a.Params("e", 0), b.Params("e", 0)
	return string(x) == string(y) && a.Event == b.Event
}

func TestReadRefusesWhatIsNoReport(t *testing.T) {
	tests := []struct {
		name, in string
		want     error
	}{
		{"nothing", "", errEmpty},
		{"blanks", " \n\t", errEmpty},
		{"words", "hello", errJSON},
		{"a list", `[{"session_id":"s"}]`, errJSON},
		{"a string", `"session_id"`, errJSON},
		{"cut off in a key", `{"session_id":"s","cw`, errEnds},
		{"cut off in a value", `{"session_id":"s`, errEnds},
		{"cut off before the end", `{"session_id":"s"`, errEnds},
		{"cut off in a pair", `{"prompt":"\ud83d\u`, errEnds},
		{"no colon", `{"session_id" "s"}`, errJSON},
		{"no comma", `{"a":1 "b":2}`, errJSON},
		{"no value", `{"a":,"b":2}`, errJSON},
		{"an odd value", `{"a":$}`, errJSON},
		{"an odd escape", `{"prompt":"\x41"}`, errJSON},
		{"odd digits", `{"prompt":"\u00g1"}`, errJSON},
		{"a key without quotes", `{a:1}`, errJSON},
		{"NUL", "\x00\x00\x00", errJSON},
		{"a closed list too many", `{"a":]}`, errJSON},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Read(strings.NewReader(tt.in), time.Time{}); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

func TestReadIsOverWhenTheTimeIs(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(`{"session_id":"s","tool_input":{"command":"ls","content":"`), forever{})
	begun := time.Now()
	r, err := Read(endless, begun.Add(20*time.Millisecond))
	if err != nil || r.Session != "s" {
		t.Errorf("what was read by then: %+v, %v", r, err)
	}
	if !json.Valid(r.Input) {
		t.Errorf("the input is not JSON: %s", r.Input)
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	if _, err := Read(forever{}, time.Now()); !errors.Is(err, errTime) {
		t.Errorf("without a session: %v", err)
	}
}

// forever is a stream that does not end.
type forever struct{}

func (forever) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// TestInputIsBounded holds that a tool's input stays small and sound, whatever
// it is.
func TestInputIsBounded(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000)
	tests := map[string]string{
		"a large file":  `{"file_path":"/a","content":"` + strings.Repeat("x", 5<<20) + `"}`,
		"many members":  `{` + strings.Repeat(`"k":"`+strings.Repeat("v", 100)+`",`, 50_000) + `"z":1}`,
		"a long list":   `{"l":[` + strings.Repeat(`"abcdefgh",`, 100_000) + `1]}`,
		"deep":          deep,
		"quotes to add": `{"c":"` + strings.Repeat(`\"\u0001`, 1<<20) + `"}`,
	}
	for name, in := range tests {
		r, err := Read(strings.NewReader(`{"session_id":"s","tool_input":`+in+`,"tool_use_id":"t"}`), time.Time{})
		if err != nil || r.ToolID != "t" {
			t.Errorf("%s: %v, what follows is %q", name, err, r.ToolID)
		}
		// one string may be begun just below the limit, and each of its
		// characters may take six
		if most := maxInput + 6*maxInputString + 1000; len(r.Input) > most || !json.Valid(r.Input) {
			t.Errorf("%s: %d bytes, JSON %v", name, len(r.Input), json.Valid(r.Input))
		}
	}
}

// FuzzRead compares with the real decoder, and holds that what is sent is
// always sound.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`{"session_id":"s","tool_input":{"a":[1,2,{"b":null}],"c":"\ud83d\ude00"},"prompt":"x"}`,
		`{"session_id":"\ud83d"}`, `{"tool_input":{"a":1e999999}}`, "\ufeff{}", `{"a":"\`, "{\"session_id\":\"\xff\"}", `{"tool_input":{"":{"":[[[]]]}}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		r, err := Read(strings.NewReader(string(in)), time.Time{})
		if params := r.Params("Stop", time.Second); !json.Valid(params) || !utf8.Valid(params) {
			t.Fatalf("not sound: %q", params)
		}
		var want map[string]json.RawMessage
		if json.Unmarshal(in, &want) != nil {
			return // what is no JSON may be taken or not
		}
		if err != nil {
			t.Fatalf("%q is an object and was refused: %v", in, err)
		}
		var session string
		if json.Unmarshal(want["session_id"], &session) == nil && len(session) <= maxID && !strings.ContainsRune(session, 0) && !strings.Contains(string(in), `\u`) && r.Session != session {
			t.Fatalf("session %q, want %q", r.Session, session)
		}
	})
}

// TestOutputIsNothingOrSmallJSON is the promise to the client.
func TestOutputIsNothingOrSmallJSON(t *testing.T) {
	events := []string{SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PostToolUseFailure, Stop, SubagentStart, SubagentStop, PreCompact, SessionEnd, "Other"}
	alphabet := []rune("ab \n\"\\\t\x1b\x00é😀\u202e<>")
	rapid.Check(t, func(t *rapid.T) {
		event := rapid.SampledFrom(events).Draw(t, "event")
		text := rapid.StringOfN(rapid.SampledFrom(alphabet), 0, 40, -1).Draw(t, "text")
		text = strings.Repeat(text, rapid.IntRange(1, 600).Draw(t, "times"))
		fenced := FenceOpen + " note=\"x\">\n" + text + "\n" + FenceClose
		out, err := Output(event, fenced)
		if err != nil {
			t.Fatal(err)
		}
		if rule, _ := RuleOf(event); !rule.Speaks {
			if len(out) > 0 {
				t.Fatalf("%s must be silent, printed %q", event, out)
			}
			return
		}
		var got struct {
			Out struct{ HookEventName, AdditionalContext string } `json:"hookSpecificOutput"`
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%v: %q", err, out)
		}
		if n := len(utf16.Encode([]rune(string(out)))); n > maxOutput {
			t.Fatalf("%d characters", n)
		}
		c := got.Out.AdditionalContext
		if got.Out.HookEventName != event || !strings.HasPrefix(c, FenceOpen) || !strings.HasSuffix(c, "\n"+FenceClose) || strings.ContainsAny(c, "\x1b\x00\u202e") {
			t.Fatalf("event %q, text %.100q … %.60q", got.Out.HookEventName, c, c[max(0, len(c)-60):])
		}
	})
}

func TestOutputLosesLinesAtItsEnd(t *testing.T) {
	var lines []string
	for i := range 2000 {
		lines = append(lines, "line "+strconv.Itoa(i)+" of what is known")
	}
	out, err := Output(SessionStart, FenceOpen+">\n"+strings.Join(lines, "\n")+"\n"+FenceClose)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Out struct{ AdditionalContext string } `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	kept := strings.Split(got.Out.AdditionalContext, "\n")
	if len(out) < maxOutput-100 || kept[len(kept)-1] != FenceClose || !slices.Contains(lines, kept[len(kept)-2]) {
		t.Errorf("%d characters, ends with %q", len(out), kept[len(kept)-2:])
	}
	long, err := Output(SessionStart, FenceOpen+">"+strings.Repeat("x", 20_000)+FenceClose)
	if err != nil || len(long) > maxOutput || len(long) < maxOutput-100 {
		t.Errorf("one long line: %d characters, %v", len(long), err)
	}
}

func TestOutputNeedsAFence(t *testing.T) {
	for _, text := range []string{"plain", FenceOpen, FenceClose, "x" + FenceOpen + ">a" + FenceClose, FenceOpen + ">a" + FenceClose + "x", FenceOpen + ">a"} {
		if out, err := Output(SessionStart, text); err == nil || out != nil {
			t.Errorf("%q was printed: %q, %v", text, out, err)
		}
	}
	if out, err := Output(SessionStart, ""); err != nil || out != nil {
		t.Errorf("nothing to say: %q, %v", out, err)
	}
}

func TestNoteIsBounded(t *testing.T) {
	home := t.TempDir()
	for range 3000 {
		Note(home, Stop, "s", NotRunning, strings.Repeat("detail ", 100), time.Millisecond)
	}
	for _, name := range []string{LogName, OldLogName} {
		info, err := os.Stat(filepath.Join(home, "logs", name))
		if err != nil || info.Size() > maxLog || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if dir, err := os.ReadDir(filepath.Join(home, "logs")); err != nil || len(dir) != 2 {
		t.Errorf("%v, %v", dir, err)
	}
	b, err := os.ReadFile(filepath.Join(home, "logs", LogName))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if !json.Valid([]byte(line)) {
			t.Fatalf("not JSON: %q", line)
		}
	}
}

func TestNoteCreatesNoDataDirectory(t *testing.T) {
	home := filepath.Join(t.TempDir(), "none")
	Note(home, Stop, "s", NotRunning, "", 0)
	if _, err := os.Stat(home); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the data directory was created: %v", err)
	}
}

func TestNoteIsOneLine(t *testing.T) {
	home := t.TempDir()
	Note(home, "Ev\nent\x00", "se\"ss\xff", "reason", "a\nb", time.Second)
	b, err := os.ReadFile(filepath.Join(home, "logs", LogName))
	if err != nil {
		t.Fatal(err)
	}
	var line struct {
		Event, Session, Detail string
		Ms                     int
	}
	if err := json.Unmarshal(b, &line); err != nil || strings.Count(string(b), "\n") != 1 {
		t.Fatalf("%v: %q", err, b)
	}
	if line.Event != "Ev\nent" || line.Session != "se\"ss\uFFFD" || line.Detail != "a\nb" || line.Ms != 1000 {
		t.Errorf("%+v", line)
	}
}

// TestTimeIsKeptBack holds that at the end of a call there is time left for a
// busy machine, which starts processes late and ends them late.
func TestTimeIsKeptBack(t *testing.T) {
	for _, event := range []string{SessionStart, UserPromptSubmit, PreToolUse, Stop} {
		rule, _ := RuleOf(event)
		begun := time.Now()
		c := New([]string{event, "--home", t.TempDir()}, begun)
		if kept, want := rule.Limit-c.Until().Sub(begun), 12*time.Millisecond+rule.Limit/25; kept < want {
			t.Errorf("%s: the daemon has all but %v of %v, want %v kept back", event, kept, rule.Limit, want)
		}
		if kept, want := rule.Limit-c.Left(), rule.Limit/25; kept < want {
			t.Errorf("%s: the process has all but %v of %v, want %v kept back", event, kept, rule.Limit, want)
		}
		if daemon := c.Until().Sub(begun); daemon < rule.Limit/2 {
			t.Errorf("%s: only %v for the daemon", event, daemon)
		}
	}
}

// TestPanicIsNoted holds that a defect is silent, too.
func TestPanicIsNoted(t *testing.T) {
	home := t.TempDir()
	c := New([]string{Stop, "--home", home}, time.Now())
	if !c.finish(breaking{}) {
		t.Error("the call is not over")
	}
	if b, err := os.ReadFile(filepath.Join(home, "logs", LogName)); err != nil || !strings.Contains(string(b), Panicked) {
		t.Errorf("%q, %v", b, err)
	}
}

type breaking struct{}

func (breaking) Read([]byte) (int, error) { panic("broken") }

func TestCommandLine(t *testing.T) {
	tests := []struct {
		args    []string
		wanted  bool
		event   string
		home    string
		noStart bool
		set     int
	}{
		{nil, false, "", "", false, 0},
		{[]string{"hook"}, true, "", "", false, 0},
		{[]string{"hook", "Stop"}, true, "Stop", "", false, 0},
		{[]string{"hook", "Stop", "--help"}, false, "Stop", "", false, 0},
		{[]string{"hook", "-h"}, false, "", "", false, 0},
		{[]string{"hooks", "Stop"}, false, "Stop", "", false, 0},
		{[]string{"hook", "Stop", "--home", "/x"}, true, "Stop", "/x", false, 0},
		{[]string{"hook", "--home=/x", "Stop"}, true, "Stop", "/x", false, 0},
		{[]string{"hook", "Stop", "--home"}, true, "Stop", "", false, 0},
		{[]string{"hook", "Stop", "--no-start", "--json", "--set", "a=b", "--set=c=d"}, true, "Stop", "", true, 2},
		{[]string{"hook", "Stop", "--what", "--else=1", "more", ""}, true, "Stop", "", false, 0},
	}
	t.Setenv("CHITTA_HOME", filepath.Join(t.TempDir(), "none"))
	for _, tt := range tests {
		if got := Wanted(tt.args); got != tt.wanted {
			t.Errorf("%q is wanted: %v", tt.args, got)
		}
		if len(tt.args) == 0 {
			continue
		}
		c := New(tt.args[1:], time.Now())
		if c.Event != tt.event || c.Flag() != tt.home || c.NoStart != tt.noStart || len(c.Set) != tt.set {
			t.Errorf("%q: %+v", tt.args, c)
		}
	}
}

// TestImportsNextToNothing holds what makes this package come first: see its
// comment.
func TestImportsNextToNothing(t *testing.T) {
	allowed := []string{"errors", "io", "os", "os/signal", "sync/atomic", "syscall", "time", "unicode/utf16", "unicode/utf8"}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			if path, _ := strconv.Unquote(spec.Path.Value); !slices.Contains(allowed, path) {
				t.Errorf("%s imports %s, which makes every hook wait until it is set up", file, path)
			}
		}
	}
}
