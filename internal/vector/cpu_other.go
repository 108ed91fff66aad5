//go:build !unix

package vector

import "time"

// cpuTime is wall time where processor time is not at hand; only differences
// mean anything.
func cpuTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
