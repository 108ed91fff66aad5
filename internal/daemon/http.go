package daemon

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"chitta/internal/config"
	"chitta/internal/hook/quick"
	"chitta/internal/moment"
	"chitta/internal/rpc"
)

const (
	// tokenBytes is how much of a token is random.
	tokenBytes = 32
	// minToken is the shortest token that is taken: one that somebody wrote by
	// hand must not be guessed either.
	minToken = 32

	// maxPosted is the largest event taken. The client posts the whole output of
	// a tool, of which little is of use.
	maxPosted = 4 << 20
	// maxPosts is how many events may be under way; more are refused, which
	// costs the client a memory and not its time.
	maxPosts = 16

	// These bound how long a caller can hold a connection by doing nothing.
	postReadTimeout  = 5 * time.Second
	postWriteTimeout = 5 * time.Second
	postIdleTimeout  = time.Minute
	postHeaderBytes  = 16 << 10

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
	home   string
	token  [sha256.Size]byte
	next   rpc.Handler
	slots  chan struct{}
	server *http.Server
}

// posts is the webhook of a daemon, if it has one.
type posts struct {
	*webhook
	listener net.Listener
	log      *slog.Logger
	problem  string // why there is none although there should be
}

// openPosts listens, if the configuration says so. A failure is for the log and
// the doctor: the daemon serves without.
func openPosts(cfg config.Config, next rpc.Handler, log *slog.Logger) *posts {
	p := &posts{log: log}
	if cfg.HTTP.Listen == "" {
		return p
	}
	token, err := httpToken(cfg.Paths().HTTPToken())
	if err == nil {
		p.listener, err = net.Listen("tcp", cfg.HTTP.Listen)
	}
	if err != nil {
		p.problem = err.Error()
		log.Error("hooks cannot be posted", "address", cfg.HTTP.Listen, "error", err)
		return p
	}
	p.webhook = newWebhook(cfg.Home, token, next, log)
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

// close lets events under way finish.
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
}

func newWebhook(home, token string, next rpc.Handler, log *slog.Logger) *webhook {
	w := &webhook{home: home, token: sha256.Sum256([]byte(token)), next: next, slots: make(chan struct{}, maxPosts)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /hook/{event}", w.take)
	w.server = &http.Server{
		Handler: w.admit(mux), MaxHeaderBytes: postHeaderBytes,
		ReadTimeout: postReadTimeout, WriteTimeout: postWriteTimeout, IdleTimeout: postIdleTimeout,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	return w
}

// httpToken returns the token of a data directory, made if there is none.
func httpToken(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return newToken(path)
	}
	if err != nil {
		return "", fmt.Errorf("read the token for hooks: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if len(token) < minToken {
		return "", fmt.Errorf("the token in %s is shorter than %d characters: remove the file, and a new one is made", path, minToken)
	}
	return token, nil
}

func newToken(path string) (string, error) {
	token := hex.EncodeToString(random(tokenBytes))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", fmt.Errorf("make a token for hooks: %w", err)
	}
	_, err = f.WriteString(token + "\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("make a token for hooks: %w", err), os.Remove(path))
	}
	return token, nil
}

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails, it ends the process instead
	return b
}

// admit lets in who may call, and says no more to others than that they may
// not.
func (w *webhook) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case !loopbackName(r.Host):
			http.Error(rw, "call 127.0.0.1, ::1 or localhost", http.StatusForbidden)
		case r.Header.Get("Origin") != "":
			http.Error(rw, "no web page may call this", http.StatusForbidden)
		case !w.knows(r.Header.Get("Authorization")):
			http.Error(rw, "the token is missing or another: chitta doctor says more", http.StatusUnauthorized)
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

// nothing is the answer that changes nothing.
const nothing = "{}"

// take answers an event. Whatever goes wrong with it, the client gets an answer
// that does no harm; the reason is where those of chitta hook are.
func (w *webhook) take(rw http.ResponseWriter, r *http.Request) {
	begun, name := time.Now(), r.PathValue("event")
	answer, failed := []byte(nil), miss{reason: quick.Busy, detail: "too many at once"}
	select {
	case w.slots <- struct{}{}:
		answer, failed = w.answer(r.Context(), name, http.MaxBytesReader(rw, r.Body, maxPosted), begun)
		<-w.slots
	default:
	}
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
func (w *webhook) answer(ctx context.Context, name string, body io.Reader, begun time.Time) ([]byte, miss) {
	rule, known := quick.RuleOf(name)
	if !known {
		return nil, miss{reason: quick.UnknownEvent}
	}
	until := begun.Add(rule.Limit)
	report, err := quick.Read(body, until)
	switch {
	case err != nil:
		return nil, miss{report.Session, quick.BadInput, err.Error()}
	case report.Session == "":
		return nil, miss{reason: quick.WithoutSession}
	case report.Event != "" && report.Event != name:
		return nil, miss{report.Session, quick.OtherEvent, report.Event}
	}
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	caller := rpc.Caller{Client: hookActor, Session: report.Session, Cwd: report.Cwd}
	result, err := w.next.Call(rpc.WithCaller(ctx, caller), hookMethod, report.Params(name, time.Since(begun)))
	if err != nil {
		return nil, miss{report.Session, refusal(err), err.Error()}
	}
	a, ok := result.(moment.Answer)
	if !ok {
		return nil, miss{report.Session, quick.Unreadable, fmt.Sprintf("%T", result)}
	}
	out, err := quick.Output(name, a.Context)
	if err != nil {
		return nil, miss{report.Session, quick.Unfenced, ""}
	}
	return out, miss{}
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
