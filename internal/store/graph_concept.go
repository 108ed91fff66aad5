package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Concept is something that facts speak of. It belongs to one realm; the same
// name in another realm is another concept.
type Concept struct {
	Seq, Rev      int64
	Realm         string
	Name          string // as it is shown
	Key           string // what names are compared by, made by the caller
	Confidence    float64
	Created       time.Time
	Activation    float64 // level at LastActivated; how it fades is for the reader to say
	LastActivated time.Time
	Merged        int64 // the concept it became part of, 0 = it stands by itself
	Gone          bool
}

// FactError is returned when a concept or a fact cannot be stored as asked. Its
// words say why and what to do instead.
type FactError struct{ Reason string }

func (e *FactError) Error() string { return e.Reason }

func refuse(format string, args ...any) error {
	return &FactError{Reason: fmt.Sprintf(format, args...)}
}

const conceptColumns = `c.seq, c.rev, c.realm, c.name, c.key, c.confidence, c.created, c.activation, c.last_activated, c.merged, c.gone`

func scanConcept(row scanner) (Concept, error) {
	var c Concept
	var created, activated int64
	err := row.Scan(&c.Seq, &c.Rev, &c.Realm, &c.Name, &c.Key, &c.Confidence, &created, &c.Activation, &activated, &c.Merged, &c.Gone)
	c.Created, c.LastActivated = fromMillis(created), fromMillis(activated)
	return c, err
}

// Concept returns the concept that a realm calls by a key, its own or that of
// an alias.
func (t *Tx) Concept(realm, key string) (Concept, error) {
	c, err := scanConcept(t.QueryRowContext(t.ctx, `SELECT `+conceptColumns+` FROM concept c
		WHERE c.seq = (SELECT n.concept FROM concept_name n WHERE n.realm = ? AND n.key = ?)`, realm, key))
	if errors.Is(err, sql.ErrNoRows) {
		return c, fmt.Errorf("concept %q: %w", key, ErrNotFound)
	}
	return c, classify(err)
}

// ConceptRows returns the rows of the concepts that a realm calls by any of the
// given keys, by key.
func (t *Tx) ConceptRows(realm string, keys []string) (map[string]int64, error) {
	in, args, err := lists(keys)
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	type named struct {
		key string
		seq int64
	}
	list, err := collect(t.ctx, t, func(row scanner) (n named, err error) { return n, row.Scan(&n.key, &n.seq) },
		`SELECT key, concept FROM concept_name WHERE realm = ? AND key IN `+in, append([]any{realm}, args...)...)
	out := make(map[string]int64, len(list))
	for _, n := range list {
		out[n.key] = n.seq
	}
	return out, err
}

// EnsureConcept finds the concept a realm calls by c.Key, or stores c as a new
// one. It fills in c as it is stored, and says whether it is new.
func (t *Tx) EnsureConcept(c *Concept) (created bool, err error) {
	if err := soundName(c.Name, c.Key); err != nil {
		return false, err
	}
	if !(c.Confidence >= 0 && c.Confidence <= 1) {
		return false, refuse("confidence %v of %s is not between 0 and 1", c.Confidence, c.Name)
	}
	known, err := t.Concept(c.Realm, c.Key)
	if err == nil {
		*c = known
		return false, nil
	}
	if !errors.Is(err, ErrNotFound) {
		return false, err
	}
	return true, t.AddConcept(c)
}

// AddConcept stores a concept that is new: its key leads to none in its realm,
// as the caller has found out. It fills in where it is stored.
func (t *Tx) AddConcept(c *Concept) error {
	if err := soundName(c.Name, c.Key); err != nil {
		return err
	}
	err := t.QueryRowContext(t.ctx, `INSERT INTO concept (rev, realm, name, key, confidence, created, activation, last_activated, merged, gone)
		VALUES ((SELECT coalesce(max(rev), 0) + 1 FROM concept), ?, ?, ?, ?, ?, ?, ?, 0, 0) RETURNING seq, rev`,
		c.Realm, c.Name, c.Key, c.Confidence, millis(c.Created), c.Activation, millis(c.LastActivated)).Scan(&c.Seq, &c.Rev)
	if err != nil {
		return fmt.Errorf("store concept %s: %w", c.Name, err)
	}
	return t.putName(c.Seq, c.Realm, c.Name, c.Key)
}

