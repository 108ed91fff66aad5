package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Handler carries out methods. It must be safe for concurrent use, and should
// return soon after ctx ends.
type Handler interface {
	// Call carries out one request. params is an object, or nil when absent.
	// The result is encoded as JSON. An *[Error] chooses its code; any other
	// error becomes [CodeInternal]. An unknown method is
	// [CodeMethodNotFound]. The caller is in ctx: [CallerFrom].
	Call(ctx context.Context, method string, params json.RawMessage) (any, error)
}

// HandlerFunc is a function as a [Handler].
type HandlerFunc func(ctx context.Context, method string, params json.RawMessage) (any, error)

// Call calls f.
func (f HandlerFunc) Call(ctx context.Context, method string, params json.RawMessage) (any, error) {
	return f(ctx, method, params)
}

// ServerOptions sets up a [Server]. Zero numbers mean the defaults.
type ServerOptions struct {
	// Handler carries out the methods. Required.
	Handler Handler
	// Version of the daemon, a semantic version without a leading v.
	Version string
	// Logger gets trouble and slow requests; nil means nowhere.
	Logger *slog.Logger

	// RequestTimeout is the deadline of a request from when it was read.
	// Default 30 s.
	RequestTimeout time.Duration
	// SlowRequest is the age at which the watchdog reports a running request.
	// Default 1 s.
	SlowRequest time.Duration
	// MaxBodyBytes is the largest body accepted. Default 16 MiB.
	MaxBodyBytes int64
	// MinWorkers and MaxWorkers bound the pool. Default 2 and 16.
	MinWorkers, MaxWorkers int
	// QueueLimit is how many requests may wait for a worker. Default 256.
	QueueLimit int

	// Known tells whether a method exists, to keep made-up names out of the
	// metrics; nil means none is known.
	Known func(method string) bool
	// HealthFields adds fields to /healthz.
	HealthFields func() map[string]any
	// Samples adds samples to /metrics.
	Samples func() []Sample
	// OnShutdown is called once when a client asks the daemon to leave. It must
	// start an orderly drain and return at once. nil refuses such requests.
	OnShutdown func(reason string)
}

const (
	defaultRequestTimeout = 30 * time.Second
	defaultSlowRequest    = time.Second
	defaultMaxBodyBytes   = 16 << 20
	defaultMinWorkers     = 2
	defaultMaxWorkers     = 16
	defaultQueueLimit     = 256

	// These bound how long a client can hold a connection open by doing
	// nothing. Local clients need microseconds for each.
	readHeaderTimeout = 5 * time.Second
	readBodyTimeout   = 30 * time.Second
	writeTimeout      = 30 * time.Second
	// maxHeaderBytes has room for a working directory of 4 KiB, each byte of
	// which takes three when percent-encoded.
	maxHeaderBytes = 32 << 10

	// inFlightBodies is how many bodies of full size may be in memory at once.
	inFlightBodies = 8

	// acceptGrace is how long a drain goes on accepting after the socket file
	// is gone, for clients that had already found it.
	acceptGrace = 50 * time.Millisecond
	// cutGrace is how long a cut waits for handlers to notice it.
	cutGrace = time.Second
)

func (o *ServerOptions) setDefaults() {
	if o.RequestTimeout <= 0 {
		o.RequestTimeout = defaultRequestTimeout
	}
	if o.SlowRequest <= 0 {
		o.SlowRequest = defaultSlowRequest
	}
	if o.MaxBodyBytes <= 0 {
		o.MaxBodyBytes = defaultMaxBodyBytes
	}
	if o.MinWorkers <= 0 {
		o.MinWorkers = defaultMinWorkers
	}
	if o.MaxWorkers <= 0 {
		o.MaxWorkers = defaultMaxWorkers
	}
	if o.QueueLimit <= 0 {
		o.QueueLimit = defaultQueueLimit
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Known == nil {
		o.Known = func(string) bool { return false }
	}
}

// Server serves a [Handler] on a Unix socket. Make one with [NewServer], run it
// with Serve, end it with Shutdown or Close.
type Server struct {
	opts    ServerOptions
	log     *slog.Logger
	uid     int // the only user served
	started time.Time
	http    *http.Server
	pool    *pool
	metrics *metrics

	base   context.Context // parent of every request's context
	cancel context.CancelFunc

	bodyBytes atomic.Int64 // of bodies in memory
	draining  atomic.Bool
	asked     sync.Once // OnShutdown

	mu       sync.Mutex
	listener net.Listener
}

// NewServer makes a server; it starts nothing.
func NewServer(opts ServerOptions) *Server {
	opts.setDefaults()
	s := &Server{
		opts: opts, log: opts.Logger, uid: ownUID(), started: time.Now(),
		metrics: newMetrics(),
		pool:    newPool(opts.MinWorkers, opts.MaxWorkers, opts.QueueLimit, opts.SlowRequest, opts.Logger),
	}
	s.base, s.cancel = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler:           s.routes(),
		ReadHeaderTimeout: readHeaderTimeout,
		IdleTimeout:       readHeaderTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return s.base },
		ConnContext:       withPeer,
		ErrorLog:          slog.NewLogLogger(opts.Logger.Handler(), slog.LevelWarn),
	}
	// One request per connection, also for clients that would like more: a
	// drain closes idle connections, and a request that is on its way on one of
	// them at that instant would be lost.
	s.http.SetKeepAlivesEnabled(false)
	return s
}

