package ranking

import (
	"fmt"
	"math"
)

// All metrics are percentages, 0 to 100.

// Turnwise tells how well turns were found: the share of the relevant ones
// among the first 5, 10 and 20, whether any is among the first 10, and the
// reciprocal rank of the first.
type Turnwise struct {
	R5    float64 `json:"r5"`
	R10   float64 `json:"r10"`
	R20   float64 `json:"r20"`
	Any10 float64 `json:"any10"`
	MRR   float64 `json:"mrr"`
}

// Sessionwise tells how well sessions were found: whether a relevant one is
// first, among the first 5 and 10, and the reciprocal rank of the first.
type Sessionwise struct {
	Hit1  float64 `json:"hit1"`
	Hit5  float64 `json:"hit5"`
	Hit10 float64 `json:"hit10"`
	MRR   float64 `json:"mrr"`
	R5    float64 `json:"r5"` // share of the relevant sessions among the first five
}

// Metrics are the figures of one question or the averages of many. NDCG10
// and R100 are about turns. What could not be measured is nil.
type Metrics struct {
	Turn    *Turnwise    `json:"turn,omitempty"`
	Session *Sessionwise `json:"session,omitempty"`
	NDCG10  *float64     `json:"ndcg10,omitempty"`
	R100    *float64     `json:"r100,omitempty"`
}

// Score is how well one question was answered.
type Score struct {
	Category string
	Metrics  Metrics
}

// Evaluate scores the answers to a corpus' questions, in the same order. A
// question that names no turn has no figures about turns.
func Evaluate(corpus Corpus, answers []Ranked) ([]Score, error) {
	if len(answers) != len(corpus.Questions) {
		return nil, fmt.Errorf("%s: %d answers to %d questions", corpus.Name, len(answers), len(corpus.Questions))
	}
	known := directoryOf(corpus.Turns)
	scores := make([]Score, len(answers))
	for i, q := range corpus.Questions {
		turns, sessions := known.resolve(q.Relevant)
		scores[i].Category = q.Category
		m := &scores[i].Metrics
		if len(turns) > 0 {
			found := find(turns, answers[i].Turns)
			m.Turn = &Turnwise{
				R5: found.recall(5), R10: found.recall(10), R20: found.recall(20),
				Any10: found.hit(10), MRR: found.reciprocalRank(),
			}
			m.NDCG10 = new(found.ndcg(10))
			m.R100 = new(found.recall(100))
		}
		if len(sessions) > 0 {
			found := find(sessions, answers[i].Sessions)
			m.Session = &Sessionwise{
				Hit1: found.hit(1), Hit5: found.hit(5), R5: found.recall(5), Hit10: found.hit(10),
				MRR: found.reciprocalRank(),
			}
		}
	}
	return scores, nil
}

// finding is where in a ranking the relevant items are.
type finding struct {
	ranks    []int // from 1, growing
	relevant int   // how many there are to find
}

// find looks up the relevant items of a ranking. An item that comes again
// counts where it came first, and takes up no second place.
func find(relevant map[string]bool, ranking []string) finding {
	found := finding{relevant: len(relevant)}
	seen := make(map[string]bool, len(ranking))
	for _, id := range ranking {
		if seen[id] {
			continue
		}
		seen[id] = true
		if relevant[id] {
			found.ranks = append(found.ranks, len(seen))
		}
	}
	return found
}

// within counts the relevant items among the first k.
func (f finding) within(k int) int {
	n := 0
	for _, rank := range f.ranks {
		if rank <= k {
			n++
		}
	}
	return n
}

func (f finding) recall(k int) float64 {
	return 100 * float64(f.within(k)) / float64(f.relevant)
}

func (f finding) hit(k int) float64 {
	if f.within(k) > 0 {
		return 100
	}
	return 0
}

func (f finding) reciprocalRank() float64 {
	if len(f.ranks) == 0 {
		return 0
	}
	return 100 / float64(f.ranks[0])
}

// ndcg is the normalised discounted cumulative gain with binary relevance:
// what the ranking gains in its first k places, over what the best would.
func (f finding) ndcg(k int) float64 {
	var gain, best float64
	for _, rank := range f.ranks[:f.within(k)] {
		gain += discount(rank)
	}
	for rank := 1; rank <= min(k, f.relevant); rank++ {
		best += discount(rank)
	}
	return 100 * (gain / best) // exactly 100 when both are equal
}

func discount(rank int) float64 { return 1 / math.Log2(float64(rank)+1) }

// Average returns the mean of each figure over the questions that have it.
func Average(scores []Score) Metrics {
	var turn Turnwise
	var session Sessionwise
	var ndcg10, r100 float64
	var turns, sessions int
	for _, s := range scores {
		if t := s.Metrics.Turn; t != nil {
			turns++
			turn.R5 += t.R5
			turn.R10 += t.R10
			turn.R20 += t.R20
			turn.Any10 += t.Any10
			turn.MRR += t.MRR
			ndcg10 += *s.Metrics.NDCG10
			r100 += *s.Metrics.R100
		}
		if t := s.Metrics.Session; t != nil {
			sessions++
			session.Hit1 += t.Hit1
			session.Hit5 += t.Hit5
			session.R5 += t.R5
			session.Hit10 += t.Hit10
			session.MRR += t.MRR
		}
	}
	var m Metrics
	if n := float64(turns); turns > 0 {
		m.Turn = &Turnwise{turn.R5 / n, turn.R10 / n, turn.R20 / n, turn.Any10 / n, turn.MRR / n}
		m.NDCG10, m.R100 = new(ndcg10/n), new(r100/n)
	}
	if n := float64(sessions); sessions > 0 {
		m.Session = &Sessionwise{Hit1: session.Hit1 / n, Hit5: session.Hit5 / n, R5: session.R5 / n, Hit10: session.Hit10 / n, MRR: session.MRR / n}
	}
	return m
}

// Category is the figures of one kind of question.
type Category struct {
	N       int          `json:"n"`
	Turn    *Turnwise    `json:"turn,omitempty"`
	Session *Sessionwise `json:"session,omitempty"`
}

// ByCategory averages each kind of question apart. Questions of no kind are
// left out.
func ByCategory(scores []Score) map[string]Category {
	groups := map[string][]Score{}
	for _, s := range scores {
		if s.Category != "" {
			groups[s.Category] = append(groups[s.Category], s)
		}
	}
	categories := make(map[string]Category, len(groups))
	for name, group := range groups {
		m := Average(group)
		categories[name] = Category{N: len(group), Turn: m.Turn, Session: m.Session}
	}
	return categories
}
