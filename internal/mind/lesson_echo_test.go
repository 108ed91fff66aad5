package mind

import (
	"fmt"
	"testing"

	"chitta/internal/distil"
	"chitta/internal/memory"
	"chitta/internal/store"
)

const (
	locksText    = "We chose PostgreSQL advisory locks for the scheduler because Redis locks were lost on failover"
	webhooksText = "The payment service retries failed webhooks three times with exponential backoff and then parks them in the dead letter table"
	toldMark     = " [m_01jc8x2k9q, 2026-11-15, noted by an agent]"
)

// agentSaid is a lesson of nothing but an agent's words.
func agentSaid(m *Mind, rule string, kind memory.Kind, said string, n int) Lesson {
	return lesson(m, rule, said, func(l *Lesson) {
		l.Kind, l.Trust, l.Said, l.Messages = kind, memory.TrustAgent, said, []string{fmt.Sprint("said", n)}
	})
}

// handOver notes that a hook gave memories to a session.
func handOver(t *testing.T, m *Mind, session string, ids ...string) {
	t.Helper()
	err := m.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddHookCalls([]store.HookCall{{At: m.now(), Session: session, Event: "UserPromptSubmit", Items: ids}})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestEchoOfALine: the agent copies a line as it was handed over, or lists its
// parts as what to do next.
func TestEchoOfALine(t *testing.T) {
	m, _ := openTest(t)
	remember(t, m, person, RememberInput{Content: locksText, Kind: "approach"})
	remember(t, m, person, RememberInput{Content: webhooksText, Kind: "wisdom"})
	for i, tt := range []struct{ name, rule, said, want string }{
		{"a line", distil.RuleMarker, "decision: " + locksText + toldMark, ActionRepeated},
		{"its text and bracket", distil.RuleMarker, locksText + toldMark, ActionRepeated},
		{"its text and label", distil.RuleMarker, "decision: " + locksText, ActionRepeated},
		{"an item of a list", distil.RuleNext, "The payment service retries failed webhooks three times with exponential backoff", ActionRepeated},
		{"another item", distil.RuleNext, "parks them in the dead letter table", ActionRepeated},
		{"a third item", distil.RuleNext, "PostgreSQL advisory locks for the scheduler", ActionRepeated},
		{"an item that is new", distil.RuleNext, "write a test for the dead letter table", ActionStored},
		{"a line called a failure", distil.RuleMarker, "failure: " + locksText, ActionStored},
		{"news about a line", distil.RuleMarker, "The scheduler's locks ran out under load, raise the limit" + toldMark, ActionStored},
	} {
		kind := memory.Approach
		if tt.rule == distil.RuleNext {
			kind = memory.Intention
		}
		if kept := keep(t, m, agentSaid(m, tt.rule, kind, tt.said, i)); actions(kept) != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, kept, tt.want)
		}
	}
}

// TestEchoInOtherWords: what a session was handed over is not news when its
// agent retells it; what was not handed over, or says something else, is.
func TestEchoInOtherWords(t *testing.T) {
	m, _ := openSemantic(t, semanticConfig(t))
	given := func(content, kind string) string {
		return remember(t, m, person, RememberInput{Content: content, Kind: kind}).ID
	}
	locks, webhooks := given(locksText, "approach"), given(webhooksText, "wisdom")
	plan := given("Left to do: let the search index skip archived projects when it is rebuilt", "intention")
	given("Images are resized on upload by the worker and not in the request", "wisdom")
	handOver(t, m, agent.Session, locks, "l_1")
	handOver(t, m, agent.Session, webhooks, plan)
	handOver(t, m, "session-9", locks)
	settle(t, m)
	for i, tt := range []struct{ name, said, want string }{
		{"other words", "Failed webhooks are retried 3 times by the payment service, using exponential backoff, after which they end up in the dead-letter table.", ActionRepeated},
		{"another language", "Wir nutzen PostgreSQL Advisory Locks im Scheduler, weil Redis-Locks beim Failover verloren gingen.", ActionRepeated},
		{"an introduction", "According to memory, we chose PostgreSQL advisory locks for the scheduler because Redis locks were lost on failover, so keep that.", ActionRepeated},
		{"a short form", "The scheduler relies on advisory locks in Postgres since Redis lost its locks during failover.", ActionRepeated},
		{"another number", "The payment service now retries failed webhooks five times before it parks them in the dead letter table", ActionStored},
		{"turned around", "The scheduler does not use PostgreSQL advisory locks, they were lost on failover like those of Redis", ActionStored},
		{"another name", "We chose MySQL named locks for the scheduler because Redis locks were lost on failover", ActionStored},
		{"the same matter", "Failed webhooks show up in the dashboard of the payment service", ActionStored},
		{"what was planned is done", "The search index skips archived projects when it is rebuilt", ActionStored},
		{"not handed over", "The worker resizes images at upload time and not during the request.", ActionStored},
	} {
		if kept := keep(t, m, agentSaid(m, distil.RuleMarker, memory.Approach, tt.said, i)); actions(kept) != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, kept, tt.want)
		}
	}
	elsewhere := agentSaid(m, distil.RuleMarker, memory.Wisdom, "When webhooks fail, payments retries them 3 times, backing off exponentially, and parks the rest in the dead letter table", 99)
	elsewhere.Session = "session-8"
	if kept := keep(t, m, elsewhere); actions(kept) != ActionStored {
		t.Errorf("in a session that was handed nothing: %v", kept)
	}
}

