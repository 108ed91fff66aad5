package config

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
)

// Paths are the files of one data directory. Make one with [Locate] or, from a
// path known to be canonical, with [PathsFor].
type Paths struct {
	home    string
	runtime string // directory of the socket when home is too long for it
}

// PathsFor returns the paths of a canonical data directory.
func PathsFor(home string) Paths { return Paths{home: home, runtime: runtimeDir()} }

// Home is the data directory itself.
func (p Paths) Home() string { return p.home }

// ConfigFile is the optional configuration file.
func (p Paths) ConfigFile() string { return p.in("config.toml") }

// DB is the database.
func (p Paths) DB() string { return p.in("chitta.db") }

// Vectors is the database of vectors, which can be made again.
func (p Paths) Vectors() string { return p.in("vectors.db") }

// Code is the database of source code, which can be made again.
func (p Paths) Code() string { return p.in("code.db") }

// CodeVectors is the database of symbols' vectors, which can be made again.
func (p Paths) CodeVectors() string { return p.in("codevectors.db") }

// Index is the directory of everything that can be rebuilt from the database.
func (p Paths) Index() string { return p.in("index") }

// Backups is the directory of backups.
func (p Paths) Backups() string { return p.in("backups") }

// LogFile is the daemon's log.
func (p Paths) LogFile() string { return filepath.Join(p.in("logs"), "daemon.log") }

// StartLog holds what the last started daemon wrote to its standard streams:
// why it could not start, or how it died.
func (p Paths) StartLog() string { return filepath.Join(p.in("logs"), "start.log") }

// Lock is held by the daemon for as long as it lives.
func (p Paths) Lock() string { return p.in("daemon.lock") }

// StartLock is held by a client while it starts a daemon.
func (p Paths) StartLock() string { return p.in("start.lock") }

// InstallRecord is the note of what was done to the files of a client.
func (p Paths) InstallRecord() string { return p.in("install.json") }

// HTTPToken holds what a caller of [Config.HTTP] has to show.
func (p Paths) HTTPToken() string { return p.in("http.token") }

// Socket is where the daemon listens: chitta.sock in the data directory.
//
// The name of a Unix socket is limited to about a hundred bytes. Where the data
// directory is too deep for that, the socket lives in a short directory of the
// user, /tmp/chitta-UID (the temporary directory on Windows), under a name made
// from a hash of the canonical data directory. The place does not depend on
// XDG_RUNTIME_DIR or TMPDIR: hooks and MCP servers are often started with a
// reduced environment, and all roles must agree. [Paths.EnsureHome] creates
// that directory with mode 0700 and refuses one owned by somebody else.
func (p Paths) Socket() string {
	if s := p.in("chitta.sock"); len(s) <= maxSocketPath {
		return s
	}
	sum := sha256.Sum256([]byte(p.home))
	return filepath.Join(p.runtime, hex.EncodeToString(sum[:socketHashBytes])+".sock")
}

// SocketDir is the directory of the socket.
func (p Paths) SocketDir() string { return filepath.Dir(p.Socket()) }

// socketHashBytes is how much of the hash names a socket: 64 bits keep the
// path short and the directories of one user apart.
const socketHashBytes = 8

func (p Paths) in(name string) string { return filepath.Join(p.home, name) }
