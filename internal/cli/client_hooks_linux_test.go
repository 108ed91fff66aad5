package cli_test

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/moment"
)

// guest is a client of its own with chitta beside it.
type guest struct {
	t                *testing.T
	rig              clientRig
	home             string // of the test; chitta's data is below it
	client, settings string // home of the client, and its settings
	project          string
}

// settingsBefore is what a person had there; chitta must give it back.
const settingsBefore = "{\n\t\"permissions\": { \"allow\": [\"Bash\"] },\n\t\"hooks\": {}\n}\n"

func newGuest(t *testing.T) *guest {
	t.Helper()
	g := &guest{t: t, rig: newClientRig(t), home: freshHome(t)}
	g.client, g.project = filepath.Join(g.home, "client"), filepath.Join(g.home, "project")
	g.settings = filepath.Join(g.client, ".claude", "settings.json")
	for _, dir := range []string{filepath.Dir(g.settings), g.project} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(g.settings, []byte(settingsBefore), 0o644); err != nil {
		t.Fatal(err)
	}
	return g
}

// chitta runs the binary as somebody would who uses this client.
func (g *guest) chitta(args ...string) string {
	g.t.Helper()
	cmd := command(g.t, g.home, append([]string{"--home", filepath.Join(g.home, "home")}, args...)...)
	cmd.Env = append(cmd.Env, "HOME="+g.client, "CLAUDE_CONFIG_DIR="+filepath.Dir(g.settings),
		"CLAUDE_BIN="+g.rig.client, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1")
	got := outcome(g.t, cmd)
	if got.code != 0 {
		g.t.Fatalf("chitta %s: %s%s", strings.Join(args, " "), got.stdout, got.stderr)
	}
	return got.stdout
}

// work has the client run one command that works and one that does not.
func (g *guest) work() {
	g.t.Helper()
	const script = `[[tool Bash {"command":"echo fine","description":"d"}]] [[tool Bash {"command":"exit 3","description":"d"}]] [[say done]]`
	if _, _, err := g.rig.run(g.t, g.client, g.project, "-p", "Please try both. "+script, "--allowedTools", "Bash"); err != nil {
		g.t.Fatal(err)
	}
}

// worked are the events of such a run.
var worked = []string{moment.SessionStart, moment.UserPromptSubmit, moment.PreToolUse, moment.PostToolUse, moment.PostToolUseFailure, moment.Stop, moment.SessionEnd}

// heard returns how often the daemon was called for each event, once it has
// written that down.
func (g *guest) heard() map[string]int {
	g.t.Helper()
	time.Sleep(1500 * time.Millisecond) // calls are written down a second later
	var out struct{ Events []moment.EventCost }
	if err := json.Unmarshal([]byte(g.chitta("call", "hook_cost", "{}")), &out); err != nil {
		g.t.Fatal(err)
	}
	calls := map[string]int{}
	for _, e := range out.Events {
		calls[e.Event] = e.Calls
	}
	return calls
}

// workUntilHeard has the client work until the daemon was called for all events.
// Once is enough, unless the machine is so busy that a hook gives up.
func (g *guest) workUntilHeard(want []string) map[string]int {
	g.t.Helper()
	const tries = 3
	for n := 1; ; n++ {
		g.work()
		calls := g.heard()
		missing := slices.DeleteFunc(slices.Clone(want), func(e string) bool { return calls[e] > 0 })
		if len(missing) == 0 {
			return calls
		}
		if n == tries {
			g.t.Fatalf("the daemon never heard of %v, only of %v", missing, calls)
		}
	}
}

// TestClientCallsInstalledHooks: installed, the real client calls every hook of
// its session; uninstalled, none, and its settings are what they were.
func TestClientCallsInstalledHooks(t *testing.T) {
	g := newGuest(t)
	g.chitta("up")
	g.chitta("install", "claude-code")
	first := g.workUntilHeard(worked)
	if out := g.chitta("doctor"); !strings.Contains(out, "hooks (user): all 10 events") || strings.Contains(out, "fail ") {
		t.Errorf("doctor:\n%s", out)
	}
	g.chitta("uninstall", "claude-code")
	if text, err := os.ReadFile(g.settings); err != nil || string(text) != settingsBefore {
		t.Errorf("settings after uninstall: %q, %v", text, err)
	}
	g.work()
	if diff := cmp.Diff(first, g.heard()); diff != "" {
		t.Errorf("hooks were called after uninstall:\n%s", diff)
	}
}

// TestClientCallsHooksOfThePlugin: the same, as a plugin that the client takes
// by its own commands.
func TestClientCallsHooksOfThePlugin(t *testing.T) {
	g := newGuest(t)
	g.chitta("up")
	g.chitta("install", "claude-code", "--plugin")
	first := g.workUntilHeard(worked)
	if out := g.chitta("doctor"); !strings.Contains(out, "hooks (plugin): all 10 events") || strings.Contains(out, "fail ") {
		t.Errorf("doctor:\n%s", out)
	}
	g.chitta("uninstall", "claude-code", "--plugin")
	g.work()
	if diff := cmp.Diff(first, g.heard()); diff != "" {
		t.Errorf("hooks were called after uninstall:\n%s", diff)
	}
}

// TestClientPostsHooks: with --http the client posts what it can, with the token
// from its environment, and is refused without.
func TestClientPostsHooks(t *testing.T) {
	g := newGuest(t)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	data := filepath.Join(g.home, "home")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "config.toml"), fmt.Appendf(nil, "[http]\nlisten = %q\n", address), 0o600); err != nil {
		t.Fatal(err)
	}
	g.chitta("up")
	g.chitta("install", "claude-code", "--http")
	// the daemon is outside of the rig's own network
	g.rig.env = []string{"RIG_NETNS=0"}
	if calls := g.workUntilHeard([]string{moment.SessionStart, moment.SessionEnd}); calls[moment.Stop] > 0 {
		t.Errorf("posted without a token: %v", calls)
	}
	token, err := os.ReadFile(filepath.Join(data, "http.token"))
	if err != nil {
		t.Fatal(err)
	}
	g.rig.env = append(g.rig.env, "CC_ENV=CHITTA_HTTP_TOKEN="+strings.TrimSpace(string(token)))
	g.workUntilHeard(worked)
	g.chitta("uninstall", "claude-code")
	if text, err := os.ReadFile(g.settings); err != nil || string(text) != settingsBefore {
		t.Errorf("settings after uninstall: %q, %v", text, err)
	}
}
