package daemon

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"chitta/internal/config"
	"chitta/internal/hook/quick"
	"chitta/internal/moment"
	"chitta/internal/rpc"
)

const (
	// maxPosted is the largest event taken. The client posts the whole output of
	// a tool, of which little is of use.
	maxPosted = 4 << 20
	// maxPosts is how many events may be under way; more are refused, which
	// costs the client a memory and not its time.
	maxPosts = 16

	// These bound how long a caller can hold a connection by doing nothing.
	// Before its header has come nobody knows who it is, so that is soon.
	postHeaderTimeout = time.Second
	postReadTimeout   = 5 * time.Second
	postWriteTimeout  = 5 * time.Second
	postIdleTimeout   = time.Minute
	postHeaderBytes   = 16 << 10

	// postReserve is kept back from an event's time for writing the answer.
	postReserve = 5 * time.Millisecond

	// hookMethod is the operation that takes events, hookActor who asks for it.
	hookMethod = "hook"
	hookActor  = "hook"

	// postDrain is how long events may take when the daemon is about to leave.
	postDrain = time.Second
)

// webhook takes events of the client on the loopback: those that it posts
// itself instead of starting a process. It is off unless http.listen says
// otherwise.
//
// Unlike a socket with its mode, a port is open to every user and every web
// page of the machine. So a caller has to show a token that only the owner of
// the data directory can read, and to call the loopback by its own name, which
// a page that made a name of its own lead here does not; it gets no leave to
// share answers with pages, and no page is answered.
type webhook struct {
	home    string
	token   [sha256.Size]byte
	next    rpc.Handler
	slots   chan struct{}
	server  *http.Server
	refused refusals
	log     *slog.Logger
}

// posts is the webhook of a daemon, if it has one.
type posts struct {
	*webhook
	listener net.Listener
	log      *slog.Logger // also without a webhook
	problem  string       // why there is none although there should be
}

// openPosts listens, if the configuration says so. A failure is for the log and
// the doctor: the daemon serves without.
func openPosts(cfg config.Config, next rpc.Handler, log *slog.Logger) *posts {
	p := &posts{log: log}
	if cfg.HTTP.Listen == "" {
		return p
	}
	err := tokenToOneself(cfg.Paths().HTTPToken(), log)
	var token string
	if err == nil {
		token, err = httpToken(cfg.Paths().HTTPToken())
	}
	if err == nil {
		p.listener, err = net.Listen("tcp", cfg.HTTP.Listen)
	}
	if err != nil {
		p.problem = err.Error()
		log.Error("hooks cannot be posted", "address", cfg.HTTP.Listen, "error", err)
		return p
	}
	p.webhook = newWebhook(cfg.Home, token, next, log)
	p.listener = &fewConns{Listener: p.listener, open: make(chan struct{}, maxConns), full: func() { p.refuse(quick.TooManyConns) }}
	log.Info("listening for posted hooks", "address", p.listener.Addr())
	return p
}

// health adds to what the daemon says of itself where hooks can be posted.
func (p *posts) health(fields func() map[string]any) func() map[string]any {
	return func() map[string]any {
		all := fields()
		switch {
		case p.problem != "":
			all["http_problem"] = p.problem
		case p.listener != nil:
			all["http"] = p.listener.Addr().String()
		}
		return all
	}
}

// serve takes events until close is called.
func (p *posts) serve() {
	if p.webhook == nil {
		return
	}
	if err := p.server.Serve(p.listener); !errors.Is(err, http.ErrServerClosed) {
		p.log.Error("hooks cannot be posted any more", "error", err)
	}
}

// close lets events under way finish, also those whose callers were answered
// already because their time was up: what they work with goes next.
func (p *posts) close() {
	if p.webhook == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), postDrain)
	defer cancel()
	if err := p.server.Shutdown(ctx); err != nil {
		p.log.Warn("posted hooks were cut", "error", errors.Join(err, p.server.Close()))
	}
	_ = p.listener.Close() // if it was never served; twice does no harm
	for range maxPosts {
		select {
		case p.slots <- struct{}{}:
		case <-ctx.Done():
			p.log.Warn("posted hooks are still under way")
			return
		}
	}
}

