package moment

import "sync"

// wording is an item as it is handed over.
type wording struct {
	line    string // "" if it is not to be told
	printed string // what is told of its text
}

const (
	// maxLines bounds how many items are kept as they were said, and lineBytes
	// how long the text of one may be: memories are shorter, and what is longer
	// is seldom told twice.
	maxLines  = 1000
	lineBytes = 4 << 10
)

// lines keeps how items were said. A line follows from its item alone, the same
// ones are told at every start of a session, and each is asked for twice: when
// it is chosen and when it is written. It is safe for concurrent use.
var lines struct {
	mu sync.Mutex
	by map[item]wording
}

// wording says an item, or remembers how it was said.
func (x *item) wording() wording {
	if len(x.text) > lineBytes {
		return x.say()
	}
	lines.mu.Lock()
	t, ok := lines.by[*x]
	lines.mu.Unlock()
	if ok {
		return t
	}
	t = x.say()
	lines.mu.Lock()
	defer lines.mu.Unlock()
	if lines.by == nil || len(lines.by) >= maxLines {
		lines.by = map[item]wording{}
	}
	lines.by[*x] = t
	return t
}

// line says an item on one line, or is "" if it is not to be told.
func (x *item) line() string { return x.wording().line }

// printed returns what is told of an item's text.
func (x *item) printed() string { return x.wording().printed }
