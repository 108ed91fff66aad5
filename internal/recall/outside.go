package recall

import (
	"context"
	"sync"

	"chitta/internal/keyword"
)

// asides is what finders tell of a query besides what they propose. They run
// side by side.
type asides struct {
	mu   sync.Mutex
	bars []Bar
	low  map[int64]string // by row, which bar it did not reach
}

// note remembers a bar and what did not reach it.
func (x *asides) note(b Bar, why string, low []int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.bars = append(x.bars, b)
	if x.low == nil {
		x.low = map[int64]string{}
	}
	for _, seq := range low {
		x.low[seq] = why
	}
}

// tell hands over what was noted. What another finder proposed was not held
// back.
func (x *asides) tell(a *Answer) {
	x.mu.Lock()
	defer x.mu.Unlock()
	a.Bars = append(a.Bars, x.bars...)
	for i := range a.Candidates {
		delete(x.low, a.Candidates[i].Memory.Seq)
	}
	for _, why := range x.low {
		a.hold(why, 1)
	}
}

// countOutside asks the finders once more without the query's conditions and
// counts which of the best these held back. Conditions apply inside searches,
// so nothing else would tell that something matches and is elsewhere. It is
// only done for those who ask for reasons.
func (m Memories) countOutside(ctx context.Context, q *Query, a *Answer) error {
	if !q.Explain {
		return nil
	}
	in := map[int64]bool{}
	for _, c := range a.Candidates {
		in[c.Memory.Seq] = true
	}
	wide := &Query{Text: q.Text, Limit: q.Limit, Now: q.Now, AsOf: q.AsOf, Past: q.Past}
	var seqs []int64
	for _, f := range m.Finders {
		found, err := f.Find(ctx, wide)
		if err != nil && ctx.Err() != nil {
			return err
		}
		for _, x := range found { // also a part of what there is counts
			if !in[x.Seq] {
				in[x.Seq] = true
				seqs = append(seqs, x.Seq)
			}
		}
	}
	records, err := m.Load(ctx, q, seqs)
	if err != nil {
		return err
	}
	a.Held = dropHeld(a.Held) // counted again here
	for _, seq := range seqs {
		r, ok := records[seq]
		if !ok {
			continue
		}
		if why := q.refuses(&r); why != "" && (why != heldRealm || q.Outside) {
			a.hold(why, 1)
		}
	}
	return nil
}

// dropHeld leaves out the counts of what conditions held back.
func dropHeld(held []Held) []Held {
	var rest []Held
	for _, h := range held {
		switch h.Why {
		case heldRealm, heldState, heldKind, heldTags, heldTime, heldGone:
		default:
			rest = append(rest, h)
		}
	}
	return rest
}

// countOutside counts which of the passages that answer best by words are of
// another realm or time.
func (c *Conversations) countOutside(ctx context.Context, q *Query, r *Ranking) {
	if !q.Explain {
		return
	}
	hits, err := searchWords(ctx, c.Words, keyword.Query{Text: q.Text, K: candidatesPerList})
	if err != nil {
		return // said by the search before
	}
	elsewhere, earlier := 0, 0
	c.Timeline.mu.RLock()
	defer c.Timeline.mu.RUnlock()
	for _, h := range hits {
		spot := c.Timeline.spots[int64(h.ID)]
		switch {
		case spot == nil:
		case !q.Everywhere && q.Realm != "" && spot.Realm != q.Realm:
			elsewhere++
		case !q.Since.IsZero() && spot.Time.Before(q.Since) || !q.until().IsZero() && !spot.Time.Before(q.until()):
			earlier++
		}
	}
	if elsewhere > 0 && q.Outside {
		r.Held = append(r.Held, Held{"passages " + heldRealm, elsewhere})
	}
	if earlier > 0 {
		r.Held = append(r.Held, Held{"passages " + heldTime, earlier})
	}
}
