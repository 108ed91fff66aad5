package moment

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"chitta/internal/mind"
	"chitta/internal/store"
)

// TestVisitSurvivesACrash: that a session is under way is known from its first
// event on, whenever the process ends.
func TestVisitSurvivesACrash(t *testing.T) {
	h := newHouse(t)
	h.attend(Event{Name: SessionStart, Session: "s1", Transcript: "/tmp/s1.jsonl"})
	began := h.now()
	h.again()
	v := h.visit("s1")
	if !v.Began.Equal(began) || !v.Sunset.Before(v.Seen) || v.Transcript != "/tmp/s1.jsonl" || v.Realm == "" {
		t.Errorf("%+v", v)
	}
	// later events are written down with the next round
	h.wait(time.Minute)
	h.attend(Event{Name: PostToolUse, Session: "s1"})
	if err := h.save(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v := h.visit("s1"); !v.Seen.Equal(h.now()) || !v.Began.Equal(began) || v.Transcript == "" {
		t.Errorf("%+v", v)
	}
	// one that was summed up and goes on is open again at once
	if err := h.change(t.Context(), "s1", func(v *store.Visit) { v.Sunset = v.Seen }); err != nil {
		t.Fatal(err)
	}
	h.again()
	h.wait(time.Minute)
	h.attend(Event{Name: UserPromptSubmit, Session: "s1"})
	if v := h.visit("s1"); !v.Sunset.Before(v.Seen) {
		t.Errorf("a session that goes on does not count as open: %+v", v)
	}
}

func TestVisitsWithAClockGoingBackwards(t *testing.T) {
	h := newHouse(t)
	h.attend(Event{Name: SessionStart, Session: "s1"})
	first := h.visit("s1").Seen
	h.wait(-clockTrust / 2)
	h.attend(Event{Name: Stop, Session: "s1"})
	if err := h.save(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v := h.visit("s1"); !v.Seen.After(first) {
		t.Errorf("the later event counts as earlier: %v after %v", v.Seen, first)
	}
}

func TestEventsThatMeanNothing(t *testing.T) {
	h := newHouse(t)
	for _, e := range []Event{{Name: "SomethingNew", Session: "s1"}, {Name: Stop}, {}} {
		if a := h.attend(e); a.Outcome != Ignored || a.Context != "" {
			t.Errorf("%+v: %+v", e, a)
		}
	}
	if open, err := h.store.VisitsOpen(t.Context(), 10); err != nil || len(open) != 0 {
		t.Errorf("%v %v", open, err)
	}
}

// TestGivenIsRememberedAcrossProcesses: an agent is not handed the same twice
// because the daemon was restarted, and again after its context was emptied.
func TestGivenIsRememberedAcrossProcesses(t *testing.T) {
	h := newHouse(t)
	h.attend(Event{Name: SessionStart, Session: "s1"})
	e := Event{Name: UserPromptSubmit, Session: "s1"}
	h.give("s1", []string{"m_1"}, false)
	h.meter.note(h.now(), 0, "", &e, &Answer{Outcome: Injected, Context: "x", Items: []string{"m_1"}})
	if err := h.save(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.again()
	h.attend(Event{Name: PostToolUse, Session: "s1"})
	if !h.wasGiven("s1", "m_1") || h.wasGiven("s1", "m_2") || h.wasGiven("s2", "m_1") {
		t.Error("what was given is not known after a restart")
	}
	h.give("s1", []string{"m_2"}, true)
	if h.wasGiven("s1", "m_1") || !h.wasGiven("s1", "m_2") {
		t.Error("a new context holds nothing of the old one")
	}
}

func TestManySessionsAtOnce(t *testing.T) {
	h := newHouse(t)
	var wg sync.WaitGroup
	for s := range 20 {
		wg.Go(func() {
			for range 10 {
				for _, name := range []string{SessionStart, PostToolUse, Stop} {
					if _, err := h.Attend(t.Context(), mind.Caller{}, Event{Name: name, Session: fmt.Sprint("s", s), Cwd: h.home}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	out, err := h.Cost(t.Context(), mind.Caller{}, CostInput{})
	if err != nil || out.Calls != 600 || out.Sessions != 20 {
		t.Errorf("%d calls in %d sessions, %v", out.Calls, out.Sessions, err)
	}
}
