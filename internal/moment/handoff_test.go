package moment

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/past"
	"chitta/internal/store"
)

// sectionOf returns a part of a brief.
func sectionOf(text, title string) string {
	_, rest, ok := strings.Cut(text, "\n## "+title+"\n\n")
	if !ok {
		return ""
	}
	part, _, _ := strings.Cut(rest, "\n## ")
	return part
}

// TestHandoffOfAProject tells what holds and is open from all sessions, each
// thing once and where it belongs; a session of questions hides nothing.
func TestHandoffOfAProject(t *testing.T) {
	h := newHouse(t)
	first := h.past("aaaaaaaa-1", "The total is wrong when the list is empty, please repair it. From now on always run the tests with -race.", "total.go",
		"It was off by one.\n\nNext steps:\n- write the variables file for staging")
	h.wait(24 * time.Hour)
	second := h.past("bbbbbbbb-1", "The report has no title when it is printed, please give it one", "report.go", "It has one now.")
	second.asks("We'll go with one rounding rule everywhere because auditors compare reports.")
	second.says("Noted.")
	h.wait(24 * time.Hour)
	questions := h.talk("cccccccc-1")
	questions.asks("How does the exporter know which rows it has written already?")
	questions.says("By the highest number.")
	questions.asks("And what happens to the rows that were deleted meanwhile?")
	questions.says("They stay.")
	h.imports(first, second, questions)
	h.learnsHistory(HistoryInput{})
	c := h.person()
	c.Session = "bbbbbbbb-1"
	for kind, text := range map[string]string{
		"correction": "The user corrected: amounts are integers of cents, never floats",
		"failure":    "A cache in front of the report made it print the title of the report before",
	} {
		if _, err := h.mind.Remember(t.Context(), c, mind.RememberInput{Content: text, Kind: kind, Session: "bbbbbbbb-1"}); err != nil {
			t.Fatal(err)
		}
	}
	h.wait(300 * 24 * time.Hour) // a project that rests forgets nothing
	out, err := h.Handoff(t.Context(), h.person(), HandoffInput{})
	if err != nil {
		t.Fatal(err)
	}
	if out.Session != "bbbbbbbb-1" || !strings.Contains(out.Text, "Last session with work: bbbbbbbb") || !strings.Contains(out.Text, "Since then: session cccccccc") {
		t.Errorf("of session %s:\n%s", out.Session, out.Text)
	}
	for title, want := range map[string]string{
		"Where it stands": "no title", "Left to do": "variables file", "Decided": "one rounding rule", "How it is wanted": "-race",
		"Did not work": "cache in front", "Files": "report.go", "Go on with": "claude --resume bbbbbbbb-1",
	} {
		if !strings.Contains(sectionOf(out.Text, title), want) {
			t.Errorf("%q is not in %s:\n%s", want, title, out.Text)
		}
		if n := strings.Count(out.Text, want); want != "report.go" && n != 1 {
			t.Errorf("%q stands %d times:\n%s", want, n, out.Text)
		}
	}
	if !strings.Contains(sectionOf(out.Text, "How it is wanted"), "integers of cents") || strings.Contains(sectionOf(out.Text, "Did not work"), "integers of cents") {
		t.Errorf("a correction is misfiled:\n%s", out.Text)
	}
	alone, err := h.Handoff(t.Context(), h.person(), HandoffInput{Session: "bbbbbbbb"})
	if err != nil || strings.Contains(alone.Text, "variables file") || strings.Contains(alone.Text, "-race") || !strings.Contains(sectionOf(alone.Text, "Decided"), "one rounding rule") {
		t.Errorf("%v\n%s", err, alone.Text)
	}
}

func TestHandoffOfNothing(t *testing.T) {
	h := newHouse(t)
	_, err := h.Handoff(t.Context(), h.person(), HandoffInput{})
	if err == nil || !strings.HasPrefix(err.Error(), "session of the project in \"") || !strings.HasSuffix(err.Error(), ": not found") {
		t.Errorf("%v", err)
	}
}

// TestHandoffNamesWhereItBegan: there the client finds the session.
func TestHandoffNamesWhereItBegan(t *testing.T) {
	h := newHouse(t)
	s := h.past("aaaaaaaa-1", "The total is wrong when the list is empty, please repair it", "total.go", "It was off by one.")
	below := filepath.Join(h.home, "project", "web")
	s.add("user", "and now the page as well please", map[string]any{"cwd": below})
	h.imports(s)
	r, err := h.mind.SessionResume(t.Context(), h.person(), past.SessionInput{ID: "aaaaaaaa"})
	if err != nil || r.Cwd != filepath.Join(h.home, "project") || r.LastCwd != below || strings.Contains(r.Command, below) {
		t.Errorf("%+v %v", r, err)
	}
}

