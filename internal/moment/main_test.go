package moment

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"chitta/internal/codebase"
)

// TestMain lets the test binary be the process that parses: it is started as the
// program itself would be.
func TestMain(m *testing.M) {
	if slices.Equal(os.Args[1:], []string{"code", "worker"}) {
		if err := codebase.Work(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
