package mind

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// GraphPathsInput names two concepts.
type GraphPathsInput struct {
	Concept string `json:"concept" jsonschema:"name of the concept, symbol or file to begin at"`
	To      string `json:"to" jsonschema:"name of the concept, symbol or file to arrive at"`
	Hops    int    `json:"hops,omitempty" jsonschema:"most facts on a way, 1 to 8; 0 or left out: 4"`
	AsOf    string `json:"as_of,omitempty" jsonschema:"what held then; default now"`
	Limit   int    `json:"limit,omitempty" jsonschema:"most ways to return; default 5"`
	Realm   string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory and what concerns the user everywhere"`
}

// PathView is a way from one concept to another.
type PathView struct {
	Facts      []FactView `json:"facts"`
	Confidence float64    `json:"confidence"` // the product of theirs
}

// GraphPathsOutput is ways between two concepts.
type GraphPathsOutput struct {
	From  string     `json:"from"`
	To    string     `json:"to"`
	Paths []PathView `json:"paths"`         // the surest first
	Cut   bool       `json:"cut,omitempty"` // the search was ended early: there may be more
}

// GraphPaths returns the surest ways between two concepts.
func (m *Mind) GraphPaths(ctx context.Context, c Caller, in GraphPathsInput) (GraphPathsOutput, error) {
	if in.Hops < 0 || in.Hops > graph.MaxPathHops {
		return GraphPathsOutput{}, &memory.InputError{Field: "hops", Problem: fmt.Sprintf("is %d", in.Hops), Hint: fmt.Sprintf("use a number from 1 to %d", graph.MaxPathHops)}
	}
	limit, err := memory.CheckLimit(in.Limit, graph.DefaultPaths, factsDefault, "ask for less")
	if err != nil {
		return GraphPathsOutput{}, err
	}
	q, from, err := m.askAbout(ctx, c, &GraphConceptInput{Concept: in.Concept, AsOf: in.AsOf, Realm: in.Realm})
	if err != nil {
		return GraphPathsOutput{}, err
	}
	to, err := m.entity(ctx, q, "to", in.To, false)
	if err != nil {
		return GraphPathsOutput{}, err
	}
	out := GraphPathsOutput{From: from.name, To: to.name, Paths: []PathView{}}
	options := graph.PathOptions{Paths: limit, Hops: in.Hops}
	var paths []graph.Path
	for _, a := range keysOf(from.concepts) {
		for _, b := range keysOf(to.concepts) {
			found, cut := q.net.Paths(q.view, a, b, options)
			paths, out.Cut = append(paths, found...), out.Cut || cut
		}
	}
	show := m.shownEach
	if q.code != nil {
		found, net, err := m.pathsOfCode(ctx, q, from, to, options, len(paths) > 0)
		if err != nil {
			return GraphPathsOutput{}, err
		}
		if len(found) > 0 || len(paths) == 0 {
			out.Cut = out.Cut || net.cut
		}
		paths, show = append(paths, found...), net.shownEach
		slices.SortStableFunc(paths, func(a, b graph.Path) int {
			return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(len(a.Hops), len(b.Hops)))
		})
	}
	paths = paths[:min(len(paths), limit)]
	lists := make([][]graph.Triple, len(paths))
	for i, p := range paths {
		for _, h := range p.Hops {
			lists[i] = append(lists[i], h.Triple)
		}
	}
	facts, err := show(ctx, lists)
	if err != nil {
		return GraphPathsOutput{}, err
	}
	for i, p := range paths {
		if len(facts[i]) < len(p.Hops) { // a fact of it went meanwhile
			continue
		}
		for j, h := range p.Hops {
			facts[i][j].Backward = !h.Forward
		}
		out.Paths = append(out.Paths, PathView{Facts: facts[i], Confidence: p.Confidence})
	}
	return out, nil
}

// GraphInferInput is a pattern to be concluded; one end has to be named.
type GraphInferInput struct {
	Subject   string `json:"subject,omitempty" jsonschema:"name of a concept; leave out, or ? for any"`
	Predicate string `json:"predicate,omitempty" jsonschema:"the relation; leave out, or ? for any"`
	Object    string `json:"object,omitempty" jsonschema:"name of a concept; leave out, or ? for any"`
	Hops      int    `json:"hops,omitempty" jsonschema:"most facts in a chain, 1 to 8; 0 or left out: 4"`
	AsOf      string `json:"as_of,omitempty" jsonschema:"what held then; default now"`
	Limit     int    `json:"limit,omitempty" jsonschema:"most to return; default 50"`
	Realm     string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory and what concerns the user everywhere"`
}

// InferredFact is a fact that nobody asserted, with what it follows from.
type InferredFact struct {
	Subject    string     `json:"subject"`
	Predicate  string     `json:"predicate"`
	Object     string     `json:"object"`
	Sentence   string     `json:"sentence"`
	Confidence float64    `json:"confidence"` // the product of the chain's
	Chain      []FactView `json:"chain"`
}

