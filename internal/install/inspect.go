package install

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/tailscale/hujson"
)

// Registration is what the client's files of a scope say of chitta.
type Registration struct {
	Scope string
	// Hooks are the events with a hook of chitta, and the binary or the URL
	// that each calls.
	Hooks map[string]string
	// Server is the binary of the MCP server, if it is registered.
	Server string
	// Plugin says that chitta's plugin is switched on.
	Plugin bool
	// Settings and Servers are the files.
	Settings, Servers File
}

// File is a file of the client as it was found.
type File struct {
	Path   string
	Exists bool
	// Problem says why it cannot be read; the client cannot either.
	Problem error
	// Foreign says that it has comments or trailing commas: the client ignores
	// such settings as a whole.
	Foreign bool
}

// Calls lists the binaries and URLs that the client is told to call.
func (r Registration) Calls() []string {
	calls := slices.Collect(maps.Values(r.Hooks))
	if r.Server != "" {
		calls = append(calls, r.Server)
	}
	slices.Sort(calls)
	return slices.Compact(calls)
}

// Inspect looks at the client's files of a scope and changes nothing.
func (in *Installer) Inspect(scope string) (Registration, error) {
	r := Registration{Scope: scope, Hooks: map[string]string{}}
	targets, err := in.targets(scope, Want{})
	if err != nil {
		return r, err
	}
	hooks, servers := targets[0], targets[1]
	var doc *document
	if r.Settings, doc = inspect(hooks.path); doc != nil {
		r.Hooks, r.Plugin = doc.ownHooks(), doc.pluginOn()
	}
	if r.Servers, doc = inspect(servers.path); doc != nil {
		r.Server = servers.command(doc.text)
	}
	return r, nil
}

// inspect reads a file as far as that can be done.
func inspect(path string) (File, *document) {
	f := File{Path: path}
	text, exists, err := readFile(path)
	f.Exists, f.Problem = exists, err
	if err != nil || !exists {
		return f, nil
	}
	f.Foreign = Foreign(text)
	d, err := parseDocument(text)
	if err != nil {
		f.Problem = err
		return f, nil
	}
	return f, d
}

// ownHooks returns what chitta's hooks in settings call, by event.
func (d *document) ownHooks() map[string]string {
	calls := map[string]string{}
	for _, event := range d.hookEvents() {
		groups, known := d.find([]string{hooksKey, event})
		if known < 2 {
			continue
		}
		for _, group := range elements(groups) {
			handlers := member(&group, "hooks")
			if i := ownHandler(handlers, event); i >= 0 {
				calls[event] = called(&elements(handlers)[i])
				break
			}
		}
	}
	return calls
}

// called is the binary or the URL of a handler.
func called(handler *hujson.Value) string {
	if url := text(member(handler, "url")); url != "" {
		return url
	}
	return text(member(handler, "command"))
}

// pluginOn reports whether settings switch the plugin on.
func (d *document) pluginOn() bool {
	path := []string{"enabledPlugins", PluginName + "@" + PluginName}
	on, known := d.find(path)
	if known < len(path) || on == nil {
		return false
	}
	lit, ok := on.Value.(hujson.Literal)
	return ok && lit.Kind() == 't'
}

// InspectPlugin looks at a plugin that [WritePlugin] wrote. One that is not
// there has neither hooks nor a server.
func InspectPlugin(dir string) Registration {
	dir = filepath.Join(dir, pluginFolder)
	r := Registration{Scope: "plugin", Hooks: map[string]string{}}
	var doc *document
	if r.Settings, doc = inspect(filepath.Join(dir, filepath.FromSlash(hooksFile))); doc != nil {
		r.Hooks = doc.ownHooks()
	}
	if r.Servers, doc = inspect(filepath.Join(dir, serversFile)); doc != nil {
		r.Server = registered(doc.text, nil)
	}
	return r
}
