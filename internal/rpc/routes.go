package rpc

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"
	"time"
)

// routes is the whole surface of the socket.
func (s *Server) routes() http.Handler {
	type route struct {
		method string
		serve  http.HandlerFunc
	}
	table := map[string]route{
		"/rpc":      {http.MethodPost, s.serveRPC},
		"/healthz":  {http.MethodGet, s.serveHealth},
		"/metrics":  {http.MethodGet, s.serveMetrics},
		"/shutdown": {http.MethodPost, s.serveShutdown},
	}
	return s.guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to, ok := table[r.URL.Path]
		if !ok {
			refuse(w, http.StatusNotFound, Errorf(CodeInvalidRequest, "there is nothing at this path").
				WithHint("use POST /rpc, GET /healthz, GET /metrics or POST /shutdown"))
			return
		}
		if r.Method != to.method {
			w.Header().Set("Allow", to.method)
			refuse(w, http.StatusMethodNotAllowed, Errorf(CodeInvalidRequest, "%s takes %s only", r.URL.Path, to.method))
			return
		}
		to.serve(w, r)
	}))
}

// guard lets only our own user through, and keeps a panic outside of handlers
// from being anything but an answer.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if v == http.ErrAbortHandler {
				panic(v)
			}
			s.log.Error("request panicked", keyPanic, v, keyStack, string(debug.Stack()))
			refuse(w, http.StatusInternalServerError, Errorf(CodeInternal, "internal error"))
		}()
		p := peerFrom(r.Context())
		if peersKnown && p.uid != s.uid {
			s.log.Warn("refused another user", keyUID, p.uid, keyPID, p.pid)
			s.metrics.count(methodNone, CodeForbidden)
			refuse(w, http.StatusForbidden, Errorf(CodeForbidden, "this daemon belongs to another user").
				WithHint("each user has a daemon of their own; check CHITTA_HOME"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refuse answers a request that never became a frame.
func refuse(w http.ResponseWriter, status int, e *Error) {
	writeJSON(w, status, answer{JSONRPC: "2.0", ID: nullID(), Error: e})
}

// writeJSON writes a whole answer. The error of writing is not reported: it
// means that the client is gone.
func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := encodeJSON(v)
	if err != nil {
		status = http.StatusInternalServerError
		body = []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"the answer cannot be encoded"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	// A failure to set the deadline only means there is none.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}

func (s *Server) serveHealth(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, s.health())
}

// maxReasonBytes bounds the body of /shutdown and what is logged of it.
const maxReasonBytes = 4 << 10

func (s *Server) serveShutdown(w http.ResponseWriter, r *http.Request) {
	if s.opts.OnShutdown == nil {
		refuse(w, http.StatusServiceUnavailable, Errorf(CodeUnavailable, "this daemon cannot be asked to stop").
			WithHint("end its process instead"))
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(readBodyTimeout))
	body, err := io.ReadAll(io.LimitReader(r.Body, maxReasonBytes))
	var in struct {
		Reason string `json:"reason"`
	}
	if err == nil && len(body) > 0 {
		err = json.Unmarshal(body, &in)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, Errorf(CodeParse, "the body must be like %s", `{"reason":"why"}`))
		return
	}
	caller := callerOf(r.Header, peerFrom(r.Context()))
	s.asked.Do(func() {
		s.log.Info("asked to stop", keyReason, in.Reason, keyClient, caller.Client, keyVersion, caller.Version, keyPID, caller.PID)
		s.opts.OnShutdown(in.Reason)
	})
	writeJSON(w, http.StatusAccepted, s.health())
}

// checkContentType takes JSON and what says nothing of its type. Everything
// else is refused, and with it the three types that a form in a web page can
// send without asking. curl -d says that it sends a form unless it is told
// otherwise, so the hint is for it.
func checkContentType(h http.Header) *Error {
	raw := h.Get("Content-Type")
	if raw == "" {
		return nil
	}
	kind, _, err := mime.ParseMediaType(raw) // in lower case
	isJSON := kind == "application/json" ||
		strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")
	if err != nil || !isJSON {
		return Errorf(CodeInvalidRequest, "the content type %.60q is not taken", raw).
			WithHint("add -H 'Content-Type: application/json'")
	}
	return nil
}

// readBody reads a body up to the limit. What is over it is thrown away as it
// comes, up to a bound, so that a client busy sending gets to read why it was
// refused instead of a broken connection.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) (body []byte, release func(), status int, e *Error) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(readBodyTimeout))
	limit := s.opts.MaxBodyBytes
	in := &meteredReader{from: io.LimitReader(r.Body, limit+1), held: &s.bodyBytes, most: inFlightBodies * limit}
	release = in.release
	tooLarge := r.ContentLength > limit
	var err error
	if !tooLarge {
		body, err = io.ReadAll(in)
		s.metrics.received.Add(int64(len(body)))
	}
	switch {
	case tooLarge || int64(len(body)) > limit:
		e = Errorf(CodeTooLarge, "the request is larger than %d bytes", limit).
			WithHint("send less at once, or raise daemon.max_body_bytes")
		e.Data.Limit = limit
		status = http.StatusRequestEntityTooLarge
	case errors.Is(err, errBodiesFull):
		e = Errorf(CodeUnavailable, "too many large requests at once").WithHint("try again in a moment")
		status = http.StatusServiceUnavailable
	case err != nil:
		e, status = Errorf(CodeParse, "the body cannot be read: %v", err), http.StatusBadRequest
	default:
		// Reading is over; from here on a read only tells that the client left.
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		return body, release, 0, nil
	}
	in.release()
	n, _ := io.CopyN(io.Discard, r.Body, discardBodies*limit)
	s.metrics.received.Add(n)
	return nil, func() {}, status, e
}
