package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// fakeServer answers both kinds with vectors (len(text), 1, 0, …), not of
// length one.
func fakeServer(t *testing.T, dims func() int) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Model string
			Input []string
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Model != "m" || r.Method != http.MethodPost {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		rows := make([][]float64, len(in.Input))
		for i, s := range in.Input {
			rows[i] = make([]float64, dims())
			rows[i][0], rows[i][1] = float64(len(s)), 1
		}
		switch r.URL.Path {
		case "/api/embed":
			json.NewEncoder(w).Encode(map[string]any{"embeddings": rows})
		case "/v1/embeddings", "/sub/v1/embeddings":
			type item struct {
				Index     int       `json:"index"`
				Embedding []float64 `json:"embedding"`
			}
			var data []item
			for i := len(rows) - 1; i >= 0; i-- { // any order is allowed
				data = append(data, item{i, rows[i]})
			}
			json.NewEncoder(w).Encode(map[string]any{"data": data})
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func openEndpoint(t *testing.T, kind, url string, o EndpointOptions) Model {
	t.Helper()
	m, err := Endpoint(kind, url, "m", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func TestEndpoint(t *testing.T) {
	s := fakeServer(t, func() int { return 4 })
	for _, c := range []struct{ name, kind, path string }{
		{"ollama", KindOllama, ""},
		{"ollama, full path", KindOllama, "/api/embed"},
		{"openai", KindOpenAI, "/"},
		{"openai, with version", KindOpenAI, "/v1"},
		{"openai, full path", KindOpenAI, "/v1/embeddings/"},
		{"openai, below a path", KindOpenAI, "/sub/v1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := openEndpoint(t, c.kind, s.URL+c.path, EndpointOptions{})
			if d := m.Info().Dims; d != 0 {
				t.Errorf("%d dimensions before the first reply", d)
			}
			vs, err := m.Embed(t.Context(), []string{"", "abc"})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := vs[1][0], 3/math.Sqrt(10); math.Abs(float64(got)-want) > 1e-6 || vs[0][1] != 1 {
				t.Errorf("%v", vs)
			}
			if d := m.Info().Dims; d != 4 {
				t.Errorf("%d dimensions learned, want 4", d)
			}
			m.Close()
			if _, err := m.Embed(t.Context(), []string{"a"}); !errors.Is(err, ErrClosed) {
				t.Errorf("after Close: %v", err)
			}
		})
	}
}

func TestEndpointDimsChange(t *testing.T) {
	dims := 4
	s := fakeServer(t, func() int { return dims })
	m := openEndpoint(t, KindOllama, s.URL, EndpointOptions{})
	if _, err := m.Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	dims = 5
	if _, err := m.Embed(t.Context(), []string{"a"}); !errors.Is(err, ErrDims) {
		t.Errorf("other dimensions: %v", err)
	}
	m = openEndpoint(t, KindOllama, s.URL, EndpointOptions{Dims: 4})
	if _, err := m.Embed(t.Context(), []string{"a"}); !errors.Is(err, ErrDims) {
		t.Errorf("not the expected dimensions: %v", err)
	}
}

func TestEndpointReplies(t *testing.T) {
	for _, c := range []struct {
		name   string
		kind   string
		status int
		reply  string
		want   error
	}{
		{"garbage", KindOllama, 200, "<html>", ErrBadReply},
		{"empty", KindOllama, 200, "", ErrBadReply},
		{"no vectors", KindOllama, 200, `{"embeddings":[]}`, ErrBadReply},
		{"too many", KindOllama, 200, `{"embeddings":[[1],[2]]}`, ErrBadReply},
		{"other kind's reply", KindOpenAI, 200, `{"embeddings":[[1]]}`, ErrBadReply},
		{"wrong index", KindOpenAI, 200, `{"data":[{"index":7,"embedding":[1]}]}`, ErrBadReply},
		{"no numbers", KindOllama, 200, `{"embeddings":[["a"]]}`, ErrBadReply},
		{"empty vector", KindOllama, 200, `{"embeddings":[[]]}`, ErrDims},
		{"zero vector", KindOllama, 200, `{"embeddings":[[0,0,0]]}`, ErrBadVector},
		{"too large for a float", KindOllama, 200, `{"embeddings":[[1e300]]}`, ErrBadVector},
		{"server error", KindOllama, 500, `{}`, ErrUnreachable},
		{"not found", KindOllama, 404, `{}`, ErrUnreachable},
		{"no access", KindOpenAI, 401, `{}`, ErrUnreachable},
		{"rejected", KindOpenAI, 400, `{}`, ErrRejected},
		{"redirect", KindOpenAI, 302, ``, ErrUnreachable},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				if c.status == 302 {
					w.Header().Set("Location", "/elsewhere")
				}
				w.WriteHeader(c.status)
				io.WriteString(w, c.reply)
			}))
			defer s.Close()
			m := openEndpoint(t, c.kind, s.URL, EndpointOptions{})
			if vs, err := m.Embed(t.Context(), []string{"a"}); !errors.Is(err, c.want) || vs != nil && err == nil {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if d := m.Info().Dims; d != 0 {
				t.Errorf("learned %d dimensions from it", d)
			}
		})
	}
}

