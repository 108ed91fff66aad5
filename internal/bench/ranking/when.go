package ranking

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// layouts are the written forms of a time. Without a zone it is UTC.
var layouts = []string{
	time.RFC3339,
	"2006-01-02T15:04:05",
	"2006-01-02T15:04",
	"2006-01-02 15:04:05",
	"2006-01-02 15:04",
	"2006-01-02",
	"3:04 pm on 2 January, 2006", // LoCoMo
	"3:04 PM on 2 January, 2006",
	"2006/01/02 (Mon) 15:04", // LongMemEval
	"2006/01/02 15:04",
	"2006/01/02",
}

const (
	// millisecondsFrom tells Unix seconds from milliseconds: as seconds it
	// lies in the year 5138, as milliseconds in 1973.
	millisecondsFrom = 1e11
	// lastMillisecond is the end of the year 9999.
	lastMillisecond = 253_402_300_799_999
	// unixDigits is how many digits a quoted number must have to be a Unix
	// time: fewer could be a year or a date without separators.
	unixDigits = 9
)

// parseTime reads a JSON string or number. Nothing, null and the empty string
// are the zero time.
func parseTime(raw json.RawMessage) (time.Time, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return time.Time{}, nil
	}
	if raw[0] != '"' {
		return unixTime(string(raw))
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return time.Time{}, err
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	if len(text) >= unixDigits && strings.Trim(text, "0123456789") == "" {
		return unixTime(text)
	}
	return time.Time{}, fmt.Errorf("time %q is in no known form", text)
}

// unixTime reads seconds or milliseconds since 1970.
func unixTime(number string) (time.Time, error) {
	n, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("time %s is neither a string nor a number", number)
	}
	if math.Abs(n) < millisecondsFrom {
		n *= 1000
	}
	if math.Abs(n) > lastMillisecond {
		return time.Time{}, fmt.Errorf("time %s is out of range", number)
	}
	return time.UnixMilli(int64(math.Round(n))).UTC(), nil
}
