package mind

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chitta/internal/anchor"
	"chitta/internal/capture"
	"chitta/internal/distil"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// SessionSummary is what a session came to.
type SessionSummary struct {
	Session string // the client's id
	Realm   string
	Cwd     string
	Text    string
	Files   []string
	At      time.Time // when the session was last heard of
}

const (
	// TagSummary marks the account of a whole session.
	TagSummary = "session"
	// TagAbsorbed marks accounts of single changes that a summary of their
	// session tells as well.
	TagAbsorbed = "absorbed"
	// summaryKey is under what the summary is noted among a session's lessons.
	summaryKey = "summary"
	// sureSummary is for what is chosen from what was said, and may leave out
	// what mattered.
	sureSummary = 0.8
)

// KeepSummary keeps what a session came to. A session has one summary: when it
// goes on, the same memory says more. It returns "" if the summary was refused,
// or somebody forgot it.
func (m *Mind) KeepSummary(ctx context.Context, c Caller, in SessionSummary) (string, error) {
	rec, err := m.composeSummary(ctx, c, in)
	if err != nil || rec == nil {
		return "", err
	}
	files, err := m.anchors.Paths(ctx, rec.Realm, in.Cwd, in.Files)
	if err != nil {
		return "", err
	}
	var id string
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		if may, err := learnable(tx, in.Session); err != nil || !may {
			return err
		}
		had, known, err := tx.Lesson(in.Session, summaryKey)
		if err != nil {
			return err
		}
		var stored *store.Record
		if known {
			stored, err = m.renew(ctx, tx, c, had, rec)
		} else {
			stored, err = m.addSummary(tx, c, rec)
		}
		if err != nil || stored == nil {
			return err
		}
		id = stored.ID
		if err := tx.AddAnchors(anchor.On(stored.Seq, anchor.ToFiles(files))...); err != nil {
			return err
		}
		return tx.PutLesson(store.Lesson{Session: in.Session, Key: summaryKey, Memory: id, Text: stored.Hash})
	})
	if err != nil {
		return "", err
	}
	m.followMemories(ctx, false)
	return id, nil
}

// composeSummary turns a summary into a record, nil if the gate refuses it.
func (m *Mind) composeSummary(ctx context.Context, c Caller, in SessionSummary) (*store.Record, error) {
	sure := sureSummary
	rec, _, err := m.compose(ctx, Caller{Actor: c.Actor, Session: in.Session, Cwd: in.Cwd}, RememberInput{
		Content: in.Text, Kind: memory.Summary.String(), Tags: []string{TagSummary}, Realm: in.Realm,
		Source: string(memory.Consolidated), Confidence: &sure, Session: in.Session,
	})
	if err != nil {
		return nil, ifNotRefused(err)
	}
	if at := in.At.UTC().Truncate(time.Millisecond); at.UnixMilli() > 0 && at.Before(rec.Created) {
		rec.Created, rec.Observed = at, at
	}
	return rec, nil
}

// addSummary stores a first summary. Two sessions may come to the same; the
// later one then has that of the first.
func (m *Mind) addSummary(tx *store.Tx, c Caller, rec *store.Record) (*store.Record, error) {
	if err := m.guard(tx, c, rec); err != nil {
		var twin *twinError
		if errors.As(err, &twin) {
			return &twin.record, nil
		}
		return nil, ifNotRefused(err)
	}
	_, err := m.insertNew(tx, c, rec)
	return rec, err
}

// renew lets the summary of a session say what it has come to since; nil if
// there is none any more, or somebody has changed it.
func (m *Mind) renew(ctx context.Context, tx *store.Tx, c Caller, had store.Lesson, rec *store.Record) (*store.Record, error) {
	before, err := tx.ByID(had.Memory)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil || before.State != memory.Active || before.Hash != had.Text || before.Provenance.Session != rec.Provenance.Session {
		return nil, err
	}
	if before.Hash == rec.Hash {
		return &before, nil
	}
	after := before
	after.Content, after.Hash, after.Observed = rec.Content, rec.Hash, rec.Observed
	if err := m.guard(tx, c, &after); err != nil {
		var twin *twinError
		if errors.As(err, &twin) {
			return &before, nil
		}
		return &before, ifNotRefused(err)
	}
	return &after, m.revise(ctx, tx, c, &before, &after, "extend")
}