// TestWhatIsDoneIsClosed: an open end that a later turn sees to is told no more,
// the other one is.
func TestWhatIsDoneIsClosed(t *testing.T) {
	h := newHouse(t)
	s := h.talk("s1")
	s.event(SessionStart)
	s.asks("The total is wrong when the list is empty, please repair it")
	s.edits("total.go")
	s.says("It was off by one. TODO for later:")
	s.event(Stop)
	h.rounds()
	c := mind.Caller{Actor: mind.ActorCLI, Cwd: filepath.Join(h.home, "project"), Session: "s1"}
	for _, text := range []string{"Left to do: write the schema migration for the orders table", "Left to do: wire the checkout to the payment gateway"} {
		if _, err := h.mind.Remember(t.Context(), c, mind.RememberInput{Content: text, Kind: "intention"}); err != nil {
			t.Fatal(err)
		}
	}
	s.event(SessionEnd)
	h.rounds()
	h.wait(time.Hour)
	later := h.talk("s2")
	later.event(SessionStart)
	later.asks("Now write the schema migration for the orders table")
	later.edits("migrations/0007.sql")
	later.runs("go test ./...")
	later.says("The migration is written and the tests pass.")
	later.event(SessionEnd)
	h.rounds()
	open := func() (texts []string) {
		for _, r := range h.memories("") {
			if r.Kind == memory.Intention {
				texts = append(texts, r.Content)
			}
		}
		return texts
	}
	if got := open(); len(got) != 1 || !strings.Contains(got[0], "checkout") {
		t.Errorf("still open: %q", got)
	}
	if problems, err := h.store.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("%+v %v", problems, err)
	}
	holds(t, h.attend(Event{Name: SessionStart, Session: "s3", Source: "startup"}), []string{"checkout"}, "Left to do: write the schema migration")
	out, err := h.Handoff(t.Context(), h.person(), HandoffInput{})
	if err != nil || strings.Contains(sectionOf(out.Text, "Left to do"), "migration") || !strings.Contains(sectionOf(out.Text, "Left to do"), "checkout") {
		t.Errorf("%v\n%s", err, out.Text)
	}
}

// TestOneFailingSunset holds up no other, is tried again less and less often,
// and is in the log once.
func TestOneFailingSunset(t *testing.T) {
	h := newHouse(t)
	var log strings.Builder
	h.Keeper = New(Options{Mind: h.mind, Log: slog.New(slog.NewTextHandler(&log, nil))})
	for _, id := range []string{"bad", "good"} {
		s := h.talk(id)
		s.event(SessionStart)
		s.works("The total is wrong when the list of "+id+" is empty, please repair it", id+".go")
		s.event(SessionEnd)
	}
	if err := h.save(t.Context()); err != nil {
		t.Fatal(err)
	}
	// a saved entry that cannot be read lets the summing up of one fail
	if err := h.store.Write(t.Context(), badLedger("bad", h.visit("bad").Realm, h.now())); err != nil {
		t.Fatal(err)
	}
	next, err := h.round(t.Context())
	if err != nil || len(h.summaries("good")) != 1 || !h.visit("bad").Sunset.IsZero() {
		t.Fatalf("next in %v, %v; %+v", next, err, h.visit("bad"))
	}
	if next < firstRetry-time.Second || next > firstRetry {
		t.Errorf("tried again in %v", next)
	}
	pauses := []time.Duration{}
	for range 12 {
		h.wait(h.retries.wait("bad", h.now()))
		if _, err := h.round(t.Context()); err != nil {
			t.Fatal(err)
		}
		pauses = append(pauses, h.retries.wait("bad", h.now()))
	}
	if pauses[0] != 2*firstRetry || pauses[11] != lastRetry {
		t.Errorf("pauses %v", pauses)
	}
	if n := strings.Count(log.String(), "could not be learned from"); n != 1 {
		t.Errorf("%d times in the log:\n%s", n, log.String())
	}
}

func badLedger(session, realm string, now time.Time) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		return tx.PutLedger(&store.Ledger{ID: "l_bad", Session: session, Realm: realm, Kind: LedgerSaved, State: `["no state"]`, Created: now, Updated: now})
	}
}

// TestCheckpointOfNothing: a session of which nothing was written down yet is
// no error.
func TestCheckpointOfNothing(t *testing.T) {
	h := newHouse(t)
	h.attend(Event{Name: SessionStart, Session: "s1"})
	h.attend(Event{Name: PreCompact, Session: "s1"})
	for _, id := range []string{"s1", "unknown"} {
		if err := h.checkpoint(t.Context(), id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	h.rounds()
}

// TestHandoff reads a session and says how it stands.
func TestHandoff(t *testing.T) {
	h := newHouse(t)
	c := mind.Caller{Actor: "cli", Cwd: filepath.Join(h.home, "project")}
	if _, err := h.Handoff(t.Context(), c, HandoffInput{}); err == nil {
		t.Error("there is no session yet")
	}
	path := writeTranscript(t, "11111111-2222-3333-4444-555555555555", c.Cwd,
		said("user", "make the login retry three times"),
		said("assistant", "The login now retries three times."))
	if _, err := h.mind.SessionIngest(t.Context(), c, mind.SessionIngestInput{Path: path}); err != nil {
		t.Fatal(err)
	}
	c.Session = "11111111-2222-3333-4444-555555555555"
	if _, err := h.LedgerSave(t.Context(), c, LedgerSaveInput{LedgerState: LedgerState{NextSteps: []string{"test with a slow server"}, Decisions: []string{"three retries, not five"}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.mind.Remember(t.Context(), c, mind.RememberInput{Content: "a retry without a pause made the server lock the account", Kind: "failure"}); err != nil {
		t.Fatal(err)
	}
	out, err := h.Handoff(t.Context(), c, HandoffInput{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Handoff: project", "> make the login retry three times", "> The login now retries three times.",
		"## Decided\n\n- three retries, not five", "## Left to do\n\n- test with a slow server", "## Did not work\n\n- a retry without a pause", "claude --resume 11111111"} {
		if !strings.Contains(out.Text, want) {
			t.Errorf("%q is missing in\n%s", want, out.Text)
		}
	}
	// what it shows itself is written down by a checkpoint
	l, err := h.LedgerCheckpoint(t.Context(), c, LedgerCheckpointInput{})
	if err != nil || l.Kind != LedgerCheckpoint || !strings.Contains(l.State.Summary, "make the login retry") {
		t.Errorf("%+v %v", l, err)
	}
}
