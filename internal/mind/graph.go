package mind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"chitta/internal/codebase"
	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// FactView is a fact of the knowledge graph as operations show it.
type FactView struct {
	ID         string       `json:"id"` // none if it is read from source code
	Subject    string       `json:"subject"`
	Predicate  string       `json:"predicate"`
	Object     string       `json:"object"`
	Sentence   string       `json:"sentence"` // the three in words
	Confidence float64      `json:"confidence"`
	From       time.Time    `json:"from,omitzero"`  // since when it holds
	Until      time.Time    `json:"until,omitzero"` // when it ceased to
	Recorded   time.Time    `json:"recorded,omitzero"`
	Realm      string       `json:"realm"`
	Said       int          `json:"said"`               // how often it was asserted
	EndedBy    string       `json:"ended_by,omitempty"` // the fact that took its place, or the memory that states it no more
	Sources    []FactSource `json:"sources"`            // the latest
	Backward   bool         `json:"backward,omitempty"` // in a path: followed from object to subject
}

// FactSource is one assertion of a fact.
type FactSource struct {
	Source     string    `json:"source"` // user, agent, memory, import, code, …
	Memory     string    `json:"memory,omitempty"`
	Session    string    `json:"session,omitempty"`
	Message    string    `json:"message,omitempty"`
	With       string    `json:"with,omitempty"`  // of a link: the memory or session it is with
	Place      string    `json:"place,omitempty"` // of source code: file and line
	Rule       string    `json:"rule,omitempty"`  // of source code: how it was found
	Confidence float64   `json:"confidence"`
	At         time.Time `json:"at,omitzero"`
}

// sourceOf shows an assertion of a fact.
func sourceOf(e *store.Evidence) FactSource {
	s := FactSource{Source: e.Source, Memory: e.Memory, Session: e.Session, Message: e.Message, Confidence: e.Confidence, At: e.At}
	if e.Source == sourceLink && e.Message == "" {
		s.Session, s.With = "", e.Session
	} else if e.Source == sourceLink {
		s.Memory, s.With = "", e.Memory
	}
	return s
}

const (
	// factSources is how many assertions of a fact are shown, the latest ones.
	factSources = 3
	// factsDefault and factsMost bound how many facts one answer has.
	factsDefault = 50
	factsMost    = 1000
	// hintNames bounds how many names an unknown one is compared with: enough
	// for any project, and still a fraction of a second.
	hintNames = 200_000
	// hintShown is how many names are proposed instead.
	hintShown = 3
	// netPatience is how long a question waits for the graph to be loaded.
	netPatience = 3 * time.Second
	netPoll     = 20 * time.Millisecond
)

// factsNet returns the graph in memory once it is loaded.
func (m *Mind) factsNet(ctx context.Context) (*graph.Net, error) {
	for begun := time.Now(); ; {
		net, ready := m.net.Net()
		if ready {
			return net, nil
		}
		if time.Since(begun) > netPatience {
			return nil, &memory.RefusedError{Reason: fmt.Sprintf("the knowledge graph is still being loaded, %d changes are left", m.net.Behind()), Hint: "try again in a few seconds"}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(netPoll):
		}
	}
}

// factRealms returns where a question to the graph looks: in the caller's
// realm and the user's own, in the one that is named, or everywhere. Facts
// have no visibility, so those of other projects are for people to see.
func (m *Mind) factRealms(ctx context.Context, c Caller, name string) ([]string, error) {
	here, _, err := m.currentRealm(ctx, c)
	if err != nil && (name == "" || !errors.As(err, new(*memory.InputError))) {
		return nil, err
	}
	if strings.EqualFold(name, realmAll) {
		if !c.Person() {
			return nil, &memory.RefusedError{Reason: "facts of other projects are for people to see", Hint: "leave realm out, or ask the user to run: chitta graph query --realm all"}
		}
		known, err := m.store.Realms(ctx)
		ids := make([]string, len(known))
		for i, r := range known {
			ids[i] = r.ID
		}
		return ids, err
	}
	if name == "" {
		return slices.Compact([]string{here.ID, memory.UserRealm}), nil
	}
	r, err := m.namedRealm(ctx, name)
	if err != nil {
		return nil, err
	}
	if !c.Person() && r.ID != here.ID && r.ID != memory.UserRealm {
		return nil, &memory.RefusedError{Reason: "facts of other projects are for people to see", Hint: "leave realm out"}
	}
	return []string{r.ID}, nil
}

