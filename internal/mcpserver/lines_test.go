package mcpserver

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

type sink struct{ strings.Builder }

func (*sink) Close() error { return nil }

func connect(t *testing.T, input string) (*lineConn, *sink) {
	t.Helper()
	out := &sink{}
	c, err := (&lineTransport{in: io.NopCloser(strings.NewReader(input)), out: out}).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c.(*lineConn), out
}

func read(t *testing.T, c *lineConn) *jsonrpc.Request {
	t.Helper()
	msg, err := c.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return msg.(*jsonrpc.Request)
}

func TestEndWaitsForAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, out := connect(t, `{"jsonrpc":"2.0","id":1,"method":"slow"}`)
		call := read(t, c)
		go func() {
			time.Sleep(10 * time.Second)
			if err := c.Write(context.Background(), &jsonrpc.Response{ID: call.ID, Result: []byte(`{}`)}); err != nil {
				t.Error(err)
			}
		}()
		began := time.Now()
		if _, err := c.Read(t.Context()); !errors.Is(err, io.EOF) {
			t.Errorf("after the end: %v", err)
		}
		if took := time.Since(began); took != 10*time.Second || !strings.Contains(out.String(), `"id":1`) {
			t.Errorf("ended after %v with %q", took, out.String())
		}
	})
}

func TestEndDoesNotWaitForEver(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		want       time.Duration
	}{
		{"a call without an answer", `{"jsonrpc":"2.0","id":1,"method":"stuck"}`, lastCalls},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, 0},
		{"a stream", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := connect(t, tt.line+"\n")
				read(t, c)
				began := time.Now()
				if _, err := c.Read(t.Context()); !errors.Is(err, io.EOF) || time.Since(began) != tt.want {
					t.Errorf("%v after %v", err, time.Since(began))
				}
			})
		})
	}
}

func TestCloseEndsRead(t *testing.T) {
	in, _ := io.Pipe()
	c, err := (&lineTransport{in: in, out: &sink{}}).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	go c.Close()
	if _, err := c.Read(t.Context()); err == nil {
		t.Error("read something")
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{}`, `[]`, `null`, `{"jsonrpc":"2.0","id":{},"method":"x"}`, `{"jsonrpc":"2.0","id":1,"method":"x"}`, `{"jsonrpc":"2.0","id":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if len(line) == 0 {
			return
		}
		msg, refusal := decode(line, true)
		if (msg == nil) == (refusal == nil) {
			t.Errorf("%q: message %v, refusal %v", line, msg, refusal)
		}
	})
}
