package mind

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"chitta/internal/memory"
)

func parseKinds(names []string) ([]memory.Kind, error) {
	var kinds []memory.Kind
	for _, n := range names {
		k, err := memory.ParseKind(n)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

// parseEach turns names into one of the typed values allowed for a field.
func parseEach[T ~string](field string, names, allowed []string) ([]T, error) {
	var out []T
	for _, n := range names {
		v, err := memory.ParseOneOf(field, n, allowed)
		if err != nil {
			return nil, err
		}
		out = append(out, T(v))
	}
	return out, nil
}

const (
	maxTags     = 32
	maxTagRunes = 64
	maxQuery    = 64 << 10 // bytes; longer questions are documents
)

// cleanTags returns tags lower-cased, trimmed, sorted and without repeats.
func cleanTags(tags []string) ([]string, error) {
	out := []string{}
	for _, t := range tags {
		t = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(t), "#"))
		switch {
		case t == "":
			return nil, &memory.InputError{Field: "tags", Problem: "contain an empty tag", Hint: "leave it out"}
		case !utf8.ValidString(t) || strings.ContainsFunc(t, func(r rune) bool { return unicode.IsControl(r) || r == ',' }):
			return nil, &memory.InputError{Field: "tags", Problem: fmt.Sprintf("contain %q, which has a comma or control character", t), Hint: "use letters, digits, -, _, / and ."}
		case utf8.RuneCountInString(t) > maxTagRunes:
			return nil, &memory.InputError{Field: "tags", Problem: fmt.Sprintf("contain one of more than %d characters", maxTagRunes), Hint: "shorten it"}
		}
		out = append(out, t)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > maxTags {
		return nil, &memory.InputError{Field: "tags", Problem: fmt.Sprintf("are %d, more than %d", len(out), maxTags), Hint: "keep the telling ones"}
	}
	return out, nil
}

// checkText refuses text that could not be stored or searched as it is.
func checkText(field, text string, maxBytes int) error {
	switch {
	case !utf8.ValidString(text):
		return &memory.InputError{Field: field, Problem: "is not valid UTF-8", Hint: "send it as UTF-8 text"}
	case strings.ContainsRune(text, 0):
		return &memory.InputError{Field: field, Problem: fmt.Sprintf("contains a NUL byte at offset %d", strings.IndexByte(text, 0)), Hint: "remove it"}
	case len(text) > maxBytes:
		return &memory.InputError{Field: field, Problem: fmt.Sprintf("has %d bytes, more than %d", len(text), maxBytes), Hint: "shorten it or split it"}
	}
	return nil
}

// pageOn is the hint where a listing has pages.
const pageOn = "ask for less and page on with the cursor"

func checkLimit(limit, byDefault, most int, hint string) (int, error) {
	switch {
	case limit < 0:
		return 0, &memory.InputError{Field: "limit", Problem: fmt.Sprintf("is %d", limit), Hint: fmt.Sprintf("use a number from 1 to %d, or leave it out", most)}
	case limit > most:
		return 0, &memory.InputError{Field: "limit", Problem: fmt.Sprintf("is %d, more than %d", limit, most), Hint: hint}
	case limit == 0:
		return byDefault, nil
	}
	return limit, nil
}

var relativeTime = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d{1,5})\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?|mo|months?|y|years?)(?:\s+ago)?$`)
})

// parseTime reads a point in time as people write them: RFC 3339, a date,
// "today", "yesterday", or a span before now ("3d", "2 weeks ago"). Dates are
// those of now's time zone.
func parseTime(field, text string, now time.Time) (time.Time, error) {
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
	return time.Time{}, &memory.InputError{Field: field, Problem: fmt.Sprintf("%q is not a time", text),
		Hint: `use a date (2026-01-31), a time (2026-01-31T12:00:00Z) or a span ("3d", "2 weeks ago")`}
}