// GraphInferOutput is what follows from the facts.
type GraphInferOutput struct {
	Inferred []InferredFact `json:"inferred"`
}

// GraphInfer returns what follows from the facts and is not one itself.
func (m *Mind) GraphInfer(ctx context.Context, c Caller, in GraphInferInput) (GraphInferOutput, error) {
	if wild(in.Subject) && wild(in.Object) {
		return GraphInferOutput{}, &memory.InputError{Field: "subject", Problem: "is missing", Hint: "name the subject or the object of what is to be concluded"}
	}
	if in.Hops < 0 || in.Hops > graph.MaxPathHops {
		return GraphInferOutput{}, &memory.InputError{Field: "hops", Problem: fmt.Sprintf("is %d", in.Hops), Hint: fmt.Sprintf("use a number from 1 to %d", graph.MaxPathHops)}
	}
	q, err := m.ask(ctx, c, in.Realm, in.AsOf, false, in.Limit)
	if err != nil {
		return GraphInferOutput{}, err
	}
	p, err := m.pattern(ctx, q, in.Subject, in.Predicate, in.Object)
	if err != nil {
		return GraphInferOutput{}, err
	}
	var found []graph.Inferred
	for _, s := range p.subjects {
		for _, o := range p.objects {
			found = append(found, q.net.Infer(q.view, graph.Pattern{Subject: s, Predicate: p.predicate.Name, Object: o}, graph.InferOptions{Limit: q.limit, Steps: in.Hops})...)
		}
	}
	show := m.shownEach
	if q.code != nil {
		more, net, err := m.inferOfCode(ctx, q, &p, in.Hops)
		if err != nil {
			return GraphInferOutput{}, err
		}
		found, show = append(found, more...), net.shownEach
	}
	found = found[:min(len(found), q.limit)]
	lists := make([][]graph.Triple, len(found))
	for i, f := range found {
		lists[i] = f.Chain
	}
	chains, err := show(ctx, lists)
	if err != nil {
		return GraphInferOutput{}, err
	}
	out := GraphInferOutput{Inferred: []InferredFact{}}
	for i, f := range found {
		chain := chains[i]
		if len(chain) < len(f.Chain) { // a fact of it went meanwhile
			continue
		}
		x := InferredFact{Subject: chain[0].Subject, Predicate: f.Predicate, Object: chain[len(chain)-1].Object, Confidence: f.Confidence, Chain: chain}
		x.Sentence = graph.Sentence(graph.Fact{Subject: x.Subject, Predicate: x.Predicate, Object: x.Object})
		out.Inferred = append(out.Inferred, x)
	}
	return out, nil
}

// ContradictionView is facts that cannot all be right.
type ContradictionView struct {
	Kind  string     `json:"kind"`
	Why   string     `json:"why"`
	Facts []FactView `json:"facts"`
}

// whyNot says in words in which way facts do not go together.
var whyNot = map[graph.ContradictionKind]string{
	graph.Opposed:           "two concepts contradict each other, and facts rest on both",
	graph.TwoValues:         "there can be one value at a time",
	graph.SolvesAndCauses:   "the same cannot solve and cause something",
	graph.PreventsAndCauses: "the same cannot prevent and cause something",
	graph.KindAndContrary:   "nothing is a kind of what it contradicts",
	graph.PreferredBothWays: "each is preferred to the other",
	graph.Circle:            "it leads back to itself",
}

func (m *Mind) contradictionViews(ctx context.Context, found []graph.Contradiction) ([]ContradictionView, error) {
	lists := make([][]graph.Triple, len(found))
	for i, c := range found {
		lists[i] = c.Triples
	}
	facts, err := m.shownEach(ctx, lists)
	if err != nil {
		return nil, err
	}
	var out []ContradictionView
	for i, c := range found {
		if len(facts[i]) == len(c.Triples) {
			out = append(out, ContradictionView{Kind: string(c.Kind), Why: whyNot[c.Kind], Facts: facts[i]})
		}
	}
	return out, nil
}

// GraphContradictionsInput says where to look for contradictions.
type GraphContradictionsInput struct {
	AsOf  string `json:"as_of,omitempty" jsonschema:"what held then; default now"`
	Limit int    `json:"limit,omitempty" jsonschema:"most of each kind; default 50"`
	Realm string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory and what concerns the user everywhere"`
}

// GraphContradictionsOutput is what does not go together.
type GraphContradictionsOutput struct {
	Contradictions []ContradictionView `json:"contradictions"`
}

// GraphContradictions returns facts that cannot all be right. Which of them is
// wrong is for a person to say.
func (m *Mind) GraphContradictions(ctx context.Context, c Caller, in GraphContradictionsInput) (GraphContradictionsOutput, error) {
	q, err := m.ask(ctx, c, in.Realm, in.AsOf, false, in.Limit)
	if err != nil {
		return GraphContradictionsOutput{}, err
	}
	found, err := q.net.Contradictions(ctx, q.view, q.limit)
	if err != nil {
		return GraphContradictionsOutput{}, err
	}
	views, err := m.contradictionViews(ctx, found)
	return GraphContradictionsOutput{Contradictions: append([]ContradictionView{}, views...)}, err
}

