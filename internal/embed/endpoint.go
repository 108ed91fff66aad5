package embed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	stdnet "net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

// Kinds of endpoint.
const (
	KindOllama = "ollama" // POST /api/embed
	KindOpenAI = "openai" // POST /v1/embeddings
)

const (
	defaultEndpointTimeout   = 30 * time.Second
	defaultEndpointMaxTokens = 512 // what the common embedding models take
	maxReplyBytes            = 64 << 20
	maxEndpointDims          = 1 << 16
	idleConnection           = 30 * time.Second
)

// EndpointOptions may be left zero.
type EndpointOptions struct {
	Timeout     time.Duration // of one request, 30 s if zero
	KeyEnv      string        // environment variable that holds the API key
	Dims        int           // expected; learned from the first reply if zero
	MaxTokens   int           // 512 if zero
	QueryPrefix string
	Client      *http.Client // for tests; its Timeout is not used
}

var (
	// ErrInsecure means an address that is neither https nor this machine.
	ErrInsecure = errors.New("embedding endpoint must be https or on this machine")
	// ErrUnreachable means that no usable answer came: connection, time-out,
	// server error.
	ErrUnreachable = errors.New("embedding endpoint is unreachable")
	// ErrRejected means that the endpoint refused these texts; others may pass.
	ErrRejected = errors.New("embedding endpoint rejected the request")
	// ErrBadReply means that the answer was not one vector per text.
	ErrBadReply = errors.New("embedding endpoint sent a reply that makes no sense")
	// ErrKeyRefused means that the endpoint wants a key, or another one. It is
	// an ErrUnreachable too: nothing gets through until that is settled.
	ErrKeyRefused = errors.New("embedding endpoint refused the key")
	// ErrNotFound means that the endpoint does not have the model, or is none.
	// It is an ErrUnreachable too.
	ErrNotFound = errors.New("embedding endpoint does not have what was asked for")
	// ErrNoKey means that the named environment variable is empty.
	ErrNoKey = errors.New("environment variable with the API key is not set")
)

type endpoint struct {
	kind, url, model string
	key, keyEnv      string
	timeout          time.Duration
	client           *http.Client
	own              bool // client is ours to shut down

	mu     sync.Mutex
	info   Info
	closed bool
}

// Endpoint uses the model of an Ollama or OpenAI-compatible server. It makes
// no request by itself; the first reply fixes the number of dimensions.
func Endpoint(kind, address, model string, o EndpointOptions) (Model, error) {
	paths := map[string]string{KindOllama: "/api/embed", KindOpenAI: "/v1/embeddings"}
	path, ok := paths[kind]
	if !ok {
		return nil, fmt.Errorf("embedding endpoint: kind %q, want ollama or openai", kind)
	}
	if model == "" {
		return nil, errors.New("embedding endpoint: no model named")
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		// the parser's error repeats the address, which may hold a password
		return nil, errors.New("embedding endpoint: address is not a URL")
	}
	if u.User != nil {
		return nil, errors.New("embedding endpoint: no credentials in the address, name an environment variable")
	}
	if u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Hostname())) {
		return nil, fmt.Errorf("%w: %s://%s", ErrInsecure, u.Scheme, u.Host)
	}
	if o.Dims < 0 || o.Dims > maxEndpointDims {
		return nil, fmt.Errorf("%w: %d", ErrDims, o.Dims)
	}
	u.RawQuery, u.Fragment = "", ""
	u.Path = endpointPath(u.Path, path)
	e := &endpoint{kind: kind, url: u.String(), model: model, timeout: o.Timeout, client: o.Client}
	if e.timeout <= 0 {
		e.timeout = defaultEndpointTimeout
	}
	if e.keyEnv = o.KeyEnv; o.KeyEnv != "" {
		if e.key = os.Getenv(o.KeyEnv); e.key == "" {
			return nil, fmt.Errorf("%w: %s", ErrNoKey, o.KeyEnv)
		}
	}
	if e.client == nil {
		e.own = true
		e.client = &http.Client{Transport: &http.Transport{
			Proxy:           http.ProxyFromEnvironment,
			IdleConnTimeout: idleConnection,
			MaxIdleConns:    1,
		}}
	}
	client := *e.client
	client.Timeout = 0
	// A redirect could carry texts and key to another host.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	e.client = &client
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n%s", kind, e.url, model)
	e.info = Info{
		ID: kind + ":" + model, Hash: hashString(sum), Dims: o.Dims, MaxTokens: o.MaxTokens,
		Source: e.url, QueryPrefix: o.QueryPrefix,
	}
	if e.info.MaxTokens <= 0 {
		e.info.MaxTokens = defaultEndpointMaxTokens
	}
	return e, nil
}

