package quick

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// OnlyPrint in the place of an event prints an empty object and nothing else:
// what a hook cannot be faster than, for benchmarks.
const OnlyPrint = "--only-print"

// left is the call that could not be settled here.
var left *Call

// Left returns the call that this process began before the binary was
// initialised and that somebody else has to finish; nil when there is none.
func Left() *Call { return left }

// See the package's comment for why this is done so early. It does nothing in a
// process that is not a hook.
func init() {
	begun := time.Now()
	if len(os.Args) < 2 || !Wanted(os.Args[1:]) {
		return
	}
	if len(os.Args) == 3 && os.Args[2] == OnlyPrint {
		_, _ = os.Stdout.WriteString("{}\n")
		os.Exit(0)
	}
	c := New(os.Args[2:], begun)
	c.Guard()
	if !reachable {
		left = c
		return
	}
	// Asked to end, a hook does so by itself: it has little time and ends with
	// success. A daemon it may start does not inherit this; main listens to
	// signals first.
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	if c.finish(input{os.Stdin}) {
		os.Exit(0)
	}
	left = c
}

// finish reads the report and answers it if the daemon can be reached the quick
// way. It reports whether the call is over.
func (c *Call) finish(stdin io.Reader) (over bool) {
	defer func() {
		if recover() != nil {
			c.Note(Panicked, "")
			over = true
		}
	}()
	return !c.Read(stdin) || c.ask()
}
