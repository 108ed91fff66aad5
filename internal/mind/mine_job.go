package mind

import (
	"context"
	"time"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// GraphMineInput asks for the facts in what is stored already.
type GraphMineInput struct {
	Undo   bool `json:"undo,omitempty" jsonschema:"take back everything that mining found, and read no further until asked to"`
	Status bool `json:"status,omitempty" jsonschema:"only say how it stands"`
}

// GraphMineOutput says how mining stands.
type GraphMineOutput struct {
	On           bool      `json:"on"`               // there is a job, and nobody took back what it found
	Automatic    bool      `json:"automatic"`        // what comes is read by itself
	Done         bool      `json:"done"`             // with everything stored
	Job          string    `json:"job,omitempty"`    // the evidence of its facts bears this
	Started      time.Time `json:"started,omitzero"` //
	Memories     int       `json:"memories"`         // looked at
	Chunks       int       `json:"chunks"`           // looked at
	Links        int       `json:"links"`            // looked at
	Total        int64     `json:"total"`            // memories and chunks there are, changes counted
	Facts        int       `json:"facts"`            // new
	Strengthened int       `json:"strengthened"`     // were known and gained evidence
	Concepts     int       `json:"concepts"`         // new with these facts
	Mentions     int       `json:"mentions"`         // of files and symbols, noted for all texts whether it is on or not
	Seconds      float64   `json:"seconds"`          // of work
	Erased       *Unmined  `json:"erased,omitempty"` // by undo
}

// Unmined counts what an undo took back.
type Unmined struct {
	Evidence int `json:"evidence"`
	Facts    int `json:"facts"`  // gone
	Weaker   int `json:"weaker"` // stand on other evidence
}

// mineAtOnce is how long one call works itself; the background goes on.
const mineAtOnce = time.Second

// GraphMine looks for facts in all memories and conversations at once, or takes
// back what was found. It works for a moment and says how far it has come; the
// rest is done in the background, and calling again waits for it a moment
// longer.
func (m *Mind) GraphMine(ctx context.Context, c Caller, in GraphMineInput) (GraphMineOutput, error) {
	if in.Undo && in.Status {
		return GraphMineOutput{}, &memory.InputError{Field: "undo", Problem: "does not go with status", Hint: "ask for one of them"}
	}
	switch {
	case in.Undo:
		if !c.Person() {
			return GraphMineOutput{}, &memory.RefusedError{Reason: "taking facts back is for people to decide", Hint: "ask the user to run: chitta graph mine --undo"}
		}
		erased, err := m.unmine(ctx)
		if err != nil {
			return GraphMineOutput{}, err
		}
		out, err := m.mineStatus(ctx)
		out.Erased = &Unmined{Evidence: erased.Evidence, Facts: erased.Triples, Weaker: erased.Weaker}
		return out, err
	case in.Status:
		return m.mineStatus(ctx)
	}
	if err := m.startMining(ctx); err != nil {
		return GraphMineOutput{}, err
	}
	if err := m.mineFor(ctx, mineAtOnce, true); err != nil {
		return GraphMineOutput{}, err
	}
	return m.mineStatus(ctx)
}

// startMining lets a job begin if there is none. One that is on goes on; one
// that was done looks at the links again, which may have come since.
func (m *Mind) startMining(ctx context.Context) error {
	m.miner.mu.Lock()
	defer m.miner.mu.Unlock()
	job, err := store.Noted[mining](ctx, m.store, notedMining)
	if err != nil || job.Job != "" && !job.Done {
		return err
	}
	if !job.on() {
		if job, err = m.newJob(job); err != nil {
			return err
		}
	}
	job.Done, job.Linked = false, readTo{}
	return m.store.Write(ctx, func(tx *store.Tx) error { return tx.SetNoted(notedMining, job) })
}

// unmine takes back the evidence of the job and lets it begin again only when
// somebody asks for it, in one transaction. Facts that somebody ended stay, with
// their end: they hold no more, and without them they would be found again.
func (m *Mind) unmine(ctx context.Context) (erased store.Erased, err error) {
	m.miner.mu.Lock()
	defer m.miner.mu.Unlock()
	job, err := store.Noted[mining](ctx, m.store, notedMining)
	if err != nil {
		return erased, err
	}
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		if job.on() {
			if erased, err = tx.EraseEvidence(store.EvidenceFilter{Job: job.Job, Standing: true}); err != nil {
				return err
			}
		}
		return tx.SetNoted(notedMining, mining{Undone: true})
	})
	if err == nil {
		m.net.Follow(ctx)
	}
	return erased, err
}

func (m *Mind) mineStatus(ctx context.Context) (GraphMineOutput, error) {
	job, err := store.Noted[mining](ctx, m.store, notedMining)
	if err != nil {
		return GraphMineOutput{}, err
	}
	out := GraphMineOutput{
		On: job.on(), Automatic: m.opts.Config.Graph.Mine && !job.Undone, Job: job.Job, Started: job.Started, Memories: job.Memories, Chunks: job.Chunks, Links: job.Links,
		Facts: job.Facts, Strengthened: job.Strengthened, Concepts: job.Concepts, Seconds: job.Seconds,
	}
	memories, err := m.store.LastRev(ctx)
	if err != nil {
		return out, err
	}
	chunks, err := m.store.LastChunkRev(ctx)
	if err != nil {
		return out, err
	}
	out.Total = memories + chunks
	out.Done = !job.on() || job.Done && job.Read.Memories >= memories && job.Read.Chunks >= chunks
	mentions, err := m.store.CountMentions(ctx)
	for _, n := range mentions {
		out.Mentions += n
	}
	return out, err
}
