//go:build unix

package mind

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// unixModes says that file modes mean who may read.
const unixModes = true

// processUse returns the resident bytes and CPU seconds of this process, as
// far as the system tells.
func processUse() (rss int64, cpu float64) {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) == nil {
		cpu = float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
	}
	// Linux tells the present size in pages; elsewhere it stays unknown.
	if b, err := os.ReadFile("/proc/self/statm"); err == nil {
		if f := bytes.Fields(b); len(f) > 1 {
			pages, _ := strconv.ParseInt(string(f[1]), 10, 64)
			rss = pages * int64(os.Getpagesize())
		}
	}
	return rss, cpu
}

// diskFree returns how many bytes the user may still write beside a path.
func diskFree(path string) (int64, bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}
