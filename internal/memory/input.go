package memory

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// What operations take is checked here, so that the same thing is refused in
// the same words wherever it is handed in.

const (
	// MaxQuery is how long a question may be, in bytes; longer ones are documents.
	MaxQuery = 64 << 10
	// MaxTask is how long a task or an error may be, in bytes; only a part of it
	// is looked for.
	MaxTask = 1 << 20
	// MaxName and MaxPath are how long names and paths may be, in bytes.
	MaxName = 128
	MaxPath = 4096
)

// CheckText refuses text that could not be stored or searched as it is.
func CheckText(field, text string, maxBytes int) error {
	switch {
	case !utf8.ValidString(text):
		return &InputError{Field: field, Problem: "is not valid UTF-8", Hint: "send it as UTF-8 text"}
	case strings.ContainsRune(text, 0):
		return &InputError{Field: field, Problem: fmt.Sprintf("contains a NUL byte at offset %d", strings.IndexByte(text, 0)), Hint: "remove it"}
	case len(text) > maxBytes:
		return &InputError{Field: field, Problem: fmt.Sprintf("has %d bytes, more than %d", len(text), maxBytes), Hint: "shorten it or split it"}
	}
	return nil
}

// PageOn is the hint where a listing has pages.
const PageOn = "ask for less and page on with the cursor"

// CheckLimit returns how many to return: what was asked for, or so many by
// default. It refuses more than most, with a hint that says what to do instead.
func CheckLimit(limit, byDefault, most int, hint string) (int, error) {
	switch {
	case limit < 0:
		return 0, &InputError{Field: "limit", Problem: fmt.Sprintf("is %d", limit), Hint: fmt.Sprintf("use a number from 1 to %d, or leave it out", most)}
	case limit > most:
		return 0, &InputError{Field: "limit", Problem: fmt.Sprintf("is %d, more than %d", limit, most), Hint: hint}
	case limit == 0:
		return byDefault, nil
	}
	return limit, nil
}

var relativeTime = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d{1,5})\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?|mo|months?|y|years?)(?:\s+ago)?$`)
})

// ParseTime reads a point in time as people write them: RFC 3339, a date,
// "today", "yesterday", or a span before now ("3d", "2 weeks ago"). Dates are
// those of now's time zone.
func ParseTime(field, text string, now time.Time) (time.Time, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.ParseInLocation(layout, strings.ToUpper(text), now.Location()); err == nil {
			return t, nil
		}
	}
	day := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch text {
	case "now":
		return now, nil
	case "today":
		return day, nil
	case "yesterday":
		return day.AddDate(0, 0, -1), nil
	}
	if g := relativeTime().FindStringSubmatch(text); g != nil {
		n, _ := strconv.Atoi(g[1]) // at most five digits by the expression
		switch unit := g[2]; {
		case strings.HasPrefix(unit, "s"):
			return now.Add(-time.Duration(n) * time.Second), nil
		case strings.HasPrefix(unit, "mo"):
			return now.AddDate(0, -n, 0), nil
		case strings.HasPrefix(unit, "m"):
			return now.Add(-time.Duration(n) * time.Minute), nil
		case strings.HasPrefix(unit, "h"):
			return now.Add(-time.Duration(n) * time.Hour), nil
		case strings.HasPrefix(unit, "d"):
			return now.AddDate(0, 0, -n), nil
		case strings.HasPrefix(unit, "w"):
			return now.AddDate(0, 0, -7*n), nil
		default:
			return now.AddDate(-n, 0, 0), nil
		}
	}
	return time.Time{}, &InputError{Field: field, Problem: fmt.Sprintf("%q is not a time", text),
		Hint: `use a date (2026-01-31), a time (2026-01-31T12:00:00Z) or a span ("3d", "2 weeks ago")`}
}

// EncodeCursor returns where a page of a listing ended, for the next one.
func EncodeCursor(seq int64) string {
	return base64.RawURLEncoding.EncodeToString([]byte("s" + strconv.FormatInt(seq, 10)))
}

// DecodeCursor reads what [EncodeCursor] gave; none is 0.
func DecodeCursor(cursor string) (int64, error) {
	if cursor == "" {
		return 0, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil && len(b) > 1 && b[0] == 's' {
		if seq, err := strconv.ParseInt(string(b[1:]), 10, 64); err == nil && seq > 0 {
			return seq, nil
		}
	}
	return 0, &InputError{Field: "cursor", Problem: fmt.Sprintf("%q is not one that a listing gave", cursor), Hint: "pass on the next of the page before, or leave it out"}
}

// FirstBytes cuts a text to at most n bytes without splitting a character.
func FirstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
