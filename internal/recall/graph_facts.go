package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// TargetGraph is the name of the target that recalls facts.
const TargetGraph = "graph"

// Facts recalls facts of the knowledge graph. A question with a relation in it
// about something that is known ("what solves X?") is answered by them first;
// any other question is none of its business, unless only facts are asked for:
// then what the question stirs up is offered.
type Facts struct{ *Knowledge }

// Name returns the target's name.
func (Facts) Name() string { return TargetGraph }

const (
	// certain is added to the confidence of a fact that answers the very
	// question: relevance ends at one, and an answer comes before what is
	// merely relevant.
	certain = 1.0
	// factsFound is how many facts one question finds.
	factsFound = 12
	// companions is how many facts about the same thing are told with the first
	// answer: a cause is worth more with its cure.
	companions = 3
	// versusEach is how many facts of each of two things that are compared.
	versusEach = 6
)

// Recall answers from facts.
func (f Facts) Recall(ctx context.Context, q *Query) (*Answer, error) {
	a := &Answer{}
	if q.NoFacts || len(q.Kinds)+len(q.Tags) > 0 || len(q.States) > 0 && !slices.Contains(q.States, memory.Active) {
		return a, nil // facts have neither kinds nor tags, and those that ended are asked for by time
	}
	start := time.Now()
	told, err := f.answer(ctx, q)
	if err == nil && len(told) == 0 && slices.Contains(q.Targets, TargetGraph) {
		told, err = f.stirred(ctx, q)
	}
	if err != nil || len(told) == 0 {
		return a, err
	}
	a.Candidates, err = f.tell(ctx, q, told)
	a.Found = len(a.Candidates)
	a.Stages = append(a.Stages, stageTime(TargetGraph, start))
	return a, err
}

// told is a fact that answers, with others to be told beside it.
type told struct {
	graph.Triple
	score  float64
	detail string
	beside []graph.Triple
}

// answer runs a question with a relation as a query for triples. It finds
// nothing if the question has none, or is about something unknown.
func (f Facts) answer(ctx context.Context, q *Query) ([]told, error) {
	asked, ok := graph.Route(q.Text)
	if !ok {
		return nil, nil
	}
	net, ready := f.Net()
	v, err := f.view(ctx, q)
	if err != nil || !ready {
		return nil, err
	}
	if asked.Versus {
		return f.versus(ctx, net, v, asked)
	}
	for _, name := range append([]string{cmp.Or(asked.Subject, asked.Object)}, asked.Also...) {
		known, err := f.Store.ConceptsNamed(ctx, v.Realms, graph.Key(name))
		if err != nil {
			return nil, err
		}
		var out []told
		for _, key := range nodesOf(known) {
			out = append(out, relations(net, v, asked, key)...)
		}
		if len(out) > 0 {
			slices.SortStableFunc(out, func(a, b told) int { return cmp.Compare(b.score, a.score) })
			return out[:min(len(out), factsFound)], nil
		}
	}
	return nil, nil
}

// nodesOf returns the keys of concepts, each once.
func nodesOf(concepts []store.Concept) (keys []string) {
	for _, c := range concepts {
		if !slices.Contains(keys, c.Key) {
			keys = append(keys, c.Key)
		}
	}
	return keys
}

// relations returns the triples that answer a question about a node.
func relations(net *graph.Net, v graph.View, asked graph.Question, key string) (out []told) {
	p := graph.Pattern{Predicate: asked.Predicate, Subject: key}
	if asked.Subject == "" {
		p = graph.Pattern{Predicate: asked.Predicate, Object: key}
	}
	found := net.Match(v, p, factsFound)
	if x, _, err := graph.LookupPredicate(asked.Predicate); err == nil && x.Symmetric {
		p.Subject, p.Object = p.Object, p.Subject
		found = append(found, net.Match(v, p, factsFound)...)
	}
	for _, t := range found {
		out = append(out, told{Triple: t, score: certain + t.Confidence, detail: key})
	}
	if len(out) > 0 {
		out[0].beside = remedies(net, v, key, asked.Predicate)
	}
	return out
}

