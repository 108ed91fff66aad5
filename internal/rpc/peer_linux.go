package rpc

import "golang.org/x/sys/unix"

func peerOfSocket(fd int) peer {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return peer{uid: -1}
	}
	return peer{uid: int(cred.Uid), pid: int(cred.Pid)}
}
