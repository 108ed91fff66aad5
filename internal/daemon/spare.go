package daemon

import (
	"os"
	"runtime"
	"sync"
)

// spareThreads is how many more threads than processors may run. Go lets a
// goroutine compute for ten milliseconds before another has its turn, and a
// request changes goroutines several times; with a thread to spare it is the
// system that decides, and it lets what has just woken up go first. So hooks,
// which have 50 ms, do not stand in line behind embedding and linking.
const spareThreads = 2

// spare lets more threads run, unless GOMAXPROCS says how many.
func spare() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + spareThreads)
	}
}

// spareOnce does so once in a process, however many daemons tests start in it.
var spareOnce = sync.OnceFunc(spare)
