//go:build !windows

package config

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// runtimeDir is the short directory for sockets whose home is too deep.
func runtimeDir() string { return "/tmp/chitta-" + strconv.Itoa(os.Getuid()) }

// foreignOwner returns the owner of a file that is not ours.
func foreignOwner(info fs.FileInfo) (uid int, foreign bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(st.Uid), int(st.Uid) != os.Getuid()
}

// shared tells whether anybody but the owner has access.
func shared(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }

// writable asks the system, which knows about read-only mounts too.
func writable(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }

func isReadOnlyFS(err error) bool { return errors.Is(err, unix.EROFS) }
