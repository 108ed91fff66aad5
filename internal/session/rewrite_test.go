package session

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"chitta/internal/evaldata"
)

func TestRewriteStrings(t *testing.T) {
	redact := func(s string) string { return strings.ReplaceAll(s, "secret", "[gone]") }
	for _, tt := range []struct{ name, line, want string }{
		{"values only", `{"secret": "a secret","n":1.50}`, `{"secret": "a [gone]","n":1.50}`},
		{"nested", `{"a":[{"b":["secret", "x\u0041"]}]}`, `{"a":[{"b":["[gone]", "x\u0041"]}]}`},
		{"behind escapes", `{"a":"s\u0065cret\n\"q\""}`, `{"a":"[gone]\n\"q\""}`},
		{"control characters", `["\u0001secret\t"]`, `["\u0001[gone]\t"]`},
		{"lone surrogate stays", `["\ud83d","secret"]`, `["\ud83d","[gone]"]`},
		{"a lone string", `"secret"`, `"[gone]"`},
		{"nothing to do", `{ "a" : [ true , null ] }`, `{ "a" : [ true , null ] }`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := RewriteStrings([]byte(tt.line), redact)
			if err != nil || string(got) != tt.want {
				t.Errorf("%s, %v; want %s", got, err, tt.want)
			}
		})
	}
	for _, bad := range []string{``, `{`, `{"a":}`, `{} x`, "[\"\xff\"]", `{"a":"b`} {
		if got, err := RewriteStrings([]byte(bad), redact); err == nil {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

func TestRewriteStringsKeepsRealLines(t *testing.T) {
	for _, folder := range []string{"transcripts", "sessions"} {
		for _, path := range evaldata.Transcripts(t, folder) {
			for i, line := range readLines(t, path) {
				got, err := RewriteStrings(line, func(s string) string { return s })
				if err == nil && !bytes.Equal(got, line) {
					t.Fatalf("%s:%d changed", path, i+1)
				}
				if (err == nil) != json.Valid(line) {
					t.Fatalf("%s:%d: %v", path, i+1, err)
				}
			}
		}
	}
}

func FuzzRewriteStrings(f *testing.F) {
	f.Add([]byte(`{"a":"b\n","c":[1,-2.5e3,"\ud83d\ude00",null]}`), "x")
	f.Add([]byte(`[1e9999]`), "")
	f.Add([]byte(`["\ud83d"]`), "\x00\"\\\xff")
	f.Fuzz(func(t *testing.T, line []byte, put string) {
		same, err := RewriteStrings(line, func(s string) string { return s })
		if err != nil {
			return
		}
		if !bytes.Equal(same, line) {
			t.Fatalf("%q became %q", line, same)
		}
		if !json.Valid(line) {
			t.Fatalf("%q is not JSON", line)
		}
		changed, err := RewriteStrings(line, func(s string) string { return s + put })
		if err != nil || !json.Valid(changed) {
			t.Fatalf("%q became %q: %v", line, changed, err)
		}
		var got any
		d := json.NewDecoder(bytes.NewReader(changed))
		d.UseNumber()
		if err := d.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if text, ok := got.(string); ok && utf8.ValidString(put) && !strings.HasSuffix(text, put) {
			t.Fatalf("%q does not end with %q", text, put)
		}
	})
}

// TestRecordRewritesItsLine holds rewriting with what reading found out against
// rewriting without it.
func TestRecordRewritesItsLine(t *testing.T) {
	long := strings.Repeat(`word \"quoted\" \u00e9 ü\n`, longText)
	record := func(said, noted string) []byte {
		return []byte(`{"type":"user","uuid":"u-1","timestamp":"2026-01-02T03:04:05Z","` + long + `":1,"message":{"role":"user","content":[` +
			`{"type":"tool_result","tool_use_id":"t","content":"` + said + `"}]},"toolUseResult":{"stdout":"` + noted + `","more":["` + noted + `x"]}}`)
	}
	lines := [][]byte{
		record(long, long),
		record(long+"secret", long+"secret"),
		record(long, long+"secret"),
		record(long+`\u0000secret`, long+`\u0000`),
		record(long+`\ud83d`, long+`\ud83dsecret`),
		record("secret", "short"),
	}
	for _, path := range evaldata.Transcripts(t, "transcripts") {
		lines = append(lines, readLines(t, path)...)
	}
	redact := func(s string) string {
		return strings.ReplaceAll(strings.ReplaceAll(s, "secret", "[gone]"), "test", "\x00[gone]")
	}
	want := func(path [][]byte) bool { return len(path) > 1 }
	for i, line := range lines {
		rec, err := ClaudeCode{}.Line(line)
		if err != nil {
			continue
		}
		plain, err := RewriteMembers(line, want, redact)
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		known, err := rec.RewriteMembers(line, want, redact)
		if err != nil || !bytes.Equal(known, plain) {
			t.Fatalf("line %d: %v\n%s\n%s", i+1, err, known, plain)
		}
		other := bytes.Clone(line)
		if got, err := rec.RewriteMembers(append(other, ' '), want, redact); err != nil || string(got) != string(plain)+" " {
			t.Fatalf("line %d, another: %v\n%s\n%s", i+1, err, got, plain)
		}
	}
}

func TestRewriteAsksOnceAboutALongText(t *testing.T) {
	long := strings.Repeat("a", longText)
	for _, tt := range []struct {
		name  string
		fn    func(string) string
		asked int
		want  string
	}{
		{"left alone", func(s string) string { return s }, 2, `["` + long + `","` + long + `","b"]`},
		{"changed", func(string) string { return "c" }, 3, `["c","c","c"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := 0
			got, err := RewriteStrings([]byte(`["`+long+`","`+long+`","b"]`), func(s string) string { asked++; return tt.fn(s) })
			if err != nil || string(got) != tt.want || asked != tt.asked {
				t.Errorf("asked %d times, %v: %s", asked, err, got)
			}
		})
	}
}
