package ingest

import (
	"runtime/debug"
	"testing"
	"testing/synctest"
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
	const mine = 123
	defer debug.SetGCPercent(debug.SetGCPercent(mine))
	percent := func() int { _, p := collector(); return p }
	synctest.Test(t, func(t *testing.T) {
		one := easeCollector()
		two := easeCollector()
		one()
		time.Sleep(2 * easeLinger)
		if percent() == mine {
			t.Error("it is set back while somebody reads")
		}
		two()
		time.Sleep(easeLinger / 2)
		if percent() == mine {
			t.Error("it is set back at once")
		}
		easeCollector()()
		time.Sleep(2 * easeLinger)
		synctest.Wait()
		if got := percent(); got != mine {
			t.Errorf("%d%% afterwards, want %d%%", got, mine)
		}
	})
	easing.back = nil // it belongs to the time of this test
}
