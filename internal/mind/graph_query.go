package mind

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// GraphQueryInput is a pattern: what is left out, or is ? or *, fits everything.
type GraphQueryInput struct {
	Subject   string `json:"subject,omitempty" jsonschema:"name of a concept; leave out, or ? for any"`
	Predicate string `json:"predicate,omitempty" jsonschema:"the relation; leave out, or ? for any"`
	Object    string `json:"object,omitempty" jsonschema:"name of a concept; leave out, or ? for any"`
	AsOf      string `json:"as_of,omitempty" jsonschema:"what held then: a date, a time or a span such as 3d; default now"`
	Ended     bool   `json:"ended,omitempty" jsonschema:"also what holds no longer"`
	Limit     int    `json:"limit,omitempty" jsonschema:"most to return; default 50"`
	Realm     string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory and what concerns the user everywhere"`
}

// asked is a question to the graph that has been understood.
type asked struct {
	net    *graph.Net
	view   graph.View
	limit  int
	realms []string
}

// ask understands what all questions to the graph have in common.
func (m *Mind) ask(ctx context.Context, c Caller, realm, asOf string, ended bool, limit int) (*asked, error) {
	q := &asked{view: graph.View{At: m.now()}}
	at, err := parseTime("as_of", asOf, m.opts.Now())
	if err != nil {
		return nil, err
	}
	switch {
	case !at.IsZero() && ended:
		return nil, &memory.InputError{Field: "ended", Problem: "does not go with as_of", Hint: "leave one of them out"}
	case ended:
		q.view.At = time.Time{}
	case !at.IsZero():
		q.view.At = at
	}
	if q.limit, err = checkLimit(limit, factsDefault, factsMost, "ask for less, or narrow the pattern"); err != nil {
		return nil, err
	}
	if q.realms, err = m.factRealms(ctx, c, realm); err != nil {
		return nil, err
	}
	q.view.Realms = q.realms
	q.net, err = m.factsNet(ctx)
	return q, err
}

// wild reports that a part of a pattern fits everything.
func wild(s string) bool { return s == "" || s == "?" || s == "*" }

// pattern is a pattern whose names are understood. An end that fits everything
// has the one key "".
type pattern struct {
	subjects, objects []string
	predicate         graph.Predicate // its name is empty if any fits
}

func (m *Mind) pattern(ctx context.Context, realms []string, subject, predicate, object string) (p pattern, err error) {
	if p.subjects, err = m.endOf(ctx, realms, "subject", subject); err != nil {
		return p, err
	}
	if p.objects, err = m.endOf(ctx, realms, "object", object); err != nil || wild(predicate) {
		return p, err
	}
	var swapped bool
	p.predicate, swapped, err = m.predicate(predicate)
	if swapped {
		p.subjects, p.objects = p.objects, p.subjects
	}
	return p, err
}

func (m *Mind) endOf(ctx context.Context, realms []string, field, name string) ([]string, error) {
	if wild(name) {
		return []string{""}, nil
	}
	found, err := m.conceptsNamed(ctx, realms, field, name)
	return keysOf(found), err
}

// GraphQuery returns the facts that fit a pattern, the surest first.
func (m *Mind) GraphQuery(ctx context.Context, c Caller, in GraphQueryInput) (GraphFactsOutput, error) {
	q, err := m.ask(ctx, c, in.Realm, in.AsOf, in.Ended, in.Limit)
	if err != nil {
		return GraphFactsOutput{}, err
	}
	p, err := m.pattern(ctx, q.realms, in.Subject, in.Predicate, in.Object)
	if err != nil {
		return GraphFactsOutput{}, err
	}
	var found []graph.Triple
	for _, s := range p.subjects {
		for _, o := range p.objects {
			found = append(found, q.net.Match(q.view, graph.Pattern{Subject: s, Predicate: p.predicate.Name, Object: o}, q.limit+1)...)
			if p.predicate.Symmetric && s != o { // it says the same from its other end
				found = append(found, q.net.Match(q.view, graph.Pattern{Subject: o, Predicate: p.predicate.Name, Object: s}, q.limit+1)...)
			}
		}
	}
	return m.some(ctx, q, found)
}

// some shows as many triples as were asked for.
func (m *Mind) some(ctx context.Context, q *asked, found []graph.Triple) (GraphFactsOutput, error) {
	found = strongest(found, q.limit+1)
	facts, err := m.shown(ctx, found[:min(len(found), q.limit)])
	return GraphFactsOutput{Facts: facts, More: len(found) > q.limit}, err
}

// GraphConceptInput names a concept.
type GraphConceptInput struct {
	Concept string `json:"concept" jsonschema:"name of the concept, or an alias of it"`
	AsOf    string `json:"as_of,omitempty" jsonschema:"what held then: a date, a time or a span such as 3d; default now"`
	Limit   int    `json:"limit,omitempty" jsonschema:"most to return; default 50"`
	Realm   string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory and what concerns the user everywhere"`
}

// GraphNeighbours returns the facts that a concept takes part in, the surest
// first.
func (m *Mind) GraphNeighbours(ctx context.Context, c Caller, in GraphConceptInput) (GraphFactsOutput, error) {
	q, concepts, err := m.askAbout(ctx, c, &in)
	if err != nil {
		return GraphFactsOutput{}, err
	}
	return m.around(ctx, q, concepts)
}

func (m *Mind) askAbout(ctx context.Context, c Caller, in *GraphConceptInput) (*asked, []store.Concept, error) {
	q, err := m.ask(ctx, c, in.Realm, in.AsOf, false, in.Limit)
	if err != nil {
		return nil, nil, err
	}
	concepts, err := m.conceptsNamed(ctx, q.realms, "concept", in.Concept)
	return q, concepts, err
}

