package follow

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"chitta/internal/session"
	"chitta/internal/store"
)

// putTurns stores turns with a word of their own each, and returns them as read.
func putTurns(t *testing.T, s *store.Store, id string, n int) (hashes [][32]byte, said []*session.Message) {
	t.Helper()
	x := store.Session{ID: id, Source: session.Turns{}.Name(), Realm: testRealm, Messages: n, Created: made, Updated: made}
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.PutSession(&x); err != nil {
			return err
		}
		for i := range n {
			raw := fmt.Appendf(nil, `{"id":"%s-%d","role":"user","text":"word%sx%d"}`, id, i, id, i)
			m := store.Message{Session: x.Seq, Position: int64(i), ID: fmt.Sprintf("%s-%d", id, i), Role: "user", Time: made, Raw: raw}
			if err := tx.AddMessage(&m); err != nil {
				return err
			}
			read, err := ReadMessage(x.Source, raw)
			if err != nil {
				return err
			}
			hashes, said = append(hashes, m.Hash), append(said, read)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return hashes, said
}

// TestMessagesFromRecent: a feed gives the same entries whether messages are at
// hand, read from the store, or some of each.
func TestMessagesFromRecent(t *testing.T) {
	s := openStore(t)
	hashes, said := putTurns(t, s, "a", 6)
	want, err := Messages(s, &Recent{}).After(t.Context(), 0, 100)
	if err != nil || len(want) != 6 {
		t.Fatalf("%d entries, %v", len(want), err)
	}
	for _, have := range [][]int{{0, 1, 2, 3, 4, 5}, {0, 3}, {5}, {2, 2}} {
		var r Recent
		for _, i := range have {
			r.Put(session.Turns{}.Name(), hashes[i], 10, said[i])
		}
		got, err := Messages(s, &r).After(t.Context(), 0, 100)
		if err != nil || !slices.EqualFunc(want, got, func(a, b Entry) bool {
			return a.Seq == b.Seq && a.Rev == b.Rev && a.Gone == b.Gone && slices.Equal(a.text, b.text) && slices.Equal(a.Labels, b.Labels) && a.Time.Equal(b.Time)
		}) {
			t.Errorf("with %v at hand:\n%+v\nwant\n%+v\n%v", have, got, want, err)
		}
		if r.Len() != 0 || r.size != 0 {
			t.Errorf("with %v at hand: %d messages of %d bytes are left", have, r.Len(), r.size)
		}
	}
}

// TestRecentErased: what was erased is not indexed, though it is at hand.
func TestRecentErased(t *testing.T) {
	s := openStore(t)
	hashes, said := putTurns(t, s, "a", 2)
	var r Recent
	for i := range hashes {
		r.Put(session.Turns{}.Name(), hashes[i], 10, said[i])
	}
	r.Put("claude-code", hashes[0], 10, said[0]) // another format is another message
	x, err := s.SessionByID(t.Context(), "a", 1)
	if err != nil || len(x) != 1 {
		t.Fatal(x, err)
	}
	if err := s.Write(t.Context(), func(tx *store.Tx) error {
		_, _, err := tx.ForgetSession(x[0].Seq, made, false)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	got, err := Messages(s, &r).After(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range got {
		if !e.Gone {
			t.Errorf("message %d is indexed with %q", e.Seq, e.text)
		}
	}
}

// TestRecentBound: what nobody takes does not pile up.
func TestRecentBound(t *testing.T) {
	var r Recent
	for i := range 5 {
		r.Put("turns", [32]byte{byte(i)}, maxRecent/2, &session.Message{})
	}
	if r.Len() > 2 || r.size > maxRecent {
		t.Errorf("%d messages of %d bytes are kept", r.Len(), r.size)
	}
}

// TestFollowAtHand: a writer waits for an index that is far behind only if what
// it lacks is at hand.
func TestFollowAtHand(t *testing.T) {
	for _, atHand := range []bool{false, true} {
		s := openStore(t)
		var r Recent
		x := NewIndexer(t.TempDir(), "test", Messages(s, &r), make(chan struct{}, 1), slog.New(slog.DiscardHandler))
		if err := x.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		n := followNow + followBatch + 7
		hashes, said := putTurns(t, s, "a", n)
		if atHand {
			for i := range hashes {
				r.Put(session.Turns{}.Name(), hashes[i], 10, said[i])
			}
		}
		x.Follow(t.Context())
		index, err := x.Ready()
		if err != nil {
			t.Fatal(err)
		}
		if got := int(index.Seq()); (got == n) != atHand {
			t.Errorf("at hand: %v; the index is at message %d of %d", atHand, got, n)
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}
