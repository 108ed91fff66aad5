package rpc

import "golang.org/x/sys/unix"

func peerOfSocket(fd int) peer {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return peer{uid: -1}
	}
	p := peer{uid: int(cred.Uid)}
	if pid, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID); err == nil {
		p.pid = pid
	}
	return p
}
