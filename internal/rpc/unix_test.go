//go:build !windows

package rpc

import (
	"testing"

	"golang.org/x/sys/unix"
)

func sessionOf(pid int) (int, error) { return unix.Getsid(pid) }

func kill(t testing.TB, pid int) {
	t.Helper()
	if err := unix.Kill(pid, unix.SIGKILL); err != nil {
		t.Errorf("kill %d: %v", pid, err)
	}
}
