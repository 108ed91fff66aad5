package ingest

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chitta/internal/session"
)

func TestMayHaveLongName(t *testing.T) {
	long := strings.Repeat("n", longName)
	for line, want := range map[string]bool{
		`{"type":"user","sourceToolAssistantUUID":"x","cache_read_input_tokens":1}`: false,
		`{"` + long + `":1}`:                               true,
		`{"a":{"b":[{"` + long + `":null}]}}`:              true,
		`{"` + long + `" :1}`:                              true,
		`{"` + long + "\"\t\r\n :1}":                       true,
		`{"` + strings.Repeat(long, 100) + `":1}`:          true,
		`{"a":"` + strings.Repeat("long text ", 99) + `"}`: false,
		`{"` + long + `\"x":1}`:                            true,
		`{"a":"{\"` + long + `\":1}"}`:                     false,
		``:                                                 false, `"`: false, `":`: false, `" :`: true,
	} {
		if got := mayHaveLongName([]byte(line)); got != want {
			t.Errorf("%.60s: %v", line, got)
		}
	}
}

// TestNoLongNameIsMissed holds the quick look against taking lines apart.
func TestNoLongNameIsMissed(t *testing.T) {
	space := rapid.SampledFrom([]string{"", "", "", "", " ", "\t \n", "\r"})
	rapid.Check(t, func(r *rapid.T) {
		var b strings.Builder
		b.WriteString("{")
		for i := range rapid.IntRange(0, 4).Draw(r, "members") {
			if i > 0 {
				b.WriteString(",")
			}
			name := rapid.StringMatching(`[a-z:" \\\\]{0,80}`).Draw(r, "name")
			name = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name)
			b.WriteString(space.Draw(r, "before") + `"` + name + `"` + space.Draw(r, "between") + ":" + space.Draw(r, "after"))
			b.WriteString(rapid.SampledFrom([]string{`1`, `"a \": b"`, `{}`, `[{"x" : 2}]`, `null`}).Draw(r, "value"))
		}
		line := []byte(b.String() + "}")
		asked := false
		if _, err := session.RewriteNames(line, func(name []byte) bool { asked = asked || isLongName(name); return false }, func(s string) string { return s }); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if asked && !mayHaveLongName(line) {
			r.Fatalf("missed in %s", line)
		}
	})
}
