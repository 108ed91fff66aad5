package mind

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"chitta/internal/follow"
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
	var states map[int64]Freshness
	if err == nil && len(anchors) > 0 {
		states, err = m.Freshness(ctx, q.Cwd, memories, anchors)
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
		out[seq] = recall.Freshness{State: f.State, Stale: f.State == FreshnessStale, Note: f.Note}
	}
	return out, nil
}

// passageFiles is how many files of a passage are looked at.
const passageFiles = 8

// checkPassages holds passages of conversations against the files that they
// touched and name. Of what those held then nothing is known: a file that was
// not written since is what it was; of others nothing can be said, unless all
// are gone.
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
		if r.Passage == nil || !memory.IsProject(r.Passage.Session.Realm) {
			continue
		}
		t, err := m.treeOf(ctx, r.Passage.Session.Realm, cwd)
		if err != nil {
			return err
		}
		if t.root == "" {
			continue
		}
		roots, err := m.realmTops(ctx, r.Passage.Session.Realm)
		if err != nil {
			return err
		}
		r.Freshness, r.Changed = passageFreshness(t, filesOf(t, r, touched[r.Passage.Chunk.Seq], roots), r.Created)
	}
	return nil
}

// filesOf returns the files of a project that a passage touched, and those that
// are there of what it names.
func filesOf(t tree, r *Result, touched []store.Touch, roots []string) []string {
	var out []string
	add := func(file string) {
		rel, ok := follow.RelativeTo(roots, file)
		if ok && filepath.IsLocal(rel) && len(out) < passageFiles && !slices.Contains(out, rel) {
			out = append(out, rel)
		}
	}
	for _, x := range touched {
		if x.Action != "search" && !x.Failed {
			add(x.Path)
		}
	}
	named, _ := calledIn(r.Text)
	for _, c := range named {
		if !c.file {
			continue
		}
		if rel, ok := follow.RelativeTo(roots, c.name); ok && filepath.IsLocal(rel) {
			if fi, err := os.Stat(t.full(rel)); err == nil && fi.Mode().IsRegular() {
				add(rel)
			}
		}
	}
	return out
}

func passageFreshness(t tree, files []string, then time.Time) (state, note string) {
	var f Freshness
	gone := 0
	for _, file := range files {
		s := passageState(t, file, then)
		if s.Removed {
			gone++
		}
		f.take(s)
	}
	if f.State == FreshnessStale && gone < len(files) {
		f.State = FreshnessUnknown
	}
	return f.State, f.Note
}

func passageState(t tree, file string, then time.Time) AnchorState {
	fi, err := os.Stat(t.full(file))
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return removed("%s is gone", asCode(file))
	case err != nil || then.IsZero():
		return unknown("")
	case fi.ModTime().After(then):
		return unknown(asCode(file) + " was written since")
	}
	return fresh("")
}
