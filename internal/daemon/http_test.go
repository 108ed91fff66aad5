package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/hook"
	"chitta/internal/hook/quick"
	"chitta/internal/moment"
	"chitta/internal/rpc"
)

// TestPostedHooksReachTheDaemon: a daemon that listens takes an event with the
// token of its data directory, and keeps that token to itself.
func TestPostedHooksReachTheDaemon(t *testing.T) {
	cfg := freshConfig(t)
	cfg.HTTP.Listen, cfg.Log.Level = "127.0.0.1:0", "debug"
	client, stop := servingAt(t, cfg)
	health, err := client.Health(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var address string
	if err := json.Unmarshal(health.Fields["http"], &address); err != nil {
		t.Fatalf("it does not say where it listens: %v", err)
	}
	token, err := os.ReadFile(cfg.Paths().HTTPToken())
	if err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(cfg.Paths().HTTPToken()); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("the token's mode: %v, %v", fi.Mode(), err)
	}
	post := func(token string) (int, string) {
		body := `{"session_id":"s1","cwd":"/nowhere","hook_event_name":"Stop","new_field":[1]}`
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/hook/Stop", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(text)
	}
	defer http.DefaultClient.CloseIdleConnections()
	if code, text := post(strings.TrimSpace(string(token))); code != http.StatusOK || text != "{}" {
		t.Errorf("with the token: %d %s", code, text)
	}
	if code, _ := post("another"); code != http.StatusUnauthorized {
		t.Errorf("with another token: %d", code)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(cfg.Paths().LogFile())
	if err != nil || bytes.Contains(log, bytes.TrimSpace(token)) {
		t.Errorf("the log holds the token, or cannot be read: %v", err)
	}
	if _, err := net.Dial("tcp", address); err == nil {
		t.Error("it listens after it stopped")
	}
	again, err := httpToken(cfg.Paths().HTTPToken())
	if err != nil || again != strings.TrimSpace(string(token)) {
		t.Errorf("another token at the next start: %v", err)
	}
}

func TestADaemonWithoutItsPortServesAllTheSame(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	cfg := freshConfig(t)
	cfg.HTTP.Listen = taken.Addr().String()
	client, _ := servingAt(t, cfg)
	health, err := client.Health(t.Context())
	if err != nil || !strings.Contains(string(health.Fields["http_problem"]), "address already in use") || health.Fields["http"] != nil {
		t.Errorf("%+v, %v", health.Fields, err)
	}
}

func TestATokenThatIsTooShort(t *testing.T) {
	path := t.TempDir() + "/http.token"
	if err := os.WriteFile(path, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if token, err := httpToken(path); err == nil || strings.Contains(err.Error(), "short\n") {
		t.Errorf("%q, %v", token, err)
	}
}

func freshConfig(t *testing.T) config.Config {
	t.Helper()
	home, err := os.MkdirTemp("", "ch-*") // short, for the socket's sake
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	cfg := config.Default()
	cfg.Model.Use, cfg.Home = "none", home+"/home"
	return cfg
}

const testToken = "0123456789abcdef0123456789abcdef"

// posting serves a webhook over an operation of one's own.
func posting(t *testing.T, op rpc.HandlerFunc) (home, url string) {
	t.Helper()
	home = t.TempDir()
	w := newWebhook(home, testToken, op, slog.New(slog.DiscardHandler))
	server := httptest.NewServer(w.server.Handler)
	t.Cleanup(server.Close)
	return home, server.URL
}

func TestWhoMayPost(t *testing.T) {
	called := 0
	_, url := posting(t, func(context.Context, string, json.RawMessage) (any, error) { called++; return moment.Answer{}, nil })
	good := func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+testToken) }
	tests := []struct {
		name   string
		method string
		path   string
		with   func(*http.Request)
		want   int
	}{
		{"the client", "POST", "/hook/Stop", good, 200},
		{"by another name of the machine", "POST", "/hook/Stop", func(r *http.Request) { good(r); r.Host = "localhost:1" }, 200},
		{"by its other address", "POST", "/hook/Stop", func(r *http.Request) { good(r); r.Host = "[::1]:1" }, 200},
		{"nobody", "POST", "/hook/Stop", func(*http.Request) {}, 401},
		{"with half a token", "POST", "/hook/Stop", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+testToken[:16]) }, 401},
		{"without saying how", "POST", "/hook/Stop", func(r *http.Request) { r.Header.Set("Authorization", testToken) }, 401},
		{"with a variable that was not set", "POST", "/hook/Stop", func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }, 401},
		{"by a name that was made to lead here", "POST", "/hook/Stop", func(r *http.Request) { good(r); r.Host = "evil.example:80" }, 403},
		{"by a name that looks like it", "POST", "/hook/Stop", func(r *http.Request) { good(r); r.Host = "127.0.0.1.evil.example" }, 403},
		{"a web page", "POST", "/hook/Stop", func(r *http.Request) { good(r); r.Header.Set("Origin", "null") }, 403},
		{"a web page that asks first", "OPTIONS", "/hook/Stop", func(r *http.Request) { r.Header.Set("Origin", "http://localhost") }, 403},
		{"another method", "GET", "/hook/Stop", good, 405},
		{"another path", "POST", "/rpc", good, 404},
		{"a path with more", "POST", "/hook/Stop/x", good, 404},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), tt.method, url+tt.path, strings.NewReader(`{"session_id":"s"}`))
			if err != nil {
				t.Fatal(err)
			}
			tt.with(req)
			before := called
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != tt.want || (called > before) != (tt.want == 200) {
				t.Errorf("%s, asked: %v; want %d", res.Status, called > before, tt.want)
			}
			if res.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Error("web pages may read the answer")
			}
		})
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestWhatIsPostedAndAnswered(t *testing.T) {
	const fenced = "<chitta-memory note=\"x\">\nuse tabs\n</chitta-memory>"
	tests := []struct {
		name, event, body string
		answer            string
		asked             string // a part of what the operation gets
		want              string // a part of the answer
		missed            string // the reason in the log
		slow              string // the reason on a machine too busy to find that out
	}{
		{name: "a prompt", event: "UserPromptSubmit", body: `{"session_id":"s1","prompt":"how?","x":{"y":1}}`, answer: fenced, asked: `"prompt":"how?"`, want: `"hookEventName":"UserPromptSubmit","additionalContext":"`},
		{name: "nothing to say", event: "PreToolUse", body: `{"session_id":"s1","tool_name":"Bash","tool_input":{"command":"ls"}}`, asked: `"input":{"command":"ls"}`, want: "{}"},
		{name: "never on Stop", event: "Stop", body: `{"session_id":"s1"}`, answer: fenced, asked: `"event":"Stop"`, want: "{}"},
		{name: "text that is not marked", event: "UserPromptSubmit", body: `{"session_id":"s1"}`, answer: "obey", asked: "{", want: "{}", missed: quick.Unfenced},
		{name: "an event to come", event: "MoonRise", body: `{"session_id":"s1"}`, want: "{}", missed: quick.UnknownEvent},
		{name: "no JSON", event: "Stop", body: "\x00\xff", want: "{}", missed: quick.BadInput},
		{name: "nothing", event: "Stop", want: "{}", missed: quick.BadInput},
		{name: "nobody's", event: "Stop", body: `{}`, want: "{}", missed: quick.WithoutSession},
		{name: "another event", event: "Stop", body: `{"session_id":"s1","hook_event_name":"SessionEnd"}`, want: "{}", missed: quick.OtherEvent},
		{name: "far too much", event: "PostToolUse", body: `{"x":"` + strings.Repeat("y", maxPosted) + `","session_id":"s1"}`, want: "{}", missed: quick.BadInput, slow: quick.SlowInput},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var asked string
			home, url := posting(t, func(ctx context.Context, method string, params json.RawMessage) (any, error) {
				asked = string(params)
				if _, limited := ctx.Deadline(); !limited || method != "hook" || rpc.CallerFrom(ctx).Client != "hook" {
					t.Errorf("the operation %s is asked for by %+v, with a limit: %v", method, rpc.CallerFrom(ctx), limited)
				}
				return moment.Answer{Context: tt.answer}, nil
			})
			if got := post(t, url, tt.event, tt.body); !strings.Contains(got, tt.want) || tt.want == "{}" && got != "{}" {
				t.Errorf("answer %q, want %q", got, tt.want)
			}
			if !strings.Contains(asked, tt.asked) || tt.asked == "" && asked != "" {
				t.Errorf("asked %q, want %q", asked, tt.asked)
			}
			s, err := hook.Failures(config.PathsFor(home))
			if err != nil || tt.missed == "" && s.Count > 0 || tt.missed != "" && s.ByReason[tt.missed]+s.ByReason[tt.slow] != 1 {
				t.Errorf("the log says %v, %v; want %q", s.ByReason, err, tt.missed)
			}
		})
	}
}

func post(t *testing.T, url, event, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/hook/"+event, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+testToken)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s, %v", res.Status, err)
	}
	return string(text)
}

// TestTooManyPosts: those beyond the limit are answered at once, with nothing.
func TestTooManyPosts(t *testing.T) {
	hold, begun := make(chan struct{}), make(chan struct{}, maxPosts)
	home, url := posting(t, func(context.Context, string, json.RawMessage) (any, error) {
		begun <- struct{}{}
		<-hold
		return moment.Answer{}, nil
	})
	var all sync.WaitGroup
	for range maxPosts {
		all.Go(func() { post(t, url, "Stop", `{"session_id":"s"}`) })
	}
	for range maxPosts {
		<-begun
	}
	start := time.Now()
	if got := post(t, url, "Stop", `{"session_id":"s"}`); got != "{}" || time.Since(start) > time.Second {
		t.Errorf("%q after %v", got, time.Since(start))
	}
	close(hold)
	all.Wait()
	if s, err := hook.Failures(config.PathsFor(home)); err != nil || s.ByReason[quick.Busy] != 1 {
		t.Errorf("the log says %v, %v", s.ByReason, err)
	}
}
