package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"chitta/internal/keyword"
	"chitta/internal/memory"
	"chitta/internal/vector"
)

// TargetSessions is the name of the target that recalls passages of
// conversations.
const TargetSessions = "sessions"

// Sources of evidence for passages.
const (
	SourceWindow      = "window"      // meaning, with what was said before and after
	SourceNext        = "next"        // relevance of the turn after
	SourceReply       = "reply"       // relevance of the question it answers
	SourceSession     = "session"     // how well the whole conversation answers
	SourceParticipant = "participant" // someone the question names speaks in the conversation
	SourceSpeaker     = "speaker"     // the one asked about is speaking
	SourceDate        = "date"        // it was said when the question says
	SourceCausal      = "causal"      // led to, or followed from, what answers
	SourceRelevance   = "relevance"   // all of it, on the scale of memories
	SourceRole        = "role"        // the user, or the agent, is speaking and is asked about
)

// Conversations recalls passages of conversations. Words and meaning propose
// chunks; then the chunks around them, the conversation they stand in, who
// speaks and when decide which of them answer.
type Conversations struct {
	Words    func() (*keyword.Index, error) // of chunks
	Sessions func() (*keyword.Index, error) // of whole conversations
	// Meaning lets a search use the vectors of chunks; it may answer and
	// still return an error that says that only a part could be searched.
	Meaning  func(ctx context.Context, use func(*vector.Index, Encoder) error) error
	Timeline *Timeline
	// Reach returns the chunks that led to the given ones or followed from them,
	// with how strongly, 0 to 1; nil if that is not known.
	Reach func(ctx context.Context, q *Query, from []Ranked) ([]Ranked, error)
	// Graph is the knowledge graph, nil if there is none.
	Graph *Knowledge
	// Ready says why conversations cannot be searched yet, if so.
	Ready func() error
	// Load returns passages by chunk.
	Load func(ctx context.Context, seqs []int64) (map[int64]Passage, error)

	windows windowLengths
}

// Name returns the target's name.
func (*Conversations) Name() string { return TargetSessions }

const (
	// candidatesPerList is how many chunks each list proposes. Many more make
	// deviations less telling.
	candidatesPerList = 200
	// neighboursPerList is of how many of them those beside are looked at too.
	neighboursPerList = 60
)

// Ranking is the order in which chunks and conversations answer.
type Ranking struct {
	Chunks   []Ranked
	Sessions []Ranked
	Stages   []StageTime
	Degraded []string
	Off      []string
	Held     []Held
	Bars     []Bar

	scene *scene  // tells why
	worth float64 // how good the answer is at all
}

// Ranked is a chunk and how well it answers, or a conversation by its best
// chunk.
type Ranked struct {
	Seq     int64 // of the chunk
	Session int64
	Score   float64
}

// RankedSession is a conversation and its best chunks.
type RankedSession struct {
	Ranked
	Chunks []Ranked
}

// BySession returns the best conversations, each with the best of its chunks.
func (r *Ranking) BySession(most, chunks int) []RankedSession {
	out := make([]RankedSession, min(most, len(r.Sessions)))
	at := make(map[int64]int, len(out))
	for i := range out {
		out[i].Ranked = r.Sessions[i]
		at[r.Sessions[i].Session] = i
	}
	for _, c := range r.Chunks {
		if i, ok := at[c.Session]; ok && len(out[i].Chunks) < chunks {
			out[i].Chunks = append(out[i].Chunks, c)
		}
	}
	return out
}

// Evidence tells what the score of a chunk is made of, and what relevance it
// comes to.
func (r *Ranking) Evidence(c Ranked) []Evidence {
	if r.scene == nil {
		return nil
	}
	return append(r.scene.evidence(c.Seq), Evidence{Source: SourceRelevance, Score: c.Score, Weighted: r.Relevance(c.Score)})
}

// minPassages is how many passages are loaded at least: enough that some can
// be left out for the budget's sake.
const minPassages = 16

// Recall ranks and loads the best passages.
func (c *Conversations) Recall(ctx context.Context, q *Query) (*Answer, error) {
	if len(q.Kinds)+len(q.Tags) > 0 || len(q.States) > 0 && !slices.Contains(q.States, memory.Active) {
		return &Answer{}, nil // passages have neither, and are never corrected or forgotten
	}
	r, err := c.Rank(ctx, q)
	if err != nil {
		return nil, err
	}
	a := &Answer{Ranking: r, Found: len(r.Chunks), Stages: r.Stages, Degraded: r.Degraded, Off: r.Off, Held: r.Held, Bars: r.Bars}
	best := r.Chunks[:min(len(r.Chunks), max(minPassages, 2*q.Limit))]
	seqs := make([]int64, len(best))
	for i, x := range best {
		seqs[i] = x.Seq
	}
	a.hold(beyondLimit(q), len(r.Chunks)-len(best))
	if len(best) == 0 {
		return a, nil
	}
	start := time.Now()
	passages, err := c.Load(ctx, seqs)
	if err != nil {
		return nil, err
	}
	a.Stages = append(a.Stages, stageTime(TargetSessions+" load", start))
	for _, x := range best {
		p, ok := passages[x.Seq]
		if !ok {
			a.hold(heldGone, 1)
			continue
		}
		a.Candidates = append(a.Candidates, Candidate{
			Passage: &p, ID: p.ID(), Text: p.Chunk.Text, Created: p.Chunk.Time,
			Score: r.Relevance(x.Score), Evidence: r.Evidence(x),
		})
	}
	return a, nil
}

