package mind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// GraphAddInput is a fact to store, in three parts or as notation.
type GraphAddInput struct {
	Subject    string   `json:"subject,omitempty" jsonschema:"what the fact is about, a short name such as nc.subshell"`
	Predicate  string   `json:"predicate,omitempty" jsonschema:"the relation: causes, solves, prevents, is_a, part_of, has_property, related_to, used_with, preferred, contradicts, supersedes, precedes, requires, calls, contains, imports, has_value, has_version, has_status, has_default, an inverse such as caused_by, or a word of your own"`
	Object     string   `json:"object,omitempty" jsonschema:"what it is related to, a short name"`
	Statement  string   `json:"statement,omitempty" jsonschema:"instead of the three: notation such as nc.subshell -[causes]-> socket.failure; several with ; between them"`
	Confidence *float64 `json:"confidence,omitempty" jsonschema:"how sure, 0 to 1; default by who says so"`
	From       string   `json:"from,omitempty" jsonschema:"since when it holds: a date, a time or a span such as 3d; default now"`
	Until      string   `json:"until,omitempty" jsonschema:"when it ceased to hold; default: it still does"`
	Supersedes string   `json:"supersedes,omitempty" jsonschema:"id of a fact that this one takes the place of; that one ends when this one begins"`
	Realm      string   `json:"realm,omitempty" jsonschema:"project: id or name; default: that of the working directory"`
	Global     bool     `json:"global,omitempty" jsonschema:"it concerns the user in every project"`
}

// GraphAddOutput says what became of the facts.
type GraphAddOutput struct {
	Facts          []AddedFact         `json:"facts"`
	Contradictions []ContradictionView `json:"contradictions,omitempty"` // that the facts are part of; none was resolved
	Unchecked      bool                `json:"unchecked,omitempty"`      // the graph is still being loaded: there may be contradictions
}

// AddedFact is a fact and what its assertion did.
type AddedFact struct {
	FactView
	Action string     `json:"action"`          // inserted, strengthened or known
	Ended  []FactView `json:"ended,omitempty"` // what it took the place of
}

// claim is a fact to be asserted that has passed every check.
type claim struct {
	id              string // of the triple if it is new; empty: a fresh one
	subject, object string
	predicate       graph.Predicate
	from, until     time.Time
	supersedes      string
	evidence        store.Evidence
	aliases         []alias
	asIs            bool // the times are those of a record: nothing is ended for it
	// of a record: all that it rests on if that is more than evidence, and what
	// ended it
	said     []store.Evidence
	closedBy string
}

// Where facts come from.
const (
	sourceUser   = "user"
	sourceAgent  = "agent"
	sourceMemory = "memory"
	sourceImport = "import"
)

// said is the evidence of a caller who says so.
func (m *Mind) said(c Caller) store.Evidence {
	e := store.Evidence{Source: sourceAgent, Confidence: priorFor(memory.TrustAgent), Session: c.Session, At: m.now()}
	if c.Actor == ActorCLI {
		e.Source, e.Confidence = sourceUser, priorFor(memory.TrustUser)
	}
	return e
}

// claimOf checks the three parts of a fact and puts them the way they are
// stored: a predicate that looks from the object has its ends changed.
func (m *Mind) claimOf(subject, predicate, object string, e store.Evidence) (claim, error) {
	p, swapped, err := m.predicate(predicate)
	if err != nil {
		return claim{}, err
	}
	c := claim{predicate: p, evidence: e}
	if c.subject, err = m.conceptName("subject", subject); err != nil {
		return claim{}, err
	}
	if c.object, err = m.conceptName("object", object); err != nil {
		return claim{}, err
	}
	if swapped {
		c.subject, c.object = c.object, c.subject
	}
	if graph.Key(c.subject) == graph.Key(c.object) {
		return claim{}, &memory.RefusedError{Reason: fmt.Sprintf("%s %s itself says nothing", c.subject, p.Name), Hint: "name two different concepts"}
	}
	return c, nil
}

