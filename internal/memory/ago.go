package memory

import (
	"fmt"
	"time"
)

// Ago says how long before now a time was, as people say it.
func Ago(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	d := now.Sub(t)
	const day = 24 * time.Hour
	switch {
	case d < -time.Minute:
		return "in the future"
	case d < 10*time.Second:
		return "just now"
	case d < time.Minute:
		return fmt.Sprintf("%d seconds ago", int(d/time.Second))
	case d < time.Hour:
		return count(int(d/time.Minute), "minute")
	case d < day:
		return count(int(d/time.Hour), "hour")
	case d < 2*day:
		return "yesterday"
	case d < 14*day:
		return count(int(d/day), "day")
	case d < 60*day:
		return count(int(d/(7*day)), "week")
	case d < 365*day:
		return count(int(d/(30*day)), "month")
	default:
		return count(int(d/(365*day)), "year")
	}
}

func count(n int, unit string) string {
	if n == 1 {
		return "1 " + unit + " ago"
	}
	return fmt.Sprintf("%d %ss ago", n, unit)
}
