//go:build !unix && !windows

package embed

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
