package store

import (
	"testing"
	"time"
)

// TestAnchorsAreKept: a hash takes the place of an earlier one, none does not,
// and what is marked is so unless it was taken anew meanwhile.
func TestAnchorsAreKept(t *testing.T) {
	s := openTest(t)
	r := testRecord(1)
	write := func(fn func(tx *Tx) error) {
		t.Helper()
		if err := s.Write(t.Context(), fn); err != nil {
			t.Fatal(err)
		}
	}
	write(func(tx *Tx) error {
		if err := tx.Insert(&r); err != nil {
			return err
		}
		return tx.AddChange(Change{Memory: r.ID, At: testTime, Actor: "test", Op: "remember"})
	})
	only := func() Anchor {
		t.Helper()
		all, err := s.AnchorsOf(t.Context(), []int64{r.Seq})
		if err != nil || len(all[r.Seq]) != 1 {
			t.Fatal(all, err)
		}
		return all[r.Seq][0]
	}
	at := time.UnixMilli(1_700_000_000_000).UTC()
	first := Anchor{Memory: r.Seq, Path: "a.go", Symbol: "f", Hash: "1:aa", Revision: "c0", Signature: "func f()", Taken: at, Named: NamedText}
	write(func(tx *Tx) error { return tx.AddAnchors(first) })
	if got := only(); got != first {
		t.Errorf("%+v", got)
	}
	write(func(tx *Tx) error {
		return tx.AddAnchors(Anchor{Memory: r.Seq, Path: "a.go", Symbol: "f", Named: NamedGiven})
	})
	want := first
	want.Named = NamedGiven
	if got := only(); got != want {
		t.Errorf("without a hash: %+v", got)
	}
	write(func(tx *Tx) error { return tx.MarkAnchor(want, "1:aa::s", want.Signature) })
	to := want
	to.Hash = "1:aa::s"
	if got := only(); got != to {
		t.Errorf("marked: %+v", got)
	}
	again := to
	again.Hash, again.Taken = "1:bb", at.Add(time.Hour)
	write(func(tx *Tx) error { return tx.AddAnchors(again) })
	write(func(tx *Tx) error { return tx.MarkAnchor(to, "1:aa", "func g()") })
	if got := only(); got != again {
		t.Errorf("taken anew: %+v", got)
	}
	if list, err := s.AnchoredMemories(t.Context(), r.Realm, 0, 10); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
	if list, err := s.AnchoredMemories(t.Context(), "p_other", 0, 10); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
	write(func(tx *Tx) error { return tx.DropAnchors(again) })
	if list, err := s.AnchoredMemories(t.Context(), "", 0, 10); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
}
