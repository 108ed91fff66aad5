//go:build !windows

package rpc

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// bind makes the socket under another name, sets its mode and only then gives
// it its own: at no instant, whatever the umask, can anybody else connect. The
// other name is no longer than the real one, which may be as long as a socket
// path can be, and always the same, so that one left by a crash is reused.
func bind(path string) (*net.UnixListener, error) {
	if err := removeStale(path); err != nil {
		return nil, err
	}
	temp := bindName(path)
	if err := removeStale(temp); err != nil {
		return nil, err
	}
	ln, err := listenUnix(temp)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(temp, 0o600); err != nil {
		return nil, errors.Join(err, ln.Close(), os.Remove(temp))
	}
	if err := os.Rename(temp, path); err != nil {
		return nil, errors.Join(err, ln.Close(), os.Remove(temp))
	}
	return ln, nil
}

func bindName(path string) string {
	dir, base := filepath.Split(path)
	if stem, ok := strings.CutSuffix(base, ".sock"); ok {
		return dir + stem + ".bind"
	}
	return dir + base + ".bind"
}

// hasBacklog tells whether a connection waits to be accepted. Closing the
// listener would reset it.
func hasBacklog(ln *net.UnixListener) bool {
	raw, err := ln.SyscallConn()
	if err != nil {
		return false
	}
	waiting := false
	err = raw.Control(func(fd uintptr) {
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, 0)
		waiting = err == nil && n > 0 && fds[0].Revents&unix.POLLIN != 0
	})
	return err == nil && waiting
}
