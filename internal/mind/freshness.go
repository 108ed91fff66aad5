package mind

import (
	"context"

	"chitta/internal/anchor"
	"chitta/internal/memory"
	"chitta/internal/recall"
	"chitta/internal/store"
)

// freshCandidates holds memories that may answer against code. Code that cannot
// be read keeps nobody from an answer.
func (m *Mind) freshCandidates(ctx context.Context, q *recall.Query, memories []store.Record) (map[int64]recall.Freshness, error) {
	seqs := make([]int64, len(memories))
	for i := range memories {
		seqs[i] = memories[i].Seq
	}
	anchors, err := m.store.AnchorsOf(ctx, seqs)
	var states map[int64]anchor.Freshness
	if err == nil && len(anchors) > 0 {
		states, err = m.anchors.Check(ctx, q.Cwd, memories, anchors, anchor.Reading)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.opts.Log.Warn("memories were not held against code", "error", err)
		return nil, nil
	}
	out := make(map[int64]recall.Freshness, len(states))
	for seq, f := range states {
		out[seq] = recall.Freshness{State: f.State, Stale: f.State == anchor.Stale, Note: f.Note}
	}
	return out, nil
}

// checkPassages holds passages of conversations against the files that they
// touched and name.
func (m *Mind) checkPassages(ctx context.Context, cwd string, results []Result) error {
	var seqs []int64
	for i := range results {
		if p := results[i].Passage; p != nil && memory.IsProject(p.Session.Realm) {
			seqs = append(seqs, p.Chunk.Seq)
		}
	}
	touched, err := m.store.TouchesOf(ctx, seqs)
	if err != nil {
		return err
	}
	for i := range results {
		r := &results[i]
		if r.Passage == nil {
			continue
		}
		f, err := m.anchors.CheckPassage(ctx, cwd, anchor.Passage{
			Realm: r.Passage.Session.Realm, Text: r.Text, At: r.Created, Touched: touched[r.Passage.Chunk.Seq],
		})
		if err != nil {
			return err
		}
		r.Freshness, r.Changed = f.State, f.Note
	}
	return nil
}
