package store

import (
	"fmt"
	"slices"
	"testing"
)

// mentions returns who names a concept, as OWNER:ITEM, the newest of each owner
// first.
func (f *facts) mentions(c Concept) []string {
	f.Helper()
	list, err := f.Mentioning(f.Context(), []int64{c.Seq}, 10)
	if err != nil {
		f.Fatal(err)
	}
	out := []string{}
	for _, m := range list {
		out = append(out, fmt.Sprintf("%d:%d", m.Owner, m.Item))
	}
	return out
}

func TestMentionsFollowTheirTexts(t *testing.T) {
	f := newFacts(t)
	a, b, c := f.concept("a"), f.concept("b"), f.concept("c")
	chunks := threadOf(t, f.Store, 3)
	set := func(item int64, concepts ...int64) {
		t.Helper()
		f.write(func(tx *Tx) error { return tx.SetMentions(OwnerChunk, item, concepts) })
	}
	set(chunks[0].Seq, a.Seq, b.Seq, a.Seq)
	set(chunks[1].Seq, b.Seq)
	f.write(func(tx *Tx) error { return tx.AddMentions(OwnerChunk, chunks[2].Seq, []int64{b.Seq, c.Seq}) })
	if got := f.mentions(b); !slices.Equal(got, []string{"2:3", "2:2", "2:1"}) {
		t.Errorf("b: %v", got)
	}
	if got, err := f.Mentioning(t.Context(), []int64{b.Seq}, 2); err != nil || len(got) != 2 || got[0].Item != chunks[2].Seq {
		t.Errorf("the newest: %v %v", got, err)
	}
	if got, err := f.MentionsOf(t.Context(), OwnerChunk, []int64{1, 2}); err != nil || fmt.Sprint(got) != fmt.Sprint(map[int64][]int64{1: {a.Seq, b.Seq}, 2: {b.Seq}}) {
		t.Errorf("%v %v", got, err)
	}
	set(chunks[0].Seq, b.Seq) // a goes: nothing speaks of it
	f.write(func(tx *Tx) error { return tx.DropChunk(chunks[2].Seq) })
	n, err := f.CountGraph(t.Context(), nil)
	if err != nil || n.Concepts != 1 {
		t.Errorf("%+v %v", n, err)
	}
	f.write(func(tx *Tx) error {
		standing, err := tx.Standing([]int64{1, 2, 3, 9})
		if fmt.Sprint(standing) != "map[1:true 2:true]" {
			t.Errorf("standing: %v", standing)
		}
		return err
	})
	if got, err := f.CountMentions(t.Context()); err != nil || got[OwnerChunk] != 2 || got[OwnerMemory] != 0 {
		t.Errorf("%v %v", got, err)
	}
	f.write(func(tx *Tx) error { return tx.ClearMentions() })
	if n, err := f.CountGraph(t.Context(), nil); err != nil || n.Concepts != 0 {
		t.Errorf("cleared: %+v %v", n, err)
	}
}

func TestMergedConceptsShareMentions(t *testing.T) {
	f := newFacts(t)
	a, b := f.concept("a"), f.concept("b")
	threadOf(t, f.Store, 2)
	f.write(func(tx *Tx) error {
		if err := tx.SetMentions(OwnerChunk, 1, []int64{a.Seq, b.Seq}); err != nil {
			return err
		}
		return tx.SetMentions(OwnerChunk, 2, []int64{a.Seq})
	})
	f.write(func(tx *Tx) error {
		_, err := tx.MergeConcepts(a.Seq, b.Seq)
		return err
	})
	if got := f.mentions(b); !slices.Equal(got, []string{"2:2", "2:1"}) {
		t.Errorf("%v", got)
	}
	if problems, err := f.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
}

// TestForgettingTakesWhatWasFound: facts that a run found in a conversation go
// with it, those that were stated in it stay.
func TestForgettingTakesWhatWasFound(t *testing.T) {
	f := newFacts(t)
	chunks := threadOf(t, f.Store, 1)
	f.say("a", "causes", "b", 0, func(a *Assertion) { a.Session, a.Message, a.Job = "s", "1", "mine_1" })
	f.say("c", "causes", "d", 0, func(a *Assertion) { a.Session = "s" })
	f.say("e", "causes", "f", 0, func(a *Assertion) { a.Session, a.Job = "other", "mine_1" })
	f.write(func(tx *Tx) error {
		_, _, err := tx.ForgetSession(chunks[0].Session, testTime, true)
		return err
	})
	left, err := f.Triples(t.Context(), TripleFilter{})
	if err != nil || len(left) != 2 || left[0].SubjectName != "c" || left[1].SubjectName != "e" {
		t.Errorf("%v %v", shown(left), err)
	}
	f.write(func(tx *Tx) error {
		if _, err := tx.EraseEvidence(EvidenceFilter{Mined: true}); err == nil {
			t.Error("all that was ever found could be erased at once")
		}
		return nil
	})
}

func TestLinksComeInTheOrderOfWhereTheyLead(t *testing.T) {
	f := newFacts(t)
	threadOf(t, f.Store, 5)
	f.write(func(tx *Tx) error {
		for _, e := range []Edge{{1, 2, "topic", 0.9}, {1, 4, "topic", 0.4}, {2, 5, "topic", 0.7}, {1, 3, "spawn", 1}} {
			if err := tx.PutEdge(e); err != nil {
				return err
			}
		}
		return nil
	})
	for after, want := range map[int64]string{0: "[{1 2 topic 0.9} {2 5 topic 0.7}]", 2: "[{2 5 topic 0.7}]", 5: "[]"} {
		if got, err := f.LinksAfter(t.Context(), "topic", 0.5, after, 10); err != nil || fmt.Sprint(got) != want {
			t.Errorf("after %d: %v %v", after, got, err)
		}
	}
}
