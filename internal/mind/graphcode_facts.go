package mind

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"chitta/internal/codebase"
	"chitta/internal/graph"
	"chitta/internal/memory"
)

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
