package daemon

import (
	"runtime"
	"testing"
)

func TestMemoryIsGivenBackAfterGrowth(t *testing.T) {
	held := heldMemory()
	large := make([]byte, 3*memoryGrowth)
	for i := 0; i < len(large); i += 4096 {
		large[i] = 1
	}
	runtime.KeepAlive(large)
	large = nil
	after, freed := giveBack(held)
	if freed < 2*memoryGrowth || after >= held+memoryGrowth {
		t.Errorf("held %d before and %d after; %d given back", held, after, freed)
	}
	if _, freed := giveBack(after); freed != 0 {
		t.Errorf("gave back %d without growth", freed)
	}
}
