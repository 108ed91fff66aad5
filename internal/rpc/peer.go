package rpc

import (
	"context"
	"net"
)

// peer is the process at the other end of a connection, as the kernel knows it.
type peer struct {
	uid int // -1 when unknown
	pid int // 0 when unknown
}

type peerKey struct{}

// withPeer notes the peer of a connection in its context.
func withPeer(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, peerKey{}, peerOf(conn))
}

func peerFrom(ctx context.Context) peer {
	if p, ok := ctx.Value(peerKey{}).(peer); ok {
		return p
	}
	return peer{uid: -1}
}
