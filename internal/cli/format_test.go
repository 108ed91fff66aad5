package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"chitta/internal/rpc"
)

func TestPrintable(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"words", "plain – text, ünïcode 日本", "plain – text, ünïcode 日本"},
		{"lines and tabs", "a\n\tb", "a\n\tb"},
		{"window title", "\x1b]0;x\a", "␛]0;x␇"},
		{"colour", "\x1b[31mred", "␛[31mred"},
		{"back to the start", "good\rbad", "good␍bad"},
		{"NUL and DEL", "\x00\x7f", "␀␡"},
		{"C1", "\u009b31m", "\ufffd31m"},
		{"no UTF-8", "a\x9bb", "a\ufffdb"},
		{"direction", "\u202eabc\u202c \u2066d\u2069", "abc d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := printable(tt.in); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("\x1b]0;x\a\r\u202e\x9b")
	f.Fuzz(func(t *testing.T, s string) {
		got := printable(s)
		for _, r := range got {
			if r < ' ' && r != '\n' && r != '\t' || 0x7f <= r && r <= 0x9f || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069' {
				t.Fatalf("%q holds %U", got, r)
			}
		}
		if printable(got) != got {
			t.Fatalf("%q changes again", got)
		}
	})
}

type namedText string

func TestPrintfLetsOnlyItsOwnStylesPass(t *testing.T) {
	var out bytes.Buffer
	a := &app{out: &output{to: &out}, getenv: func(string) string { return "" }}
	a.printf("%s %s %v %d %s", "\x1b[1m", namedText("\x1b[2m"), errors.New("\x1b[3m"), 7, styled("\x1b[4m"))
	if got := out.String(); got != "␛[1m ␛[2m ␛[3m 7 \x1b[4m" {
		t.Errorf("%q", got)
	}
	out.Reset()
	a.table([][]string{{"name", ">n"}, {"two\nlines", "1"}, {"\x1b[31m", "12"}})
	if got := out.String(); got != "name        n\ntwo lines   1\n␛[31m      12\n" {
		t.Errorf("table:\n%s", got)
	}
}

type failingWriter struct{ after int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.after--; w.after < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func TestOutputKeepsTheFirstError(t *testing.T) {
	a := &app{out: &output{to: &failingWriter{after: 1}}}
	for range 3 {
		a.printf("%s\n", strings.Repeat("x", 10))
	}
	if a.out.err == nil || a.out.err.Error() != "full" {
		t.Errorf("error %v", a.out.err)
	}
}

func TestRebuiltSince(t *testing.T) {
	started := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	says := rpc.Health{Fields: map[string]json.RawMessage{"exe": []byte(`"/bin/chitta"`), "exe_modified": []byte(`"2026-01-02T03:04:05Z"`)}}
	for _, tt := range []struct {
		name     string
		health   rpc.Health
		exe      string
		modified time.Time
		want     bool
	}{
		{"the same file", says, "/bin/chitta", started, false},
		{"built again", says, "/bin/chitta", started.Add(time.Second), true},
		{"put back", says, "/bin/chitta", started.Add(-time.Second), false},
		{"another file", says, "/other/chitta", started.Add(time.Second), false},
		{"it does not say", rpc.Health{}, "/bin/chitta", started.Add(time.Second), false},
	} {
		if got := rebuiltSince(tt.health, tt.exe, tt.modified); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
