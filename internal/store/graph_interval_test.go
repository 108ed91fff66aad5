package store

import (
	"strings"
	"testing"
)

func until(n int) func(*Assertion) { return func(a *Assertion) { a.ValidUntil = day(n) } }

// TestFutureEnd: a fact whose end is known but has not come holds like any
// other: it is strengthened, replaced and ended.
func TestFutureEnd(t *testing.T) {
	f := newFacts(t)
	f.say("x", "has_value", "a", 0, functional, until(100))
	if y, o := f.say("x", "has_value", "a", 1, functional); o != Strengthened || !y.ValidUntil.Equal(day(100)) {
		t.Errorf("said again: %s %s", o, shown([]Triple{y}))
	}
	if y, o := f.say("x", "has_value", "a", 2, functional, until(90)); o != Strengthened || !y.ValidUntil.Equal(day(90)) {
		t.Errorf("said again with another end: %s %s", o, shown([]Triple{y}))
	}
	b, _ := f.say("x", "has_value", "b", 5, functional)
	f.expect("replaced", TripleFilter{}, "x has_value a [0,5)", "x has_value b [5,)")
	f.expect("holding", TripleFilter{HoldsAfter: day(5)}, "x has_value b [5,)")
	f.write(func(tx *Tx) error { _, err := tx.EraseEvidence(EvidenceFilter{Triple: b.ID}); return err })
	f.expect("what ended it is taken back", TripleFilter{}, "x has_value a [0,100)")

	c, _ := f.say("p", "causes", "q", 0, until(100))
	f.write(func(tx *Tx) error { return tx.CloseTriple(c.ID, day(3)) })
	f.expect("ended early", TripleFilter{Predicates: []string{"causes"}}, "p causes q [0,3)")
	old, _ := f.say("p", "requires", "q", 0, until(100))
	f.say("p", "requires", "r", 4, func(a *Assertion) { a.Supersedes = old.ID })
	f.expect("superseded early", TripleFilter{Predicates: []string{"requires"}}, "p requires q [0,4)", "p requires r [4,)")
	again := Assertion{ID: "t_again", Subject: f.concept("p").Seq, Object: f.concept("s").Seq, Predicate: "requires", Supersedes: old.ID,
		Evidence: Evidence{Confidence: 0.5, ValidFrom: day(6), At: day(6)}}
	err := f.Write(t.Context(), func(tx *Tx) error { _, _, err := tx.Assert(again); return err })
	if err == nil || !strings.Contains(err.Error(), "ended already") {
		t.Errorf("superseding what has ended: %v", err)
	}
}

// TestWeakEndsNothing: a guess does not end what is far surer, nor what was
// mined what somebody said; both stand.
func TestWeakEndsNothing(t *testing.T) {
	sure := func(c float64, job string) func(*Assertion) {
		return func(a *Assertion) { a.Confidence, a.Job = c, job }
	}
	for name, c := range map[string]struct {
		first, second func(*Assertion)
		ends          bool
	}{
		"as sure":              {sure(0.9, ""), sure(0.9, ""), true},
		"half as sure":         {sure(0.9, ""), sure(0.45, ""), true},
		"less":                 {sure(0.9, ""), sure(0.4, ""), false},
		"mined against stated": {sure(0.5, ""), sure(0.9, "j"), false},
		"mined against mined":  {sure(0.5, "j"), sure(0.9, "j"), true},
		"stated against mined": {sure(0.5, "j"), sure(0.9, ""), true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFacts(t)
			f.say("x", "has_value", "a", 0, functional, c.first)
			f.say("x", "has_value", "b", 5, functional, c.second)
			first := "x has_value a [0,)"
			if c.ends {
				first = "x has_value a [0,5)"
			}
			f.expect("both", TripleFilter{}, first, "x has_value b [5,)")
		})
	}
}

// TestAsIs: records of another place keep their times and end nothing.
func TestAsIs(t *testing.T) {
	f := newFacts(t)
	asIs := func(a *Assertion) { a.AsIs = true }
	f.say("x", "has_value", "a", 0, functional)
	f.say("x", "has_value", "b", 5, functional, asIs)
	f.say("x", "has_value", "a", 1, functional, asIs, until(3))
	f.expect("as they are", TripleFilter{}, "x has_value a [0,)", "x has_value b [5,)", "x has_value a [1,3)")
	if _, o := f.say("x", "has_value", "b", 5, functional, asIs); o != Strengthened {
		t.Errorf("the same again: %s", o)
	}
}

// TestWithdraw: what a memory states no more ends, and is the same fact when the
// memory states it again; what somebody ended stays ended.
func TestWithdraw(t *testing.T) {
	f := newFacts(t)
	memory := func(a *Assertion) { a.Memory = "m_1" }
	withdraw := func(id string, at int) {
		t.Helper()
		f.write(func(tx *Tx) error { return tx.Withdraw(id, "m_1", day(at)) })
	}
	f.say("go", "has_version", "1", 0, functional)
	two, _ := f.say("go", "has_version", "2", 5, functional, memory)
	withdraw(two.ID, 7)
	f.expect("what it had ended holds again", TripleFilter{}, "go has_version 1 [0,)", "go has_version 2 [5,7)")
	if x, o := f.say("go", "has_version", "2", 9, functional, memory); o != Resumed || x.ID != two.ID {
		t.Errorf("%s %s", o, shown([]Triple{x}))
	}
	f.expect("as before", TripleFilter{}, "go has_version 1 [0,5)", "go has_version 2 [5,)")

	other, _ := f.say("a", "causes", "b", 0, memory)
	f.say("a", "causes", "b", 1)
	withdraw(other.ID, 3)
	f.expect("said by another", TripleFilter{Predicates: []string{"causes"}}, "a causes b [1,)")

	gone, _ := f.say("c", "requires", "d", 0, memory)
	f.write(func(tx *Tx) error { return tx.CloseTriple(gone.ID, day(2)) })
	withdraw(gone.ID, 3)
	if x, o := f.say("c", "requires", "d", 4, memory); o != StaysEnded || !x.ValidUntil.Equal(day(2)) {
		t.Errorf("%s %s", o, shown([]Triple{x}))
	}
	withdraw(two.ID, 10)
	f.write(func(tx *Tx) error { _, err := tx.EraseEvidence(EvidenceFilter{Memory: "m_1"}); return err })
	f.expect("erased", TripleFilter{}, "go has_version 1 [0,)", "a causes b [1,)")
	if problems, err := f.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
}