// Serve accepts and answers requests until Shutdown or Close, and then returns
// nil; whoever called those waits for the requests. The listener is usually one
// of [Listen].
func (s *Server) Serve(ln net.Listener) error {
	s.mu.Lock()
	s.listener = ln
	s.mu.Unlock()
	if s.draining.Load() { // ended before it began
		s.unlink()
	}
	s.pool.start()
	for {
		err := s.http.Serve(ln)
		s.mu.Lock()
		next := s.listener
		s.mu.Unlock()
		switch {
		case errors.Is(err, http.ErrServerClosed):
			if next != ln { // it was opened at the last moment and never served
				return next.Close()
			}
			return nil
		case next == ln:
			return err
		}
		ln = next // Relisten has closed the one before
	}
}

// SocketLost tells whether the socket file this server listens on was removed
// or replaced, so that no client can reach it.
func (s *Server) SocketLost() bool {
	s.mu.Lock()
	ln, ok := s.listener.(*Listener)
	s.mu.Unlock()
	return ok && !s.draining.Load() && ln.lost()
}

// Relisten opens the socket anew when its file was lost; Serve goes on with the
// new one after those who still found the old one are served. As for [Listen],
// the caller must hold the daemon lock.
func (s *Server) Relisten() error {
	old, err := s.replaceListener()
	if old == nil || err != nil {
		return err
	}
	// Nobody can join these any more, and Serve is accepting them right now.
	for waited := time.Duration(0); hasBacklog(old.UnixListener) && waited < acceptGrace; waited += acceptGrace / 10 {
		time.Sleep(acceptGrace / 10)
	}
	if err := old.Close(); !errors.Is(err, net.ErrClosed) { // a cut was faster
		return err
	}
	return nil
}

// replaceListener swaps the listener for a new one on the same path and returns
// the old one, or nil when nothing is to be done. A drain removes the socket
// file under the same mutex, so none is left behind by one that starts now.
func (s *Server) replaceListener() (*Listener, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.listener.(*Listener)
	if !ok || s.draining.Load() || !old.lost() {
		return nil, nil
	}
	ln, err := Listen(old.path)
	if err != nil {
		return nil, err
	}
	s.listener = ln
	return old, nil
}

// Shutdown drains the server: it removes the socket file so that no new client
// finds it, goes on accepting for a moment so that those who did are served,
// stops accepting, and waits until every accepted request is answered. When ctx
// ends first the rest is cut, and the error says so.
func (s *Server) Shutdown(ctx context.Context) error {
	s.draining.Store(true)
	s.unlink()
	for pause := acceptGrace; pause > 0; {
		if err := sleep(ctx, pause); err != nil {
			return errors.Join(err, s.Close())
		}
		pause = 0
		if s.backlog() { // on a busy machine the moment was too short
			pause = acceptGrace / 10
		}
	}
	if err := s.http.Shutdown(ctx); err != nil {
		return errors.Join(err, s.Close())
	}
	// What is left are handlers that went on after their deadline.
	if err := s.pool.close(ctx); err != nil {
		return errors.Join(err, s.Close())
	}
	s.cancel()
	return nil
}

// Close cuts the server: connections are closed and every handler's context is
// canceled. It waits only a moment for handlers to return, and the error says
// when some did not.
func (s *Server) Close() error {
	s.draining.Store(true)
	s.unlink()
	s.cancel()
	err := s.http.Close()
	ctx, cancel := context.WithTimeout(context.Background(), cutGrace)
	defer cancel()
	if s.pool.close(ctx) != nil {
		return errors.Join(err, Errorf(CodeUnavailable, "%d requests are still running", s.pool.running.Load()))
	}
	return err
}

// unlink removes the socket file if it is the one this server listens on.
func (s *Server) unlink() {
	s.mu.Lock()
	ln, ok := s.listener.(*Listener)
	s.mu.Unlock()
	if !ok {
		return
	}
	if err := ln.unlink(); err != nil {
		s.log.Warn("socket file cannot be removed", keyPath, ln.path, keyError, err)
	}
}

// backlog tells whether clients have connected and are not accepted yet.
func (s *Server) backlog() bool {
	s.mu.Lock()
	ln, ok := s.listener.(*Listener)
	s.mu.Unlock()
	return ok && hasBacklog(ln.UnixListener)
}

// Health is the answer of /healthz.
type Health struct {
	// Status is StatusOK or StatusDraining.
	Status        string  `json:"status"`
	PID           int     `json:"pid"`
	Version       string  `json:"version"`
	UptimeSeconds float64 `json:"uptime_seconds"`
	// Fields is what the daemon adds, on the same level as the others.
	Fields map[string]json.RawMessage `json:"-"`
}

// What a daemon says of itself in [Health].
const (
	StatusOK       = "ok"
	StatusDraining = "draining"
)

func (s *Server) health() map[string]any {
	out := make(map[string]any)
	if s.opts.HealthFields != nil {
		for k, v := range s.opts.HealthFields() {
			out[k] = v
		}
	}
	out["status"] = StatusOK
	if s.draining.Load() {
		out["status"] = StatusDraining
	}
	out["pid"] = os.Getpid()
	out["version"] = s.opts.Version
	out["uptime_seconds"] = time.Since(s.started).Seconds()
	return out
}
