package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// oddSettings are somebody's own, with an order, spaces and keys of theirs.
const oddSettings = "{\n    \"model\":   \"sonnet\",\n\t\"permissions\": {\"allow\": [\"Bash(ls:*)\"]},\n    \"hooks\": { \"Stop\": [ { \"hooks\": [ {\"type\":\"command\",\"command\":\"true\"} ] } ] },\n  \"somethingOfTheirs\": [1,2 ,3]\n}\n"

// What is uninstalled says nothing any more, and leaves the settings as they
// were, byte for byte.
func TestUninstalled(t *testing.T) {
	h := newHome(t)
	if err := os.MkdirAll(filepath.Dir(h.settings()), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.settings(), []byte(oddSettings), 0o600); err != nil {
		t.Fatal(err)
	}
	h.install()
	var with turn
	h.inTime(func() {
		h.chitta("remember", "--kind", "preference", "The tests of this project are run with make test")
		with, _ = h.session("Hello.", say("Hello."))
	})
	if !strings.Contains(with.handed(), "make test") {
		t.Errorf("installed, the model is handed %q", with.handed())
	}
	h.chitta("uninstall", "claude-code")
	b, err := os.ReadFile(h.settings())
	if err != nil || string(b) != oddSettings {
		t.Errorf("the settings are now %q, %v", b, err)
	}
	state, err := os.ReadFile(h.path("home", ".claude.json"))
	if err != nil || bytes.Contains(state, []byte(`"mcpServers":{"chitta"`)) || bytes.Contains(state, []byte(h.binary())) {
		t.Errorf("the client still knows the server: %v", err)
	}
	calls := h.hooks("").Calls
	without, _ := h.session("Hello again.", say("Hello."))
	if text := without.told(); strings.Contains(strings.ToLower(text), "chitta") || strings.Contains(text, "run with make test") {
		t.Error("uninstalled, the model is still told of it")
	}
	if now := h.hooks("").Calls; now != calls {
		t.Errorf("uninstalled, %d hooks were called", now-calls)
	}
}

// As a plugin, read from its folder: hooks are called and tools are there.
func TestPluginFolder(t *testing.T) {
	h := newHome(t)
	folder, err := filepath.Abs("../../plugin")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{folder, filepath.Dir(folder)} {
		if _, err := h.run(bench.client, "plugin", "validate", path); err != nil {
			t.Error(err)
		}
	}
	h.plugged("--plugin-dir", folder)
}

// As a plugin, installed by the client's own commands.
func TestPluginInstalled(t *testing.T) {
	h := newHome(t)
	h.chitta("install", "claude-code", "--plugin")
	h.plugged()
	h.chitta("uninstall", "claude-code", "--plugin")
	if got, _ := h.session("Hello again.", say("Hello.")); strings.Contains(got.told(), "mcp__plugin_chitta") || got.handed() != "" {
		t.Error("uninstalled, the model is still told of it")
	}
}

// plugged holds that the plugin works in a session.
func (h *home) plugged(args ...string) {
	h.t.Helper()
	const tool = "mcp__plugin_chitta_chitta__remember"
	var got turn
	var k *talk
	h.inTime(func() {
		k = h.open(args...)
		got = k.ask("Keep that orders are numbered by year.",
			use(tool, map[string]any{"content": "Orders are numbered by year, starting from one each January", "kind": "wisdom"}),
			bash("echo kept"), say("Kept."))
		k.end()
	})
	if got.Result != "Kept." || !slices.Contains(k.first.Tools, tool) {
		h.t.Errorf("the client answers %q and has the tools %v", got.Result, k.first.Tools)
	}
	if m := h.learned("wisdom", "numbered by year"); m.Source != "conscious" || m.Provenance.Session != k.id {
		h.t.Errorf("remembered as %s of session %q", m.Source, m.Provenance.Session)
	}
	var c cost
	h.eventually("the plugin's hooks were called", func() bool {
		c = h.hooks(k.id)
		return !slices.ContainsFunc([]string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"},
			func(e string) bool { return c.of(e).Calls == 0 })
	})
	if c.Failed != 0 {
		h.t.Errorf("%d hooks failed", c.Failed)
	}
}
