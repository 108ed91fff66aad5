package recall

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// namedTime is a time that a question names: a day, a month or a year, or one
// counted from when it is asked.
type namedTime struct {
	year     int        // 0 if not said
	month    time.Month // 0 if not said
	day      int        // 0 if not said
	from, to time.Time  // of a relative one, such as "last week"
}

const monthNames = `january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec`

// datePatterns are the ways to write a date, the most telling first; what one
// matched is not read again by the next.
var datePatterns = sync.OnceValue(func() []datePattern {
	return []datePattern{
		{regexp.MustCompile(`\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})\b`), func(m []string) namedTime { return dateOf(number(m[1]), time.Month(number(m[2])), number(m[3])) }},
		{regexp.MustCompile(`(?i)\b(\d{1,2})(st|nd|rd|th)?(\s+of)?\s+(` + monthNames + `)\b\.?(?:,?\s+(?:of\s+)?(\d{4})\b)?`), func(m []string) namedTime {
			if !written(m[4], m[2], m[3], m[5]) {
				return noDate
			}
			return dateOf(number(m[5]), monthOf(m[4]), number(m[1]))
		}},
		{regexp.MustCompile(`(?i)\b(` + monthNames + `)\.?\s+(\d{1,2})(st|nd|rd|th)?\b(?:,?\s+(?:of\s+)?(\d{4})\b)?`), func(m []string) namedTime {
			if !written(m[1], m[3], m[4]) {
				return noDate
			}
			return dateOf(number(m[4]), monthOf(m[1]), number(m[2]))
		}},
		{regexp.MustCompile(`(?i)\b(` + monthNames + `)\b\.?,?\s+(?:of\s+)?(\d{4})\b`), func(m []string) namedTime { return dateOf(number(m[2]), monthOf(m[1]), 0) }},
		{regexp.MustCompile(`\b(\d{4})-(\d{2})\b`), func(m []string) namedTime { return dateOf(number(m[1]), time.Month(number(m[2])), 0) }},
		// a month alone is one if it is written as a name behind a word that
		// speaks of time: "May I", "march on", and April is a name, too
		{regexp.MustCompile(`\b(?i:in|of|during|since|by|before|after|until|till|early|late|mid|last|this|next|from|to|and|between|around|through)[\s-]+(January|February|March|April|May|June|July|August|September|October|November|December)\b`), func(m []string) namedTime {
			return dateOf(0, monthOf(m[1]), 0)
		}},
		{regexp.MustCompile(`(?i)\b(?:in|of|during|since|by|before|after|early|late|mid|year|summer|spring|autumn|fall|winter)[\s-]+((?:19|20)\d{2})\b`), func(m []string) namedTime { return dateOf(number(m[1]), 0, 0) }},
	}
})

// noDate is what a pattern returns that was mistaken.
var noDate = namedTime{year: -1}

type datePattern struct {
	match *regexp.Regexp
	read  func(groups []string) namedTime
}

// readDates returns the dates a text names; relative ones count from now.
func readDates(text string, now time.Time) []namedTime {
	var out []namedTime
	for _, p := range datePatterns() {
		text = p.match.ReplaceAllStringFunc(text, func(s string) string {
			if d := p.read(p.match.FindStringSubmatch(s)); d.valid() {
				out = append(out, d)
				return " "
			}
			return s
		})
	}
	if len(out) == 0 && !now.IsZero() {
		out = relativeDates(text, now)
	}
	return out
}

func (d namedTime) valid() bool {
	return (d.year == 0 || d.year >= 1900 && d.year < 2200) && d.month >= 0 && d.month <= 12 && d.day >= 0 && d.day <= 31 && (d.month != 0 || d.day == 0)
}

func dateOf(year int, month time.Month, day int) namedTime {
	return namedTime{year: year, month: month, day: day}
}

var agoPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}|a couple of|a few)\s+(day|week|month|year)s?\s+(?:ago|back)\b`)
})

var lastPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(yesterday|today|this morning|last night|(?:last|past|this) (?:week(?:end)?|month|year)|last (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b`)
})

