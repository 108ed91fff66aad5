package rpc

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockOffset is where the locked byte lies. Locks are mandatory on Windows, so
// it is far behind the content, which others want to read.
const lockOffset = 1 << 30

// lockFile takes an exclusive lock without waiting. The system releases it when
// the handle is closed or its process ends.
func lockFile(f *os.File) (bool, error) {
	ol := windows.Overlapped{Offset: lockOffset}
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &ol)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return false, nil
	}
	return false, err
}
