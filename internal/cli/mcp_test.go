package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connectMCP starts chitta mcp as a client would and returns the session.
func connectMCP(t *testing.T, home string, args ...string) *mcp.ClientSession {
	t.Helper()
	cmd := exec.Command(filepath.Join(binDir, "chitta"), append([]string{"mcp"}, args...)...)
	cmd.Env, cmd.Dir = environment(home), home
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// use calls a tool and returns its text.
func use(t *testing.T, s *mcp.ClientSession, name string, args map[string]any) (text string, isError bool) {
	t.Helper()
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	if res.StructuredContent != nil {
		t.Error("structured content hides the text from the model")
	}
	if len(res.Content) != 1 {
		t.Fatalf("%d blocks of content", len(res.Content))
	}
	return res.Content[0].(*mcp.TextContent).Text, res.IsError
}

func TestMCPRemembersAndRecalls(t *testing.T) {
	s := connectMCP(t, freshHome(t))
	text, failed := use(t, s, "remember", map[string]any{"content": "the flaky test needs a real clock", "kind": "failure", "tags": []string{"tests"}})
	if failed || !strings.Contains(text, "stored as m_") {
		t.Fatalf("remember: %s", text)
	}
	text, failed = use(t, s, "recall", map[string]any{"query": "flaky test"})
	if failed || !strings.Contains(text, "needs a real clock") || !strings.Contains(text, "<chitta-memory") || !strings.Contains(text, "from agent") {
		t.Errorf("recall: %s", text)
	}
	text, failed = use(t, s, "context", map[string]any{"task": "mend the flaky test"})
	if failed || !strings.Contains(text, "About the task") {
		t.Errorf("context: %s", text)
	}
	text, failed = use(t, s, "memory", map[string]any{"action": "list"})
	if failed || !strings.Contains(text, "needs a real clock") {
		t.Errorf("memory list: %s", text)
	}
	id := text[strings.Index(text, "m_"):][:18]
	text, failed = use(t, s, "feedback", map[string]any{"action": "correct", "id": id, "content": "the flaky test needs a fake clock"})
	if failed || !strings.Contains(text, "in the place of "+id) {
		t.Errorf("feedback correct: %s", text)
	}
	if text, failed = use(t, s, "status", map[string]any{"action": "doctor"}); failed || !strings.Contains(text, "ok data") {
		t.Errorf("status doctor: %s", text)
	}
}

func TestMCPErrorsSayWhatToDo(t *testing.T) {
	s := connectMCP(t, freshHome(t))
	for _, tt := range []struct {
		name, tool string
		args       map[string]any
		want       string
	}{
		{"missing field", "recall", map[string]any{}, "query is missing"},
		{"unknown kind", "remember", map[string]any{"content": "long enough content", "kind": "wisdon"}, `did you mean "wisdom"`},
		{"unknown action", "memory", map[string]any{"action": "gett"}, `did you mean "get"`},
		{"no action", "feedback", map[string]any{"id": "m_x"}, "use one of"},
		{"field of another action", "memory", map[string]any{"action": "get", "id": "m_abcd", "tags": []string{"x"}}, "tags is not a field"},
		{"unknown id", "memory", map[string]any{"action": "get", "id": "m_none"}, "not found"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, failed := use(t, s, tt.tool, tt.args)
			if !failed || !strings.Contains(text, tt.want) {
				t.Errorf("failed %v: %s", failed, text)
			}
		})
	}
}

func TestMCPOffersTheProfile(t *testing.T) {
	home := freshHome(t)
	names := func(s *mcp.ClientSession) (all []string, always []string) {
		res, err := s.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range res.Tools {
			all = append(all, tool.Name)
			if tool.Meta["anthropic/alwaysLoad"] == true {
				always = append(always, tool.Name)
			}
		}
		return all, always
	}
	s := connectMCP(t, home)
	all, always := names(s)
	if got := strings.Join(all, " "); got != "code context explain feedback graph history ledger memory predict recall remember search session status" {
		t.Errorf("default profile: %s", got)
	}
	if got := strings.Join(always, " "); got != "context recall remember" {
		t.Errorf("always loaded: %s", got)
	}
	init := s.InitializeResult()
	if init == nil || len(init.Instructions) > 4096 {
		t.Fatal("instructions are missing or would be cut")
	}
	if start := init.Instructions[:500]; !strings.Contains(start, "recall") || !strings.Contains(start, "remember") {
		t.Errorf("the first 500 characters do not say when to call: %s", start)
	}
	full, _ := names(connectMCP(t, home, "--profile", "full"))
	if len(full) < 30 {
		t.Errorf("full profile has %d tools", len(full))
	}
}

func TestMCPAnswersFit(t *testing.T) {
	home := freshHome(t)
	s := connectMCP(t, home)
	for i := range 30 {
		content := strings.Repeat("words about the same topic fill this memory. ", 20) + strings.Repeat("x", i+1)
		if text, failed := use(t, s, "remember", map[string]any{"content": content}); failed {
			t.Fatal(text)
		}
	}
	text, failed := use(t, s, "recall", map[string]any{"query": "topic", "limit": 30, "budget": 100000})
	if n := len([]rune(text)); failed || n > 8000 || n < 4000 {
		t.Errorf("%d characters", n)
	}
	cut := strings.Contains(text, "cut here") || strings.Contains(text, "does not fit")
	if !cut || !strings.Contains(text, "</chitta-memory>") {
		t.Errorf("a cut answer does not say so, or its mark is open: …%s", text[len(text)-200:])
	}
}

