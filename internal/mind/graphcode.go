package mind

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"chitta/internal/codebase"
	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// What the index of source code knows is part of the knowledge graph without
// being stored in it: facts with the predicates calls, imports, inherits and
// contains are made when somebody asks. They are those of the projects whose
// realms a question sees, as the code is now; a question about the past has
// none.

// sourceCode says that a fact is read from the index of source code.
const sourceCode = "code"

const (
	// codeProjects bounds in how many projects a question to every realm looks.
	codeProjects = 16
	// anchoredMemories bounds how many memories are asked which of several
	// symbols a concept is.
	anchoredMemories = 16
)

// GraphCode says what of an answer the index of source code says.
type GraphCode struct {
	Shown int  `json:"shown"`         // facts of the answer
	Found int  `json:"found"`         // facts that fit
	Cut   bool `json:"cut,omitempty"` // there are more than were looked at
	// Means are the symbols that a name stands for, where these are several, and
	// Others how many more there are that were not looked at.
	Means  []string `json:"means,omitempty"`
	Others int      `json:"others,omitempty"`
	// Totals are how many the index has of each predicate, where nothing else was
	// asked for.
	Totals map[string]int `json:"totals,omitempty"`
}

// Notes says in words what is to be known of it beside the facts.
func (c *GraphCode) Notes() []string {
	if c == nil {
		return nil
	}
	var out []string
	if len(c.Means) > 0 {
		s := fmt.Sprintf("in the code this is any of: %s", strings.Join(c.Means, ", "))
		if c.Others > 0 {
			s += fmt.Sprintf(", and %d others, which were not looked at", c.Others)
		}
		out = append(out, s)
	}
	more := ""
	if c.Cut {
		more = " or more"
	}
	switch {
	case len(c.Totals) > 0:
		var parts []string
		for _, kind := range codebase.RelationKinds() {
			if n, ok := c.Totals[kind]; ok {
				parts = append(parts, fmt.Sprintf("%s %d", kind, n))
			}
		}
		s := fmt.Sprintf("the index of source code has: %s", strings.Join(parts, ", "))
		if c.Shown == 0 {
			s += "; name one of these predicates, or a symbol or file, to see them"
		} else {
			s += fmt.Sprintf("; %d facts of them are shown, name a symbol or file to see the others", c.Shown)
		}
		out = append(out, s)
	case c.Shown < c.Found:
		out = append(out, fmt.Sprintf("of %d%s facts from source code %d are shown", c.Found, more, c.Shown))
	}
	return out
}

// CodeThing is what a concept is in the source code.
type CodeThing struct {
	Name      string `json:"name"`
	Kind      string `json:"kind"` // of a symbol; file; module
	Place     string `json:"place,omitempty"`
	Signature string `json:"signature,omitempty"`
}

// codeView is the source code that a question sees; nil if there is none.
type codeView struct {
	asks []*codebase.Ask
	dir  string // where relative files count from
}

// spot is a thing of one project.
type spot struct {
	ask *codebase.Ask
	codebase.Thing
}

// codeOf returns the source code of some realms: of each the project that the
// caller works in, or the one that changed last. Trouble with the index is no
// trouble of the graph.
func (m *Mind) codeOf(ctx context.Context, c Caller, realms []string) *codeView {
	if !syntax.Available {
		return nil
	}
	base, err := m.codeIfThere(ctx)
	if err != nil || base == nil {
		m.noCode(err)
		return nil
	}
	projects, err := base.Projects(ctx)
	if err != nil {
		m.noCode(err)
		return nil
	}
	cwd := c.Cwd
	if real, err := filepath.EvalSymlinks(cwd); err == nil {
		cwd = real
	}
	best := map[string]*codebase.Project{}
	for i := range projects {
		p := &projects[i]
		if !isProject(p.Realm) || !slices.Contains(realms, p.Realm) || p.Indexed.IsZero() || !isFolder(p.Root) {
			continue
		}
		was := best[p.Realm]
		if was == nil || lies(cwd, p.Root) || !lies(cwd, was.Root) && p.Changed.After(was.Changed) {
			best[p.Realm] = p
		}
	}
	v := &codeView{dir: c.Cwd}
	for _, realm := range realms {
		if p := best[realm]; p != nil && len(v.asks) < codeProjects {
			ask, err := base.Ask(ctx, p.Root)
			if err != nil {
				m.noCode(err)
				continue
			}
			v.asks = append(v.asks, ask)
		}
	}
	if len(v.asks) == 0 {
		return nil
	}
	return v
}

