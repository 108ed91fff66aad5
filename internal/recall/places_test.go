package recall

import (
	"testing"

	"pgregory.net/rapid"
)

// TestPlaces: places are found like in a map, whatever the numbers, and more
// of them than there was room for.
func TestPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlaces(rapid.IntRange(0, 40).Draw(t, "room"))
		want := map[int64]int{}
		keys := rapid.SliceOf(rapid.OneOf(rapid.Int64Range(-5, 60), rapid.Int64())).Draw(t, "keys")
		for _, key := range keys {
			at, known := want[key]
			if got := p.find(key); known && got != at || !known && got != -1 {
				t.Fatalf("find(%d) = %d, want %d, %v", key, got, at, known)
			}
			if !known {
				want[key] = len(want)
				p.put(key, want[key])
			}
		}
		for key, at := range want {
			if got := p.find(key); got != at {
				t.Fatalf("find(%d) = %d, want %d", key, got, at)
			}
		}
	})
}