// claims reads an input: one fact in three parts, or notation.
func (m *Mind) claims(c Caller, in *GraphAddInput) ([]claim, error) {
	e := m.said(c)
	if in.Statement == "" {
		one, err := m.claimOf(in.Subject, in.Predicate, in.Object, e)
		return []claim{one}, err
	}
	if in.Subject != "" || in.Predicate != "" || in.Object != "" {
		return nil, &memory.InputError{Field: "statement", Problem: "does not go with subject, predicate and object", Hint: "give the three, or notation"}
	}
	if err := memory.CheckText("statement", in.Statement, memory.MaxQuery); err != nil {
		return nil, err
	}
	if strings.ContainsAny(strings.TrimSpace(in.Statement), "\n\r") {
		return nil, &memory.InputError{Field: "statement", Problem: "has several lines", Hint: "put ; between statements, or use parse"}
	}
	found, problems := graph.ParseLine(in.Statement, 1)
	if len(problems) > 0 || len(found) == 0 {
		p := &memory.InputError{Field: "statement", Problem: "says nothing", Hint: "write it as: nc.subshell -[causes]-> socket.failure"}
		if len(problems) > 0 {
			p.Problem, p.Hint = "cannot be read", problems[0].Reason
		}
		return nil, p
	}
	return m.stated(found, e)
}

// stated turns statements of notation into claims.
func (m *Mind) stated(found []graph.Statement, e store.Evidence) ([]claim, error) {
	list := make([]claim, len(found))
	for i, s := range found {
		var err error
		if list[i], err = m.claimOf(s.Subject, s.Predicate, s.Object, e); err != nil {
			return nil, err
		}
		if s.Confidence > 0 {
			list[i].evidence.Confidence = s.Confidence
		}
	}
	return list, nil
}

