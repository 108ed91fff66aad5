package mind

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// GraphImportInput is facts from elsewhere: with the call, or in a file.
type GraphImportInput struct {
	Records []GraphRecord `json:"records,omitempty" jsonschema:"facts, at most 1000 a call"`
	File    string        `json:"file,omitempty" jsonschema:"instead: a file that graph export wrote, or a table of your own; all of it is stored or nothing"`
	Format  string        `json:"format,omitempty" jsonschema:"what the file is: csv, json-ld or dot"`
	Parts   bool          `json:"parts,omitempty" jsonschema:"store the file in parts, each of them whole or not at all; needed for more than 5,000 facts"`
	Job     string        `json:"job,omitempty" jsonschema:"instead: go on waiting for the import of a file, by the job that was returned"`
	Cancel  bool          `json:"cancel,omitempty" jsonschema:"end the import with that job, or of that file, and say what became of it"`
	Realm   string        `json:"realm,omitempty" jsonschema:"put all of them into this project; default: the project each names if it is known, else that of the working directory"`
	Dry     bool          `json:"dry,omitempty" jsonschema:"say what is wrong with them and store nothing"`
}

// GraphImportOutput counts what became of facts. With a problem among them
// nothing was stored.
type GraphImportOutput struct {
	Added        int             `json:"added"`
	Strengthened int             `json:"strengthened"`
	Known        int             `json:"known"`
	Moved        int             `json:"moved"`             // of a project that is not known here
	Renamed      int             `json:"renamed,omitempty"` // have another id here, because theirs is that of another fact
	NewIDs       []NewID         `json:"new_ids,omitempty"` // the first of those
	Taken        []string        `json:"taken,omitempty"`   // aliases that are names of other concepts here, and stay so; the first of them
	Problems     []ImportProblem `json:"problems"`
	Parts        int             `json:"parts,omitempty"` // that are stored, of a file that is stored in parts
	Cut          string          `json:"cut,omitempty"`   // why it ended early; what is counted here is stored, and no more

	Job   string `json:"job,omitempty"`   // a file is still being read; ask again with it
	Phase string `json:"phase,omitempty"` // checking or storing
	Read  int64  `json:"read,omitempty"`  // bytes, in this phase
	Size  int64  `json:"size,omitempty"`  // of the file
}

// NewID says which id a fact has here.
type NewID struct {
	Was string `json:"was"`
	Is  string `json:"is"`
}

// reportMost is how many new ids and names that were taken a report tells of.
const reportMost = 20

// alias is another name of a concept that a claim speaks of.
type alias struct{ concept, name string }

