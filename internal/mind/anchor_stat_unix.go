//go:build linux || darwin || freebsd || netbsd || openbsd

package mind

import "golang.org/x/sys/unix"

// markOf returns the mark of a file.
func markOf(full string) inodeMark {
	var s unix.Stat_t
	if unix.Stat(full, &s) != nil {
		return inodeMark{}
	}
	return inodeMark{inode: uint64(s.Ino), changed: s.Ctim.Nano()}
}
