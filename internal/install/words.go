package install

import (
	"fmt"
	"slices"
	"strings"
)

// InstallLine is the command that registers chitta in a scope, UninstallLine
// the one that takes it out: every hint has to name the scope it is about.
func InstallLine(scope string, plugin bool) string {
	return "chitta install claude-code" + flags(scope, plugin)
}

// UninstallLine is the reverse of [InstallLine].
func UninstallLine(scope string, plugin bool) string {
	return "chitta uninstall claude-code" + flags(scope, plugin)
}

func flags(scope string, plugin bool) (s string) {
	if plugin {
		s += " --plugin"
	}
	if scope != ScopeUser {
		s += " --scope " + scope
	}
	return s
}

// Words says in words what changed in a file: which hooks, the server, the
// summary, and what became of them.
func (f FileReport) Words() string {
	var said []string
	for _, kind := range []string{Added, Updated, Removed} {
		var events, others []string
		for _, c := range f.Changes {
			if c.Kind != kind {
				continue
			}
			if event, ok := strings.CutPrefix(c.At, "/"+hooksKey+"/"); ok {
				events = appendNew(events, event)
			} else {
				others = appendNew(others, c.what())
			}
		}
		if len(events) > 0 {
			others = append([]string{hookWords(events)}, others...)
		}
		if len(others) > 0 {
			said = append(said, strings.Join(others, ", ")+" "+kind)
		}
	}
	return strings.Join(said, "; ")
}

// what names the entry that a change is about.
func (c Change) what() string {
	if strings.HasSuffix(strings.TrimSuffix(c.At, pointer(serverName)), pointer(serversKey)) {
		return "the MCP server " + serverName
	}
	return c.At
}

// hookWords names the events of hooks.
func hookWords(events []string) string {
	if len(events) == 1 {
		return "a hook for " + events[0]
	}
	return fmt.Sprintf("hooks for %d events (%s)", len(events), strings.Join(events, ", "))
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
