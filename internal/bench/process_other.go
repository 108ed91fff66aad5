//go:build !unix

package bench

import (
	"time"

	"chitta/internal/mind"
)

// cpuSelf is the CPU time of this process so far, in seconds.
func cpuSelf() float64 { return mind.Process().CPUSeconds }

// spentSoFar is what this process has taken; what others take is not told.
func spentSoFar() spending {
	p := mind.Process()
	return spending{at: time.Now(), self: p.CPUSeconds, resident: p.RSS}
}
