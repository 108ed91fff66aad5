package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

// serveRPC answers POST /rpc.
func (s *Server) serveRPC(w http.ResponseWriter, r *http.Request) {
	started := time.Now()
	s.metrics.inFlight.Add(1)
	defer s.metrics.inFlight.Add(-1)
	fail := func(status int, e *Error) {
		s.metrics.count(methodNone, e.Code)
		refuse(w, status, e)
	}
	caller := callerOf(r.Header, peerFrom(r.Context()))
	body, release, status, e := s.readBody(w, r)
	if e != nil {
		fail(status, e)
		return
	}
	defer release()
	if Newer(caller.Version, s.opts.Version) {
		e := Errorf(CodeUpgrade, "the daemon has version %s, older than the client's %s", s.opts.Version, caller.Version).
			WithHint("stop the daemon with: chitta daemon stop")
		e.Data.Version = s.opts.Version
		fail(http.StatusConflict, e)
		return
	}
	if e := checkContentType(r.Header); e != nil {
		fail(http.StatusUnsupportedMediaType, e)
		return
	}
	f, e := decodeFrame(body)
	if e != nil {
		fail(http.StatusOK, e)
		return
	}
	timeout := timeoutOf(r.Header, s.opts.RequestTimeout)
	ctx, cancel := context.WithTimeout(WithCaller(r.Context(), caller), timeout)
	defer cancel()
	answers := s.run(ctx, f, caller, started, timeout)
	switch {
	case r.Context().Err() != nil:
		// The client is gone, or the server is being cut: say nothing, which is
		// not the same as an empty answer.
		panic(http.ErrAbortHandler)
	case len(answers) == 0:
		w.WriteHeader(http.StatusNoContent)
	case f.batch:
		writeJSON(w, http.StatusOK, answers)
	default:
		writeJSON(w, http.StatusOK, answers[0])
	}
}

// run has a frame executed by the pool and returns its answers, at the latest
// when ctx ends.
func (s *Server) run(ctx context.Context, f frame, caller Caller, started time.Time, timeout time.Duration) []answer {
	j := &job{server: s, ctx: ctx, frame: f, caller: caller, slots: make([]slot, len(f.entries)), done: make(chan struct{})}
	refusal := Errorf(CodeTimeout, "the deadline of %v passed", timeout).
		WithHint("it may still be carried out; ask for less at once or allow more time")
	switch err := s.pool.submit(&task{run: j.run, describe: j.describe}); {
	case errors.Is(err, errQueueFull):
		refusal = Errorf(CodeUnavailable, "the daemon is busy: %d requests are running and %d waiting", s.opts.MaxWorkers, s.opts.QueueLimit).
			WithHint("try again in a moment")
	case err != nil:
		refusal = Errorf(CodeUnavailable, "the daemon is about to leave").WithHint("try again")
	default:
		select {
		case <-j.done:
		case <-ctx.Done():
		}
	}
	return j.collect(refusal, started)
}

// job is a frame on its way through the pool.
type job struct {
	server *Server
	ctx    context.Context
	frame  frame
	caller Caller
	done   chan struct{}

	mu      sync.Mutex
	slots   []slot
	current int  // entry that runs
	closed  bool // the answers were collected; later ones have no reader
}

// slot is the outcome of one entry.
type slot struct {
	answer   answer
	finished bool
}

// run executes the entries in order. An entry that was not begun when the
// deadline passed is left out.
func (j *job) run() {
	defer close(j.done)
	for i, e := range j.frame.entries {
		j.mu.Lock()
		j.current = i
		stop := j.closed || j.ctx.Err() != nil
		j.mu.Unlock()
		if stop {
			return
		}
		a := j.server.execute(j.ctx, e, j.caller)
		j.mu.Lock()
		j.slots[i] = slot{answer: a, finished: true}
		j.mu.Unlock()
	}
}

// collect takes the answers there are; entries without one get the refusal.
func (j *job) collect(refusal *Error, started time.Time) []answer {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
	var out []answer
	for i, e := range j.frame.entries {
		a := j.slots[i].answer
		if !j.slots[i].finished {
			err := error(refusal)
			if e.err != nil {
				err = e.err
			}
			a = newAnswer(e.id, nil, err)
		}
		code := 0
		if a.Error != nil {
			code = a.Error.Code
		}
		j.server.observe(e.method, code, time.Since(started), j.caller)
		if !e.silent() {
			out = append(out, a)
		}
	}
	return out
}

// describe says what runs, for the watchdog.
func (j *job) describe() []any {
	j.mu.Lock()
	defer j.mu.Unlock()
	return []any{
		keyMethod, j.server.label(j.frame.entries[j.current].method),
		keyClient, j.caller.Client, keyPID, j.caller.PID,
	}
}

// execute carries out one entry. It returns whatever the handler does.
func (s *Server) execute(ctx context.Context, e entry, caller Caller) (a answer) {
	if e.err != nil {
		return newAnswer(e.id, nil, e.err)
	}
	defer func() {
		if v := recover(); v != nil {
			s.pool.panics.Add(1)
			s.log.Error("handler panicked", keyMethod, s.label(e.method), keyClient, caller.Client,
				keyPanic, fmt.Sprint(v), keyStack, string(debug.Stack()))
			a = newAnswer(e.id, nil, Errorf(CodeInternal, "internal error in %s", e.method).
				WithHint("the daemon's log has the details"))
		}
	}()
	// The handler may keep what it gets; the body is not reused, so it may.
	result, err := s.opts.Handler.Call(ctx, e.method, json.RawMessage(e.params))
	return newAnswer(e.id, result, err)
}

// observe counts and, at debug level, logs one finished entry.
func (s *Server) observe(method string, code int, took time.Duration, caller Caller) {
	label := s.label(method)
	s.metrics.observe(label, code, took)
	s.log.Debug("request", keyMethod, label, keyCode, code, keyAge, took, keyClient, caller.Client)
}

// label is the method for metrics and logs: made-up names are not repeated.
func (s *Server) label(method string) string {
	switch {
	case method == "":
		return methodNone
	case s.opts.Known(method):
		return method
	}
	return methodOther
}