// soundName refuses names that cannot be stored and found again. What a good
// name is, is for the caller to say.
func soundName(name, key string) error {
	switch {
	case name == "" || key == "":
		return refuse("a concept needs a name")
	case !utf8.ValidString(name) || !utf8.ValidString(key) || strings.ContainsRune(name+key, 0):
		return refuse("the name %q is not sound text", name)
	}
	return nil
}

func (t *Tx) putName(concept int64, realm, name, key string) error {
	return t.exec(`INSERT INTO concept_name (realm, key, name, concept) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET name = excluded.name, concept = excluded.concept`, realm, key, name, concept)
}

// standing returns a concept that is neither merged nor gone.
func (t *Tx) standing(seq int64) (Concept, error) {
	c, err := scanConcept(t.QueryRowContext(t.ctx, `SELECT `+conceptColumns+` FROM concept c WHERE seq = ? AND gone = 0 AND merged = 0`, seq))
	if errors.Is(err, sql.ErrNoRows) {
		return c, fmt.Errorf("concept %d: %w", seq, ErrNotFound)
	}
	return c, classify(err)
}

// free makes sure that a key leads to no concept but the given one.
func (t *Tx) free(c Concept, name, key string) error {
	if err := soundName(name, key); err != nil {
		return err
	}
	other, err := t.Concept(c.Realm, key)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err == nil && other.Seq != c.Seq {
		return refuse("%s is a name of the concept %s already; merge the two if they are the same", name, other.Name)
	}
	return err
}

// AddAlias gives a concept one more name to be found by.
func (t *Tx) AddAlias(concept int64, name, key string) error {
	c, err := t.standing(concept)
	if err != nil {
		return err
	}
	if err := t.free(c, name, key); err != nil {
		return err
	}
	if key == c.Key {
		return nil
	}
	if err := t.putName(concept, c.Realm, name, key); err != nil {
		return err
	}
	return t.touchConcept(concept)
}

// touchConcept moves a concept to the end of the sequence of changes.
func (t *Tx) touchConcept(seq int64) error {
	return t.exec(`UPDATE concept SET rev = (SELECT max(rev) + 1 FROM concept) WHERE seq = ?`, seq)
}

// RenameConcept gives a concept another name; the old one stays as an alias.
// Its triples count as changed, because followers know concepts by their keys.
func (t *Tx) RenameConcept(concept int64, name, key string) error {
	c, err := t.standing(concept)
	if err != nil {
		return err
	}
	if err := t.free(c, name, key); err != nil {
		return err
	}
	if err := t.putName(concept, c.Realm, name, key); err != nil {
		return err
	}
	if err := t.exec(`UPDATE concept SET name = ?, key = ? WHERE seq = ?`, name, key, concept); err != nil {
		return err
	}
	if err := t.touchConcept(concept); err != nil {
		return err
	}
	if key == c.Key {
		return nil
	}
	seqs, err := t.triplesOf(concept)
	if err != nil {
		return err
	}
	for _, seq := range seqs {
		if err := t.touchTriple(seq); err != nil {
			return err
		}
	}
	return nil
}

// triplesOf returns the rows of the standing triples of a concept, in order.
func (t *Tx) triplesOf(concept int64) ([]int64, error) {
	return collect(t.ctx, t, scanSeq, `SELECT seq FROM triple WHERE subject = ?1 AND gone = 0
		UNION SELECT seq FROM triple WHERE object = ?1 AND gone = 0 ORDER BY seq`, concept)
}

func scanSeq(row scanner) (seq int64, err error) { return seq, row.Scan(&seq) }

// ActivateConcept notes how strongly a concept was activated last. It does not
// count as a change.
func (t *Tx) ActivateConcept(concept int64, level float64, at time.Time) error {
	return t.exec(`UPDATE concept SET activation = ?, last_activated = ? WHERE seq = ? AND gone = 0 AND merged = 0`, level, millis(at), concept)
}

