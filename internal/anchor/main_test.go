package anchor

import (
	"fmt"
	"os"
	"testing"

	"chitta/internal/codebase"
)

// TestMain lets the test binary be the processes that parse and resolve: they
// are started as the program itself would be.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "code" {
		if ran, err := codebase.Child(os.Args[2:], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		} else if ran {
			return
		}
	}
	os.Exit(m.Run())
}
