package daemon

import (
	"context"
	"log/slog"
	"math"
	"runtime"
	"runtime/debug"
	"time"
)

const (
	// memoryLimit makes the collector work harder before the process gets much
	// larger than a daemon beside an editor should be. It refuses nothing.
	memoryLimit = 512 << 20
	// memoryRound is how often memory is given back at most.
	memoryRound = time.Minute
	// memoryGrowth is what is worth a collection to give back: a few large
	// requests, many times what small ones leave behind.
	memoryGrowth = 64 << 20
)

// limitMemory sets the soft limit, unless GOMEMLIMIT has set one.
func limitMemory() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(memoryLimit)
	}
}

// giveBackMemory returns memory to the system after large requests. Left to
// itself, the runtime holds on to what a burst has taken for as long as the
// daemon is idle.
func giveBackMemory(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(memoryRound)
	defer tick.Stop()
	held := heldMemory()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var freed int64
		if held, freed = giveBack(held); freed > 0 {
			log.Debug("memory given back", "bytes", freed)
		}
	}
}

// giveBack returns memory when much more is held than there was. It returns
// what the next growth is counted from and how much was given back.
func giveBack(was int64) (held, freed int64) {
	now := heldMemory()
	if now-was < memoryGrowth {
		return min(was, now), 0
	}
	debug.FreeOSMemory()
	held = heldMemory()
	return held, now - held
}

// heldMemory is what the runtime has from the system. Reading it stops the
// process for some ten microseconds; package runtime/metrics would not, but it
// costs every process ten times that when it starts, hooks included.
func heldMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys - m.HeapReleased)
}