// mostEpisodes bounds how many changes of one session are put together at once.
const mostEpisodes = 500

// AbsorbEpisodes lets the accounts of changes that a session made to the same
// files become one, the last of them, which the others give way to; and marks
// what the summary of the session tells as well. It returns how many gave way.
func (m *Mind) AbsorbEpisodes(ctx context.Context, c Caller, session string) (int, error) {
	episodes, err := m.store.List(ctx, store.Filter{
		Session: session, Kinds: []memory.Kind{memory.Episode}, Sources: []memory.Source{memory.Subconscious},
		Tags: []string{distil.RuleEdit}, States: []memory.Status{memory.Active}, Oldest: true, Limit: mostEpisodes,
	})
	if err != nil || len(episodes) == 0 {
		return 0, err
	}
	seqs := make([]int64, len(episodes))
	for i := range episodes {
		seqs[i] = episodes[i].Seq
	}
	anchors, err := m.store.AnchorsOf(ctx, seqs)
	if err != nil {
		return 0, err
	}
	absorbed := 0
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		absorbed = 0
		for _, group := range sameFiles(episodes, anchors) {
			n, err := m.putTogether(ctx, tx, c, group, anchors)
			if err != nil {
				return err
			}
			absorbed += n
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("put changes of session %s together: %w", session, err)
	}
	m.followMemories(ctx, false)
	return absorbed, nil
}

// sameFiles groups memories that are about the same files, in order.
func sameFiles(records []store.Record, anchors map[int64][]store.Anchor) [][]store.Record {
	var groups [][]store.Record
	at := map[string]int{}
	for _, r := range records {
		key := ""
		for _, a := range anchors[r.Seq] {
			key += a.Path + "\x00"
		}
		i, ok := at[key]
		if !ok || key == "" {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

// putTogether lets each of a group give way to the next, and the last say what
// all of them said. Those that converged with something said on purpose stay as
// they are.
func (m *Mind) putTogether(ctx context.Context, tx *store.Tx, c Caller, group []store.Record, anchors map[int64][]store.Anchor) (int, error) {
	free := slices.DeleteFunc(slices.Clone(group), func(r store.Record) bool { return r.Pair != "" })
	var texts []string
	for i := range free {
		texts = append(texts, free[i].Content)
	}
	last := len(free) - 1
	for i := range free {
		before, err := tx.ByID(free[i].ID)
		if err != nil {
			return 0, err
		}
		if before.State != memory.Active || before.Rev != free[i].Rev {
			return 0, nil // changed since it was looked at; the next time will do
		}
		after := before
		if !slices.Contains(before.Tags, TagAbsorbed) {
			after.Tags = append(slices.Clone(before.Tags), TagAbsorbed)
			slices.Sort(after.Tags)
		}
		if i > 0 {
			after.Supersedes = free[i-1].ID
		}
		if i < last {
			after.State, after.SupersededBy = memory.Superseded, free[i+1].ID
		} else if last > 0 {
			var files []string
			for _, a := range anchors[before.Seq] {
				if !slices.Contains(files, a.Path) {
					files = append(files, a.Path)
				}
			}
			after.Content = distil.MergeEdits(texts, files)
			after.Hash = capture.Hash(after.Content)
		}
		if len(difference(&before, &after)) == 0 {
			continue
		}
		if err := m.revise(ctx, tx, c, &before, &after, "absorb"); err != nil {
			return 0, err
		}
	}
	return max(0, last), nil
}
