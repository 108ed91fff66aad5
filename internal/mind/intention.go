package mind

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"chitta/internal/capture"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// TurnDeed is what a turn did, and where.
type TurnDeed struct {
	capture.Deed
	Session string // the client's id
	Realm   string
	Cwd     string
	Message string    // id of the request
	Began   time.Time // what was left to do before may have been done
	At      time.Time // its end
}

const (
	// TagDone marks what was left to do and was done since, and the note of that.
	TagDone = "done"
	// mostIntentions is how many of the newest open ends are looked at.
	mostIntentions = 200
	// sureDone is for what a rule concluded from words and work.
	sureDone = 0.7
	// doneIntro begins the note that takes the place of what was left to do.
	doneIntro = "Done, and was left to do before: "
)

// CloseIntentions closes what was left to do in a project and a turn did, by the
// rules of [capture.Does]: a note that it was done takes its place. It returns
// the ids of what was closed.
func (m *Mind) CloseIntentions(ctx context.Context, c Caller, d TurnDeed) ([]string, error) {
	open, err := m.store.List(ctx, store.Filter{
		Realm: d.Realm, Reach: store.ReachOnly, Kinds: []memory.Kind{memory.Intention}, States: []memory.Status{memory.Active},
		Until: d.Began, Limit: mostIntentions,
	})
	if err != nil || len(open) == 0 {
		return nil, err
	}
	seqs := make([]int64, len(open))
	for i := range open {
		seqs[i] = open[i].Seq
	}
	anchors, err := m.store.AnchorsOf(ctx, seqs)
	if err != nil {
		return nil, err
	}
	if d.Files, err = m.anchors.Paths(ctx, d.Realm, d.Cwd, d.Files); err != nil {
		return nil, err
	}
	vectors := map[string][]float32{}
	cosine := func(a, b string) (float64, bool) { return m.cosine(ctx, vectors, a, b) }
	var closed []string
	for i := range open {
		var files []string
		for _, a := range anchors[open[i].Seq] {
			files = append(files, a.Path)
		}
		if !capture.Does(leftWords(open[i].Content), files, d.Deed, cosine) {
			continue
		}
		ok, err := m.close(ctx, c, &open[i], d)
		if err != nil {
			return closed, err
		}
		if ok {
			closed = append(closed, open[i].ID)
		}
	}
	if len(closed) > 0 {
		m.followMemories(ctx, false)
	}
	return closed, nil
}

// leftWords is what an open end says is left to do, without what was done when
// it came up.
func leftWords(text string) string {
	text, _, _ = strings.Cut(text, " — while: ")
	return text
}

// close lets a note that it was done take the place of an open end, unless
// somebody has changed that meanwhile.
func (m *Mind) close(ctx context.Context, c Caller, open *store.Record, d TurnDeed) (bool, error) {
	sure := sureDone
	note, _, err := m.compose(ctx, Caller{Actor: c.Actor, Session: d.Session, Cwd: d.Cwd}, RememberInput{
		Content: doneIntro + leftWords(open.Content), Kind: memory.Milestone.String(), Tags: []string{TagDone}, Realm: d.Realm,
		Source: string(memory.Subconscious), Confidence: &sure, Session: d.Session, Message: d.Message,
	})
	if err != nil {
		return false, ifNotRefused(err)
	}
	if at := d.At.UTC().Truncate(time.Millisecond); at.UnixMilli() > 0 && at.Before(note.Created) {
		note.Created, note.Observed = at, at
	}
	note.Supersedes, note.Visibility = open.ID, open.Visibility
	done := false
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		done = false
		before, err := tx.ByID(open.ID)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil || before.State != memory.Active || before.Rev != open.Rev {
			return err
		}
		if may, err := learnable(tx, d.Session); err != nil || !may {
			return err
		}
		if err := m.guard(tx, c, note); err != nil {
			return ifNotRefused(err) // the same was done before; then it stays open
		}
		if _, err := m.insertNew(tx, c, note); err != nil {
			return err
		}
		after := before
		after.State, after.SupersededBy, after.Pinned = memory.Superseded, note.ID, false
		if !slices.Contains(before.Tags, TagDone) {
			after.Tags = append(slices.Clone(before.Tags), TagDone)
			slices.Sort(after.Tags)
		}
		done = true
		return m.revise(ctx, tx, c, &before, &after, "done")
	})
	return done, err
}

// forgottenSince reports whether what a lesson says was forgotten: it comes back
// when a person says it again, and not because they said it before.
func (m *Mind) forgottenSince(ctx context.Context, l *Lesson, rec *store.Record) (bool, error) {
	seq, err := m.sameWords(ctx, rec, memory.Forgotten)
	if err != nil || seq == 0 || l.Trust != memory.TrustUser {
		return seq != 0, err
	}
	records, err := m.store.BySeq(ctx, []int64{seq})
	if err != nil {
		return false, err
	}
	r, ok := records[seq]
	return ok && rec.Created.Before(r.Forgotten), nil
}