func TestEndpointSlowAndDown(t *testing.T) {
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer s.Close()
	defer close(release)
	m := openEndpoint(t, KindOllama, s.URL, EndpointOptions{Timeout: 20 * time.Millisecond})
	if _, err := m.Embed(t.Context(), []string{"a"}); !errors.Is(err, ErrUnreachable) {
		t.Errorf("slow: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnreachable) {
		t.Errorf("caller gave up: %v", err)
	}
	down := httptest.NewServer(nil)
	down.Close()
	m = openEndpoint(t, KindOpenAI, down.URL, EndpointOptions{})
	if _, err := m.Embed(t.Context(), []string{"a"}); !errors.Is(err, ErrUnreachable) {
		t.Errorf("down: %v", err)
	}
}

func TestEndpointKey(t *testing.T) {
	const secret = "sk-do-not-print"
	t.Setenv("TEST_EMBED_KEY", secret)
	var got string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		w.WriteHeader(500)
	}))
	defer s.Close()
	m := openEndpoint(t, KindOpenAI, s.URL, EndpointOptions{KeyEnv: "TEST_EMBED_KEY"})
	_, err := m.Embed(t.Context(), []string{"a"})
	if got != "Bearer "+secret {
		t.Errorf("sent %q", got)
	}
	if strings.Contains(fmt.Sprintf("%v %+v", err, m.Info()), secret) {
		t.Error("the key shows")
	}
	if _, err := Endpoint(KindOpenAI, s.URL, "m", EndpointOptions{KeyEnv: "TEST_EMBED_NO_KEY"}); !errors.Is(err, ErrNoKey) {
		t.Error(err)
	}
}

func TestEndpointAddresses(t *testing.T) {
	for _, c := range []struct {
		name, kind, url, model string
		want                   error // nil: any error
		ok                     bool
	}{
		{"https", KindOpenAI, "https://example.org", "m", nil, true},
		{"loopback", KindOllama, "http://127.0.0.1:11434", "m", nil, true},
		{"loopback v6", KindOllama, "http://[::1]:11434", "m", nil, true},
		{"localhost", KindOllama, "http://localhost:11434", "m", nil, true},
		{"plain http elsewhere", KindOllama, "http://example.org", "m", ErrInsecure, false},
		{"looks local", KindOllama, "http://localhost.example.org", "m", ErrInsecure, false},
		{"other scheme", KindOllama, "ftp://localhost", "m", ErrInsecure, false},
		{"no address", KindOllama, "", "m", nil, false},
		{"broken", KindOllama, "http://[::1", "m", nil, false},
		{"password", KindOllama, "https://user:pw@example.org", "m", nil, false},
		{"no model", KindOllama, "http://localhost", "", nil, false},
		{"other kind", "cohere", "https://example.org", "m", nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Endpoint(c.kind, c.url, c.model, EndpointOptions{})
			if (err == nil) != c.ok || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%v", err)
			}
			if err == nil {
				m.Close()
			}
		})
	}
}
