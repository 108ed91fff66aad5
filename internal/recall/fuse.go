package recall

import (
	"context"
	"math"
)

// Fusion says how the scores of several finders become one relevance.
type Fusion string

// Ways to fuse.
const (
	// FuseZ compares each score with those of the other candidates and of what
	// has nothing to do with the question: how many standard deviations above
	// the mean. Scales need not agree, and a list that separates well counts
	// for more.
	FuseZ Fusion = "z"
	// FuseRRF goes by ranks alone.
	FuseRRF Fusion = "rrf"
	// FuseWeighted adds scores mapped onto 0–1.
	FuseWeighted Fusion = "weighted"
)

// Fuse turns what the finders said into one relevance between 0 and 1.
type Fuse struct {
	Mode Fusion // default FuseZ
	// Similar returns the cosine of the query with a candidate, for those that
	// only other finders proposed; nil or false leaves them at the floor.
	Similar func(q *Query, seq int64) (float64, bool)
}

// Name returns the stage's name.
func (Fuse) Name() string { return SourceFusion }

// SourceFusion is the relevance made of all finders' scores.
const SourceFusion = "fusion"

const (
	// weights of the two lists for short documents: neither is better alone,
	// and each finds what the other misses
	keywordWeight = 0.5
	vectorWeight  = 0.5
	// maxZ caps a z-score: a list with one match among zeros would drown the
	// other
	maxZ = 4.0
	// halfRelevant is the fused z-score that counts as half relevant: one
	// deviation above the background
	halfRelevant = 1.0
	// rrfK flattens the ranks; 60 is the usual choice
	rrfK = 60.0
)

// Refine fills in missing cosines, fuses, and leaves the result as evidence.
func (f Fuse) Refine(_ context.Context, q *Query, a *Answer) error {
	f.complete(q, a)
	sources := presentSources(a)
	for i := range a.Candidates {
		a.Candidates[i].Score = 0
	}
	switch {
	case len(sources) == 0: // the fallback's order is all there is
		for i := range a.Candidates {
			c := &a.Candidates[i]
			for j := range c.Evidence {
				c.Evidence[j].Weighted = c.Evidence[j].Score
				c.Score += c.Evidence[j].Score
			}
		}
	case len(sources) == 1 || f.Mode == FuseWeighted:
		fuseWeighted(a, sources)
	case f.Mode == FuseRRF:
		fuseRRF(a, sources)
	default:
		fuseZ(a, sources)
	}
	for i := range a.Candidates {
		c := &a.Candidates[i]
		points := 0.0
		for j := range c.Evidence {
			c.Evidence[j].Raw = true
			points += c.Evidence[j].Weighted
		}
		c.Evidence = append(c.Evidence, Evidence{Source: SourceFusion, Score: points, Weighted: c.Score})
	}
	return nil
}

// complete adds the cosine to candidates that only other finders proposed.
func (f Fuse) complete(q *Query, a *Answer) {
	if f.Similar == nil {
		return
	}
	for i := range a.Candidates {
		c := &a.Candidates[i]
		if c.evidence(SourceVector) != nil {
			continue
		}
		if _, edited := q.Past[c.Memory.Seq]; edited {
			continue // its vector is of another text
		}
		if cosine, ok := f.Similar(q, c.Memory.Seq); ok {
			c.Evidence = append(c.Evidence, Evidence{Source: SourceVector, Score: cosine})
		}
	}
}

func (c *Candidate) evidence(source string) *Evidence {
	for i := range c.Evidence {
		if c.Evidence[i].Source == source {
			return &c.Evidence[i]
		}
	}
	return nil
}

func presentSources(a *Answer) []string {
	var out []string
	for _, s := range []string{SourceKeyword, SourceVector} {
		for i := range a.Candidates {
			if a.Candidates[i].evidence(s) != nil {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

func weightOf(source string) float64 {
	if source == SourceKeyword {
		return keywordWeight
	}
	return vectorWeight
}

// unit maps a finder's score onto 0–1 without regard to the other candidates.
func unit(source string, score float64) float64 {
	if source == SourceKeyword {
		return score / (score + keywordHalf)
	}
	return max(0, score)
}

func fuseWeighted(a *Answer, sources []string) {
	share := 0.0
	for _, s := range sources {
		share += weightOf(s)
	}
	for i := range a.Candidates {
		c := &a.Candidates[i]
		for _, s := range sources {
			if e := c.evidence(s); e != nil {
				e.Weighted = weightOf(s) / share * unit(s, e.Score)
				c.Score += e.Weighted
			}
		}
	}
}

func fuseZ(a *Answer, sources []string) {
	for _, s := range sources {
		back := backgroundOf(s)
		mean, deviation := back.moments(a, s)
		for i := range a.Candidates {
			c := &a.Candidates[i]
			e := c.evidence(s)
			if e == nil { // what a finder is silent about counts as unrelated
				c.Evidence = append(c.Evidence, Evidence{Source: s, Score: back.score, Detail: back.silent})
				e = &c.Evidence[len(c.Evidence)-1]
			}
			z := max(-maxZ, min(maxZ, (e.Score-mean)/deviation))
			e.Weighted = weightOf(s) * z
			c.Score += e.Weighted
		}
	}
	for i := range a.Candidates {
		c := &a.Candidates[i]
		c.Score = logistic(c.Score - halfRelevant)
	}
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// background is what a finder gives a memory that has nothing to do with the
// question. A store has many of those and a list of candidates few, so they
// are counted in: without them one candidate alone would have no score, and
// the best of a poor lot would look like a good one.
type background struct {
	score  float64 // typical score
	spread float64 // scores that differ by less mean little
	silent string  // why the finder gave a memory none
}

// backgroundItems is how many unrelated memories are counted in.
const backgroundItems = 10

func backgroundOf(source string) background {
	if source == SourceKeyword {
		return background{score: 0, spread: 3, silent: "no word in common"} // BM25 of a word or two of a question
	}
	return background{score: 0.1, spread: 0.1, silent: "not compared; counts as unrelated"} // cosine of unrelated sentences
}

// moments returns mean and standard deviation of a source over all candidates
// and the background.
func (b background) moments(a *Answer, source string) (mean, deviation float64) {
	n := float64(len(a.Candidates) + backgroundItems)
	sum, squares := backgroundItems*b.score, backgroundItems*b.score*b.score
	for i := range a.Candidates {
		score := b.score
		if e := a.Candidates[i].evidence(source); e != nil {
			score = e.Score
		}
		sum += score
		squares += score * score
	}
	mean = sum / n
	return mean, math.Sqrt(max(0, squares/n-mean*mean) + b.spread*b.spread)
}

func fuseRRF(a *Answer, sources []string) {
	for _, s := range sources {
		for i := range a.Candidates {
			c := &a.Candidates[i]
			e := c.evidence(s)
			if e == nil {
				continue
			}
			rank := 1
			for j := range a.Candidates {
				if o := a.Candidates[j].evidence(s); o != nil && o.Score > e.Score {
					rank++
				}
			}
			e.Weighted = weightOf(s) * (rrfK + 1) / (rrfK + float64(rank))
			c.Score += e.Weighted
		}
	}
}
