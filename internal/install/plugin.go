package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// PluginName is what the plugin is called, and the marketplace it is in.
const PluginName = "chitta"

// pluginFolder has the plugin, in the folder of its marketplace.
const pluginFolder = "plugin"

// Files of a plugin and of a marketplace that are written for a binary.
const (
	manifestFile    = ".claude-plugin/plugin.json"
	marketplaceFile = ".claude-plugin/marketplace.json"
	serversFile     = ".mcp.json"
	hooksFile       = "hooks/hooks.json"
)

// PluginHooks is the text of a plugin's hooks.json.
func PluginHooks(h Hooks) []byte {
	var events object
	for _, e := range h.Events {
		events = append(events, object{{e.Name, []object{h.group(e)}}}...)
	}
	return []byte(render(object{{hooksKey, events}}, "", "\n", defaultIndent) + "\n")
}

// WritePlugin writes a folder that the client takes as a marketplace with one
// plugin in it: the given files, the version and the binary to start. Hooks are
// in it only if there are events. A folder that is there already is replaced.
func WritePlugin(dir string, files fs.FS, version string, want Want) (err error) {
	if err := validText("the path of the binary", want.Server.Command); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+".*.tmp")
	if err != nil {
		return fmt.Errorf("write the plugin: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(fresh)) }()
	if err := os.CopyFS(filepath.Join(fresh, pluginFolder), files); err != nil {
		return fmt.Errorf("write the plugin: %w", err)
	}
	manifest, err := manifestFor(files, version)
	if err != nil {
		return err
	}
	servers := object{{serversKey, object{{serverName, object{
		{"type", "stdio"}, {"command", want.Server.Command}, {"args", want.Server.args()},
	}}}}}
	marketplace := object{
		{"name", PluginName}, {"owner", object{{"name", PluginName}}},
		{"metadata", object{{"description", "chitta on this machine"}}},
		{"plugins", []object{{{"name", PluginName}, {"source", "./" + pluginFolder}}}},
	}
	texts := map[string]string{
		marketplaceFile:                       render(marketplace, "", "\n", defaultIndent),
		path.Join(pluginFolder, manifestFile): manifest,
		path.Join(pluginFolder, serversFile):  render(servers, "", "\n", defaultIndent),
	}
	if len(want.Hooks.Events) > 0 {
		texts[path.Join(pluginFolder, hooksFile)] = string(PluginHooks(want.Hooks))
	}
	for name, text := range texts {
		full := filepath.Join(fresh, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), ownFolder); err != nil {
			return fmt.Errorf("write the plugin: %w", err)
		}
		if err := os.WriteFile(full, []byte(text), ownFile); err != nil {
			return fmt.Errorf("write the plugin: %w", err)
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("replace the plugin: %w", err)
	}
	return os.Rename(fresh, dir)
}

// manifestFor returns the plugin's manifest with another version.
func manifestFor(files fs.FS, version string) (string, error) {
	text, err := fs.ReadFile(files, manifestFile)
	if err != nil {
		return "", fmt.Errorf("write the plugin: %w", err)
	}
	var manifest map[string]any
	if err := json.Unmarshal(text, &manifest); err != nil {
		return "", fmt.Errorf("write the plugin: %s: %w", manifestFile, err)
	}
	manifest["version"] = version
	return render(manifest, "", "\n", defaultIndent), nil
}

// PluginCommands are the client's own commands that put the plugin in or out:
// where it keeps plugins is its own business.
func PluginCommands(dir, scope string, out bool) [][]string {
	name := PluginName + "@" + PluginName
	if out {
		return [][]string{
			{"plugin", "uninstall", name, "--scope", scope},
			{"plugin", "marketplace", "remove", PluginName},
		}
	}
	return [][]string{
		{"plugin", "marketplace", "add", dir},
		{"plugin", "install", name, "--scope", scope},
	}
}
