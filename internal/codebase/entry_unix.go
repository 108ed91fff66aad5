//go:build linux || darwin || freebsd || netbsd || openbsd

package codebase

import (
	"io/fs"
	"syscall"
)

// EntryOf returns what the system tells of a file's entry.
func EntryOf(fi fs.FileInfo) Entry {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return Entry{}
	}
	return Entry{Inode: uint64(st.Ino), Changed: entryTime(st)}
}
