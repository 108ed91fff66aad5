package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	// defaultCallTimeout bounds an exchange when nobody else does. It is longer
	// than the daemon's own limit, so that the daemon's answer comes first.
	defaultCallTimeout = 60 * time.Second
	// maxResponseBytes bounds what a client reads of one answer.
	maxResponseBytes = 64 << 20
	// maxSends is how often a request may be sent: once more after each
	// hand-over or vanished daemon. Two in a row already mean trouble.
	maxSends = 4
)

var (
	// ErrNotRunning is returned when no daemon listens and none may be started.
	// Nothing was sent.
	ErrNotRunning = errors.New("the daemon is not running")
	// ErrLost is returned when the connection broke after the request was sent.
	// It may or may not have been carried out, so it is not sent again.
	ErrLost = errors.New("the daemon went away; the request may or may not have been carried out")

	// errNothingSent is an exchange that failed before a byte was written.
	errNothingSent = errors.New("the daemon closed the connection before anything was sent")
)

// ClientOptions sets up a [Client].
type ClientOptions struct {
	// Socket is the path of the daemon's socket. Required.
	Socket string
	// Lock is the path of the daemon's lock. It tells when a daemon that was
	// asked to leave is gone; without it the client goes by the socket alone.
	Lock string
	// Version of this binary, without a leading v.
	Version string
	// Name of this role, such as "cli"; Session and Cwd as in [Caller].
	Name, Session, Cwd string
	// Launcher starts a daemon when there is none; nil means never.
	Launcher *Launcher
	// ReadOnly reports the methods that change nothing. Such a request is sent
	// once more, to a fresh daemon, when the one it was sent to went away: what
	// would be wrong for others, to have it carried out twice, does no harm.
	// Nil means that none is known to be one.
	ReadOnly func(method string) bool
	// Timeout bounds one exchange with the daemon, not the start of one.
	// Default 60 s.
	Timeout time.Duration
}

// Client calls the daemon. It is safe for concurrent use.
//
// Every request has a connection of its own. On a Unix socket that costs some
// tens of microseconds, and it makes the hand-over between daemons exact: a
// connection either was accepted, and then its one request is answered even by
// a daemon that is leaving, or it failed before anything was written, and then
// the request can be sent elsewhere.
type Client struct {
	opts    ClientOptions
	closing chan struct{}
	once    sync.Once
	reapers sync.WaitGroup
}

// New makes a client; it connects to nothing.
func New(opts ClientOptions) *Client {
	if opts.Timeout <= 0 {
		opts.Timeout = defaultCallTimeout
	}
	return &Client{opts: opts, closing: make(chan struct{})}
}

// Close stops watching daemons this client has started; they live on. A
// process that ends right away need not call it.
func (c *Client) Close() error {
	c.once.Do(func() { close(c.closing) })
	c.reapers.Wait()
	return nil
}

