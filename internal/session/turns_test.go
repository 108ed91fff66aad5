package session

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTurns(t *testing.T) {
	at := time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC)
	for _, tt := range []struct {
		name, line string
		want       Message
	}{
		{"names", `{"id":"D1:1","session":"1","speaker":"Caroline","time":"1:56 pm on 8 May, 2023","text":"Hey Mel!"}`,
			Message{ID: "D1:1", Session: "1", Role: User, Speaker: "Caroline", Time: at}},
		{"roles", `{"id":7,"session":12,"role":"assistant","text":"Hey Mel!","extra":[1,{}]}`,
			Message{ID: "7", Session: "12", Role: Assistant}},
		{"both", `{"id":"a","role":"assistant","speaker":"Bot","text":"Hey Mel!"}`,
			Message{ID: "a", Role: Assistant, Speaker: "Bot"}},
		{"a role that is a name", `{"id":"a","role":"Melanie","text":"Hey Mel!"}`,
			Message{ID: "a", Role: User, Speaker: "Melanie"}},
		{"nulls", `{"id":"a","session":null,"speaker":null,"role":"system","time":null,"text":"Hey Mel!"}`,
			Message{ID: "a", Role: System}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Parts = []Part{{Kind: Text, Text: "Hey Mel!"}}
			rec, err := Turns{}.Line([]byte(tt.line))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tt.want, rec.Message); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTurnTimes(t *testing.T) {
	for text, want := range map[string]string{
		"2023-05-08T13:56:00Z":      "2023-05-08T13:56:00Z",
		"2023-05-08T13:56:00+02:00": "2023-05-08T11:56:00Z",
		"2023-05-08":                "2023-05-08T00:00:00Z",
		"2023-05-08 13:56":          "2023-05-08T13:56:00Z",
		"2023-05-08 13:56:07":       "2023-05-08T13:56:07Z",
		"1:56 pm on 8 May, 2023":    "2023-05-08T13:56:00Z",
		"12:09 am on 13 July, 2023": "2023-07-13T00:09:00Z",
		"2023/05/20 (Sat) 02:21":    "2023-05-20T02:21:00Z",
		"1683554160":                "2023-05-08T13:56:00Z",
		"1683554160000":             "2023-05-08T13:56:00Z",
	} {
		got, ok := parseTime(text)
		if !ok || got.UTC().Format(time.RFC3339) != want {
			t.Errorf("%s: %v %v, want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{"noon", "-5", "NaN", "1e300", "2023-13-01"} {
		if got, ok := parseTime(text); ok {
			t.Errorf("%s is taken as %v", text, got)
		}
	}
}

func TestTurnErrors(t *testing.T) {
	for line, want := range map[string]string{
		`{"session":"1","text":"x"}`:              "id is missing",
		`{"id":"1"}`:                              "text is missing",
		`{"id":"1","text":null}`:                  "text is missing",
		`{"id":true,"text":"x"}`:                  "id is a boolean, not a string or a number",
		`{"id":"1","text":5}`:                     "text is a number, not a string",
		`{"id":"1","text":"x","time":"noon"}`:     "time is not a time; write it like 2024",
		`{"id":"1","text":"x","text":"y"}`:        "text is there twice",
		`"x"`:                                     "is not an object",
		`{"id":"1","text":"x"`:                    "not valid JSON",
		`{"id":"1","text":"x"}{"id":2,"text":""}`: "more than one record",
	} {
		if _, err := (Turns{}).Line([]byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"conversation", []string{record("user", `"x"`)}, "claude-code"},
		{"snapshot first", []string{`{"type":"file-history-snapshot","messageId":"m"}`}, "claude-code"},
		{"snapshot without an id", []string{`{"type":"file-history-snapshot","snapshot":{},"isSnapshotUpdate":false}`}, "claude-code"},
		{"queue first", []string{`{"type":"queue-operation","operation":"enqueue","timestamp":"t"}`}, "claude-code"},
		{"summary first", []string{`{"type":"summary","summary":"x","leafUuid":"u"}`}, "claude-code"},
		{"system first", []string{`{"type":"system","subtype":"informational","uuid":"u"}`}, "claude-code"},
		{"system without an id", []string{`{"type":"system","subtype":"api_error","sessionId":"s"}`}, "claude-code"},
		{"another's system", []string{`{"type":"system","text":"x"}`, `{"type":"summary","text":"x"}`}, ""},
		{"damaged first line", []string{`{"type":`, record("user", `"x"`)}, "claude-code"},
		{"turns", []string{`{"id":1,"speaker":"A","text":"x"}`}, "turns"},
		{"another agent's", []string{`{"timestamp":"t","type":"session_meta","payload":{}}`, `{"type":"message","role":"user","content":[]}`}, ""},
		{"one object over many lines", []string{`{`, `  "sessionId": "x",`, `  "type": "user",`}, ""},
		{"no JSON", []string{"hello", ""}, ""},
		{"nothing", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var lines [][]byte
			for _, l := range tt.lines {
				lines = append(lines, []byte(l))
			}
			name := ""
			if f, ok := Detect(lines); ok {
				name = f.Name()
			}
			if name != tt.want {
				t.Errorf("taken as %q, want %q", name, tt.want)
			}
		})
	}
}

func TestDetectFrom(t *testing.T) {
	nothing := `{"type":"unheard-of"}` + "\n"
	sign := record("user", `"x"`) + "\n"
	long := `{"type":"unheard-of","data":"` + strings.Repeat("x", DetectBytes) + `"}` + "\n"
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"at once", sign, true},
		{"on the last line looked at", strings.Repeat(nothing, DetectLines-1) + sign, true},
		{"behind it", strings.Repeat(nothing, DetectLines) + sign, false},
		{"behind many bytes", long + sign, false},
		{"behind NULs", strings.Repeat("\x00", 4096) + sign, true},
		{"empty", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			format, ok, err := DetectFrom(NewLines(strings.NewReader(tt.text), 0, 0))
			if err != nil || ok != tt.want || ok && format.Name() != "claude-code" {
				t.Errorf("%v %v %v", format, ok, err)
			}
		})
	}
	if _, ok, err := DetectFrom(NewLines(iotest.ErrReader(io.ErrUnexpectedEOF), 0, 0)); ok || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v %v", ok, err)
	}
}

func FuzzTurns(f *testing.F) {
	f.Add([]byte(`{"id":"D1:1","session":1,"speaker":"C","role":"user","time":"1:56 pm on 8 May, 2023","text":"Hey"}`))
	f.Add([]byte(`{"id":1e9,"text":"\u0000","time":1683554160}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		rec, err := Turns{}.Line(line)
		if (err == nil) != (rec.Message != nil) {
			t.Fatalf("%+v, %v", rec, err)
		}
	})
}
