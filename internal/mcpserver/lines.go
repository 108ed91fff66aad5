package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxLine is the longest message taken: the daemon's own limit.
	maxLine = 16 << 20
	// lastCalls is how long calls under way may go on after the client closed
	// its end.
	lastCalls = 30 * time.Second
	// methodListen is a call that is answered when its stream ends, so nobody
	// waits for it.
	methodListen = "subscriptions/listen"
)

// lineTransport exchanges one message per line. Unlike the transport of the
// SDK it outlives a line that is no message, and it lets the calls under way
// finish when the input ends.
type lineTransport struct {
	in  io.ReadCloser
	out io.WriteCloser
}

// Connect implements [mcp.Transport].
func (t *lineTransport) Connect(context.Context) (mcp.Connection, error) {
	c := &lineConn{
		in: t.in, out: t.out, incoming: make(chan jsonrpc.Message), ended: make(chan struct{}), closed: make(chan struct{}),
		open: make(map[jsonrpc.ID]bool), answered: make(chan struct{}, 1),
	}
	go c.readLines()
	return c, nil
}

type lineConn struct {
	in       io.ReadCloser
	incoming chan jsonrpc.Message
	ended    chan struct{} // closed when the input has ended, after err is set
	err      error

	mu       sync.Mutex // guards what follows
	out      io.WriteCloser
	open     map[jsonrpc.ID]bool // calls without an answer so far
	answered chan struct{}       // told when there are none

	once   sync.Once
	closed chan struct{}
}

// SessionID implements [mcp.Connection]; there is one session per process.
func (c *lineConn) SessionID() string { return "" }

// Close implements [mcp.Connection].
func (c *lineConn) Close() (err error) {
	c.once.Do(func() {
		close(c.closed)
		err = errors.Join(c.in.Close(), c.out.Close())
	})
	return err
}

// Read implements [mcp.Connection]. The end of the input is held back until
// the calls under way are answered, because it cancels them.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-c.incoming:
		return msg, nil
	case <-c.ended:
		c.finish(ctx)
		return nil, c.err
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *lineConn) finish(ctx context.Context) {
	enough := time.NewTimer(lastCalls)
	defer enough.Stop()
	for {
		c.mu.Lock()
		left := len(c.open)
		c.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-c.answered:
		case <-enough.C:
			return
		case <-c.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}

// Write implements [mcp.Connection].
func (c *lineConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	line, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := msg.(*jsonrpc.Response); ok {
		delete(c.open, r.ID)
		if len(c.open) == 0 {
			defer c.tell() // when it is written
		}
	}
	_, err = c.out.Write(append(line, '\n'))
	return err
}

func (c *lineConn) tell() {
	select {
	case c.answered <- struct{}{}:
	default:
	}
}

// readLines passes on what is a message and answers what is not, until the
// input ends.
func (c *lineConn) readLines() {
	defer close(c.ended)
	r := bufio.NewReaderSize(c.in, 64<<10)
	for {
		line, whole, err := readLine(r)
		if err != nil && len(line) == 0 {
			c.err = err
			return
		}
		if line = bytes.TrimSpace(line); whole && len(line) == 0 {
			continue
		}
		msg, refusal := decode(line, whole)
		if refusal != nil {
			c.refuse(refusal)
			continue
		}
		if r, ok := msg.(*jsonrpc.Request); ok && r.IsCall() && r.Method != methodListen {
			c.mu.Lock()
			c.open[r.ID] = true
			c.mu.Unlock()
		}
		select {
		case c.incoming <- msg:
		case <-c.closed:
			c.err = io.EOF
			return
		}
	}
}

// readLine reads a line, or the start of one that is too long to be whole.
// The last one may lack its end; the error comes with the next call.
func readLine(r *bufio.Reader) (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			whole = false
		}
		if whole || len(line) == 0 {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, whole, err
		}
	}
}

// decode returns the message of a line, or why it is none.
func decode(line []byte, whole bool) (jsonrpc.Message, *jsonrpc.Error) {
	refuse := func(code int64, why string) (jsonrpc.Message, *jsonrpc.Error) {
		return nil, &jsonrpc.Error{Code: code, Message: why}
	}
	switch {
	case !whole:
		return refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is longer than %d MiB", maxLine>>20))
	case !utf8.Valid(line):
		return refuse(jsonrpc.CodeParseError, "the message is not valid UTF-8")
	case !json.Valid(line):
		return refuse(jsonrpc.CodeParseError, "the message is not JSON")
	case line[0] == '[':
		return refuse(jsonrpc.CodeInvalidRequest, "batches are not taken; send one message per line")
	case line[0] != '{':
		return refuse(jsonrpc.CodeInvalidRequest, "the message is not a JSON object")
	}
	msg, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return refuse(jsonrpc.CodeInvalidRequest, "the message is not a JSON-RPC 2.0 request: "+err.Error())
	}
	return msg, nil
}

// refuse answers a line that is no message. It has no id that could be named.
func (c *lineConn) refuse(why *jsonrpc.Error) {
	line, err := json.Marshal(struct {
		JSONRPC string         `json:"jsonrpc"`
		ID      any            `json:"id"`
		Error   *jsonrpc.Error `json:"error"`
	}{"2.0", nil, why})
	if err != nil {
		return // a code and a text cannot fail
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// a client that cannot be written to is noticed at the next answer
	_, _ = c.out.Write(append(line, '\n'))
}
