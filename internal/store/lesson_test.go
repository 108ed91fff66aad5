package store

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestLessons(t *testing.T) {
	s := openTest(t)
	put := func(l Lesson) {
		t.Helper()
		if err := s.Write(t.Context(), func(tx *Tx) error { return tx.PutLesson(l) }); err != nil {
			t.Fatal(err)
		}
	}
	put(Lesson{"s1", "k1", "m_1", "h1"})
	put(Lesson{"s1", "k2", "", ""})
	put(Lesson{"s2", "k1", "m_2", "h2"})
	put(Lesson{"s1", "k1", "m_1", "h3"})
	err := s.Write(t.Context(), func(tx *Tx) error {
		if l, ok, err := tx.Lesson("s1", "k1"); err != nil || !ok || l != (Lesson{"s1", "k1", "m_1", "h3"}) {
			t.Errorf("%+v %v %v", l, ok, err)
		}
		_, ok, err := tx.Lesson("s1", "k9")
		if ok {
			t.Error("a lesson that was never put")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if all, err := s.Lessons(t.Context(), "s1"); err != nil || len(all) != 2 || all["k2"].Memory != "" {
		t.Errorf("%v %v", all, err)
	}
}

// TestTurnsAfter: turns by thread, in the order they began, with the one before.
func TestTurnsAfter(t *testing.T) {
	s := openTest(t)
	x := Session{ID: "s1", Source: "claude-code", Realm: "p_1"}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	place := []struct {
		agent string
		turn  int64
	}{{"", 1}, {"", 1}, {"a", 1}, {"a", 1}, {"", 1}, {"", 2}, {"", 2}}
	err := s.Write(t.Context(), func(tx *Tx) error {
		x.Messages = len(place)
		if err := tx.PutSession(&x); err != nil {
			return err
		}
		for i, p := range place {
			m := Message{Session: x.Seq, Position: int64(i), ID: fmt.Sprint("m", i), Agent: p.agent, Turn: p.turn, Time: at.Add(time.Duration(i) * time.Second), Raw: []byte("{}")}
			if err := tx.AddMessage(&m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.TurnsAfter(t.Context(), x.Seq, 0)
	want := []TurnSpan{
		{Agent: "", Turn: 1, First: 0, Last: 4, FirstSeq: 1, LastSeq: 5, Began: at, Before: -1, Through: -1},
		{Agent: "a", Turn: 1, First: 2, Last: 3, FirstSeq: 3, LastSeq: 4, Began: at.Add(2 * time.Second), Before: -1, Through: -1},
		{Agent: "", Turn: 2, First: 5, Last: 6, FirstSeq: 6, LastSeq: 7, Began: at.Add(5 * time.Second), Before: 0, Through: 4},
	}
	if err != nil || fmt.Sprint(all) != fmt.Sprint(want) {
		t.Errorf("%v %v\nwant %v", all, err, want)
	}
	if some, err := s.TurnsAfter(t.Context(), x.Seq, 4); err != nil || len(some) != 2 || some[1].Before != 0 {
		t.Errorf("%v %v", some, err)
	}
	if none, err := s.TurnsAfter(t.Context(), x.Seq, 7); err != nil || len(none) != 0 {
		t.Errorf("%v %v", none, err)
	}
	said, err := s.ThreadBetween(t.Context(), x.Seq, "", 0, 4, 1<<20)
	if err != nil || len(said) != 3 || said[2].ID != "m4" {
		t.Errorf("%v %v", said, err)
	}
	if said, err := s.ThreadBetween(t.Context(), x.Seq, "", 0, 6, 3); err != nil || len(said) != 2 {
		t.Errorf("%d messages within 3 bytes, %v", len(said), err)
	}
	times, err := s.MessageTimes(t.Context(), x.Seq, []string{"m1", "m9"})
	if err != nil || len(times) != 1 || !times["m1"].Equal(at.Add(time.Second)) {
		t.Errorf("%v %v", times, err)
	}
	if got, err := s.SessionCalled(t.Context(), "claude-code", "s1"); err != nil || got.Seq != x.Seq {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := s.SessionCalled(t.Context(), "turns", "s1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
}
