package mind

import (
	"context"
	"errors"
	"time"

	"chitta/internal/causal"
	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// mining is the job that looks for facts, as it is noted.
type mining struct {
	Job     string    `json:"job"` // "" = never switched on, or undone
	Started time.Time `json:"started"`
	Read    readTo    `json:"read"`
	Linked  readTo    `json:"linked"` // Chunks is a row number here: edges have no sequence of changes
	Done    bool      `json:"done"`   // with all that was there; what comes is still read
	// what it did so far
	Memories     int     `json:"memories"`
	Chunks       int     `json:"chunks"`
	Links        int     `json:"links"`
	Facts        int     `json:"facts"`
	Strengthened int     `json:"strengthened"`
	Concepts     int     `json:"concepts"`
	Seconds      float64 `json:"seconds"`
}

const (
	sourceNotation = "notation" // facts written in a text
	sourceLink     = "link"     // facts of texts that hang together
	// minLink is how strongly texts have to hang together.
	minLink = 0.5
	// linkConfidence is how sure a link is that what both texts are about is
	// related; its weight scales it. A machine's guess counts half.
	linkConfidence = 0.5
	// memoryLink is the weight of one memory taking another's place or being
	// its pair: somebody said so.
	memoryLink = 1.0
	// chunkConfidence is how sure notation in a conversation is: it was
	// written, and nobody asked for it to be kept.
	chunkConfidence = 0.5
)

// mineFacts takes the next slice of the job, if one is switched on.
func (m *Mind) mineFacts(ctx context.Context) (more bool, err error) {
	job, err := noted[mining](ctx, m.store, notedMining)
	if err != nil || job.Job == "" {
		return false, err
	}
	begin, done := time.Now(), job.Done
	found, more, err := m.mineSlice(ctx, &job)
	if err != nil || !more && done {
		return false, err
	}
	job.Done = job.Done || !more
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		var chunks []int64
		for _, f := range found {
			chunks = append(chunks, f.chunk)
		}
		standing, err := tx.Standing(chunks)
		if err != nil {
			return err
		}
		for i := range found {
			if found[i].chunk != 0 && !standing[found[i].chunk] {
				continue // dropped since it was read
			}
			if err := m.storeFinding(tx, &found[i], &job); err != nil {
				return err
			}
		}
		job.Seconds += time.Since(begin).Seconds()
		return note(tx, notedMining, job)
	})
	if len(found) > 0 {
		m.net.Follow(ctx)
	}
	return more, err
}

// finding is a fact to be stored, and where.
type finding struct {
	realm string
	chunk int64 // that it was read in, 0 if it was a memory
	claim
}

// mineSlice reads on: first texts, then links between them.
func (m *Mind) mineSlice(ctx context.Context, job *mining) (found []finding, more bool, err error) {
	b, err := m.next(ctx, &job.Read)
	if err != nil {
		return nil, false, err
	}
	if b.len() > 0 {
		job.Memories += len(b.memories)
		job.Chunks += len(b.chunks)
		found, err = m.notationOf(ctx, &b, job.Job)
		return found, true, err
	}
	if job.Done {
		return nil, false, nil
	}
	if found, more, err = m.memoryLinks(ctx, job); err != nil || more {
		return found, more, err
	}
	return m.chunkLinks(ctx, job)
}

// storeFinding stores a finding. One that the store refuses says nothing new, such as
// of a concept and its alias.
func (m *Mind) storeFinding(tx *store.Tx, f *finding, job *mining) error {
	fresh := 0
	for _, name := range []string{f.subject, f.object} {
		_, err := tx.Concept(f.realm, graph.Key(name))
		switch {
		case errors.Is(err, store.ErrNotFound):
			fresh++
		case err != nil:
			return err
		}
	}
	_, outcome, err := m.assert(tx, f.realm, &f.claim)
	if errors.As(err, new(*store.FactError)) {
		return nil
	}
	if err != nil {
		return err
	}
	switch outcome {
	case store.Inserted:
		job.Facts++
	case store.Strengthened:
		job.Strengthened++
	}
	job.Concepts += fresh
	return nil
}

// notationOf reads the notation in a batch of texts.
func (m *Mind) notationOf(ctx context.Context, b *batch, job string) (found []finding, err error) {
	for i := range b.memories {
		r := &b.memories[i]
		if !r.Erased.IsZero() || r.State != memory.Active {
			continue
		}
		e := store.Evidence{Source: sourceNotation, Confidence: r.Confidence.Mean, Memory: r.ID, Job: job, At: m.now()}
		found = append(found, m.findings(r.Realm, r.Content, 0, e, r.Created)...)
	}
	var stating []int64
	for i := range b.chunks {
		if statements, _ := graph.Parse(b.chunks[i].Text); len(statements) > 0 {
			stating = append(stating, b.chunks[i].Seq)
		}
	}
	passages, err := m.passages(ctx, stating)
	if err != nil {
		return nil, err
	}
	for _, seq := range stating {
		if p, ok := passages[seq]; ok {
			found = append(found, m.findings(p.Chunk.Realm, p.Chunk.Text, seq, m.heardIn(&p, sourceNotation, chunkConfidence, job), p.Chunk.Time)...)
		}
	}
	return found, nil
}

// heardIn is the evidence of a passage.
func (m *Mind) heardIn(p *passage, source string, confidence float64, job string) store.Evidence {
	return store.Evidence{Source: source, Confidence: confidence, Session: p.Session.ID, Message: p.Message, Job: job, At: m.now()}
}

// findings returns what a text states in notation. A statement with a name that
// may not be stored is left out.
func (m *Mind) findings(realm, text string, chunk int64, e store.Evidence, at time.Time) (out []finding) {
	statements, _ := graph.Parse(text)
	for i := range statements {
		list, err := m.stated(statements[i:i+1], e)
		if err != nil {
			continue
		}
		list[0].from = at
		out = append(out, finding{realm: realm, chunk: chunk, claim: list[0]})
	}
	return out
}

// memoryLinks relates what two memories are about, where one took the other's
// place or both are a pair.
func (m *Mind) memoryLinks(ctx context.Context, job *mining) (found []finding, more bool, err error) {
	records, err := m.store.List(ctx, store.Filter{ByRev: true, After: job.Linked.Memories, Limit: mineSlice})
	if err != nil || len(records) == 0 {
		return nil, false, err
	}
	job.Linked.Memories = records[len(records)-1].Rev
	for i := range records {
		r := &records[i]
		for _, id := range []string{r.Supersedes, r.Pair} {
			if id == "" {
				continue
			}
			other, err := m.store.Get(ctx, id)
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			if err != nil {
				return nil, false, err
			}
			job.Links++
			e := store.Evidence{Source: sourceLink, Confidence: memoryLink * linkConfidence, Memory: r.ID, Job: job.Job, At: m.now()}
			f, ok, err := m.related(ctx, store.OwnerMemory, r.Seq, other.Seq, e, r.Created)
			if err != nil {
				return nil, false, err
			}
			if ok {
				found = append(found, f)
			}
		}
	}
	return found, true, nil
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
		passages, err := m.passages(ctx, []int64{x.Target})
		if err != nil {
			return nil, false, err
		}
		p, ok := passages[x.Target]
		if !ok {
			continue // gone since
		}
		e := m.heardIn(&p, sourceLink, x.Weight*linkConfidence, job.Job)
		f, ok, err := m.related(ctx, store.OwnerChunk, x.Source, x.Target, e, p.Chunk.Time)
		if err != nil {
			return nil, false, err
		}
		if ok {
			f.chunk = x.Target
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