// Call has the daemon carry out a method and decodes its result, unless result
// is nil. params is encoded as a JSON object; nil means none. An error of the
// daemon is an *[Error], also one that says why it could not start; see also
// [ErrNotRunning], [ErrLost], *[StartError] and *[StuckError]. When a daemon has
// to be started or replaced first, that happens here, and so does asking again
// what changes nothing.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	request := struct {
		JSONRPC string `json:"jsonrpc"`
		ID      int    `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", 1, method, params}
	body, err := encodeJSON(request)
	if err != nil {
		return fmt.Errorf("encode the parameters of %s: %w", method, err)
	}
	status, data, err := c.send(ctx, body, method)
	if err != nil {
		return err
	}
	raw, err := decodeAnswer(status, data)
	if err != nil {
		return err
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(raw, result); err != nil {
		return fmt.Errorf("decode the result of %s: %w", method, err)
	}
	return nil
}

// Raw sends a body as it is and returns the body of the answer, nil when there
// is none. The daemon's errors are in the answer.
func (c *Client) Raw(ctx context.Context, body []byte) ([]byte, error) {
	_, data, err := c.send(ctx, body, "")
	return data, err
}

// Health asks the running daemon how it is; it never starts one. A daemon that
// holds its lock without a socket gets a moment to listen, again or at last;
// the error is *[StuckError] when it does not, and [ErrNotRunning] when there
// is none.
func (c *Client) Health(ctx context.Context) (Health, error) {
	h, err := c.health(ctx)
	if !errors.Is(err, ErrNotRunning) || c.holder().PID == 0 {
		return h, err
	}
	brief := func() time.Duration { return relistenTimeout }
	if err := c.waitWhile(ctx, brief, c.unreachable(ctx)); err != nil {
		return Health{}, err
	}
	return c.health(ctx)
}

// health asks once, without waiting for anything but the answer.
func (c *Client) health(ctx context.Context) (Health, error) {
	return c.control(ctx, http.MethodGet, "/healthz", nil)
}

// send posts a frame, starting or replacing the daemon where needed. A method
// that changes nothing is sent once more when the daemon went away with it; if
// that happens twice the request itself may be the reason. The method may be
// unknown.
func (c *Client) send(ctx context.Context, body []byte, method string) (status int, data []byte, err error) {
	lost := false
	for range maxSends {
		status, data, err = c.exchange(ctx, http.MethodPost, "/rpc", body)
		switch {
		case c.opts.Launcher == nil:
			return status, data, publicError(err)
		case errors.Is(err, ErrNotRunning), errors.Is(err, errNothingSent),
			errors.Is(err, ErrLost) && !lost && c.opts.ReadOnly != nil && c.opts.ReadOnly(method):
			lost = lost || errors.Is(err, ErrLost)
			if lerr := c.launch(ctx); lerr != nil {
				return 0, nil, lerr
			}
		case err == nil && status == http.StatusConflict && isUpgrade(data):
			if herr := c.replace(ctx); herr != nil {
				return 0, nil, herr
			}
		default:
			return status, data, err
		}
	}
	return status, data, publicError(err)
}

// publicError turns the internal case of nothing sent into what it means for
// the caller: no daemon, nothing done.
func publicError(err error) error {
	if errors.Is(err, errNothingSent) {
		return fmt.Errorf("%w: %w", ErrNotRunning, err)
	}
	return err
}

// isUpgrade tells whether an answer refuses the request because the daemon is
// older than this client.
func isUpgrade(data []byte) bool {
	var a struct{ Error *Error }
	return json.Unmarshal(data, &a) == nil && a.Error != nil && a.Error.Code == CodeUpgrade
}

// decodeAnswer returns the result in an answer, or the error in it.
func decodeAnswer(status int, data []byte) (json.RawMessage, error) {
	var a struct {
		Result json.RawMessage
		Error  *Error
	}
	switch err := json.Unmarshal(data, &a); {
	case err == nil && a.Error != nil:
		return nil, a.Error
	case err == nil && status == http.StatusOK && a.Result != nil:
		return a.Result, nil
	}
	return nil, fmt.Errorf("unexpected answer from the daemon: HTTP status %d, %d bytes", status, len(data))
}

// control talks to the running daemon outside of /rpc. Those endpoints answer
// with the daemon's health.
func (c *Client) control(ctx context.Context, method, path string, body []byte) (Health, error) {
	status, data, err := c.exchange(ctx, method, path, body)
	if err != nil {
		return Health{}, publicError(err)
	}
	if status >= http.StatusBadRequest {
		_, err := decodeAnswer(status, data)
		return Health{}, err
	}
	var h Health
	if err := json.Unmarshal(data, &h); err != nil {
		return Health{}, fmt.Errorf("decode the daemon's health: %w", err)
	}
	if err := json.Unmarshal(data, &h.Fields); err != nil {
		return Health{}, fmt.Errorf("decode the daemon's health: %w", err)
	}
	for _, own := range []string{"status", "pid", "version", "uptime_seconds"} {
		delete(h.Fields, own)
	}
	return h, nil
}

// newRequest makes the HTTP request for an exchange.
func (c *Client) newRequest(ctx context.Context, method, path string, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://chitta"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Close = true
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	o := c.opts
	Caller{Client: o.Name, Version: o.Version, Session: o.Session, Cwd: o.Cwd}.set(req.Header)
	if deadline, ok := ctx.Deadline(); ok {
		left := max(1, time.Until(deadline).Milliseconds())
		req.Header.Set(headerTimeout, fmt.Sprint(left))
	}
	return req, nil
}