func (m *Mind) noCode(err error) {
	if err != nil {
		m.opts.Log.Debug("the graph is answered without source code", "error", err)
	}
}

// things finds what a name stands for in the source code.
func (v *codeView) things(ctx context.Context, name string, same bool) (list []spot, found int, err error) {
	if v == nil {
		return nil, 0, nil
	}
	for _, ask := range v.asks {
		things, n, err := ask.Things(ctx, name, v.dir, same)
		if err != nil {
			return nil, 0, err
		}
		for _, t := range things {
			list = append(list, spot{ask, t})
		}
		found += n
	}
	return list, found, nil
}

// outside finds what is only known by its name, such as a module of elsewhere.
func (v *codeView) outside(ctx context.Context, name string) (list []spot, err error) {
	if v == nil {
		return nil, nil
	}
	for _, ask := range v.asks {
		t, err := ask.Outside(ctx, name)
		if err != nil {
			return nil, err
		}
		if t != nil {
			list = append(list, spot{ask, *t})
		}
	}
	return list, nil
}

// entity is what a name stands for: concepts, things of source code, or both.
type entity struct {
	name     string
	concepts []store.Concept
	code     []spot
	found    int // things of source code; code has the first
}

// entity finds what a name stands for. outside says that modules and types of
// elsewhere count also if something else is called so: looking for them takes
// longer.
func (m *Mind) entity(ctx context.Context, q *asked, field, name string, outside bool) (*entity, error) {
	canonical, err := m.conceptName(field, name)
	if err != nil {
		return nil, err
	}
	e := &entity{name: canonical}
	if e.concepts, err = m.store.ConceptsNamed(ctx, q.realms, graph.Key(canonical)); err != nil {
		return nil, err
	}
	if e.code, e.found, err = q.code.things(ctx, name, false); err != nil {
		return nil, err
	}
	if len(e.code) == 0 && len(e.concepts) > 0 {
		if e.code, err = m.codeOfConcepts(ctx, q, e.concepts); err != nil {
			return nil, err
		}
		e.found = len(e.code)
	}
	if outside || len(e.concepts) == 0 && len(e.code) == 0 {
		others, err := q.code.outside(ctx, name)
		if err != nil {
			return nil, err
		}
		e.code, e.found = append(e.code, others...), e.found+len(others)
	}
	switch {
	case len(e.concepts) > 0:
		e.name = nameOf(e.concepts)
	case len(e.code) == 1:
		e.name = e.code[0].Name
	case len(e.code) == 0:
		return nil, m.unknownConcept(ctx, q, name, canonical)
	}
	return e, nil
}

// codeOfConcepts returns the things of source code that concepts are.
func (m *Mind) codeOfConcepts(ctx context.Context, q *asked, concepts []store.Concept) ([]spot, error) {
	var list []spot
	for i := range concepts {
		s, err := m.codeOfConcept(ctx, q, &concepts[i])
		if err != nil {
			return nil, err
		}
		if s != nil && !slices.ContainsFunc(list, s.is) {
			list = append(list, *s)
		}
	}
	return list, nil
}

func (s *spot) is(o spot) bool { return s.ID == o.ID && s.ask.Root() == o.ask.Root() }

// codeOfConcept returns the one thing of source code that a concept is, by its
// name or an alias spelt the same. Of several things of the name it is the one
// that memories which name the concept are anchored to.
func (m *Mind) codeOfConcept(ctx context.Context, q *asked, c *store.Concept) (*spot, error) {
	if q.code == nil {
		return nil, nil
	}
	aliases, err := m.store.Aliases(ctx, []int64{c.Seq})
	if err != nil {
		return nil, err
	}
	for _, name := range append([]string{c.Name}, aliases[c.Seq]...) {
		list, _, err := q.code.things(ctx, name, true)
		if err != nil {
			return nil, err
		}
		if len(list) > 1 {
			if list, err = m.anchored(ctx, c, list); err != nil {
				return nil, err
			}
		}
		if len(list) == 1 {
			return &list[0], nil
		}
	}
	return nil, nil
}

