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

	"github.com/spf13/cobra"

	"chitta/internal/install"
	"chitta/plugin"
)

// TestHooksAreRegisteredOnlyIfAnswered keeps what the client is told to call in
// step with what this binary has.
func TestHooksAreRegisteredOnlyIfAnswered(t *testing.T) {
	root := (&app{getenv: os.Getenv}).rootCommand()
	answers := slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == "hook" })
	if registers := len(hookEvents()) > 0; answers != registers {
		t.Errorf("the command hook is there: %v; install registers hooks: %v", answers, registers)
	}
	text, err := fs.ReadFile(plugin.Files, "hooks/hooks.json")
	if has := err == nil; has != answers {
		t.Fatalf("the command hook is there: %v; the plugin has hooks: %v", answers, has)
	}
	if want := install.PluginHooks(install.Hooks{Command: "chitta", Events: hookEvents()}); answers && !bytes.Equal(text, want) {
		t.Errorf("hooks/hooks.json of the plugin is\n%s\nwant\n%s", text, want)
	}
}

// TestInstallWithAndWithoutHooks is the seam seen from both sides.
func TestInstallWithAndWithoutHooks(t *testing.T) {
	tests := []struct {
		name   string
		events []install.Event
	}{{"a binary that answers none", nil}, {"a binary that answers all", install.Events()}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			t.Setenv("HOME", home)
			t.Setenv("CLAUDE_CONFIG_DIR", "")
			self := filepath.Join(home, "my tools", "chitta")
			if err := os.Mkdir(filepath.Dir(self), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(self, nil, 0o755); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			a := &app{out: &output{to: &stdout}, err: &stderr, getenv: os.Getenv, home: filepath.Join(home, "data"), json: true}
			if err := a.install(t.Context(), installing{scope: install.ScopeUser}, self, tt.events); err != nil {
				t.Fatal(err)
			}
			var out installed
			if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
				t.Fatal(err)
			}
			said := strings.Contains(strings.Join(out.Notes, "\n"), "no hooks were registered")
			if len(out.Hooks) != len(tt.events) || said != (len(tt.events) == 0) {
				t.Errorf("it says hooks %q, notes %q", out.Hooks, out.Notes)
			}
			settings, err := os.ReadFile(filepath.Join(home, ".claude", "settings.json"))
			if (err == nil) != (len(tt.events) > 0) || strings.Count(string(settings), `"`+self+`"`) != len(tt.events) {
				t.Errorf("settings for %d events: %v\n%s", len(tt.events), err, settings)
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
