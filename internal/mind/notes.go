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
		if text := lagging(x); text != "" {
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

// lagging says what an index lacks, "" if nothing.
func lagging(x *follow.Indexer) string {
	damage := x.Damage()
	todo, total, _ := x.Progress()
	switch {
	case todo == 0:
		return "" // damage was said by the search that met it
	case damage != nil:
		return fmt.Sprintf("the index of %s was damaged and is being made anew, %d of %d changes to go", x.Name(), todo, total)
	}
	return fmt.Sprintf("the index of %s is catching up, %d of %d changes to go", x.Name(), todo, total)
}
