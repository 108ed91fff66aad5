package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// testHandler has a method for everything a handler can do.
func testHandler() Handler {
	return HandlerFunc(func(ctx context.Context, method string, params json.RawMessage) (any, error) {
		switch method {
		case "echo":
			return params, nil
		case "nothing":
			return nil, nil
		case "caller":
			return CallerFrom(ctx), nil
		case "fail":
			return nil, fmt.Errorf("look up: %w", Errorf(CodeNotFound, "no such thing").WithHint("try another"))
		case "break":
			return nil, errors.New("it broke")
		case "panic":
			panic("secret panic")
		case "unencodable":
			return func() {}, nil
		case "wait":
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return nil, Errorf(CodeMethodNotFound, "unknown method %s", method)
	})
}

func known(method string) bool { return method != "made-up" }

// post sends a body with headers given in pairs and returns status and answer.
func post(t testing.TB, socket, path string, body io.Reader, headers ...string) (int, string) {
	t.Helper()
	return do(t, socket, http.MethodPost, path, body, headers...)
}

func do(t testing.TB, socket, method, path string, body io.Reader, headers ...string) (int, string) {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}
	defer transport.CloseIdleConnections()
	req, err := http.NewRequestWithContext(context.Background(), method, "http://chitta"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := (&http.Client{Transport: transport, Timeout: 20 * time.Second}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, strings.TrimSpace(string(data))
}

func TestServerAnswers(t *testing.T) {
	h := newHome(t)
	serve(t, h.socket(), ServerOptions{Handler: testHandler(), Known: known})
	tests := []struct {
		name   string
		body   string
		status int
		want   string
	}{
		{
			name: "result", status: 200,
			body: `{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":"<é&>"}}`,
			want: `{"jsonrpc":"2.0","id":1,"result":{"a":"<é&>"}}`,
		},
		{
			name: "null result", status: 200,
			body: `{"jsonrpc":"2.0","id":null,"method":"nothing"}`,
			want: `{"jsonrpc":"2.0","id":null,"result":null}`,
		},
		{
			name: "absent params are nil", status: 200,
			body: `{"jsonrpc":"2.0","id":1,"method":"echo"}`,
			want: `{"jsonrpc":"2.0","id":1,"result":null}`,
		},
		{
			name: "coded error", status: 200,
			body: `{"jsonrpc":"2.0","id":"a","method":"fail"}`,
			want: `{"jsonrpc":"2.0","id":"a","error":{"code":-32001,"message":"look up: no such thing","data":{"hint":"try another"}}}`,
		},
		{
			name: "other error", status: 200,
			body: `{"jsonrpc":"2.0","id":"a","method":"break"}`,
			want: `{"jsonrpc":"2.0","id":"a","error":{"code":-32603,"message":"it broke"}}`,
		},
		{
			name: "unknown method", status: 200,
			body: `{"jsonrpc":"2.0","id":2,"method":"made-up"}`,
			want: `{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"unknown method made-up"}}`,
		},
		{
			name: "panic", status: 200,
			body: `{"jsonrpc":"2.0","id":3,"method":"panic"}`,
			want: `{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"internal error in panic","data":{"hint":"the daemon's log has the details"}}}`,
		},
		{
			name: "result that cannot be encoded", status: 200,
			body: `{"jsonrpc":"2.0","id":3,"method":"unencodable"}`,
			want: `{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"encode the result: json: unsupported type: func()"}}`,
		},
		{name: "notification", body: `{"jsonrpc":"2.0","method":"echo"}`, status: 204},
		{name: "failing notification", body: `{"jsonrpc":"2.0","method":"fail"}`, status: 204},
		{name: "notification with array", body: `{"jsonrpc":"2.0","method":"echo","params":[1]}`, status: 204},
		{name: "batch of notifications", body: `[{"jsonrpc":"2.0","method":"echo"},{"jsonrpc":"2.0","method":"panic"}]`, status: 204},
		{
			name: "batch in order", status: 200,
			body: `[{"jsonrpc":"2.0","id":2,"method":"echo"},{"jsonrpc":"2.0","method":"echo"},1,{"jsonrpc":"2.0","id":"1","method":"fail"}]`,
			want: `[{"jsonrpc":"2.0","id":2,"result":null},` +
				`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a request must be an object"}},` +
				`{"jsonrpc":"2.0","id":"1","error":{"code":-32001,"message":"look up: no such thing","data":{"hint":"try another"}}}]`,
		},
		{
			name: "empty batch", body: `[]`, status: 200,
			want: `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the batch is empty"}}`,
		},
		{
			name: "parse error", body: `{`, status: 200,
			want: `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"invalid JSON at byte 1: unexpected end of JSON input"}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, got := post(t, h.socket(), "/rpc", strings.NewReader(tt.body))
			if status != tt.status {
				t.Errorf("status = %d, want %d", status, tt.status)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	h := newHome(t)
	serve(t, h.socket(), ServerOptions{Handler: testHandler(), MaxBodyBytes: 2048})
	request := `{"jsonrpc":"2.0","id":1,"method":"nothing"}`
	large := request + strings.Repeat(" ", 4096)
	tests := []struct {
		name    string
		method  string
		path    string
		body    io.Reader
		headers []string
		status  int
		code    int
	}{
		{name: "unknown path", method: "GET", path: "/", status: 404, code: CodeInvalidRequest},
		{name: "wrong verb", method: "GET", path: "/rpc", status: 405, code: CodeInvalidRequest},
		{name: "no shutdown", method: "POST", path: "/shutdown", status: 503, code: CodeUnavailable},
		{name: "plain form", method: "POST", path: "/rpc", body: strings.NewReader(request), headers: []string{"Content-Type", "text/plain"}, status: 415, code: CodeInvalidRequest},
		{name: "form", method: "POST", path: "/rpc", body: strings.NewReader(request), headers: []string{"Content-Type", "application/x-www-form-urlencoded"}, status: 415, code: CodeInvalidRequest},
		{name: "form in capitals", method: "POST", path: "/rpc", body: strings.NewReader(request), headers: []string{"Content-Type", "Text/Plain; charset=utf-8"}, status: 415, code: CodeInvalidRequest},
		{name: "form with files", method: "POST", path: "/rpc", body: strings.NewReader(request), headers: []string{"Content-Type", "multipart/form-data; boundary=x"}, status: 415, code: CodeInvalidRequest},
		{name: "type that is none", method: "POST", path: "/rpc", body: strings.NewReader(request), headers: []string{"Content-Type", ";"}, status: 415, code: CodeInvalidRequest},
		{name: "kind of JSON", method: "POST", path: "/rpc", body: strings.NewReader(request), headers: []string{"Content-Type", "application/vnd.chitta+json"}, status: 200},
		{name: "untyped", method: "POST", path: "/rpc", body: strings.NewReader(request), status: 200},
		{name: "typed", method: "POST", path: "/rpc", body: strings.NewReader(request), headers: []string{"Content-Type", "application/json; charset=utf-8"}, status: 200},
		{name: "too large", method: "POST", path: "/rpc", body: strings.NewReader(large), status: 413, code: CodeTooLarge},
		{name: "too large, length unknown", method: "POST", path: "/rpc", body: io.MultiReader(strings.NewReader(large)), status: 413, code: CodeTooLarge},
		{name: "newer client", method: "POST", path: "/rpc", body: strings.NewReader(request), headers: []string{headerVersion, "1.0.1"}, status: 409, code: CodeUpgrade},
		{name: "same version", method: "POST", path: "/rpc", body: strings.NewReader(request), headers: []string{headerVersion, "1.0.0"}, status: 200},
		{name: "older client", method: "POST", path: "/rpc", body: strings.NewReader(request), headers: []string{headerVersion, "0.9.0"}, status: 200},
		{name: "pre-release of the same", method: "POST", path: "/rpc", body: strings.NewReader(request), headers: []string{headerVersion, "1.0.0-dev"}, status: 200},
		{name: "version that is none", method: "POST", path: "/rpc", body: strings.NewReader(request), headers: []string{headerVersion, "devel"}, status: 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, got := do(t, h.socket(), tt.method, tt.path, tt.body, tt.headers...)
			var a struct{ Error *Error }
			if err := json.Unmarshal([]byte(got), &a); err != nil {
				t.Fatalf("answer %q: %v", got, err)
			}
			code := 0
			if a.Error != nil {
				code = a.Error.Code
			}
			if status != tt.status || code != tt.code {
				t.Errorf("status %d, code %d, want %d, %d: %s", status, code, tt.status, tt.code, got)
			}
		})
	}
}

// A body of 100 MB is read and thrown away, not kept.
func TestHugeBodyIsNotBuffered(t *testing.T) {
	h := newHome(t)
	s := serve(t, h.socket(), ServerOptions{Handler: testHandler(), MaxBodyBytes: 2 << 20})
	const size = 100 << 20
	peak := make(chan int64, 1)
	stop := make(chan struct{})
	go func() {
		var most int64
		for {
			select {
			case <-stop:
				peak <- most
				return
			case <-time.After(time.Millisecond):
				most = max(most, s.bodyBytes.Load())
			}
		}
	}()
	status, got := post(t, h.socket(), "/rpc", io.LimitReader(zeros{}, size))
	close(stop)
	if status != 413 || !strings.Contains(got, "larger than 2097152 bytes") {
		t.Errorf("status %d: %s", status, got)
	}
	if most := <-peak; most > s.opts.MaxBodyBytes+1 {
		t.Errorf("%d bytes were held", most)
	}
	if n := s.bodyBytes.Load(); n != 0 {
		t.Errorf("%d bytes still counted", n)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestTooManyLargeBodies(t *testing.T) {
	h := newHome(t)
	s := serve(t, h.socket(), ServerOptions{Handler: testHandler(), MaxBodyBytes: 1024})
	s.bodyBytes.Store(inFlightBodies*1024 - 10)
	status, got := post(t, h.socket(), "/rpc", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"nothing"}`))
	if status != 503 || !strings.Contains(got, "-32000") {
		t.Errorf("status %d: %s", status, got)
	}
	if n := s.bodyBytes.Load(); n != inFlightBodies*1024-10 {
		t.Errorf("%d bytes counted after the refusal", n)
	}
}

func TestOtherUserIsRefused(t *testing.T) {
	h := newHome(t)
	var log logBuffer
	called := false
	serve(t, h.socket(), ServerOptions{
		Logger:  log.logger(),
		Handler: HandlerFunc(func(context.Context, string, json.RawMessage) (any, error) { called = true; return nil, nil }),
	}, func(s *Server) { s.uid = os.Getuid() + 1 })
	if !peersKnown {
		t.Skip("this system does not tell who connects")
	}
	for _, path := range []string{"/rpc", "/shutdown"} {
		status, got := post(t, h.socket(), path, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"nothing"}`))
		if status != 403 || !strings.Contains(got, "-32008") {
			t.Errorf("%s: status %d: %s", path, status, got)
		}
	}
	if called {
		t.Error("the handler was called")
	}
	if want := fmt.Sprintf("uid=%d pid=%d", os.Getuid(), os.Getpid()); !strings.Contains(log.String(), want) {
		t.Errorf("log does not say who it was: %s", log.String())
	}
	// The client gets the reason.
	if err := h.client(t, "1.0.0", nil).Call(t.Context(), "nothing", nil, nil); CodeOf(err) != CodeForbidden {
		t.Errorf("error = %v", err)
	}
}

func TestCaller(t *testing.T) {
	h := newHome(t)
	serve(t, h.socket(), ServerOptions{Handler: testHandler()})
	want := Caller{
		Client: "cli", Version: "0.9.0", Session: "s 1/ü", Cwd: "/tmp/a b%2F\nc/日本\x01",
		UID: os.Getuid(), PID: os.Getpid(),
	}
	c := New(ClientOptions{Socket: h.socket(), Version: want.Version, Name: want.Client, Session: want.Session, Cwd: want.Cwd})
	defer c.Close()
	var got Caller
	if err := c.Call(t.Context(), "caller", nil, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// Too long or wrongly encoded is dropped, not cut.
	_, out := post(t, h.socket(), "/rpc", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"caller"}`),
		headerClient, strings.Repeat("x", maxClientBytes+1), headerCwd, "%zz", headerSession, "%ff")
	if !strings.Contains(out, `"Client":"","Version":""`) || !strings.Contains(out, `"Session":"","Cwd":""`) {
		t.Errorf("answer = %s", out)
	}
}

func TestPanicIsLoggedOnce(t *testing.T) {
	h := newHome(t)
	var log logBuffer
	serve(t, h.socket(), ServerOptions{Handler: testHandler(), Logger: log.logger(), Known: known})
	c := h.client(t, "1.0.0", nil)
	if err := c.Call(t.Context(), "panic", map[string]string{"text": "s3cret"}, nil); CodeOf(err) != CodeInternal {
		t.Errorf("error = %v", err)
	}
	if err := c.Call(t.Context(), "nothing", nil, nil); err != nil {
		t.Errorf("after the panic: %v", err)
	}
	l := log.String()
	if strings.Count(l, "handler panicked") != 1 || !strings.Contains(l, "secret panic") || !strings.Contains(l, "server_test.go") {
		t.Errorf("log: %s", l)
	}
	if strings.Contains(l, "s3cret") {
		t.Error("parameters are in the log")
	}
}

func TestHealthAndMetrics(t *testing.T) {
	h := newHome(t)
	serve(t, h.socket(), ServerOptions{
		Handler: testHandler(), Known: known, Version: "1.2.3",
		HealthFields: func() map[string]any { return map[string]any{"memories": 42, "status": "lies"} },
		Samples: func() []Sample {
			return []Sample{
				{Name: "chitta_memories", Help: "Stored memories.", Type: "gauge", Labels: [][2]string{{"kind", `a"b\`}}, Value: 42},
				{Name: "chitta_memories", Labels: [][2]string{{"kind", "c"}, {"realm", "r"}}, Value: 0.5},
			}
		},
	})
	c := h.client(t, "1.0.0", nil)
	for _, m := range []string{"echo", "echo", "fail", "made-up"} {
		_ = c.Call(t.Context(), m, nil, nil)
	}
	post(t, h.socket(), "/rpc", strings.NewReader("{"))

	health, err := c.Health(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if health.Status != StatusOK || health.PID != os.Getpid() || health.Version != "1.2.3" || health.UptimeSeconds <= 0 {
		t.Errorf("health = %+v", health)
	}
	if diff := cmp.Diff(map[string]json.RawMessage{"memories": raw("42")}, health.Fields); diff != "" {
		t.Error(diff)
	}

	status, got := do(t, h.socket(), http.MethodGet, "/metrics", nil)
	if status != 200 {
		t.Fatalf("status %d: %s", status, got)
	}
	for _, want := range []string{
		`chitta_rpc_requests_total{method="echo",code="0"} 2`,
		`chitta_rpc_requests_total{method="fail",code="-32001"} 1`,
		`chitta_rpc_requests_total{method="other",code="-32601"} 1`,
		`chitta_rpc_requests_total{method="none",code="-32700"} 1`,
		`chitta_rpc_request_duration_seconds_bucket{method="echo",le="+Inf"} 2`,
		`chitta_rpc_request_duration_seconds_count{method="echo"} 2`,
		"# TYPE chitta_rpc_request_duration_seconds histogram",
		"chitta_rpc_in_flight 0", "chitta_rpc_workers 2", "chitta_rpc_queue_length 0", "chitta_rpc_slow_requests_total 0",
		"chitta_rpc_received_bytes_total ", "process_cpu_seconds_total ", "process_start_time_seconds ", "go_goroutines ",
		"# HELP chitta_memories Stored memories.", `chitta_memories{kind="a\"b\\"} 42`, `chitta_memories{kind="c",realm="r"} 0.5`,
	} {
		if !strings.Contains(got+"\n", want) {
			t.Errorf("metrics lack %q", want)
		}
	}
	if strings.Contains(got, "made-up") {
		t.Error("a made-up method is in the metrics")
	}
	if strings.Count(got, "# TYPE chitta_memories") != 1 {
		t.Error("a name has more than one header")
	}
	if t.Failed() {
		t.Log(got)
	}
}

func TestSlowHeadersAreCut(t *testing.T) {
	h := newHome(t)
	serve(t, h.socket(), ServerOptions{Handler: testHandler()}, func(s *Server) { s.http.ReadHeaderTimeout = 50 * time.Millisecond })
	conn, err := net.Dial("unix", h.socket())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("POST /rpc HTTP/1.1\r\nX: ")); err != nil {
		t.Fatal(err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection was kept open")
	}
}

func TestConnectionCarriesOneRequest(t *testing.T) {
	h := newHome(t)
	serve(t, h.socket(), ServerOptions{Handler: testHandler()})
	conn, err := net.Dial("unix", h.socket())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	one := "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	if _, err := conn.Write([]byte(one + one)); err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(conn)
	if n := bytes.Count(data, []byte("HTTP/1.1 200")); n != 1 {
		t.Errorf("%d answers on one connection (%v)", n, err)
	}
}
