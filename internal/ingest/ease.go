package ingest

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// heapRoom is how much may be thrown away before the collector runs while
// transcripts are read, in bytes. Reading them makes a lot of garbage around
// little that stays, and to go through that little every few megabytes takes a
// twentieth of all time. An import may take 200 MB beyond the start; it needs
// about 70 by itself.
const heapRoom = 64 << 20

// easeLinger is how long garbage may go on growing after a file was read: the
// next usually follows, and to go back in between would run the collector.
const easeLinger = time.Second

// easer lets garbage grow while somebody reads.
type easer struct {
	linger  time.Duration
	mu      sync.Mutex
	eased   bool
	readers int
	before  int // what was set before the first of them
	percent int // what is set now
	back    *time.Timer
}

// easing is for the one collector there is.
var easing = easer{linger: easeLinger}

// easeCollector lets garbage grow until the returned function is called, and a
// while longer.
func easeCollector() (done func()) { return easing.ease() }

func (e *easer) ease() (done func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.readers++
	if !e.eased {
		e.before = debug.SetGCPercent(defaultPercent) // the only way to hear what was set
		e.eased, e.percent = true, defaultPercent
	}
	e.percent = easedPercent(e.before, alive(e.percent)) // again for every file: more may be alive than before
	debug.SetGCPercent(e.percent)
	return e.done
}

func (e *easer) done() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.readers--; e.readers > 0 {
		return
	}
	if e.back == nil {
		e.back = time.AfterFunc(e.linger, e.tighten)
	} else {
		e.back.Reset(e.linger)
	}
}

// tighten sets what was set before, unless somebody reads again.
func (e *easer) tighten() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.eased && e.readers == 0 {
		debug.SetGCPercent(e.before)
		e.eased = false
	}
}

// defaultPercent is how much garbage, in parts of what is alive, the runtime lets
// grow unless it is told otherwise.
const defaultPercent = 100

// easedPercent is the percentage of what is alive that may become garbage.
// Whoever wants less than the default has a reason and gets it, and so does who
// wants no collections.
func easedPercent(before int, live uint64) int {
	if before < defaultPercent {
		return before
	}
	return max(before, int(heapRoom*100/(live+heapRoom/4)))
}

// alive returns about what the last collection left, by when the next one is
// due with a percentage. Package runtime/metrics knows it exactly, but is set up
// before a hook can begin, and takes a twentieth of its time.
func alive(percent int) uint64 {
	if percent < 0 {
		return 0 // none is due
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.NextGC / uint64(100+percent) * 100
}