// GraphAdd stores facts. One that is known gets stronger; what contradicts it
// is shown and left for a person to resolve.
func (m *Mind) GraphAdd(ctx context.Context, c Caller, in GraphAddInput) (GraphAddOutput, error) {
	list, err := m.claims(c, &in)
	if err != nil {
		return GraphAddOutput{}, err
	}
	if err := m.qualify(list, &in); err != nil {
		return GraphAddOutput{}, err
	}
	realm, err := m.factRealm(ctx, c, in.Realm, in.Global)
	if err != nil {
		return GraphAddOutput{}, err
	}
	triples, outcomes := make([]store.Triple, len(list)), make([]store.Outcome, len(list))
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		if err := m.mayReplace(tx, c, realm.ID, in.Supersedes); err != nil {
			return err
		}
		for i := range list {
			var err error
			if triples[i], outcomes[i], err = m.assert(tx, realm.ID, &list[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return GraphAddOutput{}, factRefusal(err)
	}
	m.net.Follow(ctx)
	return m.added(ctx, list, triples, outcomes)
}

// qualify fills in what an input says of all its facts: how sure, and when.
func (m *Mind) qualify(list []claim, in *GraphAddInput) error {
	from, err := memory.ParseTime("from", in.From, m.opts.Now())
	if err != nil {
		return err
	}
	until, err := memory.ParseTime("until", in.Until, m.opts.Now())
	if err != nil {
		return err
	}
	if in.Supersedes != "" && len(list) > 1 {
		return &memory.InputError{Field: "supersedes", Problem: "goes with one fact, not with several", Hint: "add them one by one"}
	}
	if from.IsZero() {
		if from = m.now(); !until.IsZero() && until.Before(from) {
			return &memory.InputError{Field: "until", Problem: "has passed, and it is not said since when it held", Hint: "give from as well"}
		}
	}
	if !until.IsZero() && until.Equal(from) {
		return &memory.InputError{Field: "until", Problem: "is the same as from, so that it would never have held", Hint: "give a later time, or leave one of the two out"}
	}
	for i := range list {
		if in.Confidence != nil {
			if !(*in.Confidence > 0 && *in.Confidence <= 1) || math.IsNaN(*in.Confidence) {
				return &memory.InputError{Field: "confidence", Problem: fmt.Sprintf("is %v", *in.Confidence), Hint: "use a number above 0 and up to 1"}
			}
			list[i].evidence.Confidence = *in.Confidence
		}
		list[i].from, list[i].until, list[i].supersedes = from, until, in.Supersedes
	}
	return nil
}

// mayReplace refuses to end a fact of a realm that the caller does not write to.
func (m *Mind) mayReplace(tx *store.Tx, c Caller, realm, id string) error {
	if id == "" {
		return nil
	}
	old, err := tx.Triple(id)
	if err == nil && old.Realm != realm && !c.Person() {
		err = store.ErrNotFound
	}
	if errors.Is(err, store.ErrNotFound) {
		return noFact(id)
	}
	return err
}

func noFact(id string) error {
	return &memory.NotFoundError{What: "fact", ID: id, Hint: "graph query shows the ids of facts"}
}

// assert stores one fact in a realm, with its concepts.
func (m *Mind) assert(tx *store.Tx, realm string, c *claim) (store.Triple, store.Outcome, error) {
	a := store.Assertion{
		ID: c.id, Predicate: c.predicate.Name, ValidUntil: c.until, Evidence: c.evidence,
		Functional: c.predicate.Functional, Symmetric: c.predicate.Symmetric, Supersedes: c.supersedes, AsIs: c.asIs,
	}
	a.ValidFrom = c.from
	var err error
	if a.Subject, err = m.ensureConcept(tx, realm, c.subject, c.evidence); err != nil {
		return store.Triple{}, "", err
	}
	if a.Object, err = m.ensureConcept(tx, realm, c.object, c.evidence); err != nil {
		return store.Triple{}, "", err
	}
	if a.ID == "" {
		if a.ID, err = memory.NewID("t_", m.opts.Random); err != nil {
			return store.Triple{}, "", fmt.Errorf("make an id: %w", err)
		}
	}
	return tx.Assert(a)
}

func (m *Mind) ensureConcept(tx *store.Tx, realm, name string, e store.Evidence) (int64, error) {
	c := store.Concept{Realm: realm, Name: name, Key: graph.Key(name), Confidence: e.Confidence, Created: m.now()}
	_, err := tx.EnsureConcept(&c)
	return c.Seq, err
}

// added shows what became of claims.
func (m *Mind) added(ctx context.Context, list []claim, triples []store.Triple, outcomes []store.Outcome) (GraphAddOutput, error) {
	views, err := m.factViews(ctx, triples)
	if err != nil {
		return GraphAddOutput{}, err
	}
	_, ready := m.net.Net()
	out := GraphAddOutput{Facts: make([]AddedFact, len(views)), Unchecked: !ready}
	for i := range views {
		out.Facts[i] = AddedFact{FactView: views[i], Action: string(outcomes[i])}
		if out.Facts[i].Ended, err = m.endedBy(ctx, &list[i], &triples[i]); err != nil {
			return GraphAddOutput{}, err
		}
		more, err := m.clashes(ctx, &triples[i])
		if err != nil {
			return GraphAddOutput{}, err
		}
		out.Contradictions = append(out.Contradictions, more...)
	}
	return out, nil
}

// endedBy returns the facts whose place one took.
func (m *Mind) endedBy(ctx context.Context, c *claim, t *store.Triple) ([]FactView, error) {
	var f store.TripleFilter
	switch {
	case c.supersedes != "":
		f.Evidence.Triple = c.supersedes
	case c.predicate.Functional:
		f.Subjects, f.Predicates = []int64{t.Subject}, []string{t.Predicate}
	default:
		return nil, nil
	}
	list, err := m.store.Triples(ctx, f)
	if err != nil {
		return nil, err
	}
	var ended []store.Triple
	for _, x := range list {
		if x.ClosedBy == t.ID {
			ended = append(ended, x)
		}
	}
	if len(ended) == 0 {
		return nil, nil
	}
	return m.factViews(ctx, ended)
}

// GraphRemoveInput says which fact ceased to hold.
type GraphRemoveInput struct {
	ID        string `json:"id,omitempty" jsonschema:"the fact: its id"`
	Subject   string `json:"subject,omitempty" jsonschema:"instead of the id: what the fact is about"`
	Predicate string `json:"predicate,omitempty" jsonschema:"the relation"`
	Object    string `json:"object,omitempty" jsonschema:"what it is related to"`
	At        string `json:"at,omitempty" jsonschema:"when it ceased to hold: a date, a time or a span such as 3d; default now"`
	Realm     string `json:"realm,omitempty" jsonschema:"project: id or name; default: that of the working directory"`
	Global    bool   `json:"global,omitempty" jsonschema:"a fact that concerns the user in every project"`
}

// GraphFactsOutput is facts.
type GraphFactsOutput struct {
	Facts []FactView `json:"facts"`
	More  bool       `json:"more,omitempty"` // than were asked for
	Code  *GraphCode `json:"code,omitempty"` // what source code says, which comes last
}

// GraphRemove says that facts hold no longer. They stay known, with their end;
// one that was to begin later ends where it begins, so that it never holds.
func (m *Mind) GraphRemove(ctx context.Context, c Caller, in GraphRemoveInput) (GraphFactsOutput, error) {
	at, err := memory.ParseTime("at", in.At, m.opts.Now())
	if err != nil {
		return GraphFactsOutput{}, err
	}
	at = cmp.Or(at, m.now())
	ids, err := m.toRemove(ctx, c, &in)
	if err != nil {
		return GraphFactsOutput{}, err
	}
	triples := make([]store.Triple, len(ids))
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		for i, id := range ids {
			if triples[i], err = tx.Triple(id); err != nil {
				return err
			}
			end := at
			if begins := triples[i].ValidFrom; in.At == "" && begins.After(at) {
				end = begins // it has not begun, and never will
			}
			if err := tx.CloseTriple(id, end); err != nil {
				return err
			}
			if triples[i], err = tx.Triple(id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return GraphFactsOutput{}, factRefusal(err)
	}
	m.net.Follow(ctx)
	views, err := m.factViews(ctx, triples)
	return GraphFactsOutput{Facts: views}, err
}

// toRemove returns the ids of the facts that are meant.
func (m *Mind) toRemove(ctx context.Context, c Caller, in *GraphRemoveInput) ([]string, error) {
	if in.ID != "" {
		return m.factByID(ctx, c, in)
	}
	if in.Subject == "" || in.Predicate == "" || in.Object == "" {
		return nil, &memory.InputError{Field: "id", Problem: "is missing", Hint: "give the id of a fact, or its subject, predicate and object"}
	}
	cl, err := m.claimOf(in.Subject, in.Predicate, in.Object, store.Evidence{})
	if err != nil {
		return nil, err
	}
	realm, err := m.factRealm(ctx, c, in.Realm, in.Global)
	if err != nil {
		return nil, err
	}
	subject, err := m.conceptsNamed(ctx, []string{realm.ID}, "subject", cl.subject)
	if err != nil {
		return nil, err
	}
	object, err := m.conceptsNamed(ctx, []string{realm.ID}, "object", cl.object)
	if err != nil {
		return nil, err
	}
	var ids []string
	ends := [][2]int64{{subject[0].Seq, object[0].Seq}}
	if cl.predicate.Symmetric {
		ends = append(ends, [2]int64{object[0].Seq, subject[0].Seq})
	}
	for _, e := range ends {
		list, err := m.store.Triples(ctx, store.TripleFilter{Subjects: e[:1], Objects: e[1:], Predicates: []string{cl.predicate.Name}, HoldsAfter: m.now()})
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			ids = append(ids, t.ID)
		}
	}
	if len(ids) == 0 {
		return nil, noFact(graph.Sentence(graph.Fact{Subject: cl.subject, Predicate: cl.predicate.Name, Object: cl.object}))
	}
	return ids, nil
}

func (m *Mind) factByID(ctx context.Context, c Caller, in *GraphRemoveInput) ([]string, error) {
	if in.Subject != "" || in.Predicate != "" || in.Object != "" {
		return nil, &memory.InputError{Field: "id", Problem: "does not go with subject, predicate and object", Hint: "give one or the other"}
	}
	if err := memory.CheckText("id", in.ID, maxTagRunes); err != nil {
		return nil, err
	}
	found, err := m.store.Triples(ctx, store.TripleFilter{Evidence: store.EvidenceFilter{Triple: in.ID}})
	if err != nil {
		return nil, err
	}
	if len(found) > 0 && !c.Person() { // an agent ends what it may write
		realm, err := m.factRealm(ctx, c, in.Realm, in.Global)
		if err != nil {
			return nil, err
		}
		if found[0].Realm != realm.ID {
			found = nil
		}
	}
	if len(found) == 0 {
		return nil, noFact(in.ID)
	}
	return []string{in.ID}, nil
}
