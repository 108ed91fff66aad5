//go:build !linux

package codebase

import (
	"os"
	"testing"
)

// asNobody runs fn, which root cannot: it reads everything.
func asNobody(t *testing.T, _ string, fn func()) {
	t.Helper()
	if os.Getuid() == 0 {
		t.Skip("needs a user whom a closed folder keeps out")
	}
	fn()
}
