package mind

import (
	"context"
	"math"

	"chitta/internal/follow"
)

// What package moment needs to judge what bears on a moment, and to recognise a
// command or a file of a project.

// Word is a word of a text as the indexes know it.
type Word struct {
	Surface string   // as it is written
	Terms   []string // what it is found by: its stem, and the parts of a name
}

// Words returns the distinct words of a text, without those that every text
// has.
func (m *Mind) Words(text string) []Word {
	var out []Word
	at := map[string]int{}
	for _, t := range m.analyzer.QueryTerms(text) {
		i, ok := at[t.Surface]
		if !ok {
			i = len(out)
			at[t.Surface] = i
			out = append(out, Word{Surface: t.Surface})
		}
		out[i].Terms = append(out[i].Terms, t.Term)
	}
	return out
}

// Terms returns the set of what a text is found by.
func (m *Mind) Terms(text string) map[string]bool {
	out := map[string]bool{}
	for _, t := range m.analyzer.Terms(text) {
		out[t] = true
	}
	return out
}

// RareWord returns what a word counts that only one memory, or only one
// passage, has. Scores by words grow with what is stored; divided by this they
// say how many rare words two texts have in common. It goes by the sequences of
// changes, which are as long as what is stored or a little longer: the
// logarithm makes little of that, and it takes no counting.
func (m *Mind) RareWord(ctx context.Context) (memories, passages float64, err error) {
	rev, err := m.store.LastRev(ctx)
	if err != nil {
		return 0, 0, err
	}
	chunks, err := m.store.LastChunkRev(ctx)
	return rareWord(rev), rareWord(chunks), err
}

// rareWord is the inverse document frequency of a word that one of n texts has.
func rareWord(n int64) float64 {
	const one = 1.5 // one text, smoothed as the index does
	return math.Log(1 + max(1, float64(n))/one)
}

// Roots returns the directories that are tops of a project, in all its clones.
func (m *Mind) Roots(ctx context.Context, realm string) ([]string, error) {
	return follow.RealmRoots(ctx, m.store, realm)
}
