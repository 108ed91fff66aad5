package mind

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"chitta/internal/capture"
	"chitta/internal/distil"
	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

const (
	// TagConvergent marks memories that were made on both ways: on purpose, and
	// from what happened.
	TagConvergent = "convergent"
	// convergentGain is how much surer both become.
	convergentGain = 0.2
	// convergentMost keeps a belief open: nothing is certain.
	convergentMost = 0.99
	// convergentBack is how many of a session's newest memories are looked at.
	// A minute holds few; the rest is for sessions read late.
	convergentBack = 500
)

// Converged is a pair of memories that speak of the same thing.
type Converged struct {
	Conscious, Subconscious string // ids
	capture.Convergence
}

// Converge finds what was made in a session both on purpose and from what
// happened: each is linked to the other, marked and surer. A memory converges
// once.
func (m *Mind) Converge(ctx context.Context, c Caller, session string) ([]Converged, error) {
	pairs, err := m.meetings(ctx, session)
	if err != nil || len(pairs) == 0 {
		return nil, err
	}
	var out []Converged
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		out = nil
		for _, p := range pairs {
			a, err := tx.ByID(p.Conscious)
			b, errOther := tx.ByID(p.Subconscious)
			if err := errors.Join(err, errOther); err != nil {
				return err
			}
			if !lonely(&a) || !lonely(&b) {
				continue // changed since it was looked at
			}
			if err := errors.Join(m.join(ctx, tx, c, &a, b.ID), m.join(ctx, tx, c, &b, a.ID)); err != nil {
				return err
			}
			out = append(out, p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	m.followMemories(ctx, false)
	return out, nil
}

func lonely(r *store.Record) bool { return r.State == memory.Active && r.Pair == "" }

// join links a memory to the one it converged with.
func (m *Mind) join(ctx context.Context, tx *store.Tx, c Caller, before *store.Record, pair string) error {
	after := *before
	after.Pair = pair
	if !slices.Contains(before.Tags, TagConvergent) {
		after.Tags = append(slices.Clone(before.Tags), TagConvergent)
		slices.Sort(after.Tags)
	}
	now := m.now()
	belief := before.ConfidenceAt(now)
	gained := belief.Observe(1)
	gained.Mean = max(belief.Mean, min(convergentMost, belief.Mean+convergentGain))
	after.Confidence = gained
	if now.After(after.Observed) {
		after.Observed = now
	}
	return m.revise(ctx, tx, c, before, &after, "converge")
}

// trace is a memory that may converge.
type trace struct {
	id string
	capture.Trace
}

// meetings decides which memories of a session speak of the same thing; of
// several a memory may meet, the one that is told best.
func (m *Mind) meetings(ctx context.Context, session string) ([]Converged, error) {
	said, happened, err := m.traces(ctx, session)
	if err != nil || len(said) == 0 || len(happened) == 0 {
		return nil, err
	}
	vectors := map[string][]float32{}
	var all []Converged
	for i := range said {
		for k := range happened {
			a, b := &said[i], &happened[k]
			cosine := func() (float64, bool) { return m.cosine(ctx, vectors, a.Text, b.Text) }
			if found, ok := capture.Converge(a.Trace, b.Trace, cosine); ok {
				all = append(all, Converged{a.id, b.id, found})
			}
		}
	}
	grounds := []string{capture.ByFile, capture.ByWords, capture.ByMeaning}
	slices.SortStableFunc(all, func(a, b Converged) int {
		return cmp.Or(slices.Index(grounds, a.Ground)-slices.Index(grounds, b.Ground), cmp.Compare(b.Value, a.Value))
	})
	var pairs []Converged
	taken := map[string]bool{}
	for _, p := range all {
		if !taken[p.Conscious] && !taken[p.Subconscious] {
			taken[p.Conscious], taken[p.Subconscious] = true, true
			pairs = append(pairs, p)
		}
	}
	return pairs, nil
}

// traces returns what was made in a session on purpose, and what from what
// happened, as far as it has not converged yet.
func (m *Mind) traces(ctx context.Context, id string) (said, happened []trace, err error) {
	records, err := m.store.List(ctx, store.Filter{
		Session: id, States: []memory.Status{memory.Active}, Limit: convergentBack,
		Sources: []memory.Source{memory.Conscious, memory.Subconscious},
	})
	if err != nil {
		return nil, nil, err
	}
	records = slices.DeleteFunc(records, func(r store.Record) bool { return !lonely(&r) })
	var seqs []int64
	var messages []string
	for i := range records {
		seqs = append(seqs, records[i].Seq)
		messages = append(messages, messagesBehind(&records[i])...)
	}
	anchors, err := m.store.AnchorsOf(ctx, seqs)
	if err != nil {
		return nil, nil, err
	}
	times := map[string]time.Time{}
	if s, err := m.store.SessionCalled(ctx, session.ClaudeCode{}.Name(), id); err == nil {
		if times, err = m.store.MessageTimes(ctx, s.Seq, messages); err != nil {
			return nil, nil, err
		}
	} else if !errors.Is(err, store.ErrNotFound) {
		return nil, nil, err
	}
	for i := range records {
		r := &records[i]
		t := trace{r.ID, capture.Trace{Text: capture.DropPlaceholders(r.Content), Session: id, Times: []time.Time{r.Created}}}
		for _, id := range messagesBehind(r) {
			if at, ok := times[id]; ok {
				t.Times = append(t.Times, at)
			}
		}
		// what an agent marks in passing is not about every file of its turn
		if r.Source == memory.Subconscious || !slices.Contains(r.Tags, distil.RuleMarker) {
			for _, a := range anchors[r.Seq] {
				t.Files = append(t.Files, a.Path)
			}
		}
		if r.Source == memory.Conscious {
			said = append(said, t)
		} else {
			happened = append(happened, t)
		}
	}
	return said, happened, nil
}

func messagesBehind(r *store.Record) []string {
	if len(r.Provenance.Messages) > 0 {
		return r.Provenance.Messages
	}
	if r.Provenance.Message == "" {
		return nil
	}
	return []string{r.Provenance.Message}
}

// cosine compares the meaning of two texts, false if there is no model.
func (m *Mind) cosine(ctx context.Context, vectors map[string][]float32, a, b string) (float64, bool) {
	_, encoder, err := m.semantic.Ready(store.OwnerMemory)
	if err != nil {
		return 0, false
	}
	for _, text := range []string{a, b} {
		if vectors[text] != nil {
			continue
		}
		v, err := encoder.Query(ctx, memory.FirstBytes(text, nearBytes))
		if err != nil {
			return 0, false
		}
		vectors[text] = v
	}
	var sum float64
	for i, x := range vectors[a] {
		sum += float64(x) * float64(vectors[b][i])
	}
	return sum, true
}
