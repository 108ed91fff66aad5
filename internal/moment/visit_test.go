package moment

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chitta/internal/config"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/store"
)

// house is a keeper over a store that can be opened again, with a clock of its
// own.
type house struct {
	t    *testing.T
	home string
	mu   sync.Mutex
	at   time.Time
	mind *mind.Mind
	*Keeper
}

func newHouse(t *testing.T) *house {
	h := &house{t: t, home: t.TempDir(), at: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
	if err := os.Mkdir(filepath.Join(h.home, "project"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.open()
	t.Cleanup(func() { h.mind.Close() })
	return h
}

func (h *house) open() {
	h.t.Helper()
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = h.home, "none"
	m, err := mind.Open(h.t.Context(), mind.Options{Config: cfg, Now: h.now})
	if err != nil {
		h.t.Fatal(err)
	}
	h.mind, h.Keeper = m, New(Options{Mind: m})
}

func (h *house) now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at
}

func (h *house) wait(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = h.at.Add(d)
}

// again ends the process and begins another, without a farewell.
func (h *house) again() {
	h.t.Helper()
	if err := h.mind.Close(); err != nil {
		h.t.Fatal(err)
	}
	h.open()
}

func (h *house) attend(e Event) Answer {
	h.t.Helper()
	if e.Cwd == "" {
		e.Cwd = filepath.Join(h.home, "project")
	}
	a, err := h.Attend(h.t.Context(), mind.Caller{Actor: "hook"}, e)
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

func (h *house) visit(session string) store.Visit {
	h.t.Helper()
	v, err := h.store.Visit(h.t.Context(), session)
	if err != nil {
		h.t.Fatal(err)
	}
	return v
}

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

func TestLedger(t *testing.T) {
	h := newHouse(t)
	here := mind.Caller{Actor: "mcp", Session: "s1", Cwd: filepath.Join(h.home, "project")}
	if _, err := h.LedgerLoad(t.Context(), here, LedgerLoadInput{}); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Errorf("nothing was written yet: %v", err)
	}
	first, err := h.LedgerSave(t.Context(), here, LedgerSaveInput{LedgerState: LedgerState{Mood: "calm", Todos: []string{"a", "b", "a"}}})
	if err != nil {
		t.Fatal(err)
	}
	// parts are kept up to date one by one, and an empty list says that nothing is left
	h.wait(time.Minute)
	second, err := h.LedgerSave(t.Context(), here, LedgerSaveInput{LedgerState: LedgerState{Todos: []string{}, NextSteps: []string{"deploy with token ghp_" + "x7Kq9ZtR2mVb4Nc8Wd1Ly5Ps3Hg6Jf0Aa2Ee"}}})
	if err != nil || second.ID != first.ID || second.State.Mood != "calm" || len(second.State.Todos) != 0 {
		t.Errorf("%+v %v", second, err)
	}
	if strings.Contains(second.State.NextSteps[0], "ghp_") {
		t.Error("a secret was written down")
	}
	loaded, err := h.LedgerLoad(t.Context(), here, LedgerLoadInput{})
	if err != nil || loaded.ID != first.ID || !loaded.Updated.After(loaded.Created) {
		t.Errorf("%+v %v", loaded, err)
	}
	got, err := h.LedgerGet(t.Context(), here, LedgerInput{ID: first.ID[:8]})
	if err != nil || got.ID != first.ID {
		t.Errorf("%+v %v", got, err)
	}
	// another project has another ledger
	away := mind.Caller{Session: "s2", Cwd: t.TempDir()}
	if list, err := h.LedgerList(t.Context(), away, LedgerListInput{}); err != nil || len(list.Ledgers) != 0 {
		t.Errorf("%+v %v", list, err)
	}
	if list, err := h.LedgerList(t.Context(), away, LedgerListInput{Realm: "all", Kind: LedgerSaved}); err != nil || len(list.Ledgers) != 1 {
		t.Errorf("%+v %v", list, err)
	}
	if _, err := h.LedgerDelete(t.Context(), here, LedgerInput{ID: first.ID}); err != nil {
		t.Fatal(err)
	}
	if list, err := h.LedgerList(t.Context(), here, LedgerListInput{}); err != nil || len(list.Ledgers) != 0 {
		t.Errorf("%+v %v", list, err)
	}
}

func TestLedgerRefusesWhatIsNoState(t *testing.T) {
	h := newHouse(t)
	c := mind.Caller{Cwd: h.home}
	for name, s := range map[string]LedgerState{
		"nothing":  {},
		"too long": {Mood: strings.Repeat("x", maxLedgerText+1)},
		"too many": {Todos: make([]string, maxLedgerItems+1)},
		"bytes":    {Summary: "a\xff"},
		"NUL":      {Files: []string{"a\x00"}},
	} {
		if _, err := h.LedgerSave(t.Context(), c, LedgerSaveInput{LedgerState: s}); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	for _, id := range []string{"", "l_", "m_1", strings.Repeat("l_", 1000)} {
		if _, err := h.LedgerGet(t.Context(), c, LedgerInput{ID: id}); err == nil {
			t.Errorf("%q: found", id)
		}
	}
	if _, err := h.LedgerCheckpoint(t.Context(), c, LedgerCheckpointInput{}); err == nil {
		t.Error("a checkpoint of no session")
	}
	if _, err := h.LedgerList(t.Context(), c, LedgerListInput{Kind: "other"}); err == nil {
		t.Error("a kind that does not exist")
	}
	if _, err := h.LedgerList(t.Context(), c, LedgerListInput{Limit: -1}); err == nil {
		t.Error("a limit below zero")
	}
}

func TestCostCountsWhatHooksDid(t *testing.T) {
	h := newHouse(t)
	e := Event{Name: UserPromptSubmit, Session: "s1", Micros: 2000}
	for i := range 100 {
		h.meter.note(h.now(), time.Duration(i)*time.Millisecond, "", &e, &Answer{Outcome: "nothing relevant"})
	}
	h.meter.note(h.now(), 0, "", &e, &Answer{Outcome: Injected, Context: strings.Repeat("x", 400), Items: []string{"m_1"}})
	h.meter.note(h.now(), 0, "", &Event{Name: Stop, Session: "s2"}, &Answer{Outcome: Failed})
	if _, err := h.mind.Remember(t.Context(), mind.Caller{Session: "s1", Cwd: h.home}, mind.RememberInput{Content: "the build needs go 1.26 or later", Kind: "insight", Source: string(memory.Subconscious)}); err != nil {
		t.Fatal(err)
	}
	out, err := h.Cost(t.Context(), mind.Caller{}, CostInput{})
	if err != nil {
		t.Fatal(err)
	}
	if out.Calls != 102 || out.Injected != 1 || out.Tokens != 100 || out.Failed != 1 || out.Withheld["nothing relevant"] != 100 || out.Sessions != 2 || out.Kinds["insight"] != 1 {
		t.Errorf("%+v", out)
	}
	if len(out.Events) != 2 || out.Events[0].Event != UserPromptSubmit || out.Events[0].P50 != 51 || out.Events[0].P99 != 100 {
		t.Errorf("%+v", out.Events)
	}
	one, err := h.Cost(t.Context(), mind.Caller{}, CostInput{Session: "s1"})
	if err != nil || one.Calls != 101 || one.Latest[0].Captured != 1 {
		t.Errorf("%+v %v", one, err)
	}
	h.wait(40 * 24 * time.Hour)
	if old, err := h.Cost(t.Context(), mind.Caller{}, CostInput{}); err != nil || old.Calls != 0 {
		t.Errorf("%+v %v", old, err)
	}
	for _, in := range []CostInput{{Days: 91}, {Days: -1}, {Limit: 101}} {
		if _, err := h.Cost(t.Context(), mind.Caller{}, in); err == nil {
			t.Errorf("%+v is taken", in)
		}
	}
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

// said is a record of a transcript.
func said(role, text string) map[string]any {
	return map[string]any{"type": role, "message": map[string]any{"role": role, "content": text}}
}

// writeTranscript writes records as the client does and returns the file.
func writeTranscript(t *testing.T, session, cwd string, records ...map[string]any) string {
	t.Helper()
	var b strings.Builder
	parent := ""
	for i, r := range records {
		id := fmt.Sprintf("%s-%04d", session, i)
		r["uuid"], r["parentUuid"], r["sessionId"], r["cwd"] = id, parent, session, cwd
		r["timestamp"], r["version"] = fmt.Sprintf("2026-03-04T05:%02d:00.000Z", i), "2.1.325"
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
		parent = id
	}
	return writeFile(t, session+".jsonl", b.String())
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRunIsNotPutOffByEvents: however fast events come, what they leave is
// written down.
func TestRunIsNotPutOffByEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { h.Run(ctx) })
		for range 40 {
			h.attend(Event{Name: PostToolUse, Session: "s1"})
			time.Sleep(settle / 10)
		}
		calls, err := h.store.HookCalls(t.Context(), store.HookCallFilter{Limit: 100})
		if err != nil || len(calls) < 20 {
			t.Errorf("%d of 40 calls were written down while events came, %v", len(calls), err)
		}
		stop()
		running.Wait()
		if calls, err := h.store.HookCalls(t.Context(), store.HookCallFilter{Limit: 100}); err != nil || len(calls) != 40 {
			t.Errorf("%d of 40 calls were written down at the end, %v", len(calls), err)
		}
	})
}
