//go:build !windows

package rpc

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes an exclusive lock without waiting. flock belongs to the open
// file, so the kernel releases it when the last process that has it open ends.
func lockFile(f *os.File) (bool, error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return false, err
	}
	var lerr error
	err = raw.Control(func(fd uintptr) {
		for {
			lerr = unix.Flock(int(fd), unix.LOCK_EX|unix.LOCK_NB)
			if !errors.Is(lerr, unix.EINTR) {
				return
			}
		}
	})
	switch {
	case err != nil:
		return false, err
	case errors.Is(lerr, unix.EWOULDBLOCK):
		return false, nil
	}
	return lerr == nil, lerr
}
