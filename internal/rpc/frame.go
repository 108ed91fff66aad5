package rpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	// maxBatch is how many requests one batch may hold. A batch occupies one
	// worker for as long as it takes.
	maxBatch = 100
	// maxIDBytes bounds an id: it is echoed, and nobody needs a long one.
	maxIDBytes = 1024
	// maxMethodBytes bounds a method name: it is repeated in errors and logs.
	maxMethodBytes = 128
)

// frame is a decoded body: one entry, or those of a batch in order.
type frame struct {
	batch   bool
	entries []entry
}

// entry is one request of a frame. When err is set it is not to be executed.
type entry struct {
	id     json.RawMessage // nil for a notification
	method string
	params json.RawMessage // nil when absent
	err    *Error
}

// silent tells whether the entry gets no answer. What cannot be understood is
// answered even without an id: its sender has to learn of it somehow.
func (e entry) silent() bool {
	return e.id == nil && (e.err == nil || e.err.Code != CodeInvalidRequest)
}

// nullID is the id of an answer to a request whose id is unknown.
func nullID() json.RawMessage { return json.RawMessage("null") }

// decodeFrame reads a body. The error is for a body that is wrong as a whole.
func decodeFrame(body []byte) (frame, *Error) {
	if at := invalidUTF8(body); at >= 0 {
		return frame{}, Errorf(CodeParse, "invalid UTF-8 at byte %d", at).
			WithHint("the body must be JSON in UTF-8")
	}
	trimmed := bytes.TrimLeft(body, " \t\r\n")
	if len(trimmed) == 0 {
		return frame{}, Errorf(CodeParse, "the body is empty").
			WithHint(`send {"jsonrpc":"2.0","id":1,"method":"…","params":{…}}`)
	}
	if trimmed[0] == '[' {
		return decodeBatch(body)
	}
	var raw json.RawMessage
	if err := json.Unmarshal(body, &raw); err != nil {
		return frame{}, parseError(err)
	}
	return frame{entries: []entry{decodeEntry(raw)}}, nil
}

// decodeBatch splits a batch entry by entry, so that a body with a million of
// them is refused after the first few and not taken apart.
func decodeBatch(body []byte) (frame, *Error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	if _, err := dec.Token(); err != nil {
		return frame{}, parseError(err)
	}
	f := frame{batch: true}
	for dec.More() {
		if len(f.entries) == maxBatch {
			e := Errorf(CodeInvalidRequest, "the batch holds more than %d requests", maxBatch).
				WithHint("split it")
			e.Data.Limit = maxBatch
			return frame{}, e
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return frame{}, parseError(err)
		}
		f.entries = append(f.entries, decodeEntry(raw))
	}
	if _, err := dec.Token(); err != nil {
		return frame{}, parseError(err)
	}
	if rest := bytes.TrimLeft(body[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return frame{}, Errorf(CodeParse, "unexpected data after the batch at byte %d", len(body)-len(rest))
	}
	if len(f.entries) == 0 {
		return frame{}, Errorf(CodeInvalidRequest, "the batch is empty")
	}
	return f, nil
}

// decodeEntry reads one request from valid JSON.
func decodeEntry(raw json.RawMessage) entry {
	// A map, because the members of a struct also match in other cases: a
	// "METHOD" that another reader of the frame ignores must not count here.
	var fields map[string]json.RawMessage
	if kindOf(raw) != '{' {
		return invalid(nil, "a request must be an object")
	}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return invalid(nil, "the request cannot be read: "+err.Error())
	}
	id, params := fields["id"], fields["params"]
	if id != nil {
		switch k := kindOf(id); {
		case len(id) > maxIDBytes:
			return invalid(nil, fmt.Sprintf("the id is longer than %d bytes", maxIDBytes))
		case k != '"' && k != '0' && k != 'n':
			return invalid(nil, "the id must be a string, a number or null")
		}
	}
	var version, method string
	if json.Unmarshal(fields["jsonrpc"], &version) != nil || version != "2.0" {
		return invalid(id, `"jsonrpc" must be "2.0"`)
	}
	if kindOf(fields["method"]) != '"' || json.Unmarshal(fields["method"], &method) != nil || method == "" {
		return invalid(id, `"method" must be a string`)
	}
	if len(method) > maxMethodBytes {
		return invalid(id, fmt.Sprintf("the method name is longer than %d bytes", maxMethodBytes))
	}
	e := entry{id: id, method: method}
	switch kindOf(params) {
	case '{':
		e.params = params
	case 0, 'n':
	case '[':
		e.err = Errorf(CodeInvalidParams, "parameters must be given by name").
			WithHint(`send "params" as an object, not as an array`).WithField("params")
	default:
		return invalid(id, `"params" must be an object`)
	}
	return e
}

func invalid(id json.RawMessage, message string) entry {
	return entry{id: id, err: Errorf(CodeInvalidRequest, "%s", message)}
}

// kindOf tells what a valid JSON value is by its first byte: one of { [ " 0 n b,
// and 0 for no value.
func kindOf(raw json.RawMessage) byte {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return 0
	}
	switch c := raw[0]; {
	case c == '-' || (c >= '0' && c <= '9'):
		return '0'
	case c == 't' || c == 'f':
		return 'b'
	default:
		return c
	}
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

func parseError(err error) *Error {
	if se, ok := errors.AsType[*json.SyntaxError](err); ok {
		return Errorf(CodeParse, "invalid JSON at byte %d: %s", se.Offset, strings.TrimPrefix(se.Error(), "json: "))
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return Errorf(CodeParse, "invalid JSON: it ends too early")
	}
	return Errorf(CodeParse, "invalid JSON: %v", err)
}

// answer is one response, ready to be written.
type answer struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// newAnswer encodes a result, or the failure to do so.
func newAnswer(id json.RawMessage, result any, err error) answer {
	a := answer{JSONRPC: "2.0", ID: id}
	if a.ID == nil {
		a.ID = nullID()
	}
	if err == nil {
		if a.Result, err = encodeJSON(result); err == nil {
			return a
		}
		err = fmt.Errorf("encode the result: %w", err)
	}
	a.Result, a.Error = nil, toError(err)
	return a
}

// encodeJSON encodes without escaping < > &: answers are read by programs and
// models, not put into pages.
func encodeJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
