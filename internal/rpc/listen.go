package rpc

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"sync"
	"syscall"
)

// Listener listens on a Unix socket and owns its file.
type Listener struct {
	*net.UnixListener
	path string
	file fs.FileInfo // what was created at path
	once sync.Once
}

// Listen opens a socket at path that only its owner can connect to. Whatever is
// at path is replaced, so the caller must hold the daemon lock of the data
// directory: it proves that a socket found there belongs to no living daemon.
//
// The file is removed by [Server.Shutdown] and [Server.Close], never by closing
// the listener: by then it may belong to the next daemon.
func Listen(path string) (net.Listener, error) {
	ln, err := bind(path)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", path, err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen on %s: %w", path, err), ln.Close())
	}
	return &Listener{UnixListener: ln, path: path, file: info}, nil
}

// lost tells whether the path does not lead to this socket any more, so that
// nobody can find it. Not being able to look says nothing.
func (l *Listener) lost() bool {
	info, err := os.Lstat(l.path)
	return absent(err) || (err == nil && !os.SameFile(info, l.file))
}

// absent tells whether an error of looking at a path means that nothing is
// there, be it that a directory on the way has become a file.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// unlink removes the socket file once, if it is still the one we made.
func (l *Listener) unlink() error {
	var err error
	l.once.Do(func() {
		info, serr := os.Lstat(l.path)
		if serr != nil || !os.SameFile(info, l.file) {
			return
		}
		err = os.Remove(l.path)
	})
	return err
}

// listenUnix binds a socket whose file stays when the listener is closed.
func listenUnix(path string) (*net.UnixListener, error) {
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	ln.SetUnlinkOnClose(false)
	return ln, nil
}

// removeStale removes a socket, and nothing else, that a dead daemon left.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket && info.Mode().Type() != fs.ModeIrregular {
		return fmt.Errorf("%s is not a socket; move it away", path)
	}
	return os.Remove(path)
}
