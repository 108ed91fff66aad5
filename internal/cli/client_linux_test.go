package cli_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// clientRig runs the real client against a scripted API on the loopback.
type clientRig struct {
	script, client string
	env            []string // for the rig, over its own
}

// clientTimeout ends a run of the client that hangs; one takes 1 to 2 s.
const clientTimeout = 15 * time.Second

// newClientRig finds the rig beside the repository and an installed client,
// and never installs anything.
func newClientRig(t *testing.T) clientRig {
	t.Helper()
	script, err := filepath.Abs("../../../shared/ccrig/cc.sh")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(script); err != nil {
		t.Skip("skipped: the client rig ../shared/ccrig is not beside the repository")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("skipped: the client rig needs node")
	}
	client := os.Getenv("CLAUDE_BIN")
	if client == "" {
		client = "claude"
	}
	if client, err = exec.LookPath(client); err != nil {
		t.Skip("skipped: the client is not installed; set CLAUDE_BIN to its binary (the rig's install.sh fetches it)")
	}
	if client, err = filepath.Abs(client); err != nil {
		t.Fatal(err)
	}
	return clientRig{script: script, client: client}
}

// message is one of a request to the API.
type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// answered is what the client prints at the end of a run.
type answered struct {
	Session string `json:"session_id"`
	Result  string `json:"result"`
}

// run has the client answer a prompt. It returns what it prints and the
// messages of each request it sent.
func (r clientRig) run(t *testing.T, home, project string, args ...string) (out answered, requests [][]message, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clientTimeout)
	defer cancel()
	log := t.TempDir()
	cmd := exec.CommandContext(ctx, r.script, append([]string{log, project, "--", "--output-format", "json"}, args...)...)
	cmd.Env = append(os.Environ(), "CLAUDE_BIN="+r.client, "RIG_HOME="+home, "RIG_PRE=", "CC_ENV=")
	cmd.Env = append(cmd.Env, r.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // the scripted API ends with the script
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	printed, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(printed, &out)
	}
	files, globErr := filepath.Glob(filepath.Join(log, "reqs", "*.main.json"))
	if globErr != nil {
		t.Fatal(globErr)
	}
	slices.Sort(files)
	for _, file := range files {
		b, readErr := os.ReadFile(file)
		if readErr != nil {
			t.Fatal(readErr)
		}
		var req struct {
			Body struct {
				Messages []message `json:"messages"`
			} `json:"body"`
		}
		if err := json.Unmarshal(b, &req); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		requests = append(requests, req.Body.Messages)
	}
	return out, requests, err
}

// saidIn tells which of the texts the messages of a role carry, in order: each
// is looked for from the message on that had the one before.
func saidIn(messages []message, want [][2]string) (missing string) {
	at := 0
	for _, w := range want {
		for at < len(messages) && !(messages[at].Role == w[0] && strings.Contains(string(messages[at].Content), w[1])) {
			at++
		}
		if at == len(messages) {
			return w[0] + ": " + w[1]
		}
	}
	return ""
}

// bringBack does what chitta resume-info says brings a session back into a
// client's configuration.
func bringBack(t *testing.T, home, clientConfig, id string) {
	t.Helper()
	info := command(t, home, "resume-info", id)
	info.Env = append(info.Env, "CLAUDE_CONFIG_DIR="+clientConfig)
	_, line, ok := strings.Cut(outcome(t, info).stdout, "bring back ")
	line, _, _ = strings.Cut(strings.TrimSpace(line), "\n")
	if !ok || !strings.HasPrefix(line, "chitta export --session "+id+" --out ") {
		t.Fatalf("chitta resume-info does not say how to bring the session back: %q", line)
	}
	export := command(t, home)
	export.Path, export.Args = "/bin/sh", []string{"sh", "-c", line}
	if got := outcome(t, export); got.code != 0 {
		t.Fatalf("%s: %s", line, got.stderr)
	}
}

// What chitta exports, the client goes on with as if it were its own: two
// prompts with a tool call between them, taken over, exported, put into the
// folder of another client that knows nothing else, and resumed.
func TestClientResumesExportedSession(t *testing.T) {
	rig := newClientRig(t)
	home := freshHome(t)
	project := filepath.Join(home, "project")
	first, second := filepath.Join(home, "first"), filepath.Join(home, "second")

	said, _, err := rig.run(t, first, project, "-p", `The codeword is zephyr. [[tool Bash {"command":"echo brought-$((40+2))","description":"count"}]] [[say Noted: zephyr it is.]]`, "--allowedTools", "Bash")
	if err != nil {
		t.Fatalf("first prompt: %v", err)
	}
	id := said.Session
	if _, _, err := rig.run(t, first, project, "--resume", id, "-p", `And the animal is an otter. [[say An otter, then.]]`); err != nil {
		t.Fatalf("second prompt: %v", err)
	}

	transcripts, err := filepath.Glob(filepath.Join(first, ".claude", "projects", "*", id+".jsonl"))
	if err != nil || len(transcripts) != 1 {
		t.Fatalf("transcripts of the client: %v, %v", transcripts, err)
	}
	folder := filepath.Join(second, ".claude", "projects", filepath.Base(filepath.Dir(transcripts[0])))
	// without the file there is nothing to go on with
	if _, requests, err := rig.run(t, second, project, "--resume", id, "-p", "What was it? [[say no]]"); err == nil || len(requests) != 0 {
		t.Fatalf("a client without the session: %v, %d requests", err, len(requests))
	}
	if _, err := run(t, home, "import", transcripts[0]); err != nil {
		t.Fatal(err)
	}
	bringBack(t, home, filepath.Join(second, ".claude"), id)
	if _, err := os.Stat(filepath.Join(folder, id+".jsonl")); err != nil {
		t.Fatalf("the export is not where the client keeps the session: %v", err)
	}

	resumed, requests, err := rig.run(t, second, project, "--resume", id, "-p", "What were they? [[say Still known.]]")
	if err != nil {
		t.Fatalf("resume: %v", err)
	}
	if resumed.Session != id || resumed.Result != "Still known." {
		t.Errorf("resumed session %s with %q, want %s", resumed.Session, resumed.Result, id)
	}
	if len(requests) != 1 {
		t.Fatalf("%d requests, want 1", len(requests))
	}
	missing := saidIn(requests[0], [][2]string{
		{"user", "The codeword is zephyr."},
		{"assistant", `"tool_use"`},
		{"user", "brought-42"},
		{"assistant", "Noted: zephyr it is."},
		{"user", "And the animal is an otter."},
		{"assistant", "An otter, then."},
		{"user", "What were they?"},
	})
	if missing != "" {
		t.Errorf("the request does not carry, in its place, %s", missing)
		for _, m := range requests[0] {
			t.Logf("%s: %.200s", m.Role, m.Content)
		}
	}
}