// dropIfIdle lets concepts go that no fact and no text speaks of any more,
// unless somebody gave them an alias.
func (t *Tx) dropIfIdle(concepts []int64) error {
	const idle = `gone = 0 AND merged = 0 AND (SELECT count(*) FROM concept_name n WHERE n.concept = concept.seq) <= 1
		AND NOT EXISTS (SELECT 1 FROM triple t WHERE t.subject = concept.seq AND t.gone = 0)
		AND NOT EXISTS (SELECT 1 FROM triple t WHERE t.object = concept.seq AND t.gone = 0)
		AND NOT EXISTS (SELECT 1 FROM mention x WHERE x.concept = concept.seq)`
	for _, c := range concepts {
		err := t.exec(`UPDATE concept SET rev = (SELECT max(rev) + 1 FROM concept), name = '', key = '', gone = 1 WHERE seq = ? AND `+idle, c)
		if err != nil {
			return err
		}
		if err := t.exec(`DELETE FROM concept_name WHERE concept = ?1 AND (SELECT gone FROM concept WHERE seq = ?1) <> 0`, c); err != nil {
			return err
		}
	}
	return nil
}

// ConceptsNamed returns the concepts of some realms that go by any of the given
// keys, their own or those of aliases.
func (s *Store) ConceptsNamed(ctx context.Context, realms []string, keys ...string) ([]Concept, error) {
	where, args, err := lists(realms, keys)
	if err != nil || len(realms) == 0 || len(keys) == 0 {
		return nil, err
	}
	return collect(ctx, s.reading, scanConcept, `SELECT DISTINCT `+conceptColumns+` FROM concept_name n JOIN concept c ON c.seq = n.concept
		WHERE n.realm IN `+where+` AND n.key IN `+where+` ORDER BY c.seq`, args...)
}

// lists turns lists into arguments, each to stand for one "IN where".
func lists(values ...any) (where string, args []any, err error) {
	for _, v := range values {
		b, err := json.Marshal(v)
		if err != nil {
			return "", nil, err
		}
		args = append(args, string(b))
	}
	return `(SELECT value FROM json_each(?))`, args, nil
}

// ConceptsBySeq returns concepts by row number, merged and gone ones too.
func (s *Store) ConceptsBySeq(ctx context.Context, seqs []int64) (map[int64]Concept, error) {
	in, args, err := lists(seqs)
	if err != nil || len(seqs) == 0 {
		return nil, err
	}
	list, err := collect(ctx, s.reading, scanConcept, `SELECT `+conceptColumns+` FROM concept c WHERE seq IN `+in, args...)
	out := make(map[int64]Concept, len(list))
	for _, c := range list {
		out[c.Seq] = c
	}
	return out, err
}

// ConceptsAfter returns the next changed concepts in the sequence of changes.
func (s *Store) ConceptsAfter(ctx context.Context, rev int64, limit int) ([]Concept, error) {
	return collect(ctx, s.reading, scanConcept, `SELECT `+conceptColumns+` FROM concept c WHERE rev > ? ORDER BY rev LIMIT ?`, rev, limit)
}

// LastConceptRev returns the end of the sequence of changes of concepts.
func (s *Store) LastConceptRev(ctx context.Context) (int64, error) {
	return s.lastRev(ctx, `SELECT max(rev) FROM concept`)
}

// Aliases returns the names that concepts go by beside their own, in order of
// their keys.
func (s *Store) Aliases(ctx context.Context, concepts []int64) (map[int64][]string, error) {
	in, args, err := lists(concepts)
	if err != nil || len(concepts) == 0 {
		return nil, err
	}
	type alias struct {
		concept int64
		name    string
	}
	list, err := collect(ctx, s.reading, func(row scanner) (a alias, err error) { return a, row.Scan(&a.concept, &a.name) },
		`SELECT n.concept, n.name FROM concept_name n JOIN concept c ON c.seq = n.concept WHERE n.concept IN `+in+` AND n.key <> c.key ORDER BY n.key`, args...)
	out := map[int64][]string{}
	for _, a := range list {
		out[a.concept] = append(out[a.concept], a.name)
	}
	return out, err
}

// EachConceptName calls fn with every name in some realms, aliases too, in
// order of keys: what a misspelt name is compared with.
func (s *Store) EachConceptName(ctx context.Context, realms []string, fn func(name, key string, concept int64) error) error {
	in, args, err := lists(realms)
	if err != nil || len(realms) == 0 {
		return err
	}
	rows, err := s.reading.QueryContext(ctx, `SELECT name, key, concept FROM concept_name WHERE realm IN `+in+` ORDER BY key, realm`, args...)
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name, key string
		var concept int64
		if err := rows.Scan(&name, &key, &concept); err != nil {
			return classify(err)
		}
		if err := fn(name, key, concept); err != nil {
			return err
		}
	}
	return classify(rows.Err())
}

