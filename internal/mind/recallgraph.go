package mind

import (
	"context"
	"strings"

	"chitta/internal/memory"
	"chitta/internal/recall"
	"chitta/internal/store"
)

// KindFact is the kind of a result that is a fact of the knowledge graph.
const KindFact = "fact"

// knowledge is the graph as recall uses it.
func (m *Mind) knowledge() *recall.Knowledge {
	return &recall.Knowledge{Store: m.store, Net: m.net.Net}
}

// hidesFacts reports whether the facts of a realm are not for the caller: those
// of other projects are for people to see.
func (m *Mind) hidesFacts(ctx context.Context, c Caller, name string) bool {
	if c.Person() || name == "" || strings.EqualFold(name, realmAll) {
		return false
	}
	_, err := m.factRealms(ctx, c, name)
	return err != nil
}

// factResult shows a fact as an answer: where it was said last, and how far that
// is trusted.
func (m *Mind) factResult(ctx context.Context, t *store.Triple) (Result, error) {
	evidence, err := m.store.EvidenceOf(ctx, []int64{t.Seq})
	if err != nil {
		return Result{}, err
	}
	r := Result{
		ID: t.ID, Kind: KindFact, Realm: t.Realm, Tags: []string{}, State: string(memory.Active),
		Confidence: t.Confidence, Trust: string(memory.TrustAgent), Created: t.Recorded,
	}
	for _, e := range evidence[t.Seq] {
		if e.Source == sourceUser {
			r.Trust = string(memory.TrustUser)
		}
		r.Provenance = memory.Provenance{Session: e.Session, Message: e.Message}
	}
	return r, nil
}
