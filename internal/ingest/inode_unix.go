//go:build unix

package ingest

import (
	"io/fs"
	"syscall"
)

// inodeOf tells a file from another that is put in its place.
func inodeOf(fi fs.FileInfo) int64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return int64(st.Ino)
	}
	return 0
}
