//go:build unix

package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"chitta/internal/mind"
)

// cpuSelf is the CPU time of this process so far, in seconds.
func cpuSelf() float64 { s, _ := usage(unix.RUSAGE_SELF); return s }

func usage(who int) (cpu float64, largest int64) {
	var u unix.Rusage
	if unix.Getrusage(who, &u) != nil {
		return 0, 0
	}
	largest = int64(u.Maxrss)
	if runtime.GOOS != "darwin" {
		largest <<= 10 // told in kilobytes
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6, largest
}

// spentSoFar is what this process and those it started have taken.
func spentSoFar() spending {
	s := spending{at: time.Now(), resident: mind.Process().RSS}
	s.self = cpuSelf()
	s.children, s.largest = usage(unix.RUSAGE_CHILDREN)
	running, largest := stillRunning()
	s.children += running
	s.largest = max(s.largest, largest)
	return s
}

// ticks is how many the kernel of Linux tells for a second.
const ticks = 100

// stillRunning sums up children that have not ended, which the system counts only
// then. Where it does not list them it is nothing.
func stillRunning() (cpu float64, largest int64) {
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		pids, _ := os.ReadFile(list)
		for _, pid := range bytes.Fields(pids) {
			stat, _ := os.ReadFile("/proc/" + string(pid) + "/stat")
			if i := bytes.LastIndexByte(stat, ')'); i >= 0 { // what stands before may hold blanks
				if f := bytes.Fields(stat[i+1:]); len(f) > 12 {
					user, _ := strconv.ParseFloat(string(f[11]), 64)
					system, _ := strconv.ParseFloat(string(f[12]), 64)
					cpu += (user + system) / ticks
				}
			}
			largest = max(largest, peakOf(string(pid)))
		}
	}
	return cpu, largest
}

// peakOf is the most memory a process has had.
func peakOf(pid string) int64 {
	status, _ := os.ReadFile("/proc/" + pid + "/status")
	for line := range bytes.Lines(status) {
		if rest, ok := bytes.CutPrefix(line, []byte("VmHWM:")); ok {
			if f := bytes.Fields(rest); len(f) > 0 {
				kb, _ := strconv.ParseInt(string(f[0]), 10, 64)
				return kb << 10
			}
		}
	}
	return 0
}
