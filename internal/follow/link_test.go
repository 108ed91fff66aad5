package follow

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/causal"
	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
	"chitta/internal/vector"
)

const testRealm = "p_app0000000000000"

// made is when everything in these tests was stored.
var made = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// openStore opens a store with one project in it.
func openStore(t *testing.T) *store.Store {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(dir, "chitta.db"), BackupDir: filepath.Join(dir, "backups")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	err = s.Write(t.Context(), func(tx *store.Tx) error {
		return tx.PutRealm(memory.Realm{ID: testRealm, Name: "app", Kind: memory.RealmProject, Visibility: memory.Private, Paths: []string{"/w/app", "/home/ada/app"}, Created: made, Updated: made})
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// unsettled says that there are no vectors.
func unsettled() (*vector.Index, string, int64, bool) { return nil, "", 0, false }

// putSession stores a session with chunks made by hand, a message each.
func putSession(t *testing.T, s *store.Store, id string, chunks []store.Chunk, file func(int) string) store.Session {
	t.Helper()
	x := store.Session{ID: id, Source: "claude-code", Realm: testRealm, Messages: len(chunks), Created: made, Updated: made}
	err := s.Write(t.Context(), func(tx *store.Tx) error {
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

// edgesFrom returns the edges that leave chunks as source>target kind weight.
func edgesFrom(t *testing.T, s *store.Store, chunks []store.Chunk) []string {
	t.Helper()
	var seqs []int64
	for _, c := range chunks {
		seqs = append(seqs, c.Seq)
	}
	edges, err := s.EdgesFrom(t.Context(), seqs, len(chunks))
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, e := range edges {
		out = append(out, fmt.Sprintf("%d>%d %s %.2f", e.Source, e.Target, e.Kind, e.Weight))
	}
	slices.Sort(out)
	return out
}

// TestLongSessionIsBounded: 10,000 turns, a hub that every one of them touches
// and a hundred other files. The work grows with the turns, not with their
// square.
func TestLongSessionIsBounded(t *testing.T) {
	s := openStore(t)
	l := NewLinker(s, unsettled)
	const turns = longTurns
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	chunks := make([]store.Chunk, turns)
	for i := range chunks {
		chunks[i] = store.Chunk{Role: "assistant", Turn: int64(i + 1), Time: start.Add(time.Duration(i) * time.Second), Text: fmt.Sprintf("turn %d", i),
			Clock: session.Clock{session.HumanStream: uint32(i + 1), session.MainStream: uint32(i + 1)}}
	}
	putSession(t, s, "long", chunks, func(i int) string {
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
			l = NewLinker(s, unsettled) // as after a restart: it goes on where it was
		}
		if more, err = l.step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if rounds != turns/linkSlice+1 {
		t.Errorf("%d slices for %d chunks", rounds, turns)
	}
	// per chunk: one look before, one after, and the names of each file once a slice
	if n := l.lookups.Load(); n > 6*turns {
		t.Errorf("%d look-ups for %d turns", n, turns)
	} else {
		t.Logf("%d look-ups, %d slices, %v", n, rounds, time.Since(begin))
	}
	counts, err := s.CountEdges(t.Context())
	if err != nil || counts["file-path"] != turns-101 {
		t.Errorf("%v %v", counts, err)
	}
	edges, err := s.EdgesFrom(t.Context(), []int64{chunks[0].Seq, chunks[1].Seq}, 10)
	if err != nil || len(edges) != 2 || edges[0].Weight > 0.5 || edges[1].Weight != 1 {
		t.Errorf("a hub and a file of few: %+v %v", edges, err)
	}
	// one more turn costs the same as in a short session
	before := l.lookups.Load()
	putSession(t, s, "next", []store.Chunk{{Role: "assistant", Turn: 1, Time: start.Add(time.Hour * 10), Text: "one more"}}, func(int) string { return "/w/app/hub.go" })
	if _, err := l.step(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := l.lookups.Load() - before; n > 10 {
		t.Errorf("%d look-ups for one turn more", n)
	}
	// and a walk through it is bounded too
	reached, err := causal.Reach(t.Context(), NewGraph(s), []causal.Seed{{Chunk: chunks[turns/2].Seq}}, func(context.Context, []int64) (map[int64]float64, error) { return nil, nil }, causal.Options{})
	if err != nil || len(reached) == 0 || len(reached) > 4*24*2 {
		t.Errorf("%d reached: %v", len(reached), err)
	}
}

func TestSpawnAndMerge(t *testing.T) {
	s := openStore(t)
	l := NewLinker(s, unsettled)
	at := func(min int) time.Time { return time.Date(2026, 1, 1, 0, min, 0, 0, time.UTC) }
	chunks := []store.Chunk{
		{Role: "user", Turn: 1, Time: at(0), Text: "Look into the crash", Clock: session.Clock{"human": 1}},
		{Role: "assistant", Turn: 1, Time: at(1), Text: "[Task] find the crash", Clock: session.Clock{"human": 1, "main": 1}},
		{Role: "user", Agent: "a1", Turn: 1, Time: at(2), Text: "find the crash", Clock: session.Clock{"human": 1, "main": 1, "a1": 1}},
		{Role: "assistant", Agent: "a1", Turn: 1, Time: at(3), Text: "it is in the parser", Clock: session.Clock{"human": 1, "main": 1, "a1": 2}},
		{Role: "assistant", Turn: 1, Time: at(4), Text: "The parser crashes", Clock: session.Clock{"human": 1, "main": 2, "a1": 2}},
	}
	putSession(t, s, "s", chunks, nil)
	for range 2 { // again changes nothing
		if err := l.Maintain(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []string{
			fmt.Sprintf("%d>%d spawn 1.00", chunks[1].Seq, chunks[2].Seq),
			fmt.Sprintf("%d>%d merge 1.00", chunks[3].Seq, chunks[4].Seq),
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, edgesFrom(t, s, chunks)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	got, err := causal.Walk(t.Context(), NewGraph(s), []causal.Seed{{Chunk: chunks[4].Seq}}, causal.Back, func(context.Context, []int64) (map[int64]float64, error) { return nil, nil }, causal.Options{})
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

func TestProjectRoots(t *testing.T) {
	got := projectRoots([]string{"/w/app"}, []string{"/w/app/cmd/x", "/w/app/.worktrees/2", "/w/app/.worktrees/2/cmd", "/home/ada/app", "/home/ada/app/docs", "/"})
	if diff := cmp.Diff([]string{"/w/app", "/w/app/.worktrees/2", "/home/ada/app"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if rel, ok := RelativeTo(got, "/w/app/.worktrees/2/a.go"); !ok || rel != "a.go" {
		t.Errorf("%q %v", rel, ok)
	}
}
