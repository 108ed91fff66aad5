//go:build !windows

package rpc

import (
	"net"
	"os"
)

// peersKnown says that the kernel tells who connected, so that a peer without
// a user is refused.
const peersKnown = true

func ownUID() int { return os.Getuid() }

func peerOf(conn net.Conn) peer {
	unknown := peer{uid: -1}
	uc, ok := conn.(*net.UnixConn)
	if !ok {
		return unknown
	}
	raw, err := uc.SyscallConn()
	if err != nil {
		return unknown
	}
	p := unknown
	if err := raw.Control(func(fd uintptr) { p = peerOfSocket(int(fd)) }); err != nil {
		return unknown
	}
	return p
}
