package rpc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

const (
	// backlogPause is the pause before connecting again when the daemon's
	// accept queue is full, which the kernel reports at once.
	backlogPause = 5 * time.Millisecond
	// refusalWait is how long to look for an answer after sending failed: a
	// daemon that refuses a request may close before it has read all of it.
	refusalWait = time.Second
)

// dial connects to the daemon. The error matches ErrNotRunning when nobody
// listens.
func (c *Client) dial(ctx context.Context) (net.Conn, error) {
	for {
		var d net.Dialer
		conn, err := d.DialContext(ctx, "unix", c.opts.Socket)
		switch {
		case err == nil:
			return conn, nil
		case ctx.Err() != nil:
			return nil, fmt.Errorf("connect to the daemon: %w", ctx.Err())
		case isBacklogFull(err):
			if err := sleep(ctx, backlogPause); err != nil {
				return nil, fmt.Errorf("connect to the daemon: %w", err)
			}
		case isNobodyListening(err):
			return nil, fmt.Errorf("%w: %w", ErrNotRunning, err)
		default:
			return nil, fmt.Errorf("connect to the daemon: %w", err)
		}
	}
}

// exchange sends one request on a connection of its own and reads the answer.
//
// It speaks HTTP on the connection itself instead of using http.Transport,
// because it has to know whether a byte was written, must never send twice, and
// should leave nothing running behind.
func (c *Client) exchange(ctx context.Context, method, path string, body []byte) (status int, data []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	req, err := c.newRequest(ctx, method, path, body)
	if err != nil {
		return 0, nil, err
	}
	conn, err := c.dial(ctx)
	if err != nil {
		return 0, nil, err
	}
	defer conn.Close()
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(interrupted)
		// Wakes up whatever is reading or writing.
		_ = conn.SetDeadline(time.Unix(1, 0))
	})
	defer func() {
		if !stop() {
			<-interrupted
		}
	}()

	out := &countingWriter{to: conn}
	writeErr := req.Write(out)
	if writeErr != nil && ctx.Err() == nil {
		_ = conn.SetReadDeadline(time.Now().Add(refusalWait))
	}
	status, data, err = readResponse(conn, req)
	switch {
	case err == nil:
		return status, data, nil
	case ctx.Err() != nil:
		return 0, nil, fmt.Errorf("the daemon has not answered yet: %w", ctx.Err())
	case out.n == 0:
		return 0, nil, fmt.Errorf("%w: %w", errNothingSent, writeErr)
	}
	return 0, nil, fmt.Errorf("%w: %w", ErrLost, err)
}

func readResponse(conn net.Conn, req *http.Request) (status int, data []byte, err error) {
	resp, err := http.ReadResponse(bufio.NewReader(conn), req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	data, err = io.ReadAll(io.LimitReader(resp.Body, maxResponseBytes+1))
	if err != nil {
		return 0, nil, err
	}
	if len(data) > maxResponseBytes {
		return 0, nil, fmt.Errorf("the answer is larger than %d bytes", maxResponseBytes)
	}
	if len(data) == 0 {
		data = nil
	}
	return resp.StatusCode, data, nil
}

// countingWriter counts what has been written.
type countingWriter struct {
	to io.Writer
	n  int64
}

func (w *countingWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	w.n += int64(n)
	return n, err
}
