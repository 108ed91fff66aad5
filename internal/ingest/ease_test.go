package ingest

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestEasedPercent(t *testing.T) {
	tests := []struct {
		name   string
		before int
		live   uint64
		want   int
	}{
		{"hardly anything alive", 100, 0, 400},
		{"as much as there is room", 100, heapRoom, 100},
		{"a large model", 100, 500 << 20, 100},
		{"little alive", 100, heapRoom / 4, 200},
		{"less wanted", 50, 0, 50},
		{"no collections", -1, 0, -1},
		{"more wanted", 800, 0, 800},
	}
	for _, tt := range tests {
		if got := easedPercent(tt.before, tt.live); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestEaseCollector: what was set before is set again once nobody has read for a
// while, and not in between.
func TestEaseCollector(t *testing.T) {
	time.Sleep(2 * easeLinger) // what other tests eased is set back
	const mine = 123
	defer debug.SetGCPercent(debug.SetGCPercent(mine))
	e := easer{linger: 50 * time.Millisecond}
	eased := func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.eased
	}
	one, two := e.ease(), e.ease()
	one()
	time.Sleep(3 * e.linger)
	if !eased() {
		t.Error("it is set back while somebody reads")
	}
	two()
	for deadline := time.Now().Add(10 * time.Second); eased() && time.Now().Before(deadline); {
		time.Sleep(e.linger)
	}
	if got := debug.SetGCPercent(mine); got != mine || eased() {
		t.Errorf("%d%% afterwards, want %d%%", got, mine)
	}
}

// TestAlive: what is alive is known but for a few megabytes, whatever may become
// garbage.
func TestAlive(t *testing.T) {
	time.Sleep(2 * easeLinger) // what other tests eased is set back
	const size, slack = 64 << 20, 16 << 20
	for _, percent := range []int{100, 300} {
		before := debug.SetGCPercent(percent)
		runtime.GC()
		few := alive(percent)
		kept := make([]byte, size)
		runtime.GC()
		if more := alive(percent); more < few+size-slack || more > few+size+slack {
			t.Errorf("at %d%%: %d bytes alive, and %d with %d more", percent, few, more, size)
		}
		runtime.KeepAlive(kept)
		debug.SetGCPercent(before)
	}
	if got := alive(-1); got != 0 {
		t.Errorf("%d bytes alive without collections", got)
	}
}