// TestMCPAnswersTheDiscoverProbe speaks the newest client's first line by
// hand: an unanswered probe costs every session seconds.
func TestMCPAnswersTheDiscoverProbe(t *testing.T) {
	home := freshHome(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(binDir, "chitta"), "mcp")
	cmd.Env, cmd.Dir = environment(home), home
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	probe := `{"jsonrpc":"2.0","id":"server-discover-probe-1","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"
	if _, err := in.Write([]byte(probe)); err != nil {
		t.Fatal(err)
	}
	var answer struct {
		ID     string          `json:"id"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.NewDecoder(out).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	if answer.ID != "server-discover-probe-1" || answer.Error != nil || !strings.Contains(string(answer.Result), "2026-07-28") {
		t.Errorf("answer to the probe: %s %s", answer.Result, answer.Error)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("after the client left: %v", err)
	}
}

// inspectorVersion is pinned so that a release of it does not change what is
// tested.
const inspectorVersion = "1.0.3"

// TestInspector drives the server with an independent client.
func TestInspector(t *testing.T) {
	npx, err := exec.LookPath("npx")
	if err != nil {
		t.Skip("skipped: npx is not installed, so the MCP Inspector cannot run")
	}
	home := freshHome(t)
	inspect := func(args ...string) string {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
		defer cancel()
		base := []string{"--yes", "@modelcontextprotocol/inspector@" + inspectorVersion, "--cli", filepath.Join(binDir, "chitta"), "mcp"}
		cmd := exec.CommandContext(ctx, npx, append(base, args...)...)
		// npm keeps its cache in the real home
		cmd.Env, cmd.Dir = append(environment(home), "HOME="+os.Getenv("HOME")), home
		out, err := cmd.CombinedOutput()
		if err != nil {
			if strings.Contains(string(out), "npm error") {
				t.Skipf("skipped: npm could not fetch the MCP Inspector: %s", out)
			}
			t.Fatalf("inspector %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	if out := inspect("--method", "tools/list"); !strings.Contains(out, `"name": "recall"`) || !strings.Contains(out, `"name": "remember"`) {
		t.Errorf("tools/list: %s", out)
	}
	out := inspect("--method", "tools/call", "--tool-name", "remember", "--tool-arg", "content=seen through the inspector")
	if !strings.Contains(out, "stored as m_") {
		t.Errorf("remember: %s", out)
	}
	out = inspect("--method", "tools/call", "--tool-name", "recall", "--tool-arg", "query=inspector")
	if !strings.Contains(out, "seen through the inspector") {
		t.Errorf("recall: %s", out)
	}
}

// TestMCPOutlivesBadLines sends lines that are no messages, then a good one.
func TestMCPOutlivesBadLines(t *testing.T) {
	bad := []struct {
		line string
		code int
	}{
		{`hello`, -32700},
		{`{"jsonrpc":"2.0",`, -32700},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32700},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"} {"jsonrpc":"2.0","id":2,"method":"ping"}`, -32700},
		{`[]`, -32600},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600},
		{`null`, -32600},
		{`7`, -32600},
		{`{}`, -32600},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600},
		{`{"jsonrpc":"2.0","id":1,"method":7}`, -32600},
		{strings.Repeat(" ", 17<<20) + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, -32600},
	}
	var in strings.Builder
	for _, b := range bad {
		in.WriteString(b.line + "\n\n")
	}
	in.WriteString(greeting)
	in.WriteString(`{"jsonrpc":"2.0","id":"good","method":"tools/list"}`) // without an end
	cmd := command(t, freshHome(t), "mcp")
	cmd.Stdin = strings.NewReader(in.String())
	r := outcome(t, cmd)
	if r.code != 0 {
		t.Errorf("exit %d: %s", r.code, r.stderr)
	}
	answers := strings.Split(strings.TrimSpace(r.stdout), "\n")
	if len(answers) != len(bad)+2 {
		t.Fatalf("%d answers: %s", len(answers), r.stdout)
	}
	for i, b := range bad {
		if want := fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":%d,`, b.code); !strings.HasPrefix(answers[i], want) {
			t.Errorf("%.60s is answered with %s", b.line, answers[i])
		}
	}
	if !strings.Contains(r.stdout, `"id":"good","result"`) {
		t.Errorf("the good one: %s", answers[len(answers)-1])
	}
}

// greeting opens a session by hand.
const greeting = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// TestMCPAnswersBeforeItLeaves pipes requests in and closes at once.
func TestMCPAnswersBeforeItLeaves(t *testing.T) {
	home := freshHome(t)
	var in strings.Builder
	in.WriteString(greeting)
	const requests = 5
	for i := range requests {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"remember","arguments":{"content":"number %d of those sent in one go"}}}`+"\n", i+1, i)
	}
	cmd := command(t, home, "mcp")
	cmd.Stdin = strings.NewReader(in.String())
	began := time.Now()
	r := outcome(t, cmd)
	if r.code != 0 || time.Since(began) > 20*time.Second {
		t.Errorf("exit %d after %v: %s", r.code, time.Since(began), r.stderr)
	}
	if n := strings.Count(r.stdout, "stored as m_"); n != requests {
		t.Errorf("%d of %d answered: %s", n, requests, r.stdout)
	}
}
