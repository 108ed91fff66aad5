package session

import (
	"strconv"
	"strings"
	"time"
)

// timeLayouts are the ways people and data sets write a moment.
var timeLayouts = []string{
	time.RFC3339,
	"2006-01-02T15:04:05",
	"2006-01-02T15:04",
	"2006-01-02 15:04:05",
	"2006-01-02 15:04",
	time.DateOnly,
	"3:04 pm on 2 January, 2006",
	"3:04 pm on 2 Jan, 2006",
	"3:04 PM on 2 January, 2006",
	"2006/01/02 (Mon) 15:04",
	"2006/01/02 15:04",
	"2006/01/02",
}

// unixMillisFrom is where a number is read as milliseconds: as seconds it
// would lie in the year 5138, as milliseconds in 1973.
const unixMillisFrom = 1e11

// parseTime reads a moment in any of the layouts, or as Unix seconds or
// milliseconds. A moment without a zone is taken as UTC.
func parseTime(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return unixTime(text)
}

func unixTime(text string) (time.Time, bool) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != n || n < 0 || n > unixMillisFrom*1000 {
		return time.Time{}, false
	}
	if n < unixMillisFrom {
		n *= 1000
	}
	return time.UnixMilli(int64(n)).UTC(), true
}
