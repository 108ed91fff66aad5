package mind

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// GraphImportInput is facts from elsewhere.
type GraphImportInput struct {
	Records []GraphRecord `json:"records" jsonschema:"facts, at most 1000 a call"`
	Realm   string        `json:"realm,omitempty" jsonschema:"put all of them into this project; default: the project each names if it is known, else that of the working directory"`
	Dry     bool          `json:"dry,omitempty" jsonschema:"say what is wrong with them and store nothing"`
}

// GraphImportOutput counts what became of facts. With a problem among them
// nothing was stored.
type GraphImportOutput struct {
	Added        int             `json:"added"`
	Strengthened int             `json:"strengthened"`
	Known        int             `json:"known"`
	Moved        int             `json:"moved"`           // of a project that is not known here
	Taken        []string        `json:"taken,omitempty"` // aliases that are names of other concepts here, and stay so
	Problems     []ImportProblem `json:"problems"`
}

// alias is another name of a concept that a claim speaks of.
type alias struct{ concept, name string }

var factID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^t_[0-9A-Za-z_]{1,60}$`) })

// GraphImport stores facts as they were exported, all of a call or none. A fact
// that is here already by its id is left as it is. It is for people: it can
// write to any project.
func (m *Mind) GraphImport(ctx context.Context, c Caller, in GraphImportInput) (GraphImportOutput, error) {
	out := GraphImportOutput{Problems: []ImportProblem{}}
	if !c.person() {
		return out, &memory.RefusedError{Reason: "importing facts is for people", Hint: "use graph add, or ask the user to run: chitta graph import"}
	}
	if len(in.Records) > importMost {
		return out, &memory.InputError{Field: "records", Problem: fmt.Sprintf("are %d, more than %d", len(in.Records), importMost), Hint: "send them in several calls"}
	}
	targets, moved, err := m.importRealms(ctx, c, &in)
	if err != nil {
		return out, err
	}
	list := make([]claim, len(in.Records))
	for i := range in.Records {
		if list[i], err = m.imported(&in.Records[i]); err != nil {
			out.Problems = append(out.Problems, ImportProblem{i + 1, inWords(err)})
		}
	}
	if len(out.Problems) == 0 {
		if out.Problems, err = m.oneConcept(ctx, targets, list); err != nil {
			return GraphImportOutput{}, err
		}
	}
	if in.Dry || len(out.Problems) > 0 {
		return out, nil
	}
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		for i := range list {
			if err := m.take(tx, targets[i], &list[i], &out); err != nil {
				return fmt.Errorf("record %d: %w", i+1, err)
			}
		}
		return nil
	})
	if err != nil {
		return GraphImportOutput{}, factRefusal(err)
	}
	out.Moved = moved
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

// importRealms returns the realm that each fact goes to, and how many name one
// that is not known here.
func (m *Mind) importRealms(ctx context.Context, c Caller, in *GraphImportInput) (targets []string, moved int, err error) {
	home, err := m.factRealm(ctx, c, in.Realm, false)
	if err != nil {
		return nil, 0, err
	}
	known, err := m.store.Realms(ctx)
	if err != nil {
		return nil, 0, err
	}
	targets = make([]string, len(in.Records))
	for i := range in.Records {
		named := in.Records[i].Realm
		switch {
		case in.Realm != "" || named == "":
			targets[i] = home.ID
		case slices.ContainsFunc(known, func(r memory.Realm) bool { return r.ID == named }):
			targets[i] = named
		default:
			targets[i] = home.ID
			moved++
		}
	}
	return targets, moved, nil
}

// imported holds a fact from elsewhere to the rules of one that is typed in.
func (m *Mind) imported(r *GraphRecord) (claim, error) {
	if r.ID != "" && !factID().MatchString(r.ID) {
		return claim{}, &memory.InputError{Field: "id", Problem: fmt.Sprintf("%q is not one of a fact", firstRunes(r.ID, problemRunes)), Hint: "leave it out"}
	}
	if !(r.Confidence >= 0 && r.Confidence <= 1) {
		return claim{}, &memory.InputError{Field: "confidence", Problem: fmt.Sprintf("is %v", r.Confidence), Hint: "use a number from 0 to 1"}
	}
	for field, text := range map[string]*string{"source": &r.Source, "memory": &r.Memory, "session": &r.Session, "message": &r.Message, "realm": &r.Realm} {
		if err := checkText(field, *text, maxProvenanceBytes); err != nil {
			return claim{}, err
		}
		*text, _ = m.redactor.Redact(*text)
	}
	now := m.now()
	e := store.Evidence{Source: cmp.Or(r.Source, sourceImport), Confidence: cmp.Or(r.Confidence, priorFor(memory.TrustTool)),
		Memory: r.Memory, Session: r.Session, Message: r.Message, At: cmp.Or(r.Recorded, now)}
	c, err := m.claimOf(r.Subject, r.Predicate, r.Object, e)
	c.id, c.from, c.until = cmp.Or(r.ID, derivedID(r)), cmp.Or(r.From, now), r.Until
	c.asIs = !r.From.IsZero() || !r.Until.IsZero()
	for of, names := range map[string][]string{r.Subject: r.SubjectAliases, r.Object: r.ObjectAliases} {
		for _, n := range names {
			if err == nil {
				n, err = m.conceptName("alias", n)
				c.aliases = append(c.aliases, alias{of, n})
			}
		}
	}
	if err == nil && !c.until.IsZero() && c.until.Before(c.from) {
		err = &memory.InputError{Field: "until", Problem: "is before from", Hint: "swap the two times"}
	}
	return c, err
}

// take stores an imported fact. An id that something else has is replaced.
func (m *Mind) take(tx *store.Tx, realm string, c *claim, out *GraphImportOutput) error {
	taken, err := tx.TripleIDTaken(c.id)
	if err != nil {
		return err
	}
	if taken {
		same, err := m.same(tx, realm, c)
		if err != nil {
			return err
		}
		if !same {
			c.id = ""
		}
	}
	_, outcome, err := m.assert(tx, realm, c)
	if err == nil {
		err = m.takeAliases(tx, realm, c.aliases, out)
	}
	switch {
	case err != nil:
	case outcome == store.Inserted:
		out.Added++
	case outcome == store.Strengthened:
		out.Strengthened++
	default:
		out.Known++
	}
	return err
}

// takeAliases gives concepts the names they have elsewhere, but for those that
// another concept has here.
func (m *Mind) takeAliases(tx *store.Tx, realm string, list []alias, out *GraphImportOutput) error {
	for _, a := range list {
		canonical, err := graph.CanonicalName(a.concept)
		if err != nil {
			return err
		}
		c, err := tx.Concept(realm, graph.Key(canonical))
		if err != nil {
			return err
		}
		known, err := tx.Concept(realm, graph.Key(a.name))
		switch {
		case err == nil && known.Seq == c.Seq:
			continue
		case err == nil:
			out.Taken = append(out.Taken, a.name)
			continue
		case errors.Is(err, store.ErrNotFound):
			err = tx.AddAlias(c.Seq, a.name, graph.Key(a.name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// same reports that the standing fact with the id of a claim says what the
// claim says.
func (m *Mind) same(tx *store.Tx, realm string, c *claim) (bool, error) {
	known, err := tx.Triple(c.id)
	if err != nil || known.Realm != realm || known.Predicate != c.predicate.Name {
		return false, ifMissing(err)
	}
	a, err := tx.Concept(realm, graph.Key(c.subject))
	if err != nil {
		return false, ifMissing(err)
	}
	b, err := tx.Concept(realm, graph.Key(c.object))
	if err != nil {
		return false, ifMissing(err)
	}
	straight := known.Subject == a.Seq && known.Object == b.Seq
	turned := known.Subject == b.Seq && known.Object == a.Seq
	return straight || c.predicate.Symmetric && turned, nil
}

// ifMissing lets what is not found pass.
func ifMissing(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
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
