package moment

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
	"chitta/internal/mind"
)

func TestReplay(t *testing.T) {
	h := newHouse(t)
	h.mu.Lock()
	h.at = time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC) // before the transcript
	h.mu.Unlock()
	id := h.knows("failure", tokenLesson)
	path := writeTranscript(t, "s1", h.project("project").Cwd,
		said("user", "run the tests"), said("assistant", "They pass."),
		said("user", tokenPrompt), said("assistant", "Yes."),
		said("user", tokenPrompt), said("assistant", "Yes, still."),
		said("user", "which carrier rejects parcels without a customs tariff number?"))
	if _, err := h.mind.SessionIngest(t.Context(), h.project("project"), mind.SessionIngestInput{Path: path}); err != nil {
		t.Fatal(err)
	}
	h.mu.Lock()
	h.at = time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC)
	h.mu.Unlock()
	h.knows("wisdom", "The carrier Borealis rejects parcels without a customs tariff number") // known too late
	before, err := h.mind.Get(t.Context(), h.project("project"), mind.GetInput{ID: id})
	if err != nil {
		t.Fatal(err)
	}
	out, err := h.Replay(t.Context(), h.project("project"), ReplayInput{Session: "s1"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range out.Prompts {
		got = append(got, p.Outcome)
	}
	if len(got) != 4 || got[0] != Vague || got[1] != Injected || got[2] != GivenAlready || got[3] == Injected {
		t.Errorf("%q", got)
	}
	p := out.Prompts[1]
	if !strings.Contains(p.Text, id) || strings.Contains(p.Text, "chitta-memory") || p.Tokens == 0 || p.Best < wordsBar || len(p.Items) != 1 {
		t.Errorf("%+v", p)
	}
	if out.Injected != 1 || out.Tokens != p.Tokens || out.Next != "" || out.Done != out.Total || len(out.Notes) == 0 {
		t.Errorf("%+v", out)
	}
	// asking again changes nothing
	again, err := h.Replay(t.Context(), h.project("project"), ReplayInput{Session: "s1"})
	if err != nil || len(again.Prompts) != 4 || again.Prompts[1].Outcome != Injected {
		t.Errorf("%+v %v", again, err)
	}
	after, err := h.mind.Get(t.Context(), h.project("project"), mind.GetInput{ID: id})
	if err != nil || after.AccessCount != before.AccessCount || !after.Updated.Equal(before.Updated) {
		t.Errorf("%+v %v", after, err)
	}
	// from another directory, too
	if out, err := h.Replay(t.Context(), mind.Caller{Actor: mind.ActorCLI, Cwd: h.project("other").Cwd}, ReplayInput{Session: "s1"}); err != nil || out.Injected != 1 {
		t.Errorf("%+v %v", out, err)
	}
}

// TestReplayGoesOn: a cursor goes on where a part ended, with what was handed
// over before.
func TestReplayGoesOn(t *testing.T) {
	h := newHouse(t)
	id := h.knows("failure", tokenLesson)
	h.wait(time.Hour)
	path := writeTranscript(t, "s1", h.project("project").Cwd, said("user", "hello"), said("assistant", "hi"), said("user", tokenPrompt))
	if _, err := h.mind.SessionIngest(t.Context(), h.project("project"), mind.SessionIngestInput{Path: path}); err != nil {
		t.Fatal(err)
	}
	r := replay{at: replayCursor{At: 1, Given: []string{id}}, out: ReplayOutput{Total: 3}}
	part, err := r.pause()
	if err != nil || part.Next == "" || part.Done != 1 {
		t.Fatalf("%+v %v", part, err)
	}
	out, err := h.Replay(t.Context(), h.project("project"), ReplayInput{Session: "s1", Cursor: part.Next})
	if err != nil || len(out.Prompts) != 1 || out.Prompts[0].Outcome == Injected {
		t.Errorf("%+v %v", out, err)
	}
	var bad *memory.InputError
	for _, cursor := range []string{"x", "!!", base64.RawURLEncoding.EncodeToString([]byte(`{"at":-1}`)), base64.RawURLEncoding.EncodeToString([]byte(`{"page":99}`))} {
		if _, err := h.Replay(t.Context(), h.project("project"), ReplayInput{Session: "s1", Cursor: cursor}); !errors.As(err, &bad) {
			t.Errorf("%s: %v", cursor, err)
		}
	}
	for _, session := range []string{"", "nobody", "s1-0000", "\x00", strings.Repeat("x", 1<<16)} {
		if _, err := h.Replay(t.Context(), h.project("project"), ReplayInput{Session: session}); err == nil {
			t.Errorf("%.20q is replayed", session)
		}
	}
}

// TestReplayTellsWhatDecided: a score is shown only where one was compared, and
// then it is on the side of the bar that the outcome says.
func TestReplayTellsWhatDecided(t *testing.T) {
	h := newHouse(t)
	h.knows("failure", tokenLesson)
	s := h.talk("s1")
	s.event(SessionStart)
	for _, p := range []string{"continue", "/clear", tokenPrompt, "the access token of the billing exporter is rotated by which nightly cron job of the cluster?"} {
		s.asks(p)
		s.ends("Very well.")
	}
	s.event(Stop)
	h.wait(time.Hour)
	h.rounds()
	out, err := h.Replay(t.Context(), h.project("project"), ReplayInput{Session: "s1"})
	if err != nil || len(out.Prompts) == 0 {
		t.Fatal(out, err)
	}
	for _, p := range out.Prompts {
		switch p.Outcome {
		case Vague, NothingAsked, FewWords, ToolsOnly, Unknown:
			if p.Bar != 0 || p.Best != 0 {
				t.Errorf("%q: %s shows %.2f of %.2f, which was not compared", p.Prompt, p.Outcome, p.Best, p.Bar)
			}
		case BelowBar:
			if p.Bar == 0 || p.Best >= p.Bar {
				t.Errorf("%q: %s with %.2f of %.2f", p.Prompt, p.Outcome, p.Best, p.Bar)
			}
		case Injected, NothingNew, GivenAlready:
			if p.Bar == 0 || p.Best < p.Bar {
				t.Errorf("%q: %s with %.2f of %.2f", p.Prompt, p.Outcome, p.Best, p.Bar)
			}
		}
		t.Logf("%s %.2f %.2f %q", p.Outcome, p.Best, p.Bar, p.Prompt)
	}
}
