// Package install makes chitta known to a coding agent's client and takes it
// out again: hooks in the client's settings, the MCP server where the client
// looks for servers, or a plugin; and, for those who ask for it, a summary in a
// project's CLAUDE.md.
//
// The files belong to the user and to the client. So every edit is a splice of
// bytes: what is not chitta's own stays as it is, comments, order and line
// ends included. A record beside chitta's data keeps the splices, and taking
// them back in reverse gives the file that was there before. When the file was
// changed meanwhile, only chitta's own entries go.
//
// The grammar (JSON with comments and trailing commas) is hujson's, because it
// is exact, keeps offsets and is fuzzed by others. Its patches are not used:
// they know nothing of indentation.
//
// Start with [Installer]; [Settings], [Servers], [ClaudeMD] and [Undo] are its
// pure core. [Installer.Inspect] only looks.
package install
