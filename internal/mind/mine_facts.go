package mind

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chitta/internal/follow"
	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

// mining is the job that looks for facts, as it is noted.
type mining struct {
	Job     string    `json:"job"`              // "" = not begun, or taken back
	Undone  bool      `json:"undone,omitempty"` // taken back: it begins again only when somebody asks for it
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
	sourceLink     = store.LinkSource
	// chunkConfidence is how sure notation in a conversation is: it was
	// written, and nobody asked for it to be kept.
	chunkConfidence = 0.5
)

// on says that the job looks for facts.
func (j *mining) on() bool { return j.Job != "" }

// job returns the job that looks for facts. It begins by itself, unless the
// configuration says otherwise or what it found was taken back.
func (m *Mind) job(ctx context.Context) (mining, error) {
	job, err := store.Noted[mining](ctx, m.store, notedMining)
	if err != nil || job.on() || job.Undone || !m.opts.Config.Graph.Mine {
		return job, err
	}
	return m.newJob(job)
}

// newJob gives a job its name.
func (m *Mind) newJob(job mining) (mining, error) {
	var err error
	if job.Job, err = memory.NewID("mine_", m.opts.Random); err != nil {
		return job, fmt.Errorf("name the job: %w", err)
	}
	job.Undone, job.Started = false, m.now()
	return job, nil
}

// finding is a fact to be stored, and where.
type finding struct {
	realm string
	chunk int64 // that it was read in, 0 if it was a memory
	// source is the chunk at the other end, of a link between chunks
	source int64
	claim
}

// storeFindings stores what was found, but for what was read in chunks that
// were dropped since, or links memories that were.
func (m *Mind) storeFindings(tx *store.Tx, found []finding, standing map[int64]bool, job *mining) error {
	for i := range found {
		f := &found[i]
		if f.chunk != 0 && !standing[f.chunk] || f.source != 0 && !standing[f.source] {
			continue
		}
		if ok, err := stillLinked(tx, &f.evidence); err != nil {
			return err
		} else if !ok {
			continue
		}
		if err := m.storeFinding(tx, f, job); err != nil {
			return err
		}
	}
	return nil
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
	for i := range b.chunks {
		c := &b.chunks[i]
		if c.Role != string(session.Assistant) || len(b.statements(c)) == 0 {
			continue
		}
		said, err := m.saidIn(ctx, c, b.dirs[c.Session])
		if err != nil {
			return nil, err
		}
		for _, x := range said {
			e := store.Evidence{Source: sourceNotation, Confidence: chunkConfidence, Session: b.dirs[c.Session].ID, Message: x.id, Job: job, At: m.now()}
			found = append(found, m.findings(c.Realm, x.text, c.Seq, e, x.at)...)
		}
	}
	return found, nil
}

// utterance is what an agent said in one message.
type utterance struct {
	id, text string
	at       time.Time
}

// saidIn returns what the agent itself said in a chunk, message by message.
// The text of a chunk also has the calls of tools in it, with their errors, and
// may be a piece of a message that begins in the middle of a block of code.
func (m *Mind) saidIn(ctx context.Context, c *store.Chunk, of store.Session) (out []utterance, err error) {
	messages, err := m.store.MessagesBetween(ctx, c.Session, c.First, c.Last)
	if err != nil {
		return nil, err
	}
	for i := range messages {
		x := &messages[i]
		if x.Agent != c.Agent || x.Role != string(session.Assistant) {
			continue
		}
		said, err := follow.ReadMessage(of.Source, x.Raw)
		if err != nil || said.Meta {
			continue // no longer readable, or nobody said it
		}
		for k := range said.Parts {
			if p := &said.Parts[k]; p.Kind == session.Text && !p.Meta {
				out = append(out, utterance{x.ID, p.Text, c.Time})
			}
		}
	}
	return out, nil
}

// findings returns what a text states in notation: that of a memory, or what an
// agent said in a chunk. A statement with a name that may not be stored is left
// out.
func (m *Mind) findings(realm, text string, chunk int64, e store.Evidence, at time.Time) (out []finding) {
	read := graph.Parse
	if chunk != 0 {
		read = graph.ParseSaid
	}
	statements, _ := read(text)
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