func (m *Mind) around(ctx context.Context, q *asked, concepts []store.Concept) (GraphFactsOutput, error) {
	var found []graph.Triple
	for _, key := range keysOf(concepts) {
		found = append(found, q.net.Around(q.view, key, q.limit+1)...)
	}
	return m.some(ctx, q, found)
}

// GraphConceptOutput is what is known of one concept.
type GraphConceptOutput struct {
	Name       string     `json:"name"`
	Aliases    []string   `json:"aliases"`
	Realms     []string   `json:"realms"` // those that know it
	Created    time.Time  `json:"created"`
	Activation float64    `json:"activation"` // as it is now
	Activated  time.Time  `json:"activated,omitzero"`
	Facts      []FactView `json:"facts"`
	More       bool       `json:"more,omitempty"` // facts than were asked for
}

// GraphConcept shows one concept: its names, how active it is, and its facts.
func (m *Mind) GraphConcept(ctx context.Context, c Caller, in GraphConceptInput) (GraphConceptOutput, error) {
	q, concepts, err := m.askAbout(ctx, c, &in)
	if err != nil {
		return GraphConceptOutput{}, err
	}
	facts, err := m.around(ctx, q, concepts)
	if err != nil {
		return GraphConceptOutput{}, err
	}
	out := GraphConceptOutput{Name: nameOf(concepts), Aliases: []string{}, Created: concepts[0].Created, Facts: facts.Facts, More: facts.More}
	aliases, err := m.store.Aliases(ctx, conceptSeqs(concepts))
	if err != nil {
		return GraphConceptOutput{}, err
	}
	for _, x := range concepts {
		if !slices.Contains(out.Realms, x.Realm) {
			out.Realms = append(out.Realms, x.Realm)
		}
		out.Aliases = append(out.Aliases, aliases[x.Seq]...)
		if level := graph.Faded(x.Activation, m.now().Sub(x.LastActivated)); level > out.Activation {
			out.Activation, out.Activated = level, x.LastActivated
		}
	}
	slices.Sort(out.Aliases)
	out.Aliases = slices.Compact(out.Aliases)
	return out, nil
}

func conceptSeqs(concepts []store.Concept) []int64 {
	seqs := make([]int64, len(concepts))
	for i, c := range concepts {
		seqs[i] = c.Seq
	}
	return seqs
}

// FactEvent is the beginning or the end of a fact.
type FactEvent struct {
	At    time.Time `json:"at"`
	Event string    `json:"event"` // opened or closed
	Fact  FactView  `json:"fact"`
}

// What happens to facts.
const (
	FactOpened = "opened"
	FactClosed = "closed"
)

// GraphTimelineInput names a concept whose facts are told by time.
type GraphTimelineInput struct {
	Concept string `json:"concept" jsonschema:"name of the concept, or an alias of it"`
	Limit   int    `json:"limit,omitempty" jsonschema:"most events to return, the latest; default 50"`
	Realm   string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory and what concerns the user everywhere"`
}

// GraphTimelineOutput is what happened to the facts about a concept.
type GraphTimelineOutput struct {
	Name   string      `json:"name"`
	Events []FactEvent `json:"events"`         // oldest first
	More   bool        `json:"more,omitempty"` // older ones that are not shown
}

// GraphTimeline tells when the facts about a concept began and ended.
func (m *Mind) GraphTimeline(ctx context.Context, c Caller, in GraphTimelineInput) (GraphTimelineOutput, error) {
	limit, err := checkLimit(in.Limit, factsDefault, factsMost, "ask for less")
	if err != nil {
		return GraphTimelineOutput{}, err
	}
	realms, err := m.factRealms(ctx, c, in.Realm)
	if err != nil {
		return GraphTimelineOutput{}, err
	}
	concepts, err := m.conceptsNamed(ctx, realms, "concept", in.Concept)
	if err != nil {
		return GraphTimelineOutput{}, err
	}
	var triples []store.Triple
	for _, f := range []store.TripleFilter{{Subjects: conceptSeqs(concepts)}, {Objects: conceptSeqs(concepts)}} {
		list, err := m.store.Triples(ctx, f)
		if err != nil {
			return GraphTimelineOutput{}, err
		}
		triples = append(triples, list...)
	}
	events := eventsOf(triples)
	out := GraphTimelineOutput{Name: nameOf(concepts), Events: []FactEvent{}, More: len(events) > limit}
	events = events[max(0, len(events)-limit):]
	rows := make([]store.Triple, len(events))
	for i, e := range events {
		rows[i] = *e.triple
	}
	views, err := m.factViews(ctx, rows)
	for i, v := range views {
		out.Events = append(out.Events, FactEvent{At: events[i].at, Event: events[i].name, Fact: v})
	}
	return out, err
}

type factEvent struct {
	at     time.Time
	name   string
	triple *store.Triple
}

// eventsOf returns the beginnings and ends of facts by time. What ends at the
// moment something else begins comes before it.
func eventsOf(triples []store.Triple) []factEvent {
	var events []factEvent
	for i := range triples {
		t := &triples[i]
		events = append(events, factEvent{t.ValidFrom, FactOpened, t})
		if !t.ValidUntil.IsZero() {
			events = append(events, factEvent{t.ValidUntil, FactClosed, t})
		}
	}
	slices.SortStableFunc(events, func(a, b factEvent) int {
		order := a.at.Compare(b.at)
		if order == 0 && a.triple.Seq != b.triple.Seq {
			order = cmp.Compare(a.name, b.name) // closed before opened
		}
		return cmp.Or(order, cmp.Compare(a.triple.Seq, b.triple.Seq))
	})
	return events
}