// GraphActivateInput says where activation begins.
type GraphActivateInput struct {
	Concept  string  `json:"concept" jsonschema:"name of the concept"`
	Strength float64 `json:"strength,omitempty" jsonschema:"level to begin with, above 0 and up to 1; default 0.5"`
	Hops     int     `json:"hops,omitempty" jsonschema:"how many facts far it spreads, 1 to 8; 0 or left out: 3"`
	Limit    int     `json:"limit,omitempty" jsonschema:"most to return; default 50"`
	Realm    string  `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory and what concerns the user everywhere"`
}

// ActiveConcept is a concept that activation reached.
type ActiveConcept struct {
	Name  string    `json:"name"`
	Level float64   `json:"level"`
	Hops  int       `json:"hops"`          // 0 where it began
	Via   *FactView `json:"via,omitempty"` // the fact it came by; nil where it began
}

// GraphActivateOutput is what came to mind.
type GraphActivateOutput struct {
	Concepts []ActiveConcept `json:"concepts"` // the most active first
	Reached  int             `json:"reached"`  // in all
}

// activationsStored bounds how many levels one activation writes down; those
// behind are faint.
const activationsStored = 200

// GraphActivate lets activation spread from a concept, and notes the levels.
func (m *Mind) GraphActivate(ctx context.Context, c Caller, in GraphActivateInput) (GraphActivateOutput, error) {
	switch {
	case math.IsNaN(in.Strength) || in.Strength < 0 || in.Strength > 1:
		return GraphActivateOutput{}, &memory.InputError{Field: "strength", Problem: fmt.Sprintf("is %v", in.Strength), Hint: "use a number above 0 and up to 1"}
	case in.Hops < 0 || in.Hops > graph.MaxPathHops:
		return GraphActivateOutput{}, &memory.InputError{Field: "hops", Problem: fmt.Sprintf("is %d", in.Hops), Hint: fmt.Sprintf("use a number from 1 to %d", graph.MaxPathHops)}
	}
	q, e, err := m.askAbout(ctx, c, &GraphConceptInput{Concept: in.Concept, Realm: in.Realm, Limit: in.Limit})
	if err != nil {
		return GraphActivateOutput{}, err
	}
	var seeds []graph.Seed
	for _, key := range keysOf(e.concepts) {
		seeds = append(seeds, graph.Seed{Key: key, Strength: in.Strength})
	}
	options := graph.SpreadOptions{Hops: in.Hops}
	reached := q.net.Spread(q.view, seeds, options)
	net := m.newCodeNet(q, sideways)
	if q.code != nil {
		if reached, err = net.activate(ctx, e, in.Strength, options, reached); err != nil {
			return GraphActivateOutput{}, err
		}
	}
	names, err := m.noteActivation(ctx, q.realms, reached[:min(len(reached), activationsStored)])
	if err != nil {
		return GraphActivateOutput{}, err
	}
	out := GraphActivateOutput{Concepts: []ActiveConcept{}, Reached: len(reached)}
	reached = reached[:min(len(reached), q.limit)]
	lists := make([][]graph.Triple, len(reached))
	for i, a := range reached {
		if a.Hops > 0 {
			lists[i] = []graph.Triple{a.Via}
		}
	}
	facts, err := net.shownEach(ctx, lists)
	for i, a := range reached {
		x := ActiveConcept{Name: cmp.Or(names[a.Key], a.Key), Level: a.Level, Hops: a.Hops}
		if s, ok := net.spots[a.Key]; ok && strings.HasPrefix(a.Key, nodePrefix) {
			x.Name = s.Name
		}
		if len(facts) > i && len(facts[i]) == 1 {
			x.Via = &facts[i][0]
		}
		out.Concepts = append(out.Concepts, x)
	}
	return out, err
}

// noteActivation stores levels with the concepts they belong to, unless what is
// left of an earlier one is higher, and returns the names by key.
func (m *Mind) noteActivation(ctx context.Context, realms []string, reached []graph.Activated) (map[string]string, error) {
	levels, names := map[string]float64{}, map[string]string{}
	keys := make([]string, len(reached))
	for i, a := range reached {
		keys[i], levels[a.Key], names[a.Key] = a.Key, a.Level, a.Key
	}
	concepts, err := m.store.ConceptsNamed(ctx, realms, keys...)
	if err != nil {
		return nil, err
	}
	now := m.now()
	return names, m.store.Write(ctx, func(tx *store.Tx) error {
		for _, c := range concepts {
			level, ok := levels[c.Key]
			if !ok {
				continue // found by an alias that is another's key
			}
			names[c.Key] = c.Name
			if level <= graph.Faded(c.Activation, now.Sub(c.LastActivated)) {
				continue
			}
			if err := tx.ActivateConcept(c.Seq, level, now); err != nil {
				return err
			}
		}
		return nil
	})
}
