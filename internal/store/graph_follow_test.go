package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"chitta/internal/graph"
)

// raceChecks is how many random cases run under the race detector, which makes
// the database slow and finds nothing in tests of one goroutine.
const raceChecks = 10

func checkLess(t *testing.T, prop func(*rapid.T)) {
	t.Helper()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		if n++; !raceEnabled || n <= raceChecks {
			prop(rt)
		}
	})
}

// follow applies everything after a change to a net, in small steps.
func (f *facts) follow(n *graph.Net, rev int64) int64 {
	f.Helper()
	for {
		list, err := f.TriplesAfter(context.Background(), rev, 3)
		if err != nil {
			f.Fatal(err)
		}
		if len(list) == 0 {
			return rev
		}
		for _, x := range list {
			n.Apply(graph.Change{Gone: x.Gone, Triple: graph.Triple{Seq: x.Seq, Realm: x.Realm, Subject: x.SubjectKey, Predicate: x.Predicate, Object: x.ObjectKey,
				Confidence: x.Confidence, ValidFrom: x.ValidFrom, ValidUntil: x.ValidUntil}})
			rev = x.Rev
		}
	}
}

// change does one random thing to the graph. What is refused changes nothing.
func (f *facts) change(rt *rapid.T) {
	name := func(label string) string { return string(rune('a' + rapid.IntRange(0, 4).Draw(rt, label))) }
	a, b := f.concept(name("one")), f.concept(name("other"))
	at := rapid.IntRange(0, 6).Draw(rt, "day")
	op := rapid.SampledFrom([]string{"assert", "assert", "assert", "assert", "close", "merge", "rename", "erase"}).Draw(rt, "op")
	err := f.Write(context.Background(), func(tx *Tx) error {
		switch op {
		case "assert":
			f.ids++
			x := Assertion{ID: fmt.Sprintf("t_%05d", f.ids), Subject: a.Seq, Object: b.Seq, Predicate: rapid.SampledFrom([]string{"causes", "has_status"}).Draw(rt, "predicate"),
				Symmetric: rapid.Bool().Draw(rt, "symmetric"), Evidence: Evidence{Confidence: rapid.Float64Range(0, 1).Draw(rt, "confidence"),
					ValidFrom: day(at), At: day(at), Job: rapid.SampledFrom([]string{"", "j1", "j2"}).Draw(rt, "job"), Memory: rapid.SampledFrom([]string{"", "m_1"}).Draw(rt, "memory")}}
			x.Functional = x.Predicate == "has_status"
			if rapid.Bool().Draw(rt, "ended") {
				x.ValidUntil = day(rapid.IntRange(0, 8).Draw(rt, "until"))
			}
			if rapid.IntRange(0, 4).Draw(rt, "supersede") == 0 {
				x.Supersedes = fmt.Sprintf("t_%05d", f.ids-1)
			}
			_, _, err := tx.Assert(x)
			return err
		case "close":
			return tx.CloseTriple(fmt.Sprintf("t_%05d", rapid.IntRange(max(0, f.ids-5), f.ids).Draw(rt, "which")), day(at))
		case "merge":
			_, err := tx.MergeConcepts(a.Seq, b.Seq)
			return err
		case "rename":
			to := name("name")
			return tx.RenameConcept(a.Seq, to, to)
		}
		_, err := tx.EraseEvidence(EvidenceFilter{Job: rapid.SampledFrom([]string{"j1", "j2"}).Draw(rt, "erased")})
		return err
	})
	var refused *FactError
	if err != nil && !errors.As(err, &refused) && !errors.Is(err, ErrNotFound) {
		rt.Fatalf("%s: %v", op, err)
	}
}

// TestNetFollows: whatever is done to the graph, its invariants hold, and a net
// that follows the changes shows what the store shows.
func TestNetFollows(t *testing.T) {
	f := newFacts(t)
	net, rev := graph.NewNet(), int64(0)
	checkLess(t, func(rt *rapid.T) {
		f.ids++
		f.realm = fmt.Sprint("p_", f.ids+1)
		putRealm(t, f.Store, f.realm)
		for range rapid.IntRange(1, 15).Draw(rt, "changes") {
			f.change(rt)
		}
		if problems, err := f.Check(context.Background()); err != nil || len(problems) > 0 {
			rt.Fatalf("%v %v", problems, err)
		}
		rev = f.follow(net, rev)
		for d := range 8 {
			list, err := f.Triples(context.Background(), TripleFilter{Realms: []string{f.realm}, AsOf: day(d)})
			if err != nil {
				rt.Fatal(err)
			}
			want, got := []string{}, []string{}
			for _, x := range list {
				want = append(want, fmt.Sprint(x.Seq, x.SubjectKey, x.Predicate, x.ObjectKey, x.Confidence))
			}
			for _, x := range net.Match(graph.View{Realms: []string{f.realm}, At: day(d)}, graph.Pattern{}, 0) {
				got = append(got, fmt.Sprint(x.Seq, x.Subject, x.Predicate, x.Object, x.Confidence))
			}
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				rt.Fatalf("day %d: %s", d, diff)
			}
		}
	})
}
