package rpc

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"
	"unicode/utf8"
)

const (
	headerClient  = "Chitta-Client"
	headerVersion = "Chitta-Version"
	headerSession = "Chitta-Session"
	headerCwd     = "Chitta-Cwd"
	headerTimeout = "Chitta-Timeout-Ms"
)

// Longest decoded values in bytes. A path may be as long as Linux allows.
const (
	maxClientBytes  = 64
	maxVersionBytes = 128
	maxSessionBytes = 256
	maxCwdBytes     = 4096
)

// Caller is who sent a request. Client, Version, Session and Cwd are what the
// caller says of itself; UID and PID come from the kernel.
type Caller struct {
	// Client is the calling role, such as "cli" or "mcp".
	Client string
	// Version is the version of the calling binary.
	Version string
	// UID is the user of the calling process, -1 where the system cannot tell.
	UID int
	// PID is the calling process, 0 where the system cannot tell.
	PID int
	// Session is the client's session, if it has one.
	Session string
	// Cwd is the caller's working directory.
	Cwd string
}

type callerKey struct{}

// WithCaller returns a context that carries the caller.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom returns who sent the request of this context, or the zero Caller.
func CallerFrom(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// set writes what a client says of itself into the headers.
func (c Caller) set(h http.Header) {
	for name, value := range map[string]string{
		headerClient: c.Client, headerVersion: c.Version,
		headerSession: c.Session, headerCwd: c.Cwd,
	} {
		if value != "" {
			h.Set(name, url.PathEscape(value))
		}
	}
}

// callerOf reads the headers of a request.
func callerOf(h http.Header, p peer) Caller {
	return Caller{
		Client:  headerValue(h, headerClient, maxClientBytes),
		Version: headerValue(h, headerVersion, maxVersionBytes),
		Session: headerValue(h, headerSession, maxSessionBytes),
		Cwd:     headerValue(h, headerCwd, maxCwdBytes),
		UID:     p.uid,
		PID:     p.pid,
	}
}

// headerValue decodes one header. A value that is too long or not encoded
// properly is dropped rather than cut: half a path is another path.
func headerValue(h http.Header, name string, limit int) string {
	v, err := url.PathUnescape(h.Get(name))
	if err != nil || len(v) > limit || !utf8.ValidString(v) {
		return ""
	}
	return v
}

// timeoutOf returns the deadline for a request: the server's, or the client's
// where that is shorter.
func timeoutOf(h http.Header, most time.Duration) time.Duration {
	ms, err := strconv.ParseInt(h.Get(headerTimeout), 10, 64)
	if err != nil || ms < 0 || ms >= most.Milliseconds() {
		return most
	}
	return time.Duration(ms) * time.Millisecond
}
