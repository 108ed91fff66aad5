package memory

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestTimesAsPeopleWriteThem(t *testing.T) {
	now := time.Date(2026, 5, 20, 15, 30, 0, 0, time.UTC)
	tests := []struct {
		name, text string
		want       time.Time
	}{
		{"nothing", "", time.Time{}},
		{"a date", "2026-01-31", time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)},
		{"a time", "2026-01-31T10:00:00Z", time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC)},
		{"a time in lower case", "2026-01-31t10:00:00z", time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC)},
		{"a time without seconds", "2026-01-31 10:05", time.Date(2026, 1, 31, 10, 5, 0, 0, time.UTC)},
		{"today", "today", time.Date(2026, 5, 20, 0, 0, 0, 0, time.UTC)},
		{"yesterday", "Yesterday", time.Date(2026, 5, 19, 0, 0, 0, 0, time.UTC)},
		{"days", "3d", now.AddDate(0, 0, -3)},
		{"minutes", "5m", now.Add(-5 * time.Minute)},
		{"months", "2mo", now.AddDate(0, -2, 0)},
		{"in words", "2 weeks ago", now.AddDate(0, 0, -14)},
		{"hours in words", "1 hour ago", now.Add(-time.Hour)},
		{"a year", "1y", now.AddDate(-1, 0, 0)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := ParseTime("since", tt.text, now); err != nil || !got.Equal(tt.want) {
				t.Errorf("%v %v, want %v", got, err, tt.want)
			}
		})
	}
	for _, bad := range []string{"soon", "3", "d3", "2026-13-01", "999999d", "-3d"} {
		if got, err := ParseTime("since", bad, now); err == nil {
			t.Errorf("%q is %v", bad, got)
		}
	}
}

// FuzzParseTime holds that a time either parses or is refused by name.
func FuzzParseTime(f *testing.F) {
	for _, s := range []string{"3d", "2026-01-31", "yesterday", "2 weeks ago", "99999y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := ParseTime("since", text, time.Date(2026, 5, 20, 15, 4, 5, 0, time.UTC))
		if err != nil && !strings.Contains(err.Error(), "since") {
			t.Errorf("%q: %v does not name the field", text, err)
		}
	})
}

func TestCheckText(t *testing.T) {
	for _, tt := range []struct{ name, text, problem string }{
		{"a text", "größer als 🚀", ""},
		{"as long as allowed", strings.Repeat("x", 20), ""},
		{"too long", strings.Repeat("x", 21), "has 21 bytes, more than 20"},
		{"a NUL", "a\x00b", "contains a NUL byte at offset 1"},
		{"no UTF-8", "a\xffb", "is not valid UTF-8"},
	} {
		err := CheckText("query", tt.text, 20)
		var wrong *InputError
		if (err == nil) != (tt.problem == "") || err != nil && (!errors.As(err, &wrong) || wrong.Field != "query" || wrong.Problem != tt.problem || wrong.Hint == "") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestCheckLimit(t *testing.T) {
	for _, tt := range []struct{ limit, want int }{{0, 5}, {1, 1}, {10, 10}, {11, 0}, {-1, 0}} {
		got, err := CheckLimit(tt.limit, 5, 10, PageOn)
		if got != tt.want || (err == nil) != (tt.want > 0) {
			t.Errorf("%d: %d %v", tt.limit, got, err)
		}
	}
}

func TestCursor(t *testing.T) {
	for _, seq := range []int64{1, 42, 1 << 62} {
		if got, err := DecodeCursor(EncodeCursor(seq)); err != nil || got != seq {
			t.Errorf("%d: %d %v", seq, got, err)
		}
	}
	if got, err := DecodeCursor(""); err != nil || got != 0 {
		t.Errorf("none: %d %v", got, err)
	}
	for _, bad := range []string{"x", "!!", EncodeCursor(0), EncodeCursor(-1), "\x00"} {
		if got, err := DecodeCursor(bad); err == nil {
			t.Errorf("%q is %d", bad, got)
		}
	}
}

func TestFirstBytes(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abc", 2, "ab"}, {"aé", 2, "a"}, {"", 0, ""}} {
		if got := FirstBytes(tt.text, tt.n); got != tt.want {
			t.Errorf("%q to %d: %q", tt.text, tt.n, got)
		}
	}
}

func TestNotFoundErrorSaysWhere(t *testing.T) {
	for _, tt := range []struct {
		err  NotFoundError
		want string
	}{
		{NotFoundError{What: "session", ID: "x"}, `session "x": not found`},
		{NotFoundError{What: "message", ID: "x", Session: "s"}, `session s has no message "x"`},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