func newWebhook(home, token string, next rpc.Handler, log *slog.Logger) *webhook {
	w := &webhook{home: home, token: sha256.Sum256([]byte(token)), next: next, slots: make(chan struct{}, maxPosts), log: log}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /hook/{event}", w.take)
	w.server = &http.Server{
		Handler: w.admit(mux), MaxHeaderBytes: postHeaderBytes,
		ReadHeaderTimeout: postHeaderTimeout, ReadTimeout: postReadTimeout, WriteTimeout: postWriteTimeout, IdleTimeout: postIdleTimeout,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	return w
}

// nothing is the answer that changes nothing.
const nothing = "{}"

// take answers an event. Whatever goes wrong with it, the client gets an answer
// that does no harm, and gets it in time; the reason is where those of chitta
// hook are.
func (w *webhook) take(rw http.ResponseWriter, r *http.Request) {
	begun, name := time.Now(), r.PathValue("event")
	answer, failed := w.answer(rw, r, name, begun)
	if failed.reason != "" {
		quick.Note(w.home, name, failed.session, failed.reason, failed.detail, time.Since(begun))
	}
	if len(answer) == 0 {
		answer = []byte(nothing)
	}
	rw.Header().Set("Content-Type", "application/json")
	rw.Header().Set("Cache-Control", "no-store")
	_, _ = rw.Write(answer) // a client that is gone needs none
}

// miss is why an event came to nothing.
type miss struct{ session, reason, detail string }

// answer goes the way that chitta hook goes, but for the process.
func (w *webhook) answer(rw http.ResponseWriter, r *http.Request, name string, begun time.Time) ([]byte, miss) {
	rule, known := quick.RuleOf(name)
	if !known {
		return nil, miss{reason: quick.UnknownEvent}
	}
	// Half of the time for reading leaves the other half for the operation. The
	// deadline stays, so that what is left of the body is not waited for either.
	half := begun.Add(rule.Limit / 2)
	if err := http.NewResponseController(rw).SetReadDeadline(half); err != nil {
		return nil, miss{reason: quick.BadInput, detail: err.Error()}
	}
	report, err := quick.Read(http.MaxBytesReader(rw, r.Body, maxPosted), half)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) && report.Session == "", quick.TooSlow(err):
		return nil, miss{reason: quick.SlowInput}
	case errors.Is(err, os.ErrDeadlineExceeded): // what was read by then counts
	case err != nil:
		return nil, miss{report.Session, quick.BadInput, err.Error()}
	}
	switch {
	case report.Session == "":
		return nil, miss{reason: quick.WithoutSession}
	case report.Event != "" && report.Event != name:
		return nil, miss{report.Session, quick.OtherEvent, report.Event}
	}
	// A client that hangs up has still had its event, and the deadline of
	// reading must not end the operation: only its time does.
	ctx, cancel := context.WithDeadline(context.WithoutCancel(r.Context()), begun.Add(rule.Limit-postReserve))
	defer cancel()
	text, failed := w.ask(ctx, report, report.Params(name, time.Since(begun)))
	if failed.reason != "" {
		return nil, failed
	}
	out, err := quick.Output(name, text)
	if err != nil {
		return nil, miss{report.Session, quick.Unfenced, ""}
	}
	return out, miss{}
}

// ask has the operation carried out, and waits no longer than the time of the
// event; one that takes longer keeps its slot until it ends.
func (w *webhook) ask(ctx context.Context, report quick.Report, params []byte) (string, miss) {
	select {
	case w.slots <- struct{}{}:
	default:
		return "", miss{report.Session, quick.Busy, "too many at once"}
	}
	type outcome struct {
		text   string
		failed miss
	}
	done := make(chan outcome, 1)
	go func() {
		defer func() { <-w.slots }()
		defer func() {
			if broken := recover(); broken != nil { // or it would end the daemon
				w.log.Error("a posted hook broke", "panic", broken, "stack", string(debug.Stack()))
				done <- outcome{failed: miss{report.Session, quick.Panicked, ""}}
			}
		}()
		text, failed := w.attend(ctx, report, params)
		done <- outcome{text, failed}
	}()
	select {
	case o := <-done:
		return o.text, o.failed
	case <-ctx.Done():
		return "", miss{report.Session, quick.NoAnswer, ""}
	}
}

// attend calls the operation.
func (w *webhook) attend(ctx context.Context, report quick.Report, params []byte) (string, miss) {
	caller := rpc.Caller{Client: hookActor, Session: report.Session, Cwd: report.Cwd}
	result, err := w.next.Call(rpc.WithCaller(ctx, caller), hookMethod, params)
	if err != nil {
		return "", miss{report.Session, refusal(err), err.Error()}
	}
	a, ok := result.(moment.Answer)
	if !ok {
		return "", miss{report.Session, quick.Unreadable, fmt.Sprintf("%T", result)}
	}
	return a.Context, miss{}
}

// refusal says why the operation failed.
func refusal(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return quick.NoAnswer
	}
	if e, ok := errors.AsType[*rpc.Error](err); ok {
		return quick.Refusal(e.Code)
	}
	return quick.Refused
}
