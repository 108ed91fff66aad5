package rpc

import (
	"time"

	"golang.org/x/sys/windows"
)

// processCPU is the processor time this process has used.
func processCPU() (time.Duration, bool) {
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user); err != nil {
		return 0, false
	}
	return ticks(kernel) + ticks(user), true
}

// ticks reads a Filetime as a span: units of 100 ns.
func ticks(f windows.Filetime) time.Duration {
	return time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime)) * 100
}

// processRSS is not read on Windows.
func processRSS() (int64, bool) { return 0, false }
