package mind

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/causal"
	"chitta/internal/recall"
	"chitta/internal/session"
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
	if got := edgesOf(t, m, s.one, s.two); len(got) != 0 && !m.linker.behind() {
		t.Errorf("after rebuild began: %v", got)
	}
	s.link(t)
	if m.linker.behind() {
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
	tell := func(p *past, name string, at int) []store.Chunk {
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
			if err := m.linker.maintain(t.Context()); err != nil {
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

// putSession stores a session with chunks made by hand, a message each.
func putSession(t *testing.T, m *Mind, realm, id string, chunks []store.Chunk, file func(int) string) store.Session {
	t.Helper()
	x := store.Session{ID: id, Source: "claude-code", Realm: realm, Messages: len(chunks), Created: m.now(), Updated: m.now()}
	err := m.store.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.PutSession(&x); err != nil {
			return err
		}
		for i := range chunks {
			c := &chunks[i]
			msg := store.Message{Session: x.Seq, Position: int64(i), Turn: c.Turn, ID: fmt.Sprintf("%s-%d", id, i), Role: c.Role, Time: c.Time, Agent: c.Agent, Raw: []byte("{}")}
			if err := tx.AddMessage(&msg); err != nil {
				return err
			}
			c.Session, c.First, c.Last, c.Hash = x.Seq, int64(i), int64(i), fmt.Sprint(i)
			if err := tx.AddChunk(c); err != nil {
				return err
			}
			if file == nil || file(i) == "" {
				continue
			}
			if err := tx.AddFileTouch(&store.FileTouch{Message: msg.Seq, Session: x.Seq, Path: file(i), Tool: "Edit", Action: "edit", Time: c.Time}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestLongSessionIsBounded: 10,000 turns, a hub that every one of them touches
// and a hundred other files. The work grows with the turns, not with their
// square.
func TestLongSessionIsBounded(t *testing.T) {
	m := plain(t)
	newPast(t, m)
	const turns = longTurns
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	chunks := make([]store.Chunk, turns)
	for i := range chunks {
		chunks[i] = store.Chunk{Role: "assistant", Turn: int64(i + 1), Time: start.Add(time.Duration(i) * time.Second), Text: fmt.Sprintf("turn %d", i),
			Clock: session.Clock{session.HumanStream: uint32(i + 1), session.MainStream: uint32(i + 1)}}
	}
	putSession(t, m, appRealm, "long", chunks, func(i int) string {
		if i%2 == 0 {
			return "/w/app/hub.go"
		}
		return fmt.Sprintf("/w/app/f%d.go", i%200)
	})
	begin := time.Now()
	rounds := 0
	for more := true; more; rounds++ {
		var err error
		if rounds == 10 {
			m.linker = newLinker(m.store, m.semantic) // as after a restart: it goes on where it was
		}
		if more, err = m.linker.step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if rounds != turns/linkSlice+1 {
		t.Errorf("%d slices for %d chunks", rounds, turns)
	}
	// per chunk: one look before, one after, and the names of each file once a slice
	if n := m.linker.lookups.Load(); n > 6*turns {
		t.Errorf("%d look-ups for %d turns", n, turns)
	} else {
		t.Logf("%d look-ups, %d slices, %v", n, rounds, time.Since(begin))
	}
	counts, err := m.store.CountEdges(t.Context())
	if err != nil || counts["file-path"] != turns-101 {
		t.Errorf("%v %v", counts, err)
	}
	edges, err := m.store.EdgesFrom(t.Context(), []int64{chunks[0].Seq, chunks[1].Seq}, 10)
	if err != nil || len(edges) != 2 || edges[0].Weight > 0.5 || edges[1].Weight != 1 {
		t.Errorf("a hub and a file of few: %+v %v", edges, err)
	}
	// one more turn costs the same as in a short session
	before := m.linker.lookups.Load()
	putSession(t, m, appRealm, "next", []store.Chunk{{Role: "assistant", Turn: 1, Time: start.Add(time.Hour * 10), Text: "one more"}}, func(int) string { return "/w/app/hub.go" })
	if _, err := m.linker.step(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := m.linker.lookups.Load() - before; n > 10 {
		t.Errorf("%d look-ups for one turn more", n)
	}
	// and a walk through it is bounded too
	reached, err := causal.Reach(t.Context(), m.Causes(), []causal.Seed{{Chunk: chunks[turns/2].Seq}}, func(context.Context, []int64) (map[int64]float64, error) { return nil, nil }, causal.Options{})
	if err != nil || len(reached) == 0 || len(reached) > 4*24*2 {
		t.Errorf("%d reached: %v", len(reached), err)
	}
}

func TestSpawnAndMerge(t *testing.T) {
	m := plain(t)
	newPast(t, m)
	at := func(min int) time.Time { return time.Date(2026, 1, 1, 0, min, 0, 0, time.UTC) }
	chunks := []store.Chunk{
		{Role: "user", Turn: 1, Time: at(0), Text: "Look into the crash", Clock: session.Clock{"human": 1}},
		{Role: "assistant", Turn: 1, Time: at(1), Text: "[Task] find the crash", Clock: session.Clock{"human": 1, "main": 1}},
		{Role: "user", Agent: "a1", Turn: 1, Time: at(2), Text: "find the crash", Clock: session.Clock{"human": 1, "main": 1, "a1": 1}},
		{Role: "assistant", Agent: "a1", Turn: 1, Time: at(3), Text: "it is in the parser", Clock: session.Clock{"human": 1, "main": 1, "a1": 2}},
		{Role: "assistant", Turn: 1, Time: at(4), Text: "The parser crashes", Clock: session.Clock{"human": 1, "main": 2, "a1": 2}},
	}
	putSession(t, m, appRealm, "s", chunks, nil)
	for range 2 { // again changes nothing
		if err := m.linker.maintain(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []string{
			fmt.Sprintf("%d>%d spawn 1.00", chunks[1].Seq, chunks[2].Seq),
			fmt.Sprintf("%d>%d merge 1.00", chunks[3].Seq, chunks[4].Seq),
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, edgesOf(t, m, chunks)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	got, err := causal.Walk(t.Context(), m.Causes(), []causal.Seed{{Chunk: chunks[4].Seq}}, causal.Back, func(context.Context, []int64) (map[int64]float64, error) { return nil, nil }, causal.Options{})
	if err != nil || len(got) != 4 {
		t.Fatalf("%+v %v", got, err)
	}
	kinds := map[causal.Kind]bool{}
	for _, r := range got {
		kinds[r.Kind] = true
		if r.Hops > 4 {
			t.Errorf("%d hops to chunk %d", r.Hops, r.Chunk)
		}
	}
	if !kinds[causal.Merge] || !kinds[causal.Adjacent] {
		t.Errorf("went by %v", kinds)
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
	var missing *NotFoundError
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
	var input *InputError
	for _, in := range []ExplainInput{{Query: ""}, {Query: "a\x00"}, {Query: "\xff"}, {Query: strings.Repeat("x ", maxQuery)}, {Query: "x", Steps: -1}, {Query: "x", Steps: 21}, {Query: "x", Budget: -1}} {
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
	if err := m.linker.maintain(t.Context()); err != nil {
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
	var input *InputError
	for _, in := range []PredictInput{{Query: "a\x00b"}, {Limit: -1}, {Limit: 51}, {Query: strings.Repeat("x ", maxQuery)}} {
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

func TestHopsBetween(t *testing.T) {
	here := func(c session.Clock) *store.Chunk { return &store.Chunk{Session: 1, Clock: c} }
	for _, tt := range []struct {
		name string
		a, b *store.Chunk
		want int
	}{
		{"same cycle", here(session.Clock{"human": 1}), here(session.Clock{"human": 1}), 0},
		{"a turn and its work", here(session.Clock{"human": 1, "main": 1}), here(session.Clock{"human": 2, "main": 2}), 2},
		{"side by side", here(session.Clock{"human": 1, "a": 2}), here(session.Clock{"human": 1, "b": 1}), 3},
		{"no clocks", here(nil), here(session.Clock{"human": 9}), 1},
		{"another session", here(session.Clock{"human": 1}), &store.Chunk{Session: 2, Clock: session.Clock{"human": 50}}, 1},
	} {
		if got := hopsBetween(tt.a, tt.b); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
