package embed

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
)

// crowded says whether more threads than a few want to run than there are
// cores: then a helper would only take time from others.
func crowded() bool {
	text, err := os.ReadFile("/proc/loadavg")
	return err == nil && wantToRun(text) > runtime.NumCPU()+1 // one may be about to sleep
}

// wantToRun reads how many threads run or could, the 3 of "0.5 0.4 0.3 3/210 7";
// 0 if it does not say.
func wantToRun(loadavg []byte) int {
	const field = 3
	fields := bytes.Fields(loadavg)
	if len(fields) <= field {
		return 0
	}
	running, _, _ := bytes.Cut(fields[field], []byte("/"))
	n, _ := strconv.Atoi(string(running))
	return n
}