// anchored returns those of some symbols that memories are anchored to which name
// a concept.
func (m *Mind) anchored(ctx context.Context, c *store.Concept, list []spot) ([]spot, error) {
	mentions, err := m.store.Mentioning(ctx, []int64{c.Seq}, anchoredMemories)
	if err != nil {
		return nil, err
	}
	var seqs []int64
	for _, x := range mentions {
		if x.Owner == store.OwnerMemory {
			seqs = append(seqs, x.Item)
		}
	}
	anchors, err := m.store.AnchorsOf(ctx, seqs)
	if err != nil {
		return nil, err
	}
	var out []spot
	for _, s := range list {
		for _, of := range anchors {
			if slices.ContainsFunc(of, func(a store.Anchor) bool {
				return s.Symbol != nil && a.Path == s.Symbol.File && a.Symbol == s.Symbol.Path
			}) {
				out = append(out, s)
				break
			}
		}
	}
	return out, nil
}

// thingOfCode shows what a concept is in the source code.
func thingOfCode(s *spot) CodeThing {
	switch {
	case s.Symbol != nil:
		return CodeThing{s.Name, s.Symbol.Kind, fmt.Sprintf("%s:%d", s.Symbol.File, s.Symbol.Line), s.Symbol.Signature}
	case s.File != "":
		return CodeThing{Name: s.Name, Kind: codebase.KindFile, Place: s.File}
	}
	return CodeThing{Name: s.Name, Kind: "module"}
}

// codeFact shows a relation as a fact.
func codeFact(ask *codebase.Ask, r *codebase.Relation) FactView {
	return FactView{
		Subject: r.From.Name, Predicate: r.Kind, Object: r.To.Name,
		Sentence:   graph.Sentence(graph.Fact{Subject: r.From.Name, Predicate: r.Kind, Object: r.To.Name}),
		Confidence: r.Confidence, Realm: cmp.Or(ask.Realm(), memory.UserRealm), Said: 1,
		Sources: []FactSource{{Source: sourceCode, Place: fmt.Sprintf("%s:%d", r.File, r.Line), Rule: r.Rule, Confidence: r.Confidence}},
	}
}

// relations is facts of source code that were found for a question.
type relations struct {
	facts []FactView
	kinds []string // group that each belongs to: predicate and direction
	seen  map[[4]string]bool
	code  GraphCode
}

// take adds what a project says, if keep agrees.
func (r *relations) take(ask *codebase.Ask, found codebase.Related, keep func(*codebase.Relation) bool) {
	if r.seen == nil {
		r.seen = map[[4]string]bool{}
	}
	left := len(found.List)
	for i := range found.List {
		x := &found.List[i]
		key := [4]string{ask.Root(), x.Kind, x.From.ID, x.To.ID}
		if r.seen[key] || !keep(x) {
			left--
			continue
		}
		r.seen[key] = true
		r.facts = append(r.facts, codeFact(ask, x))
		r.kinds = append(r.kinds, fmt.Sprint(x.Kind, x.In))
	}
	r.code.Found += left + found.Found - len(found.List)
	r.code.Cut = r.code.Cut || found.Cut
}

// fair returns at most so many facts, in turn from each predicate and direction,
// so that the members of a type do not hide who calls it. They stand together.
func (r *relations) fair(most int) []FactView {
	var order []string
	groups := map[string][]FactView{}
	for i, f := range r.facts {
		if groups[r.kinds[i]] == nil {
			order = append(order, r.kinds[i])
		}
		groups[r.kinds[i]] = append(groups[r.kinds[i]], f)
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(groupRank(a), groupRank(b)) })
	share := map[string]int{}
	for left, more := most, true; left > 0 && more; {
		more = false
		for _, g := range order {
			if left > 0 && share[g] < len(groups[g]) {
				share[g]++
				left--
				more = true
			}
		}
	}
	var out []FactView
	for _, g := range order {
		out = append(out, groups[g][:share[g]]...)
	}
	return out
}

// groupRank puts what is asked for most first: who calls it, what it calls, its
// kin, what it stands in, what it is made of.
func groupRank(group string) int {
	return slices.Index([]string{
		codebase.RelatesCalls + "true", codebase.RelatesCalls + "false", codebase.RelatesInherits + "false", codebase.RelatesInherits + "true",
		codebase.RelatesContains + "true", codebase.RelatesImports + "false", codebase.RelatesImports + "true", codebase.RelatesContains + "false",
	}, group)
}

func anyRelation(*codebase.Relation) bool { return true }

