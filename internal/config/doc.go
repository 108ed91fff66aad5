// Package config owns where chitta keeps its files and how it is set up: the
// data directory and every path derived from it, the defaults, and the strict
// loading of config.toml with the environment over the file and flags over the
// environment.
//
// It never opens the database, the socket or a lock, starts nothing, and keeps
// no state: the environment and the user's home directory come in as
// functions. It imports only the shared words of internal/memory.
//
// Start with [Load], or with [Locate] where only the paths are needed (a hook
// must not fail over a typing mistake in config.toml). [Paths.EnsureHome]
// creates the data directory and refuses one that is not private.
package config

// Version is the version of this binary, a semantic version without a leading
// v. Releases set it with
//
//	-ldflags "-X chitta/internal/config.Version=1.2.3"
var Version = "0.1.0-dev"
