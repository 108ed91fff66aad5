package rpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDecodeFrame(t *testing.T) {
	tests := []struct {
		name string
		body string
		want frame
	}{
		{
			name: "by name",
			body: `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}`,
			want: frame{entries: []entry{{id: raw("1"), method: "m", params: raw(`{"a":1}`)}}},
		},
		{
			name: "without params",
			body: ` {"jsonrpc":"2.0","id":"x","method":"m"} `,
			want: frame{entries: []entry{{id: raw(`"x"`), method: "m"}}},
		},
		{
			name: "null params are absent",
			body: `{"jsonrpc":"2.0","id":null,"method":"m","params":null}`,
			want: frame{entries: []entry{{id: raw("null"), method: "m"}}},
		},
		{
			name: "notification",
			body: `{"jsonrpc":"2.0","method":"m"}`,
			want: frame{entries: []entry{{method: "m"}}},
		},
		{
			name: "id kept to the letter",
			body: `{"jsonrpc":"2.0","id":1.50e+400,"method":"m"}`,
			want: frame{entries: []entry{{id: raw("1.50e+400"), method: "m"}}},
		},
		{
			name: "last of a doubled key",
			body: `{"jsonrpc":"2.0","id":1,"id":2,"method":"a","method":"b"}`,
			want: frame{entries: []entry{{id: raw("2"), method: "b"}}},
		},
		{
			name: "members in other cases are others",
			body: `{"jsonrpc":"2.0","id":1,"method":"version","METHOD":"status","Params":{},"ID":2}`,
			want: frame{entries: []entry{{id: raw("1"), method: "version"}}},
		},
		{
			name: "NUL passes",
			body: `{"jsonrpc":"2.0","id":"\u0000","method":"m","params":{"a":"\u0000"}}`,
			want: frame{entries: []entry{{id: raw(`"\u0000"`), method: "m", params: raw(`{"a":"\u0000"}`)}}},
		},
		{
			name: "batch",
			body: `[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"}]`,
			want: frame{batch: true, entries: []entry{{id: raw("1"), method: "a"}, {method: "b"}}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := decodeFrame([]byte(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(frame{}, entry{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDecodeFrameErrors(t *testing.T) {
	request := `{"jsonrpc":"2.0","id":1,"method":"m"}`
	nested := func(depth int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":%s%s}}`,
			strings.Repeat("[", depth), strings.Repeat("]", depth))
	}
	tests := []struct {
		name string
		body string
		code int
		want string // in the message
		id   string // echoed, with code of an entry
	}{
		{name: "empty", body: "", code: CodeParse, want: "empty"},
		{name: "spaces", body: " \n", code: CodeParse, want: "empty"},
		{name: "cut off", body: `{"jsonrpc":"2.0"`, code: CodeParse, want: "unexpected end"},
		{name: "not JSON", body: `hello`, code: CodeParse, want: "at byte 1"},
		{name: "invalid UTF-8", body: "{\"a\":\"\xff\"}", code: CodeParse, want: "invalid UTF-8 at byte 6"},
		{name: "cut UTF-8", body: "\xe2\x82", code: CodeParse, want: "byte 0"},
		{name: "garbage after it", body: request + "x", code: CodeParse, want: "at byte 38"},
		{name: "garbage after a batch", body: "[" + request + "] x", code: CodeParse, want: "after the batch at byte 40"},
		{name: "too deep", body: nested(10_000), code: CodeParse, want: "depth"},
		{name: "cut batch", body: "[" + request, code: CodeParse, want: "ends too early"},
		{name: "broken batch", body: "[" + request + ",]", code: CodeParse},
		{name: "batch of nothing", body: " [ ] ", code: CodeInvalidRequest, want: "empty"},
		{name: "batch too long", body: "[" + strings.Repeat("1,", 1_000_000) + "1]", code: CodeInvalidRequest, want: "more than 100"},

		{name: "number", body: "1", code: CodeInvalidRequest, want: "object", id: "null"},
		{name: "null", body: "null", code: CodeInvalidRequest, want: "object", id: "null"},
		{name: "no version", body: `{"id":7,"method":"m"}`, code: CodeInvalidRequest, want: "2.0", id: "7"},
		{name: "old version", body: `{"jsonrpc":"1.0","id":7,"method":"m"}`, code: CodeInvalidRequest, want: "2.0", id: "7"},
		{name: "no method", body: `{"jsonrpc":"2.0","id":7}`, code: CodeInvalidRequest, want: "method", id: "7"},
		{name: "method in capitals", body: `{"jsonrpc":"2.0","id":7,"Method":"m"}`, code: CodeInvalidRequest, want: "method", id: "7"},
		{name: "null method", body: `{"jsonrpc":"2.0","id":7,"method":null}`, code: CodeInvalidRequest, want: "method", id: "7"},
		{name: "long method", body: `{"jsonrpc":"2.0","id":7,"method":"` + strings.Repeat("m", 200) + `"}`, code: CodeInvalidRequest, want: "longer", id: "7"},
		{name: "object id", body: `{"jsonrpc":"2.0","id":{},"method":"m"}`, code: CodeInvalidRequest, want: "id", id: "null"},
		{name: "boolean id", body: `{"jsonrpc":"2.0","id":true,"method":"m"}`, code: CodeInvalidRequest, want: "id", id: "null"},
		{name: "long id", body: `{"jsonrpc":"2.0","id":"` + strings.Repeat("i", 2000) + `","method":"m"}`, code: CodeInvalidRequest, want: "longer", id: "null"},
		{name: "array params", body: `{"jsonrpc":"2.0","id":7,"method":"m","params":[1]}`, code: CodeInvalidParams, want: "by name", id: "7"},
		{name: "text params", body: `{"jsonrpc":"2.0","id":7,"method":"m","params":"a"}`, code: CodeInvalidRequest, want: "object", id: "7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, e := decodeFrame([]byte(tt.body))
			id := ""
			if e == nil {
				e = f.entries[0].err
				id = string(newAnswer(f.entries[0].id, nil, e).ID)
			}
			if e == nil {
				t.Fatal("no error")
			}
			if e.Code != tt.code || !strings.Contains(e.Message, tt.want) || id != tt.id {
				t.Errorf("got %d %q for id %q, want %d %q for %q", e.Code, e.Message, id, tt.code, tt.want, tt.id)
			}
		})
	}
	if _, e := decodeFrame([]byte(nested(9_000))); e != nil {
		t.Errorf("nesting within the limit: %v", e)
	}
}

func TestToError(t *testing.T) {
	inner := Errorf(CodeNotFound, "no such memory").WithHint("look again").WithField("id")
	tests := []struct {
		name string
		err  error
		want *Error
	}{
		{name: "as it is", err: inner, want: inner},
		{name: "wrapped", err: fmt.Errorf("forget: %w", inner), want: &Error{Code: CodeNotFound, Message: "forget: no such memory", Data: inner.Data}},
		{name: "any other", err: errors.New("boom"), want: &Error{Code: CodeInternal, Message: "boom"}},
		{name: "typed nil", err: (*Error)(nil), want: &Error{Code: CodeInternal, Message: "the handler returned an empty error"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, toError(tt.err)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func raw(s string) json.RawMessage { return json.RawMessage(s) }

// FuzzFrame sends arbitrary bodies through the whole server: it never panics,
// and what comes out is nothing or valid JSON-RPC with the ids that went in.
func FuzzFrame(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":[1,2,{}]}}`,
		`{"jsonrpc":"2.0","method":"echo"}`,
		`[{"jsonrpc":"2.0","id":"\u00e9","method":"fail"},{"jsonrpc":"2.0","method":"panic"},1,[],{}]`,
		`{"jsonrpc":"2.0","id":null,"method":"panic","params":null}`,
		`{"jsonrpc":"2.0","id":-0.0e1,"method":"x","params":[]}`,
		`[]`, ``, "\xff", `{"id":[1]}`, "[1,", "\ufeff{}", `{"ID":1,"JSONRPC":"2.0","METHOD":"echo"}`,
	} {
		f.Add([]byte(seed))
	}
	s := NewServer(ServerOptions{Handler: testHandler(), MaxBodyBytes: 64 << 10})
	s.pool.start()
	f.Cleanup(func() { _ = s.Close() })
	f.Fuzz(func(t *testing.T, body []byte) {
		req := httptest.NewRequest(http.MethodPost, "/rpc", bytes.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		rec := httptest.NewRecorder()
		s.serveRPC(rec, req)
		if rec.Code == http.StatusNoContent {
			if rec.Body.Len() != 0 {
				t.Fatalf("204 with a body: %q", rec.Body)
			}
			return
		}
		var answers []json.RawMessage
		if out := bytes.TrimSpace(rec.Body.Bytes()); len(out) > 0 && out[0] == '[' {
			if err := json.Unmarshal(out, &answers); err != nil || len(answers) == 0 {
				t.Fatalf("answer %q: %v", out, err)
			}
		} else {
			answers = []json.RawMessage{out}
		}
		ids := make(map[string]bool)
		fr, _ := decodeFrame(body)
		for _, e := range fr.entries {
			ids[compact(t, e.id)] = true
		}
		for _, a := range answers {
			var got struct {
				JSONRPC string          `json:"jsonrpc"`
				ID      json.RawMessage `json:"id"`
				Result  json.RawMessage `json:"result"`
				Error   *Error          `json:"error"`
			}
			if err := json.Unmarshal(a, &got); err != nil {
				t.Fatalf("answer %q: %v", a, err)
			}
			if got.JSONRPC != "2.0" || got.ID == nil || (got.Result == nil) == (got.Error == nil) {
				t.Fatalf("not a response: %q", a)
			}
			if id := string(got.ID); id != "null" && !ids[id] {
				t.Fatalf("id %s of the answer was not in the request", id)
			}
		}
	})
}

func compact(t *testing.T, id json.RawMessage) string {
	if id == nil {
		return "null"
	}
	var b bytes.Buffer
	if err := json.Compact(&b, id); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
