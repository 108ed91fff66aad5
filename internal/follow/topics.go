package follow

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"chitta/internal/causal"
	"chitta/internal/store"
	"chitta/internal/vector"
)

const (
	// topicCosine is from where on two requests are taken to be about the same:
	// well above what unrelated ones have in common (0.25 with the built-in
	// model), well below a repetition (0.95).
	topicCosine = 0.6
	// topicWords is how many words a request needs to have a topic: "yes, go
	// on" is like every other.
	topicWords = 4
	// topicLater is how many later requests are looked at when an older one is
	// imported after them.
	topicLater = 8
)

// topics links what people asked for with the most similar thing asked before
// in another conversation of the realm. It waits until everything has a
// vector, and begins again when another model makes them.
func (l *Linker) topics(ctx context.Context) error {
	for begin := time.Now(); time.Since(begin) < linkTime; {
		more, err := l.topicStep(ctx)
		if err != nil || !more {
			return err
		}
	}
	l.todo.Store(1)
	return nil
}

func (l *Linker) topicStep(ctx context.Context) (more bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	index, model, embedded, ok := l.settled()
	if !ok {
		return false, ctx.Err()
	}
	note := func(done int64) string { return fmt.Sprintf("%s %d", model, done) }
	noted, err := l.store.Note(ctx, notedTopics)
	if err != nil {
		return false, err
	}
	name, rev, _ := strings.Cut(noted, " ")
	if name != model {
		return true, l.store.Write(ctx, func(tx *store.Tx) error {
			if err := tx.ClearEdges(string(causal.Topic)); err != nil {
				return err
			}
			return tx.SetNote(notedTopics, note(0))
		})
	}
	done, _ := strconv.ParseInt(rev, 10, 64)
	changed, err := l.store.ChunksAfter(ctx, done, linkSlice)
	if err != nil {
		return false, err
	}
	best := map[int64]store.Edge{} // by target
	for i := range changed {
		if changed[i].Rev > embedded {
			changed = changed[:i]
			break
		}
		if err := l.topicsOf(ctx, index, &changed[i], best); err != nil {
			return false, err
		}
	}
	if len(changed) == 0 {
		return false, nil
	}
	err = l.store.Write(ctx, func(tx *store.Tx) error {
		for _, e := range best {
			if err := tx.DropEdgesTo(e.Target, string(causal.Topic)); err != nil {
				return err
			}
			if err := tx.PutEdge(e); err != nil {
				return err
			}
		}
		return tx.SetNote(notedTopics, note(changed[len(changed)-1].Rev))
	})
	return len(changed) == linkSlice, err
}

// topicsOf finds the edge that leads to a request from the most similar one
// before, and makes it the one before of later requests that have none as
// similar. Each request so has at most one that leads to it: best has them by
// target.
func (l *Linker) topicsOf(ctx context.Context, index *vector.Index, c *store.Chunk, best map[int64]store.Edge) error {
	if !hasTopic(c) {
		return nil
	}
	v, ok := index.Vector(uint64(c.Seq))
	if !ok {
		return nil
	}
	l.lookups.Add(2)
	filter := vector.Filter{All: [][]string{{"realm=" + c.Realm}, {"role=user"}}, None: []string{"session=" + strconv.FormatInt(c.Session, 10)}}
	before, after := filter, filter
	before.Before, after.After = c.Time.UnixMilli(), c.Time.UnixMilli()+1
	earlier, err := l.alike(ctx, index, vector.Query{Vector: v, K: topicLater, Filter: before})
	if err != nil {
		return err
	}
	if len(earlier) > 0 {
		best[c.Seq] = store.Edge{Source: int64(earlier[0].ID), Target: c.Seq, Kind: string(causal.Topic), Weight: weightOf(earlier[0])}
	}
	later, err := l.alike(ctx, index, vector.Query{Vector: v, K: topicLater, Filter: after})
	if err != nil || len(later) == 0 {
		return err
	}
	var seqs []int64
	for _, h := range later {
		seqs = append(seqs, int64(h.ID))
	}
	known, err := l.store.EdgesTo(ctx, seqs, 1)
	if err != nil {
		return err
	}
	have := map[int64]float64{}
	for _, e := range known {
		if e.Kind == string(causal.Topic) {
			have[e.Target] = e.Weight
		}
	}
	for _, h := range later {
		target := int64(h.ID)
		if w := weightOf(h); w > max(have[target], best[target].Weight) {
			best[target] = store.Edge{Source: c.Seq, Target: target, Kind: string(causal.Topic), Weight: w}
		}
	}
	return nil
}

func weightOf(h vector.Hit) float64 { return min(1, float64(h.Score)) }

// alike returns requests with a topic that are similar enough, best first.
func (l *Linker) alike(ctx context.Context, index *vector.Index, q vector.Query) ([]vector.Hit, error) {
	hits, err := index.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	var seqs []int64
	for _, h := range hits {
		if h.Score >= topicCosine {
			seqs = append(seqs, int64(h.ID))
		}
	}
	chunks, err := l.store.ChunksBySeq(ctx, seqs)
	if err != nil {
		return nil, err
	}
	out := hits[:0]
	for _, h := range hits[:len(seqs)] {
		if c, ok := chunks[int64(h.ID)]; ok && hasTopic(&c) {
			out = append(out, h)
		}
	}
	return out, nil
}

// hasTopic says whether a chunk is something a person asked for in the main
// thread that says what it is about.
func hasTopic(c *store.Chunk) bool {
	return !c.Gone && c.Role == "user" && c.Agent == "" && c.Part == 0 && !c.Summary && !c.Time.IsZero() && len(strings.Fields(c.Text)) >= topicWords
}
