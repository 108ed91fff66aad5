package mind

import (
	"context"
	"time"

	"chitta/internal/causal"
	"chitta/internal/meaning"
	"chitta/internal/memory"
	"chitta/internal/store"
	"chitta/internal/vector"
)

const (
	// minLink is how strongly texts have to hang together.
	minLink = 0.5
	// linkConfidence is how sure a link is that what both texts are about is
	// related; its weight scales it. A machine's guess counts half.
	linkConfidence = 0.5
	// memoryLink is the weight of one memory taking another's place or being
	// its pair: somebody said so.
	memoryLink = 1.0
	// mostNeighbours is how many memories one is linked with because they are
	// alike: the nearest say it all, and a graph in which everything is related
	// to everything says nothing.
	mostNeighbours = 3
)

// mineLinks relates what texts that hang together are about: the next slice of
// links.
func (m *Mind) mineLinks(ctx context.Context) (more bool, err error) {
	begin := time.Now()
	job, err := m.job(ctx)
	if err != nil || !job.on() {
		return false, err
	}
	found, more, err := m.memoryLinks(ctx, &job)
	if err == nil && !more {
		found, more, err = m.chunkLinks(ctx, &job)
	}
	if err != nil || !more && job.Done {
		return false, err
	}
	job.Done = job.Done || !more
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		var chunks []int64
		for _, f := range found {
			chunks = append(chunks, f.chunk, f.source)
		}
		standing, err := tx.Standing(chunks)
		if err != nil {
			return err
		}
		if err := m.storeFindings(tx, found, standing, &job); err != nil {
			return err
		}
		job.Seconds += time.Since(begin).Seconds()
		return tx.SetNoted(notedMining, job)
	})
	if len(found) > 0 {
		m.net.Follow(ctx)
	}
	return more, err
}

// linkedMemory is a memory that another hangs together with, and how strongly.
type linkedMemory struct {
	id     string // either this
	row    int64  // or this
	weight float64
}

// memoryLinks relates what two memories are about, where one took the other's
// place, both are a pair, or they say much the same. It waits for what it needs
// to know: what they name, and their vectors where there is a model.
func (m *Mind) memoryLinks(ctx context.Context, job *mining) (found []finding, more bool, err error) {
	named, err := store.Noted[readTo](ctx, m.store, notedMentions)
	if err != nil {
		return nil, false, err
	}
	last := named.Memories
	index, _, embedded, settled := m.semantic.Settled(store.OwnerMemory)
	if settled {
		last = min(last, embedded)
	} else if m.semantic.Status().State != meaning.Off {
		return nil, false, nil
	}
	records, err := m.store.List(ctx, store.Filter{ByRev: true, After: job.Linked.Memories, Limit: mineSlice})
	if err != nil {
		return nil, false, err
	}
	for i := range records {
		r := &records[i]
		if r.Rev > last {
			break
		}
		job.Linked.Memories, more = r.Rev, true
		if !linkable(r) {
			continue
		}
		linked, err := neighbours(ctx, index, r)
		if err != nil {
			return nil, false, err
		}
		for _, id := range []string{r.Supersedes, r.Pair} {
			if id != "" {
				linked = append(linked, linkedMemory{id: id, weight: memoryLink})
			}
		}
		for _, l := range linked {
			f, ok, err := m.relatedMemory(ctx, r, l, job)
			if err != nil {
				return nil, false, err
			}
			if ok {
				found = append(found, f)
			}
		}
	}
	return found, more, nil
}

// linkable says that what a memory hangs together with counts: nobody took it
// back. One that was corrected hangs together with what took its place.
func linkable(r *store.Record) bool {
	return r.Erased.IsZero() && (r.State == memory.Active || r.State == memory.Superseded)
}

// stillLinked says whether both ends of a link between memories are there, as a
// transaction sees them: one may have been taken back since it was found.
func stillLinked(tx *store.Tx, e *store.Evidence) (bool, error) {
	if e.Source != sourceLink || e.Message != "" {
		return true, nil // its chunks are looked at in another place
	}
	for _, id := range []string{e.Memory, e.Session} {
		r, err := tx.Get(id)
		if err != nil || !linkable(&r) {
			return false, ifMissing(err)
		}
	}
	return true, nil
}

