package recall

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"
)

// memoryLift is what full activation adds to the relevance of a memory, times
// the recipe's weight: enough to pass its neighbours in the list, too little to
// pass what plainly answers.
const memoryLift = 0.3

// recipe returns how the query is to be answered.
func (q *Query) recipe() Recipe {
	if q.Recipe != nil {
		return *q.Recipe
	}
	return DefaultRecipe()
}

// usesGraph reports whether the graph takes part in ranking.
func (r Recipe) usesGraph() bool { return r.Graph != 0 || r.Attractor != 0 }

// Echo proposes memories that speak of what a question stirs up in the graph.
type Echo struct{ *Knowledge }

// Name returns the stage's name.
func (Echo) Name() string { return SourceGraph }

// Find returns memories by the activation of what they speak of.
func (e Echo) Find(ctx context.Context, q *Query) ([]Found, error) {
	if !q.recipe().usesGraph() {
		return nil, nil
	}
	r, err := e.Resonance(ctx, q)
	if err != nil || r == nil {
		return nil, err
	}
	var found []Found
	for _, seq := range slices.Sorted(maps.Keys(r.Memories)) {
		if t := r.Memories[seq]; t.Level > 0 {
			found = append(found, Found{Seq: seq, Score: t.Level, Detail: t.Concept})
		}
	}
	return found, nil
}

// Resonate lifts memories that speak of what the question stirs up.
type Resonate struct{ *Knowledge }

// Name returns the stage's name.
func (Resonate) Name() string { return "resonate" }

// Refine adds to the relevance of candidates.
func (x Resonate) Refine(ctx context.Context, q *Query, a *Answer) error {
	recipe := q.recipe()
	if !recipe.usesGraph() {
		return nil
	}
	r, err := x.Resonance(ctx, q)
	if err != nil || r == nil {
		return err
	}
	for i := range a.Candidates {
		c := &a.Candidates[i]
		t := r.Memories[c.Memory.Seq]
		if e := c.evidence(SourceGraph); e != nil && e.Weighted == 0 { // otherwise it is all there is
			e.Weighted, e.Raw = recipe.Graph*memoryLift*t.Level, false
			c.Score += e.Weighted
		}
		if t.Attractor != "" {
			lift := recipe.Attractor * c.Score
			c.Evidence = append(c.Evidence, Evidence{Source: SourceAttractor, Score: 1, Weighted: lift, Detail: t.Attractor})
			c.Score += lift
		}
	}
	return nil
}

// StageSessionsGraph is the stage of passages that the graph takes part in; it
// is there only if the question names something known.
const StageSessionsGraph = TargetSessions + " " + SourceGraph

// newEchoes is how many chunks the graph alone may bring into a scene.
const newEchoes = 30

// hear asks the graph what the question stirs up among chunks.
func (c *Conversations) hear(ctx context.Context, q *Query, recipe Recipe, r *Ranking) (map[int64]Tone, error) {
	if c.Graph == nil || !recipe.usesGraph() {
		return nil, nil
	}
	start := time.Now()
	stirred, err := c.Graph.Resonance(ctx, q)
	if err != nil || stirred == nil {
		return nil, err
	}
	r.Stages = append(r.Stages, stageTime(StageSessionsGraph, start))
	return stirred.Chunks, nil
}

// admit lets chunks into the scene that speak of what the question stirs up,
// the most strongly first.
func (t *Timeline) admit(s *scene, heard map[int64]Tone, q *Query) {
	if len(heard) == 0 {
		return
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	seqs := slices.SortedFunc(maps.Keys(heard), func(a, b int64) int {
		return cmp.Or(cmp.Compare(heard[b].Level, heard[a].Level), cmp.Compare(b, a))
	})
	fresh := 0
	for _, seq := range seqs {
		spot := t.spots[seq]
		if spot == nil || heard[seq].Level == 0 || s.at.find(seq) >= 0 || !q.Everywhere && q.Realm != "" && spot.Realm != q.Realm {
			continue
		}
		if t.enter(s, seq, q) >= 0 {
			if fresh++; fresh == newEchoes {
				break
			}
		}
	}
	for i := range s.turns {
		x := &s.turns[i]
		x.prev, x.next = s.at.find(x.before), s.at.find(x.after)
	}
}

// echo lifts turns that speak of what the question stirs up.
func (s *scene) echo(heard map[int64]Tone, r Recipe) {
	s.heard = heard
	for i := range s.turns {
		x := &s.turns[i]
		t, ok := heard[x.Seq]
		if !ok {
			continue
		}
		if t.Level > 0 {
			x.say(byGraph, t.Level, r.Graph*t.Level)
		}
		if t.Attractor != "" {
			x.say(byAttractor, 1, r.Attractor*max(0, x.score))
		}
	}
}
