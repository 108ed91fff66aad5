package mind

import (
	"context"
	"fmt"
	"slices"
	"time"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// clashMoments bounds at how many moments a new fact is held against what
// stands around it: with more a hub would make adding slow.
const clashMoments = 32

// clashes returns the contradictions that a fact is part of at any time that it
// holds. It looks at what stands around the fact only, so that adding one stays
// quick in a large graph.
func (m *Mind) clashes(ctx context.Context, t *store.Triple) ([]ContradictionView, error) {
	net, ready := m.net.Net()
	if !ready {
		return nil, nil
	}
	v := graph.View{Realms: []string{t.Realm, memory.UserRealm}}
	near, starts := around(net, v, t)
	var mine []graph.Contradiction
	seen := map[string]bool{}
	for _, at := range m.moments(t, starts) {
		v.At = at
		found, err := near.Contradictions(ctx, v, 0)
		if err != nil {
			return nil, err
		}
		for _, x := range found {
			seqs := seqsOf(x.Triples)
			slices.Sort(seqs)
			if key := fmt.Sprint(x.Kind, seqs); slices.Contains(seqs, t.Seq) && !seen[key] {
				seen[key] = true
				mine = append(mine, x)
			}
		}
	}
	return m.contradictionViews(ctx, mine)
}

// around collects what a fact could contradict, at any time, and when each of it
// began to hold.
func around(net *graph.Net, v graph.View, t *store.Triple) (near *graph.Net, starts []time.Time) {
	near = graph.NewNet()
	take := func(list []graph.Triple, related func(graph.Triple) bool) {
		for _, x := range list {
			near.Apply(graph.Change{Triple: x})
			if related(x) {
				starts = append(starts, x.ValidFrom)
			}
		}
	}
	all := func(graph.Triple) bool { return true }
	rival := func(x graph.Triple) bool { // could be another value, or speak of the same two
		return x.Predicate == "contradicts" || x.Subject == t.SubjectKey && x.Predicate == t.Predicate ||
			x.Subject == t.SubjectKey && x.Object == t.ObjectKey || x.Subject == t.ObjectKey && x.Object == t.SubjectKey
	}
	for _, key := range []string{t.SubjectKey, t.ObjectKey} {
		list := net.Around(v, key, factsMost)
		take(list, rival)
		for _, x := range list {
			if x.Predicate == "contradicts" { // what the contrary concept rests on
				take(net.Around(v, x.Subject, factsDefault), all)
				take(net.Around(v, x.Object, factsDefault), all)
			}
		}
	}
	for _, back := range net.Infer(v, graph.Pattern{Subject: t.ObjectKey, Predicate: t.Predicate, Object: t.SubjectKey}, graph.InferOptions{Limit: 1, Steps: graph.MaxPathHops}) {
		take(back.Chain, all) // it may close a circle
	}
	return near, starts
}

// moments returns the times at which a contradiction with a fact can begin: when
// the fact does, or when another does while it holds. Now comes first, as what
// matters most.
func (m *Mind) moments(t *store.Triple, starts []time.Time) []time.Time {
	slices.SortFunc(starts, func(a, b time.Time) int { return b.Compare(a) })
	var out []time.Time
	for _, at := range slices.Concat([]time.Time{m.now(), t.ValidFrom}, starts) {
		holds := !at.Before(t.ValidFrom) && (t.ValidUntil.IsZero() || at.Before(t.ValidUntil))
		if holds && len(out) < clashMoments && !slices.ContainsFunc(out, at.Equal) {
			out = append(out, at)
		}
	}
	return out
}
