package session

import (
	"sort"
	"strings"
)

// codeSpan is a range of whole lines of a text that are code: a block between
// fences, or a diff.
type codeSpan struct{ from, to int }

// codeSpans finds the code in a text.
func codeSpans(text string) []codeSpan {
	var spans []codeSpan
	fence := "" // what closes the block at hand
	diff := false
	for from := 0; from < len(text); {
		to := len(text)
		if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
			to = from + n + 1
		}
		line := text[from:to]
		mark := fenceMark(line)
		inside := fence != "" || mark != ""
		switch {
		case fence == "" && mark != "":
			fence, diff = mark, false
		case fence != "" && strings.HasPrefix(mark, fence):
			fence = ""
		case fence == "":
			diff = startsDiff(line) || diff && continuesDiff(line)
			inside = diff
		}
		if inside {
			if n := len(spans); n > 0 && spans[n-1].to == from {
				spans[n-1].to = to
			} else {
				spans = append(spans, codeSpan{from, to})
			}
		}
		from = to
	}
	return spans
}

// fenceMark returns the run of backticks or tildes that a line begins with, if
// it makes a fence.
func fenceMark(line string) string {
	line = strings.TrimLeft(line, " \t")
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

func startsDiff(line string) bool {
	for _, start := range []string{"diff --git ", "@@ -", "--- a/", "+++ b/", "Index: "} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}

func continuesDiff(line string) bool {
	switch line[0] {
	case ' ', '+', '-', '@', '\\':
		return true
	}
	for _, start := range []string{"index ", "new file ", "deleted file ", "similarity ", "rename "} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}

// inCode reports whether at lies inside code, neither at its beginning nor at
// its end.
func (c cut) inCode(at int) bool {
	i := sort.Search(len(c.code), func(i int) bool { return c.code[i].to > at })
	return i < len(c.code) && c.code[i].from < at
}