// factRealm returns the realm that facts are written to. An agent writes to the
// project it works in, or to what concerns the user everywhere.
func (m *Mind) factRealm(ctx context.Context, c Caller, name string, global bool) (memory.Realm, error) {
	if global {
		if name != "" && name != memory.UserRealm {
			return memory.Realm{}, &memory.InputError{Field: "global", Problem: "does not go with realm", Hint: "leave one of them out"}
		}
		return m.namedRealm(ctx, memory.UserRealm)
	}
	if strings.EqualFold(name, realmAll) {
		return memory.Realm{}, &memory.InputError{Field: "realm", Problem: "all is not a realm to write to", Hint: "name one project, or use global for what concerns every project"}
	}
	r, err := m.realmFor(ctx, c, name)
	if err != nil || name == "" || c.Person() || r.ID == memory.UserRealm {
		return r, err
	}
	if here, _, err := m.currentRealm(ctx, c); err != nil || here.ID != r.ID {
		return memory.Realm{}, errors.Join(err, &memory.RefusedError{Reason: "an agent writes facts of the project it works in", Hint: "leave realm out, or use global for what concerns every project"})
	}
	return r, nil
}

// conceptName holds a name to the rules: text that can be shown, and no secret.
func (m *Mind) conceptName(field, name string) (string, error) {
	if err := memory.CheckText(field, name, memory.MaxQuery); err != nil {
		return "", err
	}
	canonical, err := graph.CanonicalName(name)
	if err != nil {
		return "", &memory.InputError{Field: field, Problem: "is " + err.Error()}
	}
	if strings.Trim(canonical, "*?") == "" {
		return "", &memory.InputError{Field: field, Problem: fmt.Sprintf("is %s, which stands for anything", canonical), Hint: "name one concept"}
	}
	return canonical, m.noSecret(field, name, canonical)
}

func (m *Mind) noSecret(field string, texts ...string) error {
	for _, t := range texts {
		if found := m.redactor.Findings(t); len(found) > 0 {
			return &memory.RefusedError{Reason: fmt.Sprintf("%s looks like a secret (%s)", field, found[0].Rule), Hint: "name the thing without it"}
		}
	}
	return nil
}

// predicate finds the relation a word means.
func (m *Mind) predicate(name string) (p graph.Predicate, swapped bool, err error) {
	if err := memory.CheckText("predicate", name, memory.MaxQuery); err != nil {
		return p, false, err
	}
	if p, swapped, err = graph.LookupPredicate(name); err != nil {
		return p, false, &memory.InputError{Field: "predicate", Problem: "is " + err.Error()}
	}
	return p, swapped, m.noSecret("predicate", name)
}

// conceptsNamed finds what a name stands for in some realms: by the name, by an
// alias, and whatever its case and separators.
func (m *Mind) conceptsNamed(ctx context.Context, realms []string, field, name string) ([]store.Concept, error) {
	canonical, err := m.conceptName(field, name)
	if err != nil {
		return nil, err
	}
	found, err := m.store.ConceptsNamed(ctx, realms, graph.Key(canonical))
	if err != nil || len(found) > 0 {
		return found, err
	}
	return nil, m.unknownConcept(ctx, &asked{realms: realms}, name, canonical)
}

// unknownConcept says that nothing goes by a name, and what is called alike: of
// concepts, or else of source code.
func (m *Mind) unknownConcept(ctx context.Context, q *asked, name, canonical string) error {
	near, err := m.namesLike(ctx, q.realms, canonical, hintShown)
	if err != nil {
		return err
	}
	names := make([]string, len(near))
	for i, n := range near {
		names[i] = n.Name
	}
	if len(names) == 0 && q.code != nil {
		for _, ask := range q.code.asks {
			found, err := ask.Find(ctx, name, codebase.Filter{}, hintShown)
			if err != nil {
				return err
			}
			for _, f := range found {
				names = append(names, fmt.Sprintf("%s (%s:%d)", f.Path, f.File, f.Line))
			}
		}
	}
	hint := "chitta graph stats counts what is known"
	if names = names[:min(len(names), hintShown)]; len(names) > 0 {
		hint = "did you mean " + strings.Join(names, ", ") + "?"
	}
	return &memory.NotFoundError{What: "concept", ID: name, Hint: hint}
}