// GraphCounts says how much the knowledge graph holds.
type GraphCounts struct {
	Concepts, Aliases int
	Triples           int            // all that stand
	Open              int            // those not ended
	ByPredicate       map[string]int // of those that stand
}

// CountGraph counts what the graph holds of some realms, of all if none is
// named.
func (s *Store) CountGraph(ctx context.Context, realms []string) (GraphCounts, error) {
	n, err := s.CountConcepts(ctx, realms)
	if err != nil {
		return n, err
	}
	and, args, err := inRealms(realms)
	if err != nil {
		return n, err
	}
	type counted struct {
		predicate  string
		all, still int
	}
	list, err := collect(ctx, s.reading, func(row scanner) (c counted, err error) { return c, row.Scan(&c.predicate, &c.all, &c.still) },
		`SELECT predicate, count(*), sum(valid_until IS NULL) FROM triple WHERE gone = 0`+and+` GROUP BY predicate`, args...)
	for _, c := range list {
		n.ByPredicate[c.predicate] = c.all
		n.Triples += c.all
		n.Open += c.still
	}
	return n, err
}

// inRealms restricts a query to some realms, if any is named.
func inRealms(realms []string) (and string, args []any, err error) {
	if len(realms) == 0 {
		return "", nil, nil
	}
	in, args, err := lists(realms)
	return ` AND realm IN ` + in, args, err
}

// CountConcepts counts concepts and their other names, and leaves the rest of
// the counts empty: those a net in memory knows sooner. Every name that is not a
// concept's own is an alias.
func (s *Store) CountConcepts(ctx context.Context, realms []string) (GraphCounts, error) {
	n := GraphCounts{ByPredicate: map[string]int{}}
	and, args, err := inRealms(realms)
	if err != nil {
		return n, err
	}
	var names int
	err = s.reading.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM concept WHERE gone = 0 AND merged = 0`+and+`), (SELECT count(*) FROM concept_name WHERE 1 = 1`+and+`)`,
		append(args, args...)...).Scan(&n.Concepts, &names)
	n.Aliases = names - n.Concepts
	return n, classify(err)
}

// graphInvariants are statements about the graph that no operation may break.
func graphInvariants() []invariant {
	return append(mentionInvariants(), []invariant{
		{"a standing concept is found by its key", `SELECT 'concept ' || c.seq, c.key FROM concept c WHERE gone = 0 AND merged = 0
			AND NOT EXISTS (SELECT 1 FROM concept_name n WHERE n.realm = c.realm AND n.key = c.key AND n.concept = c.seq)`},
		{"names lead to standing concepts of their realm", `SELECT 'name ' || n.key, n.concept FROM concept_name n JOIN concept c ON c.seq = n.concept
			WHERE c.gone <> 0 OR c.merged <> 0 OR c.realm <> n.realm`},
		{"only a concept that is gone has no name", `SELECT 'concept ' || seq, gone FROM concept WHERE (gone <> 0) <> (name = '')`},
		{"a triple joins two standing concepts of its realm", `SELECT t.id, t.subject || ' to ' || t.object FROM triple t
			JOIN concept a ON a.seq = t.subject JOIN concept b ON b.seq = t.object
			WHERE t.gone = 0 AND (a.seq = b.seq OR ` + strings.Join([]string{
			`a.gone <> 0`, `b.gone <> 0`, `a.merged <> 0`, `b.merged <> 0`, `a.realm <> t.realm`, `b.realm <> t.realm`}, ` OR `) + `)`},
		{"a triple ends after it begins", `SELECT id, valid_until FROM triple WHERE gone = 0 AND valid_until < valid_from`},
		{"a triple's confidence lies between 0 and 1", `SELECT id, confidence FROM triple WHERE NOT confidence BETWEEN 0 AND 1`},
		{"a standing triple has evidence", `SELECT id, strengthened FROM triple t WHERE gone = 0
			AND strengthened + 1 <> (SELECT count(*) FROM triple_evidence e WHERE e.triple = t.seq)`},
		{"a triple is ended by one that stands, or by a memory it rests on", `SELECT a.id, a.closed_by FROM triple a WHERE a.gone = 0 AND a.closed_by <> ''
			AND NOT EXISTS (SELECT 1 FROM triple b WHERE b.id = a.closed_by AND b.gone = 0)
			AND NOT EXISTS (SELECT 1 FROM triple_evidence e WHERE e.triple = a.seq AND e.memory = a.closed_by)`},
	}...)
}
