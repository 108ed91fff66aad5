package follow

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	facts "chitta/internal/graph"
	"chitta/internal/store"
)

// putTriples stores facts "from causes from+1" and so on.
func putTriples(t *testing.T, s *store.Store, from, n int) {
	t.Helper()
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		for i := from; i < from+n; i++ {
			a, b := concept(i), concept(i+1)
			for _, c := range []*store.Concept{&a, &b} {
				if _, err := tx.EnsureConcept(c); err != nil {
					return err
				}
			}
			_, _, err := tx.Assert(store.Assertion{ID: fmt.Sprintf("t_%07d", i), Subject: a.Seq, Object: b.Seq, Predicate: "causes",
				Evidence: store.Evidence{Confidence: 0.5, ValidFrom: made, At: made}})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func concept(i int) store.Concept {
	name := fmt.Sprint("c.", i)
	return store.Concept{Realm: testRealm, Name: name, Key: name, Confidence: 0.5, Created: made}
}

func newTestNet(t *testing.T, s *store.Store) (n *Net, wake chan struct{}) {
	t.Helper()
	wake = make(chan struct{}, 1)
	n = NewNet(s, wake, slog.New(slog.DiscardHandler))
	n.atStart, n.batch = 20, 8 // as if a few were many
	if err := n.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	return n, wake
}

func TestNetFollowsWrites(t *testing.T) {
	s := openStore(t)
	putTriples(t, s, 0, 3)
	n, _ := newTestNet(t, s)
	net, ready := n.Net()
	if !ready || net.Len() != 3 || n.Behind() != 0 {
		t.Fatalf("%d triples, ready %v, %d behind", net.Len(), ready, n.Behind())
	}
	putTriples(t, s, 3, 2)
	n.Follow(t.Context())
	if got := net.Match(facts.View{}, facts.Pattern{Subject: "c.4"}, 0); len(got) != 1 || got[0].Object != "c.5" || got[0].Realm != testRealm {
		t.Errorf("%+v", got)
	}
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.CloseTriple("t_0000001", made.AddDate(0, 0, 1)); err != nil {
			return err
		}
		_, err := tx.EraseEvidence(store.EvidenceFilter{Triple: "t_0000004"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	n.Follow(t.Context())
	if got := net.Match(facts.View{At: made.AddDate(0, 0, 2)}, facts.Pattern{}, 0); len(got) != 3 || net.Len() != 4 {
		t.Errorf("%d hold, %d in all", len(got), net.Len())
	}
	if last, err := s.LastTripleRev(t.Context()); err != nil || n.Rev() != last {
		t.Errorf("at %d of %d, %v", n.Rev(), last, err)
	}
}

func TestNetLoadsInTheBackground(t *testing.T) {
	s := openStore(t)
	const many = 40
	putTriples(t, s, 0, many)
	n, wake := newTestNet(t, s)
	if net, ready := n.Net(); ready || net.Len() != 0 || n.Behind() != many {
		t.Fatalf("the start waited: %d triples, ready %v, %d behind", net.Len(), ready, n.Behind())
	}
	n.Follow(t.Context())
	if _, ready := n.Net(); ready || len(wake) != 1 {
		t.Errorf("a writer waited, or nobody was told")
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := n.Maintain(stopped); err == nil {
		t.Error("it goes on after it was stopped")
	}
	if err := n.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if net, ready := n.Net(); !ready || net.Len() != many || n.Behind() != 0 {
		t.Errorf("%d triples, ready %v, %d behind", net.Len(), ready, n.Behind())
	}
}
