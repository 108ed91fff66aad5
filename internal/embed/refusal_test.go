package embed

import (
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// What keeps an endpoint from being used is said together with what to do.
func TestEndpointRefusals(t *testing.T) {
	const secret = "sk-do-not-print"
	t.Setenv("TEST_EMBED_KEY", secret)
	for _, c := range []struct {
		name, kind string
		keyEnv     string
		status     int
		reply      string
		want       error
		says       []string
	}{
		{"wrong key", KindOpenAI, "TEST_EMBED_KEY", 401, `{"error":{"message":"Incorrect API key provided: ` + secret + `"}}`, ErrKeyRefused,
			[]string{"refused the key", "401", "set TEST_EMBED_KEY"}},
		{"key without the right", KindOpenAI, "TEST_EMBED_KEY", 403, ``, ErrKeyRefused, []string{"refused the key", "403", "set TEST_EMBED_KEY", "may use m"}},
		{"no key", KindOpenAI, "", 401, ``, ErrKeyRefused, []string{"wants a key", "401", "--key-variable", "model.key_variable"}},
		{"no key, ollama behind a gate", KindOllama, "", 403, ``, ErrKeyRefused, []string{"wants a key", "model.key_variable"}},
		{"ollama without the model", KindOllama, "", 404, `{"error":"model \"m\" not found, try pulling it first"}`, ErrNotFound,
			[]string{`no model "m"`, "404", "ollama pull m"}},
		{"openai without the model", KindOpenAI, "", 404, `{"error":{"message":"The model ` + "`m`" + ` does not exist","code":"model_not_found"}}`, ErrNotFound,
			[]string{`no model "m"`, "404", "check its name"}},
		{"no endpoint there", KindOllama, "", 404, "404 page not found", ErrNotFound, []string{"nothing takes texts at", "/api/embed", "check the address", "kind ollama"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.reply)
			}))
			defer s.Close()
			m := openEndpoint(t, c.kind, s.URL, EndpointOptions{KeyEnv: c.keyEnv})
			err := New(m, Options{CacheEntries: -1}).Verify(t.Context())
			if !errors.Is(err, c.want) || !errors.Is(err, ErrUnreachable) || errors.Is(err, ErrRejected) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			for _, says := range c.says {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("%q does not say %q", err, says)
				}
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the key shows: %v", err)
			}
		})
	}
}

// vectorServer answers like Ollama, with a vector for each text.
func vectorServer(t *testing.T, vector func(text string) []float64) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		rows := make([][]float64, len(in.Input))
		for i, text := range in.Input {
			rows[i] = vector(text)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": rows})
	}))
	t.Cleanup(s.Close)
	return s
}

func TestVerifyEndpoint(t *testing.T) {
	const dims = 64
	seeded := func(seed uint64) []float64 {
		r := rand.New(rand.NewPCG(seed, seed))
		v := make([]float64, dims)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		return v
	}
	var calls atomic.Uint64
	for _, c := range []struct {
		name   string
		vector func(string) []float64
		want   error
		says   string
	}{
		{"works", func(s string) []float64 { return seeded(uint64(len(s))) }, nil, ""},
		{"rounds a little", func(s string) []float64 {
			v := seeded(uint64(len(s)))
			v[0] += 1e-3 * float64(calls.Add(1))
			return v
		}, nil, ""},
		{"one vector for all", func(string) []float64 { return seeded(1) }, ErrConstant, "choose a model made for embeddings"},
		{"one direction for all", func(s string) []float64 {
			v := make([]float64, dims)
			v[3] = float64(len(s))
			return v
		}, ErrConstant, "different texts the same vector"},
		{"another vector each time", func(string) []float64 {
			return seeded(calls.Add(1))
		}, ErrUnstable, "same text another vector"},
		{"a vector that drifts", func(s string) []float64 {
			v := seeded(uint64(len(s)))
			v[0] += float64(calls.Add(1))
			return v
		}, ErrUnstable, "one model only"},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls.Store(0)
			m := openEndpoint(t, KindOllama, vectorServer(t, c.vector).URL, EndpointOptions{})
			err := New(m, Options{CacheEntries: -1}).Verify(t.Context())
			if c.want == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var ve *VerifyError
			if !errors.Is(err, c.want) || !errors.As(err, &ve) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}
