package mind

import (
	"context"
	"slices"
	"time"

	"chitta/internal/capture"
	"chitta/internal/keyword"
	"chitta/internal/memory"
	"chitta/internal/store"
	"chitta/internal/vector"
)

const (
	// nearCandidates is how many of the most similar texts are compared in
	// full.
	nearCandidates = 8
	// nearTerms is how many words of a text are looked for. Near duplicates
	// share all words but fillers, so a dozen finds them.
	nearTerms = 12
	// nearBytes is the longest text that is compared word by word: beyond, it is
	// a document, and only the very same one counts as known.
	nearBytes = 16 << 10
	// sameMeaning is the cosine from which two texts say the same.
	sameMeaning = 0.95
	// burstMeaning is the cosine from which texts of one session, said in
	// quick succession, are variations of one thought.
	burstMeaning = 0.85
	// burstSize is how many such texts, the new one included, make a burst.
	burstSize = 3
	// burstSpan is how quick the succession is.
	burstSpan = 10 * time.Minute
)

// nearDuplicate returns the row of an active memory of the same realm that
// says the same as rec, or 0. Whatever cannot be looked at is passed over:
// storing twice does less harm than not storing.
func (m *Mind) nearDuplicate(ctx context.Context, rec *store.Record) (int64, error) {
	if seq, err := m.sameWords(ctx, rec, memory.Active); seq != 0 || err != nil {
		return seq, err
	}
	return m.sameThought(ctx, rec)
}

// sameWords finds a memory in one of the given states in nearly the same
// words.
func (m *Mind) sameWords(ctx context.Context, rec *store.Record, states ...memory.Status) (int64, error) {
	index, err := m.index.Ready()
	if err != nil || len(rec.Content) > nearBytes {
		return 0, nil
	}
	hits, err := index.Search(ctx, keyword.Query{Terms: telling(rec.Content), K: nearCandidates, Filter: keyword.Filter{All: duplicateLabels(rec, states...)}})
	if err != nil {
		return 0, nil
	}
	seqs := make([]int64, len(hits))
	for i, h := range hits {
		seqs[i] = int64(h.ID)
	}
	records, err := m.store.BySeq(ctx, seqs)
	if err != nil {
		return 0, err
	}
	for _, seq := range seqs { // in order of similarity
		if r, ok := records[seq]; ok && slices.Contains(states, r.State) && len(r.Content) <= nearBytes && capture.NearDuplicate(rec.Content, r.Content) {
			return seq, nil
		}
	}
	return 0, nil
}

// telling returns the words of a text that are likely to set it apart: the
// longest ones.
func telling(content string) []keyword.QueryTerm {
	terms := keyword.Analyzer{}.QueryTerms(memory.FirstBytes(content, memory.MaxQuery))
	slices.SortStableFunc(terms, func(a, b keyword.QueryTerm) int { return len(b.Term) - len(a.Term) })
	return terms[:min(len(terms), nearTerms)]
}

// sameThought finds a memory that means the same, or the best of a burst of
// variations from the same session. Numbers, names and negations still tell
// texts apart, however close their vectors are.
func (m *Mind) sameThought(ctx context.Context, rec *store.Record) (int64, error) {
	index, encoder, err := m.semantic.Ready(store.OwnerMemory)
	if err != nil || len(rec.Content) > nearBytes {
		return 0, nil
	}
	v, err := encoder.Query(ctx, rec.Content)
	if err != nil {
		return 0, nil
	}
	hits, err := index.Search(ctx, vector.Query{Vector: v, K: nearCandidates, Filter: vector.Filter{All: duplicateLabels(rec, memory.Active)}})
	if err != nil {
		return 0, nil
	}
	seqs := make([]int64, len(hits))
	for i, h := range hits {
		seqs[i] = int64(h.ID)
	}
	records, err := m.store.BySeq(ctx, seqs)
	if err != nil {
		return 0, err
	}
	var burst []int64
	for _, h := range hits { // in order of similarity
		r, ok := records[int64(h.ID)]
		if !ok || r.State != memory.Active || h.Score < burstMeaning || !capture.SameParticulars(rec.Content, r.Content) {
			continue
		}
		if h.Score >= sameMeaning {
			return r.Seq, nil
		}
		session := rec.Provenance.Session
		if session != "" && r.Provenance.Session == session && rec.Created.Sub(r.Created) <= burstSpan {
			burst = append(burst, r.Seq)
		}
	}
	if len(burst) >= burstSize-1 {
		return burst[0], nil
	}
	return 0, nil
}

// duplicateLabels restricts a search to what a new memory may be a duplicate
// of. A note on a symbol repeats none but another note: what was remembered
// otherwise is not its to change.
func duplicateLabels(rec *store.Record, states ...memory.Status) [][]string {
	labels := make([]string, len(states))
	for i, s := range states {
		labels[i] = "state=" + string(s)
	}
	all := [][]string{{"realm=" + rec.Realm}, labels}
	if rec.Kind == memory.Symbol && slices.Equal(states, []memory.Status{memory.Active}) {
		all = append(all, []string{"kind=" + rec.Kind.String()})
	}
	return all
}

// guard holds every text that is about to become active against what was
// settled before: nobody but a person at the command line brings back what was
// corrected or rejected, and no two active memories of a realm say the same,
// which is told by a [twinError].
func (m *Mind) guard(tx *store.Tx, c Caller, rec *store.Record) error {
	same, err := tx.ByHash(rec.Realm, rec.Hash)
	if err != nil {
		return err
	}
	for _, s := range same {
		if s.ID != rec.ID && s.State == memory.Active {
			return &twinError{record: s}
		}
	}
	if c.Actor == ActorCLI {
		return nil
	}
	for _, s := range same {
		if s.ID == rec.ID {
			continue
		}
		if err := settled(&s); err != nil {
			return err
		}
	}
	return nil
}

// notSettled is the guard for texts in other words: what says nearly the same
// as something corrected or rejected is refused as well.
func (m *Mind) notSettled(ctx context.Context, c Caller, rec *store.Record) error {
	if c.Actor == ActorCLI {
		return nil
	}
	seq, err := m.sameWords(ctx, rec, memory.Superseded, memory.Rejected)
	if err != nil || seq == 0 {
		return err
	}
	records, err := m.store.BySeq(ctx, []int64{seq})
	if err != nil {
		return err
	}
	r, ok := records[seq]
	if !ok {
		return nil
	}
	return settled(&r)
}

// settled returns why a memory's text may not be said again, or nil.
func settled(r *store.Record) error {
	switch r.State {
	case memory.Superseded:
		return &memory.RefusedError{Reason: "this was corrected by " + r.SupersededBy, Hint: "read the correction: chitta get " + r.SupersededBy}
	case memory.Rejected:
		return &memory.RefusedError{Reason: "this was rejected as wrong (" + r.ID + ")", Hint: "see why: chitta history " + r.ID}
	}
	return nil
}

// twinError says that an active memory says the same already.
type twinError struct{ record store.Record }

func (e *twinError) Error() string { return e.record.ID + " says the same already" }

// Hint tells the caller what to do about it.
func (e *twinError) Hint() string { return "strengthen that one, or forget one of the two" }
