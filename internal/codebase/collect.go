package codebase

import (
	"math"
	"runtime"
	"runtime/debug"
)

// How much garbage, in percent of what is in use, a solving process makes before
// it is collected: solveGC, or gcRoom where that is more, as small
// projects need not save.
const (
	solveGC = 60
	mostGC  = 200
	gcRoom  = 200 << 20
)

// collectLater has no garbage collected while facts come in: they stay, so that
// there is hardly any.
func collectLater() { debug.SetGCPercent(-1) }

// collectFromHere has garbage collected as far as the constants above say, the
// first time once that much is made on top of what is in use now: collecting at
// once would find nothing.
func collectFromHere() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.NumGC > 0 {
		collectFor(m.HeapAlloc)
		return
	}
	room := max(m.HeapAlloc*solveGC/100, min(gcRoom, m.HeapAlloc*mostGC/100))
	debug.SetMemoryLimit(int64(m.Sys - m.HeapReleased + room))
	// what nothing points to is found by the first collection, which tells
	runtime.AddCleanup(new([16]byte), func(struct{}) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		collectFor(m.HeapAlloc)
		debug.SetMemoryLimit(math.MaxInt64)
	}, struct{}{})
}

// collectFor sets how often garbage is collected by how much is in use.
func collectFor(used uint64) {
	debug.SetGCPercent(min(max(solveGC, int(gcRoom*100/(used+1))), mostGC))
}
