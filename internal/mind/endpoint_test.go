package mind

import (
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chitta/internal/config"
)

// fakeEndpoint is an OpenAI-compatible server whose model gives a text the sum
// of made-up vectors of its words: texts that share words are similar.
type fakeEndpoint struct {
	*httptest.Server

	mu    sync.Mutex
	dims  int
	down  bool          // answers every request with an error
	slow  time.Duration // before each answer
	reply string        // sent instead of vectors
	texts []string      // everything it was asked for, in order
}

func newEndpoint(t *testing.T) *fakeEndpoint {
	t.Helper()
	f := &fakeEndpoint{dims: 32}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

// set changes how it behaves from now on.
func (f *fakeEndpoint) set(change func(f *fakeEndpoint)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// asked returns the texts it embedded that begin with a prefix, in order.
func (f *fakeEndpoint) asked(prefix string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(f.texts), func(s string) bool { return !strings.HasPrefix(s, prefix) })
}

func (f *fakeEndpoint) setting() config.Model {
	return config.Model{Use: "openai:" + f.URL, Name: "fake", Timeout: 2 * time.Second}
}

func (f *fakeEndpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.slow > 0 {
		time.Sleep(f.slow)
	}
	var in struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || f.down {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if f.reply != "" {
		w.Write([]byte(f.reply))
		return
	}
	type item struct {
		Index     int       `json:"index"`
		Embedding []float64 `json:"embedding"`
	}
	var data []item
	for i, text := range in.Input {
		if strings.Contains(text, "indigestible") {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		data = append(data, item{i, wordVector(text, f.dims)})
	}
	f.texts = append(f.texts, in.Input...)
	json.NewEncoder(w).Encode(map[string]any{"data": data})
}

func wordVector(text string, dims int) []float64 {
	v := make([]float64, dims)
	for _, word := range strings.Fields(strings.ToLower(text)) {
		h := fnv.New64a()
		h.Write([]byte(word))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		for i := range v {
			v[i] += r.NormFloat64()
		}
	}
	return v
}
