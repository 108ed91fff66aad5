package mind

import (
	"fmt"
	"slices"

	"chitta/internal/follow"
	"chitta/internal/recall"
)

// catchingUp says which keyword indexes that a question to the given targets
// asks (to all if there are none) do not hold everything yet. One that was met
// damaged is seen to.
func (m *Mind) catchingUp(targets []string) []string {
	asks := func(target string) bool { return len(targets) == 0 || slices.Contains(targets, target) }
	var notes []string
	note := func(x *follow.Indexer) {
		if text := x.Lagging(); text != "" {
			notes = append(notes, recall.SourceKeyword+": "+text)
		}
	}
	if asks(recall.TargetMemories) {
		note(m.index)
	}
	if asks(recall.TargetSessions) {
		note(m.chunks)
		note(m.sessions)
		if left := m.ingest.Deriving(); left > 0 {
			notes = append(notes, fmt.Sprintf("%s: %d conversations are being cut into passages anew", recall.TargetSessions, left))
		}
	}
	return notes
}
