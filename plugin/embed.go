// Package plugin holds the plugin for Claude Code, so that the binary can
// write it where the client finds it. The folder is a plugin as it stands;
// this file is the only Go in it.
package plugin

import "embed"

// Files are the plugin's, from its top folder.
//
//go:embed .claude-plugin .mcp.json commands hooks skills README.md
var Files embed.FS
