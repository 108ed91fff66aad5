package mind

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"chitta/internal/codebase"
	"chitta/internal/graph"
)

// pathsOfCode finds ways between two entities that go through code: first those
// that lead from one to the other, as calls do; without any, those by what both
// have to do with; at last those by the file or type that both stand in.
func (m *Mind) pathsOfCode(ctx context.Context, q *asked, from, to *entity, o graph.PathOptions, known bool) (paths []graph.Path, n *codeNet, err error) {
	for _, ways := range [][][2]follows{{{outward, inward}, {inward, outward}}, {{sideways, sideways}}, {{everyway, everyway}}} {
		n = m.newCodeNet(q, sideways)
		for _, w := range ways {
			found, err := n.paths(ctx, from, to, o, w)
			if err != nil {
				return nil, n, err
			}
			paths = append(paths, found...)
		}
		if len(paths) > 0 || known {
			break
		}
	}
	seen := map[string]bool{} // both directions find the same now and then
	return slices.DeleteFunc(paths, func(p graph.Path) bool {
		var key strings.Builder
		for _, h := range p.Hops {
			fmt.Fprintf(&key, "%s\n%s\n%s\n", h.Subject, h.Predicate, h.Object)
		}
		again := seen[key.String()]
		seen[key.String()] = true
		return again
	}), n, nil
}

// paths finds ways through code, with facts followed in one way from the
// beginning and in another from the end.
func (n *codeNet) paths(ctx context.Context, from, to *entity, o graph.PathOptions, ways [2]follows) (paths []graph.Path, err error) {
	n.net, n.grown, n.sure, n.added = graph.NewNet(), map[string]bool{}, map[string]float64{}, map[[3]string]struct{}{}
	hops := cmp.Or(o.Hops, graph.DefaultPathHops)
	var ends [2][]string
	for i, e := range []*entity{from, to} {
		if ends[i], err = n.begin(ctx, e); err != nil {
			return nil, err
		}
	}
	for i, keys := range ends {
		n.way = ways[i]
		if err := n.spread(ctx, keys, (hops+1-i)/2); err != nil {
			return nil, err
		}
	}
	if err := n.callWays(ctx, from, to, hops); err != nil {
		return nil, err
	}
	for _, a := range ends[0] {
		for _, b := range ends[1] {
			found, cut := n.net.Paths(n.q.view, a, b, o)
			n.cut = n.cut || cut
			for _, p := range found {
				if slices.ContainsFunc(p.Hops, func(h graph.Hop) bool { return h.Seq < 0 }) {
					paths = append(paths, p)
				}
			}
		}
	}
	return paths, nil
}

// callPairs bounds for how many pairs of symbols the shortest way along calls is
// looked for.
const callPairs = 4

// callWays adds the shortest ways along calls between two entities, which may
// lead through what is not the surest of anything.
func (n *codeNet) callWays(ctx context.Context, from, to *entity, hops int) error {
	pairs := 0
	for i := range from.code {
		for j := range to.code {
			a, b := &from.code[i], &to.code[j]
			if a.ask != b.ask || a.Symbol == nil || b.Symbol == nil || pairs == callPairs {
				continue
			}
			pairs++
			for _, ends := range [][2]*spot{{a, b}, {b, a}} {
				way, err := a.ask.CallWay(ctx, &ends[0].Thing, &ends[1].Thing)
				if err != nil {
					return err
				}
				if len(way) > hops {
					continue
				}
				if err := n.take(ctx, a.ask, way, func(string, string, float64) {}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// inferOfCode concludes what follows from code, alone or with stored facts. What
// contains and what inherits goes on; nothing else of code does.
func (m *Mind) inferOfCode(ctx context.Context, q *asked, p *pattern, hops int) ([]graph.Inferred, *codeNet, error) {
	n := m.newCodeNet(q, inwards)
	if name := p.predicate.Name; name != "" && name != codebase.RelatesContains && name != codebase.RelatesInherits {
		return nil, n, nil
	}
	ends := [2][]string{{""}, {""}}
	for i, e := range []*entity{p.subject, p.object} {
		if e == nil {
			continue
		}
		keys, err := n.begin(ctx, e)
		if err != nil {
			return nil, n, err
		}
		ends[i] = keys
		if i == 0 || p.subject == nil { // with both, conclusions are drawn from the subject
			if err := n.spread(ctx, keys, cmp.Or(hops, graph.DefaultInferSteps)); err != nil {
				return nil, n, err
			}
		}
	}
	var found []graph.Inferred
	for _, s := range ends[0] {
		for _, o := range ends[1] {
			for _, x := range n.net.Infer(q.view, graph.Pattern{Subject: s, Predicate: p.predicate.Name, Object: o}, graph.InferOptions{Limit: q.limit, Steps: hops}) {
				if ofCode(x.Chain) {
					found = append(found, x)
				}
			}
		}
	}
	return found, n, nil
}

// activate lets activation spread through code as well. What stored facts alone
// reached stays as it is, unless code makes it more active.
func (n *codeNet) activate(ctx context.Context, e *entity, strength float64, o graph.SpreadOptions, reached []graph.Activated) ([]graph.Activated, error) {
	begins, err := n.begin(ctx, e)
	if err != nil {
		return nil, err
	}
	if err := n.spread(ctx, begins, cmp.Or(o.Hops, graph.DefaultHops)); err != nil {
		return nil, err
	}
	seeds := make([]graph.Seed, len(begins))
	for i, key := range begins {
		seeds[i] = graph.Seed{Key: key, Strength: strength}
	}
	at := map[string]int{}
	for i, a := range reached {
		at[a.Key] = i
	}
	for _, a := range n.net.Spread(n.q.view, seeds, o) {
		if i, ok := at[a.Key]; !ok {
			reached = append(reached, a)
		} else if a.Level > reached[i].Level {
			reached[i] = a
		}
	}
	slices.SortStableFunc(reached, func(a, b graph.Activated) int { return cmp.Compare(b.Level, a.Level) })
	return reached, nil
}
