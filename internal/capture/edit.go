package capture

import (
	"slices"
	"strings"
)

// edit replaces a part of the original text.
type edit struct {
	start, end int
	text       string
	rule       string
}

// edits is a list of changes to one text, in order and without overlaps.
type edits []edit

// apply returns the text with all changes made.
func (es edits) apply(text string) string {
	if len(es) == 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	from := 0
	for _, e := range es {
		b.WriteString(text[from:e.start])
		b.WriteString(e.text)
		from = e.end
	}
	b.WriteString(text[from:])
	return b.String()
}

// add makes further changes, given by offsets in the text as changed so far.
// One that touches an earlier change takes its place; private passages that
// vanish in this way are returned, so that they are still counted.
func (es edits) add(more edits) (all, absorbed edits) {
	for i := range more {
		more[i].start, more[i].end = es.original(more[i].start, false), es.original(more[i].end, true)
	}
	for _, e := range es {
		inside := slices.ContainsFunc(more, func(m edit) bool { return m.start <= e.start && e.end <= m.end })
		switch {
		case !inside:
			all = append(all, e)
		case e.rule == rulePrivate:
			absorbed = append(absorbed, e)
		}
	}
	all = append(all, more...)
	slices.SortFunc(all, func(a, b edit) int { return a.start - b.start })
	return all, absorbed
}

// original translates an offset in the changed text. One inside a replacement
// goes to the near side of what was replaced.
func (es edits) original(at int, isEnd bool) int {
	shift := 0 // length of the changed text minus that of the original, so far
	for _, e := range es {
		start := e.start + shift
		end := start + len(e.text)
		if at < start || at == start && (isEnd || e.text != "") {
			break
		}
		if at < end {
			if isEnd {
				return e.end
			}
			return e.start
		}
		shift += len(e.text) - (e.end - e.start)
	}
	return at - shift
}