// endpointPath takes the base address, the base with /v1, or the full path.
func endpointPath(given, want string) string {
	given = strings.TrimRight(given, "/")
	if strings.HasSuffix(given, want) {
		return given
	}
	if v, ok := strings.CutPrefix(want, "/v1"); ok && strings.HasSuffix(given, "/v1") {
		return given + v
	}
	return given + want
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := stdnet.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func (e *endpoint) Info() Info {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.info
}

// remote tells the Embedder that a deadline may be the model's fault.
func (e *endpoint) remote() bool { return true }

func (e *endpoint) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.own {
		e.client.CloseIdleConnections()
	}
	return nil
}

func (e *endpoint) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, ctx.Err()
	}
	e.mu.Lock()
	closed := e.closed
	e.mu.Unlock()
	if closed {
		return nil, ErrClosed
	}
	body, err := json.Marshal(map[string]any{"model": e.model, "input": texts})
	if err != nil {
		return nil, fmt.Errorf("embedding endpoint: %w", err)
	}
	reply, err := e.post(ctx, body)
	if err != nil {
		return nil, err
	}
	vs, err := e.parse(reply, len(texts))
	if err != nil {
		return nil, err
	}
	return vs, e.accept(vs)
}

func (e *endpoint) post(ctx context.Context, body []byte) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(limited, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("embedding endpoint: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if e.key != "" {
		req.Header.Set("Authorization", "Bearer "+e.key)
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return nil, e.unreachable(ctx, err)
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(resp.Body, maxReplyBytes+1))
	switch status := resp.StatusCode; {
	case status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge || status == http.StatusUnprocessableEntity:
		return nil, fmt.Errorf("%w: status %d", ErrRejected, status)
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return nil, e.keyRefused(status)
	case status == http.StatusNotFound:
		return nil, e.notFound(reply)
	case status != http.StatusOK:
		return nil, fmt.Errorf("%w: status %d", ErrUnreachable, status)
	case err != nil:
		return nil, e.unreachable(ctx, err)
	case len(reply) > maxReplyBytes:
		return nil, fmt.Errorf("%w: more than %d bytes", ErrBadReply, maxReplyBytes)
	}
	return reply, nil
}

// unreachable keeps the caller's own cancellation apart from the server's
// failure.
func (e *endpoint) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("embedding endpoint: %w", ctx.Err())
	}
	var ue *url.Error
	if errors.As(err, &ue) {
		err = ue.Err // the address is known
	}
	return fmt.Errorf("%w: %w", ErrUnreachable, err)
}

func (e *endpoint) parse(reply []byte, count int) ([][]float32, error) {
	var r struct {
		Embeddings [][]float64 `json:"embeddings"` // Ollama
		Data       []struct {
			Index     int       `json:"index"`
			Embedding []float64 `json:"embedding"`
		} `json:"data"` // OpenAI
	}
	if err := json.Unmarshal(reply, &r); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBadReply, err)
	}
	rows := r.Embeddings
	if e.kind == KindOpenAI {
		rows = make([][]float64, len(r.Data))
		for _, d := range r.Data {
			if d.Index < 0 || d.Index >= len(rows) || rows[d.Index] != nil {
				return nil, fmt.Errorf("%w: index %d of %d", ErrBadReply, d.Index, len(rows))
			}
			rows[d.Index] = d.Embedding
		}
	}
	if len(rows) != count {
		return nil, fmt.Errorf("%w: %d vectors for %d texts", ErrBadReply, len(rows), count)
	}
	vs := make([][]float32, count)
	for i, row := range rows {
		vs[i] = make([]float32, len(row))
		for j, x := range row {
			if vs[i][j] = float32(x); math.IsInf(float64(vs[i][j]), 0) {
				return nil, ErrBadVector
			}
		}
	}
	return vs, nil
}

// accept checks the vectors, scales them to length one and learns or checks
// the number of dimensions.
func (e *endpoint) accept(vs [][]float32) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	dims := e.info.Dims
	if dims == 0 {
		dims = len(vs[0])
	}
	if dims == 0 || dims > maxEndpointDims {
		return fmt.Errorf("%w: %d", ErrDims, dims)
	}
	for _, v := range vs {
		if len(v) != dims {
			return fmt.Errorf("%w: %d, want %d", ErrDims, len(v), dims)
		}
		if err := normalize(v); err != nil {
			return err
		}
	}
	e.info.Dims = dims
	return nil
}
