package rpc

import "net"

// bind makes the socket in place: Windows has no modes, and access follows the
// list of the directory, which is the user's own.
func bind(path string) (*net.UnixListener, error) {
	if err := removeStale(path); err != nil {
		return nil, err
	}
	return listenUnix(path)
}

// hasBacklog is not known on Windows; the grace of a drain has to do.
func hasBacklog(*net.UnixListener) bool { return false }
