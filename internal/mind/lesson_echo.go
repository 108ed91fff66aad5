package mind

import (
	"context"
	"strings"

	"chitta/internal/capture"
	"chitta/internal/distil"
	"chitta/internal/keyword"
	"chitta/internal/memory"
	"chitta/internal/store"
	"chitta/internal/vector"
)

const (
	// retoldMeaning is the cosine from which an agent's words may be what it was
	// handed over, told in other words. Of invented pairs, 18 retellings in
	// English lie at 0.79 to 0.96; so does some of what is new about the same
	// matter, which [capture.Retells] tells apart. A translation lies there only
	// if it keeps the terms: the built-in model reads English.
	retoldMeaning = 0.78
	// maxGivenCalls is how many hooks of a session are looked through for what
	// they handed over.
	maxGivenCalls = 1000
)

// settledToo are the states of memories that an agent may have its words from.
var settledToo = []memory.Status{memory.Active, memory.Superseded, memory.Rejected}

// echoes reports whether a lesson only says what memory says: an agent's words
// that repeat or retell it, or a line of chitta's in a person's mouth. To call
// such a line wrong is no repetition.
func (m *Mind) echoes(ctx context.Context, l *Lesson, rec *store.Record) (bool, error) {
	switch {
	case l.Trust == memory.TrustUser:
		words, _, _ := strings.Cut(l.Text, "” — ") // what it answers to is not theirs
		return l.Rule != distil.RuleCorrection && capture.IsTold(words), nil
	case l.Trust != memory.TrustAgent || l.Said == "" || len(l.Said) > nearBytes:
		return false, nil
	}
	words := *rec
	words.Content = capture.Bare(l.Said)
	words.Hash = capture.Hash(words.Content)
	words.Provenance.Session = "" // variations of a thought are another matter
	if seq, err := m.sameThought(ctx, &words); seq != 0 || err != nil {
		return seq != 0, err
	}
	if again, err := m.repeated(ctx, rec.Realm, l.Said, func(*store.Record) bool { return true }); again || err != nil {
		return again, err
	}
	return m.retold(ctx, l.Session, &words)
}

// repeated reports whether words only repeat what a memory of some says, or said
// before it was settled otherwise.
func (m *Mind) repeated(ctx context.Context, realm, said string, of func(*store.Record) bool) (bool, error) {
	index, err := m.index.Ready()
	if err != nil {
		return false, nil
	}
	hits, err := index.Search(ctx, keyword.Query{Terms: telling(capture.Bare(said)), K: nearCandidates, Filter: keyword.Filter{All: reachable(realm)}})
	if err != nil {
		return false, nil
	}
	seqs := make([]int64, len(hits))
	for i, h := range hits {
		seqs[i] = int64(h.ID)
	}
	records, err := m.store.BySeq(ctx, seqs)
	for _, r := range records {
		if of(&r) && capture.Repeats(said, r.Content) {
			return true, nil
		}
	}
	return false, err
}

// reachable restricts a search to what an agent in a realm may be handed.
func reachable(realm string) [][]string {
	states := make([]string, len(settledToo))
	for i, s := range settledToo {
		states[i] = "state=" + string(s)
	}
	return [][]string{{"realm=" + realm, "visibility=" + string(memory.Global)}, states}
}

// retold reports whether words tell in other words what their session was
// handed over. That something is done is news to what was only intended.
func (m *Mind) retold(ctx context.Context, session string, words *store.Record) (bool, error) {
	index, encoder, err := m.semantic.Ready(store.OwnerMemory)
	if err != nil {
		return false, nil
	}
	given, err := m.handedOver(ctx, session)
	if err != nil || len(given) == 0 {
		return false, err
	}
	v, err := encoder.Query(ctx, words.Content)
	if err != nil {
		return false, nil
	}
	hits, err := index.Search(ctx, vector.Query{Vector: v, K: nearCandidates, Filter: vector.Filter{All: reachable(words.Realm)}})
	if err != nil {
		return false, nil
	}
	var seqs []int64
	for _, h := range hits {
		if h.Score >= retoldMeaning {
			seqs = append(seqs, int64(h.ID))
		}
	}
	records, err := m.store.BySeq(ctx, seqs)
	for _, r := range records {
		news := r.Kind == memory.Intention && words.Kind != memory.Intention
		if given[r.ID] && !news && capture.Retells(words.Content, r.Content) {
			return true, nil
		}
	}
	return false, err
}

// handedOver returns the ids of what hooks handed to a session.
func (m *Mind) handedOver(ctx context.Context, session string) (map[string]bool, error) {
	if session == "" {
		return nil, nil
	}
	calls, err := m.store.HookCalls(ctx, store.HookCallFilter{Session: session, Limit: maxGivenCalls})
	given := map[string]bool{}
	for _, c := range calls {
		for _, id := range c.Items {
			given[id] = true
		}
	}
	return given, err
}

// agentSays begins the agent's own words in an account.
const agentSays = " the agent says "

// WithoutEchoes returns an account of a session's work without the closing words
// of its agent that only repeat a memory. Accounts of other work often close
// with the same words, so those count only if the session was handed them.
func (m *Mind) WithoutEchoes(ctx context.Context, realm, session, account string) (string, error) {
	if !strings.Contains(account, agentSays) {
		return account, nil
	}
	given, err := m.handedOver(ctx, session)
	if err != nil {
		return "", err
	}
	of := func(r *store.Record) bool {
		return given[r.ID] || r.Provenance.Session != session && r.Kind != memory.Episode && r.Kind != memory.Summary
	}
	var kept []string
	for line := range strings.SplitSeq(account, "\n") {
		at := strings.LastIndex(line, agentSays)
		if at > 0 && strings.ContainsRune(";:", rune(line[at-1])) { // else it is within what somebody said
			again, err := m.repeated(ctx, realm, quotedWords(line[at+len(agentSays):]), of)
			if err != nil {
				return "", err
			}
			if again && strings.HasSuffix(line[:at], ":") {
				continue // its section says nothing else
			}
			if again {
				line = strings.TrimSuffix(line[:at], ";")
			}
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n"), nil
}

// quotedWords returns words without their marks, and without the last one if
// they were cut off in it.
func quotedWords(said string) string {
	said = strings.Trim(said, "“” ")
	if cut, ok := strings.CutSuffix(said, "…"); ok {
		fields := strings.Fields(cut)
		return strings.Join(fields[:max(0, len(fields)-1)], " ")
	}
	return said
}

// dropEcho takes the closing words out of an account of a change that only
// repeat a memory.
func (m *Mind) dropEcho(ctx context.Context, l *Lesson, rec *store.Record) error {
	if l.Rule != distil.RuleEdit {
		return nil
	}
	text, err := m.WithoutEchoes(ctx, rec.Realm, l.Session, rec.Content)
	if err != nil {
		return err
	}
	rec.Content, rec.Hash = text, capture.Hash(text)
	return nil
}
