package daemon

import (
	"runtime"
	"testing"
)

// TestSpare: there are threads to spare, unless somebody has said how many.
func TestSpare(t *testing.T) {
	was := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(was)
	t.Setenv("GOMAXPROCS", "3")
	if spare(); runtime.GOMAXPROCS(0) != was {
		t.Errorf("%d threads, GOMAXPROCS notwithstanding", runtime.GOMAXPROCS(0))
	}
	t.Setenv("GOMAXPROCS", "")
	if spare(); runtime.GOMAXPROCS(0) != was+spareThreads {
		t.Errorf("%d threads, want %d more than %d", runtime.GOMAXPROCS(0), spareThreads, was)
	}
}
