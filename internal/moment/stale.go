package moment

import (
	"context"

	"chitta/internal/anchor"
	"chitta/internal/recall"
	"chitta/internal/store"
)

// staleness says of memories, by their rows, what of the code they name changed.
type staleness map[int64]string

// staleness holds memories against the code they name, as it is where something
// is about to be done. As of an earlier time nothing is known of code.
func (k *Keeper) staleness(ctx context.Context, u use, records []store.Record) (staleness, error) {
	if !u.at.IsZero() || len(records) == 0 {
		return nil, nil
	}
	anchors, err := k.anchorsOf(ctx, records)
	if err != nil || len(anchors) == 0 {
		return nil, err
	}
	states, err := k.mind.Anchors().Check(ctx, u.dir, records, anchors, anchor.Reading)
	if err != nil {
		k.log.Warn("memories were not held against code", "error", err)
		return nil, ctx.Err() // code that cannot be read keeps nothing from being told
	}
	out := staleness{}
	for seq, f := range states {
		if f.State == anchor.Stale {
			out[seq] = f.Note
		}
	}
	return out, nil
}

// share is what a memory is worth beside one whose code is what it was.
func (s staleness) share(r *store.Record) float64 {
	if s[r.Seq] != "" {
		return recall.StaleShare
	}
	return 1
}

// told says a memory with what is to be known before relying on it.
func (s staleness) told(r *store.Record) item {
	x := toldMemory(r)
	x.stale = s[r.Seq]
	return x
}

// filesIn counts the files of anchors; several symbols may be of one.
func filesIn(anchors []store.Anchor) int {
	files := map[string]bool{}
	for _, a := range anchors {
		files[a.Path] = true
	}
	return len(files)
}
