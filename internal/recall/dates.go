package recall

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// dateRange is a time that a question names: a day, a month or a year.
type dateRange struct {
	year  int        // 0 if not said
	month time.Month // 0 if not said
	day   int        // 0 if not said
}

const monthNames = `january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec`

// datePatterns are the ways to write a date, the most telling first; what one
// matched is not read again by the next.
var datePatterns = sync.OnceValue(func() []datePattern {
	return []datePattern{
		{regexp.MustCompile(`\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})\b`), func(m []string) dateRange { return dateRange{number(m[1]), time.Month(number(m[2])), number(m[3])} }},
		{regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?(?:\s+of)?\s+(` + monthNames + `)\b\.?(?:,?\s+(?:of\s+)?(\d{4})\b)?`), func(m []string) dateRange {
			return dateRange{number(m[3]), monthOf(m[2]), number(m[1])}
		}},
		{regexp.MustCompile(`(?i)\b(` + monthNames + `)\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(?:of\s+)?(\d{4})\b)?`), func(m []string) dateRange {
			return dateRange{number(m[3]), monthOf(m[1]), number(m[2])}
		}},
		{regexp.MustCompile(`(?i)\b(` + monthNames + `)\b\.?,?\s+(?:of\s+)?(\d{4})\b`), func(m []string) dateRange { return dateRange{number(m[2]), monthOf(m[1]), 0} }},
		{regexp.MustCompile(`\b(\d{4})-(\d{2})\b`), func(m []string) dateRange { return dateRange{number(m[1]), time.Month(number(m[2])), 0} }},
		// a month alone is one if it is written as a name and does not begin
		// the sentence: "May I", "march on"
		{regexp.MustCompile(`[^.?!\s]\s+(January|February|March|April|May|June|July|August|September|October|November|December)\b`), func(m []string) dateRange {
			return dateRange{0, monthOf(m[1]), 0}
		}},
		{regexp.MustCompile(`\b(?:in|of|during|since|by|before|after|early|late|mid|year|summer|spring|autumn|fall|winter)[\s-]+((?:19|20)\d{2})\b`), func(m []string) dateRange { return dateRange{number(m[1]), 0, 0} }},
	}
})

type datePattern struct {
	match *regexp.Regexp
	read  func(groups []string) dateRange
}

// readDates returns the dates a text names; relative ones count from now.
func readDates(text string, now time.Time) []dateRange {
	var out []dateRange
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

func (d dateRange) valid() bool {
	return (d.year == 0 || d.year >= 1900 && d.year < 2200) && d.month >= 0 && d.month <= 12 && d.day >= 0 && d.day <= 31 && (d.month != 0 || d.day == 0)
}

var relativePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(yesterday|today|(\d{1,3}|a|an|one|two|three|four|five|six) (day|week|month|year)s? ago|last (week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|this (week|month|year))\b`)
})

// relativeDates reads "yesterday", "two weeks ago" and the like.
func relativeDates(text string, now time.Time) []dateRange {
	m := relativePattern().FindStringSubmatch(strings.ToLower(text))
	if m == nil {
		return nil
	}
	day := func(t time.Time) []dateRange { return []dateRange{{t.Year(), t.Month(), t.Day()}} }
	month := func(t time.Time) []dateRange { return []dateRange{{t.Year(), t.Month(), 0}} }
	switch {
	case m[1] == "today":
		return day(now)
	case m[1] == "yesterday":
		return day(now.AddDate(0, 0, -1))
	case m[3] != "":
		n := count(m[2])
		switch m[3] {
		case "day":
			return day(now.AddDate(0, 0, -n))
		case "week":
			return day(now.AddDate(0, 0, -7*n))
		case "month":
			return month(now.AddDate(0, -n, 0))
		}
		return []dateRange{{now.Year() - n, 0, 0}}
	case m[4] == "week":
		return day(now.AddDate(0, 0, -7))
	case m[4] == "month":
		return month(now.AddDate(0, -1, 0))
	case m[4] == "year":
		return []dateRange{{now.Year() - 1, 0, 0}}
	case m[4] != "":
		for back := 1; back <= 7; back++ {
			if t := now.AddDate(0, 0, -back); strings.EqualFold(t.Weekday().String(), m[4]) {
				return day(t)
			}
		}
	case m[5] == "week":
		return day(now)
	case m[5] == "month":
		return month(now)
	case m[5] == "year":
		return []dateRange{{now.Year(), 0, 0}}
	}
	return nil
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // the patterns let digits through, or nothing
	return n
}

func count(s string) int {
	for i, word := range []string{"", "one", "two", "three", "four", "five", "six"} {
		if s == word && i > 0 {
			return i
		}
	}
	if s == "a" || s == "an" {
		return 1
	}
	return number(s)
}

func monthOf(name string) time.Month {
	name = strings.ToLower(name)
	for m := time.January; m <= time.December; m++ {
		if strings.HasPrefix(strings.ToLower(m.String()), name[:min(3, len(name))]) {
			return m
		}
	}
	return 0
}

const (
	yearFit  = 0.3 // only the year is named and fits
	dayReach = 10  // days around a named day that still count for something
)

// fit says how well a moment fits a named time: 1 in the month, up to 1 more
// near the day.
func (d dateRange) fit(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	if d.month == 0 {
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
		score += max(0, 1-days/dayReach)
	}
	return score
}

// dateFit is the best fit of any date the question names.
func (x *question) dateFit(t time.Time) float64 {
	best := 0.0
	for _, d := range x.dates {
		best = max(best, d.fit(t))
	}
	return best
}