// Rank puts all chunks that may answer, and their conversations, in order.
func (c *Conversations) Rank(ctx context.Context, q *Query) (*Ranking, error) {
	recipe := DefaultRecipe()
	if q.Recipe != nil {
		recipe = *q.Recipe
	}
	r := &Ranking{}
	if err := c.Ready(); err != nil {
		r.Degraded = append(r.Degraded, fmt.Sprintf("%s: %v", TargetSessions, err))
		return r, nil
	}
	if c.Timeline.Len() == 0 {
		return r, nil
	}
	asked := readQuestion(q, c.Timeline.People(q.Realm, q.Everywhere))
	found, err := c.find(ctx, q, &asked, recipe, r)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	heard, err := c.hear(ctx, q, recipe, r)
	if err != nil {
		return nil, err
	}
	s := c.Timeline.scene(found, q)
	c.Timeline.admit(s, heard, q)
	if err := s.measure(found, &c.windows); err != nil {
		return nil, err
	}
	s.score(&asked, recipe)
	s.echo(heard, recipe)
	if recipe.Causal != 0 && c.Reach != nil {
		best, _ := s.ranked()
		reached, err := c.Reach(ctx, q, best)
		if err != nil {
			return nil, err
		}
		c.Timeline.follow(s, reached, q, recipe.Causal)
	}
	r.Chunks, r.Sessions = s.ranked()
	if low := len(s.turns) - len(r.Chunks); low > 0 {
		r.Held = append(r.Held, Held{fmt.Sprintf("passages without a word in common below a cosine of %.2f", minTurnCosine), low})
	}
	if found.index != nil {
		r.Bars = append(r.Bars, Bar{Stage: TargetSessions, Measure: "cosine", Least: minTurnCosine, Unless: "it has a word in common"})
	}
	c.countOutside(ctx, q, r)
	r.scene, r.worth = s, s.worth(r.Chunks)
	r.Stages = append(r.Stages, stageTime(TargetSessions+" rank", start))
	return r, nil
}

// lists is what the indexes proposed.
type lists struct {
	words    []keyword.Hit
	sessions []keyword.Hit
	meaning  []vector.Hit
	index    *vector.Index // where the cosines of others can be had
	vector   []float32     // of the question
}

// find asks the indexes side by side. One that fails is noted; the others'
// answer is better than none.
func (c *Conversations) find(ctx context.Context, q *Query, asked *question, recipe Recipe, r *Ranking) (*lists, error) {
	out := &lists{}
	within := Query{Realm: q.Realm, Reach: q.Reach, Since: q.Since, Until: q.until()}
	if q.Everywhere {
		within.Realm = ""
	}
	filter := indexFilter(&within)
	finders := []struct {
		name string
		off  bool
		find func() error
	}{
		{SourceKeyword, recipe.Keyword == 0, func() (err error) {
			out.words, err = searchWords(ctx, c.Words, keyword.Query{Text: asked.text, K: candidatesPerList, Filter: filter, Explain: q.Explain})
			return err
		}},
		{SourceSession, recipe.SessionWords == 0 && recipe.Ranking == 0, func() (err error) {
			whole := filter
			whole.After, whole.Before = 0, 0
			out.sessions, err = searchWords(ctx, c.Sessions, keyword.Query{Text: asked.text, K: candidatesPerList, Filter: whole})
			return err
		}},
		{SourceVector, recipe.Vector+recipe.Window == 0, func() error {
			return c.Meaning(ctx, func(index *vector.Index, encoder Encoder) error {
				v, err := q.vectors.of(ctx, encoder, asked.told)
				if err != nil {
					return err
				}
				hits, err := index.Search(ctx, vector.Query{Vector: v, K: candidatesPerList, Oversample: 2 * candidatesPerList, Filter: vectorFilterOf(filter)})
				if err == nil {
					out.meaning, out.index, out.vector = hits, index, v
				}
				return err
			})
		}},
	}
	errs := make([]error, len(finders))
	times := make([]StageTime, len(finders))
	var group errgroup.Group
	for i, f := range finders {
		if f.off {
			continue
		}
		group.Go(func() error {
			start := time.Now()
			errs[i] = f.find()
			times[i] = stageTime(TargetSessions+" "+f.name, start)
			return nil
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, f := range finders {
		if f.off {
			continue
		}
		r.Stages = append(r.Stages, times[i])
		switch {
		case errors.Is(errs[i], ErrOff):
			r.Off = append(r.Off, fmt.Sprintf("%s: %v", f.name, errs[i]))
		case errs[i] != nil:
			r.Degraded = append(r.Degraded, fmt.Sprintf("%s: %v", f.name, errs[i]))
		}
	}
	return out, nil
}

func searchWords(ctx context.Context, ready func() (*keyword.Index, error), q keyword.Query) ([]keyword.Hit, error) {
	index, err := ready()
	if err != nil {
		return nil, err
	}
	return index.Search(ctx, q)
}

// Relevance maps the score of a chunk onto 0–1, on the scale of memories: how
// much better than the others it is, times how good the best of them are at
// all.
func (r *Ranking) Relevance(score float64) float64 {
	return r.worth * logistic(score-2*halfRelevant)
}

// byRank orders best first, then oldest first.
func byRank(a, b Ranked) int {
	switch {
	case a.Score > b.Score:
		return -1
	case a.Score < b.Score:
		return 1
	}
	return cmp.Compare(a.Seq, b.Seq)
}
