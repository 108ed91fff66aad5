package mind

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chitta/internal/codebase"
	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// GraphQueryInput is a pattern: what is left out, or is ? or *, fits everything.
type GraphQueryInput struct {
	Subject   string `json:"subject,omitempty" jsonschema:"name of a concept, a symbol or a file; leave out, or ? for any"`
	Predicate string `json:"predicate,omitempty" jsonschema:"the relation; leave out, or ? for any"`
	Object    string `json:"object,omitempty" jsonschema:"name of a concept, a symbol or a file; leave out, or ? for any"`
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
	code   *codeView // nil if there is none
}

// ask understands what all questions to the graph have in common.
func (m *Mind) ask(ctx context.Context, c Caller, realm, asOf string, ended bool, limit int) (*asked, error) {
	q := &asked{view: graph.View{At: m.now()}}
	at, err := memory.ParseTime("as_of", asOf, m.opts.Now())
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
	if q.limit, err = memory.CheckLimit(limit, factsDefault, factsMost, "ask for less, or narrow the pattern"); err != nil {
		return nil, err
	}
	if q.realms, err = m.factRealms(ctx, c, realm); err != nil {
		return nil, err
	}
	q.view.Realms = q.realms
	if at.IsZero() { // code is as it is now
		q.code = m.codeOf(ctx, c, q.realms)
	}
	q.net, err = m.factsNet(ctx)
	return q, err
}

// wild reports that a part of a pattern fits everything.
func wild(s string) bool { return s == "" || s == "?" || s == "*" }

// pattern is a pattern whose names are understood. An end that fits everything
// has the one key "".
type pattern struct {
	subjects, objects []string
	subject, object   *entity         // nil if any fits
	predicate         graph.Predicate // its name is empty if any fits
}

func (m *Mind) pattern(ctx context.Context, q *asked, subject, predicate, object string) (p pattern, err error) {
	var swapped bool
	if !wild(predicate) {
		if p.predicate, swapped, err = m.predicate(predicate); err != nil {
			return p, err
		}
	}
	// what is imported or inherited may be known by its name alone
	outside := p.predicate.Name == codebase.RelatesImports || p.predicate.Name == codebase.RelatesInherits
	if p.subjects, p.subject, err = m.endOf(ctx, q, "subject", subject, outside && swapped); err != nil {
		return p, err
	}
	if p.objects, p.object, err = m.endOf(ctx, q, "object", object, outside && !swapped); err != nil {
		return p, err
	}
	if swapped {
		p.subjects, p.objects, p.subject, p.object = p.objects, p.subjects, p.object, p.subject
	}
	return p, nil
}

func (m *Mind) endOf(ctx context.Context, q *asked, field, name string, outside bool) ([]string, *entity, error) {
	if wild(name) {
		return []string{""}, nil, nil
	}
	e, err := m.entity(ctx, q, field, name, outside)
	if err != nil {
		return nil, nil, err
	}
	return keysOf(e.concepts), e, nil
}

// GraphQuery returns the facts that fit a pattern, the surest first.
func (m *Mind) GraphQuery(ctx context.Context, c Caller, in GraphQueryInput) (GraphFactsOutput, error) {
	q, err := m.ask(ctx, c, in.Realm, in.AsOf, in.Ended, in.Limit)
	if err != nil {
		return GraphFactsOutput{}, err
	}
	p, err := m.pattern(ctx, q, in.Subject, in.Predicate, in.Object)
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
	out, err := m.some(ctx, q, found)
	if err != nil {
		return out, err
	}
	code, err := m.codeFitting(ctx, q, &p)
	if err != nil {
		return out, err
	}
	code.with(&out, q.limit)
	return out, nil
}

// some shows as many triples as were asked for.
func (m *Mind) some(ctx context.Context, q *asked, found []graph.Triple) (GraphFactsOutput, error) {
	found = strongest(found, q.limit+1)
	facts, err := m.shown(ctx, found[:min(len(found), q.limit)])
	return GraphFactsOutput{Facts: facts, More: len(found) > q.limit}, err
}

// GraphConceptInput names a concept.
type GraphConceptInput struct {
	Concept string `json:"concept" jsonschema:"name of the concept or an alias of it; or a symbol (Server.Listen) or file of the indexed project"`
	AsOf    string `json:"as_of,omitempty" jsonschema:"what held then: a date, a time or a span such as 3d; default now"`
	Limit   int    `json:"limit,omitempty" jsonschema:"most to return; default 50"`
	Realm   string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory and what concerns the user everywhere"`
}

// GraphNeighbours returns the facts that a concept takes part in, the surest
// first.
func (m *Mind) GraphNeighbours(ctx context.Context, c Caller, in GraphConceptInput) (GraphFactsOutput, error) {
	q, e, err := m.askAbout(ctx, c, &in)
	if err != nil {
		return GraphFactsOutput{}, err
	}
	return m.around(ctx, q, e)
}

func (m *Mind) askAbout(ctx context.Context, c Caller, in *GraphConceptInput) (*asked, *entity, error) {
	q, err := m.ask(ctx, c, in.Realm, in.AsOf, false, in.Limit)
	if err != nil {
		return nil, nil, err
	}
	e, err := m.entity(ctx, q, "concept", in.Concept, false)
	return q, e, err
}

func (m *Mind) around(ctx context.Context, q *asked, e *entity) (GraphFactsOutput, error) {
	var found []graph.Triple
	for _, key := range keysOf(e.concepts) {
		found = append(found, q.net.Around(q.view, key, q.limit+1)...)
	}
	out, err := m.some(ctx, q, found)
	if err != nil {
		return out, err
	}
	code, err := m.codeAround(ctx, q, e)
	if err != nil {
		return out, err
	}
	code.with(&out, q.limit)
	return out, nil
}

// GraphConceptOutput is what is known of one concept.
type GraphConceptOutput struct {
	Name       string     `json:"name"`
	Aliases    []string   `json:"aliases"`
	Realms     []string   `json:"realms"`           // those that know it
	Created    time.Time  `json:"created,omitzero"` // not if only source code knows it
	Activation float64    `json:"activation"`       // as it is now
	Activated  time.Time  `json:"activated,omitzero"`
	Facts      []FactView `json:"facts"`
	More       bool       `json:"more,omitempty"` // facts than were asked for
	// Things are what it is in the source code, Code what that says of it.
	Things []CodeThing `json:"things,omitempty"`
	Code   *GraphCode  `json:"code,omitempty"`
}

// GraphConcept shows one concept: its names, how active it is, and its facts.
func (m *Mind) GraphConcept(ctx context.Context, c Caller, in GraphConceptInput) (GraphConceptOutput, error) {
	q, e, err := m.askAbout(ctx, c, &in)
	if err != nil {
		return GraphConceptOutput{}, err
	}
	facts, err := m.around(ctx, q, e)
	if err != nil {
		return GraphConceptOutput{}, err
	}
	concepts := e.concepts
	out := GraphConceptOutput{Name: e.name, Aliases: []string{}, Realms: []string{}, Facts: facts.Facts, More: facts.More, Code: facts.Code}
	for i := range e.code {
		s := &e.code[i]
		out.Things = append(out.Things, thingOfCode(s))
		if realm := s.ask.Realm(); !slices.Contains(out.Realms, realm) {
			out.Realms = append(out.Realms, realm)
		}
	}
	if len(concepts) > 0 {
		out.Created = concepts[0].Created
	}
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
	limit, err := memory.CheckLimit(in.Limit, factsDefault, factsMost, "ask for less")
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
