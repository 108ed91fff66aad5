package store

import (
	"testing"
	"time"

	"chitta/internal/memory"
)

// threadOf stores a session with chunks of one message each.
func threadOf(t *testing.T, s *Store, n int) []Chunk {
	t.Helper()
	chunks := make([]Chunk, n)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	err := s.Write(t.Context(), func(tx *Tx) error {
		if err := tx.PutRealm(memory.Realm{ID: "p_1", Name: "one", Kind: memory.RealmProject, Visibility: memory.Private, Created: at, Updated: at}); err != nil {
			return err
		}
		x := Session{ID: "s", Source: "turns", Realm: "p_1", Messages: n, Created: at, Updated: at}
		if err := tx.PutSession(&x); err != nil {
			return err
		}
		for i := range chunks {
			m := Message{Session: x.Seq, Position: int64(i), ID: string(rune('a' + i)), Role: "user", Time: at, Raw: []byte("{}")}
			if err := tx.AddMessage(&m); err != nil {
				return err
			}
			chunks[i] = Chunk{Session: x.Seq, First: int64(i), Last: int64(i), Role: "user", Time: at, Hash: "h", Text: "said"}
			if err := tx.AddChunk(&chunks[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return chunks
}

func TestEdges(t *testing.T) {
	s := openTest(t)
	c := threadOf(t, s, 4)
	write := func(fn func(*Tx) error) {
		t.Helper()
		if err := s.Write(t.Context(), fn); err != nil {
			t.Fatal(err)
		}
	}
	write(func(tx *Tx) error {
		for _, e := range []Edge{{c[0].Seq, c[1].Seq, "file-path", 0.5}, {c[0].Seq, c[2].Seq, "file-path", 1}, {c[0].Seq, c[3].Seq, "topic", 0.7}, {c[0].Seq, c[1].Seq, "file-path", 0.6}} {
			if err := tx.PutEdge(e); err != nil {
				return err
			}
		}
		return tx.SetNote("edges", "7")
	})
	from, err := s.EdgesFrom(t.Context(), []int64{c[0].Seq}, 1)
	if err != nil || len(from) != 2 || from[0] != (Edge{c[0].Seq, c[2].Seq, "file-path", 1}) || from[1].Kind != "topic" {
		t.Errorf("the strongest of each kind: %+v %v", from, err)
	}
	if to, err := s.EdgesTo(t.Context(), []int64{c[1].Seq}, 5); err != nil || len(to) != 1 || to[0].Weight != 0.6 {
		t.Errorf("stored again, it has the new weight: %+v %v", to, err)
	}
	if note, err := s.Note(t.Context(), "edges"); err != nil || note != "7" {
		t.Errorf("%q %v", note, err)
	}
	if next, err := s.Neighbours(t.Context(), []int64{c[0].Seq, c[3].Seq}, false); err != nil || len(next) != 1 || next[c[0].Seq] != c[1].Seq {
		t.Errorf("%v %v", next, err)
	}
	// a chunk that goes takes its edges along, and gets none again
	write(func(tx *Tx) error {
		if err := tx.DropChunk(c[2].Seq); err != nil {
			return err
		}
		return tx.PutEdge(Edge{c[2].Seq, c[3].Seq, "file-path", 1})
	})
	if counts, err := s.CountEdges(t.Context()); err != nil || counts["file-path"] != 1 || counts["topic"] != 1 {
		t.Errorf("%v %v", counts, err)
	}
	if before, err := s.Neighbours(t.Context(), []int64{c[3].Seq}, true); err != nil || before[c[3].Seq] != c[1].Seq {
		t.Errorf("%v %v", before, err)
	}
	if problems, err := s.Check(t.Context()); err != nil || len(problems) != 0 {
		t.Errorf("%v %v", problems, err)
	}
}

// TestTouchesBelongToOneChunk: where chunks overlap, a message counts for the
// one that begins last.
func TestTouchesBelongToOneChunk(t *testing.T) {
	s := openTest(t)
	c := threadOf(t, s, 4)
	err := s.Write(t.Context(), func(tx *Tx) error {
		wide := Chunk{Session: c[0].Session, First: 0, Last: 2, Role: "assistant", Hash: "w", Text: "wide"}
		if err := tx.AddChunk(&wide); err != nil {
			return err
		}
		return tx.AddFileTouch(&FileTouch{Message: 2, Session: c[0].Session, Path: "/a", Tool: "Edit", Action: "edit", Time: c[0].Time})
	})
	if err != nil {
		t.Fatal(err)
	}
	touched, err := s.TouchesOf(t.Context(), []int64{c[0].Seq, c[1].Seq, c[3].Seq + 1})
	if err != nil || len(touched) != 1 || len(touched[c[1].Seq]) != 1 {
		t.Errorf("%+v %v", touched, err)
	}
	if at, err := s.ChunkAt(t.Context(), c[0].Session, "", 1); err != nil || at != c[1].Seq {
		t.Errorf("%d %v", at, err)
	}
	none := &Touch{}
	if next, err := s.NextTouch(t.Context(), "p_1", "/a", none, false); err != nil || next.Chunk != c[1].Seq {
		t.Errorf("%+v %v", next, err)
	}
	if next, err := s.NextTouch(t.Context(), "p_2", "/a", none, false); err != nil || next.Chunk != 0 {
		t.Errorf("in another realm: %+v %v", next, err)
	}
}

// TestNoted: what is noted comes back as it was, and what cannot be read counts
// as not noted.
func TestNoted(t *testing.T) {
	s := openTest(t)
	type far struct{ Rev int64 }
	read := func() far {
		t.Helper()
		at, err := Noted[far](t.Context(), s, "how far")
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	write := func(fn func(tx *Tx) error) {
		t.Helper()
		if err := s.Write(t.Context(), fn); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(); got != (far{}) {
		t.Errorf("nothing was noted: %+v", got)
	}
	write(func(tx *Tx) error { return tx.SetNoted("how far", far{7}) })
	if got := read(); got.Rev != 7 {
		t.Errorf("%+v", got)
	}
	for _, damaged := range []string{"{", "[]", `{"Rev":"x"}`} {
		write(func(tx *Tx) error { return tx.SetNote("how far", damaged) })
		if got := read(); got != (far{}) {
			t.Errorf("%s: %+v", damaged, got)
		}
	}
	if err := s.Write(t.Context(), func(tx *Tx) error { return tx.SetNoted("how far", func() {}) }); err == nil {
		t.Error("what cannot be written was")
	}
}
