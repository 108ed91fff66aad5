package mind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

const (
	// minAlike is the likeness of two names below which it says nothing. Of the
	// pairs of names in stored transcripts, most of them of files of one project,
	// half lie below a cosine of 0.12 and 9 of 10 below 0.46; by letters half lie
	// below 0.10 and 9 of 10 below 0.32. What lies between there and 0.5 are files
	// that share a folder or an ending and nothing else.
	minAlike = 0.5
	// minShared is the part of all their neighbours that two concepts must have
	// in common: one in three is more than what everything hangs together with.
	minShared = 0.3
	// similarNames is how many names are embedded for one question. Names are
	// not embedded ahead: there may be as many as files and symbols in a
	// project, and few are ever asked about.
	similarNames = 256
	// similarSpelt is how many names are looked at that are spelt alike.
	similarSpelt = 10
)

// SimilarConcept is a concept that is like another, and in which respect.
type SimilarConcept struct {
	Name    string  `json:"name"`
	Score   float64 `json:"score"`             // the best of the three, 0 to 1
	Meaning float64 `json:"meaning,omitempty"` // cosine of the names
	Spelled float64 `json:"spelled,omitempty"` // how many pairs of letters the names share
	Shared  float64 `json:"shared,omitempty"`  // how many of the neighbours are the same
}

// GraphSimilarOutput is concepts like another.
type GraphSimilarOutput struct {
	Name     string           `json:"name"`
	Concepts []SimilarConcept `json:"concepts"`
	Degraded []string         `json:"degraded,omitempty"` // what could not take part, and why
}

var errNoModel = errors.New("names are compared by letters only: there is no embedding model")

// GraphSimilar returns concepts like another: whose names mean or look the
// same, or who have the same neighbours.
func (m *Mind) GraphSimilar(ctx context.Context, c Caller, in GraphConceptInput) (GraphSimilarOutput, error) {
	q, e, err := m.askAbout(ctx, c, &in)
	if err != nil {
		return GraphSimilarOutput{}, err
	}
	concepts := e.concepts
	if len(concepts) == 0 {
		return GraphSimilarOutput{}, &memory.NotFoundError{What: "concept", ID: in.Concept, Hint: "only source code knows it; chitta code search finds symbols by what they are about"}
	}
	s := similarity{Mind: m, q: q, of: concepts, found: map[string]*SimilarConcept{}}
	out := GraphSimilarOutput{Name: nameOf(concepts), Concepts: []SimilarConcept{}}
	if err := s.bySpelling(ctx); err != nil {
		return out, err
	}
	if err := s.byNeighbours(ctx); err != nil {
		return out, err
	}
	if err := s.byMeaning(ctx); err != nil {
		if ctx.Err() != nil {
			return out, err
		}
		out.Degraded = append(out.Degraded, err.Error())
	}
	for _, x := range s.found {
		if x.settle(); x.Score > 0 {
			out.Concepts = append(out.Concepts, *x)
		}
	}
	slices.SortFunc(out.Concepts, bySimilarity)
	out.Concepts = out.Concepts[:min(len(out.Concepts), q.limit)]
	return out, nil
}

// settle leaves only the respects in which a concept is like the other.
func (x *SimilarConcept) settle() {
	for _, r := range []struct {
		value *float64
		least float64
	}{{&x.Meaning, minAlike}, {&x.Spelled, minAlike}, {&x.Shared, minShared}} {
		if *r.value < r.least {
			*r.value = 0
		}
	}
	x.Score = max(x.Meaning, x.Spelled, x.Shared)
}

func bySimilarity(a, b SimilarConcept) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Name, b.Name))
}

// similarity collects what is like a concept.
type similarity struct {
	*Mind
	q     *asked
	of    []store.Concept
	found map[string]*SimilarConcept // by key
}

// own reports that a key is the concept's own.
func (s *similarity) own(key string) bool {
	for _, c := range s.of {
		if c.Key == key {
			return true
		}
	}
	return false
}

// at returns the entry of a concept, or nil for the concept itself.
func (s *similarity) at(name, key string) *SimilarConcept {
	if s.own(key) {
		return nil
	}
	x, ok := s.found[key]
	if !ok {
		x = &SimilarConcept{Name: name}
		s.found[key] = x
	}
	return x
}

func (s *similarity) bySpelling(ctx context.Context) error {
	near, err := s.namesLike(ctx, s.q.realms, nameOf(s.of), similarSpelt)
	if err != nil {
		return err
	}
	for _, n := range near {
		found, err := s.store.ConceptsNamed(ctx, s.q.realms, graph.Key(n.Name))
		if err != nil {
			return err
		}
		for _, c := range found {
			if x := s.at(c.Name, c.Key); x != nil {
				x.Spelled = max(x.Spelled, graph.SpeltAlike(nameOf(s.of), c.Name))
			}
		}
	}
	return nil
}

