package codebase

import (
	"io/fs"
	"syscall"
	"time"
)

// Written is when a file was last written, as far as the system tells: the time
// of its text can be set back by anyone, that of its entry cannot.
func Written(fi fs.FileInfo) time.Time {
	text := fi.ModTime()
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		if entry := time.Unix(st.Ctim.Unix()); entry.After(text) {
			return entry
		}
	}
	return text
}
