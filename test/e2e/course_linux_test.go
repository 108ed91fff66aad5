package e2e

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// full is how many tokens make the client compact before it goes on.
const full = 990_000

// Before a conversation is compacted its state is written down, and afterwards
// the model is told again what matters: what it was told at first is gone.
func TestCompaction(t *testing.T) {
	for name, compact := range map[string]func(*talk){
		"asked for":   func(k *talk) { k.ask("/compact") },
		"out of room": func(k *talk) { k.ask("Anything else?", say("Nothing.").claiming(full)) },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.install()
			h.compacted(compact)
		})
	}
}

// compacted holds what is to happen around a compaction.
func (h *home) compacted(compact func(*talk)) {
	t := h.t
	t.Helper()
	const needle = "imperative mood"
	var first, got turn
	var k *talk
	h.inTime(func() {
		h.chitta("remember", "--kind", "preference", "Commit messages of this project are written in the imperative mood")
		k = h.open()
		first = k.ask(workAsked, h.workDone()...)
		compact(k)
		got = k.ask("Where were we?", say("At the cart."))
		k.end()
	})
	if !strings.Contains(first.handed(), needle) {
		t.Errorf("at the start the model is handed %q", first.handed())
	}
	inside, outside := passages(got.requests[len(got.requests)-1].text())
	if !strings.Contains(outside, "A scripted summary") || strings.Contains(outside, "counted twice, hence") {
		t.Fatal("the conversation was not compacted")
	}
	if !strings.Contains(strings.Join(inside, ""), needle) {
		t.Errorf("after the compaction the model is handed %q", inside)
	}
	c := h.hooks(k.id)
	if s := c.of("SessionStart"); s.Calls != 2 || s.Injected != 2 {
		t.Errorf("%d starts with %d injections, want 2 and 2", s.Calls, s.Injected)
	}
	if n := c.of("PreCompact").Calls; n != 1 {
		t.Errorf("%d compactions were noted", n)
	}
	h.eventually("a checkpoint of the session", func() bool {
		return slices.ContainsFunc(h.ledgers("checkpoint"), func(l ledger) bool { return l.Session == k.id })
	})
	h.learned("preference", "pnpm")
}

// identities says what is remembered apart from summaries, which change.
func identities(memories []kept) (all []string) {
	for _, m := range memories {
		if m.Kind != "summary" {
			all = append(all, m.Kind+" "+m.Content+" "+string(m.Belief))
		}
	}
	slices.Sort(all)
	return all
}

// A session that is resumed, and one that is forked from it, carry what was
// learned from already: nothing is learned twice, and nothing counts double.
func TestResumeAndForkLearnOnce(t *testing.T) {
	h := newHome(t)
	h.install()
	var session string
	var before []string
	var resumed, fork *talk
	var got turn
	h.inTime(func() {
		session = h.work()
		h.settled(session)
		before = identities(h.memories())
		resumed = h.open("--resume", session)
		got = resumed.ask("What did we do?", say("We mended the cart."))
		resumed.end()
		fork = h.open("--resume", session, "--fork-session")
		fork.ask("From now on write every log line in English.", say("All right."))
		fork.end()
	})
	if resumed.id != session || fork.id == session || !strings.Contains(got.told(), "counted twice") {
		t.Errorf("session %s went on as %s and was forked as %s", session, resumed.id, fork.id)
	}
	for _, k := range []*talk{resumed, fork} {
		if c := h.hooks(k.id); c.of("SessionStart").Calls == 0 || c.of("Stop").Calls == 0 {
			t.Errorf("hooks of session %s: %+v", k.id, c.Events)
		}
	}
	h.learned("preference", "English")
	time.Sleep(idle)
	var after []kept
	for _, m := range h.memories() {
		if !strings.Contains(m.Content, "English") {
			after = append(after, m)
		}
	}
	if now := identities(after); !slices.Equal(now, before) {
		t.Errorf("remembered before:\n%s\nafter resume and fork:\n%s", strings.Join(before, "\n"), strings.Join(now, "\n"))
	}
}

// What a subagent does is noted and stored as part of its session.
func TestSubagent(t *testing.T) {
	h := newHome(t)
	h.install()
	const task = "Write the list of countries we ship to into countries.txt."
	var got turn
	var id string
	h.inTime(func() {
		h.api.on(task, write(h.file("countries.txt"), "Iceland\n"), say("Iceland is the only country for now."))
		got, id = h.session("Have somebody collect the countries we ship to.", agent(task), say("It is done."))
	})
	if got.Result != "It is done." || !strings.Contains(got.told(), "Iceland is the only country") {
		t.Fatalf("the client answers %q", got.Result)
	}
	c := h.hooks(id)
	if c.of("SubagentStart").Calls != 1 || c.of("SubagentStop").Calls != 1 || c.Failed != 0 {
		t.Errorf("hooks: %+v", c.Events)
	}
	h.eventually("what the subagent said is found", func() bool {
		return strings.Contains(h.chitta("search", "Iceland is the only country", "--json"), id)
	})
	m := h.learned("episode", "countries.txt")
	if m.Source != "subconscious" || m.Provenance.Session != id {
		t.Errorf("the subagent's work is remembered as %+v", m)
	}
}

// SC-2: what the agent says it did and what it was seen doing within a minute
// are found to be the same; other work of that minute is not.
func TestSC2Convergence(t *testing.T) {
	h := newHome(t)
	h.install()
	h.write("auth.c", "int valid(int age) { return age < 10; }\n")
	h.write("footer.css", "footer { color: red }\n")
	k := h.open()
	k.ask("People are thrown out of the shop although their token is fresh, mend that.",
		read(h.file("auth.c")),
		edit(h.file("auth.c"), "age < 10", "age < 3600"),
		use("mcp__chitta__remember", map[string]any{"content": "Fixed authentication bug in login flow", "kind": "insight"}),
		say("Tokens live for an hour now."))
	k.ask("Make the footer green, please.",
		read(h.file("footer.css")), edit(h.file("footer.css"), "red", "green"), say("The footer is green."))
	k.end()

	said := h.learned("insight", "Fixed authentication bug")
	if said.Source != "conscious" || said.Provenance.Session != k.id {
		t.Errorf("what the agent remembers is %s of session %q", said.Source, said.Provenance.Session)
	}
	h.eventually("both are linked", func() bool { return h.learned("insight", "Fixed authentication bug").Pair != "" })
	said, seen := h.learned("insight", "Fixed authentication bug"), h.learned("episode", "auth.c")
	if said.Pair != seen.ID || seen.Pair != said.ID {
		t.Errorf("pairs: %s with %q, %s with %q", said.ID, said.Pair, seen.ID, seen.Pair)
	}
	if m := h.learned("episode", "footer.css"); m.Pair != "" {
		t.Errorf("the footer is linked with %s", m.Pair)
	}
	if c := h.hooks(k.id); c.Converged != 1 {
		t.Errorf("stats count %d convergences, want 1", c.Converged)
	}
}
