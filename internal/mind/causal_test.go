package mind

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/causal"
	"chitta/internal/memory"
	"chitta/internal/recall"
	"chitta/internal/store"
)

func TestEdgesFollowFilesAcrossSessions(t *testing.T) {
	m := plain(t)
	s := small(t, m)
	s.link(t)
	// what was done in each session is one chunk after the request
	one, two, three := s.one[1].Seq, s.two[1].Seq, s.three[1].Seq
	want := []string{
		fmt.Sprintf("%d>%d file-path 1.00", one, two), // the cache, in another clone
		fmt.Sprintf("%d>%d file-path 1.00", two, three),
	}
	if diff := cmp.Diff(want, edgesOf(t, m, s.one, s.two, s.three)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	sound(t, m)

	// made anew they are the same
	if _, err := m.Rebuild(t.Context(), person, NoInput{}); err != nil {
		t.Fatal(err)
	}
	if got := edgesOf(t, m, s.one, s.two); len(got) != 0 && !m.linker.Behind() {
		t.Errorf("after rebuild began: %v", got)
	}
	s.link(t)
	if m.linker.Behind() {
		t.Error("still behind")
	}
	chunks, err := m.store.ChunksAfter(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if got := edgesOf(t, m, chunks); len(got) != len(want) {
		t.Errorf("rebuilt: %v", got)
	}
}

// TestDroppedChunkHandsItsEdgesOn: when the one in the middle goes, the first
// leads to the third.
func TestDroppedChunkHandsItsEdgesOn(t *testing.T) {
	m := plain(t)
	s := small(t, m)
	s.link(t)
	one, two, three := s.one[1].Seq, s.two[1].Seq, s.three[1].Seq
	s.write(func(tx *store.Tx) error { return tx.DropChunk(two) })
	if got := edgesOf(t, m, s.one, s.two, s.three); len(got) != 0 {
		t.Errorf("at once: %v", got)
	}
	sound(t, m)
	s.link(t)
	// its messages are still there, with nothing to stand for them
	got := edgesOf(t, m, s.one, s.two, s.three)
	if slices.ContainsFunc(got, func(e string) bool { return strings.Contains(e, fmt.Sprint(two)) }) {
		t.Errorf("edges of a chunk that is gone: %v (%d %d)", got, one, three)
	}
	sound(t, m)
}

// TestEdgesDoNotDependOnTheOrderOfImport: a session that comes late takes its
// place between those that were there.
func TestEdgesDoNotDependOnTheOrderOfImport(t *testing.T) {
	tell := func(p *pastSessions, name string, at int) []store.Chunk {
		p.at = time.Date(2026, 3, at, 9, 0, 0, 0, time.UTC)
		s := p.session(name, "/w/app")
		s.asks("Change the file of " + name)
		s.edits("/w/app/shared.go")
		s.edits("/w/app/" + name + ".go")
		return s.ends()
	}
	between := func(days []int) []string {
		m := plain(t)
		p := newPast(t, m)
		chunks := map[int64]int{}
		for _, d := range days {
			for _, c := range tell(p, fmt.Sprintf("day%d", d), d) {
				chunks[c.Seq] = d
			}
			if err := m.linker.Maintain(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		var seqs []int64
		for seq := range chunks {
			seqs = append(seqs, seq)
		}
		edges, err := m.store.EdgesFrom(t.Context(), seqs, 100)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range edges {
			out = append(out, fmt.Sprintf("%d>%d", chunks[e.Source], chunks[e.Target]))
		}
		slices.Sort(out)
		return out
	}
	want := []string{"1>2", "2>3", "3>4"}
	for _, days := range [][]int{{1, 2, 3, 4}, {4, 3, 2, 1}, {1, 4, 2, 3}} {
		if got := between(days); !slices.Equal(got, want) {
			t.Errorf("imported as %v: %v, want %v", days, got, want)
		}
	}
}

func TestExplain(t *testing.T) {
	m := plain(t)
	s := small(t, m)
	s.link(t)
	out, err := m.Explain(t.Context(), person, ExplainInput{Query: "size of the cache configurable", Realm: "app"})
	if err != nil {
		t.Fatal(err)
	}
	last := out.Chain[len(out.Chain)-1]
	if last.Session != "two" || last.Edge != "" || last.Hops != 0 {
		t.Errorf("%+v", last)
	}
	for i := 1; i < len(out.Chain); i++ {
		a, b := out.Chain[i-1], out.Chain[i]
		if a.Edge == "" || a.Weight <= 0 || a.Hops < b.Hops || a.Created.After(b.Created) {
			t.Errorf("link %d: %+v", i, a)
		}
	}
	// from what was done in the second session back to where the file was made
	out, err = m.Explain(t.Context(), person, ExplainInput{Query: s.editedSize, Realm: "app"})
	if err != nil {
		t.Fatal(err)
	}
	var way []string
	for _, l := range out.Chain {
		way = append(way, strings.TrimSpace(l.Session+" "+l.Edge))
	}
	if diff := cmp.Diff([]string{"one adjacent", "one file-path", "two"}, way); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if out.Chain[0].ID != s.askCache || out.Tokens == 0 {
		t.Errorf("%+v", out.Chain[0])
	}
	if l := out.Chain[2]; l.Asked != "Make the size of the cache configurable" || l.AskedID != s.askSize || out.Chain[1].Asked != "" {
		t.Errorf("asked for: %+v, %+v", l, out.Chain[1])
	}
	short, err := m.Explain(t.Context(), person, ExplainInput{Query: s.editedSize, Budget: 60, Realm: "app"})
	if err != nil || short.Tokens > 60 || len(short.Chain) == 0 || short.Chain[len(short.Chain)-1].Session != "two" {
		t.Errorf("within a budget: %+v %v", short, err)
	}
	one, err := m.Explain(t.Context(), person, ExplainInput{Query: s.editedSize, Steps: 1, Realm: "app"})
	if err != nil || len(one.Chain) != 2 {
		t.Errorf("one step: %d links %v", len(one.Chain), err)
	}
}

func TestExplainTakesIDs(t *testing.T) {
	m := plain(t)
	s := small(t, m)
	// the start of an id is enough
	if out, err := m.Explain(t.Context(), person, ExplainInput{Query: s.editedSize[:13], Realm: "app"}); err != nil || len(out.Chain) == 0 {
		t.Errorf("%+v %v", out, err)
	}
	// of a message whose result is part of a passage
	if out, err := m.Explain(t.Context(), person, ExplainInput{Query: s.failed, Realm: "app"}); err != nil || len(out.Chain) == 0 {
		t.Errorf("%+v %v", out, err)
	}
	var missing *memory.NotFoundError
	wrong := s.askCache[:len(s.askCache)-1] + "f"
	_, err := m.Explain(t.Context(), person, ExplainInput{Query: wrong, Realm: "app"})
	if !errors.As(err, &missing) || !strings.Contains(missing.Hint, "did you mean "+s.askCache[:12]) {
		t.Errorf("%v %+v", err, missing)
	}
	if _, err := m.Explain(t.Context(), person, ExplainInput{Query: "m_zzzzzzzzzzzzzzzz", Realm: "app"}); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	if out, err := m.Explain(t.Context(), person, ExplainInput{Query: "zebra", Realm: "app"}); err != nil || len(out.Chain) != 0 {
		t.Errorf("nothing known: %+v %v", out, err)
	}
	var input *memory.InputError
	for _, in := range []ExplainInput{{Query: ""}, {Query: "a\x00"}, {Query: "\xff"}, {Query: strings.Repeat("x ", memory.MaxQuery)}, {Query: "x", Steps: -1}, {Query: "x", Steps: 21}, {Query: "x", Budget: -1}} {
		in.Realm = "app"
		if _, err := m.Explain(t.Context(), person, in); !errors.As(err, &input) {
			t.Errorf("%.10q: %v", in.Query, err)
		}
	}
}

func TestPredict(t *testing.T) {
	m := plain(t)
	s := small(t, m)
	s.link(t)
	out, err := m.Predict(t.Context(), person, PredictInput{Query: "Add a cache with eviction to the resolver", Realm: "app"})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Files) == 0 || out.Files[0].Path != "internal/cache.go" || out.Files[0].Changed < 2 || len(out.Files[0].Evidence) == 0 {
		t.Errorf("files: %+v", out.Files)
	}
	if len(out.Commands) == 0 || out.Commands[0].Command != "go test ./internal/..." || out.Commands[0].SuccessRate == nil {
		t.Fatalf("commands: %+v", out.Commands)
	}
	if c := out.Commands[0]; c.Count != 3 || c.Succeeded != 2 || c.Known != 3 {
		t.Errorf("%+v", c)
	}
	if !slices.ContainsFunc(out.Requests, func(r PredictedRequest) bool { return strings.Contains(r.Text, "Document the new setting") }) {
		t.Errorf("requests: %+v", out.Requests)
	}
	if len(out.Similar) == 0 || out.Realm != appRealm {
		t.Errorf("%+v", out)
	}
}

// TestPredictWithoutAQuery goes by what was asked for last, and not by what
// followed that in its own session.
func TestPredictWithoutAQuery(t *testing.T) {
	m := plain(t)
	p := newPast(t, m)
	if out, err := m.Predict(t.Context(), person, PredictInput{Realm: "app"}); err != nil || len(out.Files) != 0 || out.Similar == nil {
		t.Errorf("nothing yet: %+v %v", out, err)
	}
	for i, name := range []string{"users", "orders"} {
		s := p.session(name, "/w/app")
		s.asks(fmt.Sprintf("Add a column to the %s table", name))
		s.edits("/w/app/schema.sql")
		s.runs("make migrate", "ok")
		s.asks("Now write the release note")
		s.edits(fmt.Sprintf("/w/app/note%d.md", i))
		s.ends()
		p.at = p.at.Add(time.Hour)
	}
	last := p.session("last", "/w/app")
	last.asks("Add a column to the invoices table")
	last.edits("/w/app/only-here.sql")
	last.ends()
	if err := m.linker.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	out, err := m.Predict(t.Context(), person, PredictInput{Realm: "app"})
	if err != nil {
		t.Fatal(err)
	}
	if out.About != "Add a column to the invoices table" || len(out.Files) == 0 || out.Files[0].Path != "schema.sql" || len(out.Commands) == 0 || out.Commands[0].Command != "make migrate" {
		t.Errorf("%+v", out)
	}
	for _, f := range out.Files {
		if f.Path == "only-here.sql" {
			t.Errorf("a file of the session itself: %+v", out.Files)
		}
	}
	i := slices.IndexFunc(out.Requests, func(r PredictedRequest) bool { return r.Text == "Now write the release note" })
	if i < 0 || out.Requests[i].Count != 2 {
		t.Errorf("requests: %+v", out.Requests)
	}
	var input *memory.InputError
	for _, in := range []PredictInput{{Query: "a\x00b"}, {Limit: -1}, {Limit: 51}, {Query: strings.Repeat("x ", memory.MaxQuery)}} {
		in.Realm = "app"
		if _, err := m.Predict(t.Context(), person, in); !errors.As(err, &input) {
			t.Errorf("%.10q: %v", in.Query, err)
		}
	}
}

// TestReachedServesRecall shows what a stage of recall gets.
func TestReachedServesRecall(t *testing.T) {
	m := plain(t)
	s := small(t, m)
	s.link(t)
	got, err := m.Reached(t.Context(), "cache size", []recall.Ranked{{Seq: s.two[1].Seq}}, causal.Options{})
	if err != nil || len(got) == 0 {
		t.Fatalf("%+v %v", got, err)
	}
	if !slices.ContainsFunc(got, func(r causal.Reached) bool { return r.Chunk == s.one[1].Seq && r.Kind == causal.FilePath }) {
		t.Errorf("the session that made the file is not among %+v", got)
	}
	for i := 1; i < len(got); i++ {
		if got[i].Score > got[i-1].Score {
			t.Error("not best first")
		}
	}
}
