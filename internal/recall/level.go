package recall

import (
	"context"
	"slices"
)

// Level puts memories and passages of conversations on one footing where both
// answer. A passage gathers points from its neighbours and its conversation that
// a memory cannot have, so at equal scores the memory, which was found worth
// keeping, is the better answer.
type Level struct{}

// Name returns the stage's name.
func (Level) Name() string { return SourceLevel }

const (
	// SourceLevel is what a passage gives up beside memories.
	SourceLevel = "level"
	// passageShare is what a passage's relevance counts beside memories. On 70
	// questions about recorded sessions it is the least at which the first right
	// answer stands where it stood, and the right memory rises from the 14th
	// place to the 6th on the average.
	passageShare = 0.6
)

// Refine lowers passages and puts all in order.
func (Level) Refine(_ context.Context, _ *Query, a *Answer) error {
	if !slices.ContainsFunc(a.Candidates, func(c Candidate) bool { return c.Memory != nil }) {
		return nil
	}
	for i := range a.Candidates {
		c := &a.Candidates[i]
		if c.Passage == nil {
			continue
		}
		lower := passageShare * c.Score
		c.Evidence = append(c.Evidence, Evidence{Source: SourceLevel, Score: passageShare, Weighted: lower - c.Score})
		c.Score = lower
	}
	slices.SortStableFunc(a.Candidates, byScore)
	return nil
}
