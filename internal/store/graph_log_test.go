package store

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestTheLogShrinks: what a large transaction needs is given back by the writes
// that follow.
func TestTheLogShrinks(t *testing.T) {
	s := openTest(t)
	note := func(key string, size int) {
		t.Helper()
		if err := s.Write(t.Context(), func(tx *Tx) error { return tx.SetNote(key, strings.Repeat("x", size)) }); err != nil {
			t.Fatal(err)
		}
	}
	size := func() int64 {
		t.Helper()
		info, err := os.Stat(s.opts.Path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	note("large", 4*walLimit)
	if n := size(); n < 2*walLimit {
		t.Fatalf("a log of %d bytes shows little", n)
	}
	for i := range 5 {
		note(fmt.Sprint("small", i), 10)
	}
	if n := size(); n > walLimit {
		t.Errorf("the log stays at %d bytes", n)
	}
}
