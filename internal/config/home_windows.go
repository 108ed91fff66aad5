package config

import (
	"io/fs"
	"os"
	"path/filepath"
)

// maxSocketPath is the longest socket path in bytes: sun_path holds 108 with
// the closing NUL.
const maxSocketPath = 107

// runtimeDir is the short directory for sockets whose home is too deep; the
// temporary directory belongs to the user on Windows.
func runtimeDir() string { return filepath.Join(os.TempDir(), "chitta") }

// Windows keeps access in lists that the user's profile directory sets up for
// its owner alone and everything below inherits; modes say nothing there.
func foreignOwner(fs.FileInfo) (uid int, foreign bool) { return 0, false }

func shared(fs.FileInfo) bool { return false }

func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return err
	}
	name := f.Name()
	if err := f.Close(); err != nil {
		return err
	}
	return os.Remove(name)
}

func isReadOnlyFS(error) bool { return false }
