package codebase

import (
	"fmt"
	"maps"
	"slices"
)

// Gap is a part of a project that its index does not have, or not whole, in
// words.
type Gap struct {
	What string // errors, left out, skipped
	Text string
}

// Gaps says what an index does not have: files that fit no rule of their
// language, those that were left out and why, those that could not be parsed.
func (r *Report) Gaps() []Gap {
	if r == nil {
		return nil
	}
	var out []Gap
	if r.Errors.Files > 0 {
		text := fmt.Sprintf("%s in %s no rule of the language; what stands beside is indexed", Counted(r.Errors.Places, "place", "places"), Counted(r.Errors.Files, "file", "files")+fits(r.Errors.Places))
		out = append(out, Gap{"errors", text + some(r.Errors.Files, r.Errors.Examples)})
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Left)) {
		l := r.Left[reason]
		out = append(out, Gap{"left out", fmt.Sprintf("%d %s", l.Files, reason) + some(l.Files, l.Examples)})
	}
	for _, s := range r.Skipped {
		if s.Why != "" {
			out = append(out, Gap{"skipped", Shown(s.Path) + ": " + s.Why})
		}
	}
	return out
}

func fits(n int) string {
	if n == 1 {
		return " fits"
	}
	return " fit"
}

// some names examples of n things.
func some(n int, examples []string) string {
	if len(examples) == 0 {
		return ""
	}
	text := ": " + ShownList(examples)
	if n > len(examples) {
		text += ", …"
	}
	return text
}

// Counted is a number with the word for one or for many.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// String says how many calls have a target, and where the others lead.
func (c Calls) String() string {
	return fmt.Sprintf("%d resolved, %d outside of the project, %d not known", c.Edges, c.External, c.Unknown)
}