var errEnough = errors.New("enough")

// namesLike returns the names in some realms that come close to one.
func (m *Mind) namesLike(ctx context.Context, realms []string, name string, n int) ([]graph.NearName, error) {
	var names []string
	err := m.store.EachConceptName(ctx, realms, func(name, _ string, _ int64) error {
		if names = append(names, name); len(names) >= hintNames {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return graph.Nearest(name, slices.Values(names), n), nil
}

// keysOf returns the keys of concepts, each once: concepts of several realms
// that share one are one node of the net.
func keysOf(concepts []store.Concept) []string {
	var keys []string
	for _, c := range concepts {
		if !slices.Contains(keys, c.Key) {
			keys = append(keys, c.Key)
		}
	}
	return keys
}

// nameOf is what to call a concept of several realms: as its first one does.
func nameOf(concepts []store.Concept) string { return concepts[0].Name }

// factViews shows triples in their order, with what they rest on.
func (m *Mind) factViews(ctx context.Context, triples []store.Triple) ([]FactView, error) {
	seqs := make([]int64, len(triples))
	for i, t := range triples {
		seqs[i] = t.Seq
	}
	evidence, err := m.store.EvidenceOf(ctx, seqs)
	if err != nil {
		return nil, err
	}
	views := make([]FactView, len(triples))
	for i := range triples {
		views[i] = factView(&triples[i], evidence[triples[i].Seq])
	}
	return views, nil
}

func factView(t *store.Triple, evidence []store.Evidence) FactView {
	v := FactView{
		ID: t.ID, Subject: t.SubjectName, Predicate: t.Predicate, Object: t.ObjectName,
		Sentence:   graph.Sentence(graph.Fact{Subject: t.SubjectName, Predicate: t.Predicate, Object: t.ObjectName}),
		Confidence: t.Confidence, From: t.ValidFrom, Until: t.ValidUntil, Recorded: t.Recorded, Realm: t.Realm,
		Said: t.Strengthened + 1, EndedBy: t.ClosedBy, Sources: []FactSource{},
	}
	for _, e := range slices.Backward(evidence) {
		if len(v.Sources) == factSources {
			break
		}
		v.Sources = append(v.Sources, sourceOf(&e))
	}
	return v
}

// shown turns triples of the net into what is shown of them, in their order.
// What went meanwhile is left out.
func (m *Mind) shown(ctx context.Context, found []graph.Triple) ([]FactView, error) {
	lists, err := m.shownEach(ctx, [][]graph.Triple{found})
	if err != nil {
		return nil, err
	}
	return append([]FactView{}, lists[0]...), nil
}

// shownEach is shown for lists of triples, with one look into the store.
func (m *Mind) shownEach(ctx context.Context, lists [][]graph.Triple) ([][]FactView, error) {
	rows, err := m.store.TriplesBySeq(ctx, seqsOf(slices.Concat(lists...)))
	if err != nil {
		return nil, err
	}
	views, err := m.factViews(ctx, slices.Collect(maps.Values(rows)))
	if err != nil {
		return nil, err
	}
	byID := make(map[string]FactView, len(views))
	for _, v := range views {
		byID[v.ID] = v
	}
	out := make([][]FactView, len(lists))
	for i, list := range lists {
		for _, t := range list {
			if row, ok := rows[t.Seq]; ok {
				out[i] = append(out[i], byID[row.ID])
			}
		}
	}
	return out, nil
}

func seqsOf(list []graph.Triple) []int64 {
	seqs := make([]int64, len(list))
	for i, t := range list {
		seqs[i] = t.Seq
	}
	return seqs
}

// strongest puts triples found in several steps in order, each once.
func strongest(found []graph.Triple, limit int) []graph.Triple {
	slices.SortFunc(found, func(a, b graph.Triple) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(b.Seq, a.Seq))
	})
	found = slices.CompactFunc(found, func(a, b graph.Triple) bool { return a.Seq == b.Seq })
	return found[:min(len(found), limit)]
}

// factRefusal gives a refusal of the store the form that callers understand.
func factRefusal(err error) error {
	var refused *store.FactError
	if errors.As(err, &refused) {
		return &memory.RefusedError{Reason: err.Error(), Hint: "nothing was changed"}
	}
	return err
}