// byNeighbours finds concepts that stand in the same relations to the same
// others. The more of theirs they share the more alike they are; a neighbour
// that everything has says little and is cut off by the limit.
func (s *similarity) byNeighbours(ctx context.Context) error {
	type relation struct {
		predicate, other string
		out              bool
	}
	mine := map[relation]bool{}
	for _, key := range keysOf(s.of) {
		for _, t := range s.q.net.Around(s.q.view, key, graph.DefaultFan) {
			r := relation{t.Predicate, t.Object, true}
			if t.Object == key {
				r = relation{t.Predicate, t.Subject, false}
			}
			mine[r] = true
		}
	}
	shared := map[string]int{}
	for r := range mine {
		p := graph.Pattern{Predicate: r.predicate, Object: r.other}
		if !r.out {
			p = graph.Pattern{Predicate: r.predicate, Subject: r.other}
		}
		for _, t := range s.q.net.Match(s.q.view, p, graph.DefaultFan) {
			key := t.Subject
			if !r.out {
				key = t.Object
			}
			if !s.own(key) {
				shared[key]++
			}
		}
	}
	names, err := s.namesOf(ctx, shared)
	if err != nil {
		return err
	}
	for key, n := range shared {
		theirs := len(s.q.net.Around(s.q.view, key, graph.DefaultFan))
		if x := s.at(names[key], key); x != nil {
			x.Shared = min(1, float64(n)/float64(max(1, len(mine)+theirs-n)))
		}
	}
	return nil
}

// namesOf returns what the concepts with some keys are called.
func (s *similarity) namesOf(ctx context.Context, keys map[string]int) (map[string]string, error) {
	names, list := map[string]string{}, make([]string, 0, len(keys))
	for k := range keys {
		names[k] = k
		list = append(list, k)
	}
	found, err := s.store.ConceptsNamed(ctx, s.q.realms, list...)
	for _, c := range found {
		if _, ok := names[c.Key]; ok {
			names[c.Key] = c.Name
		}
	}
	return names, err
}

// byMeaning compares the names by the model: all there are if they are few,
// else those found already and those that activation reaches.
func (s *similarity) byMeaning(ctx context.Context) error {
	_, encoder, err := s.semantic.Ready(store.OwnerMemory)
	if err != nil {
		return errNoModel
	}
	if err := s.candidates(ctx); err != nil {
		return err
	}
	mine, err := encoder.Query(ctx, spokenName(nameOf(s.of)))
	if err != nil {
		return err
	}
	list := slices.SortedFunc(maps.Values(s.found), func(a, b *SimilarConcept) int {
		return cmp.Or(cmp.Compare(b.Shared, a.Shared), cmp.Compare(b.Spelled, a.Spelled), cmp.Compare(a.Name, b.Name))
	})
	for _, x := range list[:min(len(list), similarNames)] {
		v, err := encoder.Query(ctx, spokenName(x.Name))
		if err != nil {
			return err
		}
		x.Meaning = max(0, cosine(mine, v))
	}
	return nil
}

// candidates adds concepts whose names are to be compared by meaning.
func (s *similarity) candidates(ctx context.Context) error {
	var keys []string
	err := s.store.EachConceptName(ctx, s.q.realms, func(_, key string, _ int64) error {
		if keys = append(keys, key); len(keys) > similarNames {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if err != nil {
		keys = s.reached()
	}
	found, err := s.store.ConceptsNamed(ctx, s.q.realms, keys...)
	for _, c := range found {
		s.at(c.Name, c.Key)
	}
	return err
}

// reached returns the keys that activation reaches from the concept, the most
// active first, as many as are compared.
func (s *similarity) reached() []string {
	var keys []string
	for _, key := range keysOf(s.of) {
		for _, a := range s.q.net.Spread(s.q.view, []graph.Seed{{Key: key, Strength: 1}}, graph.SpreadOptions{}) {
			keys = append(keys, a.Key)
		}
	}
	return keys[:min(len(keys), similarNames)]
}

// spokenName is a name as the model reads it: words instead of parts.
func spokenName(name string) string {
	return strings.NewReplacer(".", " ", "_", " ", "-", " ", "/", " ", ":", " ").Replace(name)
}

func cosine(a, b []float32) float64 {
	var dot, x, y float64
	for i := range min(len(a), len(b)) {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	if x == 0 || y == 0 {
		return 0
	}
	return dot / math.Sqrt(x*y)
}

// Respects says in which respects a concept is like the other.
func (x *SimilarConcept) Respects() []string {
	var out []string
	for _, r := range []struct {
		name  string
		value float64
	}{{"meaning", x.Meaning}, {"spelling", x.Spelled}, {"shared neighbours", x.Shared}} {
		if r.value > 0 {
			out = append(out, fmt.Sprintf("%s %.2f", r.name, r.value))
		}
	}
	return out
}
