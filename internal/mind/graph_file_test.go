package mind

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/follow"
)

// TestGraphTransfer: what is exported comes back exactly, also elsewhere, and
// twice is once.
func TestGraphTransfer(t *testing.T) {
	m, _ := openTest(t)
	tell(t, m, person, "go -[has_version]-> 1.25", func(in *GraphAddInput) { in.From = "2026-01-01" })
	tell(t, m, person, "go -[has_version]-> 1.26; a ~ b", func(in *GraphAddInput) { in.From = "2026-02-01" })
	tell(t, m, person, "go -[requires]-> git (0.5)")
	export := func(m *Mind) (all []GraphRecord) {
		t.Helper()
		for in := (GraphExportInput{Limit: 3}); ; {
			page, err := m.GraphExport(t.Context(), person, in)
			if err != nil {
				t.Fatal(err)
			}
			if in.Cursor == "" && page.Total != 4 {
				t.Errorf("%d in all", page.Total)
			}
			if all = append(all, page.Records...); page.Next == "" {
				return all
			}
			in.Cursor = page.Next
		}
	}
	all := export(m)
	other, _ := openTest(t)
	for i, want := range []GraphImportOutput{{Added: 4}, {Known: 4}} {
		out, err := other.GraphImport(t.Context(), person, GraphImportInput{Records: slices.Clone(all)})
		if want.Problems = []ImportProblem{}; err != nil || !cmp.Equal(want, out) {
			t.Errorf("import %d: %+v %v", i+1, out, err)
		}
	}
	if diff := cmp.Diff(all, export(other)); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
}

func TestGraphImportRefuses(t *testing.T) {
	m, _ := openTest(t)
	first := tell(t, m, person, "netcat -> hang").Facts[0]
	if _, err := m.GraphAlias(t.Context(), person, GraphAliasInput{Concept: "netcat", Alias: "nc"}); err != nil {
		t.Fatal(err)
	}
	good := GraphRecord{Subject: "x", Predicate: "causes", Object: "y"}
	for name, edit := range map[string]func(*GraphRecord){
		"no object":      func(r *GraphRecord) { r.Object = "" },
		"itself":         func(r *GraphRecord) { r.Object = "X" },
		"alias":          func(r *GraphRecord) { r.Subject, r.Object = "netcat", "nc" },
		"secret":         func(r *GraphRecord) { r.Subject = "ghp_1234567890abcdefghijklmnopqrstuvwxyz12" },
		"id":             func(r *GraphRecord) { r.ID = "m_1" },
		"confidence":     func(r *GraphRecord) { r.Confidence = -1 },
		"until":          func(r *GraphRecord) { r.From, r.Until = m.now(), m.now().Add(-day) },
		"predicate":      func(r *GraphRecord) { r.Predicate = "[" },
		"source":         func(r *GraphRecord) { r.Source = "a\x00" },
		"a long message": func(r *GraphRecord) { r.Message = strings.Repeat("x", 10_000) },
	} {
		for _, dry := range []bool{true, false} {
			bad := good
			edit(&bad)
			out, err := m.GraphImport(t.Context(), person, GraphImportInput{Records: []GraphRecord{good, bad}, Dry: dry})
			if err != nil || len(out.Problems) != 1 || out.Problems[0].Line != 2 || out.Added != 0 {
				t.Errorf("%s, dry %v: %+v %v", name, dry, out, err)
			}
		}
	}
	if out, err := m.GraphImport(t.Context(), person, GraphImportInput{Records: []GraphRecord{good}, Dry: true}); err != nil || len(out.Problems) > 0 {
		t.Errorf("%+v %v", out, err)
	}
	same(t, "nothing was stored", factsLike(t, m, person, "? ? ?"), "netcat causes hang")

	// an id that something else has, and a realm nobody knows
	taken := good
	taken.ID, taken.Realm = first.ID, "p_elsewhere"
	out, err := m.GraphImport(t.Context(), person, GraphImportInput{Records: []GraphRecord{taken}})
	if err != nil || out.Added != 1 || out.Moved != 1 {
		t.Errorf("%+v %v", out, err)
	}
	same(t, "both stand", factsLike(t, m, person, "? ? ?"), "netcat causes hang", "x causes y")
}

func TestGraphParse(t *testing.T) {
	m, _ := openTest(t)
	text := "# what we know\na.b -> c.d -> e.f (0.6)\nx ~ y"
	for _, apply := range []bool{false, true} {
		out, err := m.GraphParse(t.Context(), person, GraphParseInput{Text: text, Apply: apply, Source: "file notes"})
		if err != nil || len(out.Statements) != 3 || len(out.Problems) != 0 || out.Applied != apply || out.Statements[2].Line != 3 {
			t.Errorf("%+v %v", out, err)
		}
	}
	same(t, "stored", factsLike(t, m, person, "? causes ?"), "a.b causes c.d", "c.d causes e.f")
	for name, bad := range map[string]string{"prose": "p -> q\nthis is prose", "itself": "p -> q\nq -> q", "secret": "p -> q\nq -> ghp_1234567890abcdefghijklmnopqrstuvwxyz12"} {
		out, err := m.GraphParse(t.Context(), person, GraphParseInput{Text: bad, Apply: true})
		if err != nil || len(out.Problems) != 1 || out.Problems[0].Line != 2 || out.Applied {
			t.Errorf("%s: %+v %v", name, out, err)
		}
	}
	if out, err := m.GraphParse(t.Context(), person, GraphParseInput{Text: "nothing here\nstd::vector x->y", Prose: true, Apply: true}); err != nil || len(out.Statements)+len(out.Problems) != 0 || out.Applied {
		t.Errorf("%+v %v", out, err)
	}
	if n, err := m.GraphStats(t.Context(), person, RealmInput{}); err != nil || n.Facts != 3 {
		t.Errorf("%+v %v", n, err)
	}
}

// TestGraphWhileLoading: what needs the whole graph waits until it is loaded.
func TestGraphWhileLoading(t *testing.T) {
	m, _ := openTest(t)
	tell(t, m, person, "a.b -> c.d")
	m.net = follow.NewNet(m.store, m.wake, m.opts.Log) // as it is after the start, with much to load
	if out, err := m.added(t.Context(), nil, nil, nil); err != nil || !out.Unchecked {
		t.Errorf("%+v %v", out, err)
	}
	hasty, cancel := context.WithTimeout(t.Context(), netPoll)
	defer cancel()
	if _, err := m.GraphQuery(hasty, person, GraphQueryInput{Subject: "a.b"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if err := m.net.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, "loaded", factsLike(t, m, person, "a.b ? ?"), "a.b causes c.d")
	if out := tell(t, m, person, "a.b -[solves]-> c.d"); out.Unchecked || len(out.Contradictions) != 1 {
		t.Errorf("%+v", out)
	}
}
