package e2e

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"
)

// space is a network of its own with nothing in it but the loopback. A thread
// lives in it; what it starts, and what it listens on, is in there too.
type space struct {
	jobs   chan func()
	closed error // why it is none, if it is none
}

// newSpace makes one. Where that is not permitted everything runs in the usual
// network, and only the address of the API keeps the client inside.
func newSpace() *space {
	s := &space{jobs: make(chan func())}
	ready := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		ready <- enterSpace()
		for job := range s.jobs {
			job()
		}
	}()
	s.closed = <-ready
	return s
}

// do runs a function inside.
func (s *space) do(fn func()) {
	done := make(chan struct{})
	s.jobs <- func() {
		defer close(done)
		fn()
	}
	<-done
}

func enterSpace() error {
	if err := syscall.Unshare(syscall.CLONE_NEWNET); err != nil {
		return fmt.Errorf("a network of its own: %w", err)
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	// struct ifreq: a name and, of all that may follow, the flags
	up := struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}{flags: syscall.IFF_UP | syscall.IFF_RUNNING}
	copy(up.name[:], "lo")
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&up))); errno != 0 {
		return fmt.Errorf("bring up the loopback: %w", errno)
	}
	return nil
}
