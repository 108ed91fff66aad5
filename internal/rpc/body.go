package rpc

import (
	"errors"
	"io"
	"sync/atomic"
)

// discardBodies is how many times the body limit is read and thrown away
// before a client that sends too much is cut off.
const discardBodies = 64

var errBodiesFull = errors.New("too many bodies in memory")

// meteredReader counts what is read into a shared total and stops when that is
// used up, so that many large requests at once cannot exhaust memory.
type meteredReader struct {
	from io.Reader
	held *atomic.Int64 // shared
	most int64
	own  int64
}

func (m *meteredReader) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.own += int64(n)
	if m.held.Add(int64(n)) > m.most {
		return n, errBodiesFull
	}
	return n, err
}

// release gives back what was read.
func (m *meteredReader) release() {
	m.held.Add(-m.own)
	m.own = 0
}