// remedies returns what solves or prevents something, to be told with what
// causes it.
func remedies(net *graph.Net, v graph.View, key, asked string) (out []graph.Triple) {
	for _, predicate := range []string{"solves", "prevents"} {
		if asked == "causes" {
			out = append(out, net.Match(v, graph.Pattern{Predicate: predicate, Object: key}, companions)...)
		}
	}
	return out[:min(len(out), companions)]
}

// versus returns what is known of two things: first what joins them.
func (f Facts) versus(ctx context.Context, net *graph.Net, v graph.View, asked graph.Question) ([]told, error) {
	var nodes [2][]string
	for i, name := range []string{asked.Subject, asked.Object} {
		known, err := f.Store.ConceptsNamed(ctx, v.Realms, graph.Key(name))
		if err != nil {
			return nil, err
		}
		nodes[i] = nodesOf(known)
	}
	var out []told
	take := func(list []graph.Triple, detail string) {
		for _, t := range list {
			if !slices.ContainsFunc(out, func(o told) bool { return o.Seq == t.Seq }) {
				out = append(out, told{Triple: t, score: certain + t.Confidence, detail: detail})
			}
		}
	}
	for _, a := range nodes[0] {
		for _, b := range nodes[1] {
			take(net.Match(v, graph.Pattern{Subject: a, Object: b}, versusEach), a)
			take(net.Match(v, graph.Pattern{Subject: b, Object: a}, versusEach), a)
		}
	}
	for i := range out {
		out[i].score += certain // what joins the two
	}
	for _, key := range slices.Concat(nodes[0], nodes[1]) {
		take(net.Around(v, key, versusEach), key)
	}
	if len(nodes[0]) == 0 || len(nodes[1]) == 0 {
		return nil, nil // a comparison needs both
	}
	return out, nil
}

// stirred returns the facts along which a question's activation ran.
func (f Facts) stirred(ctx context.Context, q *Query) ([]told, error) {
	r, err := f.Resonance(ctx, q)
	if err != nil || r == nil {
		return nil, err
	}
	var out []told
	for _, a := range r.Active {
		if a.Hops > 0 && len(out) < factsFound {
			out = append(out, told{Triple: a.Via, score: a.Level, detail: a.From})
		}
	}
	return out, nil
}

// tell puts facts into words.
func (f Facts) tell(ctx context.Context, q *Query, list []told) ([]Candidate, error) {
	var seqs []int64
	for _, t := range list {
		seqs = append(seqs, t.Seq)
		for _, b := range t.beside {
			seqs = append(seqs, b.Seq)
		}
	}
	rows, err := f.Store.TriplesBySeq(ctx, seqs)
	if err != nil {
		return nil, err
	}
	var out []Candidate
	for _, t := range list {
		row, ok := rows[t.Seq]
		if !ok || !q.Since.IsZero() && row.Recorded.Before(q.Since) || !q.Until.IsZero() && !row.Recorded.Before(q.Until) {
			continue // gone since, or from another time
		}
		facts := []graph.Fact{factOf(&row)}
		for _, b := range t.beside {
			if x, ok := rows[b.Seq]; ok {
				facts = append(facts, factOf(&x))
			}
		}
		out = append(out, Candidate{
			Fact: &row, ID: row.ID, Text: strings.Join(graph.Sentences(facts, 0), ". "), Created: row.Recorded, Score: t.score,
			Evidence: []Evidence{{Source: SourceGraph, Score: row.Confidence, Weighted: t.score, Detail: t.detail}},
		})
	}
	return out, nil
}

func factOf(t *store.Triple) graph.Fact {
	return graph.Fact{Subject: t.SubjectName, Predicate: t.Predicate, Object: t.ObjectName, Confidence: t.Confidence, ValidUntil: t.ValidUntil}
}
