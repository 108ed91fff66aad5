package install_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"chitta/internal/install"
)

func TestWritePlugin(t *testing.T) {
	files := fstest.MapFS{
		".claude-plugin/plugin.json": {Data: []byte(`{"name": "chitta", "version": "0.0.1"}`)},
		".mcp.json":                  {Data: []byte(`{}`)},
		"commands/x.md":              {Data: []byte("x")},
	}
	for _, events := range [][]install.Event{install.Events(), nil} { // hooks go when they are no longer there
		dir := filepath.Join(t.TempDir(), "p")
		with := want
		with.Hooks.Events = events
		if err := install.WritePlugin(dir, files, "1.2.3", want); err != nil {
			t.Fatal(err)
		}
		if err := install.WritePlugin(dir, files, "1.2.3", with); err != nil {
			t.Fatal(err)
		}
		read := func(name string) string {
			text, _ := os.ReadFile(filepath.Join(dir, name))
			return string(text)
		}
		for name, text := range map[string]string{
			".claude-plugin/marketplace.json":   `"./plugin"`,
			"plugin/.claude-plugin/plugin.json": `"1.2.3"`,
			"plugin/.mcp.json":                  binary,
			"plugin/commands/x.md":              "x",
		} {
			if !strings.Contains(read(name), text) {
				t.Errorf("%s has no %s:\n%s", name, text, read(name))
			}
		}
		if n := strings.Count(read("plugin/hooks/hooks.json"), binary); n != len(events) {
			t.Errorf("%d hooks for %d events", n, len(events))
		}
		if rest, err := filepath.Glob(dir + ".*"); err != nil || len(rest) > 0 {
			t.Errorf("left behind: %q, %v", rest, err)
		}
	}
	if err := install.WritePlugin(filepath.Join(t.TempDir(), "p"), fstest.MapFS{}, "1", want); err == nil {
		t.Error("a plugin without a manifest was written")
	}
}
