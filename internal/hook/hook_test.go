package hook

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/capture"
	"chitta/internal/config"
	"chitta/internal/hook/quick"
	"chitta/internal/moment"
	"chitta/internal/rpc"
)

// TestQuickAgreesWithTheRest holds what package quick has to say again because
// it may import nothing.
func TestQuickAgreesWithTheRest(t *testing.T) {
	for _, event := range moment.Events() {
		if _, known := quick.RuleOf(event); !known {
			t.Errorf("%s has no rule", event)
		}
	}
	if got := []string{quick.SessionStart, quick.UserPromptSubmit, quick.PreToolUse, quick.PostToolUse, quick.PostToolUseFailure,
		quick.Stop, quick.SubagentStart, quick.SubagentStop, quick.PreCompact, quick.SessionEnd}; !slices.Equal(got, moment.Events()) {
		t.Errorf("events %v", got)
	}
	if quick.FenceOpen != capture.EchoOpen || quick.FenceClose != capture.EchoClose {
		t.Error("the fence is another")
	}
	if out, err := quick.Output(quick.SessionStart, capture.Wrap("text")); err != nil || len(out) == 0 {
		t.Errorf("what is wrapped is not printed: %q, %v", out, err)
	}
	for code, want := range map[int]string{
		rpc.CodeUnavailable: quick.Busy, rpc.CodeTimeout: quick.Busy, rpc.CodeUpgrade: quick.TooOld,
		rpc.CodeMethodNotFound: quick.TooOld, rpc.CodeForbidden: quick.Refused, rpc.CodeInternal: quick.Refused,
	} {
		if got := quick.Refusal(code); got != want {
			t.Errorf("%d is %q, want %q", code, got, want)
		}
	}
}

func TestLimitsAreThoseOfTheDesign(t *testing.T) {
	for event, want := range map[string]time.Duration{
		moment.SessionStart: 500, moment.UserPromptSubmit: 150, moment.PreToolUse: 50, moment.PostToolUse: 50, moment.PostToolUseFailure: 50,
		moment.Stop: 100, moment.SubagentStart: 100, moment.SubagentStop: 100, moment.PreCompact: 100, moment.SessionEnd: 100,
	} {
		if rule, _ := quick.RuleOf(event); rule.Limit != want*time.Millisecond {
			t.Errorf("%s: %v", event, rule.Limit)
		}
	}
	for _, event := range []string{moment.Stop, moment.SubagentStop, moment.PreCompact, moment.SessionEnd} {
		if rule, _ := quick.RuleOf(event); rule.Speaks {
			t.Errorf("%s must be silent", event)
		}
	}
}

// TestParamsAreTheDaemonsEvent sends every field through and expects it at the
// other end.
func TestParamsAreTheDaemonsEvent(t *testing.T) {
	r := quick.Report{
		Session: "s", Transcript: "/t", Cwd: "/w", Source: "fork", Reason: "other", Trigger: "auto", Prompt: "p \"q\"\n\x01", Message: "m",
		Tool: "Bash", ToolID: "t1", Input: []byte(`{"command":"ls"}`), Error: "e", Interrupt: true,
		Agent: "a", AgentType: "Explore", AgentTranscript: "/a",
	}
	dec := json.NewDecoder(bytes.NewReader(r.Params(moment.PostToolUseFailure, 1500*time.Microsecond)))
	dec.DisallowUnknownFields()
	var got moment.Event
	if err := dec.Decode(&got); err != nil {
		t.Fatal(err)
	}
	want := moment.Event{
		Name: moment.PostToolUseFailure, Session: "s", Transcript: "/t", Cwd: "/w", Source: "fork", Reason: "other", Trigger: "auto", Prompt: "p \"q\"\n\x01", Message: "m",
		Tool: "Bash", ToolID: "t1", Input: json.RawMessage(`{"command":"ls"}`), Error: "e", Interrupt: true,
		Agent: "a", AgentType: "Explore", AgentTranscript: "/a", Micros: 1500,
	}
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(want)
	if !bytes.Equal(g, w) {
		t.Errorf("got  %s\nwant %s", g, w)
	}
}

// TestHomeIsThatOfTheConfiguration compares the quick way to the data directory
// with the real one.
func TestHomeIsThatOfTheConfiguration(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, flag, env string
		onlyConfig      bool // what quick leaves to it
	}{
		{name: "default"},
		{name: "flag", flag: dir + "/a"},
		{name: "flag with a slash", flag: dir + "/a//"},
		{name: "flag with a tilde", flag: "~/x"},
		{name: "tilde alone", flag: "~"},
		{name: "variable", env: dir + "/b"},
		{name: "variable with a tilde", env: "~/y"},
		{name: "both", flag: dir + "/a", env: dir + "/b"},
		{name: "relative variable", env: "b", onlyConfig: true},
		{name: "in the client", flag: dir + "/.Claude/x", onlyConfig: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("HOME", dir)
			t.Setenv("CHITTA_HOME", tt.env)
			var args []string
			if tt.flag != "" {
				args = []string{"--home", tt.flag}
			}
			got := quick.New(args, time.Now()).Home()
			want, err := config.Locate(config.LoadOptions{Home: tt.flag})
			if tt.onlyConfig {
				if got != "" || err == nil {
					t.Errorf("got %q, %v", got, err)
				}
				return
			}
			if err != nil || got != want.Home() {
				t.Errorf("got %q, want %q, %v", got, want.Home(), err)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	home := t.TempDir()
	p := config.PathsFor(home)
	if s, err := Failures(p); err != nil || s.Count != 0 || s.Last != nil {
		t.Fatalf("without a log: %+v, %v", s, err)
	}
	quick.Note(home, quick.Stop, "s1", quick.NotRunning, "", time.Millisecond)
	quick.Note(home, quick.PreToolUse, "s2", quick.NotRunning, "", time.Millisecond)
	quick.Note(home, quick.SessionStart, "s3", quick.NotStarted, "why", 400*time.Millisecond)
	old := `{"time":"2001-01-01T00:00:00Z","event":"Stop","reason":"long ago","ms":1}` + "\n" + "torn li"
	if err := os.WriteFile(filepath.Join(filepath.Dir(Log(p)), quick.OldLogName), []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Failures(p)
	if err != nil || s.Count != 3 || s.ByReason[quick.NotRunning] != 2 || s.ByReason[quick.NotStarted] != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	if s.Last == nil || s.Last.Session != "s3" || s.Last.Detail != "why" || s.Last.Ms != 400 {
		t.Errorf("last %+v", s.Last)
	}
	if err := os.WriteFile(Log(p), []byte(strings.Repeat("x", maxLine+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Failures(p); err == nil {
		t.Error("a line beyond all bounds is no error")
	}
}
