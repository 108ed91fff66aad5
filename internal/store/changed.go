package store

import (
	"strings"
	"sync"
)

// changes tells up to which commit each table has been written to, so that
// what was read can be kept for as long as it is still true. It knows what this
// process wrote, and no other does.
type changes struct {
	mu      sync.Mutex
	commits uint64
	last    map[string]uint64 // by table, the commit that wrote to it last
}

// Changed returns the number of the last commit that wrote to one of some
// tables, 0 if none did since the store was opened. What was read after asking
// holds until the answer is another.
func (s *Store) Changed(tables ...string) (last uint64) {
	s.changes.mu.Lock()
	defer s.changes.mu.Unlock()
	for _, t := range tables {
		last = max(last, s.changes.last[t])
	}
	return last
}

// note takes a commit down. It comes after the commit: whoever sees the number
// sees what was written.
func (c *changes) note(tables map[string]bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == nil {
		c.last = map[string]uint64{}
	}
	c.commits++
	for t := range tables {
		c.last[t] = c.commits
	}
}

// targets keeps which table each query writes to: there are a few hundred, and
// they run often.
var targets sync.Map

// targetOf returns the table that a query writes to, "" if it only reads.
func targetOf(query string) string {
	if table, ok := targets.Load(query); ok {
		return table.(string)
	}
	table := target(query)
	targets.Store(query, table)
	return table
}

func target(query string) string {
	words := strings.FieldsFunc(query, func(r rune) bool { return strings.ContainsRune(" \t\n(", r) })
	for i, w := range words {
		switch strings.ToUpper(w) {
		case "INTO", "UPDATE", "FROM":
			if i+1 < len(words) {
				return strings.ToLower(words[i+1])
			}
		case "INSERT", "REPLACE", "DELETE", "OR", "IGNORE":
		default:
			return "" // SELECT and the like
		}
	}
	return ""
}
