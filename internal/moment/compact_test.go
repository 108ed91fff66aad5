package moment

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCompactedAtOnce: a session that starts anew the moment after it was
// compacted is told how it stood, whether or not the background has come to it.
func TestCompactedAtOnce(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(h *house, s *talk) // before it starts anew
		has  []string
	}{
		{"nothing was read yet", func(*house, *talk) {}, []string{"list is empty", "before it was compacted"}},
		{"an older turn was read", func(h *house, s *talk) {
			h.rounds()
			s.asks("Now make the totals of credit notes negative")
		}, []string{"credit notes negative", "before it was compacted"}},
		{"by a daemon that was not there", func(h *house, s *talk) { h.again() }, []string{"list is empty"}},
		{"the transcript is gone", func(h *house, s *talk) {
			h.rounds()
			if err := os.Remove(s.path); err != nil {
				h.t.Fatal(err)
			}
		}, []string{"list is empty"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t)
			if err := os.WriteFile(filepath.Join(h.home, "project", "total.go"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			s := h.talk("s1")
			s.event(SessionStart)
			s.works("The total is wrong when the list is empty, please repair it", "total.go")
			tt.do(h, s)
			s.event(PreCompact)
			a := s.event(SessionStart, func(e *Event) { e.Source = sourceCompact })
			holds(t, a, tt.has)
		})
	}
}
