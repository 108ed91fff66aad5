package expr

import (
	"sync"
	"testing"
)

func TestCompiledAtFirstUse(t *testing.T) {
	broken := New(`(`) // harmless until asked
	e := New(`a(b+)`)
	if e.re != nil {
		t.Error("compiled before it was asked")
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if m := e.FindStringSubmatch("xabbc"); len(m) != 2 || m[1] != "bb" {
				t.Errorf("%q", m)
			}
		})
	}
	wg.Wait()
	defer func() {
		if recover() == nil {
			t.Error("a source that does not compile went unnoticed")
		}
	}()
	broken.MatchString("")
}
