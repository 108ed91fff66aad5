//go:build unix

package vector

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the processor time the process has used.
func cpuTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
