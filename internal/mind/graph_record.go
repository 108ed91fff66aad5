package mind

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// GraphRecord is a fact on its way out of the graph or into it.
type GraphRecord struct {
	ID         string    `json:"id,omitempty"`
	Realm      string    `json:"realm,omitempty"`
	Subject    string    `json:"subject"`
	Predicate  string    `json:"predicate"`
	Object     string    `json:"object"`
	Confidence float64   `json:"confidence,omitempty"`
	Source     string    `json:"source,omitempty"`
	Memory     string    `json:"memory,omitempty"`
	Session    string    `json:"session,omitempty"`
	Message    string    `json:"message,omitempty"`
	From       time.Time `json:"from,omitzero"`
	Until      time.Time `json:"until,omitzero"`
	Recorded   time.Time `json:"recorded,omitzero"`
	ClosedBy   string    `json:"closed_by,omitempty"` // the fact that took its place, or the memory that states it no more
	// Assertions are all that the fact rests on, oldest first, where that is
	// more than what is said above.
	Assertions []GraphAssertion `json:"assertions,omitempty"`
	// Other names of the two concepts. An export has them where it first speaks
	// of a concept on a page.
	SubjectAliases []string `json:"subject_aliases,omitempty"`
	ObjectAliases  []string `json:"object_aliases,omitempty"`
}

// GraphAssertion is one assertion of a fact.
type GraphAssertion struct {
	Confidence float64   `json:"confidence"`
	Source     string    `json:"source"`
	Memory     string    `json:"memory,omitempty"`
	Session    string    `json:"session,omitempty"`
	Message    string    `json:"message,omitempty"`
	Job        string    `json:"job,omitempty"`
	From       time.Time `json:"from,omitzero"`
	Until      time.Time `json:"until,omitzero"`
	At         time.Time `json:"at,omitzero"`
}

// mostAssertions is how many assertions of a fact travel: far more than any
// fact has, and few enough for a line of a file.
const mostAssertions = 10_000

// fileMark begins the source of facts that were read in a file.
const fileMark = "file "

// knownSource says that facts may come from there.
func knownSource(s string) bool {
	return slices.Contains([]string{sourceUser, sourceAgent, sourceMemory, sourceNotation, sourceLink, sourceImport}, s) || strings.HasPrefix(s, fileMark)
}

// fileSource returns a text that says where facts were read as a source.
func fileSource(s string) string {
	if knownSource(s) {
		return s
	}
	return fileMark + s
}

// exportedFact is a fact as it travels.
func exportedFact(t *store.Triple, said []store.Evidence) GraphRecord {
	r := GraphRecord{ID: t.ID, Realm: t.Realm, Subject: t.SubjectName, Predicate: t.Predicate, Object: t.ObjectName,
		Confidence: t.Confidence, From: t.ValidFrom, Until: t.ValidUntil, Recorded: t.Recorded, ClosedBy: t.ClosedBy}
	all := make([]GraphAssertion, len(said))
	for i, e := range said {
		all[i] = GraphAssertion{Confidence: e.Confidence, Source: fileSource(e.Source), Memory: e.Memory, Session: e.Session, Message: e.Message, Job: e.Job,
			From: e.ValidFrom, Until: e.ValidUntil, At: e.At}
	}
	if len(all) == 0 {
		return r
	}
	r.Source, r.Memory, r.Session, r.Message = all[0].Source, all[0].Memory, all[0].Session, all[0].Message // the first that said so
	if len(all) > 1 || all[0] != r.only() || r.From.IsZero() {                                              // a fact may have held ever since
		r.Assertions = all[:min(len(all), mostAssertions)]
	}
	return r
}

// only is the assertion of a record that says of no other.
func (r *GraphRecord) only() GraphAssertion {
	return GraphAssertion{Confidence: r.Confidence, Source: r.Source, Memory: r.Memory, Session: r.Session, Message: r.Message, From: r.From, Until: r.Until, At: r.Recorded}
}

// Line returns a record as files have it.
func (r *GraphRecord) Line() (graph.Record, error) {
	out := graph.Record{ID: r.ID, Realm: r.Realm, Subject: r.Subject, Predicate: r.Predicate, Object: r.Object, Confidence: r.Confidence,
		Source: r.Source, Memory: r.Memory, Session: r.Session, Message: r.Message, ValidFrom: r.From, ValidUntil: r.Until, Recorded: r.Recorded, ClosedBy: r.ClosedBy,
		SubjectAliases: graph.JoinNames(r.SubjectAliases), ObjectAliases: graph.JoinNames(r.ObjectAliases)}
	if len(r.Assertions) == 0 {
		return out, nil
	}
	text, err := json.Marshal(r.Assertions)
	out.Assertions = string(text)
	return out, err
}

// recordOf reads a record as files have it.
func recordOf(r *graph.Record) (GraphRecord, error) {
	out := GraphRecord{ID: r.ID, Realm: r.Realm, Subject: r.Subject, Predicate: r.Predicate, Object: r.Object, Confidence: r.Confidence,
		Source: r.Source, Memory: r.Memory, Session: r.Session, Message: r.Message, From: r.ValidFrom, Until: r.ValidUntil, Recorded: r.Recorded, ClosedBy: r.ClosedBy,
		SubjectAliases: graph.SplitNames(r.SubjectAliases), ObjectAliases: graph.SplitNames(r.ObjectAliases)}
	if r.Assertions == "" {
		return out, nil
	}
	if err := json.Unmarshal([]byte(r.Assertions), &out.Assertions); err != nil {
		return out, &memory.InputError{Field: "assertions", Problem: "are not a list as chitta graph export writes it", Hint: "leave them out, or export again"}
	}
	return out, nil
}

// evidence checks what an imported fact rests on.
func (m *Mind) evidence(a *GraphAssertion) (store.Evidence, error) {
	for _, x := range []struct {
		field string
		text  *string
	}{{"source", &a.Source}, {"memory", &a.Memory}, {"session", &a.Session}, {"message", &a.Message}, {"job", &a.Job}} {
		if *x.text == "" {
			continue
		}
		if err := memory.CheckText(x.field, *x.text, maxProvenanceBytes); err != nil {
			return store.Evidence{}, err
		}
		*x.text, _ = m.redactor.Redact(*x.text)
	}
	switch {
	case !knownSource(a.Source):
		return store.Evidence{}, &memory.InputError{Field: "source", Problem: fmt.Sprintf("%q is not known", firstRunes(a.Source, problemRunes)),
			Hint: "use user, agent, memory, notation, link, import, or file and a name"}
	case !(a.Confidence >= 0 && a.Confidence <= 1):
		return store.Evidence{}, &memory.InputError{Field: "confidence", Problem: fmt.Sprintf("is %v", a.Confidence), Hint: "use a number from 0 to 1"}
	}
	return store.Evidence{Confidence: a.Confidence, Source: a.Source, Memory: a.Memory, Session: a.Session, Message: a.Message, Job: a.Job,
		ValidFrom: a.From, ValidUntil: a.Until, At: a.At}, nil
}
