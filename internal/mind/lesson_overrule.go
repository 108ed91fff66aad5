package mind

import (
	"context"
	"errors"
	"slices"

	"chitta/internal/capture"
	"chitta/internal/distil"
	"chitta/internal/memory"
	"chitta/internal/store"
)

const (
	// mostWishes bounds the standing wishes of a project that a new one is held
	// against, the newest first.
	mostWishes = 1000
	// opOverrule is what the history calls it when a wish gives way to a later one.
	opOverrule = "overrule"
)

// changeOfMind says which wishes a new one takes the place of, the oldest first,
// and which later one takes its place, if it was read late.
type changeOfMind struct {
	older []string
	later string
	// returns says that the wish was overruled before, and is said again since.
	returns bool
}

// isWish reports whether a lesson is a standing wish in the person's own words.
func (d *draft) isWish() bool {
	return d.Rule == distil.RulePreference && d.Kind == memory.Preference && d.Trust == memory.TrustUser
}

// changedMind holds a new wish against those of the same project that stand.
// Wishes that hold in other projects, or in all, are another matter: one may be
// an exception to the other.
func (m *Mind) changedMind(ctx context.Context, d *draft, rec *store.Record) error {
	if !d.isWish() {
		return nil
	}
	standing, err := m.store.List(ctx, store.Filter{
		Kinds: []memory.Kind{memory.Preference}, Realm: rec.Realm, Reach: store.ReachOnly, States: []memory.Status{memory.Active},
		Sources: []memory.Source{memory.Subconscious, memory.Conscious}, Limit: mostWishes,
	})
	if err != nil {
		return err
	}
	for i := range standing { // the newest first
		r := &standing[i]
		switch {
		case r.Trust != memory.TrustUser && r.Source != memory.Conscious:
		case r.Created.Before(rec.Created) && capture.Overrules(rec.Content, r.Content):
			d.mind.older = append(d.mind.older, r.ID)
		case r.Created.After(rec.Created) && capture.Overrules(r.Content, rec.Content):
			d.mind.later = r.ID
		}
	}
	slices.Reverse(d.mind.older)
	d.mind.returns, err = m.returns(ctx, rec)
	return err
}

// returns reports whether a wish was overruled by another one before, and is
// said again since: then it is no repetition of what was settled.
func (m *Mind) returns(ctx context.Context, rec *store.Record) (bool, error) {
	seq, err := m.sameWords(ctx, rec, memory.Superseded)
	if err != nil || seq == 0 {
		return false, err
	}
	before, err := m.store.BySeq(ctx, []int64{seq})
	if err != nil {
		return false, err
	}
	by, err := m.store.Get(ctx, before[seq].SupersededBy)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && by.Kind == memory.Preference && by.Created.Before(rec.Created) && capture.Overrules(by.Content, rec.Content), err
}

// settle lets wishes give way to a new one, or it to a later one. Each is linked
// to the one that takes its place, one after the other.
func (m *Mind) settle(ctx context.Context, tx *store.Tx, c Caller, d *draft, id string) error {
	chain := append(slices.Clone(d.mind.older), id)
	if d.mind.later != "" {
		chain = append(chain, d.mind.later)
	}
	last := len(chain) - 1
	if last == 0 {
		return nil
	}
	stands, err := tx.ByID(chain[last])
	if err != nil {
		return err
	}
	next := stands.ID
	for _, old := range slices.Backward(chain[:last]) {
		gave, err := m.giveWay(ctx, tx, c, old, next, "a later wish says otherwise: "+stands.Content)
		if err != nil {
			return err
		}
		if gave {
			next = old
		}
	}
	return nil
}

// giveWay lets one wish take the place of another; false if one of them has
// changed since.
func (m *Mind) giveWay(ctx context.Context, tx *store.Tx, c Caller, oldID, newID, why string) (bool, error) {
	old, err := tx.ByID(oldID)
	if err != nil || old.State != memory.Active {
		return false, err
	}
	by, err := firstOfChain(tx, newID)
	if err != nil || by.ID == "" || by.ID == old.ID {
		return false, err
	}
	after := old
	after.State, after.SupersededBy, after.Pinned, after.Updated = memory.Superseded, by.ID, false, m.now()
	if err := tx.Update(&after); err != nil {
		return false, err
	}
	if _, err := m.restateFacts(ctx, tx, &after); err != nil {
		return false, err
	}
	detail := difference(&old, &after)
	detail["reason"] = [2]any{nil, why}
	if err := tx.AddChange(m.accountFor(c, &after, opOverrule, detail)); err != nil {
		return false, err
	}
	newer := by
	newer.Supersedes = old.ID
	return true, m.revise(ctx, tx, c, &by, &newer, opOverrule)
}

// mostOverruled bounds how often one wish after the other was overruled.
const mostOverruled = 100

// firstOfChain returns the first of the memories that gave way one after the
// other, up to this one: a memory takes the place of one other only. It has no
// id if there is none.
func firstOfChain(tx *store.Tx, id string) (store.Record, error) {
	for range mostOverruled {
		r, err := tx.ByID(id)
		if errors.Is(err, store.ErrNotFound) {
			return store.Record{}, nil
		}
		if err != nil || r.Supersedes == "" {
			return r, err
		}
		id = r.Supersedes
	}
	return store.Record{}, nil
}