// neighbours finds the memories of a realm that say much the same as one.
func neighbours(ctx context.Context, index *vector.Index, r *store.Record) (out []linkedMemory, err error) {
	if index == nil || r.State != memory.Active {
		return nil, nil
	}
	v, ok := index.Vector(uint64(r.Seq))
	if !ok {
		return nil, nil
	}
	hits, err := index.Search(ctx, vector.Query{Vector: v, K: mostNeighbours + 1, // itself is among them
		Filter: vector.Filter{All: [][]string{{"realm=" + r.Realm}, {"state=" + string(memory.Active)}}}})
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		if int64(h.ID) != r.Seq && h.Score >= minLink && len(out) < mostNeighbours {
			out = append(out, linkedMemory{row: int64(h.ID), weight: min(1, float64(h.Score))})
		}
	}
	return out, nil
}

// relatedMemory says that what a memory and one linked with it are about is
// related.
func (m *Mind) relatedMemory(ctx context.Context, r *store.Record, l linkedMemory, job *mining) (finding, bool, error) {
	if l.row == 0 {
		other, err := m.store.Get(ctx, l.id)
		if err != nil || !linkable(&other) {
			return finding{}, false, ifMissing(err)
		}
		l.row = other.Seq
	} else {
		rows, err := m.store.BySeq(ctx, []int64{l.row})
		other, ok := rows[l.row]
		if err != nil || !ok || !linkable(&other) {
			return finding{}, false, err
		}
		l.id = other.ID
	}
	job.Links++
	e := store.Evidence{Source: sourceLink, Confidence: l.weight * linkConfidence, Memory: r.ID, Session: l.id, Job: job.Job, At: m.now()}
	return m.related(ctx, store.OwnerMemory, r.Seq, l.row, e, r.Created)
}

// chunkLinks relates what two requests of different sessions are about, where
// one is the most similar to the other.
func (m *Mind) chunkLinks(ctx context.Context, job *mining) (found []finding, more bool, err error) {
	edges, err := m.store.LinksAfter(ctx, string(causal.Topic), minLink, job.Linked.Chunks, mineSlice)
	if err != nil || len(edges) == 0 {
		return nil, false, err
	}
	job.Linked.Chunks = edges[len(edges)-1].Target
	job.Links += len(edges)
	for _, x := range edges {
		passages, err := m.passages(ctx, []int64{x.Source, x.Target})
		if err != nil {
			return nil, false, err
		}
		from, there := passages[x.Source]
		p, ok := passages[x.Target]
		if !ok || !there {
			continue // gone since
		}
		e := store.Evidence{Source: sourceLink, Confidence: x.Weight * linkConfidence, Memory: from.Session.ID, Session: p.Session.ID, Message: p.Message, Job: job.Job, At: m.now()}
		f, ok, err := m.related(ctx, store.OwnerChunk, x.Source, x.Target, e, p.Chunk.Time)
		if err != nil {
			return nil, false, err
		}
		if ok {
			f.chunk, f.source = x.Target, x.Source
			found = append(found, f)
		}
	}
	return found, true, nil
}

// related says that what two texts are about is related, if each is about one
// thing only and it is not the same.
func (m *Mind) related(ctx context.Context, owner store.Owner, a, b int64, e store.Evidence, at time.Time) (finding, bool, error) {
	named, err := m.store.MentionsOf(ctx, owner, []int64{a, b})
	if err != nil || len(named[a]) != 1 || len(named[b]) != 1 || named[a][0] == named[b][0] {
		return finding{}, false, err
	}
	concepts, err := m.store.ConceptsBySeq(ctx, []int64{named[a][0], named[b][0]})
	if err != nil {
		return finding{}, false, err
	}
	x, y := concepts[named[a][0]], concepts[named[b][0]]
	if x.Realm != y.Realm {
		return finding{}, false, nil
	}
	c, err := m.claimOf(x.Name, "related_to", y.Name, e)
	if err != nil {
		return finding{}, false, nil // one is an alias of the other, or may not be stored
	}
	c.from = at
	return finding{realm: x.Realm, claim: c}, true, nil
}