// TestPastedLineIsNoStatement: a person shows what chitta said.
func TestPastedLineIsNoStatement(t *testing.T) {
	m, _ := openTest(t)
	for i, tt := range []struct{ name, rule, text, want string }{
		{"pasted", distil.RuleDecision, "The user decided: “We decided: " + locksText + toldMark + "”", ActionRepeated},
		{"pasted as a wish", distil.RulePreference, "The user wants: “Never use Redis locks" + toldMark + ".”", ActionRepeated},
		{"an answer to a pasted line", distil.RuleDecision, "The user decided: “Let's go with cents” — when the agent said: “use floats" + toldMark + "”", ActionStored},
		{"a correction of it", distil.RuleCorrection, "The user corrected: “That's wrong: " + locksText + toldMark + "”", ActionStored},
		{"their own words", distil.RuleDecision, "The user decided: “Let's use etcd leases for the importer”", ActionStored},
		{"their own mark", distil.RuleDecision, "The user decided: “Let's round half to even [ABC-12, 2026-11-15]”", ActionStored},
	} {
		kept := keep(t, m, lesson(m, tt.rule, tt.text, func(l *Lesson) {
			l.Kind, l.Trust, l.Messages = memory.Approach, memory.TrustUser, []string{fmt.Sprint("u", i)}
		}))
		if actions(kept) != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, kept, tt.want)
		}
	}
}

func TestWithoutEchoes(t *testing.T) {
	m, _ := openTest(t)
	remember(t, m, person, RememberInput{Content: webhooksText, Kind: "wisdom"})
	old := remember(t, m, Caller{Actor: "mcp", Session: "old"}, RememberInput{Content: "Changed a.go for: “tidy up”; the agent says “All of the tables are migrated now.”", Kind: "episode"})
	const asked, own = "Asked: “And what about webhook retries?”\n", "the agent says “Retries are counted per endpoint from now on.”"
	echo := "the agent says “" + webhooksText + ".”"
	for _, tt := range []struct{ name, session, text, want string }{
		{"closing words", "s", asked + "Done: changed a.go; " + echo + "\nDecided: x", asked + "Done: changed a.go\nDecided: x"},
		{"nothing else was done", "s", asked + "Done: " + echo, asked[:len(asked)-1]},
		{"cut off", "s", asked + "Done: changed a.go; the agent says “The payment service retries failed webhooks three times with expon…”", asked + "Done: changed a.go"},
		{"as a line", "s", "Done: changed a.go; the agent says “wisdom: " + webhooksText + toldMark + "”", "Done: changed a.go"},
		{"its own words", "s", asked + "Done: changed a.go; " + own, asked + "Done: changed a.go; " + own},
		{"words of another account", "s", "Done: changed b.go; the agent says “All of the tables are migrated now.”", "Done: changed b.go; the agent says “All of the tables are migrated now.”"},
		{"words of an account it was handed", "s2", "Done: changed b.go; the agent says “All of the tables are migrated now.”", "Done: changed b.go"},
		{"within a request", "s", "Asked: “why the agent says " + webhooksText + "”", "Asked: “why the agent says " + webhooksText + "”"},
		{"nothing", "s", "", ""},
		{"odd", "", "Done: the agent says …\xff\x00", "Done: the agent says …\xff\x00"},
		{"no words", "", "Done: x; the agent says ", "Done: x; the agent says "},
	} {
		if tt.session == "s2" {
			handOver(t, m, "s2", old.ID)
		}
		got, err := m.WithoutEchoes(t.Context(), memory.UserRealm, tt.session, tt.text)
		if err != nil || got != tt.want {
			t.Errorf("%s: %q %v, want %q", tt.name, got, err, tt.want)
		}
	}
	kept := keep(t, m, lesson(m, distil.RuleEdit, "Changed a.go for: “tidy the payments up”; "+echo, nil),
		lesson(m, distil.RuleEdit, "Changed b.go for: “count retries”; "+own, func(l *Lesson) { l.Messages = []string{"m7"} }))
	for i, want := range []string{"Changed a.go for: “tidy the payments up”", "Changed b.go for: “count retries”; " + own} {
		if r := getRecord(t, m, kept[i].ID); r.Content != want {
			t.Errorf("%q, want %q", r.Content, want)
		}
	}
	again := keep(t, m, lesson(m, distil.RuleEdit, "Changed a.go for: “tidy the payments up”; "+echo, nil))
	if again[0] != (KeptLesson{kept[0].ID, ActionKnown}) {
		t.Errorf("read again: %v", again)
	}
}