var factID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^t_[0-9A-Za-z_]{1,60}$`) })

// GraphImport stores facts as they were exported, all of a call or a file or
// none; of a file in parts, all of a part. A fact that is here already by its id is left as it is. It is for
// people: it can write to any project.
func (m *Mind) GraphImport(ctx context.Context, c Caller, in GraphImportInput) (GraphImportOutput, error) {
	out := GraphImportOutput{Problems: []ImportProblem{}}
	if !c.Person() {
		return out, &memory.RefusedError{Reason: "importing facts is for people", Hint: "use graph add, or ask the user to run: chitta graph import"}
	}
	if in.File != "" || in.Job != "" || in.Cancel {
		return m.importFile(ctx, c, &in)
	}
	if len(in.Records) > importMost {
		return out, &memory.InputError{Field: "records", Problem: fmt.Sprintf("are %d, more than %d", len(in.Records), importMost), Hint: "send them in several calls"}
	}
	targets, err := m.importTargets(ctx, c, in.Realm)
	if err != nil {
		return out, err
	}
	list, realms := make([]claim, len(in.Records)), make([]string, len(in.Records))
	for i := range in.Records {
		realms[i] = targets.of(in.Records[i].Realm)
		if list[i], err = m.imported(&in.Records[i]); err != nil {
			out.Problems = append(out.Problems, ImportProblem{i + 1, inWords(err)})
		}
	}
	if len(out.Problems) == 0 {
		if out.Problems, err = m.oneConcept(ctx, realms, list); err != nil {
			return GraphImportOutput{}, err
		}
	}
	if in.Dry || len(out.Problems) > 0 {
		return out, nil
	}
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		t, err := m.newTaking(tx, &out)
		if err != nil {
			return err
		}
		for i := range list {
			if err := t.take(realms[i], &list[i]); err != nil {
				return fmt.Errorf("record %d: %w", i+1, err)
			}
		}
		_, err = t.settle()
		return err
	})
	if err != nil {
		return GraphImportOutput{}, factRefusal(err)
	}
	out.Moved = targets.moved
	m.net.Follow(ctx)
	return out, nil
}

// oneConcept finds facts whose two ends are names of one concept here. It is
// all that the store could refuse of a fact that has been checked.
func (m *Mind) oneConcept(ctx context.Context, targets []string, list []claim) ([]ImportProblem, error) {
	type name struct{ realm, key string }
	var keys []string
	for i := range list {
		keys = append(keys, graph.Key(list[i].subject), graph.Key(list[i].object))
	}
	concepts, err := m.store.ConceptsNamed(ctx, slices.Compact(slices.Sorted(slices.Values(targets))), keys...)
	if err != nil {
		return nil, err
	}
	aliases, err := m.store.Aliases(ctx, conceptSeqs(concepts))
	if err != nil {
		return nil, err
	}
	leads := map[name]int64{}
	for _, c := range concepts {
		leads[name{c.Realm, c.Key}] = c.Seq
		for _, a := range aliases[c.Seq] {
			leads[name{c.Realm, graph.Key(a)}] = c.Seq
		}
	}
	problems := []ImportProblem{}
	for i, realm := range targets {
		a, ok := leads[name{realm, graph.Key(list[i].subject)}]
		if b := leads[name{realm, graph.Key(list[i].object)}]; ok && a == b {
			problems = append(problems, ImportProblem{i + 1, fmt.Sprintf("%s and %s are names of one concept here; name two", list[i].subject, list[i].object)})
		}
	}
	return problems, nil
}

// importTargets says which realm imported facts go to.
type importTargets struct {
	home   string
	forced bool // all go home
	known  map[string]bool
	moved  int // how many named one that is not known here
}

func (m *Mind) importTargets(ctx context.Context, c Caller, realm string) (*importTargets, error) {
	home, err := m.factRealm(ctx, c, realm, false)
	if err != nil {
		return nil, err
	}
	list, err := m.store.Realms(ctx)
	t := &importTargets{home: home.ID, forced: realm != "", known: map[string]bool{}}
	for _, r := range list {
		t.known[r.ID] = true
	}
	return t, err
}

// of returns where a fact goes that names a realm.
func (t *importTargets) of(named string) string {
	switch {
	case t.forced || named == "":
		return t.home
	case t.known[named]:
		return named
	}
	t.moved++
	return t.home
}

// imported holds a fact from elsewhere to the rules of one that is typed in.
func (m *Mind) imported(r *GraphRecord) (claim, error) {
	if r.ID != "" && !factID().MatchString(r.ID) {
		return claim{}, &memory.InputError{Field: "id", Problem: fmt.Sprintf("%q is not one of a fact", firstRunes(r.ID, problemRunes)), Hint: "leave it out"}
	}
	for field, text := range map[string]string{"realm": r.Realm, "closed_by": r.ClosedBy} {
		if text == "" {
			continue
		}
		if err := memory.CheckText(field, text, maxProvenanceBytes); err != nil {
			return claim{}, err
		}
	}
	now := m.now()
	r.Source, r.Confidence = cmp.Or(r.Source, sourceImport), cmp.Or(r.Confidence, priorFor(memory.TrustTool))
	first := r.only()
	first.From, first.At = cmp.Or(r.From, now), cmp.Or(r.Recorded, now)
	e, err := m.evidence(&first)
	if err != nil {
		return claim{}, err
	}
	c, err := m.claimOf(r.Subject, r.Predicate, r.Object, e)
	if err != nil {
		return claim{}, err
	}
	c.id, c.from, c.until = cmp.Or(r.ID, derivedID(r)), first.From, r.Until
	c.asIs, c.closedBy = !r.From.IsZero() || !r.Until.IsZero() || len(r.Assertions) > 0, r.ClosedBy
	if len(r.Assertions) > 0 {
		c.from = r.From // as it was written, also if it has held ever since
	}
	if !c.until.IsZero() && c.until.Before(c.from) {
		return claim{}, &memory.InputError{Field: "until", Problem: "is before from", Hint: "swap the two times"}
	}
	if err := m.importedAssertions(r, &c); err != nil {
		return claim{}, err
	}
	for of, names := range map[string][]string{r.Subject: r.SubjectAliases, r.Object: r.ObjectAliases} {
		for _, n := range names {
			if n, err = m.conceptName("alias", n); err != nil {
				return claim{}, err
			}
			c.aliases = append(c.aliases, alias{of, n})
		}
	}
	return c, nil
}

// importedAssertions checks all that an imported fact rests on.
func (m *Mind) importedAssertions(r *GraphRecord, c *claim) error {
	if len(r.Assertions) > mostAssertions {
		return &memory.InputError{Field: "assertions", Problem: fmt.Sprintf("are %d, more than %d", len(r.Assertions), mostAssertions), Hint: "leave out some of them"}
	}
	for i := range r.Assertions {
		a := r.Assertions[i]
		a.At = cmp.Or(a.At, c.evidence.At)
		e, err := m.evidence(&a)
		if err != nil {
			return err
		}
		c.said = append(c.said, e)
	}
	return nil
}

// derivedID is the id of a fact that came without one: the same for the same
// record, so that importing a file again adds nothing.
func derivedID(r *GraphRecord) string {
	h := sha256.New()
	for _, s := range []string{r.Realm, graph.Key(r.Subject), r.Predicate, graph.Key(r.Object), r.From.UTC().String(), r.Until.UTC().String(), r.Source} {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return fmt.Sprintf("t_%x", h.Sum(nil)[:derivedBytes])
}

// derivedBytes of a hash are enough that two records never share an id by
// chance.
const derivedBytes = 12
