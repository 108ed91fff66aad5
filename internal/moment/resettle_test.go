package moment

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chitta/internal/mind"
	"chitta/internal/store"
)

// TestForgottenIsNotTold: what was forgotten, rejected or corrected is not told
// by way of what a session was summed up to.
func TestForgottenIsNotTold(t *testing.T) {
	for _, way := range []string{"forget", "erase", "reject", "correct"} {
		t.Run(way, func(t *testing.T) {
			h := newHouse(t)
			s := h.talk("s1")
			s.event(SessionStart)
			s.asks("Always use the okapi library for reports in this project.")
			s.edits("report.go")
			s.says("The report uses it now.")
			s.event(Stop)
			s.event(SessionEnd)
			h.rounds()
			told := func() string { return h.talk("s2").event(SessionStart).Context }
			if !strings.Contains(told(), "okapi") {
				t.Fatalf("it is not told at first: %s", told())
			}
			person := mind.Caller{Actor: mind.ActorCLI}
			for _, m := range tagged(h.memories("s1"), "preference") {
				var err error
				switch way {
				case "forget", "erase":
					_, err = h.mind.Forget(t.Context(), person, mind.ForgetInput{ID: m.ID, Now: way == "erase"})
				case "reject":
					_, err = h.mind.Reject(t.Context(), person, mind.ReasonInput{ID: m.ID})
				case "correct":
					_, err = h.mind.Correct(t.Context(), person, mind.CorrectInput{ID: m.ID, Content: "reports are made with the standard library"})
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			ledger := func() string {
				rows, err := h.store.Ledgers(t.Context(), store.LedgerFilter{Session: "s1", Limit: 10})
				if err != nil {
					t.Fatal(err)
				}
				text := ""
				for _, r := range rows {
					text += r.State
				}
				return text
			}
			if way == "erase" && strings.Contains(ledger(), "okapi") {
				t.Errorf("erased, and still written down: %s", ledger())
			}
			h.rounds()
			if got := h.talk("s3").event(SessionStart).Context; strings.Contains(got, "The user wants") && strings.Contains(got, "okapi") {
				t.Errorf("told all the same: %s", got)
			}
		})
	}
}

// TestAgentsReadTheirOwnLedger: what was asked in another project is none of
// theirs, whatever they name.
func TestAgentsReadTheirOwnLedger(t *testing.T) {
	h := newHouse(t)
	there := mind.Caller{Actor: mind.ActorCLI, Cwd: t.TempDir()}
	other, err := h.LedgerSave(t.Context(), there, LedgerSaveInput{LedgerState: LedgerState{Summary: "about the okapi"}})
	if err != nil {
		t.Fatal(err)
	}
	agent := mind.Caller{Actor: "mcp", Cwd: h.home + "/project"}
	if got, err := h.LedgerList(t.Context(), agent, LedgerListInput{Realm: "all"}); err == nil && len(got.Ledgers) > 0 {
		t.Errorf("all: %+v", got)
	}
	if got, err := h.LedgerLoad(t.Context(), agent, LedgerLoadInput{Realm: other.Realm}); err == nil {
		t.Errorf("by realm: %+v", got)
	}
	if got, err := h.LedgerGet(t.Context(), agent, LedgerInput{ID: other.ID}); err == nil {
		t.Errorf("by id: %+v", got)
	}
	if got, err := h.LedgerGet(t.Context(), there, LedgerInput{ID: other.ID}); err != nil || got.State.Summary == "" {
		t.Errorf("a person: %+v %v", got, err)
	}
}

// TestSessionChangesProject: a session that goes on in another project is told
// what is known there, and what it teaches there stays there.
func TestSessionChangesProject(t *testing.T) {
	h := newHouse(t)
	alpha, beta := t.TempDir(), t.TempDir()
	person := mind.Caller{Actor: mind.ActorCLI, Cwd: alpha}
	if _, err := h.mind.Remember(t.Context(), person, mind.RememberInput{Content: "always use the okapi library here", Kind: "preference"}); err != nil {
		t.Fatal(err)
	}
	at := func(name, dir string) Answer {
		return h.attend(Event{Name: name, Session: "s1", Cwd: dir, Source: "clear"})
	}
	if got := at(SessionStart, alpha).Context; !strings.Contains(got, "okapi") {
		t.Errorf("in its own project: %q", got)
	}
	for _, name := range []string{SubagentStart, SessionStart} {
		if got := at(name, beta).Context; strings.Contains(got, "okapi") {
			t.Errorf("%s in another project: %q", name, got)
		}
	}
	if got := at(SubagentStart, alpha).Context; !strings.Contains(got, "okapi") {
		t.Errorf("back again: %q", got)
	}
	// a directory that is gone belongs to the session's project
	if got := at(SubagentStart, filepath.Join(beta, "gone")).Context; !strings.Contains(got, "okapi") {
		t.Errorf("where there is nothing: %q", got)
	}
}

// TestClockThatWasWrong: one event far in the future does not keep a session
// from being summed up.
func TestClockThatWasWrong(t *testing.T) {
	h := newHouse(t)
	h.attend(Event{Name: SessionStart, Session: "s1"})
	h.wait(365 * 24 * time.Hour)
	h.attend(Event{Name: Stop, Session: "s1"})
	h.wait(-365 * 24 * time.Hour)
	h.attend(Event{Name: Stop, Session: "s1"})
	if err := h.save(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.wait(idleAfter + time.Second)
	due, err := h.store.VisitsDue(t.Context(), h.mind.Now().Add(-idleAfter), 10)
	if err != nil || len(due) != 1 {
		t.Errorf("%+v %v", due, err)
	}
}
