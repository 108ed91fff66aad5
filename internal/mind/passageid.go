package mind

import (
	"context"

	"chitta/internal/past"
)

// tellResultsApart makes the ids of the passages of an answer unambiguous.
func (m *Mind) tellResultsApart(ctx context.Context, out *RecallOutput) error {
	var refs []past.Ref
	take := func(results []Result) {
		for i := range results {
			if r := &results[i]; r.Kind == KindPassage {
				refs = append(refs, past.Ref{ID: &r.ID, Session: r.Provenance.Session})
			}
		}
	}
	take(out.Results)
	for i := range out.Sessions {
		take(out.Sessions[i].Passages)
	}
	for i := range out.Suppressed {
		if s := &out.Suppressed[i]; s.Session != "" {
			refs = append(refs, past.Ref{ID: &s.ID, Session: s.Session})
		}
	}
	return m.past.TellApart(ctx, refs)
}

func (p *Passage) ref() past.Ref { return past.Ref{ID: &p.ID, Session: p.Session} }

// refsOf returns the ids of the passages of a chain.
func refsOf(links []ChainLink) []past.Ref {
	var refs []past.Ref
	for i := range links {
		refs = append(refs, past.Ref{ID: &links[i].ID, Session: links[i].Session})
		if links[i].AskedID != "" {
			refs = append(refs, past.Ref{ID: &links[i].AskedID, Session: links[i].Session})
		}
	}
	return refs
}
