package daemon

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"chitta/internal/hook/quick"
)

const (
	// maxConns is how many connections may be open: several times what clients
	// need, and few beside the descriptors that the store and its indexes need.
	maxConns = 64
	// refusedEvery is how often a refusal is noted for one reason: anybody can
	// cause them, and they must not push other reasons out of the log.
	refusedEvery = time.Minute
)

// admit lets in who may call, and says no more to others than that they may
// not.
func (w *webhook) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		no := func(reason, words string, status int) {
			w.refuse(reason)
			rw.Header().Set("Connection", "close") // who may not call holds nothing
			http.Error(rw, words, status)
		}
		switch {
		case !loopbackName(r.Host):
			no(quick.OtherHost, "call 127.0.0.1, ::1 or localhost", http.StatusForbidden)
		case r.Header.Get("Origin") != "":
			no(quick.FromPage, "no web page may call this", http.StatusForbidden)
		case !w.knows(r.Header.Get("Authorization")):
			no(quick.OtherToken, "the token is missing or another: chitta doctor says more", http.StatusUnauthorized)
		default:
			next.ServeHTTP(rw, r)
		}
	})
}

// loopbackName reports whether a request was sent to a name that is always this
// machine.
func loopbackName(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	return name == "127.0.0.1" || name == "::1" || strings.EqualFold(name, "localhost")
}

// knows compares tokens in a time that says nothing of how much of one is
// right.
func (w *webhook) knows(authorization string) bool {
	token, ok := strings.CutPrefix(authorization, "Bearer ")
	shown := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(shown[:], w.token[:]) == 1 && ok
}

// refuse notes that somebody was not let in. Nothing of what they sent is in the
// note, and however many there are, the log stays short.
func (w *webhook) refuse(reason string) {
	if more, due := w.refused.due(reason, time.Now()); due {
		detail := ""
		if more > 0 {
			detail = fmt.Sprintf("and %d more since the last note of it", more)
		}
		quick.Note(w.home, "", "", reason, detail, 0)
	}
}

// refusals counts who was not let in, by reason. Its zero value is ready.
type refusals struct {
	mu    sync.Mutex
	noted map[string]time.Time
	more  map[string]int
}

// due reports whether a refusal is to be noted, and how many were not since the
// last that was.
func (r *refusals) due(reason string, now time.Time) (more int, due bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.noted == nil {
		r.noted, r.more = map[string]time.Time{}, map[string]int{}
	}
	if last, ok := r.noted[reason]; ok && now.Sub(last) < refusedEvery {
		r.more[reason]++
		return 0, false
	}
	more = r.more[reason]
	r.noted[reason], r.more[reason] = now, 0
	return more, true
}

// fewConns is a listener that closes connections beyond what open holds: waiting
// for a place would cost the client its time.
type fewConns struct {
	net.Listener
	open chan struct{}
	full func() // called for each that is closed
}

// Accept returns the next connection that there is a place for.
func (l *fewConns) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.open <- struct{}{}:
			return &countedConn{Conn: conn, gone: sync.OnceFunc(func() { <-l.open })}, nil
		default:
			_ = conn.Close() // nothing was said on it
			l.full()
		}
	}
}

// countedConn gives its place back when it is closed.
type countedConn struct {
	net.Conn
	gone func()
}

// Close closes the connection; twice does no harm.
func (c *countedConn) Close() error {
	defer c.gone()
	return c.Conn.Close()
}

// CloseWrite tells the caller that the answer is complete. The server looks for
// it, so that a caller who still sends gets to read why it is not heard.
func (c *countedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