// relativeDates reads "yesterday", "two weeks ago" and the like.
func relativeDates(text string, now time.Time) []namedTime {
	text = strings.ToLower(text)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	span := func(from time.Time, days int) []namedTime {
		return []namedTime{{from: from, to: from.AddDate(0, 0, days)}}
	}
	if m := agoPattern().FindStringSubmatch(text); m != nil {
		n := count(m[1])
		switch m[2] {
		case "day":
			return span(today.AddDate(0, 0, -n), 1)
		case "week":
			return span(today.AddDate(0, 0, -7*n-3), 7)
		case "month":
			return span(today.AddDate(0, -n, -15), 30)
		}
		return span(today.AddDate(-n, 0, -183), 365)
	}
	switch s := lastPattern().FindString(text); {
	case s == "":
		return nil
	case s == "yesterday", s == "last night":
		return span(today.AddDate(0, 0, -1), 1)
	case s == "today", s == "this morning":
		return span(today, 1)
	case strings.HasSuffix(s, "weekend"):
		return span(lastWeekday(today, time.Saturday), 2)
	case s == "this week":
		return span(today.AddDate(0, 0, -7), 8)
	case strings.HasSuffix(s, "week"):
		return span(today.AddDate(0, 0, -14), 14)
	case strings.HasSuffix(s, "month"):
		first := today.AddDate(0, 0, 1-today.Day())
		if s != "this month" {
			first = first.AddDate(0, -1, 0)
		}
		return []namedTime{{from: first, to: first.AddDate(0, 1, 0)}}
	case strings.HasSuffix(s, "year"):
		first := time.Date(now.Year(), 1, 1, 0, 0, 0, 0, now.Location())
		if s != "this year" {
			first = first.AddDate(-1, 0, 0)
		}
		return []namedTime{{from: first, to: first.AddDate(1, 0, 0)}}
	default: // last Monday
		for day := time.Sunday; day <= time.Saturday; day++ {
			if strings.HasSuffix(s, strings.ToLower(day.String())) {
				return span(lastWeekday(today, day), 1)
			}
		}
	}
	return nil
}

func lastWeekday(today time.Time, day time.Weekday) time.Time {
	for back := 1; back < 7; back++ {
		if t := today.AddDate(0, 0, -back); t.Weekday() == day {
			return t
		}
	}
	return today.AddDate(0, 0, -7)
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // the patterns let digits through, or nothing
	return n
}

func count(s string) int {
	switch s {
	case "a", "an":
		return 1
	case "a couple of":
		return 2
	case "a few":
		return 3
	}
	for i, word := range []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"} {
		if s == word {
			return i + 1
		}
	}
	return number(s)
}

// monthOf reads the name of a month or its usual abbreviation.
func monthOf(name string) time.Month {
	name = strings.ToLower(name)
	for m := time.January; m <= time.December; m++ {
		if full := strings.ToLower(m.String()); name == full || name == full[:3] || name == "sept" && m == time.September {
			return m
		}
	}
	return 0
}

// written says whether the word for a month is written like a name, or what
// stands around it leaves no doubt: "3 may" can be the end of "Python 3 may".
func written(month string, sure ...string) bool {
	return month[0] < 'a' || slices.ContainsFunc(sure, func(s string) bool { return s != "" })
}

const (
	yearFit     = 0.3 // only the year is named and fits
	relativeFit = 0.5 // what is counted from now may be when it happened, not when it was told
	dayReach    = 10  // days around a named day that still count for something
	daysAYear   = 365
)

// fit says how well a moment fits a named time: 1 in the month, up to 1 more
// near the day.
func (d namedTime) fit(t time.Time) float64 {
	switch {
	case t.IsZero():
		return 0
	case !d.from.IsZero():
		gap := max(d.from.Sub(t), t.Sub(d.to)).Hours() / 24
		reach := min(14, max(2, d.to.Sub(d.from).Hours()/24))
		return relativeFit * max(0, min(1, 1-gap/reach))
	case d.month == 0:
		if t.Year() == d.year {
			return yearFit
		}
		return 0
	}
	score := 0.0
	if t.Month() == d.month && (d.year == 0 || t.Year() == d.year) {
		score = 1
	}
	if d.day != 0 {
		year := d.year
		if year == 0 {
			year = t.Year()
		}
		days := t.Sub(time.Date(year, d.month, d.day, 12, 0, 0, 0, t.Location())).Abs().Hours() / 24
		if d.year == 0 {
			days = min(days, max(0, daysAYear-days)) // around the turn of the year
		}
		score += max(0, 1-days/dayReach)
	}
	return score
}

// dateFit is the best fit of any time the question names.
func (x *question) dateFit(t time.Time) float64 {
	best := 0.0
	for _, d := range x.dates {
		best = max(best, d.fit(t))
	}
	return best
}
