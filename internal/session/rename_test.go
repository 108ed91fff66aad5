package session

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"chitta/internal/evaldata"
)

func anyName([]byte) bool { return true }

func hideNames(s string) string {
	if strings.Contains(s, "secret") {
		return "[gone]"
	}
	return s
}

func TestRewriteNames(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"names only", `{"a secret": "secret","n":1.50}`, `{"[gone]": "secret","n":1.50}`},
		{"nested", `{ "a" : [ { "secret" : { "secret": 1 } } ] }`, `{ "a" : [ { "[gone]" : { "[gone]": 1 } } ] }`},
		{"behind escapes", `{"s\u0065cret":"x\u0041"}`, `{"[gone]":"x\u0041"}`},
		{"kept apart", `{"secret1":1,"a":{"secret":0},"secret2":2,"secret3":3}`, `{"[gone]":1,"a":{"[gone]":0},"[gone] 2":2,"[gone] 3":3}`},
		{"one like it before", `{"[gone]":1,"secret":2}`, `{"[gone]":1,"[gone] 2":2}`},
		{"one like it behind", `{"secret":1,"[gone]":2}`, `{"[gone]":1,"[gone] 2":2}`},
		{"the number is there too", `{"[gone] 2":0,"secret":1,"secret":2}`, `{"[gone] 2":0,"[gone]":1,"[gone] 3":2}`},
		{"twice in the source", `{"secret":1,"a":2,"a":3}`, `{"[gone]":1,"a":2,"a":3}`},
		{"nothing to do", `{ "a" : [ true , null ] }`, `{ "a" : [ true , null ] }`},
		{"no object", `"secret"`, `"secret"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := RewriteNames([]byte(tt.line), anyName, hideNames)
			if err != nil || string(got) != tt.want {
				t.Errorf("%s, %v; want %s", got, err, tt.want)
			}
		})
	}
	got, err := RewriteNames([]byte(`{"secret":1,"other secret":2}`), func(name []byte) bool { return len(name) > 8 }, hideNames)
	if want := `{"secret":1,"[gone]":2}`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	for _, bad := range []string{``, `{`, `{"a":}`, `{} x`, "{\"\xff\":1}", `{"a`, strings.Repeat(`{"a":`, 1000)} {
		if got, err := RewriteNames([]byte(bad), anyName, hideNames); err == nil {
			t.Errorf("%.20q became %q", bad, got)
		}
	}
}

// Many names that become one are told apart without comparing each with each.
func TestRewriteNamesOfAHugeObject(t *testing.T) {
	const members = 100_000
	line := []byte("{" + strings.TrimSuffix(strings.Repeat(`"secret":0,`, members), ",") + "}")
	start := time.Now()
	got, err := RewriteNames(line, anyName, hideNames)
	if err != nil || !bytes.HasSuffix(got, []byte(`"[gone] 100000":0}`)) {
		t.Fatalf("%v, ends with %s", err, got[max(0, len(got)-40):])
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestRewriteNamesKeepsRealLines(t *testing.T) {
	for _, path := range evaldata.Transcripts(t, "transcripts") {
		for i, line := range readLines(t, path) {
			got, err := RewriteNames(line, anyName, func(s string) string { return s })
			if err == nil && !bytes.Equal(got, line) || (err == nil) != json.Valid(line) {
				t.Fatalf("%s:%d: %v", path, i+1, err)
			}
		}
	}
}

func TestUnescape(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"a letter", `{"a":"\u0067hp_x`, `{"a":"ghp_x`},
		{"all of it, in either case", `\u0067\u0068\u0070\u005F\u005f`, `ghp__`},
		{"slashes", `https:\/\/u:p@h`, `https://u:p@h`},
		{"what would change the line stays", `"\u0022\u005c\u000a\u0000\n\"`, `"\u0022\u005c\u000a\u0000\n\"`},
		{"an escaped backslash", `\\u0067`, `\\u0067`},
		{"other scripts stay", `\u00e9\u5bc6\ud83d`, `\u00e9\u5bc6\ud83d`},
		{"cut off", `x\u00`, `x\u00`},
		{"cut off at once", `x\`, `x\`},
		{"no escape", `\u00g7 \q`, `\u00g7 \q`},
		{"not text", "\xff\x00\\u0067", "\xff\x00g"},
		{"empty", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Unescape([]byte(tt.line)); string(got) != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	line := []byte(`nothing \n here`)
	if got := Unescape(line); &got[0] != &line[0] {
		t.Error("copied without need")
	}
}

func FuzzRewriteNames(f *testing.F) {
	f.Add([]byte(`{"a secret":{"b":[{"secret":1,"secret":2}]},"\ud83dsecret":null}`))
	f.Add([]byte(`{"secret":1,"[gone]":2}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		got, err := RewriteNames(line, anyName, hideNames)
		if err != nil {
			return
		}
		if !json.Valid(got) {
			t.Fatalf("%q became %q", line, got)
		}
		again, err := RewriteNames(got, anyName, hideNames)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%q became %q, %v", got, again, err)
		}
		if u := Unescape(line); len(u) > len(line) {
			t.Fatalf("%q became longer: %q", line, u)
		}
	})
}