// byProject calls fn with the things of each project.
func byProject(spots []spot, fn func(ask *codebase.Ask, things []codebase.Thing) error) error {
	for i, s := range spots {
		if slices.ContainsFunc(spots[:i], func(o spot) bool { return o.ask == s.ask }) {
			continue
		}
		var things []codebase.Thing
		for _, o := range spots[i:] {
			if o.ask == s.ask {
				things = append(things, o.Thing)
			}
		}
		if err := fn(s.ask, things); err != nil {
			return err
		}
	}
	return nil
}

// codeAround finds what the code says of an entity.
func (m *Mind) codeAround(ctx context.Context, q *asked, e *entity) (*relations, error) {
	r := &relations{}
	r.meant(e)
	return r, byProject(e.code, func(ask *codebase.Ask, things []codebase.Thing) error {
		found, err := ask.Relations(ctx, things, codebase.Select{Out: codebase.RelationKinds(), In: codebase.RelationKinds(), Most: q.limit})
		r.take(ask, found, anyRelation)
		return err
	})
}

// meant notes which symbols a name stands for, if these are several.
func (r *relations) meant(e *entity) {
	if e == nil || len(e.code) < 2 {
		return
	}
	for _, s := range e.code {
		r.code.Means = append(r.code.Means, s.Name)
	}
	r.code.Others += e.found - len(e.code)
}

// codeFitting finds what of the code fits a pattern. An end that is nil fits
// everything.
func (m *Mind) codeFitting(ctx context.Context, q *asked, p *pattern) (*relations, error) {
	r := &relations{}
	kinds := codebase.RelationKinds()
	if p.predicate.Name != "" {
		kinds = slices.DeleteFunc(kinds, func(k string) bool { return k != p.predicate.Name })
	}
	if q.code == nil || len(kinds) == 0 {
		return r, nil
	}
	if p.subject == nil && p.object == nil {
		return r, m.codeAtAll(ctx, q, r, kinds, p.predicate.Name != "")
	}
	r.meant(p.subject)
	r.meant(p.object)
	most := q.limit
	if p.subject != nil && p.object != nil {
		most = factsMost // what fits both is looked for among them
	}
	if e := p.subject; e != nil {
		err := byProject(e.code, func(ask *codebase.Ask, things []codebase.Thing) error {
			found, err := ask.Relations(ctx, things, codebase.Select{Out: kinds, Most: most})
			r.fit(ask, found, p.object)
			return err
		})
		if err != nil {
			return r, err
		}
	}
	if e := p.object; e != nil {
		return r, byProject(e.code, func(ask *codebase.Ask, things []codebase.Thing) error {
			found, err := ask.Relations(ctx, things, codebase.Select{In: kinds, Most: most})
			r.fit(ask, found, p.subject)
			return err
		})
	}
	return r, nil
}

// fit adds what has the other end as well, if that is named.
func (r *relations) fit(ask *codebase.Ask, found codebase.Related, other *entity) {
	if other == nil {
		r.take(ask, found, anyRelation)
		return
	}
	found.Found = len(found.List) // the others do not fit
	r.take(ask, found, func(x *codebase.Relation) bool {
		end := x.To
		if x.In {
			end = x.From
		}
		return slices.ContainsFunc(other.code, (&spot{ask, end}).is)
	})
}

// codeAtAll finds some of what the code says, and how much that is. Without a
// predicate it is only counted.
func (m *Mind) codeAtAll(ctx context.Context, q *asked, r *relations, kinds []string, show bool) error {
	r.code.Totals = map[string]int{}
	for _, ask := range q.code.asks {
		totals, err := ask.CountRelations(ctx)
		if err != nil {
			return err
		}
		for _, kind := range kinds {
			r.code.Totals[kind] += totals[kind]
			if !show {
				continue
			}
			found, err := ask.Some(ctx, kind, q.limit)
			if err != nil {
				return err
			}
			found.Found = len(found.List)
			r.take(ask, found, anyRelation)
			r.code.Cut = true
		}
	}
	return nil
}

// with adds what the code says to stored facts, which stay first, as far as
// there is room.
func (r *relations) with(out *GraphFactsOutput, limit int) {
	facts := r.fair(limit - len(out.Facts))
	out.Facts = append(out.Facts, facts...)
	if r.code.Shown = len(facts); r.code.Found > 0 || len(r.code.Totals) > 0 || len(r.code.Means) > 0 {
		out.Code = &r.code
		out.More = out.More || r.code.Shown < r.code.Found
	}
}
