package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// api is a stand-in for the Messages API that answers by a script and keeps
// every request.
type api struct {
	script
	url string

	mu       sync.Mutex
	requests []request
	calls    int
	server   *http.Server
}

// request is one that the client sent.
type request struct {
	at    time.Time
	path  string
	body  body
	raw   []byte
	reply step
}

// text is everything that the model is told: all strings of the messages and
// the system prompt, unescaped. Where context stands in a request is the
// client's business and changes with its versions.
func (r *request) text() string {
	var whole struct {
		System   any `json:"system"`
		Messages any `json:"messages"`
	}
	if err := json.Unmarshal(r.raw, &whole); err != nil {
		return ""
	}
	var b strings.Builder
	collect(&b, whole.System)
	collect(&b, whole.Messages)
	return b.String()
}

func collect(b *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		b.WriteString(v)
		b.WriteByte('\n')
	case []any:
		for _, e := range v {
			collect(b, e)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			collect(b, v[key])
		}
	}
}

// serve answers on a listener until close.
func serve(l net.Listener) *api {
	a := &api{url: "http://" + l.Addr().String()}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", a.messages)
	mux.HandleFunc("POST /v1/messages/count_tokens", a.count)
	a.server = &http.Server{Handler: mux}
	go a.server.Serve(l)
	return a
}

func (a *api) close() error { return a.server.Close() }

// since returns the requests for messages from the nth on.
func (a *api) since(n int) []request {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]request(nil), a.requests[n:]...)
}

func (a *api) sent() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.requests)
}

// charsPerToken is the usual estimate.
const charsPerToken = 4

func (a *api) count(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer(w, http.StatusOK, map[string]int{"input_tokens": len(raw) / charsPerToken})
}

// reply is a message of the API.
type reply struct {
	ID           string  `json:"id"`
	Type         string  `json:"type"`
	Role         string  `json:"role"`
	Model        string  `json:"model"`
	Content      []block `json:"content"`
	StopReason   *string `json:"stop_reason"`
	StopSequence *string `json:"stop_sequence"`
	Usage        usage   `json:"usage"`
}

type usage struct {
	Input         int `json:"input_tokens"`
	Output        int `json:"output_tokens"`
	CacheCreation int `json:"cache_creation_input_tokens"`
	CacheRead     int `json:"cache_read_input_tokens"`
}

func (a *api) messages(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	var b body
	if err == nil {
		err = json.Unmarshal(raw, &b)
	}
	if err != nil {
		answer(w, http.StatusBadRequest, failure("invalid_request_error", err.Error()))
		return
	}
	s := a.script.next(&b)
	m := a.note(request{at: time.Now(), path: r.URL.String(), body: b, raw: raw, reply: s})
	select {
	case <-time.After(s.wait):
	case <-r.Context().Done():
		return
	}
	switch {
	case s.status != 0:
		answer(w, s.status, failure("api_error", "scripted"))
	case b.Stream:
		stream(w, m)
	default:
		answer(w, http.StatusOK, m)
	}
}

// note keeps a request and makes the message that answers it.
func (a *api) note(r request) reply {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests = append(a.requests, r)
	m := reply{
		ID: fmt.Sprintf("msg_%06d", len(a.requests)), Type: "message", Role: "assistant", Model: r.body.Model,
		Usage: usage{Input: r.reply.usage, Output: 1},
	}
	if m.Usage.Input == 0 {
		m.Usage.Input = len(r.raw) / charsPerToken
	}
	reason := "end_turn"
	for _, b := range r.reply.blocks {
		if b.Type == "tool_use" {
			a.calls++
			b.ID, reason = fmt.Sprintf("toolu_%06d", a.calls), "tool_use"
		}
		m.Content = append(m.Content, b)
	}
	m.StopReason = &reason
	return m
}

// stream sends a message as the events of a stream.
func stream(w http.ResponseWriter, m reply) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(kind string, fields map[string]any) {
		fields["type"] = kind
		data, err := json.Marshal(fields)
		if err != nil {
			panic(err) // nothing in it can fail
		}
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, data)
	}
	opening := m
	opening.Content, opening.StopReason = []block{}, nil
	send("message_start", map[string]any{"message": opening})
	for i, b := range m.Content {
		send("content_block_start", map[string]any{"index": i, "content_block": b.empty()})
		for _, delta := range b.deltas() {
			send("content_block_delta", map[string]any{"index": i, "delta": delta})
		}
		send("content_block_stop", map[string]any{"index": i})
	}
	send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": m.StopReason, "stop_sequence": nil}, "usage": m.Usage})
	send("message_stop", map[string]any{})
}

// empty is a block as a stream opens it.
func (b block) empty() map[string]any {
	switch b.Type {
	case "tool_use":
		return map[string]any{"type": b.Type, "id": b.ID, "name": b.Name, "input": map[string]any{}}
	case "thinking":
		return map[string]any{"type": b.Type, "thinking": "", "signature": ""}
	}
	return map[string]any{"type": b.Type, "text": ""}
}

// deltas are what fills it.
func (b block) deltas() []map[string]any {
	switch b.Type {
	case "tool_use":
		return []map[string]any{{"type": "input_json_delta", "partial_json": string(b.Input)}}
	case "thinking":
		return []map[string]any{{"type": "thinking_delta", "thinking": b.Thinking}, {"type": "signature_delta", "signature": b.Signature}}
	}
	return []map[string]any{{"type": "text_delta", "text": b.Text}}
}

func failure(kind, message string) map[string]any {
	return map[string]any{"type": "error", "error": map[string]string{"type": kind, "message": message}}
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) // whoever left does not wait for it
}
