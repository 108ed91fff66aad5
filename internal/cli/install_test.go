package cli

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"chitta/internal/install"
	"chitta/internal/moment"
	"chitta/plugin"
)

// TestHooksAreRegisteredOnlyIfAnswered keeps what the client is told to call in
// step with what this binary has.
func TestHooksAreRegisteredOnlyIfAnswered(t *testing.T) {
	root := (&app{getenv: os.Getenv}).rootCommand()
	if !slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == "hook" }) {
		t.Error("install registers chitta hook, and there is no such command")
	}
	if diff := cmp.Diff(moment.Events(), names(install.Events())); diff != "" {
		t.Errorf("events that are answered (-) and registered (+):\n%s", diff)
	}
	text, err := fs.ReadFile(plugin.Files, "hooks/hooks.json")
	if err != nil {
		t.Fatal(err)
	}
	if want := install.PluginHooks(install.Hooks{Command: "chitta", Events: install.Events()}); !bytes.Equal(text, want) {
		t.Errorf("hooks/hooks.json of the plugin is\n%s\nwant\n%s", text, want)
	}
}

// TestTimeoutsFitTheClient: what a person waits for is given up soon, and
// SessionEnd has a timeout at all, as the client kills it after 1.5 s without.
func TestTimeoutsFitTheClient(t *testing.T) {
	for _, e := range install.Events() {
		if e.Timeout < 5 || e.Timeout > 10 {
			t.Errorf("%s has a timeout of %d s", e.Name, e.Timeout)
		}
	}
}

// TestInstallRegistersHooksAndServer by processes and, where the daemon
// listens, by HTTP.
func TestInstallRegistersHooksAndServer(t *testing.T) {
	const commandsOnly = 2 // SessionStart, SessionEnd
	tests := []struct {
		name     string
		listen   string
		opts     installing
		commands int
		note     string
		refused  string
	}{
		{name: "processes", opts: installing{scope: install.ScopeUser}, commands: len(install.Events())},
		{name: "posted", listen: "127.0.0.1:7371", opts: installing{scope: install.ScopeUser, http: true}, commands: commandsOnly, note: install.TokenVariable},
		{name: "posted nowhere", opts: installing{scope: install.ScopeUser, http: true}, refused: "http.listen is not set"},
		{name: "posted to any port", listen: "127.0.0.1:0", opts: installing{scope: install.ScopeUser, http: true}, refused: "no fixed port"},
		{name: "posted by everybody", listen: "127.0.0.1:7371", opts: installing{scope: install.ScopeProject, http: true}, refused: "of no use to others"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			t.Setenv("HOME", home)
			t.Setenv("CLAUDE_CONFIG_DIR", "")
			t.Setenv("CHITTA_HTTP_LISTEN", tt.listen)
			self := filepath.Join(home, "my tools", "chitta")
			if err := os.Mkdir(filepath.Dir(self), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(self, nil, 0o755); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			a := &app{out: &output{to: &stdout}, err: &stderr, getenv: os.Getenv, home: filepath.Join(home, "data"), json: true}
			err := a.install(t.Context(), tt.opts, self)
			if tt.refused != "" {
				if err == nil || !strings.Contains(err.Error(), tt.refused) {
					t.Errorf("error %v, want %q", err, tt.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var out installed
			if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
				t.Fatal(err)
			}
			if len(out.Hooks) != len(install.Events()) || !strings.Contains(strings.Join(out.Notes, "\n"), tt.note) {
				t.Errorf("it says hooks %q, notes %q", out.Hooks, out.Notes)
			}
			settings, err := os.ReadFile(filepath.Join(home, ".claude", "settings.json"))
			if err != nil || strings.Count(string(settings), `"`+self+`"`) != tt.commands {
				t.Errorf("settings: %v\n%s", err, settings)
			}
			state, err := os.ReadFile(filepath.Join(home, ".claude.json"))
			if err != nil || !strings.Contains(string(state), self) || !strings.Contains(string(state), "--home") {
				t.Errorf("the server: %v\n%s", err, state)
			}
		})
	}
}

func TestThePluginIsOfThisVersion(t *testing.T) {
	var manifest struct{ Version string }
	text, err := fs.ReadFile(plugin.Files, ".claude-plugin/plugin.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	version, err := os.ReadFile("../../VERSION")
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.TrimSpace(string(version)); manifest.Version != want {
		t.Errorf("plugin.json says %q, VERSION %q", manifest.Version, want)
	}
}

// TestTheClientTakesThePlugin asks the real client, where there is one, about
// the plugin as it is here and as it is written for a binary with hooks.
func TestTheClientTakesThePlugin(t *testing.T) {
	client := os.Getenv("CLAUDE_BIN")
	if client == "" {
		client = "claude"
	}
	client, err := exec.LookPath(client)
	if err != nil {
		t.Skip("no client: set CLAUDE_BIN to the binary of Claude Code to have it validate the plugin")
	}
	written := filepath.Join(t.TempDir(), "written")
	want := install.Want{
		Hooks:  install.Hooks{Command: "/my tools/chitta", Events: install.Events()},
		Server: install.Server{Command: "/my tools/chitta"},
	}
	for range 2 { // the second replaces the first
		if err := install.WritePlugin(written, plugin.Files, "1.2.3", want); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"../..", "../../plugin", written, filepath.Join(written, "plugin")} {
		cmd := exec.Command(client, "plugin", "validate", "--strict", dir)
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "CLAUDE_CONFIG_DIR="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", dir, err, out)
		}
	}
}
