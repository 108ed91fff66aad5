package mind

import (
	"context"
	"fmt"
	"slices"

	"chitta/internal/capture"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// IDInput names one memory.
type IDInput struct {
	ID string `json:"id" jsonschema:"the memory: its id or the unique start of it"`
}

// ReasonInput names one memory and why.
type ReasonInput struct {
	ID     string `json:"id" jsonschema:"the memory: its id or the unique start of it"`
	Reason string `json:"reason,omitempty" jsonschema:"why, for the history"`
}

// change loads a memory, lets fn alter it, and stores it with a history entry
// of everything that differs. fn may refuse with an error.
func (m *Mind) change(ctx context.Context, c Caller, id, op, reason string, fn func(tx *store.Tx, r *store.Record) error) (View, error) {
	if err := checkID(id); err != nil {
		return View{}, err
	}
	if err := memory.CheckText("reason", reason, maxProvenanceBytes); err != nil {
		return View{}, err
	}
	reason, _ = m.redactor.Redact(reason)
	var before, after store.Record
	var stated Stated
	err := m.store.Write(ctx, func(tx *store.Tx) (err error) {
		if before, err = tx.Get(id); err != nil {
			return err
		}
		if !before.Erased.IsZero() {
			return &memory.RefusedError{Reason: fmt.Sprintf("%s was erased on %s", before.ID, before.Erased.Format("2006-01-02")), Hint: "its text is gone for good; remember it anew"}
		}
		if before.State == memory.Forgotten && op != opForget && op != opUnforget {
			return &memory.RefusedError{Reason: before.ID + " is forgotten", Hint: "bring it back first: chitta unforget " + before.ID}
		}
		after = before
		after.Tags = slices.Clone(before.Tags)
		if err := fn(tx, &after); err != nil {
			return err
		}
		if after.State == memory.Active && (after.Hash != before.Hash || after.Realm != before.Realm || before.State != memory.Active) {
			if err := m.guard(tx, c, &after); err != nil {
				return err
			}
		}
		detail := difference(&before, &after)
		if len(detail) == 0 {
			return nil // as it was already
		}
		after.Updated = m.now()
		if err := tx.Update(&after); err != nil {
			return err
		}
		if statesOtherwise(&before, &after) {
			if stated, err = m.restateFacts(ctx, tx, &after); err != nil {
				return err
			}
		}
		if reason != "" {
			detail["reason"] = [2]any{nil, reason}
		}
		return tx.AddChange(m.accountFor(c, &after, op, detail))
	})
	if err != nil {
		return View{}, err
	}
	if before.State != after.State || before.Hash != after.Hash {
		m.settledOtherwise(ctx, before.Provenance.Session, before.Kind, false)
	}
	if before.Hash != after.Hash || before.Realm != after.Realm {
		m.anchors.Again(ctx, &after, c.Cwd)
	}
	m.followMemories(ctx, false)
	v := viewOf(&after, m.now())
	v.Stated = stated
	return v, nil
}

// Operations that may touch a forgotten memory.
const (
	opForget   = "forget"
	opUnforget = "unforget"
)

func checkID(id string) error {
	if len(id) < minIDPrefix {
		return &memory.InputError{Field: "id", Problem: fmt.Sprintf("%q is too short", id), Hint: fmt.Sprintf("give at least %d characters of it; chitta list shows ids", minIDPrefix)}
	}
	return memory.CheckText("id", id, maxTagRunes)
}

// minIDPrefix is "m_" and two characters more: shorter ones fit too many.
const minIDPrefix = 4

// difference says field by field what changed.
func difference(before, after *store.Record) map[string][2]any {
	d := map[string][2]any{}
	add := func(field string, old, new any, differ bool) {
		if differ {
			d[field] = [2]any{old, new}
		}
	}
	// the new text is in the memory, or in the next entry
	add("content", before.Content, nil, before.Content != after.Content)
	add("kind", before.Kind, after.Kind, before.Kind != after.Kind)
	add("tags", before.Tags, after.Tags, !slices.Equal(before.Tags, after.Tags))
	add("realm", before.Realm, after.Realm, before.Realm != after.Realm)
	add("visibility", before.Visibility, after.Visibility, before.Visibility != after.Visibility)
	add("state", before.State, after.State, before.State != after.State)
	add("pinned", before.Pinned, after.Pinned, before.Pinned != after.Pinned)
	add("confidence", before.Confidence.Mean, after.Confidence.Mean, before.Confidence != after.Confidence)
	add("decay_rate", before.DecayRate, after.DecayRate, before.DecayRate != after.DecayRate)
	add("trust", before.Trust, after.Trust, before.Trust != after.Trust)
	add("supersedes", before.Supersedes, after.Supersedes, before.Supersedes != after.Supersedes)
	add("superseded_by", before.SupersededBy, after.SupersededBy, before.SupersededBy != after.SupersededBy)
	return d
}

// UpdateInput changes fields of a memory; what is left out stays.
type UpdateInput struct {
	ID         string    `json:"id" jsonschema:"the memory: its id or the unique start of it"`
	Content    *string   `json:"content,omitempty" jsonschema:"new text; for what was wrong use correct instead, which keeps both"`
	Kind       *string   `json:"kind,omitempty" jsonschema:"new kind" words:"kind"`
	Tags       *[]string `json:"tags,omitempty" jsonschema:"new tags, replacing all"`
	Realm      *string   `json:"realm,omitempty" jsonschema:"move to this project: id or name"`
	Visibility *string   `json:"visibility,omitempty" jsonschema:"private, shared or global" words:"visibility"`
	Pinned     *bool     `json:"pinned,omitempty" jsonschema:"keep among the first to be shown"`
	Reason     string    `json:"reason,omitempty" jsonschema:"why, for the history"`
}

// Update edits a memory in place.
func (m *Mind) Update(ctx context.Context, c Caller, in UpdateInput) (View, error) {
	if in.Content == nil && in.Kind == nil && in.Tags == nil && in.Realm == nil && in.Visibility == nil && in.Pinned == nil {
		return View{}, &memory.InputError{Field: "update", Problem: "changes nothing", Hint: "give content, kind, tags, realm, visibility or pinned"}
	}
	var realmID string
	if in.Realm != nil {
		r, err := m.realmFor(ctx, c, *in.Realm)
		if err != nil {
			return View{}, err
		}
		realmID = r.ID
	}
	return m.change(ctx, c, in.ID, "update", in.Reason, func(_ *store.Tx, r *store.Record) error {
		if in.Content != nil {
			content, _, err := m.admit(*in.Content)
			if err != nil {
				return err
			}
			r.Content, r.Hash = content, capture.Hash(content)
		}
		if in.Kind != nil {
			k, err := memory.ParseKind(*in.Kind)
			if err != nil {
				return err
			}
			if r.DecayRate == r.Kind.DecayRate() {
				r.DecayRate = k.DecayRate()
			}
			r.Kind = k
		}
		if in.Tags != nil {
			tags, err := m.admitTags(*in.Tags)
			if err != nil {
				return err
			}
			r.Tags = tags
		}
		if in.Visibility != nil {
			v, err := memory.ParseOneOf("visibility", *in.Visibility, memory.Visibilities())
			if err != nil {
				return err
			}
			r.Visibility = memory.Visibility(v)
		}
		if in.Pinned != nil {
			r.Pinned = *in.Pinned
		}
		if realmID != "" {
			r.Realm = realmID
		}
		return nil
	})
}

// TagInput names tags of a memory.
type TagInput struct {
	ID   string   `json:"id" jsonschema:"the memory: its id or the unique start of it"`
	Tags []string `json:"tags" jsonschema:"the tags"`
}

// Tag adds tags.
func (m *Mind) Tag(ctx context.Context, c Caller, in TagInput) (View, error) {
	return m.retag(ctx, c, in, "tag", func(have, named []string) []string { return append(have, named...) })
}

// Untag takes tags away.
func (m *Mind) Untag(ctx context.Context, c Caller, in TagInput) (View, error) {
	return m.retag(ctx, c, in, "untag", func(have, named []string) []string {
		return slices.DeleteFunc(have, func(t string) bool { return slices.Contains(named, t) })
	})
}

func (m *Mind) retag(ctx context.Context, c Caller, in TagInput, op string, fn func(have, named []string) []string) (View, error) {
	named, err := m.admitTags(in.Tags)
	if err != nil {
		return View{}, err
	}
	if len(named) == 0 {
		return View{}, &memory.InputError{Field: "tags", Problem: "are empty", Hint: "name at least one tag"}
	}
	return m.change(ctx, c, in.ID, op, "", func(_ *store.Tx, r *store.Record) error {
		tags, err := cleanTags(fn(r.Tags, named))
		if err != nil {
			return err
		}
		r.Tags = tags
		return nil
	})
}

// Strengthen counts as evidence for a memory.
func (m *Mind) Strengthen(ctx context.Context, c Caller, in ReasonInput) (View, error) {
	return m.observe(ctx, c, in, "strengthen", 1)
}

// Weaken counts as evidence against a memory.
func (m *Mind) Weaken(ctx context.Context, c Caller, in ReasonInput) (View, error) {
	return m.observe(ctx, c, in, "weaken", 0)
}

func (m *Mind) observe(ctx context.Context, c Caller, in ReasonInput, op string, value float64) (View, error) {
	return m.change(ctx, c, in.ID, op, in.Reason, func(_ *store.Tx, r *store.Record) error {
		r.Observe(value, m.now())
		return nil
	})
}

// CorrectInput replaces what was wrong by what is right.
type CorrectInput struct {
	ID      string `json:"id" jsonschema:"the memory that is wrong"`
	Content string `json:"content" jsonschema:"what is right, as one self-contained statement"`
	Reason  string `json:"reason,omitempty" jsonschema:"why, for the history"`
}

// CorrectOutput names both sides of a correction.
type CorrectOutput struct {
	ID         string `json:"id"`         // the correction
	Supersedes string `json:"supersedes"` // what it replaces
	Stated            // what the two texts state in notation
}

// Correct stores a correction and links it with what it corrects, which from
// then on never outranks it.
func (m *Mind) Correct(ctx context.Context, c Caller, in CorrectInput) (CorrectOutput, error) {
	content, _, err := m.admit(in.Content)
	if err != nil {
		return CorrectOutput{}, err
	}
	var stated Stated
	fixed := store.Record{Hash: capture.Hash(content)}
	if fixed.ID, err = m.newID(); err != nil {
		return CorrectOutput{}, err
	}
	old, err := m.change(ctx, c, in.ID, "supersede", in.Reason, func(tx *store.Tx, r *store.Record) error {
		switch {
		case r.State == memory.Superseded:
			return &memory.RefusedError{Reason: fmt.Sprintf("%s was already corrected by %s", r.ID, r.SupersededBy), Hint: fmt.Sprintf("correct that one: chitta correct %s; if it is gone: chitta unforget %s", r.SupersededBy, r.ID)}
		case fixed.Hash == r.Hash:
			return &memory.InputError{Field: "content", Problem: "says the same as " + r.ID, Hint: "say what is right instead; to confirm it use strengthen"}
		}
		now := m.now()
		fixed.Memory = memory.Memory{
			ID: fixed.ID, Kind: r.Kind, Content: content, Tags: r.Tags, Realm: r.Realm, Visibility: r.Visibility,
			State: memory.Active, Pinned: r.Pinned, DecayRate: r.DecayRate, Source: memory.Conscious, Trust: memory.TrustAgent,
			Provenance: memory.Provenance{Actor: c.Actor, Session: c.Session, Cwd: c.Cwd},
			Supersedes: r.ID, Created: now, Updated: now, Observed: now,
		}
		if c.Actor == ActorCLI {
			fixed.Trust = memory.TrustUser
		}
		fixed.Confidence = memory.NewConfidence(priorFor(fixed.Trust))
		if err := m.guard(tx, c, &fixed); err != nil {
			return err
		}
		if err := tx.Insert(&fixed); err != nil {
			return err
		}
		if stated, err = m.stateFacts(tx, &fixed, fixed.Created); err != nil {
			return err
		}
		if err := tx.AddChange(m.accountFor(c, &fixed, "correct", map[string][2]any{"supersedes": {nil, r.ID}})); err != nil {
			return err
		}
		r.State, r.SupersededBy, r.Pinned = memory.Superseded, fixed.ID, false
		r.Observe(0, now)
		return nil
	})
	if err != nil {
		return CorrectOutput{}, err
	}
	m.anchors.Again(ctx, &fixed, c.Cwd)
	stated.Facts = append(stated.Facts, old.Facts...)
	return CorrectOutput{ID: fixed.ID, Supersedes: old.ID, Stated: stated}, nil
}

// Reject marks a memory as wrong without putting anything in its place.
func (m *Mind) Reject(ctx context.Context, c Caller, in ReasonInput) (View, error) {
	return m.change(ctx, c, in.ID, "reject", in.Reason, func(_ *store.Tx, r *store.Record) error {
		r.State, r.Pinned = memory.Rejected, false
		r.Observe(0, m.now())
		return nil
	})
}
