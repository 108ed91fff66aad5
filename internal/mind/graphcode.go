package mind

import (
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
		out = append(out, fmt.Sprintf("the index of source code has: %s%s", strings.Join(parts, ", "), c.others()))
	case c.Shown < c.Found:
		are := "are"
		if c.Shown == 1 {
			are = "is"
		}
		out = append(out, fmt.Sprintf("of %d%s facts from source code %d %s shown", c.Found, more, c.Shown, are))
	}
	return out
}

// others says how to see those of the totals that are not shown.
func (c *GraphCode) others() string {
	most := 0
	for _, n := range c.Totals {
		most = max(most, n)
	}
	switch {
	case most == 0 || c.Shown > 0 && c.Shown == c.Found && !c.Cut:
		return "" // there are none
	case c.Shown == 0:
		return "; name one of these predicates, or a symbol or file, to see them"
	case c.Shown == 1:
		return "; 1 fact of them is shown, name a symbol or file to see the others"
	}
	return fmt.Sprintf("; %d facts of them are shown, name a symbol or file to see the others", c.Shown)
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
		if !memory.IsProject(p.Realm) || !slices.Contains(realms, p.Realm) || p.Indexed.IsZero() || !isFolder(p.Root) {
			continue
		}
		was := best[p.Realm]
		if was == nil || codebase.Within(p.Root, cwd) || !codebase.Within(was.Root, cwd) && p.Changed.After(was.Changed) {
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
